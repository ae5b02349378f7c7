//! What a kernel means: each operation done as it says, one after the other.

use std::collections::HashMap;
use std::fmt;

use super::bytes::{pick_from, pick_two};
use super::{Access, Address, Endian, Kernel, Op, Repeat, Statement, Type, Value};

/// A region of memory that a pointer parameter points into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Its bytes; the pointer points to the first.
    pub bytes: Vec<u8>,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A word.
    Word(u64),
    /// A pointer to the start of a region, by its number in the list of regions.
    Region(usize),
}

/// Why a kernel has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A load or store leaves its region, or the region may not be used so.
    Access(Value),
    /// A look-up behind the end of a table.
    Index(Value),
    /// An operand of a kind that the operation does not take, or an undefined one.
    Operand(Value),
    /// Not the arguments that the parameters ask for.
    Arguments,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Access(value) => write!(f, "v{} reads or writes where it may not", value.0),
            Self::Index(value) => write!(f, "v{} looks up behind the end of its table", value.0),
            Self::Operand(value) => write!(f, "v{} has an operand of the wrong kind", value.0),
            Self::Arguments => f.write_str("the arguments are not those of the parameters"),
        }
    }
}

impl std::error::Error for Fault {}

/// Calls a kernel. Words of native endianness are little-endian here.
///
/// # Errors
/// [`Fault`]; the memory may have changed up to there.
pub fn interpret(
    kernel: &Kernel,
    arguments: &[Scalar],
    memory: &mut [Memory],
) -> Result<(), Fault> {
    if arguments.len() != kernel.params.len() {
        return Err(Fault::Arguments);
    }
    let mut run = Run { kernel, memory, access: HashMap::new(), values: HashMap::new() };
    for (param, argument) in kernel.params.iter().zip(arguments) {
        let content = match (param.ty, *argument) {
            (Type::Pointer, Scalar::Region(region)) if region < run.memory.len() => {
                run.access.insert(region, param.memory.map_or(Access::Read, |(access, _)| access));
                Content::Pointer { region, at: 0 }
            }
            (Type::W32 | Type::W64, Scalar::Word(word)) => Content::Bits(vec![word]),
            _ => return Err(Fault::Arguments),
        };
        run.values.insert(param.value, content);
    }
    run.statements(&kernel.body)
}

/// What a value holds: 64 bits a part, or a place.
#[derive(Clone, Debug)]
enum Content {
    Bits(Vec<u64>),
    Pointer { region: usize, at: i64 },
}

impl Content {
    fn of_bytes(bytes: &[u8]) -> Self {
        let part = |part: &[u8]| part.iter().rfold(0, |sum, byte| sum << 8 | u64::from(*byte));
        Self::Bits(bytes.chunks(8).map(part).collect())
    }
}

struct Run<'a> {
    kernel: &'a Kernel,
    memory: &'a mut [Memory],
    access: HashMap<usize, Access>,
    values: HashMap<Value, Content>,
}

impl Run<'_> {
    fn statements(&mut self, statements: &[Statement]) -> Result<(), Fault> {
        for statement in statements {
            match statement {
                Statement::Define(value, ty, op) => {
                    let content = self.op(*value, *ty, op)?;
                    self.values.insert(*value, content);
                }
                Statement::Repeat(repeat) => self.repeat(repeat)?,
                Statement::Comment(_) => {}
            }
        }
        Ok(())
    }

    fn repeat(&mut self, repeat: &Repeat) -> Result<(), Fault> {
        let count = self.word(repeat.count, repeat.count)?;
        let read = |run: &Self, which: fn(&super::Carried) -> Value| -> Result<Vec<_>, Fault> {
            let values = repeat.carried.iter().map(which);
            values.map(|v| run.values.get(&v).cloned().ok_or(Fault::Operand(v))).collect()
        };
        let mut carried = read(self, |carried| carried.first)?;
        for _ in 0..count {
            for (carried, content) in repeat.carried.iter().zip(carried) {
                self.values.insert(carried.inside, content);
            }
            self.statements(&repeat.body)?;
            carried = read(self, |carried| carried.next)?;
        }
        for (carried, content) in repeat.carried.iter().zip(carried) {
            self.values.insert(carried.after, content);
        }
        Ok(())
    }

    fn parts(&self, at: Value, value: Value) -> Result<&[u64], Fault> {
        match self.values.get(&value) {
            Some(Content::Bits(parts)) => Ok(parts),
            _ => Err(Fault::Operand(at)),
        }
    }

    fn word(&self, at: Value, value: Value) -> Result<u64, Fault> {
        match self.parts(at, value)? {
            [word] => Ok(*word),
            _ => Err(Fault::Operand(at)),
        }
    }

    /// The bytes of a vector, lowest first.
    fn bytes(&self, at: Value, value: Value) -> Result<Vec<u8>, Fault> {
        Ok(self.parts(at, value)?.iter().flat_map(|part| part.to_le_bytes()).collect())
    }

    fn op(&mut self, at: Value, ty: Type, op: &Op) -> Result<Content, Fault> {
        let bits = ty.bits().map_or(64, |bits| bits.min(64));
        let parts = ty.bits().map_or(1, |bits| usize::from(bits).div_ceil(64));
        let keep = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let each = |values: &[Value], f: &dyn Fn(&[u64]) -> u64| -> Result<Content, Fault> {
            let inputs: Result<Vec<_>, _> =
                values.iter().map(|&value| self.parts(at, value)).collect();
            let inputs = inputs?;
            if inputs.iter().any(|input| input.len() != parts) {
                return Err(Fault::Operand(at));
            }
            let part = |n| f(&inputs.iter().map(|input| input[n]).collect::<Vec<_>>()) & keep;
            Ok(Content::Bits((0..parts).map(part).collect()))
        };
        match *op {
            Op::Const(value) => Ok(Content::Bits(vec![value & keep; parts])),
            Op::Xor(a, b) => each(&[a, b], &|v| v[0] ^ v[1]),
            Op::And(a, b) => each(&[a, b], &|v| v[0] & v[1]),
            Op::Or(a, b) => each(&[a, b], &|v| v[0] | v[1]),
            Op::AndNot(a, b) => each(&[a, b], &|v| v[0] & !v[1]),
            Op::Not(a) => each(&[a], &|v| !v[0]),
            Op::Ternary(table, inputs) => each(&inputs, &|v| {
                (0..8).filter(|row| table >> row & 1 == 1).fold(0, |sum, row: u8| {
                    let pick = |n: usize| if row >> (2 - n) & 1 == 1 { v[n] } else { !v[n] };
                    sum | pick(0) & pick(1) & pick(2)
                })
            }),
            Op::Add(a, b) => each(&[a, b], &|v| v[0].wrapping_add(v[1])),
            Op::Shl(a, by) => each(&[a], &|v| v[0] << by),
            Op::Shr(a, by) => each(&[a], &|v| v[0] >> by),
            Op::Rotl(a, by) => each(&[a], &|v| {
                let by = u32::from(by) % u32::from(bits);
                if by == 0 { v[0] } else { v[0] << by | v[0] >> (u32::from(bits) - by) }
            }),
            Op::Compress(a, mask) => each(&[a, mask], &|v| compress(v[0], v[1])),
            Op::Expand(a, mask) => each(&[a, mask], &|v| expand(v[0], v[1])),
            Op::Field { of, shift, bits } => each(&[of], &|v| v[0] >> shift & ((1 << bits) - 1)),
            Op::SwapBytes(a) => each(&[a], &|v| v[0].swap_bytes() >> (64 - bits)),
            Op::Resize(a) => {
                let mut whole = vec![0; parts];
                whole[0] = self.parts(at, a)?[0] & keep;
                Ok(Content::Bits(whole))
            }
            Op::SelectEq { a, b, then, otherwise, .. } if matches!(ty, Type::Vector(_)) => {
                each(&[a, b, then, otherwise], &|v| {
                    let [a, b, then, otherwise] = [v[0], v[1], v[2], v[3]].map(u64::to_le_bytes);
                    let byte = |n: usize| if a[n] == b[n] { then[n] } else { otherwise[n] };
                    u64::from_le_bytes(std::array::from_fn(byte))
                })
            }
            Op::SelectEq { a, b, then, otherwise, .. } => {
                each(&[a, b, then, otherwise], &|v| if v[0] == v[1] { v[2] } else { v[3] })
            }
            Op::Bytes(op, inputs) => {
                let [a, b] = [self.bytes(at, inputs[0])?, self.bytes(at, inputs[1])?];
                if a.len() != 8 * parts || b.len() != 8 * parts || op.least_bits() > bits_of(ty) {
                    return Err(Fault::Operand(at));
                }
                Ok(Content::of_bytes(&op.apply(&a, &b)))
            }
            Op::PickTwo([index, low, high]) => {
                let index = self.bytes(at, index)?;
                let [low, high] = [self.bytes(at, low)?, self.bytes(at, high)?];
                if [&index, &low, &high].iter().any(|bytes| bytes.len() != 8 * parts) {
                    return Err(Fault::Operand(at));
                }
                Ok(Content::of_bytes(&pick_two(&index, &low, &high)))
            }
            Op::PickFrom(ref inputs) => {
                let all: Result<Vec<_>, _> =
                    inputs.iter().map(|&input| self.bytes(at, input)).collect();
                let all = all?;
                if all.iter().any(|bytes| bytes.len() != 8 * parts) || !(2..=5).contains(&all.len())
                {
                    return Err(Fault::Operand(at));
                }
                Ok(Content::of_bytes(&pick_from(&all[0], &all[1..])))
            }
            Op::Lookup(table, index) if matches!(ty, Type::Vector(_)) => {
                let first = usize::try_from(self.word(at, index)?).ok();
                let table = &self.kernel.tables[table.0];
                let each = usize::from(table.entry_bytes);
                let count = 8 * parts / each;
                let entries = first.and_then(|first| table.entries.get(first..)?.get(..count));
                let entries = entries.ok_or(Fault::Index(at))?.iter();
                let bytes: Vec<u8> =
                    entries.flat_map(|entry| entry.to_le_bytes()[..each].to_vec()).collect();
                Ok(Content::of_bytes(&bytes))
            }
            Op::Lookup(table, index) => {
                let index = self.word(at, index)?;
                let entries = &self.kernel.tables[table.0].entries;
                let entry = usize::try_from(index).ok().and_then(|index| entries.get(index));
                Ok(Content::Bits(vec![*entry.ok_or(Fault::Index(at))?]))
            }
            Op::Load { address, bytes, endian, .. } => {
                let taken = self.range(at, &address, bytes, Access::Write)?;
                let mut parts = vec![0u64; parts];
                for (n, byte) in taken.iter().enumerate() {
                    let n = in_order(n, bytes, endian);
                    parts[n / 8] |= u64::from(*byte) << (8 * (n % 8));
                }
                Ok(Content::Bits(parts))
            }
            Op::Broadcast { address, bytes } => {
                let taken = self.range(at, &address, bytes, Access::Write)?;
                let word = taken.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
                let part = if bytes == 4 { word << 32 | word } else { word };
                Ok(Content::Bits(vec![part; parts]))
            }
            Op::InsertByte { into, at: byte, address } => {
                let mut bytes = self.bytes(at, into)?;
                let from = self.range(at, &address, 1, Access::Write)?[0];
                bytes[usize::from(byte)] = from;
                bytes[16..].fill(0);
                Ok(Content::of_bytes(&bytes))
            }
            Op::Store { value, address, bytes, endian, .. } => {
                let parts = self.parts(at, value)?.to_vec();
                for (n, byte) in
                    self.range(at, &address, bytes, Access::Read)?.iter_mut().enumerate()
                {
                    let n = in_order(n, bytes, endian);
                    *byte = (parts[n / 8] >> (8 * (n % 8))) as u8;
                }
                Ok(Content::Bits(parts))
            }
            Op::Advance(pointer, by) => match self.values.get(&pointer) {
                Some(Content::Pointer { region, at }) => {
                    Ok(Content::Pointer { region: *region, at: at + i64::from(by) })
                }
                _ => Err(Fault::Operand(at)),
            },
        }
    }

    /// The bytes of a place, unless its region only allows `refused`.
    fn range(
        &mut self,
        at: Value,
        address: &Address,
        bytes: u8,
        refused: Access,
    ) -> Result<&mut [u8], Fault> {
        let Some(&Content::Pointer { region, at: base }) = self.values.get(&address.base) else {
            return Err(Fault::Operand(at));
        };
        let index = match address.index {
            Some((index, scale)) => self.word(at, index)?.wrapping_mul(u64::from(scale)) as i64,
            None => 0,
        };
        if self.access.get(&region).is_none_or(|&access| access == refused) {
            return Err(Fault::Access(at));
        }
        let start = base.wrapping_add(i64::from(address.offset)).wrapping_add(index);
        let start = usize::try_from(start).map_err(|_| Fault::Access(at))?;
        let end = start.checked_add(usize::from(bytes)).ok_or(Fault::Access(at))?;
        self.memory[region].bytes.get_mut(start..end).ok_or(Fault::Access(at))
    }
}

fn bits_of(ty: Type) -> u16 {
    ty.bits().unwrap_or(64)
}

/// Which byte of the number, from the lowest, byte `n` of memory is.
fn in_order(n: usize, bytes: u8, endian: Endian) -> usize {
    match endian {
        Endian::Big => usize::from(bytes) - 1 - n,
        Endian::Little | Endian::Native => n,
    }
}

/// The places that a mask selects, lowest first.
fn places(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |place| mask >> place & 1 == 1)
}

fn compress(word: u64, mask: u64) -> u64 {
    (0..)
        .zip(places(mask))
        .fold(0, |sum, (n, address): (u32, u32)| sum | (word >> address & 1) << n)
}

fn expand(word: u64, mask: u64) -> u64 {
    (0..)
        .zip(places(mask))
        .fold(0, |sum, (n, address): (u32, u32)| sum | (word >> n & 1) << address)
}
