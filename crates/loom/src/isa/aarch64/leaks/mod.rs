//! Taint analysis of machine code, for constant time: which instructions have an address, or branch, that
//! depends on a secret.
//!
//! As for x86 ([`leaks`](crate::isa::x86::leaks)), on words of code, whose fields are read here anew, not by the
//! encoder. Secrets are followed through general registers, flags and the stack. Whatever is in a vector
//! counts as secret, and so does what comes back from one: no kernel in constant time makes an address of it.
//! A word of another kind than those known here counts as a leak.

mod state;

use std::collections::HashMap;

use crate::ir::{Access, Param};
use crate::isa::frame::Abi;
use crate::isa::leak::{Leak, What};
use state::{Holder, PUBLIC, Points, STACK_OR_ZERO, State, UNKNOWN, Value};

/// A field of a word: `bits` bits from bit `at` on.
const fn field(word: u32, at: u32, bits: u32) -> u32 {
    word >> at & ((1 << bits) - 1)
}

/// The same as a number with a sign.
const fn signed(word: u32, at: u32, bits: u32) -> i64 {
    ((field(word, at, bits) << (32 - bits)) as i32 >> (32 - bits)) as i64
}

/// The leaks of a kernel: its code, its parameters, and how it is called.
///
/// # Panics
/// If there are more parameters than the convention has registers for.
#[must_use]
pub fn leaks(code: &[u8], params: &[Param], abi: &Abi) -> Vec<Leak> {
    assert!(params.len() <= abi.arguments.len(), "parameters beside registers");
    let words: Vec<u32> = code.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let mut values = HashMap::new();
    // What the caller has in registers is saved and given back, and no business of ours.
    for number in abi.saved.iter().filter(|&number| number < 31) {
        values.insert(Holder::Register(number.into()), PUBLIC);
    }
    for ((n, param), &register) in params.iter().enumerate().zip(abi.arguments) {
        let points = param.memory.map(|_| Points::Param(n));
        values.insert(Holder::Register(register.into()), Value { secret: false, points });
    }
    let mut before: Vec<Option<State>> = vec![None; words.len()];
    before[0] = Some(State { values, stack: 0 });
    let mut waiting = vec![0];
    let mut found: HashMap<usize, What> = HashMap::new();
    while let Some(n) = waiting.pop() {
        let Some(mut state) = before[n].clone() else { continue };
        let Step { shows, next, branch } = Analysis { params }.step(words[n], &mut state);
        // What is found stays: states only come to know less.
        if let Some(what) = shows {
            found.insert(n, what);
        }
        let target = branch.map(|by| (n as i64 + by) as usize);
        for to in next.then_some(n + 1).into_iter().chain(target).filter(|&to| to < words.len()) {
            let known = match &before[to] {
                None => state.clone(),
                Some(known) => known.join(&state),
            };
            if before[to].as_ref() != Some(&known) {
                before[to] = Some(known);
                waiting.push(to);
            }
        }
    }
    let mut all: Vec<Leak> = found
        .into_iter()
        .map(|(n, what)| Leak { at: 4 * n, what, instruction: format!("{:08x}", words[n]) })
        .collect();
    all.sort_by_key(|leak| leak.at);
    all
}

/// What a word does beside what it makes known.
struct Step {
    shows: Option<What>,
    /// Whether what stands behind it may come next.
    next: bool,
    /// How many words away another may come next.
    branch: Option<i64>,
}

impl Step {
    const PLAIN: Self = Self { shows: None, next: true, branch: None };

    const fn showing(shows: Option<What>) -> Self {
        Self { shows, ..Self::PLAIN }
    }
}

/// A load or a store of one register.
struct Transfer {
    loads: bool,
    is_vector: bool,
    bytes: i64,
    register: u32,
    /// Where on the stack, if it is there.
    place: Option<i64>,
    /// What its address is based on.
    pointer: Value,
}

struct Analysis<'a> {
    params: &'a [Param],
}

impl Analysis<'_> {
    fn step(&self, word: u32, state: &mut State) -> Step {
        let unknown = Step::showing(Some(What::Unknown));
        // The manual's first table: bits 28 to 25.
        match field(word, 25, 4) {
            0b1000 | 0b1001 => immediate(word, state).map_or(unknown, |()| Step::PLAIN),
            0b1010 | 0b1011 => branch(word, state).unwrap_or(unknown),
            0b0100 | 0b0110 | 0b1100 | 0b1110 => self.memory(word, state).unwrap_or(unknown),
            0b0101 | 0b1101 => registers(word, state).map_or(unknown, |()| Step::PLAIN),
            0b0111 | 0b1111 => vectors(word, state).map_or(unknown, |()| Step::PLAIN),
            _ => unknown,
        }
    }

    fn is_secret(&self, param: usize) -> bool {
        let Param { public, memory, .. } = &self.params[param];
        !(*public && matches!(memory, Some((Access::Read, _))))
    }

    /// Loads and stores.
    fn memory(&self, word: u32, state: &mut State) -> Option<Step> {
        let (first, base) = (field(word, 0, 5), field(word, 5, 5));
        let is_vector = field(word, 26, 1) == 1;
        if word & 0xbfff_f000 == 0x0d40_c000 {
            // `ld1r`
            return Some(Step::showing(address(state.register(base))));
        }
        if word & 0x3a00_0000 == 0x2800_0000 {
            // Pairs; before their access, after it, or not the base moves.
            let bytes = match (is_vector, field(word, 30, 2)) {
                (false, 2) | (true, 1) => 8,
                (true, 2) => 16,
                _ => return None,
            };
            let (by, loads) = (signed(word, 15, 7) * bytes, field(word, 22, 1) == 1);
            let way = field(word, 23, 2);
            let place = self.moved(way == 1, way == 3, by, base, state)?;
            for (n, register) in [first, field(word, 10, 5)].into_iter().enumerate() {
                let place = place.map(|at| at + bytes * n as i64);
                let pointer = state.register(base);
                let access = Transfer { loads, is_vector, bytes, register, place, pointer };
                self.access(&access, state);
            }
            let shows = if place.is_some() { None } else { address(state.register(base)) };
            self.move_after(way == 1, by, base, state)?;
            return Some(Step::showing(shows));
        }
        let long = is_vector && field(word, 23, 1) == 1;
        let (bytes, loads) = match (long, field(word, 22, 2)) {
            (true, kind) if field(word, 30, 2) == 0 => (16, kind & 1 == 1),
            (false, kind @ (0 | 1)) => (1 << field(word, 30, 2), kind == 1),
            _ => return None,
        };
        let (after, before, by, index) = if word & 0x3b00_0000 == 0x3900_0000 {
            (false, false, i64::from(field(word, 10, 12)) * bytes, None)
        } else if word & 0x3b20_0000 == 0x3800_0000 {
            match field(word, 10, 2) {
                way @ (0 | 1 | 3) => (way == 1, way == 3, signed(word, 12, 9), None),
                _ => return None,
            }
        } else if word & 0x3b20_0c00 == 0x3820_0800 {
            (false, false, 0, Some(field(word, 16, 5)))
        } else {
            return None;
        };
        let place = self.moved(after, before, by, base, state)?.filter(|_| index.is_none());
        let pointer = state.register(base);
        let index = index.map_or(PUBLIC, |index| state.register(index));
        let shows = match place {
            Some(_) => None,
            None => address(pointer).or(address(index)),
        };
        let access = Transfer { loads, is_vector, bytes, register: first, place, pointer };
        self.access(&access, state);
        self.move_after(after, by, base, state)?;
        Some(Step::showing(shows))
    }

    /// The place on the stack of an access, if it is there, after what moves the pointer before it. Other
    /// pointers are not moved by their accesses.
    fn moved(
        &self,
        after: bool,
        before: bool,
        by: i64,
        base: u32,
        state: &mut State,
    ) -> Option<Option<i64>> {
        if base != STACK_OR_ZERO {
            return (!after && !before).then_some(None);
        }
        if before {
            state.stack += by;
        }
        Some(Some(state.stack + if after || before { 0 } else { by }))
    }

    fn move_after(&self, after: bool, by: i64, base: u32, state: &mut State) -> Option<()> {
        if after {
            (base == STACK_OR_ZERO).then_some(())?;
            state.stack += by;
        }
        Some(())
    }

    /// What an access makes known of a register, or of the stack.
    fn access(&self, access: &Transfer, state: &mut State) {
        let Transfer { loads, is_vector, bytes, register, place, pointer } = *access;
        let slots = |at: i64| (at.div_euclid(8)..(at + bytes + 7).div_euclid(8)).map(Holder::Stack);
        if !loads {
            let value = if is_vector { UNKNOWN } else { state.register(register) };
            // A part of a slot has no pointer in it.
            let value = if bytes == 8 { value } else { value.number() };
            if let Some(at) = place {
                slots(at).for_each(|slot| _ = state.values.insert(slot, value));
            }
            return;
        }
        let value = match (place, pointer.points) {
            (Some(at), _) => {
                slots(at).map(|slot| state.get(slot)).reduce(Value::join).unwrap_or(UNKNOWN)
            }
            (None, Some(Points::Tables)) => PUBLIC,
            (None, Some(Points::Param(n))) => Value { secret: self.is_secret(n), points: None },
            (None, None) => UNKNOWN,
        };
        if !is_vector {
            state.set(register, if bytes == 8 { value } else { value.number() });
        }
    }
}

/// What an address shows.
fn address(pointer: Value) -> Option<What> {
    pointer.secret.then_some(What::Address)
}

/// Results of constants, and of a register and a constant.
fn immediate(word: u32, state: &mut State) -> Option<()> {
    let (to, from) = (field(word, 0, 5), field(word, 5, 5));
    let value = state.register(from);
    let sets_flags = field(word, 29, 1) == 1;
    match field(word, 23, 3) {
        // `adrp` names the tables; `adr` nothing.
        0b000 | 0b001 if field(word, 31, 1) == 1 => {
            state.set(to, Value { secret: false, points: Some(Points::Tables) });
        }
        0b010 => {
            let by = i64::from(field(word, 10, 12)) << (12 * field(word, 22, 1));
            let by = if field(word, 30, 1) == 1 { -by } else { by };
            match (to, from) {
                (STACK_OR_ZERO, STACK_OR_ZERO) if !sets_flags => state.stack += by,
                (STACK_OR_ZERO, _) if !sets_flags => return None,
                // The stack pointer is nobody's number.
                (_, STACK_OR_ZERO) => state.set(to, UNKNOWN),
                _ => state.set(to, value),
            }
            if sets_flags {
                state.set_flags(value);
            }
        }
        0b100 => {
            let sets_flags = field(word, 29, 2) == 3;
            if to == STACK_OR_ZERO && !sets_flags {
                return None;
            }
            state.set(to, value.number());
            if sets_flags {
                state.set_flags(value);
            }
        }
        // `movk` keeps what is there, `movn` and `movz` do not.
        0b101 => match field(word, 29, 2) {
            3 => state.set(to, state.register(to).number()),
            _ => state.set(to, PUBLIC),
        },
        // `bfm` keeps what is there.
        0b110 => match field(word, 29, 2) {
            1 => state.set(to, value.join(state.register(to)).number()),
            _ => state.set(to, value.number()),
        },
        0b111 => {
            let other = state.register(field(word, 16, 5));
            state.set(to, value.join(other).number());
        }
        _ => return None,
    }
    Some(())
}

/// Branches; what passes over.
fn branch(word: u32, state: &State) -> Option<Step> {
    let by_register = || Some(signed(word, 5, 19));
    let shown = |value: Value| value.secret.then_some(What::Branch);
    Some(match word {
        0xd65f_03c0 => Step { shows: None, next: false, branch: None },
        _ if word & 0xffff_f01f == 0xd503_201f => Step::PLAIN,
        _ if word & 0xfc00_0000 == 0x1400_0000 => {
            Step { shows: None, next: false, branch: Some(signed(word, 0, 26)) }
        }
        _ if word & 0xff00_0010 == 0x5400_0000 => {
            Step { shows: shown(state.get(Holder::Flags)), next: true, branch: by_register() }
        }
        _ if word & 0x7e00_0000 == 0x3400_0000 => {
            let value = state.register(field(word, 0, 5));
            Step { shows: shown(value), next: true, branch: by_register() }
        }
        _ => return None,
    })
}

/// Results of registers.
fn registers(word: u32, state: &mut State) -> Option<()> {
    let (to, from) = (field(word, 0, 5), field(word, 5, 5));
    let (a, b) = (state.register(from), state.register(field(word, 16, 5)));
    let both = a.join(b);
    if word & 0x1f00_0000 == 0x0a00_0000 {
        // `orr` with zero is a copy.
        let is_copy = word & 0xffe0_ffe0 == 0xaa00_03e0;
        state.set(to, if is_copy { b } else { both.number() });
        if field(word, 29, 2) == 3 {
            state.set_flags(both);
        }
    } else if word & 0x1f20_0000 == 0x0b00_0000 {
        // A pointer moves by a number.
        let points = match (a.points, b.points) {
            (points, None) if field(word, 30, 1) == 0 => points,
            _ => None,
        };
        state.set(to, Value { points, ..both });
        if field(word, 29, 1) == 1 {
            state.set_flags(both);
        }
    } else if word & 0x3fe0_0800 == 0x1a80_0000 {
        let flags = state.get(Holder::Flags).secret;
        state.set(to, Value { secret: both.secret || flags, points: both.points });
    } else if word & 0x7fff_0000 == 0x5ac0_0000 {
        state.set(to, a.number());
    } else {
        return None;
    }
    Some(())
}

/// Vectors: what comes back from one is secret.
fn vectors(word: u32, state: &mut State) -> Option<()> {
    match word & 0xffff_fc00 {
        0x1e26_0000 | 0x9e66_0000 => {
            state.set(field(word, 0, 5), UNKNOWN);
            return Some(());
        }
        0x1e27_0000 | 0x9e67_0000 => return Some(()),
        _ => {}
    }
    // `smov` and `umov` have general registers as results.
    let moves = matches!(word & 0xbfe0_fc00, 0x0e00_2c00 | 0x0e00_3c00);
    let known = matches!(word >> 24 & 0x9e, 0x0e) || word >> 24 == 0xce;
    (known && !moves).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Builder, Extent, Type};
    use crate::isa::aarch64::conventions::AAPCS64;

    /// Words as GNU as makes them of the text beside them; x0 leads to secrets, x1 to what is public, x2 is a
    /// count.
    fn found(code: &[u32]) -> Vec<What> {
        let mut b = Builder::new("k", "K.");
        b.pointer("secret", Access::ReadWrite, Extent::Fixed(64), "a secret");
        let public = b.pointer("public", Access::Read, Extent::Fixed(64), "known to all");
        b.public(public);
        b.word("count", Type::W64, "how often");
        let params = b.finish().params;
        let code: Vec<u8> = code.iter().chain(&[RET]).flat_map(|word| word.to_le_bytes()).collect();
        leaks(&code, &params, &AAPCS64).into_iter().map(|leak| leak.what).collect()
    }

    const RET: u32 = 0xd65f_03c0;
    /// `ldr x3, [x0]`
    const SECRET: u32 = 0xf940_0003;
    /// `ldr x4, [x1]`
    const KNOWN: u32 = 0xf940_0024;

    #[test]
    fn an_address_from_a_secret_is_found() {
        // `ldr x5, [x1, x3, lsl #3]`, and by x4, x2, x9
        let through = |index: u32| found(&[SECRET, KNOWN, 0xf860_7825 | index << 16]);
        assert_eq!(through(3), [What::Address]);
        assert_eq!(through(4), []);
        assert_eq!(through(2), []);
        assert_eq!(through(9), [What::Address], "what nobody passed is not known");
    }

    #[test]
    fn secrets_go_through_vectors_the_stack_and_arithmetic() {
        // `ldr x5, [x1, x6]`
        let last = 0xf866_6825;
        // `fmov d0, x3`; `fmov x6, d0`
        assert_eq!(found(&[SECRET, 0x9e67_0060, 0x9e66_0006, last]), [What::Address]);
        // `sub sp, sp, #16`; `str x3, [sp, #8]`; `ldr x6, [sp, #8]`; `add sp, sp, #16`
        let through = |stored: u32| {
            found(&[
                SECRET,
                KNOWN,
                0xd100_43ff,
                0xf900_07e0 | stored,
                0xf940_07e6,
                last,
                0x9100_43ff,
            ])
        };
        assert_eq!(through(3), [What::Address]);
        assert_eq!(through(4), []);
        // `ubfx x6, x3, #3, #6`; `eor x6, x4, x3`; `movz x6, #1`
        assert_eq!(found(&[SECRET, 0xd343_2066, last]), [What::Address]);
        assert_eq!(found(&[SECRET, KNOWN, 0xca03_0086, last]), [What::Address]);
        assert_eq!(found(&[SECRET, 0xd280_0026, last]), []);
    }

    #[test]
    fn a_branch_on_a_secret_is_found_and_one_on_a_count_is_not() {
        // `cbnz x3, .+8`, `cbnz x2, .+8`; `cmp x3, x4`; `b.eq .+8`
        assert_eq!(found(&[SECRET, 0xb500_0043, KNOWN]), [What::Branch]);
        assert_eq!(found(&[SECRET, 0xb500_0042, KNOWN]), []);
        assert_eq!(found(&[SECRET, KNOWN, 0xeb04_007f, 0x5400_0040, KNOWN]), [What::Branch]);
    }

    #[test]
    fn what_is_not_known_is_told_and_a_second_time_around_a_loop_is_looked_at() {
        // `blr x1`; `udf #0`
        assert_eq!(found(&[0xd63f_0020]), [What::Unknown]);
        assert_eq!(found(&[0]), [What::Unknown]);
        // `movz x3, #0`; `ldr x5, [x1, x3]`; `ldr x3, [x0]`; `sub x2, x2, #1`; `cbnz x2, .-12`
        let looped = [0xd280_0003, 0xf863_6825, SECRET, 0xd100_0442, 0xb5ff_ffa2];
        assert_eq!(found(&looped), [What::Address]);
    }
}
