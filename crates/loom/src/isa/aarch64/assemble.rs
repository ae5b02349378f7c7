//! The bytes of a finished program: where labels and tables are, what fills gaps.

use std::collections::HashMap;

use super::encode::word;
use super::inst::{AArch64, Inst};
use super::program::Step;
use crate::isa::program::{Line, Program};

/// Bytes of a page, in which `adrp` counts.
const PAGE: u64 = 4096;

/// The bytes of a program.
#[derive(Clone, Debug)]
pub(super) struct Assembled {
    /// The bytes.
    pub(super) bytes: Vec<u8>,
    /// Where each line of the program begins, and where the last one ends.
    pub(super) offsets: Vec<usize>,
    /// Where the instructions are that name the tables.
    pub(super) tables: Vec<usize>,
}

impl Program<AArch64> {
    /// Puts a landing pad before it, where branch target identification lets indirect calls lead; who knows
    /// none passes over it.
    pub(super) fn land(&mut self) {
        self.lines.insert(0, Line::Inst(Step::Landing));
    }

    /// Whether it begins with one.
    pub(super) fn has_landing(&self) -> bool {
        matches!(self.lines.first(), Some(Line::Inst(Step::Landing)))
    }

    /// The bytes at address `at`, as well aligned as its target says, with the tables at address `tables`.
    ///
    /// # Errors
    /// If the tables or a label are too far away.
    pub(super) fn assemble(&self, at: u64, tables: u64) -> Result<Assembled, String> {
        let mut offsets = vec![0usize];
        let mut labels = HashMap::new();
        for line in &self.lines {
            let start = offsets[offsets.len() - 1];
            let end = match line {
                Line::Inst(_) => start + 4,
                Line::Align(to) => start.next_multiple_of(*to as usize),
                Line::Label(label) => {
                    labels.insert(*label, start);
                    start
                }
                Line::Comment(_) => start,
            };
            offsets.push(end);
        }
        let mut assembled = Assembled { bytes: Vec::new(), offsets, tables: Vec::new() };
        for (line, &start) in self.lines.iter().zip(&assembled.offsets) {
            let Line::Inst(step) = line else {
                // A gap before what comes next.
                continue;
            };
            assembled.bytes.resize(start, 0);
            let here = at + start as u64;
            let field = match step {
                Step::Inst(Inst::TablePage { .. }) => {
                    assembled.tables.push(start);
                    let pages = (tables / PAGE) as i64 - (here / PAGE) as i64;
                    let pages = distance(pages, 21)?;
                    (pages & 3) << 29 | pages >> 2 << 5
                }
                Step::Inst(Inst::TableOffset { .. }) => {
                    assembled.tables.push(start);
                    ((tables % PAGE) as u32) << 10
                }
                Step::IfEqual(to) | Step::IfZero(_, to) | Step::Again(_, to) => {
                    let words = (labels[to] as i64 - start as i64) / 4;
                    distance(words, 19)? << 5
                }
                Step::Branch(to) => distance((labels[to] as i64 - start as i64) / 4, 26)?,
                _ => 0,
            };
            assembled.bytes.extend((word(step) | field).to_le_bytes());
        }
        // Gaps are filled by what does nothing.
        for (line, place) in self.lines.iter().zip(assembled.offsets.windows(2)) {
            if let Line::Align(_) = line {
                for gap in assembled.bytes[place[0]..place[1]].chunks_mut(4) {
                    gap.copy_from_slice(&word(&Step::Nop).to_le_bytes());
                }
            }
        }
        Ok(assembled)
    }
}

/// A distance in so many bits with a sign.
fn distance(distance: i64, bits: u32) -> Result<u32, String> {
    let limit = 1 << (bits - 1);
    match (-limit..limit).contains(&distance) {
        true => Ok(distance as u32 & ((1 << bits) - 1)),
        false => Err(format!("{distance} does not fit into {bits} bits")),
    }
}
