//! Instructions on vectors: what is done to each bit, byte or element alone. Those that move or look up
//! are in `shuffles.rs`.

use super::general::are_same;
use super::operands::width;
use super::{MASKS, VECTOR};
use crate::Result;
use crate::domain::{Domain, Logic};
use crate::machine::state::{Machine, State};
use iced_x86::{EncodingKind, Instruction, Mnemonic, OpKind};
use std::rc::Rc;

/// Bits below which a write of a vector register needs no `vzeroupper`.
const NARROW: usize = 128;

/// The two operands that an instruction computes with: the destination is the first if there is no other.
pub(super) fn sources(i: &Instruction) -> (u32, u32) {
    if i.op_count() >= 3 && i.encoding() != EncodingKind::Legacy { (1, 2) } else { (0, 1) }
}

impl<D: Domain> Machine<'_, D> {
    pub(super) fn vector(&mut self, state: &mut State<D>, i: &Instruction) -> Result<()> {
        use Mnemonic::*;
        if let Some(slice) = self.slice {
            self.check_lanes(state, i, slice)?;
        }
        let width = width(i, 0);
        let (zero, ones) = (self.domain.constant(0), self.domain.constant(255));
        let is_same = are_same(i, sources(i).0, sources(i).1);
        let cells = match i.mnemonic() {
            Vzeroupper => {
                for vector in &mut state.vectors[..16] {
                    Rc::make_mut(vector)[NARROW / D::BITS..].fill(zero);
                }
                state.wide = false;
                return Ok(());
            }
            Movq | Vmovq => return self.move_low(state, i, 64),
            Movd | Vmovd => return self.move_low(state, i, 32),
            Movdqu | Movdqa | Vmovdqu | Vmovdqu64 | Vmovdqa | Vmovdqa64 => {
                self.vector_source(state, i, 1, width)?
            }
            Vpbroadcastd => self.broadcast(state, i, 32)?,
            Vpbroadcastq => self.broadcast(state, i, 64)?,
            Pxor | Vpxor | Vpxord | Vpxorq if is_same => vec![zero; width / D::BITS],
            Pxor | Vpxor | Vpxord | Vpxorq => self.bitwise(state, i, Logic::Xor)?,
            Pand | Vpand | Vpandd | Vpandq => self.bitwise(state, i, Logic::And)?,
            Por | Vpor | Vpord | Vporq => self.bitwise(state, i, Logic::Or)?,
            Pandn | Vpandn | Vpandnd | Vpandnq => {
                let [x, y] = self.vector_sources(state, i)?;
                let mut and_not = |(x, y)| {
                    let not = self.domain.logic(Logic::Xor, x, ones)?;
                    self.domain.logic(Logic::And, not, y)
                };
                x.into_iter().zip(y).map(&mut and_not).collect::<Result<_>>()?
            }
            Vpternlogd | Vpternlogq => {
                let x = self.vector_source(state, i, 0, width)?;
                let [y, z] = self.vector_sources(state, i)?;
                let each =
                    (0..x.len()).map(|n| self.domain.ternary(i.immediate8(), [x[n], y[n], z[n]]));
                each.collect::<Result<_>>()?
            }
            Vpblendmb => {
                // Of the mask: the second where it is, else the first.
                let mask = state.vectors[MASKS + i.op_mask().number()].clone();
                let [x, y] = self.vector_sources(state, i)?;
                let each = (0..x.len()).map(|n| self.domain.ternary(0xca, [mask[n], y[n], x[n]]));
                each.collect::<Result<_>>()?
            }
            Psrlq | Psllq | Vpsrlq | Vpsllq => self.shift_elements(state, i)?,
            Pcmpeqd | Vpcmpeqd if is_same => vec![ones; width / D::BITS],
            Vpcmpeqb => {
                let [x, y] = self.vector_sources(state, i)?;
                let mut cells = Vec::with_capacity(VECTOR / D::BITS);
                for (x, y) in x.chunks(8 / D::BITS).zip(y.chunks(8 / D::BITS)) {
                    let difference = self.domain.difference(x, y)?;
                    let equal = self.domain.select(difference, ones, zero);
                    cells.extend(std::iter::repeat_n(equal, x.len()));
                }
                if i.op0_register().is_k() {
                    // A mask has a cell for each of what the vectors have.
                    cells.resize(VECTOR / D::BITS, zero);
                    state.vectors[MASKS + i.op0_register().number()] = Rc::new(cells);
                    return Ok(());
                }
                cells
            }
            Vpinsrb if i.op_kind(2) == OpKind::Memory => {
                let mut cells = self.vector_source(state, i, 1, width)?;
                let at = usize::from(i.immediate8() % 16) * 8 / D::BITS;
                cells[at..at + 8 / D::BITS].copy_from_slice(&self.load(state, i, 1)?);
                cells
            }
            Vpaddb => {
                let [x, y] = self.vector_sources(state, i)?;
                let pairs = x.chunks(8 / D::BITS).zip(y.chunks(8 / D::BITS));
                let sums = pairs.map(|(x, y)| self.domain.add(x, y)).collect::<Result<Vec<_>>>()?;
                sums.concat()
            }
            _ => self.shuffle(state, i)?,
        };
        self.vector_destination(state, i, &cells)
    }

    /// A vector as a source operand.
    pub(super) fn vector_source(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        operand: u32,
        width: usize,
    ) -> Result<Vec<D::Cell>> {
        if i.op_kind(operand) == OpKind::Register {
            let vector = &state.vectors[i.op_register(operand).number()];
            return Ok(vector[..width / D::BITS].to_vec());
        }
        if i.is_broadcast() {
            let element = self.load(state, i, i.memory_size().element_size())?;
            return Ok(element.into_iter().cycle().take(width / D::BITS).collect());
        }
        self.load(state, i, width / 8)
    }

    /// The two vectors that an instruction computes with.
    pub(super) fn vector_sources(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
    ) -> Result<[Vec<D::Cell>; 2]> {
        let (first, second) = sources(i);
        let width = width(i, first);
        let x = self.vector_source(state, i, first, width)?;
        Ok([x, self.vector_source(state, i, second, width)?])
    }

    /// Puts a vector into the first operand. All instructions but the oldest clear what lies above it.
    fn vector_destination(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        cells: &[D::Cell],
    ) -> Result<()> {
        if i.op0_kind() != OpKind::Register {
            return self.store(state, i, cells);
        }
        let number = i.op0_register().number();
        let mut all = match i.encoding() {
            EncodingKind::Legacy => state.vectors[number].to_vec(),
            _ => self.domain.zeros(VECTOR),
        };
        all[..cells.len()].copy_from_slice(cells);
        state.vectors[number] = Rc::new(all);
        state.wide |= cells.len() * D::BITS > NARROW && number < 16;
        Ok(())
    }

    /// 64 or 32 bits between a vector and a general register or memory.
    fn move_low(&mut self, state: &mut State<D>, i: &Instruction, bits: usize) -> Result<()> {
        let is_vector =
            |n| i.op_kind(n) == OpKind::Register && i.op_register(n).is_vector_register();
        let mut cells = if is_vector(1) {
            self.vector_source(state, i, 1, bits)?
        } else {
            self.source(state, i, 1, bits)?
        };
        if is_vector(0) {
            cells.extend(self.domain.zeros(NARROW - bits));
            return self.vector_destination(state, i, &cells);
        }
        self.destination(state, i, &cells)
    }

    fn broadcast(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        element: usize,
    ) -> Result<Vec<D::Cell>> {
        let cells = match i.op1_kind() {
            OpKind::Register if i.op1_register().is_gpr() => {
                self.read_register(state, i.op1_register())?
            }
            OpKind::Register => self.vector_source(state, i, 1, element)?,
            _ => self.load(state, i, element / 8)?,
        };
        Ok(cells.into_iter().cycle().take(width(i, 0) / D::BITS).collect())
    }

    fn bitwise(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        operation: Logic,
    ) -> Result<Vec<D::Cell>> {
        let [x, y] = self.vector_sources(state, i)?;
        let pairs = x.into_iter().zip(y);
        pairs.map(|(x, y)| self.domain.logic(operation, x, y)).collect()
    }

    /// Shifts of elements of 64 bits by a constant.
    fn shift_elements(&mut self, state: &mut State<D>, i: &Instruction) -> Result<Vec<D::Cell>> {
        let (first, second) = sources(i);
        let by = usize::from(i.immediate8()).min(64);
        if i.op_kind(second) != OpKind::Immediate8 || !by.is_multiple_of(D::BITS) {
            return Err("a shift by what is no constant, or by so many bits".into());
        }
        let zeros = self.domain.zeros(by);
        let is_left = matches!(i.mnemonic(), Mnemonic::Psllq | Mnemonic::Vpsllq);
        let mut cells = Vec::with_capacity(width(i, 0) / D::BITS);
        for element in self.vector_source(state, i, first, width(i, 0))?.chunks(64 / D::BITS) {
            if is_left {
                cells.extend([&zeros, &element[..(64 - by) / D::BITS]].concat());
            } else {
                cells.extend([&element[by / D::BITS..], &zeros].concat());
            }
        }
        Ok(cells)
    }
}
