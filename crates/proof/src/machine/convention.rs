//! The calling convention: what a kernel finds, and what it must leave.

use super::state::{Flag, Machine, State};
use super::unwind;
use crate::Result;
use crate::domain::Domain;
use crate::isa::Convention;
use crate::memory::{Memory, RETURN, STACK, TABLES, Value};
use std::rc::Rc;

impl<D: Domain> State<D> {
    /// What a kernel finds that is called with these arguments.
    pub fn call(
        convention: &'static Convention,
        entry: u64,
        mut memory: Memory<D::Cell>,
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
        let in_registers = convention.arguments.len().min(arguments.len());
        // The others lie behind the return address.
        let stack = &mut memory.regions[STACK];
        stack.word = (convention.word as i64, convention.offset as i64);
        stack.size = RETURN + convention.return_bytes;
        for argument in &arguments[in_registers..] {
            stack.values.insert(stack.size, argument.clone());
            let is_pointer = matches!(argument, Value::Pointer(..));
            stack.size += if is_pointer { convention.pointer } else { convention.offset } as i64;
        }
        let bytes = stack.size as usize;
        Rc::make_mut(&mut stack.cells).resize(bytes * 8 / D::BITS, D::UNKNOWN);
        Rc::make_mut(&mut stack.written).resize(bytes, false);
        let (count, width) = convention.vectors;
        let vector = Rc::new(vec![D::UNKNOWN; width / D::BITS]);
        let vectors = vec![vector; count];
        let (flag, callers) = (Flag::Unknown, Rc::default());
        let wide = !convention.segments.is_empty();
        Self { convention, registers, vectors, callers, flag, memory, next: entry, wide }
    }

    /// Lets vectors and segments that a kernel must leave be the caller's, of which nothing else is known, and gives
    /// each region a segment.
    pub fn give_callers(&mut self, domain: &mut D) {
        for n in self.convention.saved_vectors.clone() {
            let own: Vec<_> = (0..128 / D::BITS).map(|_| domain.input()).collect();
            Rc::make_mut(&mut self.vectors[n])[..own.len()].copy_from_slice(&own);
            Rc::make_mut(&mut self.callers).push(own);
        }
        self.give_segments(domain);
    }

    /// Whether cells are all the caller's.
    pub(super) fn are_callers(&self, cells: &[D::Cell]) -> bool {
        cells.iter().all(|cell| self.callers.iter().any(|vector| vector.contains(cell)))
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
        for (n, own) in state.convention.saved_vectors.clone().zip(state.callers.iter()) {
            if !state.vectors[n].starts_with(own) {
                return Err(format!("vector {n} is not the caller's"));
            }
        }
        state.check_segments()?;
        if state.wide {
            return Err("it returns without vzeroupper, or with more than sp in esp".into());
        }
        let stack = &state.memory.regions[STACK];
        for offset in (0..RETURN).filter(|offset| stack.written[*offset as usize]) {
            let value = stack.value_in(offset, 1).map(|at| &stack.values[&at]);
            if let Some(Value::Saved(_) | Value::Pointer(TABLES, _)) = value {
                continue;
            }
            let is_wiped = |&cell: &D::Cell| {
                self.domain.known(cell) == Some(0) || state.memory.partial && cell == D::UNKNOWN
            };
            let cells = stack.load(offset, 1, 8 / D::BITS)?;
            if let Some(&cell) =
                cells.iter().find(|cell| !is_wiped(cell) && !state.are_callers(&[**cell]))
            {
                let (cell, deep) = (self.domain.show(cell), RETURN - offset);
                return Err(format!("{cell} is left on the stack, {deep} bytes deep"));
            }
        }
        unwind::check(self.image, &self.frames, state.convention)
    }
}
