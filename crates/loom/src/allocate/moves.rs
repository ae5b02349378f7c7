//! Several values to their locations at once.

use crate::isa::program::Location;
use crate::isa::{Isa, Reg, RegSet, Slot};

/// Moves each value from one location to another, all as if at the same time. Registers in `free`
/// hold nothing; a slot from `new_slot`, of a class, is used where a cycle of a class that is far from
/// memory, or a way from slot to slot, finds none of them, and for every other cycle.
pub(super) fn parallel<T: Isa>(
    isa: T,
    moves: &[(Location, Location)],
    free: RegSet,
    mut new_slot: impl FnMut(u8) -> Slot,
    mut emit: impl FnMut(T::Inst),
) {
    let taken = |register: u8| {
        let location = Location::Register(register);
        moves.iter().any(|(from, to)| *from == location || *to == location)
    };
    let mut waiting: Vec<_> = moves.iter().copied().filter(|(from, to)| from != to).collect();
    while !waiting.is_empty() {
        let is_source = |location: Location| waiting.iter().any(|(from, _)| *from == location);
        let idle = free
            .iter()
            .filter(|&register| !taken(register) && !is_source(Location::Register(register)));
        let idle = idle.fold(RegSet::EMPTY, |set, register| set.or(RegSet::one(register)));
        let scratch = move |class: u8| idle.iter().find(|&register| isa.class(register) == class);
        match waiting.iter().position(|(_, to)| !is_source(*to)) {
            Some(n) => {
                let (from, to) = waiting.remove(n);
                one(isa, from, to, &scratch, &mut new_slot, &mut emit);
            }
            None => {
                // Only cycles are left: one value steps aside.
                let from = waiting[0].0;
                let class = match from {
                    Location::Register(register) => isa.class(register),
                    Location::Slot(slot) => slot.class,
                };
                let far = T::CLASSES[usize::from(class)].far_from_memory;
                let aside = match scratch(class).filter(|_| far) {
                    Some(register) => Location::Register(register),
                    None => Location::Slot(new_slot(class)),
                };
                one(isa, from, aside, &scratch, &mut new_slot, &mut emit);
                waiting[0].0 = aside;
            }
        }
    }
}

fn one<T: Isa>(
    isa: T,
    from: Location,
    to: Location,
    scratch: &impl Fn(u8) -> Option<u8>,
    new_slot: &mut impl FnMut(u8) -> Slot,
    emit: &mut impl FnMut(T::Inst),
) {
    let physical = Reg::Physical;
    match (from, to) {
        (Location::Register(from), Location::Register(to)) => {
            emit(isa.copy(physical(to), physical(from)));
        }
        (Location::Register(from), Location::Slot(slot)) => emit(isa.spill(slot, physical(from))),
        (Location::Slot(slot), Location::Register(to)) => emit(isa.reload(physical(to), slot)),
        (Location::Slot(from), Location::Slot(to)) => {
            // With no register idle, one is lent and given back.
            let scratch = scratch(from.class);
            let lent = physical(scratch.unwrap_or(T::CLASSES[usize::from(from.class)].lent));
            let kept = scratch.is_none().then(|| new_slot(from.class));
            if let Some(kept) = kept {
                emit(isa.spill(kept, lent));
            }
            emit(isa.reload(lent, from));
            emit(isa.spill(to, lent));
            if let Some(kept) = kept {
                emit(isa.reload(lent, kept));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Features;
    use crate::isa::x86::{Inst, VECTORS, WORDS, X86, X86_64};

    fn isa() -> X86 {
        X86::new(&X86_64, Features::NONE)
    }

    /// Runs moves on numbers; registers from 16 on are for vectors.
    fn run(moves: &[(Location, Location)], free: RegSet) -> ([u32; 32], [u32; 16]) {
        let mut registers: [u32; 32] = std::array::from_fn(|n| n as u32);
        let mut slots: [u32; 16] = std::array::from_fn(|n| 100 + n as u32);
        let mut next = 4;
        let new_slot = |class| {
            next += 1;
            Slot { class, number: next - 1 }
        };
        parallel(isa(), moves, free, new_slot, |inst| match inst {
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
        use Location::Register;
        let slot = |number| Location::Slot(Slot { class: WORDS, number });
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

    #[test]
    fn cycles_of_vectors_go_through_idle_registers() {
        use Location::Register;
        let slot = |number| Location::Slot(Slot { class: VECTORS, number });
        let moves = [
            (Register(16), Register(17)),
            (Register(17), Register(16)),
            (Register(18), Register(19)),
            (Register(19), Register(20)),
            (Register(20), Register(18)),
            (slot(2), slot(3)),
            (slot(3), slot(2)),
        ];
        for free in [RegSet::EMPTY, RegSet::one(30), RegSet::one(30).or(RegSet::one(31))] {
            let (registers, slots) = run(&moves, free);
            assert_eq!(registers[16..21], [17, 16, 20, 18, 19], "{free:?}");
            assert_eq!(slots[2..4], [103, 102], "{free:?}");
        }
        let mut spills = 0;
        parallel(
            isa(),
            &moves[..5],
            RegSet::one(30),
            |_| unreachable!("no slot"),
            |inst| {
                spills += u32::from(matches!(inst, Inst::Spill { .. }));
            },
        );
        assert_eq!(spills, 0);
    }
}
