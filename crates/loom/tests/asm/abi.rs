//! Every kernel keeps to its record and its ABI, in every ABI: what it reads, writes, restores,
//! leaves behind. The tests are made from the records; a new kernel is in them without a line.
#![allow(unsafe_code, reason = "calls the kernels")]

use crate::call::{FLAGS, runs_here, watched};
use crate::cases::{Side, cases};
use crate::kernels::{kernels, strategies};
use crate::watch_32;
use iced_x86::{Code, Decoder, DecoderOptions, InstructionInfoFactory, Mnemonic, Register};
use loom::emit::Unit;
use loom::exec::Image;
use loom::isa::RegSet;
use loom::isa::frame::Abi;
use loom::isa::program::Line;
use loom::isa::text::{Frame, Tables};
use loom::isa::x86::conventions::{CDECL, CDECL_PIC, SYSV64, WIN32, WIN64};
use loom::isa::x86::gpr::{RAX, RCX};
use loom::isa::x86::{X86, X86_32};
use loom::pipeline::Compiled;
use memmap2::{Mmap, MmapMut};

/// A kernel in memory that can be executed, and where it begins.
fn loaded(made: &Compiled<X86>) -> (Mmap, usize) {
    let tables = Tables::of(&made.kernel).map_or(Vec::new(), |tables| tables.content());
    let entry = tables.len().next_multiple_of(64);
    let length = made.program.bytes(0, 0).expect("code").len();
    let mut memory = MmapMut::map_anon(entry + length).expect("memory");
    let at = memory.as_ptr() as u64;
    let code = made.program.bytes(at + entry as u64, at).expect("code");
    memory[..tables.len()].copy_from_slice(&tables);
    memory[entry..].copy_from_slice(&code);
    (memory.make_exec().expect("memory to execute"), entry)
}

/// Right beside a page that nobody may touch and up to 15 bytes away, behind it and before it.
fn sides() -> impl Iterator<Item = Side> {
    (0..16).flat_map(|gap| [Side::Behind(gap), Side::Before(gap)])
}

fn keeps_to_its_record(abi: &'static Abi) {
    let (mut ran, mut not) = (0, Vec::new());
    for (strategy, made) in strategies(abi).iter().zip(kernels(abi)) {
        let record = &made.record;
        if !runs_here(record) {
            not.push(record.name.clone());
            continue;
        }
        let (memory, entry) = loaded(made);
        for (n, case) in cases(strategy).iter().enumerate() {
            for side in sides() {
                // SAFETY: the memory holds this kernel.
                let result = unsafe { case.call(memory[entry..].as_ptr(), record, side, FLAGS) };
                if let Err(wrong) = result {
                    panic!("{}, {}, case {n}, {side:?}: {wrong}", record.name, abi.name);
                }
            }
        }
        ran += 1;
    }
    println!("{}: {ran} kernels ran; not run here: {not:?}", abi.name);
}

#[test]
fn kernels_keep_to_their_records_with_sysv64() {
    keeps_to_its_record(&SYSV64);
}

#[test]
fn kernels_keep_to_their_records_with_win64() {
    keeps_to_its_record(&WIN64);
}

/// By both conventions: preserved registers, the stack, what lies above and below it, and buffers beside
/// guard pages.
#[test]
fn kernels_of_32_bits_keep_to_their_records() {
    for abi in [&CDECL, &CDECL_PIC, &WIN32] {
        let mut ran = 0;
        for (strategy, made) in strategies(abi).iter().zip(kernels(abi)) {
            let record = &made.record;
            if !runs_here(record) {
                println!("not run here: {}", record.name);
                continue;
            }
            let tables = Tables::of(&made.kernel).map_or(Vec::new(), |tables| tables.content());
            let entry = tables.len().next_multiple_of(64);
            let length = made.program.bytes(0, 0).expect("code").len();
            let image = Image::new(&X86_32, entry + length, |at, memory| {
                let code = made.program.bytes(at + entry as u64, at).expect("code");
                memory[..tables.len()].copy_from_slice(&tables);
                memory[entry..].copy_from_slice(&code);
                Ok(())
            });
            let image = image.expect("memory to execute");
            for (n, case) in cases(strategy).iter().enumerate() {
                for side in sides() {
                    // SAFETY: the memory holds this kernel.
                    let result = unsafe { case.watch_32(&image, entry, record, side) };
                    if let Err(wrong) = result {
                        panic!("{}, {}, case {n}, {side:?}: {wrong}", record.name, abi.name);
                    }
                }
            }
            ran += 1;
        }
        println!("{}: {ran} kernels ran", abi.name);
        assert!(ran > 20);
    }
}

/// What breaks a rule is caught: in 32-bit code the bytes are written down.
#[test]
fn whoever_breaks_a_rule_in_32_bits_is_caught() {
    let mut record = kernels(&CDECL)[0].record.clone();
    record.stack_bytes = 8;
    record.written = RegSet::one(RAX);
    let functions: [(&[u8], &str); 6] = [
        (&[0xc3], ""),
        // xor ebx, ebx
        (&[0x31, 0xdb, 0xc3], "register 3 came back"),
        // xor ecx, ecx
        (&[0x31, 0xc9, 0xc3], "register 1 was written"),
        // mov dword ptr [esp + 4], 42: the first argument
        (&[0xc7, 0x44, 0x24, 4, 42, 0, 0, 0, 0xc3], "word 0 of the caller's stack"),
        // mov dword ptr [esp - 4], 42
        (&[0xc7, 0x44, 0x24, 0xfc, 42, 0, 0, 0, 0xc3], "left something on the stack, 4 bytes down"),
        // mov dword ptr [esp - 12], 0
        (&[0xc7, 0x44, 0x24, 0xf4, 0, 0, 0, 0, 0xc3], "more than 8 bytes"),
    ];
    for (code, complaint) in functions {
        let image = Image::new(&X86_32, code.len(), |_, memory| {
            memory.copy_from_slice(code);
            Ok(())
        });
        let target = image.expect("memory to execute");
        // SAFETY: none of them uses its arguments, and all return.
        let result =
            unsafe { watch_32::watched(target.bytes().as_ptr() as usize, &record, &[7; 4], 2) };
        let said = result.err().unwrap_or_default();
        assert_eq!(complaint.is_empty(), said.is_empty(), "{complaint:?}: {said}");
        assert!(said.contains(complaint), "{complaint:?}: {said}");
    }
}

// Functions that break the rules, one each.
std::arch::global_asm!(
    ".pushsection .text",
    ".irp rule, none, saved, unnamed, stack_pointer, direction, mxcsr, vector, caller, shadow, \
     return, deep, secret",
    ".globl loom_bad_\\rule",
    ".endr",
    "loom_bad_none: ret",
    "loom_bad_saved: xor ebx, ebx; ret",
    "loom_bad_unnamed: mov r11, 1; ret",
    "loom_bad_stack_pointer: pop rax; pop rcx; push rax; ret",
    "loom_bad_direction: std; ret",
    "loom_bad_mxcsr: mov dword ptr [rsp - 8], 0x7f80; ldmxcsr [rsp - 8]; mov qword ptr [rsp - 8], 0; ret",
    "loom_bad_vector: xorps xmm6, xmm6; ret",
    "loom_bad_caller: mov qword ptr [rsp + 40], 0; ret",
    "loom_bad_shadow: mov qword ptr [rsp + 32], 0; ret",
    "loom_bad_return: pop rax; mov qword ptr [rsp - 8], 1; jmp rax",
    "loom_bad_deep: mov qword ptr [rsp - 24], 0; ret",
    "loom_bad_secret: mov qword ptr [rsp - 16], 42; ret",
    ".popsection",
);

unsafe extern "C" {
    static loom_bad_none: u8;
    static loom_bad_saved: u8;
    static loom_bad_unnamed: u8;
    static loom_bad_stack_pointer: u8;
    static loom_bad_direction: u8;
    static loom_bad_mxcsr: u8;
    static loom_bad_vector: u8;
    static loom_bad_caller: u8;
    static loom_bad_shadow: u8;
    static loom_bad_return: u8;
    static loom_bad_deep: u8;
    static loom_bad_secret: u8;
}

#[test]
fn whoever_breaks_a_rule_is_caught() {
    let record = |abi| {
        let mut record = kernels(abi)[0].record.clone();
        record.stack_bytes = 16;
        record.written = RegSet::one(RAX).or(RegSet::one(RCX));
        record
    };
    let (sysv64, win64) = (record(&SYSV64), record(&WIN64));
    let functions = [
        (&raw const loom_bad_none, &sysv64, ""),
        (&raw const loom_bad_none, &win64, ""),
        (&raw const loom_bad_saved, &sysv64, "register 3 came back"),
        (&raw const loom_bad_unnamed, &win64, "register 11 was written"),
        (&raw const loom_bad_stack_pointer, &sysv64, "register 4 came back"),
        (&raw const loom_bad_direction, &win64, "direction"),
        (&raw const loom_bad_mxcsr, &sysv64, "mxcsr"),
        (&raw const loom_bad_vector, &sysv64, "register 22 was written"),
        (&raw const loom_bad_vector, &win64, "xmm6"),
        (&raw const loom_bad_caller, &sysv64, "word 4 of the caller's stack"),
        (&raw const loom_bad_caller, &win64, "word 0 of the caller's stack"),
        (&raw const loom_bad_shadow, &sysv64, "word 3 of the caller's stack"),
        (&raw const loom_bad_shadow, &win64, ""),
        (&raw const loom_bad_return, &sysv64, "return address"),
        (&raw const loom_bad_deep, &sysv64, "more than 16 bytes"),
        (&raw const loom_bad_secret, &sysv64, "left something on the stack, 16 bytes down"),
    ];
    for (function, record, complaint) in functions {
        // SAFETY: none of them uses its arguments, and all return.
        let result = unsafe { watched(function, record, &[0; 4], FLAGS) };
        let said = result.err().unwrap_or_default();
        assert_eq!(complaint.is_empty(), said.is_empty(), "{complaint:?}: {said}");
        assert!(said.contains(complaint), "{complaint:?}: {said}");
    }
}

/// What no call can show, as nothing else runs on its stack: that nothing lies below the stack
/// pointer but in a red zone. A signal would overwrite it.
#[test]
fn nothing_lies_below_the_stack_pointer_but_in_a_red_zone() {
    for abi in [&SYSV64, &WIN64] {
        for made in kernels(abi) {
            let record = &made.record;
            let code = Unit::new(made, [""]).listing.code.expect("machine code");
            let depth = |frame: &(usize, Frame)| match &frame.1 {
                Frame::Pushed { depth, .. } | Frame::Lowered { depth, .. } => *depth,
                _ => 0,
            };
            let deepest = code.frames.iter().map(depth).max().unwrap_or(0);
            assert!(record.stack_bytes <= deepest + abi.red_zone, "{}", record.name);
            for line in &made.program.lines {
                let Line::Inst(inst) = line else { continue };
                if inst.memory_base() == Register::RSP {
                    let below = -(inst.memory_displacement64() as i64);
                    assert!(below <= i64::from(abi.red_zone), "{}: {inst}", record.name);
                }
            }
        }
    }
}

/// Windows adds pages to a stack one by one: no kernel goes more than a page below what it has touched, by its
/// bytes, and each page of a frame is touched once on the way down.
#[test]
fn frames_larger_than_a_page_of_windows_are_touched_page_by_page() {
    for (abi, bits) in [(&WIN64, 64), (&WIN32, 32)] {
        let page = i64::from(abi.page.expect("Windows' pages"));
        let (mut large, mut info) = (0, InstructionInfoFactory::new());
        for made in kernels(abi) {
            let name = &made.record.name;
            let bytes = made.program.bytes(0, 0).expect("code");
            let (mut sp, mut touched, mut lowered, mut touches) = (0i64, 0i64, 0i64, 0i64);
            for inst in Decoder::new(bits, &bytes, DecoderOptions::NONE) {
                for used in info.info(&inst).used_memory() {
                    if used.base().full_register() == Register::RSP {
                        let displacement = used.displacement() as i64;
                        let displacement =
                            if bits == 32 { i64::from(displacement as i32) } else { displacement };
                        let at = sp + displacement;
                        assert!(at >= touched - page, "{name}: {inst}");
                        touched = touched.min(at);
                    }
                }
                sp += i64::from(inst.stack_pointer_increment());
                if inst.op0_register().full_register() == Register::RSP {
                    match inst.mnemonic() {
                        Mnemonic::Sub => {
                            lowered += inst.immediate(1) as i64;
                            sp -= inst.immediate(1) as i64;
                        }
                        Mnemonic::Add => sp += inst.immediate(1) as i64,
                        _ => {}
                    }
                }
                touches += i64::from(inst.code() == Code::Mov_rm32_imm32);
            }
            assert_eq!(touches, (lowered - 1).max(0) / page, "{name}");
            large += i64::from(touches > 0);
        }
        println!("{}: {large} kernels with more than a page", abi.name);
        assert_eq!(large > 0, bits == 64, "{}: {large} kernels", abi.name);
    }
}
