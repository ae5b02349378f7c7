//! Kernels made wrong on purpose, from the library's assembly: right for almost all keys, or beyond their
//! buffers.

use iced_x86::{Decoder, DecoderOptions};
use proof::Result;
use proof::image::{Image, name_of};
use proof::machine::form;
use proof::theorems::{Kernel, Lanes, Proof};
use std::path::Path;
use std::process::Command;

const STORE: &str = "        mov     %rax, (%r9)                         # data\n";

/// Proves `des_encrypt_table64` with its text changed.
fn prove(change: impl Fn(&str) -> String) -> Result<Proof> {
    prove_kernel("des_encrypt_table64", Some("des_table64_tables"), change)
}

/// Proves a kernel with its text changed, with every form of instruction that it has.
fn prove_kernel(
    name: &str,
    tables: Option<&str>,
    change: impl Fn(&str) -> String,
) -> Result<Proof> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cipherloom/kernels/x86_64");
    let text = |name: &str| std::fs::read_to_string(folder.join(name).with_extension("s")).unwrap();
    let kernel = text(name);
    let symbol = |text: &str| {
        text.split(".globl").nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
    };
    let kernel_symbol = symbol(&kernel);
    let changed = change(&kernel);
    let mut source = format!(
        "{changed}\n.type {kernel_symbol}, @function\n.size {kernel_symbol}, .-{kernel_symbol}\n"
    );
    if let Some(tables) = tables.map(text) {
        let symbol = symbol(&tables);
        source = format!(
            ".hidden {symbol}\n{source}.section .rodata\n{tables}\n\
             .type {symbol}, @object\n.size {symbol}, .-{symbol}\n"
        );
    }
    let made = tempfile::tempdir().unwrap();
    let (from, to) = (made.path().join("made.s"), made.path().join("made.so"));
    std::fs::write(&from, source).unwrap();
    let linked =
        Command::new("cc").args(["-shared", "-nostdlib", "-o"]).arg(&to).arg(&from).status();
    assert!(linked.expect("a C compiler").success());
    let image = Image::parse(&std::fs::read(&to).unwrap()).unwrap();
    let (symbol, range) = image.kernels.first_key_value().unwrap();
    assert_eq!(name_of(symbol), name);
    let code = Decoder::with_ip(64, image.code(range), range.start, DecoderOptions::NONE);
    let covered = code.into_iter().map(|i| form(&i)).collect();
    Kernel { image: &image, symbol, covered: &covered, lanes: Lanes::First }.prove()
}

fn before_store(kernel: &str, code: &str) -> String {
    let parts: Vec<&str> = kernel.split(STORE).collect();
    assert_eq!(parts.len(), 2, "one store");
    format!("{}{code}{STORE}{}", parts[0], parts[1])
}

#[test]
fn as_it_is_it_is_proved() {
    prove(str::to_owned).unwrap();
}

/// 40 bits of a subkey decide, all of which are as here for one key of 2^40.
#[test]
fn wrong_for_one_key_of_very_many_is_refused() {
    // A comparison and a jump.
    let jump = "mov (%rsp), %r10\n mov 8(%r10), %r10\n movabs $0x0102030405060708, %r11\n\
                cmp %r11, %r10\n jne 3f\n xor $1, %rax\n3:\n";
    let error = prove(|kernel| before_store(kernel, jump)).unwrap_err();
    assert!(error.contains("a comparison"), "{error}");
    // Without a jump, by gates that the prover knows: the AND of 40 bits.
    let gates = "mov (%rsp), %r10\n mov 8(%r10), %r10\n movabs $0xc3c3c3c3c3c3ffff, %r11\n\
                 or %r11, %r10\n mov %r10, %r11\n shr $32, %r11\n and %r11, %r10\n\
                 mov %r10, %r11\n shr $16, %r11\n and %r11, %r10\n\
                 mov %r10, %r11\n shr $8, %r11\n and %r11, %r10\n\
                 mov %r10, %r11\n shr $4, %r11\n and %r11, %r10\n\
                 mov %r10, %r11\n shr $2, %r11\n and %r11, %r10\n\
                 mov %r10, %r11\n shr $1, %r11\n and %r11, %r10\n\
                 and $1, %r10d\n xor %r10, %rax\n";
    let error = prove(|kernel| before_store(kernel, gates)).unwrap_err();
    assert!(error.contains("not known") || error.contains("not what it should be"), "{error}");
}

#[test]
fn beyond_its_buffers_it_is_refused() {
    let changes = [
        ("8(%rdx)", "144(%rdx)", "schedule"),
        ("8(%rdx)", "-8(%rdx)", "schedule"),
        ("mov     %rax, (%r9) ", "mov     %rax, 1(%r9) ", "data"),
        ("mov     (%rdi), %r10 ", "mov     %rdi, (%rdx)\n mov (%rdi), %r10 ", "outside the stack"),
        ("mov     (%rdi), %r10 ", "mov     (%rdi), %r10\n mov %r10, (%rdx) ", "write in schedule"),
        (
            "mov     (%rdi), %r10 ",
            "mov     (%rdi), %r10\n mov %r10, -200(%rsp)",
            "below its pointer",
        ),
        ("mov     (%rdi), %r10 ", "mov     (%rdi), %r10\n mov %r10, 24(%rsp)", "left on the stack"),
        ("mov     (%rdi), %r10 ", "jmp . + 0x10000\n mov (%rdi), %r10", "its own code"),
        ("push    %r13", "push    %r13\n push %r13", "rsp"),
        ("push    %r13", "push    %r13\n sub $4080, %rsp", "deeper in stack than 4088 bytes"),
        ("pop     %r13", "pop     %rcx", "not the caller's"),
        ("test    %r9, %r9", "mov (%rdi), %r10\n test %r9, %r9", "read of 0..8 in data of 0 bytes"),
        ("add     $8, %r9", "nop", "an address with Unknown"),
        (
            "dec     %r13",
            "sub $8, %rsp\n dec %r13",
            "two ways lead here with another stack pointer",
        ),
        ("mov     %rax, (%r9) ", "and     $-1, %rax\n rep\n mov %rax, (%r9) ", "prefix"),
        ("mov     %rax, (%r9) ", "mov     %rax, %fs:(%r9) ", "segment"),
        ("mov     %rax, (%r9) ", "mov     %rax, (%r9d) ", "32 bits"),
        (
            "mov     (%rdi), %r10 ",
            "movdqa  (%rdi), %xmm0\n mov (%rdi), %r10 ",
            "not aligned to 16 bytes",
        ),
        (".cfi_def_cfa_offset 24", ".cfi_def_cfa_offset 32", "unwind information is wrong"),
        (".cfi_offset %r13, -24", ".cfi_offset %r13, -16", "unwind information is wrong"),
        (".cfi_offset %r13, -24", "", "unwind information is wrong"),
    ];
    for (from, to, reason) in changes {
        let error = prove(|kernel| {
            assert!(kernel.contains(from), "{from}");
            kernel.replacen(from, to, 1)
        });
        let error = error.expect_err(to);
        assert!(error.contains(reason), "{to}: {error}");
    }
}

/// RC4's kernel has ways that are taken where j is the place that was read ahead: they bring one register up to date,
/// and nothing else.
#[test]
fn a_rare_way_comes_back_and_changes_registers_alone() {
    let changed = |from: &str, to: &str| {
        prove_kernel("rc4_apply_s8", None, |kernel| {
            let (before, rare) = kernel.split_once("# rare1\n").unwrap();
            assert!(rare.contains(from), "{from}");
            format!("{before}# rare1\n{}", rare.replacen(from, to, 1))
        })
    };
    changed("jmp", "jmp").unwrap();
    for (from, to, reason) in [
        ("jmp     4b", "movb $0, (%rdi)\n jmp 4b", "a rare way changes state"),
        ("jmp     4b", "pxor %xmm0, %xmm0\n jmp 4b", "a rare way changes vectors"),
        ("jmp     4b", "jmp 2b", "does not come back"),
        ("jmp     4b", "sub $8, %rsp\n jmp 4b", "rsp is lost"),
        ("mov     %r8d, %r10d", "mov %r9d, %r10d", "a part of Unknown"),
    ] {
        let error = changed(from, to).expect_err(to);
        assert!(error.contains(reason), "{to}: {error}");
    }
}

/// A vector that might be the caller's, from where the stack never was.
#[test]
fn a_vector_from_beyond_the_stack_is_refused() {
    let error = prove_kernel("des_bitslice128_lanes", None, |kernel| {
        assert!(kernel.contains("\n        ret"));
        kernel.replacen("\n        ret", "\n movdqu -0x40000000(%rsp), %xmm0\n ret", 1)
    });
    let error = error.expect_err("a read of no region");
    assert!(error.contains("memory that lanes do not have"), "{error}");
}
