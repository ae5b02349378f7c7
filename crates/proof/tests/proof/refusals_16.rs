//! What must be refused of kernels of real mode.

use crate::emitted;
use crate::refusals::symbol;
use loom::isa::frame::Abi;
use loom::isa::x86::conventions::{FAR16, NEAR16};
use proof::Result;
use proof::image::Image;
use proof::machine::Instruction;
use proof::theorems::{Kernel, Lanes, Proof};

const NAME: &str = "des_encrypt_table32_chain";

/// Proves a kernel of an image, with every form of instruction that it has.
fn prove(image: &Image, name: &str) -> Result<Proof> {
    let symbol = &symbol(image, name);
    let kernel = &image.kernels[symbol];
    let code = image.isa.decode_all(image.code(kernel), kernel.start).unwrap();
    let covered = code.iter().map(Instruction::form).collect();
    Kernel { image, symbol, covered: &covered, lanes: Lanes::First }.prove()
}

/// The kernel with something in its code changed, the first time that it stands there.
fn changed(abi: &'static Abi, (from, to): (&str, &str)) -> Image {
    let is_wanted = |name: &str| name == NAME;
    emitted::assembled(abi, "--32", is_wanted, |text| {
        let (tables, code) = text.split_once(".globl").unwrap();
        assert!(code.contains(from), "{from}: {code}");
        format!("{tables}.globl{}", code.replacen(from, to, 1))
    })
}

#[test]
fn as_they_are_they_are_proved() {
    for abi in [&NEAR16, &FAR16] {
        let proof = prove(&changed(abi, ("", "")), NAME).unwrap();
        assert!(proof.statement.contains("the 64 KiB of its segment"), "{}", proof.statement);
    }
}

#[test]
fn rules_that_a_near_kernel_breaks_are_named() {
    let changes = [
        ("        ret", "        lret", "does not know"),
        ("        ret", "        retl", "does not know"),
        ("        ret", "        ret $2", "does not know"),
        ("movzwl  %sp, %esp", "nop", "upper half of esp"),
        ("%cs:", "%ds:", "another segment"),
        ("pop     %edi", "pop %ecx", "not the caller's"),
        ("push    %ebx", "push %ss\n pop %ds\n push %ebx", "another segment"),
        ("push    %ebx", "push %es\n pop %fs\n push %ebx", "not the caller's"),
        ("(%bp)", "2(%bp)", ""),
        ("%ds:(%bp)", "%ss:(%bp)", "another segment"),
    ];
    refuses(&NEAR16, &changes);
}

#[test]
fn rules_that_a_far_kernel_breaks_are_named() {
    let changes = [
        ("        lret", "        ret", "does not know"),
        ("        lret", "        retl", "does not know"),
        ("        lret", "        .byte 0x66\n lret", "does not know"),
        ("%es:", "%ds:", "another segment"),
        ("%fs:", "%es:", "another segment"),
        ("pop     %es\n", "pop %fs\n", "not the caller's"),
        ("push    %es\n", "push %ds\n", "not the caller's"),
    ];
    refuses(&FAR16, &changes);
}

/// A change and what the refusal says.
fn refuses(abi: &'static Abi, changes: &[(&str, &str, &str)]) {
    for (from, to, reason) in changes {
        let error = prove(&changed(abi, (from, to)), NAME).expect_err(to);
        assert!(error.contains(reason), "{to}: {error}");
    }
}

#[test]
fn a_near_kernel_called_far_is_refused_and_a_far_one_called_near() {
    for (abi, other) in [(&NEAR16, "far16"), (&FAR16, "near16")] {
        let mut image = changed(abi, ("", ""));
        let mut all = image.isa.conventions().iter();
        image.convention = all.find(|convention| convention.name == other).unwrap();
        prove(&image, NAME).unwrap_err();
    }
}
