//! Words to instructions, by the tables of "Arm Architecture Reference Manual for A-profile", C4.1.

use crate::Result;
use crate::machine::fields::aarch64::{Address, Bitwise, Direction, Instruction, Kind, Op, Turn};

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

    /// A field with a sign.
    fn signed(self, low: u32, bits: u32) -> i64 {
        i64::from(((self.field(low, bits) << (32 - bits)) as i32) >> (32 - bits))
    }

    fn matches(self, mask: u32, value: u32) -> bool {
        self.0 & mask == value
    }
}

/// The instruction that some bytes begin with.
pub(in crate::machine) fn decode(bytes: &[u8], address: u64) -> Result<Instruction> {
    let word = bytes.first_chunk().ok_or("no instruction")?;
    let word = u32::from_le_bytes(*word);
    let op = op(Word(word), address);
    let op = op.ok_or_else(|| format!("no instruction that the prover knows: {word:08x}"))?;
    Ok(Instruction { address, op })
}

fn op(word: Word, address: u64) -> Option<Op> {
    // Loads and stores have bit 27 and not bit 25; bits 27 to 25 are 111 for vectors.
    match word.field(25, 4) {
        0b1000 | 0b1001 => immediate(word, address),
        0b1010 | 0b1011 => branch(word, address),
        0b0101 | 0b1101 => registers(word),
        0b0100 | 0b0110 | 0b1100 | 0b1110 => transfer(word),
        0b0111 | 0b1111 => vectors(word),
        _ => None,
    }
}

fn branch(word: Word, address: u64) -> Option<Op> {
    let to = |offset: i64| address.wrapping_add_signed(4 * offset);
    Some(match word {
        _ if word.0 == 0xd503_201f => Op::Hint(0),
        _ if word.0 == 0xd503_245f => Op::Hint(34),
        _ if word.0 == 0xd65f_03c0 => Op::Return,
        _ if word.matches(0xfc00_0000, 0x1400_0000) => Op::Branch(to(word.signed(0, 26))),
        _ if word.matches(0xff00_001f, 0x5400_0000) => Op::BranchEqual(to(word.signed(5, 19))),
        _ if word.matches(0xfe00_0000, 0xb400_0000) => Op::BranchZero {
            nonzero: word.is(24),
            rt: word.register(0),
            target: to(word.signed(5, 19)),
        },
        _ => return None,
    })
}

/// The mask that 13 bits stand for: ones, rotated in an element, in all elements.
fn mask(wide: bool, n: u32, rotate: u32, ones: u32) -> Option<u64> {
    let length = (n << 6 | (!ones & 0x3f)).checked_ilog2()?;
    if length == 0 || n == 1 && !wide {
        return None;
    }
    let size = 1 << length;
    let (ones, rotate) = (ones & (size - 1), rotate & (size - 1));
    if ones == size - 1 {
        return None;
    }
    let bit = |k: u32| u64::from((k % size + rotate) % size <= ones) << k;
    Some((0..if wide { 64 } else { 32 }).fold(0, |mask, k| mask | bit(k)))
}

fn logic(word: Word) -> Option<Bitwise> {
    // 3 is an AND that sets flags.
    [Bitwise::And, Bitwise::Orr, Bitwise::Eor].get(word.field(29, 2) as usize).copied()
}

fn immediate(word: Word, address: u64) -> Option<Op> {
    let (wide, rd, rn) = (word.is(31), word.register(0), word.register(5));
    let (middle, low) = (word.field(16, 6), word.field(10, 6));
    Some(match word.field(23, 6) {
        0b10_0000 | 0b10_0001 if wide => {
            let pages = word.signed(5, 19) << 2 | i64::from(word.field(29, 2));
            Op::Page { rd, page: (address & !0xfff).wrapping_add_signed(pages << 12) }
        }
        0b10_0010 if !word.is(29) => {
            let (high, value) = (word.is(22), u64::from(word.field(10, 12)));
            Op::AddImmediate { subtract: word.is(30), wide, rd, rn, value, high }
        }
        0b10_0100 if rd != 31 => {
            let mask = mask(wide, word.field(22, 1), middle, low)?;
            Op::LogicImmediate { logic: logic(word)?, wide, rd, rn, mask }
        }
        0b10_0101 if matches!(word.field(29, 2), 2 | 3) && (wide || !word.is(22)) => Op::Move {
            keep: word.is(29),
            wide,
            rd,
            value: u64::from(word.field(5, 16)),
            by: 16 * word.field(21, 2),
        },
        0b10_0110 if word.field(29, 2) == 2 && is_width(word, wide) => {
            Op::Bits { wide, rd, rn, first: middle as usize, last: low as usize }
        }
        0b10_0111 if word.field(29, 2) == 0 && !word.is(21) && is_width(word, wide) => {
            Op::Extract { wide, rd, rn, rm: word.register(16), first: low as usize }
        }
        _ => return None,
    })
}

/// Whether bit 22 repeats the width, and no number of a bit is beyond 32 bits.
fn is_width(word: Word, wide: bool) -> bool {
    let is_low = !word.is(15) && (!word.is(21) || word.field(23, 6) == 0b10_0111);
    word.is(22) == wide && (wide || is_low)
}

fn registers(word: Word) -> Option<Op> {
    let (wide, rd, rn, rm) = (word.is(31), word.register(0), word.register(5), word.register(16));
    let by = word.field(10, 6) as usize;
    Some(match word {
        _ if word.matches(0x1f20_0000, 0x0a00_0000) && (wide || by < 32) => {
            let turn = match word.field(22, 2) {
                0 => Turn::Left,
                1 => Turn::Right,
                3 => Turn::Rotate,
                _ => return None,
            };
            Op::Logic { logic: logic(word)?, wide, rd, rn, rm, turn, by }
        }
        _ if word.matches(0x7fe0_fc00, 0x0b00_0000) => Op::Add { wide, rd, rn, rm },
        _ if word.matches(0xffe0_fc1f, 0x6b00_001f) => Op::Compare { rn, rm },
        _ if word.matches(0xffe0_fc00, 0x9a80_0000) => Op::Select { rd, rn, rm },
        _ => return None,
    })
}

fn transfer(word: Word) -> Option<Op> {
    let (rt, rn, rm) = (word.register(0), word.register(5), word.register(16));
    let is_vector = word.is(26);
    if word.field(27, 3) == 0b101 {
        let kind = match (word.field(30, 2), is_vector) {
            (2, false) => Kind::Double,
            (1, true) => Kind::Half,
            _ => return None,
        };
        let offset = word.signed(15, 7) * kind.bytes() as i64;
        let address = match word.field(23, 2) {
            1 => Address::After(offset),
            2 => Address::Offset(offset),
            3 => Address::Before(offset),
            _ => return None,
        };
        let (direction, second) = (direction(word.is(22)), word.register(10));
        let is_twice = direction == Direction::Load && rt == second;
        let pair = Op::Pair { direction, kind, rt, second, rn, address };
        return (!is_twice && !writes(kind, address, rn, &[rt, second])).then_some(pair);
    }
    if word.field(27, 3) != 0b111 {
        return None;
    }
    let (kind, is_load) = match (word.field(30, 2), is_vector, word.field(22, 2)) {
        (0, false, load @ (0 | 1)) => (Kind::Byte, load == 1),
        (2, false, load @ (0 | 1)) => (Kind::Word, load == 1),
        (3, false, load @ (0 | 1)) => (Kind::Double, load == 1),
        (3, true, load @ (0 | 1)) => (Kind::Half, load == 1),
        (0, true, load @ (2 | 3)) => (Kind::Vector, load == 3),
        _ => return None,
    };
    let scale = kind.bytes().ilog2();
    let near = word.signed(12, 9);
    let address = match (word.field(24, 2), word.is(21), word.field(10, 2)) {
        (1, ..) => Address::Offset(i64::from(word.field(10, 12)) << scale),
        (0, false, 0) => Address::Unscaled(near),
        (0, false, 1) => Address::After(near),
        (0, false, 3) => Address::Before(near),
        (0, true, 2) if word.field(13, 3) == 3 && !(kind == Kind::Byte && word.is(12)) => {
            Address::Index(rm, if word.is(12) { scale } else { 0 })
        }
        _ => return None,
    };
    let op = Op::Transfer { direction: direction(is_load), kind, rt, rn, address };
    (!writes(kind, address, rn, &[rt])).then_some(op)
}

fn direction(is_load: bool) -> Direction {
    if is_load { Direction::Load } else { Direction::Store }
}

/// Whether the base is changed that is also loaded or stored, which does what a processor likes.
fn writes(kind: Kind, address: Address, base: usize, registers: &[usize]) -> bool {
    let is_changed = matches!(address, Address::Before(_) | Address::After(_));
    is_changed && !kind.is_vector() && base != 31 && registers.contains(&base)
}

impl Kind {
    /// Its bytes in memory.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Word => 4,
            Self::Double | Self::Half => 8,
            Self::Vector => 16,
        }
    }

    /// Whether registers of it are vectors.
    pub(super) fn is_vector(self) -> bool {
        matches!(self, Self::Half | Self::Vector)
    }
}

fn vectors(word: Word) -> Option<Op> {
    use Bitwise::{And, Bic, Bif, Bit, Bsl, Eor, Orn, Orr};
    let (rd, rn, rm, ra) =
        (word.register(0), word.register(5), word.register(16), word.register(10));
    Some(match word {
        _ if word.matches(0xdf20_fc00, 0x4e20_1c00) => {
            let all = [And, Bic, Orr, Orn, Eor, Bsl, Bit, Bif];
            let number = 4 * word.field(29, 1) + word.field(22, 2);
            Op::Vectors { bitwise: all[number as usize], rd, rn, rm }
        }
        _ if word.matches(0xffe0_8000, 0xce00_0000) => Op::Eor3 { rd, rn, rm, ra },
        _ if word.matches(0xffe0_8000, 0xce20_0000) => Op::Bcax { rd, rn, rm, ra },
        _ if word.matches(0xffff_fc00, 0x6e20_5800) => Op::Not { rd, rn },
        _ if word.matches(0xff20_bc00, 0x4e00_2800) => {
            let element = 8 << word.field(22, 2);
            Op::Transpose { odd: word.is(14), element, rd, rn, rm }
        }
        _ if word.matches(0xff20_fc00, 0x4e00_3800) => {
            Op::Zip { element: 8 << word.field(22, 2), rd, rn, rm }
        }
        _ if word.matches(0xffe0_9c00, 0x4e00_0000) => {
            Op::LookUp { count: 1 + word.field(13, 2) as usize, rd, rn, rm }
        }
        _ if word.matches(0xffe0_fc00, 0x6e20_4400) => Op::ShiftBytes { rd, rn, rm },
        _ if word.matches(0xffe0_fc00, 0x4e20_bc00) => Op::AddPairs { rd, rn, rm },
        _ if word.matches(0xffff_fc00, 0x4e08_0c00) => Op::Duplicate { both: true, rd, rn },
        _ if word.matches(0xffff_fc00, 0x9e67_0000) => Op::Duplicate { both: false, rd, rn },
        _ if word.matches(0xffff_fc00, 0x9e66_0000) => Op::Lower { rd, rn },
        // Bytes, or a bit for each byte of a half.
        _ if word.matches(0xdff8_fc00, 0x4f00_e400) => {
            let byte = u64::from(word.field(16, 3) << 5 | word.field(5, 5));
            let bytes = !word.is(29);
            let value = if bytes {
                byte * 0x0101_0101_0101_0101
            } else {
                (0..8).fold(0, |value, n| value | ((byte >> n & 1) * 0xff) << (8 * n))
            };
            Op::Constant { rd, value, bytes }
        }
        _ if word.matches(0xdf80_0400, 0x4f00_0400) => {
            let element = 8 << word.field(19, 4).checked_ilog2()?;
            let number = word.field(16, 7) as usize;
            let (left, insert) = match (word.is(29), word.field(11, 5)) {
                (true, 0b00000) => (false, false),
                (true, 0b01000) => (false, true),
                (false, 0b01010) => (true, false),
                (true, 0b01010) => (true, true),
                _ => return None,
            };
            let by = if left { number - element } else { 2 * element - number };
            Op::Shift { left, insert, element, by, rd, rn }
        }
        _ => return None,
    })
}
