//! Instructions on vectors.

use super::VECTOR;
use crate::Result;
use crate::domain::{Domain, Logic};
use crate::machine::fields::aarch64::{Bitwise, Op};
use crate::machine::state::{Machine, State};
use std::rc::Rc;

/// The truth table of an operation on d, n and m: entry 4d + 2n + m.
fn table(bitwise: Bitwise) -> u8 {
    let value = |d: bool, n: bool, m: bool| match bitwise {
        Bitwise::And => n && m,
        Bitwise::Bic => n && !m,
        Bitwise::Orr => n || m,
        Bitwise::Orn => n || !m,
        Bitwise::Eor => n != m,
        Bitwise::Bsl => {
            if d {
                n
            } else {
                m
            }
        }
        Bitwise::Bit => {
            if m {
                n
            } else {
                d
            }
        }
        Bitwise::Bif => {
            if m {
                d
            } else {
                n
            }
        }
    };
    (0..8).fold(0, |table, k| table | u8::from(value(k & 4 != 0, k & 2 != 0, k & 1 != 0)) << k)
}

/// n + m + a: entry 4n + 2m + a.
const EOR3: u8 = 0x96;
/// n + (m and not a).
const BCAX: u8 = 0xb4;

impl<D: Domain> Machine<'_, D> {
    pub(super) fn vector_aarch64(&mut self, state: &mut State<D>, op: Op) -> Result<()> {
        let vector = |register: usize| state.vectors[register].clone();
        let is_bitwise =
            matches!(op, Op::Vectors { .. } | Op::Eor3 { .. } | Op::Bcax { .. } | Op::Not { .. });
        if self.slice.is_some() && !is_bitwise {
            return Err("lanes do not stay apart".into());
        }
        let (rd, cells) = match op {
            Op::Vectors { bitwise, rd, rn, rm } => {
                let (d, n, m) = (vector(rd), vector(rn), vector(rm));
                (rd, self.bitwise_aarch64(bitwise, [&d, &n, &m])?)
            }
            Op::Eor3 { rd, rn, rm, ra } => {
                (rd, self.ternaries(EOR3, [&vector(rn), &vector(rm), &vector(ra)])?)
            }
            Op::Bcax { rd, rn, rm, ra } => {
                (rd, self.ternaries(BCAX, [&vector(rn), &vector(rm), &vector(ra)])?)
            }
            Op::Not { rd, rn } => {
                let ones = vec![self.domain.constant(255); VECTOR / D::BITS];
                (rd, self.logics(Logic::Xor, &vector(rn), &ones)?)
            }
            Op::Shift { left, insert, element, by, rd, rn } => {
                if !by.is_multiple_of(D::BITS) {
                    return Err("a shift by so many bits".into());
                }
                let (before, from) = (vector(rd), vector(rn));
                let (by, each) = (by / D::BITS, element / D::BITS);
                let mut cells = if insert { before.to_vec() } else { self.domain.zeros(VECTOR) };
                for (to, from) in cells.chunks_mut(each).zip(from.chunks(each)) {
                    if left {
                        to[by..].copy_from_slice(&from[..each - by]);
                    } else {
                        to[..each - by].copy_from_slice(&from[by..]);
                    }
                }
                (rd, cells)
            }
            Op::Transpose { odd, element, rd, rn, rm } => {
                let (n, m) = (vector(rn), vector(rm));
                let each = element / D::BITS;
                let pairs = n.chunks(2 * each).zip(m.chunks(2 * each));
                let at = if odd { each } else { 0 };
                let cells =
                    pairs.flat_map(|(n, m)| [&n[at..at + each], &m[at..at + each]].concat());
                (rd, cells.collect())
            }
            Op::Zip { element, rd, rn, rm } => {
                let (n, m) = (vector(rn), vector(rm));
                let each = element / D::BITS;
                let half = VECTOR / D::BITS / 2;
                let pairs = n[..half].chunks(each).zip(m[..half].chunks(each));
                (rd, pairs.flat_map(|(n, m)| [n, m].concat()).collect())
            }
            Op::LookUp { count, rd, rn, rm } => {
                let table =
                    (rn..rn + count).flat_map(|n| vector(n % 32).to_vec()).collect::<Vec<_>>();
                (rd, self.look_up_bytes(&table, &vector(rm))?)
            }
            Op::ShiftBytes { rd, rn, rm } => (rd, self.shift_bytes(&vector(rn), &vector(rm))?),
            Op::AddPairs { rd, rn, rm } => {
                let each = 8 / D::BITS;
                let mut sums = Vec::with_capacity(VECTOR / D::BITS);
                for two in [vector(rn), vector(rm)].iter().flat_map(|v| v.chunks(2 * each)) {
                    sums.extend(self.domain.add(&two[..each], &two[each..])?);
                }
                (rd, sums)
            }
            Op::Duplicate { both, rd, rn } => {
                let low = self.cells_of(state, rn, true)?;
                let high = if both { low.clone() } else { self.domain.zeros(64) };
                (rd, [low, high].concat())
            }
            Op::Lower { rd, rn } => {
                let low = vector(rn)[..64 / D::BITS].to_vec();
                return self.set_cells(state, rd, low);
            }
            Op::Constant { rd, value, .. } => {
                let half = self.domain.cells(value, 64);
                (rd, [&half[..], &half].concat())
            }
            _ => return Err("an instruction that the prover does not know".into()),
        };
        state.vectors[rd] = Rc::new(cells);
        Self::half_is_lost(state, rd);
        Ok(())
    }

    /// Bytes of a table by the numbers in a vector; 0 where the table has none.
    fn look_up_bytes(&mut self, table: &[D::Cell], numbers: &[D::Cell]) -> Result<Vec<D::Cell>> {
        let each = 8 / D::BITS;
        let zero = self.domain.zeros(8);
        let entry = |number: u8| table.chunks(each).nth(number.into()).unwrap_or(&zero);
        let mut found = Vec::with_capacity(numbers.len());
        for number in numbers.chunks(each) {
            found.extend(self.domain.choose(number, 0xff, &entry)?);
        }
        Ok(found)
    }

    /// Bytes, each shifted to the left by the number in another vector: to the right where it is below zero.
    fn shift_bytes(&mut self, bytes: &[D::Cell], by: &[D::Cell]) -> Result<Vec<D::Cell>> {
        let zeros = self.domain.zeros(8);
        if D::BITS != 1 {
            return Err("a shift within bytes".into());
        }
        let mut shifted = Vec::with_capacity(bytes.len());
        for (byte, by) in bytes.chunks(8).zip(by.chunks(8)) {
            let by = self.domain.number(by).ok_or("a shift by what is not known")? as u8 as i8;
            let places = usize::from(by.unsigned_abs().min(8));
            if by < 0 {
                shifted.extend([&byte[places..], &zeros[..places]].concat());
            } else {
                shifted.extend([&zeros[..places], &byte[..8 - places]].concat());
            }
        }
        Ok(shifted)
    }

    /// An operation on each three cells of d, n and m. One that has no d asks for none.
    fn bitwise_aarch64(
        &mut self,
        bitwise: Bitwise,
        [d, n, m]: [&[D::Cell]; 3],
    ) -> Result<Vec<D::Cell>> {
        let ones = vec![self.domain.constant(255); VECTOR / D::BITS];
        match bitwise {
            // Of one register it is a move.
            Bitwise::And | Bitwise::Orr if n == m => Ok(n.to_vec()),
            Bitwise::And => self.logics(Logic::And, n, m),
            Bitwise::Orr => self.logics(Logic::Or, n, m),
            Bitwise::Eor => self.logics(Logic::Xor, n, m),
            Bitwise::Bic => {
                let not = self.logics(Logic::Xor, m, &ones)?;
                self.logics(Logic::And, n, &not)
            }
            Bitwise::Orn => {
                let not = self.logics(Logic::Xor, m, &ones)?;
                self.logics(Logic::Or, n, &not)
            }
            Bitwise::Bsl | Bitwise::Bit | Bitwise::Bif => self.ternaries(table(bitwise), [d, n, m]),
        }
    }

    fn logics(&mut self, logic: Logic, x: &[D::Cell], y: &[D::Cell]) -> Result<Vec<D::Cell>> {
        x.iter().zip(y).map(|(&x, &y)| self.domain.logic(logic, x, y)).collect()
    }

    fn ternaries(&mut self, table: u8, [x, y, z]: [&[D::Cell]; 3]) -> Result<Vec<D::Cell>> {
        (0..x.len()).map(|n| self.domain.ternary(table, [x[n], y[n], z[n]])).collect()
    }
}
