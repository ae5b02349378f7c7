//! Words to instructions, by the formats of "PA-RISC 2.0 Architecture", appendix C. Bits count from the lowest here.

use super::LINK;
use crate::Result;
use crate::machine::fields::hppa::{Address, Alu, Instruction, Op};

/// A word of 32 bits, of which fields are taken.
#[derive(Clone, Copy)]
struct Word(u32);

impl Word {
    fn field(self, low: u32, bits: u32) -> u32 {
        self.0 >> low & ((1 << bits) - 1)
    }

    fn is(self, bit: u32) -> bool {
        self.field(bit, 1) == 1
    }

    /// A register's number.
    fn register(self, low: u32) -> usize {
        self.field(low, 5) as usize
    }

    fn number(self, low: u32, bits: u32) -> usize {
        self.field(low, bits) as usize
    }

    /// A field whose sign is its lowest bit.
    fn signed(self, low: u32, bits: u32) -> i64 {
        let field = i64::from(self.field(low, bits));
        (field >> 1) - ((field & 1) << (bits - 1))
    }

    /// How many bits are extracted or deposited.
    fn length(self) -> usize {
        32 * self.number(12, 1) + 32 - self.number(0, 5)
    }

    /// A place of a bit.
    fn place(self) -> usize {
        32 * self.number(11, 1) + self.number(5, 5)
    }

    /// The 21 bits of `ldil` in their order.
    fn high(self) -> i64 {
        let parts = [(0, 1), (1, 11), (14, 2), (16, 5), (12, 2)];
        let all = parts.iter().fold(0, |all, &(low, bits)| all << bits | self.field(low, bits));
        i64::from((all << 11) as i32)
    }

    /// Where a branch at an address leads, by the 12 bits of its distance.
    fn target(self, address: u64) -> u64 {
        let distance = self.field(0, 1) << 11 | self.field(2, 1) << 10 | self.field(3, 10);
        let distance = i64::from((distance << 20) as i32 >> 20);
        address.wrapping_add(8).wrapping_add_signed(4 * distance)
    }
}

/// The instruction that some bytes begin with.
pub(in crate::machine) fn decode(bytes: &[u8], address: u64) -> Result<Instruction> {
    let word = bytes.first_chunk().ok_or("no instruction")?;
    let word = u32::from_be_bytes(*word);
    let op = op(Word(word), address);
    let op = op.ok_or_else(|| format!("no instruction that the prover knows: {word:08x}"))?;
    Ok(Instruction { address, op })
}

fn op(word: Word, address: u64) -> Option<Op> {
    let (high, low) = (word.register(21), word.register(16));
    Some(match word.field(26, 6) {
        0x00 if word.field(5, 21) == 0xa5 => Op::Here { t: word.register(0) },
        0x02 => arithmetic(word)?,
        0x03 => short(word)?,
        0x08 => Op::High { t: high, value: word.high() },
        0x0d => Op::Offset { t: low, base: high, by: offset(word)? },
        0x10 => load(word, 1, Address::Offset(offset(word)?)),
        0x12 => load(word, 4, Address::Offset(offset(word)?)),
        0x14 => load(word, 8, double(word)?),
        0x18 => store(word, 1, Address::Offset(offset(word)?)),
        0x1a => store(word, 4, Address::Offset(offset(word)?)),
        0x1c => store(word, 8, double(word)?),
        // Distances of a shift count from the other end.
        0x34 if word.field(12, 4) == 0 && word.is(10) && high == low => {
            Op::Turn { t: word.register(0), x: low, by: 63 - word.place() }
        }
        // No condition, and no sign.
        0x36 if word.field(13, 3) == 0 && !word.is(10) => {
            Op::Extract { t: low, x: high, last: word.place(), bits: word.length() }
        }
        0x3c if word.field(13, 3) == 0 => {
            let (last, bits) = (63 - word.place(), word.length());
            Op::Deposit { clears: !word.is(10), t: high, x: low, last, bits }
        }
        0x3e => halfwords(word)?,
        _ => branch(word, address)?,
    })
    .filter(is_whole)
}

/// Whether a field of bits lies in a register.
fn is_whole(op: &Op) -> bool {
    match op {
        Op::Extract { last, bits, .. } | Op::Deposit { last, bits, .. } => *bits <= last + 1,
        _ => true,
    }
}

fn arithmetic(word: Word) -> Option<Op> {
    let (t, x, y) = (word.register(0), word.register(16), word.register(21));
    let alu = |alu| Op::Alu { alu, t, x, y };
    // The condition, whether it is negated, the operation, and whether the condition is on 64 bits.
    Some(match (word.field(13, 3), word.is(12), word.field(6, 6), word.is(5)) {
        (0, false, 0x08, false) => alu(Alu::And),
        (0, false, 0x09, false) => alu(Alu::Or),
        (0, false, 0x0a, false) => alu(Alu::Xor),
        (0, false, 0x28, false) => alu(Alu::Add),
        (0, false, by @ 0x29..=0x2b, false) => Op::ShiftAdd { by: by as usize - 0x28, t, x, y },
        (1, true, 0x22, true) if t == 0 => Op::SkipUnlessEqual { x, y },
        _ => return None,
    })
}

/// Loads and stores with 5 bits of an offset, or an index. No space register is named, and no cache.
fn short(word: Word) -> Option<Op> {
    if word.field(14, 2) != 0 || word.field(10, 2) != 0 {
        return None;
    }
    let bytes = [1, 2, 4, 8][word.number(6, 2)];
    let address = |by| match (word.is(5), word.is(13)) {
        (false, false) => Some(Address::Offset(by)),
        (true, false) if by != 0 => Some(Address::After(by)),
        (true, true) => Some(Address::Before(by)),
        _ => None,
    };
    Some(match (word.is(12), word.field(8, 2), word.is(5)) {
        (false, 0, false) => load(word, bytes, Address::Index(word.register(16), word.is(13))),
        (true, 0, _) => {
            let t = word.register(0);
            let address = address(word.signed(16, 5))?;
            Op::Load { bytes, t, base: word.register(21), address }
        }
        (true, 2, _) => store(word, bytes, address(word.signed(0, 5))?),
        _ => return None,
    })
    .filter(|_| bytes != 2)
}

/// A load: where its result goes depends on its address.
fn load(word: Word, bytes: usize, address: Address) -> Op {
    let t = if let Address::Index(..) = address { word.register(0) } else { word.register(16) };
    Op::Load { bytes, t, base: word.register(21), address }
}

fn store(word: Word, bytes: usize, address: Address) -> Op {
    Op::Store { bytes, x: word.register(16), base: word.register(21), address }
}

/// 14 bits of an offset. No space register is named.
fn offset(word: Word) -> Option<i64> {
    (word.field(14, 2) == 0).then(|| word.signed(0, 14))
}

/// The same for 8 bytes, where the base may change.
fn double(word: Word) -> Option<Address> {
    let by = offset(Word(word.0 & !0xe))?;
    match word.field(1, 3) {
        0 => Some(Address::Offset(by)),
        4 => Some(Address::After(by)),
        6 => Some(Address::Before(by)),
        _ => None,
    }
}

fn halfwords(word: Word) -> Option<Op> {
    let (t, high, low) = (word.register(0), word.register(21), word.register(16));
    let by = word.number(6, 4);
    Some(match (word.field(10, 6), word.is(5)) {
        (0x22, false) if high == 0 => Op::ShiftHalfwords { left: true, t, x: low, by },
        (0x32, false) if low == 0 => Op::ShiftHalfwords { left: false, t, x: high, by },
        (_, false) if !word.is(15) && !word.is(12) && high == low => {
            let order = [13, 10, 8, 6].map(|at| word.number(at, 2));
            Op::Halfwords { t, x: high, order }
        }
        _ => return None,
    })
}

fn branch(word: Word, address: u64) -> Option<Op> {
    let (x, target) = (word.register(21), word.target(address));
    let (number, condition, skips) = (word.signed(16, 5), word.field(13, 3), word.is(1));
    Some(match (word.field(26, 6), number, condition, skips) {
        // Of a jump back it is what stands behind that is done where it is taken.
        (0x3b, 0, 1, true) if target >= address.wrapping_add(8) => Op::IfZero { x, target },
        (0x3b, 0, 5, false) => Op::UnlessZero { x, target },
        (0x2b, -1, 1, false) => Op::Again { x, target },
        (0x3a, ..) if word.0 == 0xe800_d000 | (LINK as u32) << 21 => Op::Return,
        _ => return None,
    })
}
