//! Loads that give the same every time, done once before a repetition.

use std::collections::HashMap;

use super::{Access, Kernel, Line, Op, Place, Value};

/// The same kernel with up to `most` words that its outermost repetitions only read loaded before
/// these: for processors with registers to spare.
#[must_use]
pub fn hoist(kernel: &Kernel, most: usize) -> Kernel {
    let reads = kernel.params.iter().filter(|p| matches!(p.memory, Some((Access::Read, _))));
    // Where pointers lead that keep to what is only read: a parameter, and the bytes from there.
    let mut pointers: HashMap<Value, (Value, i32)> =
        reads.map(|param| (param.value, (param.value, 0))).collect();
    let mut body = Vec::new();
    let mut left = most;
    for line in &kernel.body {
        let Line::Repeat(repeat) = line else {
            body.push(line.clone());
            continue;
        };
        let mut repeat = repeat.clone();
        repeat.body.retain(|line| {
            let Line::Define(value, ty, op) = line else { return true };
            match op {
                Op::Advance(from, by) => {
                    if let Some(&(param, at)) = pointers.get(from) {
                        pointers.insert(*value, (param, at + by));
                    }
                    true
                }
                Op::Load { place, bytes, endian, ordered: false }
                    if left > 0 && place.index.is_none() && pointers.contains_key(&place.base) =>
                {
                    let (base, at) = pointers[&place.base];
                    let place = Place { base, offset: at + place.offset, index: None };
                    let (bytes, endian) = (*bytes, *endian);
                    let load = Op::Load { place, bytes, endian, ordered: false };
                    body.push(Line::Define(*value, *ty, load));
                    left -= 1;
                    false
                }
                _ => true,
            }
        });
        body.push(Line::Repeat(repeat));
    }
    Kernel { body, ..kernel.clone() }
}
