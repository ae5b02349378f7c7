//! Whether a kernel is well formed: every value defined once and before its use, types that fit.

use std::collections::HashMap;
use std::fmt;

use super::{Kernel, Op, Statement, Type, Value};

/// What is wrong with a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A value is defined twice.
    Redefined(Value),
    /// `user` reads a value that is not defined there.
    Undefined {
        /// Who reads.
        user: Value,
        /// What it reads.
        value: Value,
    },
    /// The types of a definition's operands do not go with it.
    Types(Value),
    /// A table's entry does not fit its bytes.
    Table(usize),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Redefined(value) => write!(f, "{value} is defined twice"),
            Self::Undefined { user, value } => write!(f, "{user} reads {value} before it is there"),
            Self::Types(value) => write!(f, "{value} has operands of types that do not fit"),
            Self::Table(n) => write!(f, "an entry of table {n} is too large"),
        }
    }
}

impl std::error::Error for Defect {}

/// Checks a kernel.
///
/// # Errors
/// The first [`Defect`].
pub fn verify(kernel: &Kernel) -> Result<(), Defect> {
    for (n, table) in kernel.tables.iter().enumerate() {
        let bits = 8 * u32::from(table.entry_bytes);
        if bits < 64 && table.entries.iter().any(|entry| entry >> bits != 0) {
            return Err(Defect::Table(n));
        }
    }
    let mut scope = Scope { types: HashMap::new() };
    for param in &kernel.params {
        scope.define(param.value, param.ty)?;
    }
    scope.statements(&kernel.body)
}

struct Scope {
    types: HashMap<Value, Type>,
}

impl Scope {
    fn define(&mut self, value: Value, ty: Type) -> Result<(), Defect> {
        match self.types.insert(value, ty) {
            Some(_) => Err(Defect::Redefined(value)),
            None => Ok(()),
        }
    }

    fn ty(&self, user: Value, value: Value) -> Result<Type, Defect> {
        self.types.get(&value).copied().ok_or(Defect::Undefined { user, value })
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<(), Defect> {
        for statement in statements {
            match statement {
                Statement::Comment(_) => {}
                Statement::Define(value, ty, op) => {
                    for input in op.inputs() {
                        self.ty(*value, input)?;
                    }
                    if !self.fits(*value, *ty, op)? {
                        return Err(Defect::Types(*value));
                    }
                    self.define(*value, *ty)?;
                }
                Statement::Repeat(repeat) => {
                    let user = repeat.carried.first().map_or(repeat.count, |c| c.inside);
                    self.ty(user, repeat.count)?;
                    for carried in &repeat.carried {
                        if self.ty(carried.inside, carried.first)? != carried.ty {
                            return Err(Defect::Types(carried.inside));
                        }
                    }
                    // What the body defines ends with it: it may have run no time at all.
                    let outside = self.types.clone();
                    for carried in &repeat.carried {
                        self.define(carried.inside, carried.ty)?;
                    }
                    self.statements(&repeat.body)?;
                    for carried in &repeat.carried {
                        if self.ty(carried.after, carried.next)? != carried.ty {
                            return Err(Defect::Types(carried.after));
                        }
                    }
                    self.types = outside;
                    for carried in &repeat.carried {
                        self.define(carried.after, carried.ty)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn fits(&self, at: Value, ty: Type, op: &Op) -> Result<bool, Defect> {
        let word = |value: Value| -> Result<bool, Defect> {
            Ok(matches!(self.ty(at, value)?, Type::W32 | Type::W64))
        };
        let same = |values: &[Value]| -> Result<bool, Defect> {
            for &value in values {
                if self.ty(at, value)? != ty {
                    return Ok(false);
                }
            }
            Ok(ty != Type::Pointer)
        };
        Ok(match op {
            Op::Const(_) => ty != Type::Pointer,
            Op::Xor(a, b) | Op::And(a, b) | Op::Or(a, b) | Op::AndNot(a, b) | Op::Add(a, b) => {
                same(&[*a, *b])?
            }
            Op::Compress(a, mask) | Op::Expand(a, mask) => same(&[*a, *mask])? && word(*a)?,
            Op::Not(a) => same(&[*a])?,
            Op::Ternary(_, inputs) => same(inputs)?,
            Op::SelectEq { a, b, then, otherwise, .. } => same(&[*a, *b, *then, *otherwise])?,
            Op::Shl(a, by) | Op::Shr(a, by) | Op::Rotl(a, by) => {
                same(&[*a])? && ty.bits().is_some_and(|bits| u16::from(*by) < bits.min(64))
            }
            Op::Field { of, shift, bits } => {
                let end = u16::from(*shift) + u16::from(*bits);
                same(&[*of])?
                    && word(*of)?
                    && *bits > 0
                    && *bits < 64
                    && ty.bits().is_some_and(|width| end <= width)
            }
            Op::SwapBytes(a) => same(&[*a])? && word(*a)?,
            // Of two vectors one would have been made of the other's words.
            Op::Resize(a) => match ty {
                Type::W32 | Type::W64 => self.ty(at, *a)? != Type::Pointer,
                Type::Vector(_) => word(*a)?,
                Type::Pointer => false,
            },
            Op::Lookup(_, index) => word(*index)? && ty != Type::Pointer,
            Op::Bytes(op, inputs) => {
                same(inputs)? && matches!(ty, Type::Vector(bits) if bits >= op.least_bits())
            }
            Op::PickTwo(inputs) => same(inputs)? && matches!(ty, Type::Vector(_)),
            Op::PickFrom(inputs) => {
                same(inputs)? && matches!(ty, Type::Vector(_)) && (2..=5).contains(&inputs.len())
            }
            Op::Load { address, bytes, .. } => {
                self.ty(at, address.base)? == Type::Pointer
                    && address.index.map_or(Ok(true), |(index, _)| word(index))?
                    && ty.bits().is_some_and(|bits| u16::from(*bytes) * 8 <= bits)
            }
            Op::InsertByte { into, at: byte, address } => {
                self.ty(at, address.base)? == Type::Pointer
                    && address.index.map_or(Ok(true), |(index, _)| word(index))?
                    && *byte < 16
                    && same(&[*into])?
                    && matches!(ty, Type::Vector(128..))
            }
            Op::Broadcast { address, bytes } => {
                self.ty(at, address.base)? == Type::Pointer
                    && address.index.map_or(Ok(true), |(index, _)| word(index))?
                    && matches!(bytes, 4 | 8)
                    && matches!(ty, Type::Vector(_))
            }
            Op::Store { value, address, bytes, .. } => {
                self.ty(at, address.base)? == Type::Pointer
                    && address.index.map_or(Ok(true), |(index, _)| word(index))?
                    && same(&[*value])?
                    && ty.bits().is_some_and(|bits| u16::from(*bytes) * 8 <= bits)
            }
            Op::Advance(pointer, _) => {
                ty == Type::Pointer && self.ty(at, *pointer)? == Type::Pointer
            }
        })
    }
}
