//! Several values to their places at once.

use super::Place;
use crate::target::{Isa, Reg, RegSet, Slot};

/// Moves each value from one place to another, all as if at the same time. Registers in `free`
/// hold nothing; a slot from `new_slot`, for a vector or not, is used where a cycle, or a way from
/// slot to slot, finds none of them.
pub(super) fn parallel<T: Isa>(
    moves: &[(Place, Place)],
    free: RegSet,
    mut new_slot: impl FnMut(bool) -> Slot,
    mut emit: impl FnMut(T::Inst),
) {
    let taken = |register: u8| {
        let place = Place::Register(register);
        moves.iter().any(|(from, to)| *from == place || *to == place)
    };
    let scratch = |vector: bool| {
        free.iter().find(|&register| T::is_vector(register) == vector && !taken(register))
    };
    let mut waiting: Vec<_> = moves.iter().copied().filter(|(from, to)| from != to).collect();
    while !waiting.is_empty() {
        let is_source = |place: Place| waiting.iter().any(|(from, _)| *from == place);
        match waiting.iter().position(|(_, to)| !is_source(*to)) {
            Some(n) => {
                let (from, to) = waiting.remove(n);
                one::<T>(from, to, &scratch, &mut new_slot, &mut emit);
            }
            None => {
                // Only cycles are left: one value steps aside.
                let from = waiting[0].0;
                let vector = match from {
                    Place::Register(register) => T::is_vector(register),
                    Place::Slot(slot) => slot.vector,
                };
                let aside = Place::Slot(new_slot(vector));
                one::<T>(from, aside, &scratch, &mut new_slot, &mut emit);
                waiting[0].0 = aside;
            }
        }
    }
}

fn one<T: Isa>(
    from: Place,
    to: Place,
    scratch: &impl Fn(bool) -> Option<u8>,
    new_slot: &mut impl FnMut(bool) -> Slot,
    emit: &mut impl FnMut(T::Inst),
) {
    let physical = Reg::Physical;
    match (from, to) {
        (Place::Register(from), Place::Register(to)) => emit(T::copy(physical(to), physical(from))),
        (Place::Register(from), Place::Slot(slot)) => emit(T::spill(slot, physical(from))),
        (Place::Slot(slot), Place::Register(to)) => emit(T::reload(physical(to), slot)),
        (Place::Slot(from), Place::Slot(to)) => {
            // With no register idle, one is lent and given back.
            let scratch = scratch(from.vector);
            let lent = physical(scratch.unwrap_or_else(|| T::any(from.vector)));
            let kept = scratch.is_none().then(|| new_slot(from.vector));
            if let Some(kept) = kept {
                emit(T::spill(kept, lent));
            }
            emit(T::reload(lent, from));
            emit(T::spill(to, lent));
            if let Some(kept) = kept {
                emit(T::reload(lent, kept));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::x86_64::{Inst, X86_64};

    /// Runs moves on numbers.
    fn run(moves: &[(Place, Place)], free: RegSet) -> ([u32; 16], [u32; 16]) {
        let mut registers: [u32; 16] = std::array::from_fn(|n| n as u32);
        let mut slots: [u32; 16] = std::array::from_fn(|n| 100 + n as u32);
        let mut next = 4;
        let new_slot = |vector| {
            next += 1;
            Slot { vector, number: next - 1 }
        };
        parallel::<X86_64>(moves, free, new_slot, |inst| match inst {
            Inst::Copy { dst: Reg::Physical(to), src: Reg::Physical(from), .. } => {
                registers[usize::from(to)] = registers[usize::from(from)];
            }
            Inst::Spill { slot, src: Reg::Physical(from) } => {
                slots[slot.number as usize] = registers[usize::from(from)];
            }
            Inst::Reload { dst: Reg::Physical(to), slot } => {
                registers[usize::from(to)] = slots[slot.number as usize];
            }
            other => panic!("{other:?}"),
        });
        (registers, slots)
    }

    #[test]
    fn chains_cycles_and_slots_arrive() {
        use Place::Register;
        let slot = |number| Place::Slot(Slot { vector: false, number });
        let moves = [
            (Register(0), Register(1)),
            (Register(1), Register(0)),
            (Register(2), Register(3)),
            (Register(3), Register(4)),
            (Register(4), Register(2)),
            (Register(5), Register(6)),
            (Register(6), slot(0)),
            (slot(1), Register(5)),
            (slot(2), slot(3)),
            (slot(3), slot(2)),
        ];
        for free in [RegSet::EMPTY, RegSet::one(9)] {
            let (registers, slots) = run(&moves, free);
            assert_eq!(registers[..7], [1, 0, 4, 2, 3, 101, 5], "{free:?}");
            assert_eq!(slots[..4], [6, 101, 103, 102], "{free:?}");
        }
    }
}
