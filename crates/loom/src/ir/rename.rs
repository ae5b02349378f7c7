//! Operations on other values.

use super::{Address, Op, Value};

/// An operation on other values.
pub(super) fn renamed(op: &Op, name: &mut impl FnMut(Value) -> Value) -> Op {
    let in_place = |address: &Address, name: &mut dyn FnMut(Value) -> Value| Address {
        base: name(address.base),
        index: address.index.map(|(index, scale)| (name(index), scale)),
        ..*address
    };
    match op.clone() {
        op @ Op::Const(_) => op,
        Op::Xor(a, b) => Op::Xor(name(a), name(b)),
        Op::And(a, b) => Op::And(name(a), name(b)),
        Op::Or(a, b) => Op::Or(name(a), name(b)),
        Op::AndNot(a, b) => Op::AndNot(name(a), name(b)),
        Op::Not(a) => Op::Not(name(a)),
        Op::Ternary(table, inputs) => Op::Ternary(table, inputs.map(&mut *name)),
        Op::Add(a, b) => Op::Add(name(a), name(b)),
        Op::Shl(a, by) => Op::Shl(name(a), by),
        Op::Shr(a, by) => Op::Shr(name(a), by),
        Op::Rotl(a, by) => Op::Rotl(name(a), by),
        Op::Compress(a, b) => Op::Compress(name(a), name(b)),
        Op::Expand(a, b) => Op::Expand(name(a), name(b)),
        Op::Field { of, shift, bits } => Op::Field { of: name(of), shift, bits },
        Op::SwapBytes(a) => Op::SwapBytes(name(a)),
        Op::Resize(a) => Op::Resize(name(a)),
        Op::SelectEq { a, b, then, otherwise, rare } => Op::SelectEq {
            a: name(a),
            b: name(b),
            then: name(then),
            otherwise: name(otherwise),
            rare,
        },
        Op::Lookup(table, index) => Op::Lookup(table, name(index)),
        Op::Load { address, bytes, endian, ordered } => {
            Op::Load { address: in_place(&address, name), bytes, endian, ordered }
        }
        Op::Store { value, address, bytes, endian, ordered } => Op::Store {
            value: name(value),
            address: in_place(&address, name),
            bytes,
            endian,
            ordered,
        },
        Op::Broadcast { address, bytes } => {
            Op::Broadcast { address: in_place(&address, name), bytes }
        }
        Op::Bytes(op, inputs) => Op::Bytes(op, inputs.map(&mut *name)),
        Op::PickTwo(inputs) => Op::PickTwo(inputs.map(&mut *name)),
        Op::Advance(pointer, by) => Op::Advance(name(pointer), by),
    }
}
