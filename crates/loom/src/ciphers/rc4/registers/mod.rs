//! RC4 with S in vector registers: every look-up reads all of S, so no address tells of a secret.
//!
//! | file | subject |
//! |---|---|
//! | `way.rs` | what registers of either width do |
//! | `wide.rs` | four registers of 512 bits; bytes picked from 64, comparisons into masks (AVX-512 VBMI, GFNI) |
//! | `narrow.rs` | eight registers of 256 bits; comparisons into vectors, differences (AVX2) |
//!
//! The index i is public. S is kept *turned*: the first byte is S\[i\] whenever a group of eight bytes begins,
//! so where a step finds S\[i\] is a constant. Behind a group all of S moves by eight bytes. In this order
//! of S, and so in every look-up, a place is an index minus i; j is kept like that, too.
//!
//! A number that is wanted anywhere stands in every byte of a vector.

mod narrow;
mod way;
mod wide;

use super::super::counted::Counted;
use crate::ir::{Access, Builder, Bytes, Endian, Extent, Kernel, Requirements, Type, Value};
use narrow::Narrow;
use way::{GROUP, Way};
use wide::Wide;

/// What a kernel of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// XORs the keystream of one state into data, 8 bytes at a time.
    Apply,
    /// Sets up one state from 256 bytes of repeated key.
    Setup,
}

/// A kernel of this family, by its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Bits of a register: 256 or 512.
    pub bits: u16,
    /// What is done.
    pub task: Task,
}

/// Bytes of S.
const S: i32 = 256;
/// Where j - i stands in a state, eight times, and then -i.
const J: i32 = S;
const BACK: i32 = J + 8;

/// Bytes of a state: S from S\[i\] on, then j - i and -i, modulo 256, in each of 8 bytes.
pub const STATE: i32 = BACK + 8;

impl Config {
    /// Every kernel of the family.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let of = |bits| [Task::Apply, Task::Setup].map(|task| Self { bits, task });
        [512, 256].into_iter().flat_map(of).collect()
    }

    /// A name that is a label everywhere.
    #[must_use]
    pub fn name(&self) -> String {
        let task = match self.task {
            Task::Apply => "apply",
            Task::Setup => "setup",
        };
        format!("rc4_{task}_reg{}", self.bits)
    }

    pub(in super::super) fn requirements(&self) -> Requirements {
        Requirements { vectors: Some(self.bits), byte_tables: true, ..Requirements::default() }
    }

    /// What is counted, and how many for each one of the count, or in a call.
    pub(in super::super) fn counted(&self) -> (Counted, usize) {
        match self.task {
            Task::Apply => (Counted::Byte, GROUP),
            Task::Setup => (Counted::Key, 1),
        }
    }

    /// The kernel. Parameters: the state; the data and a count of 8-byte groups, or the key.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        match self.task {
            Task::Apply => self.apply(),
            Task::Setup => self.setup(),
        }
    }

    fn ty(&self) -> Type {
        Type::Vector(self.bits)
    }

    /// Bytes of a register.
    fn bytes(&self) -> i32 {
        i32::from(self.bits / 8)
    }

    /// Where the registers of S stand in a state.
    fn rows(&self) -> impl Iterator<Item = i32> {
        (0..S).step_by(self.bytes() as usize)
    }

    fn way(&self, b: &mut Builder) -> Box<dyn Way> {
        b.table_set(format!("rc4_reg{}_tables", self.bits));
        match self.bits {
            512 => Box::new(Wide::new(b)),
            _ => Box::new(Narrow::new(b)),
        }
    }

    fn apply(&self) -> Kernel {
        let doc = "RC4 with S in registers: XORs the keystream into data, in place.";
        let mut b = Builder::new(self.name(), doc);
        let doc = "S from S[i] on, then j - i and -i eight times each";
        let state = b.pointer("state", Access::ReadWrite, Extent::Fixed(STATE as u32), doc);
        let group = Extent::PerCount(GROUP as u32);
        let data = b.pointer("data", Access::ReadWrite, group, "groups of 8 bytes, in place");
        let count = b.word("count", Type::W64, "groups");
        let way = self.way(&mut b);
        let ty = self.ty();
        let [j, back] = [J, BACK].map(|at| b.broadcast(state, at, 8, ty));
        let on = moved(&mut b, ty);
        let s: Vec<_> = self.rows().map(|at| b.load(state, at, ty, Endian::Native)).collect();
        let x = way.entry(&mut b, &s, 1);
        let first = [&[data, j, back, x], &*s].concat();
        let after = b.repeat(count, &first, |b, carried| {
            let [data, mut j, back, mut x] = [carried[0], carried[1], carried[2], carried[3]];
            let mut s = carried[4..].to_vec();
            let mut keystream = None;
            for n in 0..GROUP {
                b.comment(format!("byte {}", n + 1));
                j = b.bytes(Bytes::Sum, j, x);
                let (y, next) = way.swap(b, &mut s, n + 1, j, x);
                // The sum says where in S itself.
                let sum = b.bytes(Bytes::Sum, x, back);
                let sum = b.bytes(Bytes::Sum, sum, y);
                keystream = Some(way.generate(b, &s, sum, keystream, n));
                x = next;
            }
            let keystream = way.joined(b, keystream.expect("a group has bytes"));
            let text = b.load_low(data, 0, GROUP as u8, ty);
            let text = b.xor(text, keystream);
            b.store_low(text, data, 0);
            let [j, back] = [j, back].map(|place| b.bytes(Bytes::Sum, place, on));
            let s = way.turned(b, &s);
            [b.advance(data, GROUP as i32), j, back, x].into_iter().chain(s).collect()
        });
        self.keep(&mut b, state, &after[4..], [after[1], after[2]]);
        b.finish()
    }

    fn setup(&self) -> Kernel {
        let doc = "RC4 with S in registers: the key set-up (KSA).";
        let mut b = Builder::new(self.name(), doc);
        let doc = "S from S[0] on, then zeros";
        let state = b.pointer("state", Access::Write, Extent::Fixed(STATE as u32), doc);
        let keys =
            b.pointer("keys", Access::Read, Extent::Fixed(S as u32), "256 bytes of repeated key");
        let way = self.way(&mut b);
        let ty = self.ty();
        let zero = b.constant(ty, 0);
        let on = moved(&mut b, ty);
        let count = b.constant(Type::W64, S as u64 / GROUP as u64);
        let s: Vec<_> = self.rows().map(|at| way.numbers(&mut b, at)).collect();
        // S[0] = 0 is the first entry.
        let first = [&[keys, zero, zero], &*s].concat();
        let after = b.repeat(count, &first, |b, carried| {
            let [keys, mut j, mut x] = [carried[0], carried[1], carried[2]];
            let mut s = carried[3..].to_vec();
            let key = b.broadcast(keys, 0, 8, ty);
            for n in 0..GROUP {
                // What waits for the step before comes last.
                let key = way.byte(b, key, n);
                j = b.bytes(Bytes::Sum, j, key);
                j = b.bytes(Bytes::Sum, j, x);
                (_, x) = way.swap(b, &mut s, n, j, x);
            }
            let j = b.bytes(Bytes::Sum, j, on);
            let s = way.turned(b, &s);
            [b.advance(keys, GROUP as i32), j, x].into_iter().chain(s).collect()
        });
        self.keep(&mut b, state, &after[3..], [zero, zero]);
        b.finish()
    }

    fn keep(&self, b: &mut Builder, state: Value, s: &[Value], [j, back]: [Value; 2]) {
        for (at, &row) in self.rows().zip(s) {
            b.store(row, state, at, Endian::Native);
        }
        b.store_low(j, state, J);
        b.store_low(back, state, BACK);
    }
}

/// By how much places change from one group to the next.
fn moved(b: &mut Builder, ty: Type) -> Value {
    b.constant(ty, u64::from_ne_bytes([(GROUP as u8).wrapping_neg(); 8]))
}
