//! Loads that give the same every time, done once before a loop.

use std::collections::HashMap;

use super::{Access, Address, Kernel, Op, Statement, Value};

/// The same kernel with up to `most` words that its outermost loops only read loaded before
/// these: for processors with registers to spare.
#[must_use]
pub fn hoist(kernel: &Kernel, most: usize) -> Kernel {
    let reads = kernel.params.iter().filter(|p| matches!(p.memory, Some((Access::Read, _))));
    // Where pointers lead that keep to what is only read: a parameter, and the bytes from there.
    let mut pointers: HashMap<Value, (Value, i32)> =
        reads.map(|param| (param.value, (param.value, 0))).collect();
    let mut body = Vec::new();
    let mut left = most;
    for statement in &kernel.body {
        let Statement::Repeat(repeat) = statement else {
            body.push(statement.clone());
            continue;
        };
        let mut repeat = repeat.clone();
        repeat.body.retain(|statement| {
            let Statement::Define(value, ty, op) = statement else { return true };
            match op {
                Op::Advance(from, by) => {
                    if let Some(&(param, at)) = pointers.get(from) {
                        pointers.insert(*value, (param, at + by));
                    }
                    true
                }
                Op::Load { address, bytes, endian, ordered: false }
                    if left > 0
                        && address.index.is_none()
                        && pointers.contains_key(&address.base) =>
                {
                    let (base, at) = pointers[&address.base];
                    let address = Address { base, offset: at + address.offset, index: None };
                    let (bytes, endian) = (*bytes, *endian);
                    let load = Op::Load { address, bytes, endian, ordered: false };
                    body.push(Statement::Define(*value, *ty, load));
                    left -= 1;
                    false
                }
                _ => true,
            }
        });
        body.push(Statement::Repeat(repeat));
    }
    Kernel { body, ..kernel.clone() }
}
