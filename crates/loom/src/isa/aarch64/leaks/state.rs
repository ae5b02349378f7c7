//! What is known at a place in a kernel.

use std::collections::HashMap;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    /// A general register; 31 is none.
    Register(u32),
    Flags,
    /// Eight bytes of the stack, by their distance from where its pointer was at entry.
    Stack(i64),
}

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Points {
    /// Constant tables.
    Tables,
    /// The memory of a parameter, by its number.
    Param(usize),
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) secret: bool,
    pub(super) points: Option<Points>,
}

pub(super) const PUBLIC: Value = Value { secret: false, points: None };
pub(super) const UNKNOWN: Value = Value { secret: true, points: None };

impl Value {
    /// What is made of both, or one of them where two ways meet; it points where both do.
    pub(super) fn join(self, other: Self) -> Self {
        let points = self.points.filter(|_| self.points == other.points);
        Self { secret: self.secret || other.secret, points }
    }

    pub(super) fn number(self) -> Self {
        Self { points: None, ..self }
    }
}

/// The stack pointer, or zero, by where it is named.
pub(super) const STACK_OR_ZERO: u32 = 31;

/// What is known of all places; of those that are not here, nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) values: HashMap<Holder, Value>,
    /// The stack pointer's distance from where it was at entry: zero or below.
    pub(super) stack: i64,
}

impl State {
    pub(super) fn get(&self, place: Holder) -> Value {
        match place {
            Holder::Register(STACK_OR_ZERO) => PUBLIC,
            _ => self.values.get(&place).copied().unwrap_or(UNKNOWN),
        }
    }

    pub(super) fn register(&self, number: u32) -> Value {
        self.get(Holder::Register(number))
    }

    pub(super) fn set(&mut self, number: u32, value: Value) {
        self.values.insert(Holder::Register(number), value);
    }

    pub(super) fn set_flags(&mut self, value: Value) {
        self.values.insert(Holder::Flags, value.number());
    }

    /// # Panics
    /// If two ways come with two stacks.
    pub(super) fn join(&self, other: &Self) -> Self {
        assert_eq!(self.stack, other.stack, "two ways to a place with two stacks");
        let both = self.values.iter().filter_map(|(place, value)| {
            other.values.get(place).map(|other| (*place, value.join(*other)))
        });
        Self { values: both.collect(), stack: self.stack }
    }
}
