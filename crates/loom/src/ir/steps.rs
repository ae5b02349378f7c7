//! Steps of pointers made into displacements of what they lead to.

use std::collections::{HashMap, HashSet};

use super::{Kernel, Line, Op, Place, Value, renamed};

/// The same kernel with each place counted from where its pointer began, as far as its steps are known;
/// steps that nobody needs then are left out.
#[must_use]
pub fn fold_steps(kernel: &Kernel) -> Kernel {
    let mut body = folded(&kernel.body, &mut HashMap::new());
    let mut used = HashSet::new();
    uses(&body, &mut used);
    drop_steps(&mut body, &used);
    Kernel { body, ..kernel.clone() }
}

/// `steps` has, for pointers that are known, what they come from and how far they are from it.
fn folded(lines: &[Line], steps: &mut HashMap<Value, (Value, i32)>) -> Vec<Line> {
    let mut out = Vec::new();
    for line in lines {
        out.push(match line {
            Line::Define(value, ty, Op::Advance(pointer, by)) => {
                let (from, before) = steps.get(pointer).copied().unwrap_or((*pointer, 0));
                steps.insert(*value, (from, before + by));
                Line::Define(*value, *ty, Op::Advance(from, before + by))
            }
            Line::Define(value, ty, op) => Line::Define(*value, *ty, based(op, steps)),
            Line::Repeat(repeat) => {
                let mut repeat = repeat.clone();
                repeat.body = folded(&repeat.body, steps);
                Line::Repeat(repeat)
            }
            Line::Comment(text) => Line::Comment(text.clone()),
        });
    }
    out
}

/// An operation with its place counted from where its pointer began.
fn based(op: &Op, steps: &HashMap<Value, (Value, i32)>) -> Op {
    let mut op = op.clone();
    if let Op::Load { place, .. } | Op::Store { place, .. } | Op::Broadcast { place, .. } = &mut op
        && let Some((from, by)) = steps.get(&place.base)
    {
        *place = Place { base: *from, offset: place.offset + by, ..*place };
    }
    op
}

/// The values that something needs.
fn uses(lines: &[Line], used: &mut HashSet<Value>) {
    for line in lines {
        match line {
            Line::Define(_, _, op) => {
                renamed(op, &mut |value| {
                    used.insert(value);
                    value
                });
            }
            Line::Repeat(repeat) => {
                used.insert(repeat.count);
                used.extend(repeat.carried.iter().flat_map(|home| [home.first, home.next]));
                uses(&repeat.body, used);
            }
            Line::Comment(_) => {}
        }
    }
}

fn drop_steps(lines: &mut Vec<Line>, used: &HashSet<Value>) {
    lines.retain(|line| match line {
        Line::Define(value, _, Op::Advance(..)) => used.contains(value),
        _ => true,
    });
    for line in lines {
        if let Line::Repeat(repeat) = line {
            drop_steps(&mut repeat.body, used);
        }
    }
}
