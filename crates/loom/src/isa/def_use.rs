//! Def-use analysis of a description: what is known of each value before it is lowered.

use std::collections::{HashMap, HashSet};

use crate::ir::{Address, Carried, Kernel, Op, Statement, Type, Value};

/// What is known of each value before lowering.
pub struct DefUse {
    pub definitions: HashMap<Value, (Type, Op)>,
    uses: HashMap<Value, u32>,
    /// The only user of a value that has one.
    pub user: HashMap<Value, Value>,
    /// Values used in a loop deeper than their own place: made where they are defined.
    pub outer: HashSet<Value>,
    /// Those of them that are used inside itself, and not only to begin it.
    pub deep: HashSet<Value>,
    /// A value of 64 bits that is more than a count of loops, if there is one: what 32-bit code
    /// has no words for.
    pub wide: Option<Value>,
    /// What goes around loops.
    carried: Vec<Carried>,
    /// Loop-carried values that stay bytes: their names inside and after.
    bytes: HashSet<Value>,
}

impl DefUse {
    pub fn of(kernel: &Kernel) -> Self {
        let mut found = Self {
            definitions: HashMap::new(),
            uses: HashMap::new(),
            user: HashMap::new(),
            outer: HashSet::new(),
            deep: HashSet::new(),
            wide: None,
            carried: Vec::new(),
            bytes: HashSet::new(),
        };
        let mut depths: HashMap<Value, u32> =
            kernel.params.iter().map(|param| (param.value, 0)).collect();
        found.statements(&kernel.body, 0, &mut depths);
        found.find_bytes();
        found.wide = found.find_wide(kernel);
        found
    }

    fn statements(
        &mut self,
        statements: &[Statement],
        depth: u32,
        depths: &mut HashMap<Value, u32>,
    ) {
        for statement in statements {
            match statement {
                Statement::Comment(_) => {}
                Statement::Define(value, ty, op) => {
                    for input in op.inputs() {
                        self.used(input, depth, depths);
                        self.user.insert(input, *value);
                    }
                    depths.insert(*value, depth);
                    self.definitions.insert(*value, (*ty, op.clone()));
                }
                Statement::Repeat(repeat) => {
                    self.used(repeat.count, depth, depths);
                    self.outer.insert(repeat.count);
                    for carried in &repeat.carried {
                        self.used(carried.first, depth, depths);
                        self.outer.insert(carried.first);
                        depths.insert(carried.inside, depth + 1);
                    }
                    self.statements(&repeat.body, depth + 1, depths);
                    self.carried.extend(&repeat.carried);
                    for carried in &repeat.carried {
                        self.used(carried.next, depth + 1, depths);
                        self.outer.insert(carried.next);
                        depths.insert(carried.after, depth);
                    }
                }
            }
        }
    }

    /// Finds a value of 64 bits that is no constant or parameter used as a count only, and no constant
    /// index either.
    fn find_wide(&self, kernel: &Kernel) -> Option<Value> {
        let params = kernel.params.iter().map(|param| (param.value, param.ty, false));
        let made = self
            .definitions
            .iter()
            .map(|(value, (ty, op))| (*value, *ty, !matches!(op, Op::Const(_))));
        let around = self.carried.iter().map(|carried| (carried.inside, carried.ty, true));
        let computed = |value| match self.user.get(&value).map(|user| self.op(*user)) {
            Some(Some(Op::Lookup(..))) => !matches!(self.op(value), Some(Op::Const(_))),
            user => user.is_some(),
        };
        params
            .chain(made)
            .chain(around)
            .filter(|&(value, ty, more)| ty == Type::W64 && (more || computed(value)))
            .map(|(value, ..)| value)
            .min()
    }

    fn used(&mut self, value: Value, depth: u32, depths: &HashMap<Value, u32>) {
        *self.uses.entry(value).or_default() += 1;
        if depths.get(&value).is_some_and(|&defined| defined < depth) {
            self.outer.insert(value);
            self.deep.insert(value);
        }
    }

    pub fn is_used_once(&self, value: Value) -> bool {
        self.uses.get(&value) == Some(&1)
    }

    /// The type of a value; of parameters, that of the widest word.
    pub fn ty(&self, value: Value) -> Type {
        let around = |carried: &&Carried| carried.inside == value || carried.after == value;
        match self.definitions.get(&value) {
            Some((ty, _)) => *ty,
            None => self.carried.iter().find(around).map_or(Type::W64, |carried| carried.ty),
        }
    }

    pub fn op(&self, value: Value) -> Option<&Op> {
        self.definitions.get(&value).map(|(_, op)| op)
    }

    /// A load whose result is only wanted where two words are equal: its place, its bytes, and whether it is ordered.
    /// Whoever describes one leaves no store between the two.
    pub fn rare_load(&self, value: Value) -> Option<(Address, u8, bool)> {
        let user = self.user.get(&value).and_then(|user| self.op(*user));
        let is_rare = matches!(user, Some(Op::SelectEq { then, rare: true, .. }) if *then == value);
        match self.op(value) {
            Some(&Op::Load { address, bytes, ordered, .. })
                if is_rare && self.is_used_once(value) =>
            {
                Some((address, bytes, ordered))
            }
            _ => None,
        }
    }

    /// Whether `value` is an XOR that is only part of a larger one.
    pub fn is_inner_xor(&self, value: Value) -> bool {
        matches!(self.definitions.get(&value), Some((Type::W32 | Type::W64, Op::Xor(..))))
            && self.is_used_once(value)
            && !self.outer.contains(&value)
            && self.user.get(&value).is_some_and(|user| matches!(self.op(*user), Some(Op::Xor(..))))
    }

    /// What a loop-carried value is before the first time.
    pub fn first(&self, value: Value) -> Option<Value> {
        let found =
            self.carried.iter().find(|carried| carried.inside == value || carried.after == value);
        found.map(|carried| carried.first)
    }

    /// Takes every loop-carried value for a byte, then none that begins or goes on as something else.
    fn find_bytes(&mut self) {
        self.bytes =
            self.carried.iter().flat_map(|carried| [carried.inside, carried.after]).collect();
        loop {
            let wide = self.carried.iter().find(|carried| {
                self.bytes.contains(&carried.inside)
                    && !(self.is_byte(carried.first) && self.is_byte(carried.next))
            });
            let Some(carried) = wide else { break };
            for value in [carried.inside, carried.after] {
                self.bytes.remove(&value);
            }
        }
    }

    /// Whether `value` is a byte: its higher bits are zero.
    pub fn is_byte(&self, value: Value) -> bool {
        match self.op(value) {
            Some(Op::Field { bits, .. }) => *bits <= 8,
            Some(Op::Load { bytes: 1, .. }) => true,
            Some(Op::SelectEq { then, otherwise, .. }) => {
                self.is_byte(*then) && self.is_byte(*otherwise)
            }
            Some(Op::Resize(of)) => self.is_byte(*of),
            Some(Op::Const(number)) => *number < 256,
            Some(_) => false,
            None => self.bytes.contains(&value),
        }
    }
}
