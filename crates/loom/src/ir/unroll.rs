//! Repetitions of a constant count written out.

use std::collections::HashMap;

use super::{Carried, Kernel, Line, Op, Repeat, Value, renamed};

/// The same kernel with each repetition of a constant count written out, if that gives at most
/// `most` operations. `remark` says what a remark inside is to say at time number `n`, from 0.
#[must_use]
pub fn unroll(kernel: &Kernel, most: u64, remark: &dyn Fn(&str, u64) -> String) -> Kernel {
    let mut highest = 0;
    let mut constants = HashMap::new();
    for param in &kernel.params {
        highest = highest.max(param.value.0);
    }
    survey(&kernel.body, &mut highest, &mut constants);
    let mut unrolling =
        Unrolling { most, remark, constants, next: highest + 1, names: HashMap::new(), time: None };
    let body = unrolling.lines(&kernel.body);
    Kernel { body, ..kernel.clone() }
}

/// The highest value, and the constants.
fn survey(lines: &[Line], highest: &mut u32, constants: &mut HashMap<Value, u64>) {
    for line in lines {
        match line {
            Line::Define(value, _, op) => {
                *highest = (*highest).max(value.0);
                if let Op::Const(number) = op {
                    constants.insert(*value, *number);
                }
            }
            Line::Repeat(repeat) => {
                let named = repeat.carried.iter().flat_map(|home| [home.inside.0, home.after.0]);
                *highest = named.fold(*highest, u32::max);
                survey(&repeat.body, highest, constants);
            }
            Line::Remark(_) => {}
        }
    }
}

struct Unrolling<'a> {
    most: u64,
    remark: &'a dyn Fn(&str, u64) -> String,
    constants: HashMap<Value, u64>,
    next: u32,
    /// What values of the description are called here, if not as there.
    names: HashMap<Value, Value>,
    /// Which time of a repetition is being written out.
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
        self.next += 1;
        let name = Value(self.next - 1);
        self.names.insert(value, name);
        name
    }

    fn lines(&mut self, lines: &[Line]) -> Vec<Line> {
        let mut out = Vec::new();
        for line in lines {
            match line {
                Line::Remark(text) => out.push(Line::Remark(match self.time {
                    Some(time) => (self.remark)(text, time),
                    None => text.clone(),
                })),
                Line::Define(value, ty, op) => {
                    let op = renamed(op, &mut |value| self.name(value));
                    out.push(Line::Define(self.define(*value), *ty, op));
                }
                Line::Repeat(repeat) => match self.times(repeat) {
                    Some(times) => self.copies(repeat, times, &mut out),
                    None => out.push(Line::Repeat(self.repeat(repeat))),
                },
            }
        }
        out
    }

    /// How many times a repetition is written out, if it is.
    fn times(&self, repeat: &Repeat) -> Option<u64> {
        let times = *self.constants.get(&repeat.count)?;
        (times.checked_mul(self.size(&repeat.body))? <= self.most).then_some(times)
    }

    fn size(&self, lines: &[Line]) -> u64 {
        let size = |line: &Line| match line {
            Line::Define(..) => 1,
            Line::Repeat(repeat) => self.times(repeat).unwrap_or(1) * self.size(&repeat.body),
            Line::Remark(_) => 0,
        };
        lines.iter().map(size).sum()
    }

    fn copies(&mut self, repeat: &Repeat, times: u64, out: &mut Vec<Line>) {
        let outside = self.time;
        let mut around: Vec<Value> =
            repeat.carried.iter().map(|home| self.name(home.first)).collect();
        for time in 0..times {
            self.time = Some(time);
            let inside = repeat.carried.iter().map(|home| home.inside);
            self.names.extend(inside.zip(around));
            out.extend(self.lines(&repeat.body));
            around = repeat.carried.iter().map(|home| self.name(home.next)).collect();
        }
        self.time = outside;
        let after = repeat.carried.iter().map(|home| home.after);
        self.names.extend(after.zip(around));
    }

    fn repeat(&mut self, repeat: &Repeat) -> Repeat {
        let count = self.name(repeat.count);
        let firsts: Vec<_> = repeat.carried.iter().map(|home| self.name(home.first)).collect();
        let insides: Vec<_> = repeat.carried.iter().map(|home| self.define(home.inside)).collect();
        let body = self.lines(&repeat.body);
        let mut carried = Vec::new();
        for (n, home) in repeat.carried.iter().enumerate() {
            let (next, after) = (self.name(home.next), self.define(home.after));
            carried.push(Carried {
                first: firsts[n],
                inside: insides[n],
                next,
                after,
                ty: home.ty,
            });
        }
        Repeat { count, carried, body }
    }
}
