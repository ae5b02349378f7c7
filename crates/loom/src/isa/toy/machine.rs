//! An interpreter of the machine's programs.

use super::inst::{Inst, Logic, Step, Toy};
use crate::ir::Table;
use crate::isa::Reg;
use crate::isa::program::{Line, Location, Program};

/// Where tables begin, behind all memory.
const TABLES: u64 = 0x80 << 32;

/// Where a region of memory begins.
pub(crate) fn address(region: usize) -> u64 {
    (region as u64 + 1) << 32
}

/// Calls a kernel with tables.
pub(crate) fn run(
    program: &Program<Toy>,
    tables: &[Table],
    arguments: &[u64],
    memory: &mut [Vec<u8>],
) {
    let entries = |table: &Table| -> Vec<u8> {
        let bytes = usize::from(table.entry_bytes);
        table.entries.iter().flat_map(|entry| entry.to_le_bytes()[..bytes].to_vec()).collect()
    };
    let mut machine = Machine {
        registers: [0; 16],
        slots: vec![0; program.stack as usize / 8],
        tables: tables.iter().map(entries).collect(),
        memory,
    };
    machine.registers[..arguments.len()].copy_from_slice(arguments);
    let lines = &program.lines;
    let label = |label: usize| {
        let is_it = |line: &Line<Step>| matches!(line, Line::Label(other) if *other == label);
        lines.iter().position(is_it).expect("a label")
    };
    let mut at = 0;
    loop {
        let step = match &lines[at] {
            Line::Inst(step) => step,
            Line::Label(_) | Line::Align(_) | Line::Comment(_) => {
                at += 1;
                continue;
            }
        };
        at += 1;
        match step {
            Step::Inst(inst) => machine.step(inst),
            Step::IfZero(count, to) => {
                if *machine.location(*count) == 0 {
                    at = label(*to);
                }
            }
            Step::Again(count, to) => {
                let count = machine.location(*count);
                *count -= 1;
                if *count > 0 {
                    at = label(*to);
                }
            }
            Step::Return => return,
        }
    }
}

struct Machine<'a> {
    registers: [u64; 16],
    slots: Vec<u64>,
    tables: Vec<Vec<u8>>,
    memory: &'a mut [Vec<u8>],
}

impl Machine<'_> {
    fn location(&mut self, location: Location) -> &mut u64 {
        match location {
            Location::Register(register) => &mut self.registers[usize::from(register)],
            Location::Slot(slot) => &mut self.slots[slot.number as usize],
        }
    }

    fn reg(&mut self, reg: Reg) -> &mut u64 {
        match reg {
            Reg::Physical(register) => &mut self.registers[usize::from(register)],
            Reg::Virtual(value) => panic!("value {value} has no register"),
        }
    }

    fn bytes(&mut self, address: u64, bytes: u8) -> &mut [u8] {
        let (region, at) = (address >> 32, address as u32 as usize);
        let region = match region.checked_sub(TABLES >> 32) {
            Some(table) => &mut self.tables[table as usize],
            None => &mut self.memory[region as usize - 1],
        };
        &mut region[at..at + usize::from(bytes)]
    }

    fn step(&mut self, inst: &Inst) {
        match *inst {
            Inst::Imm { dst, value } => *self.reg(dst) = value,
            Inst::Table { dst, table } => *self.reg(dst) = TABLES + ((table as u64) << 32),
            Inst::Copy { dst, src } => *self.reg(dst) = *self.reg(src),
            Inst::Logic { op, dst, a, b } => {
                let (a, b) = (*self.reg(a), *self.reg(b));
                *self.reg(dst) = match op {
                    Logic::And => a & b,
                    Logic::Or => a | b,
                    Logic::Xor => a ^ b,
                    Logic::Add => a.wrapping_add(b),
                };
            }
            Inst::Shift { dst, a, by } => {
                let a = *self.reg(a);
                *self.reg(dst) = if by < 0 { a >> -by } else { a << by };
            }
            Inst::Step { dst, a, by } => {
                *self.reg(dst) = self.reg(a).wrapping_add_signed(by.into());
            }
            Inst::Load { bytes, dst, base, index, disp } => {
                let index = index.map_or(0, |index| *self.reg(index));
                let at = self.reg(base).wrapping_add_signed(disp.into()) + index;
                let mut word = [0; 8];
                word[..usize::from(bytes)].copy_from_slice(self.bytes(at, bytes));
                *self.reg(dst) = u64::from_le_bytes(word);
            }
            Inst::Store { bytes, base, disp, src } => {
                let at = self.reg(base).wrapping_add_signed(disp.into());
                let word = self.reg(src).to_le_bytes();
                self.bytes(at, bytes).copy_from_slice(&word[..usize::from(bytes)]);
            }
            Inst::Spill { slot, src } => {
                self.slots[slot.number as usize] = *self.reg(src);
            }
            Inst::Reload { dst, slot } => *self.reg(dst) = self.slots[slot.number as usize],
        }
    }
}
