//! What registers of either width do.

use crate::ir::{Builder, Table, TableId, Value};

/// Steps of a group.
pub(super) const GROUP: usize = 8;

/// What registers of one width do.
pub(super) trait Way {
    /// The numbers from `first` on, as a register of S.
    fn numbers(&self, b: &mut Builder, first: i32) -> Value;

    /// Byte `n` of eight that are repeated, everywhere.
    fn byte(&self, b: &mut Builder, bytes: Value, n: usize) -> Value;

    /// The entry at a place of the first register, everywhere.
    fn entry(&self, b: &mut Builder, s: &[Value], place: usize) -> Value;

    /// Swaps `x`, which is the entry at `place` of the first register, and the one at place `j`. Returns
    /// the latter, and the entry behind `place`, which is there before.
    fn swap(
        &self,
        b: &mut Builder,
        s: &mut [Value],
        place: usize,
        j: Value,
        x: Value,
    ) -> (Value, Value);

    /// Puts the entry at a place into byte `n` of the keystream so far.
    fn generate(
        &self,
        b: &mut Builder,
        s: &[Value],
        place: Value,
        keystream: Option<Value>,
        n: usize,
    ) -> Value;

    /// The eight bytes of keystream as the lowest ones.
    fn joined(&self, b: &mut Builder, keystream: Value) -> Value;

    /// S, moved by a group.
    fn turned(&self, b: &mut Builder, s: &[Value]) -> Vec<Value>;
}

/// Adds constants: `length` bytes for each of `0..count`.
pub(super) fn constants(
    b: &mut Builder,
    [name, doc]: [&str; 2],
    [count, length]: [usize; 2],
    byte: impl Fn(usize, usize) -> u8,
) -> TableId {
    let entries = (0..count * length).map(|at| byte(at / length, at % length).into()).collect();
    b.table(Table { name: name.to_owned(), doc: doc.to_owned(), entry_bytes: 1, entries })
}
