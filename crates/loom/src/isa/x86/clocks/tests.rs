//! Sequences whose clocks are published, or follow from what is.

use Register::{AH, AL, BL, BP, CL, EAX, EBX, ECX, EDX, ESI, SI};
use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::Steps;
use crate::isa::costs::Cpu;
use crate::isa::program::{Line, Program};
use crate::isa::timing::InOrderSums;
use crate::isa::x86::{X86, X86_32};
use crate::isa::{Features, Isa, RegSet};

fn mov(to: Register, from: Register) -> Instruction {
    Instruction::with2(Code::Mov_rm32_r32, to, from).unwrap()
}

fn byte(to: Register, from: Register) -> Instruction {
    Instruction::with2(Code::Mov_rm8_r8, to, from).unwrap()
}

fn add(to: Register, from: Register) -> Instruction {
    Instruction::with2(Code::Add_rm32_r32, to, from).unwrap()
}

fn at(base: Register) -> MemoryOperand {
    MemoryOperand::with_base(base)
}

fn load(to: Register, base: Register) -> Instruction {
    Instruction::with2(Code::Mov_r32_rm32, to, at(base)).unwrap()
}

fn add_load(to: Register, base: Register) -> Instruction {
    Instruction::with2(Code::Add_r32_rm32, to, at(base)).unwrap()
}

fn add_store(base: Register, from: Register) -> Instruction {
    Instruction::with2(Code::Add_rm32_r32, at(base), from).unwrap()
}

fn by(code: Code, register: Register, constant: u32) -> Instruction {
    Instruction::with2(code, register, constant).unwrap()
}

fn one(code: Code, register: Register) -> Instruction {
    Instruction::with1(code, register).unwrap()
}

/// The clocks of instructions in a row.
fn of(cpu: &str, insts: &[Instruction]) -> u32 {
    let lines: Vec<Line<Instruction>> = insts.iter().copied().map(Line::Inst).collect();
    let program = Program {
        isa: X86::new(&X86_32, Features::NONE),
        lines,
        labels: Vec::new(),
        stack: 0,
        scratch: RegSet::EMPTY,
        each: None,
    };
    let all: Vec<usize> = (0..insts.len()).collect();
    let costs = Cpu::by_name(cpu).unwrap().in_order().unwrap();
    Steps::of(&program).clocks(&all, costs)
}

fn pentium(insts: &[Instruction]) -> u32 {
    of("pentium", insts)
}

#[test]
fn what_is_independent_pairs() {
    assert_eq!(pentium(&[mov(EAX, EBX), mov(ECX, EDX)]), 1);
    assert_eq!(pentium(&[load(EAX, ESI), add(ECX, EDX)]), 1);
    // A result that the second one reads, or writes over, is waited for; the other way round not.
    assert_eq!(pentium(&[mov(EAX, EBX), add(ECX, EAX)]), 2);
    assert_eq!(pentium(&[mov(EAX, EBX), mov(EAX, ECX)]), 2);
    assert_eq!(pentium(&[mov(EAX, EBX), mov(EBX, ECX)]), 1);
    // Parts of one register are one register.
    assert_eq!(pentium(&[byte(AL, BL), byte(AH, CL)]), 2);
    assert_eq!(pentium(&[byte(AL, CL), byte(BL, CL)]), 1);
}

#[test]
fn some_begin_in_one_pipe_only() {
    let shift = by(Code::Shr_rm32_imm8, EAX, 8);
    assert_eq!(pentium(&[shift, mov(ECX, EDX)]), 1);
    assert_eq!(pentium(&[mov(ECX, EDX), shift]), 2);
    let rotate = by(Code::Rol_rm32_imm8, EAX, 4);
    assert_eq!(pentium(&[rotate, mov(ECX, EDX)]), 2);
    assert_eq!(pentium(&[mov(ECX, EDX), rotate]), 2);
    let rotate = by(Code::Rol_rm32_1, EAX, 1);
    assert_eq!(pentium(&[rotate, mov(ECX, EDX)]), 1);
    assert_eq!(pentium(&[one(Code::Not_rm32, EAX), mov(ECX, EDX)]), 2);
    // Two-byte operations take a clock to decode.
    assert_eq!(pentium(&[one(Code::Bswap_r32, EAX), mov(ECX, EDX)]), 3);
    let extend = Instruction::with2(Code::Movzx_r32_rm8, EAX, BL).unwrap();
    assert_eq!(pentium(&[extend, mov(ECX, EDX)]), 5);
    // A prefix takes one, too, and begins in the U pipe.
    let halves = by(Code::Rol_rm16_imm8, SI, 8);
    assert_eq!(pentium(&[halves]), 2);
    let narrow = Instruction::with2(Code::Mov_rm16_r16, BP, SI).unwrap();
    assert_eq!(pentium(&[mov(ECX, EDX), narrow]), 3);
    assert_eq!(pentium(&[narrow, mov(ECX, EDX)]), 2);
}

#[test]
fn constants_beside_displacements_do_not_pair() {
    let place = |displacement| MemoryOperand::with_base_displ_size(ESI, displacement, 1);
    let store = |displacement| {
        let place = if displacement == 0 { at(ESI) } else { place(displacement) };
        Instruction::with2(Code::Mov_rm32_imm32, place, 1u32).unwrap()
    };
    assert_eq!(pentium(&[store(0), mov(ECX, EDX)]), 1);
    assert_eq!(pentium(&[store(4), mov(ECX, EDX)]), 2);
    assert_eq!(of("486", &[store(4)]), of("486", &[store(0)]) + 1);
}

#[test]
fn branches_pair_as_the_second_one() {
    let compare = Instruction::with2(Code::Cmp_rm32_r32, EAX, EBX).unwrap();
    let branch = Instruction::with_branch(Code::Jne_rel32_32, 1).unwrap();
    assert_eq!(pentium(&[compare, branch]), 1);
    assert_eq!(pentium(&[branch, compare]), 2);
    let push = |register| one(Code::Push_r32, register);
    assert_eq!(pentium(&[push(EAX), push(EBX)]), 1);
}

#[test]
fn arithmetic_with_memory_takes_longer() {
    assert_eq!(pentium(&[add_load(EAX, ESI)]), 2);
    assert_eq!(pentium(&[add_load(EAX, ESI), add_load(EBX, ESI)]), 2);
    assert_eq!(pentium(&[add_load(EAX, ESI), mov(EBX, ECX)]), 2);
    assert_eq!(pentium(&[add_store(ESI, EAX)]), 3);
    assert_eq!(pentium(&[add_store(ESI, EAX), add_store(EBX, ECX)]), 5);
    assert_eq!(pentium(&[add_load(EAX, ESI), add_store(EBX, ECX)]), 4);
}

#[test]
fn addresses_wait_for_results() {
    assert_eq!(pentium(&[mov(EAX, EBX), load(ECX, EAX)]), 3);
    // One clock between them is enough, and two instructions fit into it.
    let between = [add(EDX, EBX), add(ESI, EBX)];
    assert_eq!(pentium(&[mov(EAX, EBX), add(EDX, ESI), between[0], load(ECX, EAX)]), 3);
    assert_eq!(of("486", &[mov(EAX, EBX), load(ECX, EAX)]), 3);
    assert_eq!(of("486", &[mov(EAX, EBX), between[0], load(ECX, EAX)]), 3);
    assert_eq!(of("386", &[mov(EAX, EBX), load(ECX, EAX)]), 6);
}

#[test]
fn whole_registers_wait_for_parts() {
    // As published for the 486: both penalties, of which one instruction between saves one.
    let [first, part, use_] = [add(ECX, EDX), byte(BL, AL), load(EAX, EBX)];
    assert_eq!(of("486", &[first, part, use_]), 5);
    assert_eq!(of("486", &[first, part, add(ESI, EDX), use_]), 5);
    assert_eq!(of("486", &[byte(BL, AL), add(ECX, EBX)]), 3);
    assert_eq!(of("386", &[byte(BL, AL), add(ECX, EBX)]), 5);
    assert_eq!(pentium(&[byte(BL, AL), add(ECX, EBX)]), 2);
    // A part alone is not waited for.
    assert_eq!(of("486", &[byte(BL, AL), byte(CL, BL)]), 2);
}

#[test]
fn indices_and_prefixes_take_clocks() {
    let indexed = MemoryOperand::with_base_index(EBX, ESI);
    let indexed = Instruction::with2(Code::Mov_r32_rm32, EAX, indexed).unwrap();
    let scaled = MemoryOperand::with_index_scale_displ_size(ESI, 4, 64, 4);
    let scaled = Instruction::with2(Code::Mov_r32_rm32, EAX, scaled).unwrap();
    assert_eq!(["386", "486", "pentium"].map(|cpu| of(cpu, &[scaled])), [4, 2, 1]);
    assert_eq!(["386", "486", "pentium"].map(|cpu| of(cpu, &[indexed])), [5, 2, 1]);
    let halves = by(Code::Rol_rm16_imm8, SI, 8);
    assert_eq!(["386", "486"].map(|cpu| of(cpu, &[halves])), [3, 3]);
}

#[test]
fn taken_branches_take_more() {
    let branch = Instruction::with_branch(Code::Jne_rel32_32, 1).unwrap();
    let insts = [mov(EAX, EBX), branch];
    let lines: Vec<Line<Instruction>> = insts.into_iter().map(Line::Inst).collect();
    let program = Program {
        isa: X86::new(&X86_32, Features::NONE),
        lines,
        labels: Vec::new(),
        stack: 0,
        scratch: RegSet::EMPTY,
        each: None,
    };
    let steps = Steps::of(&program);
    let twice = |cpu: &str| {
        let costs = Cpu::by_name(cpu).unwrap().in_order().unwrap();
        steps.clocks(&[0, 1, 0, 1], costs)
    };
    // The last branch falls through.
    assert_eq!(["386", "486", "pentium"].map(twice), [2 + 9 + 2 + 3, 1 + 3 + 1 + 1, 2]);
}
