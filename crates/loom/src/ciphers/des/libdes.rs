//! The functions of libdes that were assembly: a block of two words, with libdes' key schedules.
//!
//! The block's bytes are in the words already, the lowest first; a schedule is 16 pairs of words. What
//! the functions compute is defined by OpenSSL's `DES_encrypt1`, `DES_encrypt2`, `DES_encrypt3` and
//! `DES_decrypt3` (`des.h`), which have other names and the same parameters.

use super::layout::{Halves, Layout, Permute};
use super::layout_ops::LayoutOps;
use super::rounds::{crypt, either};
use super::{Direction, Passes, rotated};
use crate::ir::{Access, Builder, Endian, Extent, Kernel, Requirements, Type, Value};

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// `des_encrypt1(data, ks, enc)`: DES; decryption if `enc` is zero.
    Encrypt1,
    /// `des_encrypt2(data, ks, enc)`: the same without IP and IP⁻¹.
    Encrypt2,
    /// `des_encrypt3(data, ks1, ks2, ks3)`: Triple-DES, with all three schedules.
    Encrypt3,
    /// `des_decrypt3(data, ks1, ks2, ks3)`: its inverse.
    Decrypt3,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Encrypt1, Self::Encrypt2, Self::Encrypt3, Self::Decrypt3];

    /// Its name in C.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Encrypt1 => "des_encrypt1",
            Self::Encrypt2 => "des_encrypt2",
            Self::Encrypt3 => "des_encrypt3",
            Self::Decrypt3 => "des_decrypt3",
        }
    }
}

/// One of them, by its tables and its permutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Which one.
    pub function: Function,
    /// Whether its tables have 8 KB rather than 2: fewer instructions, where they stay in the first
    /// cache.
    pub wide: bool,
    /// How IP and its inverse are done: [`Permute::Shifts`] or [`Permute::Matrices`].
    pub permute: Permute,
}

impl Config {
    /// Every one of all kinds.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let each = |(wide, permute)| Function::ALL.map(|function| Self { function, wide, permute });
        let ways = [Permute::Shifts, Permute::Matrices];
        let kinds = [false, true].into_iter().flat_map(|wide| ways.map(|way| (wide, way)));
        kinds.flat_map(each).collect()
    }

    /// A name that is a label everywhere.
    #[must_use]
    pub fn name(self) -> String {
        let kind = if self.wide { "_wide" } else { "" };
        let way = if self.permute == Permute::Matrices { "_matrices" } else { "" };
        format!("{}{kind}{way}", self.function.name())
    }

    pub(in crate::ciphers) fn ways(self) -> impl Iterator<Item = Self> {
        Self::all().into_iter().filter(move |way| way.function == self.function)
    }

    pub(in crate::ciphers) fn requirements(self) -> Requirements {
        Requirements {
            wide_words: self.wide,
            rotation: true,
            large_tables: self.wide,
            products: self.permute == Permute::Matrices,
            selection: true,
            ..Requirements::default()
        }
    }

    const fn layout(self) -> Layout {
        if self.wide { Layout::ReversedWide } else { Layout::Reversed }
    }

    /// The kernel. Its parameters are those of the function.
    #[must_use]
    pub fn kernel(self) -> Kernel {
        let doc = match self.function {
            Function::Encrypt1 => "libdes: a block of DES, decrypted if enc is zero.",
            Function::Encrypt2 => "libdes: as des_encrypt1, between IP and the inverse of IP.",
            Function::Encrypt3 => "libdes: a block of Triple-DES encrypted.",
            Function::Decrypt3 => "libdes: a block of Triple-DES decrypted.",
        };
        let mut b = Builder::new(self.name(), doc);
        let block = Extent::Fixed(8);
        let data = b.pointer("data", Access::ReadWrite, block, "the block, in two words, in place");
        match self.function {
            Function::Encrypt1 | Function::Encrypt2 => self.one(&mut b, data),
            Function::Encrypt3 => self.three(&mut b, data, Direction::Encrypt),
            Function::Decrypt3 => self.three(&mut b, data, Direction::Decrypt),
        }
        b.finish()
    }

    fn one(self, b: &mut Builder, data: Value) {
        let schedule = schedule(b, "ks", "the key schedule");
        let encrypt = b.word("enc", Type::W32, "0 to decrypt, anything else to encrypt");
        let ops = LayoutOps::new(b, self.layout(), self.permute, 1);
        if self.function == Function::Encrypt1 {
            b.comment("IP");
            let block = ops.enter(b, data, 0);
            let block = either(b, &ops, block, schedule, encrypt);
            b.comment("inverse of IP");
            ops.leave(b, block, data, 0);
            return;
        }
        // Halves are in the words as IP leaves them, R first.
        let [r, l] = [0, 4].map(|offset| b.load(data, offset, Type::W32, Endian::Native));
        let block = rotated::rotated(b, Halves { l, r });
        let block = either(b, &ops, block, schedule, encrypt);
        let Halves { l, r } = rotated::straight(b, block);
        b.store(r, data, 0, Endian::Native);
        b.store(l, data, 4, Endian::Native);
    }

    fn three(self, b: &mut Builder, data: Value, direction: Direction) {
        let names = [("ks1", "schedule of KEY1"), ("ks2", "of KEY2"), ("ks3", "of KEY3")];
        let mut schedules = names.map(|(name, doc)| schedule(b, name, doc));
        let ops = LayoutOps::new(b, self.layout(), self.permute, 1);
        b.comment("IP");
        let mut block = ops.enter(b, data, 0);
        let mut to = direction;
        if direction == Direction::Decrypt {
            schedules.reverse();
        }
        for schedule in schedules {
            block = crypt(b, &ops, &[block], schedule, Passes::One, to)[0];
            to = match to {
                Direction::Encrypt => Direction::Decrypt,
                Direction::Decrypt => Direction::Encrypt,
            };
        }
        b.comment("inverse of IP");
        ops.leave(b, block, data, 0);
    }
}

fn schedule(b: &mut Builder, name: &str, doc: &str) -> Value {
    let schedule = b.pointer(name, Access::Read, Extent::Fixed(128), doc);
    b.masked(schedule, Layout::Reversed.mask());
    schedule
}
