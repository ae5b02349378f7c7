//! Whole kernels: what is done with blocks in memory.

use super::Direction;
use super::layout::{Halves, Layout, Permute};
use super::layout_ops::LayoutOps;
use super::rounds::crypt;
use super::schedule::{Passes, words};
use crate::ir::{Access, Builder, Endian, Extent, Kernel, Requirements, Type, Value};

/// What a kernel does around the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// So many independent blocks at a time, in place, `count` times.
    Blocks(u8),
    /// A chain of blocks in place: each is XORed with the result before it and encrypted (CBC
    /// encryption). IP and IP⁻¹ are linear and cancel between blocks, so the chain runs between
    /// them and they wait for nothing.
    Chain,
    /// One block without IP and IP⁻¹, halves in and out (libdes' `des_encrypt2`).
    Bare,
}

/// A kernel of this family, by its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// How halves lie in registers.
    pub layout: Layout,
    /// DES or Triple-DES.
    pub passes: Passes,
    /// Which way.
    pub direction: Direction,
    /// What is done around the rounds.
    pub task: Task,
    /// How permutations are done.
    pub permute: Permute,
}

impl Config {
    /// Every kernel of the family.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for layout in Layout::ALL {
            for passes in [Passes::One, Passes::Three] {
                for direction in [Direction::Encrypt, Direction::Decrypt] {
                    let blocks = layout.blocks().iter().copied().map(Task::Blocks);
                    for task in blocks.chain([Task::Chain, Task::Bare]) {
                        for permute in [Permute::Shifts, Permute::Moves, Permute::Matrices] {
                            let config = Self { layout, passes, direction, task, permute };
                            if config.exists() {
                                all.push(config);
                            }
                        }
                    }
                }
            }
        }
        all
    }

    /// Bits are moved only where there is a permutation, for the layout made for it; what looks up
    /// inside registers is no form in which others would have halves.
    fn exists(&self) -> bool {
        let whole = self.task != Task::Bare;
        if self.layout.blocks_in_halves() > 1 && !matches!(self.task, Task::Blocks(_)) {
            return false;
        }
        match self.permute {
            Permute::Shifts => whole || !self.layout.is_in_registers(),
            Permute::Moves | Permute::Matrices => whole && self.layout.is_by_bytes(),
        }
    }

    pub(in crate::ciphers) fn ways(self) -> impl Iterator<Item = Self> {
        let ways = [Permute::Shifts, Permute::Moves, Permute::Matrices].into_iter();
        ways.map(move |permute| Self { permute, ..self }).filter(Self::exists)
    }

    pub(in crate::ciphers) fn requirements(&self) -> Requirements {
        let vectors = match self.layout.half() {
            Type::Vector(bits) => Some(bits),
            _ => None,
        };
        Requirements {
            wide_words: !self.layout.is_rotated(),
            rotation: self.layout.is_rotated(),
            byte_reversal: self.layout.is_rotated(),
            vectors,
            byte_tables: self.layout.is_in_registers(),
            bit_deposit: self.permute == Permute::Moves,
            products: self.permute == Permute::Matrices,
            spaced_tables: self.layout == Layout::Spaced,
            interleaved: self.blocks_at_a_time() > 1,
            ..Requirements::default()
        }
    }

    /// A name that is a label everywhere.
    #[must_use]
    pub fn name(&self) -> String {
        match self.permute {
            Permute::Shifts => self.plain_name(),
            Permute::Moves => self.plain_name() + "_moves",
            Permute::Matrices => self.plain_name() + "_matrices",
        }
    }

    /// The name without the way in which permutations are done.
    #[must_use]
    pub fn plain_name(&self) -> String {
        let cipher = match self.passes {
            Passes::One => "des",
            Passes::Three => "tdes",
        };
        let direction = match self.direction {
            Direction::Encrypt => "encrypt",
            Direction::Decrypt => "decrypt",
        };
        let task = match self.task {
            Task::Blocks(1) => String::new(),
            Task::Blocks(n) => format!("_x{n}"),
            Task::Chain => "_chain".to_owned(),
            Task::Bare => "_bare".to_owned(),
        };
        format!("{cipher}_{direction}_{}{task}", self.layout.name())
    }

    /// How many blocks are done for each one of the count, or in a call.
    pub(in crate::ciphers) fn blocks_at_a_time(&self) -> usize {
        match self.task {
            Task::Blocks(n) => usize::from(n),
            Task::Chain | Task::Bare => 1,
        }
    }

    /// The kernel.
    ///
    /// Parameters of the tasks `Blocks` and `Chain`: data, count, schedule, and for a chain the
    /// block before the first, which is replaced by the last one. Of `Bare`: the two halves (the
    /// first is L, as FIPS 46-3 leaves IP, in the processor's order of bytes) and the schedule.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        let mut b = Builder::new(self.name(), self.doc());
        match self.task {
            Task::Blocks(interleaved) => self.blocks(&mut b, usize::from(interleaved)),
            Task::Chain => self.chain(&mut b),
            Task::Bare => self.bare(&mut b),
        }
        b.finish()
    }

    fn doc(&self) -> String {
        let cipher = match self.passes {
            Passes::One => "DES (FIPS 46-3)",
            Passes::Three => "Triple-DES (SP 800-67), three passes without permutations between",
        };
        let what = match self.task {
            Task::Blocks(1) => "blocks in place".to_owned(),
            Task::Blocks(n) => format!("blocks in place, {n} woven together"),
            Task::Chain => "a chain of blocks in place, each XORed with the one before".to_owned(),
            Task::Bare => "one block between IP and the inverse of IP".to_owned(),
        };
        format!("{cipher}, {:?}: {what}.", self.direction)
    }

    fn schedule(&self, b: &mut Builder) -> Value {
        let extent = Extent::Fixed(8 * words(self.layout, self.passes) as u32);
        let doc = "subkeys in order of encryption";
        let schedule = b.pointer("schedule", Access::Read, extent, doc);
        b.masked(schedule, self.layout.mask());
        schedule
    }

    fn blocks(&self, b: &mut Builder, interleaved: usize) {
        let group = Extent::PerCount(8 * interleaved as u32);
        let data = b.pointer("data", Access::ReadWrite, group, "blocks of 8 bytes, in place");
        let doc = if interleaved == 1 {
            "blocks".to_owned()
        } else {
            format!("groups of {interleaved} blocks")
        };
        let count = b.word("count", Type::W64, &doc);
        let schedule = self.schedule(b);
        let ops = LayoutOps::new(b, self.layout, self.permute, interleaved);
        b.repeat(count, &[data], |b, carried| {
            let data = carried[0];
            b.comment("IP");
            let together = self.layout.blocks_in_halves();
            let at = |n: usize| 8 * (together * n) as i32;
            let enter = |n| {
                let block = ops.enter(b, data, at(n));
                ops.start(b, block)
            };
            let blocks: Vec<_> = (0..interleaved / together).map(enter).collect();
            let blocks = crypt(b, &ops, &blocks, schedule, self.passes, self.direction);
            b.comment("inverse of IP");
            for (n, halves) in blocks.iter().enumerate() {
                ops.leave(b, *halves, data, at(n));
            }
            vec![b.advance(data, 8 * interleaved as i32)]
        });
    }

    fn chain(&self, b: &mut Builder) {
        let group = Extent::PerCount(8);
        let data = b.pointer("data", Access::ReadWrite, group, "blocks of 8 bytes, in place");
        let count = b.word("count", Type::W64, "blocks");
        let schedule = self.schedule(b);
        let block = Extent::Fixed(8);
        let before = b.pointer("before", Access::ReadWrite, block, "the block before the first");
        let ops = LayoutOps::new(b, self.layout, self.permute, 1);
        let first = ops.enter(b, before, 0);
        let first = ops.start(b, first);
        let after = b.repeat(count, &[data, first.l, first.r], |b, carried| {
            let (data, chain) = (carried[0], Halves { l: carried[1], r: carried[2] });
            b.comment("IP, XOR with the block before");
            let block = ops.enter(b, data, 0);
            let block = Halves { l: b.xor(block.l, chain.l), r: b.xor(block.r, chain.r) };
            let block = crypt(b, &ops, &[block], schedule, self.passes, self.direction)[0];
            b.comment("inverse of IP");
            ops.leave(b, block, data, 0);
            vec![b.advance(data, 8), block.l, block.r]
        });
        ops.leave(b, Halves { l: after[1], r: after[2] }, before, 0);
    }

    fn bare(&self, b: &mut Builder) {
        let extent = Extent::Fixed(2 * u32::from(self.layout.half().bits().unwrap_or(64)) / 8);
        let doc = "L and R in the layout of the kernel";
        let halves = b.pointer("halves", Access::ReadWrite, extent, doc);
        b.masked(halves, self.layout.mask());
        let schedule = self.schedule(b);
        let ops = LayoutOps::new(b, self.layout, self.permute, 1);
        let ty = self.layout.half();
        let bytes = i32::from(ty.bits().unwrap_or(64) / 8);
        let l = b.load(halves, 0, ty, Endian::Native);
        let r = b.load(halves, bytes, ty, Endian::Native);
        let out = crypt(b, &ops, &[Halves { l, r }], schedule, self.passes, self.direction)[0];
        b.store(out.l, halves, 0, Endian::Native);
        b.store(out.r, halves, bytes, Endian::Native);
    }
}
