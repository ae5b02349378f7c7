//! Loops of a constant count written out; those done so often or not at all, as one that is done
//! once or not at all.

use std::collections::HashMap;

use super::{Carried, Kernel, Op, Repeat, Statement, Type, Value, renamed};

/// The same kernel with each loop of a constant count written out, if that gives at most
/// `most` operations. `comment` says what a comment inside is to say at time number `n`, from 0.
#[must_use]
pub fn unroll(kernel: &Kernel, most: u64, comment: &dyn Fn(&str, u64) -> String) -> Kernel {
    let mut known = Known::default();
    for param in &kernel.params {
        known.highest = known.highest.max(param.value.0);
    }
    known.survey(&kernel.body);
    let next = known.highest + 1;
    let mut unrolling = Unrolling { most, comment, known, next, names: HashMap::new(), time: None };
    let body = unrolling.statements(&kernel.body);
    Kernel { body, ..kernel.clone() }
}

/// What is known of values.
#[derive(Default)]
struct Known {
    /// The highest one.
    highest: u32,
    constants: HashMap<Value, u64>,
    /// Those that are zero or a certain power of two, with their type and that power's exponent.
    switches: HashMap<Value, (Type, u8)>,
}

impl Known {
    fn survey(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Define(value, ty, op) => {
                    self.highest = self.highest.max(value.0);
                    if let Op::Const(number) = op {
                        self.constants.insert(*value, *number);
                    } else if let Some(exponent) = self.switch(op) {
                        self.switches.insert(*value, (*ty, exponent));
                    }
                }
                Statement::Repeat(repeat) => {
                    let named = repeat
                        .carried
                        .iter()
                        .flat_map(|carried| [carried.inside.0, carried.after.0]);
                    self.highest = named.fold(self.highest, u32::max);
                    self.survey(&repeat.body);
                }
                Statement::Comment(_) => {}
            }
        }
    }

    /// The exponent, if an operation gives zero or a power of two.
    fn switch(&self, op: &Op) -> Option<u8> {
        let constant = |value| self.constants.get(value).copied();
        let all = match op {
            Op::SelectEq { then, otherwise, .. } => match (constant(then)?, constant(otherwise)?) {
                (0, all) | (all, 0) => all,
                _ => return None,
            },
            // The other one of the two.
            Op::Xor(value, other) => {
                let all = constant(other)?;
                let (_, exponent) = self.switches.get(value)?;
                (all == 1 << exponent).then_some(all)?
            }
            _ => return None,
        };
        all.is_power_of_two().then_some(all.trailing_zeros() as u8)
    }
}

struct Unrolling<'a> {
    most: u64,
    comment: &'a dyn Fn(&str, u64) -> String,
    known: Known,
    next: u32,
    /// What values of the description are called here, if not as there.
    names: HashMap<Value, Value>,
    /// Which time of a loop is being written out.
    time: Option<u64>,
}

impl Unrolling<'_> {
    fn name(&self, value: Value) -> Value {
        self.names.get(&value).copied().unwrap_or(value)
    }

    /// A value is defined; in a copy under a name of its own.
    fn define(&mut self, value: Value) -> Value {
        if self.time.is_none() {
            return value;
        }
        let name = self.fresh();
        self.names.insert(value, name);
        name
    }

    fn fresh(&mut self) -> Value {
        self.next += 1;
        Value(self.next - 1)
    }

    fn statements(&mut self, statements: &[Statement]) -> Vec<Statement> {
        let mut out = Vec::new();
        for statement in statements {
            match statement {
                Statement::Comment(text) => out.push(Statement::Comment(match self.time {
                    Some(time) => (self.comment)(text, time),
                    None => text.clone(),
                })),
                Statement::Define(value, ty, op) => {
                    let op = renamed(op, &mut |value| self.name(value));
                    out.push(Statement::Define(self.define(*value), *ty, op));
                }
                Statement::Repeat(repeat) => match self.times(repeat) {
                    Some(times) => self.copies(repeat, times, &mut out),
                    None => match self.switched(repeat) {
                        Some((ty, exponent)) => self.once(repeat, ty, exponent, &mut out),
                        None => out.push(Statement::Repeat(self.repeat(repeat))),
                    },
                },
            }
        }
        out
    }

    /// How many times a loop is written out, if it is.
    fn times(&self, repeat: &Repeat) -> Option<u64> {
        let times = *self.known.constants.get(&repeat.count)?;
        (times.checked_mul(self.size(&repeat.body))? <= self.most).then_some(times)
    }

    fn size(&self, statements: &[Statement]) -> u64 {
        let size = |statement: &Statement| match statement {
            Statement::Define(..) => 1,
            Statement::Repeat(repeat) => self.times(repeat).unwrap_or(1) * self.size(&repeat.body),
            Statement::Comment(_) => 0,
        };
        statements.iter().map(size).sum()
    }

    fn copies(&mut self, repeat: &Repeat, times: u64, out: &mut Vec<Statement>) {
        let outside = self.time;
        let mut around: Vec<Value> =
            repeat.carried.iter().map(|carried| self.name(carried.first)).collect();
        for time in 0..times {
            self.time = Some(time);
            let inside = repeat.carried.iter().map(|carried| carried.inside);
            self.names.extend(inside.zip(around));
            out.extend(self.statements(&repeat.body));
            around = repeat.carried.iter().map(|carried| self.name(carried.next)).collect();
        }
        self.time = outside;
        let after = repeat.carried.iter().map(|carried| carried.after);
        self.names.extend(after.zip(around));
    }

    /// Whether it is done a certain number of times or not at all, and written out: the count's type, and
    /// that number's exponent.
    fn switched(&self, repeat: &Repeat) -> Option<(Type, u8)> {
        let (ty, exponent) = *self.known.switches.get(&repeat.count)?;
        let size = (1u64 << exponent).checked_mul(self.size(&repeat.body))?;
        (exponent > 0 && size <= self.most).then_some((ty, exponent))
    }

    /// All times of a loop in one that is done once or not at all.
    fn once(&mut self, repeat: &Repeat, ty: Type, exponent: u8, out: &mut Vec<Statement>) {
        let count = self.fresh();
        out.push(Statement::Define(count, ty, Op::Shr(self.name(repeat.count), exponent)));
        let firsts: Vec<_> =
            repeat.carried.iter().map(|carried| self.name(carried.first)).collect();
        let mut copied = repeat.clone();
        for carried in &mut copied.carried {
            (carried.first, carried.after) = (self.fresh(), self.fresh());
        }
        let mut body = Vec::new();
        self.copies(&copied, 1 << exponent, &mut body);
        let mut carried = Vec::new();
        for ((first, old), inside) in firsts.into_iter().zip(&repeat.carried).zip(&copied.carried) {
            let (next, after) = (self.name(inside.after), self.define(old.after));
            carried.push(Carried { first, inside: inside.first, next, after, ty: old.ty });
        }
        out.push(Statement::Repeat(Repeat { count, carried, body }));
    }

    fn repeat(&mut self, repeat: &Repeat) -> Repeat {
        let count = self.name(repeat.count);
        let firsts: Vec<_> =
            repeat.carried.iter().map(|carried| self.name(carried.first)).collect();
        let insides: Vec<_> =
            repeat.carried.iter().map(|carried| self.define(carried.inside)).collect();
        let body = self.statements(&repeat.body);
        let mut carried = Vec::new();
        for (n, old) in repeat.carried.iter().enumerate() {
            let (next, after) = (self.name(old.next), self.define(old.after));
            carried.push(Carried { first: firsts[n], inside: insides[n], next, after, ty: old.ty });
        }
        Repeat { count, carried, body }
    }
}
