//! The calling convention: what a kernel finds, and what it must leave.

use super::state::{Flag, Machine, State};
use super::unwind;
use crate::Result;
use crate::domain::Domain;
use crate::isa::Convention;
use crate::memory::{Memory, RETURN, STACK, Value};
use std::rc::Rc;

impl<D: Domain> State<D> {
    /// What a kernel finds that is called with these arguments.
    pub fn call(
        convention: &'static Convention,
        entry: u64,
        memory: Memory<D::Cell>,
        arguments: &[Value<D::Cell>],
    ) -> Self {
        let mut registers = vec![Value::Unknown; convention.registers];
        for &register in convention.saved {
            registers[register] = Value::Saved(register);
        }
        registers[convention.stack_pointer] = Value::Pointer(STACK, RETURN);
        for (register, argument) in convention.arguments.iter().zip(arguments) {
            registers[*register] = argument.clone();
        }
        let (count, width) = convention.vectors;
        let vector = Rc::new(vec![D::UNKNOWN; width / D::BITS]);
        let vectors = vec![vector; count];
        let flag = Flag::Unknown;
        Self { convention, registers, vectors, flag, memory, next: entry, wide: false }
    }
}

impl<D: Domain> Machine<'_, D> {
    /// Whether a kernel that returned leaves what it must: the caller's registers, no secret on the stack,
    /// and no vector of more than 128 bits in use.
    ///
    /// # Errors
    /// If it does not.
    pub fn check_return(&self, state: &State<D>) -> Result<()> {
        if state.stack_pointer()? != RETURN {
            return Err(format!("it returns with another {}", state.convention.stack_name));
        }
        for &register in state.convention.saved {
            if state.registers[register] != Value::Saved(register) {
                return Err(format!("register {register} is not the caller's"));
            }
        }
        if state.wide {
            return Err("it returns without vzeroupper".into());
        }
        let stack = &state.memory.regions[STACK];
        for offset in (0..RETURN).filter(|offset| stack.written[*offset as usize]) {
            let mut values = stack.values.range(offset - 7..=offset);
            if values.any(|(_, value)| matches!(value, Value::Saved(_))) {
                continue;
            }
            let is_wiped = |&cell: &D::Cell| {
                self.domain.known(cell) == Some(0) || state.memory.partial && cell == D::UNKNOWN
            };
            let cells = stack.load(offset, 1, 8 / D::BITS)?;
            if let Some(&cell) = cells.iter().find(|cell| !is_wiped(cell)) {
                let (cell, deep) = (self.domain.show(cell), RETURN - offset);
                return Err(format!("{cell} is left on the stack, {deep} bytes deep"));
            }
        }
        unwind::check(self.image, &self.frames, state.convention)
    }
}
