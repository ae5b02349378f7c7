//! Taint analysis of a description: which addresses, counts and branches depend on secrets.

use std::collections::HashMap;

use super::{Access, Address, Carried, Kernel, Op, Statement, Type, Value};

impl Kernel {
    /// The operations, and the counts of loops, whose time or whose accesses may tell of a
    /// secret.
    ///
    /// Secret is whatever is loaded through a parameter that is not public, and all that is
    /// computed from it; words that a kernel is called with are public, and so are constants and
    /// entries of tables at public places. A secret shows in the place of an access or look-up, in
    /// the count of a loop, in a rare select (which may become a branch), and in the mask by
    /// which bits are moved (some processors take a step for each of its bits).
    #[must_use]
    pub fn leaks(&self) -> Vec<Value> {
        let mut flow = Flow { secrets: HashMap::new(), leaks: Vec::new() };
        for param in &self.params {
            // What is written may get secrets, so only what is read alone stays public.
            let hidden = param.ty == Type::Pointer
                && !(param.public && matches!(param.memory, Some((Access::Read, _))));
            flow.secrets.insert(param.value, hidden);
        }
        flow.statements(&self.body);
        flow.leaks
    }

    /// Whether no address and no branch depends on a secret: see [`leaks`](Self::leaks).
    #[must_use]
    pub fn is_constant_time(&self) -> bool {
        self.leaks().is_empty()
    }
}

/// What is known while going through a kernel.
struct Flow {
    /// Of a word or vector: whether it is secret. Of a pointer: whether what it points to is; the
    /// place itself never is.
    secrets: HashMap<Value, bool>,
    leaks: Vec<Value>,
}

impl Flow {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Comment(_) => {}
                Statement::Define(value, _, op) => {
                    if self.shows(op) {
                        self.leaks.push(*value);
                    }
                    let secret = self.result(op);
                    self.secrets.insert(*value, secret);
                }
                Statement::Repeat(repeat) => {
                    if self.secret(repeat.count) {
                        self.leaks.push(repeat.count);
                    }
                    for carried in &repeat.carried {
                        let secret = self.secret(carried.first);
                        self.secrets.insert(carried.inside, secret);
                    }
                    // What one time makes secret is so the next time: until nothing changes.
                    let before = self.leaks.len();
                    loop {
                        self.leaks.truncate(before);
                        self.statements(&repeat.body);
                        let changes = |carried: &&Carried| {
                            self.secret(carried.next) && !self.secret(carried.inside)
                        };
                        let new: Vec<Value> = repeat
                            .carried
                            .iter()
                            .filter(changes)
                            .map(|carried| carried.inside)
                            .collect();
                        if new.is_empty() {
                            break;
                        }
                        self.secrets.extend(new.into_iter().map(|value| (value, true)));
                    }
                    for carried in &repeat.carried {
                        let secret = self.secret(carried.inside);
                        self.secrets.insert(carried.after, secret);
                    }
                }
            }
        }
    }

    /// What is not defined counts as secret.
    fn secret(&self, value: Value) -> bool {
        self.secrets.get(&value).copied().unwrap_or(true)
    }

    /// Whether time or an address tells of a secret.
    fn shows(&self, op: &Op) -> bool {
        let address =
            |address: &Address| address.index.is_some_and(|(index, _)| self.secret(index));
        match op {
            Op::Lookup(_, index) => self.secret(*index),
            Op::Load { address: at, .. }
            | Op::Store { address: at, .. }
            | Op::InsertByte { address: at, .. }
            | Op::Broadcast { address: at, .. } => address(at),
            Op::SelectEq { a, b, rare: true, .. } => self.secret(*a) || self.secret(*b),
            Op::Compress(_, mask) | Op::Expand(_, mask) => self.secret(*mask),
            _ => false,
        }
    }

    /// Whether what it makes is secret: any input is; for loads the pointer says it of its memory.
    fn result(&self, op: &Op) -> bool {
        op.inputs().into_iter().any(|input| self.secret(input))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, Endian, Extent};
    use super::*;

    /// A kernel with a secret word and a public one, used by `body` as it likes.
    fn kernel(body: impl FnOnce(&mut Builder, Value, [Value; 2])) -> Kernel {
        let mut b = Builder::new("test", "A test.");
        let table = b.pointer("data", Access::ReadWrite, Extent::Fixed(64), "secret bytes");
        let public = b.pointer("windows", Access::Read, Extent::Fixed(64), "public bytes");
        b.public(public);
        let words = [table, public].map(|base| b.load(base, 0, Type::W64, Endian::Native));
        body(&mut b, table, words);
        b.finish()
    }

    fn load_at(b: &mut Builder, base: Value, index: Value) -> Value {
        b.load_at(Address { base, offset: 0, index: Some((index, 8)) }, Type::W64)
    }

    #[test]
    fn a_secret_in_an_address_is_found_and_a_public_word_is_none() {
        assert!(
            kernel(|b, data, [_, public]| {
                load_at(b, data, public);
            })
            .is_constant_time()
        );
        let mut load = None;
        let leaks = kernel(|b, data, [secret, _]| load = Some(load_at(b, data, secret))).leaks();
        assert_eq!(leaks, [load.unwrap()]);
        // Through other operations, too.
        let leaky = kernel(|b, data, [secret, public]| {
            let index = b.xor(secret, public);
            let index = b.field(index, 0, 3);
            let address = Address { base: data, offset: 0, index: Some((index, 8)) };
            let endian = Endian::Native;
            b.op(Type::W64, Op::Store { value: public, address, bytes: 8, endian, ordered: true });
        });
        assert_eq!(leaky.leaks().len(), 1);
    }

    #[test]
    fn what_is_loaded_by_a_public_index_from_secret_memory_is_secret() {
        let leaky = kernel(|b, data, [_, public]| {
            let secret = load_at(b, data, public);
            load_at(b, data, secret);
        });
        assert_eq!(leaky.leaks().len(), 1);
    }

    #[test]
    fn a_secret_that_comes_round_a_loop_is_found() {
        // The index is public the first time, and the word loaded by it the next time.
        let leaky = kernel(|b, data, [_, public]| {
            let count = b.constant(Type::W64, 2);
            b.repeat(count, &[public], |b, carried| vec![load_at(b, data, carried[0])]);
        });
        assert_eq!(leaky.leaks().len(), 1);
        // Two loop-carried values: the secret needs two times to come to where it shows.
        let leaky = kernel(|b, data, [secret, public]| {
            let count = b.constant(Type::W64, 3);
            b.repeat(count, &[public, public], |b, carried| {
                load_at(b, data, carried[0]);
                vec![carried[1], secret]
            });
        });
        assert_eq!(leaky.leaks().len(), 1);
        let fine = kernel(|b, data, [_, public]| {
            let count = b.constant(Type::W64, 2);
            let after = b.repeat(count, &[data, public], |b, carried| {
                load_at(b, carried[0], carried[1]);
                vec![b.advance(carried[0], 8), carried[1]]
            });
            load_at(b, after[0], after[1]);
        });
        assert!(fine.is_constant_time());
    }

    #[test]
    fn pointers_that_change_places_keep_their_secrets() {
        let leaky = kernel(|b, data, [_, public]| {
            let count = b.constant(Type::W64, 2);
            let other = Value(1);
            b.repeat(count, &[other, data], |b, carried| {
                let index = b.load(carried[0], 0, Type::W64, Endian::Native);
                load_at(b, data, index);
                vec![carried[1], carried[0]]
            });
            let _ = public;
        });
        assert_eq!(leaky.leaks().len(), 1);
    }

    #[test]
    fn counts_rare_selects_and_masks_must_be_public() {
        let select = |b: &mut Builder, a, rare| {
            let op = Op::SelectEq { a, b: a, then: a, otherwise: a, rare };
            b.op(Type::W64, op);
        };
        for (n, secret_leaks) in [(0, true), (1, false)] {
            let count = kernel(|b, _, words| drop(b.repeat(words[n], &[], |_, _| Vec::new())));
            let rare = kernel(|b, _, words| select(b, words[n], true));
            let moved = kernel(|b, _, words| {
                b.compress(words[0], words[n]);
            });
            for kernel in [count, rare, moved] {
                assert_eq!(kernel.is_constant_time(), !secret_leaks, "{kernel}");
            }
            assert!(kernel(|b, _, words| select(b, words[n], false)).is_constant_time());
        }
    }

    #[test]
    fn tables_are_public_where_their_index_is() {
        let with_table = |n: usize| {
            kernel(|b, _, words| {
                let table = super::super::Table {
                    name: "t".to_owned(),
                    doc: "numbers".to_owned(),
                    entry_bytes: 8,
                    entries: vec![0, 1],
                };
                let table = b.table(table);
                b.table_set("t");
                let entry = b.lookup(table, words[n], Type::W64);
                b.lookup(table, entry, Type::W64);
            })
        };
        assert_eq!(with_table(0).leaks().len(), 2);
        assert_eq!(with_table(1).leaks().len(), 0);
    }

    #[test]
    #[should_panic(expected = "only what is read alone stays public")]
    fn what_is_written_is_not_public() {
        let mut b = Builder::new("test", "A test.");
        let data = b.pointer("data", Access::ReadWrite, Extent::Fixed(8), "bytes");
        b.public(data);
    }
}
