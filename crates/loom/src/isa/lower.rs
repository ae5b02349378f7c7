//! What all lowerings share: values and their registers, bodies of loops, regions, XOR trees.
//!
//! What costs nothing on its own is not emitted where it is defined but where it is wanted, in the form
//! that is wanted there; [`Lower::defers`] says what.

use std::collections::HashMap;
use std::ops::DerefMut;

use super::def_use::DefUse;
use super::{Loop, LoopCarried, Node, Reg};
use crate::ir::{Kernel, Op, Repeat, Statement, Type, Value};

/// A kernel in instructions on virtual registers.
#[derive(Clone, Debug)]
pub struct Lowered<I> {
    /// The registers that hold the parameters at the start, in order; none if they are on the stack.
    pub params: Vec<Reg>,
    /// The instructions.
    pub code: Vec<Node<I>>,
    /// At a multiple of how many bytes each parameter that is a pointer must point, if the processor
    /// reads no word from elsewhere; 1 for words. Empty if it does.
    pub aligns: Vec<u16>,
    /// How many times loops of a constant count go around, by the register that counts.
    pub trips: HashMap<Reg, u64>,
}

/// A kernel that is being lowered.
pub struct Lowering<'a, I> {
    /// Its description.
    pub kernel: &'a Kernel,
    /// What is known of its values.
    pub uses: DefUse,
    /// The registers of values that are made.
    pub values: HashMap<Value, Reg>,
    registers: u32,
    trips: HashMap<Reg, u64>,
    /// The bodies under construction, outermost first.
    bodies: Vec<Vec<Node<I>>>,
}

impl<'a, I> Lowering<'a, I> {
    /// Nothing yet.
    #[must_use]
    pub fn new(kernel: &'a Kernel) -> Self {
        Self {
            kernel,
            uses: DefUse::of(kernel),
            values: HashMap::new(),
            registers: 0,
            trips: HashMap::new(),
            bodies: vec![Vec::new()],
        }
    }

    /// A register that nobody has.
    pub fn fresh(&mut self) -> Reg {
        self.registers += 1;
        Reg::Virtual(self.registers - 1)
    }

    /// A register for a value.
    pub fn define(&mut self, value: Value) -> Reg {
        let reg = self.fresh();
        self.values.insert(value, reg);
        reg
    }

    /// The innermost body.
    ///
    /// # Panics
    /// Never: the outermost one stays.
    pub fn body(&mut self) -> &mut Vec<Node<I>> {
        self.bodies.last_mut().expect("a body is open")
    }

    /// Adds an instruction to the innermost body.
    pub fn push(&mut self, inst: I) {
        self.body().push(Node::Inst(inst));
    }

    /// An instruction that writes a new register.
    pub fn emit(&mut self, inst: impl FnOnce(Reg) -> I) -> Reg {
        let dst = self.fresh();
        self.push(inst(dst));
        dst
    }

    /// The same before the outermost loop that is open.
    pub fn emit_first(&mut self, inst: impl FnOnce(Reg) -> I) -> Reg {
        let dst = self.fresh();
        self.bodies[0].push(Node::Inst(inst(dst)));
        dst
    }

    /// The operation that makes a value.
    #[must_use]
    pub fn op(&self, value: Value) -> Option<&Op> {
        self.uses.op(value)
    }

    /// The number that a value is, if it is a constant.
    #[must_use]
    pub fn number(&self, value: Value) -> Option<u64> {
        match self.op(value) {
            Some(Op::Const(number)) => Some(*number),
            _ => None,
        }
    }

    /// The region of a pointer: the number of the parameter that it comes from.
    #[must_use]
    pub fn region(&self, pointer: Value) -> u32 {
        match self.op(pointer) {
            Some(Op::Advance(from, _)) => self.region(*from),
            _ => self.uses.first(pointer).map_or(pointer.0, |first| self.region(first)),
        }
    }

    /// The leaves of a tree of exclusive ors.
    #[must_use]
    pub fn leaves(&self, root: Value) -> Vec<Value> {
        match self.op(root) {
            Some(&Op::Xor(a, b)) => [a, b].map(|part| self.inner_leaves(part)).concat(),
            _ => vec![root],
        }
    }

    fn inner_leaves(&self, part: Value) -> Vec<Value> {
        if self.uses.is_inner_xor(part) { self.leaves(part) } else { vec![part] }
    }

    /// What came of it.
    #[must_use]
    pub fn finish(mut self, params: Vec<Reg>, aligns: Vec<u16>) -> Lowered<I> {
        Lowered { params, code: self.bodies.remove(0), aligns, trips: self.trips }
    }
}

/// An instruction set's selection of instructions is what is shared, its field `$base`, and what it adds.
macro_rules! selects {
    ($selection:ident, $inst:ty, $base:tt) => {
        impl<'a> std::ops::Deref for $selection<'a> {
            type Target = $crate::isa::lower::Lowering<'a, $inst>;

            fn deref(&self) -> &Self::Target {
                &self.$base
            }
        }

        impl std::ops::DerefMut for $selection<'_> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.$base
            }
        }
    };
}
pub(in crate::isa) use selects;

/// An instruction set's part of lowering.
pub trait Lower<'a, I>: DerefMut<Target = Lowering<'a, I>>
where
    I: 'a,
{
    /// Whether a value is made only where it is wanted, if it is wanted in the body that it stands in.
    fn defers(&self, value: Value, op: &Op) -> bool;

    /// Whether all that wants a value is done without it.
    fn is_idle(&self, _: Value) -> bool {
        false
    }

    /// The register of a value that is made now.
    fn make(&mut self, value: Value, ty: Type, op: &Op) -> Reg;

    /// A copy of a word to a register of its own.
    fn copy(&self, to: Reg, from: Reg) -> I;

    /// The register of a value that is no operation's, if it is fetched where it is wanted.
    fn fetch(&mut self, _value: Value) -> Option<Reg> {
        None
    }

    /// A body begins: what was made outside is not at hand in a form of its own.
    fn enter(&mut self) {}

    /// It ended.
    fn leave(&mut self) {}

    /// Lowers statements.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Comment(text) => self.body().push(Node::Comment(text.clone())),
                Statement::Define(value, _, op) => {
                    let early = self.uses.outer.contains(value) && !self.is_idle(*value);
                    if early || !self.defers(*value, op) {
                        self.reg(*value);
                    }
                }
                Statement::Repeat(repeat) => self.repeat(repeat),
            }
        }
    }

    /// Lowers a loop.
    ///
    /// # Panics
    /// Never: its body is closed as it was opened.
    fn repeat(&mut self, repeat: &Repeat) {
        // A loop counts down in a register of its own.
        let from = self.reg(repeat.count);
        let count = self.fresh();
        let copy = self.copy(count, from);
        self.push(copy);
        if let Some(trips) = self.number(repeat.count) {
            self.trips.insert(count, trips);
        }
        let mut begun = Vec::new();
        for carried in &repeat.carried {
            let first = self.reg(carried.first);
            begun.push((first, self.define(carried.inside)));
        }
        self.enter();
        self.bodies.push(Vec::new());
        self.statements(&repeat.body);
        let next: Vec<_> = repeat.carried.iter().map(|carried| self.reg(carried.next)).collect();
        let body = self.bodies.pop().expect("the body is open");
        self.leave();
        let names = begun.into_iter().zip(next).zip(&repeat.carried);
        let carried = names
            .map(|(((first, inside), next), carried)| LoopCarried {
                first,
                inside,
                next,
                after: self.define(carried.after),
            })
            .collect();
        self.body().push(Node::Loop(Loop { count, carried, body }));
    }

    /// The register of a value, made now if it was not made yet.
    fn reg(&mut self, value: Value) -> Reg {
        if let Some(reg) = self.values.get(&value) {
            return *reg;
        }
        let reg = self.fetch(value).unwrap_or_else(|| {
            let (ty, op) = self.uses.definitions[&value].clone();
            self.make(value, ty, &op)
        });
        self.values.insert(value, reg);
        reg
    }
}
