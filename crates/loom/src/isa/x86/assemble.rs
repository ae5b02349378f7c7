//! The bytes of a finished program: which branches are short, what fills gaps, where the tables are named.

use std::collections::{HashMap, HashSet};

use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code, Encoder, IcedError, Instruction, InstructionBlock,
    OpKind, Register,
};

use super::X86;
use super::encode::line;
use super::mode::TABLES;
use crate::isa::program::{LabelKind, Line, Program};

/// How far behind [`TABLES`] an address is still one of the tables'.
const TABLES_END: u64 = TABLES + (1 << 24);

/// The bytes of a program.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where each line of the program begins, and where the last one ends.
    pub offsets: Vec<usize>,
    /// Where the distances to the tables, or their addresses, lie, of [`field`](super::Mode::field) bytes each.
    pub tables: Vec<usize>,
}

impl Program<X86> {
    /// Puts a landing pad before it: the entry is `endbr64` or `endbr32`, where Intel's CET lets indirect
    /// calls lead. Processors without CET pass over it, of those with 32 bits from the Pentium Pro on.
    pub fn land(&mut self) {
        let code = self.isa.mode.code(Code::Endbr32, Code::Endbr64);
        self.lines.insert(0, line(self.isa.mode, Ok(Instruction::with(code))));
    }

    /// Whether it begins with a landing pad.
    #[must_use]
    pub fn has_landing(&self) -> bool {
        matches!(self.lines.first(), Some(Line::Inst(inst)) if is_landing(inst))
    }

    /// The bytes at address `at`, as well aligned as its target says, with the tables at address `tables`.
    ///
    /// # Errors
    /// If the tables are too far away.
    pub fn bytes(&self, at: u64, tables: u64) -> Result<Vec<u8>, IcedError> {
        Ok(self.assemble(at, tables)?.bytes)
    }

    /// The bytes with where everything lies in them.
    ///
    /// # Errors
    /// If the tables are too far away.
    pub fn assemble(&self, at: u64, tables: u64) -> Result<Assembled, IcedError> {
        let (long, gaps) = self.layout()?;
        // Instructions get numbers for addresses; labels become the number of what follows.
        let mut numbers = HashMap::new();
        let mut instructions = Vec::new();
        let mut first = Vec::new();
        for (n, line) in self.lines.iter().enumerate() {
            first.push(instructions.len());
            match line {
                Line::Inst(inst) => {
                    let mut inst = *inst;
                    if is_branch(&inst) && !long.contains(&n) {
                        inst.as_short_branch();
                    }
                    instructions.push(inst);
                }
                Line::Label(label) => {
                    numbers.insert(*label as u64, instructions.len() as u64);
                }
                Line::Align(_) => instructions.extend(no_operations(gaps[n])?),
                Line::Comment(_) => {}
            }
        }
        first.push(instructions.len());
        let referring: Vec<_> = instructions.iter().map(names_tables).collect();
        for (number, inst) in (0..).zip(&mut instructions) {
            inst.set_ip(number);
            if is_branch(inst) || is_call(inst) {
                inst.set_near_branch64(numbers[&inst.near_branch64()]);
            }
            if referring[number as usize] {
                let place = inst
                    .memory_displacement64()
                    .wrapping_sub(self.isa.mode.tables())
                    .wrapping_add(tables);
                inst.set_memory_displacement64(place);
            }
        }
        let options = BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS
            | BlockEncoderOptions::RETURN_CONSTANT_OFFSETS
            | BlockEncoderOptions::DONT_FIX_BRANCHES;
        let block = BlockEncoder::encode(
            self.isa.mode.bits(),
            InstructionBlock::new(&instructions, at),
            options,
        )?;
        let offset = |n: usize| {
            block.new_instruction_offsets.get(n).map_or(block.code_buffer.len(), |&at| at as usize)
        };
        let offsets: Vec<usize> = first.into_iter().map(offset).collect();
        let tables: Vec<usize> = (0..instructions.len())
            .filter(|&n| referring[n])
            .map(|n| offset(n) + block.constant_offsets[n].displacement_offset())
            .collect();
        let mut bytes = block.code_buffer;
        if let Some(here) = self.here() {
            // Not where the tables are, but how far from here.
            let from = at.wrapping_add(offsets[here] as u64) as u32;
            for &place in &tables {
                if let Some(field) = bytes[place..].first_chunk_mut::<4>() {
                    *field = u32::from_le_bytes(*field).wrapping_sub(from).to_le_bytes();
                }
            }
        }
        Ok(Assembled { bytes, offsets, tables })
    }

    /// Which branches need four bytes for their distance, and how many bytes each alignment fills.
    ///
    /// Branches begin short and only grow, as in assemblers: what grows may take from a gap what
    /// makes it fit again, and would go to and fro for ever.
    fn layout(&self) -> Result<(HashSet<usize>, Vec<usize>), IcedError> {
        let mut encoder = Encoder::new(self.isa.mode.bits());
        let mut lengths = Vec::new();
        for line in &self.lines {
            lengths.push(match line {
                Line::Inst(inst) if is_branch(inst) => SHORT,
                // Where the tables are thought to be, they are in reach.
                Line::Inst(inst) => encoder.encode(inst, TABLES)?,
                Line::Label(_) | Line::Align(_) | Line::Comment(_) => 0,
            });
        }
        let mut long = HashSet::new();
        loop {
            let mut offsets = vec![0usize];
            let mut labels = HashMap::new();
            for (n, line) in self.lines.iter().enumerate() {
                let start = offsets[n];
                match line {
                    Line::Align(to) => lengths[n] = start.next_multiple_of(*to as usize) - start,
                    Line::Label(label) => {
                        labels.insert(*label, start);
                    }
                    Line::Inst(_) | Line::Comment(_) => {}
                }
                offsets.push(start + lengths[n]);
            }
            let before = long.len();
            for (n, line) in self.lines.iter().enumerate() {
                if let Line::Inst(inst) = line
                    && is_branch(inst)
                    && lengths[n] == SHORT
                {
                    let distance =
                        labels[&(inst.near_branch64() as usize)] as i64 - offsets[n + 1] as i64;
                    if i8::try_from(distance).is_err() {
                        lengths[n] = encoder.encode(inst, TABLES)?;
                        long.insert(n);
                    }
                }
            }
            if long.len() == before {
                return Ok((long, lengths));
            }
        }
    }

    /// The line of [`LabelKind::Here`]'s label, if it has one.
    fn here(&self) -> Option<usize> {
        self.lines.iter().position(|line| match line {
            Line::Label(label) => self.labels[*label - 1] == LabelKind::Here,
            _ => false,
        })
    }
}

/// Bytes of a branch with one byte for its distance.
const SHORT: usize = 2;

/// Whether an instruction names the tables: by their distance, or by their address.
#[must_use]
pub fn names_tables(inst: &Instruction) -> bool {
    // A constant of 64 bits has its upper half where others have their displacement.
    let has_memory = inst.op_kinds().any(|kind| kind == OpKind::Memory);
    inst.is_ip_rel_memory_operand()
        || has_memory && (TABLES..TABLES_END).contains(&inst.memory_displacement64())
        // In real mode they lie beside the code, and nothing else does.
        || has_memory && inst.segment_prefix() == Register::CS
        || inst.op1_kind() == OpKind::Immediate32 && u64::from(inst.immediate32()) == TABLES
}

fn is_branch(inst: &Instruction) -> bool {
    inst.is_jcc_short_or_near() || inst.is_jmp_short_or_near()
}

/// Whether an instruction calls what follows it, to learn where that is.
#[must_use]
pub fn is_call(inst: &Instruction) -> bool {
    inst.is_call_near()
}

/// Whether an instruction is a landing pad.
#[must_use]
pub fn is_landing(inst: &Instruction) -> bool {
    matches!(inst.code(), Code::Endbr32 | Code::Endbr64)
}

/// So many bytes that do nothing, in as few instructions as processors take well.
fn no_operations(bytes: usize) -> Result<Vec<Instruction>, IcedError> {
    // `nop` with an address of growing length, as both makers' manuals recommend.
    const FORMS: [&[u8]; 9] = [
        &[0x90],
        &[0x66, 0x90],
        &[0x0f, 0x1f, 0x00],
        &[0x0f, 0x1f, 0x40, 0x00],
        &[0x0f, 0x1f, 0x44, 0x00, 0x00],
        &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
        &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
        &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
        &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    ];
    let mut left = bytes;
    let mut all = Vec::new();
    while left > 0 {
        let form = FORMS[left.min(FORMS.len()) - 1];
        all.push(Instruction::with_declare_byte(form)?);
        left -= form.len();
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::Mode;
    use super::super::encode::TOP;
    use super::*;
    use crate::isa::{Features, RegSet};

    /// A loop behind a branch around it, with so many bytes before it and in it.
    fn around(before: usize, inside: usize) -> Program<X86> {
        let line = |inst| line(Mode::Bits64, inst);
        let nothing = || line(Ok(Instruction::with(Code::Nopd)));
        let branch = |code, to| line(Instruction::with_branch(code, to));
        let mut lines: Vec<Line<Instruction>> = (0..before).map(|_| nothing()).collect();
        lines.push(branch(Code::Je_rel32_64, 2));
        lines.extend([Line::Align(TOP), Line::Label(1)]);
        lines.extend((0..inside).map(|_| nothing()));
        lines.push(branch(Code::Jne_rel32_64, 1));
        lines.extend([Line::Label(2), line(Ok(Instruction::with(Code::Retnq)))]);
        let labels = vec![LabelKind::Again, LabelKind::Done];
        let isa = X86 { mode: Mode::Bits64, features: Features::NONE };
        Program { isa, lines, labels, stack: 0, scratch: RegSet::EMPTY, each: None }
    }

    /// A longer branch can make the gap behind it smaller, so that the shorter one seems enough.
    #[test]
    fn branches_and_gaps_come_to_rest() {
        let mut lengths = HashSet::new();
        for before in 0..TOP as usize {
            for inside in 80..140 {
                let program = around(before, inside);
                let assembled = program.assemble(0, TABLES).unwrap();
                let label = |n: usize| {
                    let is_it = |line: &Line<Instruction>| matches!(line, Line::Label(label) if *label == n);
                    assembled.offsets[program.lines.iter().position(is_it).unwrap()] as u64
                };
                assert_eq!(label(1) % u64::from(TOP), 0);
                let decoder = iced_x86::Decoder::new(64, &assembled.bytes, 0);
                let branches: Vec<_> = decoder.into_iter().filter(is_branch).collect();
                let targets: Vec<_> = branches.iter().map(Instruction::near_branch64).collect();
                assert_eq!(targets, [label(2), label(1)], "{before}, {inside}");
                lengths.insert(branches[0].len());
            }
        }
        assert_eq!(lengths, HashSet::from([2, 6]));
    }
}
