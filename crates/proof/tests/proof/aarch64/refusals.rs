//! Kernels made wrong on purpose are refused: by their text, and by random changes of their words.

use proof::Result;
use proof::image::{Image, name_of};
use proof::machine::{Instruction, Isa};
use proof::theorems::{Kernel, Lanes, Proof};
use std::collections::BTreeSet;

const TABLE: &str = "des_encrypt_table64";
const RC4: &str = "rc4_apply_s8";
const REGISTERS: &str = "des_encrypt_reg128";
const LANES: &str = "des_bitslice128_lanes_sha3";

fn symbol(image: &Image, name: &str) -> String {
    image.kernels.keys().find(|symbol| name_of(symbol) == name).unwrap().clone()
}

/// Every form that a kernel has, so that it is not refused for one that is new.
fn forms(image: &Image, symbol: &str) -> Result<BTreeSet<String>> {
    let range = &image.kernels[symbol];
    let all = Isa::AArch64.decode_all(image.code(range), range.start)?;
    Ok(all.iter().map(Instruction::form).collect())
}

/// Proves a kernel with its text changed.
fn prove(name: &str, change: impl Fn(&str) -> String) -> Result<Proof> {
    let image = super::library(&[name], change);
    let symbol = symbol(&image, name);
    let covered = forms(&image, &symbol)?;
    Kernel { image: &image, symbol: &symbol, covered: &covered, lanes: Lanes::First }.prove()
}

#[test]
fn slow_rules_that_a_kernel_breaks_are_named() {
    let store = "str     x1, [x11] ";
    let load = "ldr     x13, [x2, #8] ";
    let changes = [
        (TABLE, load, "str x13, [x2]\n ldr x13, [x2, #8] ", "write in schedule"),
        (TABLE, "ldr     x13, [x2, #8] ", "ldr     x13, [x2, #144] ", "schedule"),
        (TABLE, "ldr     x13, [x2, #8] ", "ldr     x13, [x2, #-8] ", "schedule"),
        (TABLE, store, "str x1, [x11, #8] ", "data"),
        (TABLE, store, "str x1, [sp, #-16]\n str x1, [x11] ", "below its pointer"),
        (TABLE, store, "str x1, [sp, #24]\n str x1, [x11] ", "left on the stack"),
        (TABLE, store, "mov x18, x1\n str x1, [x11] ", "systems keep"),
        (TABLE, store, "mov x23, x1\n str x1, [x11] ", "register 23 is not the caller's"),
        (TABLE, store, "mov x30, x1\n str x1, [x11] ", "a return to elsewhere"),
        (TABLE, store, "movi v8.16b, #0x55\n str x1, [x11] ", "register 40 is not the caller's"),
        (TABLE, store, "ldr x1, [x0, #800]\n str x1, [x11] ", "data"),
        (TABLE, "str     xzr, [sp, #16]", "nop", "unwind|left on the stack|no number"),
        (TABLE, "sub     sp, sp, #32", "sub     sp, sp, #24", "no multiple of 16"),
        (TABLE, "add     sp, sp, #32", "add     sp, sp, #48", "sp|caller's"),
        (TABLE, "cbz     x1, 2f", "ldr x11, [x0]\n cbz x1, 2f", "read of 0..8 in data of 0 bytes"),
        (TABLE, "sub     x1, x1, #1", "sub     x1, x1, #2", "end of a group"),
        (TABLE, "add     x0, x11, #8", "add     x0, x11, #16", ""),
        (TABLE, "[x3, x0, lsl #3]  ", "[x3, x0]  ", ""),
        (
            TABLE,
            "and     x0, x13, #0xff",
            "and     x0, x13, #0xffff",
            "outside all tables|dimensions",
        ),
        (TABLE, ".cfi_offset x21, -16", ".cfi_offset x21, -8", "unwind information is wrong"),
        (TABLE, ".cfi_def_cfa_offset 64", ".cfi_def_cfa_offset 48", "unwind information is wrong"),
        (RC4, "cmp     w9, w11", "cmp     w9, w3", ""),
        (RC4, "ldrb    w11, [x8, #1]\n        b ", "ldrb    w11, [x8, #2]\n        b ", ""),
        (RC4, "add     w7, w4, w6", "add     w7, w4, w4", ""),
        (REGISTERS, "{v16.16b, v17.16b, v18.16b, v19.16b}", "{v17.16b-v20.16b}", ""),
        (REGISTERS, "dup     v26.2d, x4", "fmov    d26, x4", ""),
        (REGISTERS, "zip1    v8.16b, v8.16b, v8.16b", "zip1    v8.16b, v8.16b, v9.16b", ""),
        (REGISTERS, "addp    v9.16b, v8.16b, v8.16b", "addp    v9.16b, v9.16b, v8.16b", ""),
        (REGISTERS, "ror     x5, x5, #3", "ror     x5, x5, #4", ""),
        (LANES, "ldp     d10, d11, [sp, #16]", "nop", "caller's|unwind"),
        (LANES, "ldp     d10, d11, [sp, #16]", "ldp     d11, d10, [sp, #16]", "caller's|unwind"),
        (
            LANES,
            "eor     v3.16b, v3.16b, v16.16b",
            "trn1    v3.16b, v3.16b, v16.16b",
            "lanes do not stay apart",
        ),
        (LANES, "eor     v3.16b, v3.16b, v16.16b", "eor     v3.16b, v3.16b, v17.16b", ""),
        (LANES, "eor     v3.16b, v3.16b, v16.16b", "eor     v3.8b, v3.8b, v16.8b", "at 0x"),
        (LANES, "movz    x4, #0x8", "movz    x4, #0x7", "should be"),
        (LANES, "ldr     q7, [x5, #192]", "ldr     q7, [x5, #193]", "themselves"),
    ];
    for name in [TABLE, RC4, REGISTERS, LANES] {
        prove(name, str::to_owned).unwrap();
    }
    let mut wrong = Vec::new();
    for (name, from, to, reasons) in changes {
        let made = prove(name, |kernel| {
            assert!(kernel.contains(from), "{from}");
            kernel.replacen(from, to, 1)
        });
        match made {
            Err(error) if reasons.split('|').any(|reason| error.contains(reason)) => {}
            Err(error) => wrong.push(format!("{to}: {error}")),
            Ok(_) => wrong.push(format!("{to}: proved")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Kernels that are proved in no time.
const QUICK: [&str; 6] = [
    TABLE,
    "des_encrypt_table64_chain",
    "des_encrypt2",
    "des_encrypt3",
    RC4,
    "rc4_keystreams_s8_x2",
];

#[test]
fn slow_changed_words_are_refused() {
    let mut image = super::image();
    let covered = Isa::AArch64.covered();
    let mut random = fastrand::Rng::with_seed(64);
    let (mut refused, mut accepted) = (0, Vec::new());
    for name in QUICK {
        let symbol = symbol(&image, name);
        let range = image.kernels[&symbol].clone();
        for _ in 0..40 {
            let (at, bit) = (random.u64(range.clone()), 1 << random.u8(..8));
            image.change(at, |byte| byte ^ bit);
            let kernel =
                Kernel { image: &image, symbol: &symbol, covered: &covered, lanes: Lanes::First };
            if kernel.prove().is_ok() {
                let at = at / 4 * 4;
                let word = &image.code(&range)[(at - range.start) as usize..];
                let now = Isa::AArch64.decode(word, at).unwrap();
                accepted.push(format!("{name}+{:#x}: `{now}`", at - range.start));
            } else {
                refused += 1;
            }
            image.change(at, |byte| byte ^ bit);
        }
    }
    println!("{refused} refused, accepted: {accepted:#?}");
    // Some do the same: 64 bits of which only 32 are used, bits of an index on which no entry depends.
    assert!(accepted.len() * 20 < refused, "{accepted:#?}");
}

#[test]
fn kernels_under_other_names_are_refused() {
    let mut image = super::image();
    let covered = Isa::AArch64.covered();
    for (x, y) in [
        ("des_encrypt_table64", "des_decrypt_table64"),
        ("des_encrypt1", "des_encrypt2"),
        ("rc4_keystreams_s8_x2", "rc4_keystreams_s8_x3"),
        ("des_bitslice128_lanes", "tdes_bitslice128_lanes"),
    ] {
        let (x, y) = (symbol(&image, x), symbol(&image, y));
        let ranges = [image.kernels[&x].clone(), image.kernels[&y].clone()];
        image.kernels.insert(x.clone(), ranges[1].clone());
        image.kernels.insert(y.clone(), ranges[0].clone());
        for symbol in [&x, &y] {
            let kernel = Kernel { image: &image, symbol, covered: &covered, lanes: Lanes::First };
            kernel.prove().unwrap_err();
        }
        image.kernels.insert(x, ranges[0].clone());
        image.kernels.insert(y, ranges[1].clone());
    }
}
