//! Steps of pointers, folded into the displacements of the accesses behind them.

use std::collections::{HashMap, HashSet};

use super::{Address, Kernel, Op, Statement, Value};

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
fn folded(statements: &[Statement], steps: &mut HashMap<Value, (Value, i32)>) -> Vec<Statement> {
    let mut out = Vec::new();
    for statement in statements {
        out.push(match statement {
            Statement::Define(value, ty, Op::Advance(pointer, by)) => {
                let (from, before) = steps.get(pointer).copied().unwrap_or((*pointer, 0));
                steps.insert(*value, (from, before + by));
                Statement::Define(*value, *ty, Op::Advance(from, before + by))
            }
            Statement::Define(value, ty, op) => Statement::Define(*value, *ty, based(op, steps)),
            Statement::Repeat(repeat) => {
                let mut repeat = repeat.clone();
                repeat.body = folded(&repeat.body, steps);
                Statement::Repeat(repeat)
            }
            Statement::Comment(text) => Statement::Comment(text.clone()),
        });
    }
    out
}

/// An operation with its place counted from where its pointer began.
fn based(op: &Op, steps: &HashMap<Value, (Value, i32)>) -> Op {
    let mut op = op.clone();
    if let Op::Load { address, .. }
    | Op::Store { address, .. }
    | Op::InsertByte { address, .. }
    | Op::Broadcast { address, .. } = &mut op
        && let Some((from, by)) = steps.get(&address.base)
    {
        *address = Address { base: *from, offset: address.offset + by, ..*address };
    }
    op
}

/// The values that something needs.
fn uses(statements: &[Statement], used: &mut HashSet<Value>) {
    for statement in statements {
        match statement {
            Statement::Define(_, _, op) => used.extend(op.inputs()),
            Statement::Repeat(repeat) => {
                used.insert(repeat.count);
                used.extend(
                    repeat.carried.iter().flat_map(|carried| [carried.first, carried.next]),
                );
                uses(&repeat.body, used);
            }
            Statement::Comment(_) => {}
        }
    }
}

fn drop_steps(statements: &mut Vec<Statement>, used: &HashSet<Value>) {
    statements.retain(|statement| match statement {
        Statement::Define(value, _, Op::Advance(..)) => used.contains(value),
        _ => true,
    });
    for statement in statements {
        if let Statement::Repeat(repeat) = statement {
            drop_steps(&mut repeat.body, used);
        }
    }
}
