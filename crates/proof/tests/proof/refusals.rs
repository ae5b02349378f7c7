//! What must be refused: changed code and tables, kernels under other names, and kernels that break a rule.

use crate::mutants::{Change, Subject, compare};
use crate::program;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use proof::Result;
use proof::image::{Image, name_of};
use proof::theorems::{Kernel, Lanes, Proof};
use std::collections::BTreeSet;
use std::ops::Range;

pub(crate) fn symbol(image: &Image, name: &str) -> String {
    image.kernels.keys().find(|symbol| name_of(symbol) == name).unwrap().clone()
}

fn table(image: &Image, name: &str) -> Range<u64> {
    image.tables.iter().find(|(symbol, _)| name_of(symbol) == name).unwrap().1.clone()
}

/// The forms that are covered, and one that does nothing.
fn covered() -> BTreeSet<String> {
    let mut covered = proof::covered();
    covered.insert("Nopd".into());
    covered
}

pub(crate) fn prove(image: &Image, symbol: &str) -> Result<Proof> {
    Kernel { image, symbol, covered: &covered(), lanes: Lanes::First }.prove()
}

pub(crate) fn instructions(image: &Image, symbol: &str) -> Vec<Instruction> {
    let kernel = &image.kernels[symbol];
    let code = image.code(kernel);
    Decoder::with_ip(64, code, kernel.start, DecoderOptions::NONE).into_iter().collect()
}

/// Why a kernel is refused if an instruction does nothing instead.
fn without(name: &str, is_left_out: impl Fn(&Instruction) -> bool) -> String {
    let mut image = program::image();
    let symbol = symbol(&image, name);
    prove(&image, &symbol).unwrap();
    let all = instructions(&image, &symbol);
    let i = all.iter().rev().find(|i| is_left_out(i)).unwrap();
    (i.ip()..i.next_ip()).for_each(|at| image.change(at, |_| 0x90));
    prove(&image, &symbol).unwrap_err()
}

#[test]
fn changed_bytes_of_tables_are_refused() {
    let mut image = program::image();
    let symbol = symbol(&image, "des_encrypt_table64");
    let table = table(&image, "des_table64_tables");
    let mut random = fastrand::Rng::with_seed(8);
    for _ in 0..25 {
        // Behind 8 tables of 64 words are masks, which this kernel does not use.
        let at = random.u64(table.start..table.start + 4096);
        image.change(at, |byte| byte ^ 1);
        prove(&image, &symbol).unwrap_err();
        image.change(at, |byte| byte ^ 1);
    }
    prove(&image, &symbol).unwrap();
}

#[test]
fn kernels_under_other_names_are_refused() {
    let mut image = program::image();
    let names = [
        ("des_encrypt_table64", "des_decrypt_table64"),
        ("des_encrypt_table64", "des_encrypt_table64_chain"),
        ("des_encrypt_table64_x2", "des_encrypt_table64_x3"),
        ("des_encrypt1", "des_encrypt2"),
        ("rc4_keystreams_s8_x2", "rc4_keystreams_s8_x3"),
        ("des_bitslice256_avx2", "des_bitslice256_avx512"),
    ];
    for (x, y) in names {
        let (x, y) = (symbol(&image, x), symbol(&image, y));
        let ranges = [image.kernels[&x].clone(), image.kernels[&y].clone()];
        image.kernels.insert(x.clone(), ranges[1].clone());
        image.kernels.insert(y.clone(), ranges[0].clone());
        assert!(prove(&image, &x).is_err() && prove(&image, &y).is_err(), "{x} and {y}");
        image.kernels.insert(x, ranges[0].clone());
        image.kernels.insert(y, ranges[1].clone());
    }
}

#[test]
fn what_should_be_constant_in_time_may_not_look_up() {
    let mut image = program::image();
    let kernel = image.kernels[&symbol(&image, "des_encrypt_table64")].clone();
    image.kernels.insert("0123456789abcdef_des_encrypt_reg512".into(), kernel);
    let error = prove(&image, "0123456789abcdef_des_encrypt_reg512").unwrap_err();
    assert!(error.contains("not constant"), "{error}");
}

/// Behind 8 tables of 64 words the record has masks, which this kernel does not use: so many bytes it needs, and
/// neither one less at the end nor one less at the beginning.
#[test]
fn tables_end_where_they_end() {
    const NEEDED: u64 = 8 * 64 * 8;
    let mut image = program::image();
    let kernel = symbol(&image, "des_encrypt_table64");
    let whole = table(&image, "des_table64_tables");
    assert!(whole.end - whole.start > NEEDED, "{whole:?}");
    let needed = whole.start..whole.start + NEEDED;
    let mut with = |extent: Range<u64>| {
        let all = image.tables.iter_mut();
        let mut own = all.filter(|(symbol, _)| name_of(symbol) == "des_table64_tables");
        *own.next().unwrap().1 = extent;
        prove(&image, &kernel)
    };
    with(needed.clone()).unwrap();
    for shorter in [needed.start..needed.end - 1, needed.start + 1..whole.end, 0..0] {
        let error = with(shorter.clone()).expect_err("a table that is too short");
        assert!(error.contains("outside all tables"), "{shorter:x?}: {error}");
    }
    with(whole).unwrap();
}

/// Kernels that want more than the statement of another name gives: what they read or write first beyond it is
/// named.
#[test]
fn what_a_statement_gives_ends_where_it_ends() {
    let mut image = program::image();
    for (kernel, name, beyond) in [
        ("des_encrypt_table64_x2", "des_encrypt_table64", "in data of 8 bytes"),
        ("tdes_encrypt_table64", "des_encrypt_table64", "in schedule of 144 bytes"),
        ("tdes_bitslice256_avx2", "des_bitslice256_avx2", "in masks of 3072 bytes"),
        ("rc4_keystreams_s8_x3", "rc4_keystreams_s8_x2", "in state of 528 bytes"),
    ] {
        let code = image.kernels[&symbol(&image, kernel)].clone();
        let name = symbol(&image, name);
        let own = image.kernels.insert(name.clone(), code).unwrap();
        let error = prove(&image, &name).expect_err(kernel);
        assert!(error.contains(beyond), "{kernel}: {error}");
        image.kernels.insert(name, own);
    }
}

#[test]
fn a_kernel_may_not_leave_its_own_code() {
    let mut image = program::image();
    let symbol = symbol(&image, "des_encrypt1");
    let kernel = image.kernels.get_mut(&symbol).unwrap();
    kernel.end -= 1;
    let error = prove(&image, &symbol).unwrap_err();
    assert!(error.contains("its own code") || error.contains("no instruction"), "{error}");
}

#[test]
fn rules_that_a_kernel_breaks_are_named() {
    let error = without("des_encrypt_reg256_avx2", |i| i.mnemonic() == Mnemonic::Vzeroupper);
    assert!(error.contains("vzeroupper"), "{error}");
    let error = without("rc4_apply_s8", |i| i.mnemonic() == Mnemonic::Pop);
    assert!(error.contains("rsp") || error.contains("caller's"), "{error}");
    let is_wipe = |i: &Instruction| {
        let is_store = i.op_count() > 0 && i.op0_kind() == OpKind::Memory;
        is_store && i.memory_base() == Register::RSP
    };
    let error = without("des_bitslice256_lanes_avx2", is_wipe);
    assert!(error.contains("left on the stack"), "{error}");
}

/// Of vectors of 256 bits only the lower half: right for the first lane, and wrong for the last.
#[test]
fn an_instruction_on_some_lanes_is_refused() {
    let mut image = program::image();
    let symbol = symbol(&image, "des_bitslice256_avx2");
    let all = instructions(&image, &symbol);
    let i =
        all.iter().find(|i| i.mnemonic() == Mnemonic::Vpxor && i.op2_kind() == OpKind::Register);
    let i = i.unwrap();
    // VEX of two bytes: the vector's length is bit 2 of the second.
    image.change(i.ip() + 1, |byte| byte & !4);
    let all = instructions(&image, &symbol);
    let narrow = all.iter().find(|narrow| narrow.ip() == i.ip()).unwrap();
    assert_eq!((narrow.mnemonic(), narrow.op0_register().size()), (Mnemonic::Vpxor, 16));
    let mut covered = covered();
    covered.insert(proof::machine::form(narrow));
    let error = Kernel { image: &image, symbol: &symbol, covered: &covered, lanes: Lanes::First };
    let error = error.prove().unwrap_err();
    assert!(error.contains("part of the lanes"), "{error}");
}

/// A kernel without one of its instructions is refused, or does on the processor what it did before.
#[test]
fn slow_every_instruction_is_needed() {
    let (mut left_out, mut accepted) = (0, Vec::new());
    for name in ["des_encrypt_table64_chain_bmi2", "des_encrypt3", "rc4_keystreams_s8_x2"] {
        let mut image = program::image();
        let symbol = symbol(&image, name);
        let kernel = image.kernels[&symbol].clone();
        let before = image.span();
        let code = image.code(&kernel).to_vec();
        for i in instructions(&image, &symbol).iter().filter(|i| i.mnemonic() != Mnemonic::Nop) {
            (i.ip()..i.next_ip()).for_each(|at| image.change(at, |_| 0x90));
            left_out += 1;
            if prove(&image, &symbol).is_ok() {
                let at = i.ip();
                let change = Change { at, bytes: vec![0x90; i.len()] };
                let entry = kernel.start;
                let subject = Subject { image: &image, span: &before, name, entry };
                compare(&subject, &[change], 2_000).unwrap();
                accepted.push(format!("{name}: {i}"));
            }
            (i.ip()..i.next_ip())
                .for_each(|at| image.change(at, |_| code[(at - kernel.start) as usize]));
        }
    }
    println!("{left_out} left out, {} accepted: {accepted:#?}", accepted.len());
    assert!(accepted.len() < left_out / 50);
}

#[test]
fn forms_that_are_not_covered_are_refused() {
    let image = program::image();
    let mut covered = proof::covered();
    covered.retain(|form| !form.starts_with("Xor_r64_rm64"));
    let symbol = symbol(&image, "des_encrypt_table64");
    let kernel = Kernel { image: &image, symbol: &symbol, covered: &covered, lanes: Lanes::First };
    let error = kernel.prove().unwrap_err();
    assert!(error.contains("co-simulation"), "{error}");
}

#[test]
fn files_without_kernels_are_refused() {
    assert!(Image::parse(b"no program").is_err());
    let program = std::fs::read("/proc/self/exe").unwrap();
    assert!(Image::parse(&program[..program.len() / 2]).is_err());
}
