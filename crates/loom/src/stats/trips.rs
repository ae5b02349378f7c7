//! How often loops are done.

use std::collections::HashMap;

use crate::ir::{Kernel, Op, Statement, Type, Value};

/// The counts of a kernel's loops in a call in which its word parameters have this value:
/// for each loop, in the order in which they stand, one count for each time it is come to.
///
/// Only words that follow from constants and from these parameters are known here.
///
/// # Panics
/// If a count follows from anything else.
pub(super) fn trips(kernel: &Kernel, count: u64) -> Vec<Vec<u64>> {
    let words = kernel.params.iter().filter(|param| param.memory.is_none());
    let mut walk = Walk {
        words: words.map(|param| (param.value, count)).collect(),
        trips: vec![Vec::new(); loops(&kernel.body)],
    };
    walk.lines(&kernel.body, 0);
    walk.trips
}

/// Which loops a word parameter drives, in the order in which they stand.
pub(super) fn driven(kernel: &Kernel) -> Vec<bool> {
    fn lines(kernel: &Kernel, body: &[Statement], found: &mut Vec<bool>) {
        for line in body {
            if let Statement::Repeat(repeat) = line {
                let mut params = kernel.params.iter();
                found.push(params.any(|param| param.value == repeat.count));
                lines(kernel, &repeat.body, found);
            }
        }
    }
    let mut found = Vec::new();
    lines(kernel, &kernel.body, &mut found);
    found
}

fn loops(body: &[Statement]) -> usize {
    let inside = |line: &Statement| match line {
        Statement::Repeat(repeat) => 1 + loops(&repeat.body),
        Statement::Define(..) | Statement::Comment(_) => 0,
    };
    body.iter().map(inside).sum()
}

struct Walk {
    /// What is known.
    words: HashMap<Value, u64>,
    trips: Vec<Vec<u64>>,
}

impl Walk {
    /// Does `body`, whose first loop is number `next`; returns the number behind its last.
    fn lines(&mut self, body: &[Statement], mut next: usize) -> usize {
        for line in body {
            match line {
                Statement::Comment(_) => {}
                Statement::Define(value, ty, op) => {
                    let bits = if *ty == Type::W32 { u64::from(u32::MAX) } else { u64::MAX };
                    self.set(*value, self.word(op).map(|word| word & bits));
                }
                Statement::Repeat(repeat) => {
                    let count = self.of(repeat.count);
                    let count = count.expect("the count of a loop is known");
                    self.trips[next].push(count);
                    let homes = &repeat.carried;
                    let mut carried: Vec<_> =
                        homes.iter().map(|home| self.of(home.first)).collect();
                    for _ in 0..count {
                        for (home, word) in homes.iter().zip(carried) {
                            self.set(home.inside, word);
                        }
                        self.lines(&repeat.body, next + 1);
                        carried = homes.iter().map(|home| self.of(home.next)).collect();
                    }
                    for (home, word) in homes.iter().zip(carried) {
                        self.set(home.after, word);
                    }
                    next += 1 + loops(&repeat.body);
                }
            }
        }
        next
    }

    fn of(&self, value: Value) -> Option<u64> {
        self.words.get(&value).copied()
    }

    /// A value inside a loop may have been known the time before.
    fn set(&mut self, value: Value, word: Option<u64>) {
        match word {
            Some(word) => self.words.insert(value, word),
            None => self.words.remove(&value),
        };
    }

    fn word(&self, op: &Op) -> Option<u64> {
        let of = |value: &Value| self.of(*value);
        Some(match op {
            Op::Const(number) => *number,
            Op::Add(a, b) => of(a)?.wrapping_add(of(b)?),
            Op::And(a, b) => of(a)? & of(b)?,
            Op::Or(a, b) => of(a)? | of(b)?,
            Op::Xor(a, b) => of(a)? ^ of(b)?,
            Op::Shl(a, by) => of(a)? << by,
            Op::Shr(a, by) => of(a)? >> by,
            Op::SelectEq { a, b, then, otherwise, .. } => {
                if of(a)? == of(b)? {
                    of(then)?
                } else {
                    of(otherwise)?
                }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ciphers::Strategy;
    use crate::variant::KernelVariant;

    fn of(name: &str, count: u64) -> (Vec<Vec<u64>>, Vec<bool>) {
        let kernel = Strategy::by_name(name).unwrap().kernel();
        (trips(&kernel, count), driven(&kernel))
    }

    #[test]
    fn counts_are_those_of_the_description() {
        // Four rows of eight slices between the passes, and none after the last.
        let passes = vec![vec![3], vec![8, 8, 8], vec![4, 4, 0]];
        assert_eq!(of("tdes_bitslice64", 5), (passes.clone(), vec![false; 3]));
        // In words of 32 bits a count that goes down ends at the same time.
        let narrow: KernelVariant = "x86/tdes_bitslice128_sse2".parse().unwrap();
        assert_eq!(trips(&narrow.strategy.kernel(), 5), passes);
        assert_eq!(of("rc4_apply_s8", 5), (vec![vec![5]], vec![true]));
        // Encryption or decryption, as a word says.
        assert_eq!(of("des_encrypt1", 5), (vec![vec![8], vec![0]], vec![false; 2]));
        assert_eq!(of("des_encrypt1", 0), (vec![vec![0], vec![8]], vec![false; 2]));
        let (trips, driven) = of("des_encrypt_table64_x2", 7);
        assert_eq!((trips[0].as_slice(), driven[0]), (&[7][..], true));
    }
}
