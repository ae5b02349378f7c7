//! What must be refused of kernels of 32 bits.

use crate::emitted;
use crate::refusals::symbol;
use loom::isa::x86::conventions::CDECL;
use proof::Result;
use proof::image::{Image, name_of};
use proof::machine::{Instruction, Isa};
use proof::theorems::{Kernel, Lanes, Proof};

/// Proves a kernel of an image, with every form of instruction that it has.
fn prove(image: &Image, name: &str) -> Result<Proof> {
    let symbol = &symbol(image, name);
    let kernel = &image.kernels[symbol];
    let code = image.isa.decode_all(image.code(kernel), kernel.start).unwrap();
    let covered = code.iter().map(Instruction::form).collect();
    Kernel { image, symbol, covered: &covered, lanes: Lanes::First }.prove()
}

/// All of them, to be changed.
fn image() -> Image {
    emitted::changed("des_encrypt_table32_chain", str::to_owned)
}

#[test]
fn as_they_are_they_are_proved() {
    assert_eq!(image().isa, Isa::X86_32);
    prove(&image(), "des_encrypt_table32_chain").unwrap();
}

#[test]
fn kernels_under_other_names_are_refused() {
    let mut all = emitted::emitted(&CDECL);
    let names = [
        ("des_encrypt_table32", "des_decrypt_table32"),
        ("des_encrypt_table32", "des_encrypt_table32_chain"),
        ("des_encrypt_table32_x2", "des_encrypt_table32_x3"),
        ("des_encrypt_table32_bare", "des_decrypt_table32_bare"),
        ("des_encrypt_table32_bare", "tdes_encrypt_table32_bare"),
        ("des_encrypt1", "des_encrypt2"),
        ("des_encrypt3", "des_decrypt3"),
        ("rc4_apply_s8", "rc4_apply_s32"),
        ("rc4_keystreams_s8_x1", "rc4_apply_s8"),
        ("rc4_setup_s8", "rc4_setup_s32"),
        ("rc4_setup_s32_x2", "rc4_setup_s32_x3"),
        ("des_bitslice128_lanes_sse2", "des_bitslice128_sse2"),
        ("bitslice128_piece_out_sse2", "bitslice128_piece_out_xor_sse2"),
    ];
    for (x, y) in names.into_iter().flat_map(|(x, y)| [(x, y), (y, x)]) {
        let other = all.kernels[&symbol(&all, y)].clone();
        let own = all.kernels.insert(symbol(&all, x), other).unwrap();
        assert!(prove(&all, x).is_err(), "{y} as {x}");
        all.kernels.insert(symbol(&all, x), own);
    }
}

#[test]
fn changed_bytes_of_tables_are_refused() {
    let mut image = image();
    let mut tables = image.tables.iter();
    let table = tables.find(|(symbol, _)| name_of(symbol) == "des_table32_tables").unwrap().1;
    let (from, to) = (table.start, table.end);
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..25 {
        let at = random.u64(from..to);
        image.change(at, |byte| byte ^ 1);
        prove(&image, "des_encrypt_table32_chain").unwrap_err();
        image.change(at, |byte| byte ^ 1);
    }
    prove(&image, "des_encrypt_table32_chain").unwrap();
}

/// A kernel without one of its instructions is refused, but where that is a branch that a constant decides, or clears
/// what is clear.
#[test]
fn slow_every_instruction_is_needed() {
    for name in ["des_encrypt_table32_bswap", "rc4_apply_s32"] {
        let mut image = emitted::changed(name, str::to_owned);
        let kernel = image.kernels[&symbol(&image, name)].clone();
        let code = image.code(&kernel).to_vec();
        let all = image.isa.decode_all(&code, kernel.start).unwrap();
        let mut accepted = Vec::new();
        let mut at = kernel.start;
        for i in &all {
            let bytes = at..i.end();
            bytes.clone().for_each(|at| image.change(at, |_| 0x90));
            if prove(&image, name).is_ok() {
                accepted.push(i.to_string());
            }
            bytes.for_each(|at| image.change(at, |_| code[(at - kernel.start) as usize]));
            at = i.end();
        }
        println!("{name}: {} left out, {} accepted: {accepted:?}", all.len(), accepted.len());
        assert!(accepted.len() < all.len() / 50);
    }
}

#[test]
fn rules_that_a_kernel_breaks_are_named() {
    const SAVED: &str = "sub     $40, %esp\n";
    let changes = [
        // The caller's arguments, and where it goes on.
        (SAVED, "sub $40, %esp\n movl $0, 60(%esp)\n", "write above the return address"),
        (SAVED, "sub $40, %esp\n movl $0, 56(%esp)\n", "write above the return address"),
        (SAVED, "sub $40, %esp\n mov 76(%esp), %eax\n", "read of"),
        (SAVED, "sub $40, %esp\n movl $0, -4(%esp)\n", "below its pointer"),
        (SAVED, "sub $40, %esp\n mov (%esp), %eax\n", "not known"),
        ("xor     %eax, %eax", "mov $1, %eax", "left on the stack"),
        ("pop     %edi", "pop %ecx", "not the caller's"),
        ("pop     %edi", "pop %di\n push %di\n pop %edi", "no register"),
        ("push    %edi", "push %edi\n push %edi", "esp"),
        (".cfi_offset %edi, -20", ".cfi_offset %edi, -16", "unwind information is wrong"),
        (".cfi_def_cfa_offset 60", ".cfi_def_cfa_offset 64", "unwind information is wrong"),
        ("ret", "ret $4", "an instruction that the prover does not know"),
    ];
    for (from, to, reason) in changes {
        let image = emitted::changed("des_encrypt_table32_chain", |text| {
            let (tables, code) = text.split_once(".globl").unwrap();
            assert!(code.contains(from), "{from}: {code}");
            format!("{tables}.globl{}", code.replacen(from, to, 1))
        });
        let error = prove(&image, "des_encrypt_table32_chain").expect_err(to);
        assert!(error.contains(reason), "{to}: {error}");
    }
}

/// Elements of 32 bits have nothing above their lowest byte, and lie four bytes apart.
#[test]
fn what_an_array_has_above_a_byte_is_refused() {
    let changes = [
        (
            "mov     %esi, (%ebp,%ecx,4)",
            "or $0x100, %esi\n mov %esi, (%ebp,%ecx,4)",
            "more than a byte",
        ),
        ("mov     (%ebp,%esi,4), %esi", "mov (%ebp,%esi), %esi", "an index into state"),
    ];
    for (from, to, reason) in changes {
        let image = emitted::changed("rc4_apply_s32", |text| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        });
        let error = prove(&image, "rc4_apply_s32").expect_err(to);
        assert!(error.contains(reason), "{to}: {error}");
    }
}

/// Code that asks where it is may call nothing else.
#[test]
fn a_call_of_something_else_is_refused() {
    let saved = ".cfi_def_cfa_offset 60\n";
    let called = |code: &str| {
        let image = emitted::changed("des_encrypt_table32_chain", |text| {
            let pop = "1: .cfi_adjust_cfa_offset 4\n pop %eax\n .cfi_adjust_cfa_offset -4\n";
            text.replacen(saved, &format!("{saved} call 1f\n{code}{pop}"), 1)
        });
        prove(&image, "des_encrypt_table32_chain")
    };
    called("").unwrap();
    let error = called("nop\n").unwrap_err();
    assert!(error.contains("does not know"), "{error}");
}
