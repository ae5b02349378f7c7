//! Kernels made wrong on purpose are refused: by their text, by their words, by bytes of their tables.

use loom::isa::frame::Abi;
use loom::isa::hppa::conventions::{HPPA, HPPA64};
use proof::Result;
use proof::image::{Image, name_of};
use proof::machine::{Instruction, Isa};
use proof::theorems::{Kernel, Lanes, Proof};
use std::collections::BTreeSet;

const TABLE: &str = "des_encrypt_table64";
const PAIRED: &str = "des_encrypt_paired12_chain";
const FUNCTION: &str = "des_encrypt1";
const RC4: &str = "rc4_apply_s32";
/// One that does nothing.
const NOTHING: [u8; 4] = [0x08, 0, 0x02, 0x40];

fn symbol<'a>(image: &'a Image, name: &str) -> &'a str {
    image.kernels.keys().find(|symbol| name_of(symbol) == name).unwrap()
}

/// Proves a kernel of an image, with every form of instruction that it has.
fn prove(image: &Image, name: &str) -> Result<Proof> {
    let symbol = symbol(image, name);
    let kernel = &image.kernels[symbol];
    let all = Isa::Hppa.decode_all(image.code(kernel), kernel.start)?;
    let covered: BTreeSet<String> = all.iter().map(Instruction::form).collect();
    Kernel { image, symbol, covered: &covered, lanes: Lanes::First }.prove()
}

#[test]
fn slow_rules_that_a_kernel_breaks_are_named() {
    const LOAD: &str = "ldd     0(%r26),%r6 ";
    const STORE: &str = "std,ma  %r6,8(%r26) ";
    const LESS: &str = "addib,<> -1,%r1";
    let before = |what: &str, then: &str| format!("{what}\n {then}");
    let changes = [
        // Regions, rights, alignment.
        (TABLE, STORE, before("std %r6,0(%r24)", STORE), "write in schedule"),
        (TABLE, STORE, before("std %r6,8(%r26)", STORE), "in data of 8 bytes"),
        (TABLE, STORE, before("ldd 144(%r24),%r9", STORE), "read of 144..152 in schedule"),
        (TABLE, STORE, before("ldd -8(%r24),%r9", STORE), "read of -8..0 in schedule"),
        (TABLE, STORE, before("ldd,s %r6(%r24),%r9", STORE), "in schedule of 144 bytes"),
        (TABLE, STORE, before("ldw 2(%r26),%r9", STORE), "not aligned"),
        (TABLE, STORE, before("ldd 4(%r26),%r9", STORE), "no instruction|not aligned"),
        (TABLE, STORE, before("ldd,s %r26(%r24),%r9", STORE), "no number"),
        // Its frame, the caller's, and what lies above.
        (TABLE, STORE, before("std %r6,0(%r30)", STORE), "below its pointer"),
        (TABLE, STORE, before("ldd 8(%r30),%r9", STORE), "below its pointer"),
        (TABLE, STORE, before("std %r6,-200(%r30)", STORE), "write above the return address"),
        (TABLE, STORE, before("ldd -200(%r30),%r9", STORE), "not known"),
        (TABLE, STORE, before("std %r6,-32(%r30)", STORE), "left on the stack"),
        (TABLE, STORE, before("stw %r6,-32(%r30)", STORE), "left on the stack"),
        (TABLE, "ldd,mb  -192(%r30),%r3", "ldd,mb -128(%r30),%r3".into(), "caller's|another sp|sp"),
        (TABLE, "ldd,mb  -192(%r30),%r3", "nop".into(), "another sp"),
        (TABLE, "std,ma  %r3,192(%r30)", "std,ma %r3,200(%r30)".into(), "no multiple of 64"),
        // What the caller wants back.
        (TABLE, "ldd     -72(%r30),%r18", "nop".into(), "register 18 is not the caller's"),
        (TABLE, "ldd     -72(%r30),%r18", "ldd -80(%r30),%r18".into(), "register 18"),
        (TABLE, STORE, before("copy %r6,%r27", STORE), "register 27 is not the caller's"),
        (TABLE, STORE, before("copy %r6,%r2", STORE), "a return to elsewhere"),
        (TABLE, "std     %r0,-40(%r30)", "nop".into(), "left on the stack|no number"),
        // Counts.
        (TABLE, LESS, "addib,<> -2,%r1".into(), "no instruction"),
        (TABLE, "extrd,u %r25,63,32,%r19", "copy %r25,%r19".into(), ""),
        (TABLE, LESS, before("ldo -1(%r1),%r1", LESS), "end of a group"),
        // What stands behind a branch.
        (TABLE, "bve     (%r2)\n", "bve (%r2)\n nop\n".into(), "another sp"),
        (TABLE, "bve     (%r2)\n", "bve (%r2)\n bve (%r2)\n".into(), "behind a branch"),
        (TABLE, LOAD, before("cmpib,*=,n 0,%r6,.Ldes_encrypt_table64_done", LOAD), ""),
        // Of a jump back something else is left out.
        (
            TABLE,
            LESS,
            before("cmpib,*=,n 0,%r1,.Ldes_encrypt_table64_again", LESS),
            "no instruction",
        ),
        // Other data.
        (TABLE, "permh,3210", "permh,2310".into(), "should be"),
        (TABLE, "hshl    %r6,8", "hshl %r6,7".into(), "should be"),
        (TABLE, "extrd,u %r6,56,57", "extrd,u %r6,55,56".into(), "should be"),
        (TABLE, "depd,z  %r9,56,57", "depd %r9,56,57".into(), "should be"),
        (TABLE, "ldil    L%0xaa0000", "ldil L%0xab0000".into(), "should be"),
        (TABLE, "ldo     170(%r23)", "ldo 171(%r23)".into(), "should be"),
        (TABLE, "tables+S7(%r21)", "tables+S7+8(%r21)".into(), "should be|dimensions|outside"),
        (TABLE, "ldd     8(%r24)", "ldd 16(%r24)".into(), "should be"),
        (FUNCTION, "ldw     4(%r26)", "ldw 0(%r26)".into(), "should be"),
        (FUNCTION, "cmpclr,*<> %r24,%r31", "cmpclr,*<> %r31,%r31".into(), "should be"),
        (FUNCTION, "extrd,u %r24,63,32,%r24", "nop".into(), "Unknown"),
        (RC4, "cmpclr,*<> %r23,%r20", "cmpclr,*<> %r23,%r23".into(), "Unknown"),
        (RC4, "shladd,l %r19,2,%r26,%r19", "shladd,l %r19,1,%r26,%r19".into(), "not aligned"),
        (RC4, "ldw,s   %r19(%r26)", "ldb %r19(%r26)".into(), "index"),
        (RC4, "stw     %r28,0(%r19)", "stw %r22,0(%r19)".into(), "should be"),
        (RC4, "ldo     1(%r19),%r23", "ldo 2(%r19),%r23".into(), "Unknown"),
    ];
    for name in [TABLE, FUNCTION, RC4] {
        prove(&super::changed(&HPPA, name, str::to_owned), name).unwrap();
    }
    let mut wrong = Vec::new();
    for (name, from, to, reasons) in changes {
        let image = super::changed(&HPPA, name, |text| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, &to, 1)
        });
        match prove(&image, name) {
            Err(error) if reasons.split('|').any(|reason| error.contains(reason)) => {}
            Err(error) => wrong.push(format!("{to}: {error}")),
            Ok(_) => wrong.push(format!("{to}: proved")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// In 64 bits a count has as many, of which `addib` looks at 32.
#[test]
fn a_count_of_64_bits_is_looked_at_as_a_whole() {
    let name = "des_encrypt_table64_x2";
    let image = |from: &str, to: &str| {
        super::changed(&HPPA64, name, |text| {
            assert!(text.contains(from), "{from}: {text}");
            text.replacen(from, to, 1)
        })
    };
    prove(&image("", ""), name).unwrap();
    let all = super::changed(&HPPA64, name, str::to_owned);
    let kernel = &all.kernels[symbol(&all, name)];
    let code = Isa::Hppa.decode_all(all.code(kernel), kernel.start).unwrap();
    let again = code.iter().map(ToString::to_string).find(|text| text.starts_with("cmpib,*<>"));
    let counts = again.unwrap().split(',').nth(2).unwrap().to_owned();
    let error =
        prove(&image(&format!("cmpib,*<> 0,%{counts}"), &format!("addib,<> -1,%{counts}")), name);
    assert!(error.unwrap_err().contains("not known"));
}

fn without(abi: &'static Abi, name: &str) -> (usize, Vec<String>) {
    let mut image = super::changed(abi, name, str::to_owned);
    let kernel = image.kernels[symbol(&image, name)].clone();
    let code = image.code(&kernel).to_vec();
    let all = Isa::Hppa.decode_all(&code, kernel.start).unwrap();
    let mut accepted = Vec::new();
    for (at, i) in (kernel.start..).step_by(4).zip(&all) {
        let from = (at - kernel.start) as usize;
        for (at, (byte, n)) in (at..at + 4).zip(NOTHING.into_iter().zip(from..)) {
            assert_eq!(image.code(&kernel)[n], code[n]);
            image.change(at, |_| byte);
        }
        if prove(&image, name).is_ok() {
            accepted.push(i.to_string());
        }
        (at..at + 4).zip(from..).for_each(|(at, n)| image.change(at, |_| code[n]));
    }
    (all.len(), accepted)
}

/// A kernel without one of its instructions is refused, but where that does nothing that is looked at: a loop that
/// goes around once comes back to nothing, and RC4's sums are cut to 32 bits before they are cut to 8.
#[test]
fn slow_every_instruction_is_needed() {
    for (abi, name) in [(&HPPA, TABLE), (&HPPA, FUNCTION), (&HPPA, RC4), (&HPPA64, TABLE)] {
        let (all, accepted) = without(abi, name);
        println!("{name}: {all} left out, {} accepted: {accepted:?}", accepted.len());
        let is_cut = |text: &&String| name == RC4 && text.starts_with("extrd,u,* ");
        let accepted: Vec<&String> = accepted.iter().filter(|text| !is_cut(text)).collect();
        assert!(accepted.len() < all / 50, "{accepted:?}");
    }
}

#[test]
fn changed_bytes_of_tables_are_refused() {
    let mut random = fastrand::Rng::with_seed(11);
    for (name, tables) in [(TABLE, "des_table64_tables"), (PAIRED, "des_paired12_tables")] {
        let mut image = super::changed(&HPPA, name, str::to_owned);
        let mut all = image.tables.iter();
        let table = all.find(|(symbol, _)| name_of(symbol) == tables).unwrap().1.clone();
        for _ in 0..25 {
            let at = random.u64(table.clone());
            image.change(at, |byte| byte ^ 1);
            assert!(prove(&image, name).is_err(), "{name}: {at:x}");
            image.change(at, |byte| byte ^ 1);
        }
        prove(&image, name).unwrap();
    }
}

#[test]
fn slow_kernels_under_other_names_are_refused() {
    let pairs = [
        ("des_encrypt_table64", "des_decrypt_table64"),
        ("des_encrypt_table64", "des_encrypt_table64_chain"),
        ("des_encrypt_table64_x2", "des_encrypt_table64_x3"),
        ("des_encrypt_table64", "des_encrypt_table32"),
        ("des_encrypt_paired", "des_encrypt_paired12"),
        ("des_encrypt_paired12_bare", "des_decrypt_paired12_bare"),
        ("des_encrypt_table64_bare", "tdes_encrypt_table64_bare"),
        ("des_encrypt1", "des_encrypt2"),
        ("des_encrypt3", "des_decrypt3"),
        ("rc4_apply_s8", "rc4_apply_s32"),
        ("rc4_keystreams_s8_x2", "rc4_keystreams_s8_x3"),
        ("rc4_setup_s8_x2", "rc4_setup_s8_x3"),
    ];
    let names: BTreeSet<&str> = pairs.iter().flat_map(|&(x, y)| [x, y]).collect();
    let mut image = super::some(&HPPA, |name| names.contains(name));
    for (x, y) in pairs.into_iter().flat_map(|(x, y)| [(x, y), (y, x)]) {
        let other = image.kernels[symbol(&image, y)].clone();
        let own = image.kernels.insert(symbol(&image, x).to_owned(), other).unwrap();
        assert!(prove(&image, x).is_err(), "{y} as {x}");
        image.kernels.insert(symbol(&image, x).to_owned(), own);
    }
}
