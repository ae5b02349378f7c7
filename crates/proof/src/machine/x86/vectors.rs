//! Instructions on vectors: moves, and what is done to each bit or each element alone.

use super::general::are_same;
use super::operands::width;
use crate::Result;
use crate::bits::{Bit, Bits};
use crate::domain::Domain;
use crate::machine::state::{Machine, State, VECTOR};
use crate::memory::{ARGUMENTS, STACK};
use iced_x86::{EncodingKind, Instruction, Mnemonic, OpKind};
use std::rc::Rc;

/// Bits below which a write of a vector register needs no `vzeroupper`.
const NARROW: usize = 128;

/// The last two operands, and whether the first of them is the destination as well.
pub(super) fn sources(i: &Instruction) -> (u32, u32) {
    if i.op_count() == 3 { (1, 2) } else { (0, 1) }
}

impl Machine<'_, Bits> {
    pub(super) fn vector(&mut self, state: &mut State<Bits>, i: &Instruction) -> Result<()> {
        use Mnemonic::*;
        if let Some(slice) = self.slice {
            self.check_lanes(state, i, slice)?;
        }
        match i.mnemonic() {
            Vzeroupper => {
                for vector in &mut state.vectors[..16] {
                    Rc::make_mut(vector)[NARROW..].fill(Bit::ZERO);
                }
                state.wide = false;
                Ok(())
            }
            Movdqu | Movdqa | Vmovdqu | Vmovdqu64 | Vmovdqa | Vmovdqa64 => {
                let bits = self.vector_source(state, i, 1, width(i, 0))?;
                self.vector_destination(state, i, &bits)
            }
            Movq | Vmovq => self.movq(state, i),
            Vpbroadcastd => self.broadcast(state, i, 32),
            Vpbroadcastq => self.broadcast(state, i, 64),
            Pxor | Vpxor | Vpxord | Vpxorq => {
                if are_same(i, sources(i).0, sources(i).1) {
                    return self.vector_destination(state, i, &vec![Bit::ZERO; width(i, 0)]);
                }
                self.bitwise(state, i, |bits, x, y| bits.xor(x, y))
            }
            Pand | Vpand | Vpandd | Vpandq => self.bitwise(state, i, |bits, x, y| bits.and(x, y)),
            Por | Vpor | Vpord | Vporq => self.bitwise(state, i, |bits, x, y| bits.or(x, y)),
            Pandn | Vpandn | Vpandnd | Vpandnq => {
                self.bitwise(state, i, |bits, x, y| bits.and(x.complement(), y))
            }
            Vpternlogd | Vpternlogq => {
                let width = width(i, 0);
                let x = self.vector_source(state, i, 0, width)?;
                let y = self.vector_source(state, i, 1, width)?;
                let z = self.vector_source(state, i, 2, width)?;
                let table = i.immediate8();
                let each = (0..width).map(|n| self.domain.gate(table, [x[n], y[n], z[n]]));
                let bits: Vec<Bit> = each.collect();
                self.vector_destination(state, i, &bits)
            }
            Psrlq | Psllq | Vpsrlq | Vpsllq => self.shift_elements(state, i),
            Pcmpeqd | Vpcmpeqd if are_same(i, sources(i).0, sources(i).1) => {
                self.vector_destination(state, i, &vec![Bit::ONE; width(i, 0)])
            }
            _ => self.shuffle(state, i),
        }
    }

    /// Refuses what may not be the same in all lanes. Allowed are bitwise operations, moves of whole slices
    /// between vectors and regions of slices (which are those aligned to a slice) or the stack, and one
    /// number for all lanes from other regions. Lanes could meet through general registers, but nothing
    /// goes from these into vectors: what they store is never loaded as a slice (`operands.rs`).
    fn check_lanes(&mut self, state: &State<Bits>, i: &Instruction, slice: i64) -> Result<()> {
        use Mnemonic::*;
        let is_number = match i.mnemonic() {
            Vzeroupper => return Ok(()),
            Vpbroadcastd if i.op1_kind() == OpKind::Memory => true,
            Movdqu | Movdqa | Vmovdqu | Vmovdqu64 | Vmovdqa | Vmovdqa64 | Pxor | Vpxor | Vpxord
            | Vpxorq | Pand | Vpand | Vpandd | Vpandq | Por | Vpor | Vpord | Vporq | Pandn
            | Vpandn | Vpandnd | Vpandnq | Vpternlogd | Vpternlogq | Pcmpeqd | Vpcmpeqd => {
                i.is_broadcast()
            }
            _ => return Err("lanes do not stay apart".into()),
        };
        if !i.op_kinds().any(|kind| kind == OpKind::Memory) {
            return Ok(());
        }
        let place = self.place(state, i)?;
        let (region, offset) = place.at;
        let align = state.memory.regions.get(region).map_or(1, |region| region.align);
        let is_whole = i64::try_from(i.memory_size().size()) == Ok(slice);
        let phase = offset.rem_euclid(slice);
        let is_loaded = i.op0_kind() != OpKind::Memory;
        let has_number = |&at: &i64| offset - 8 < at && at < offset + slice;
        if is_loaded && region == STACK && self.numbers.iter().any(has_number) {
            return Err("a slice on the stack where a number was".into());
        }
        let is_allowed = match region {
            STACK => !is_number && is_whole && *self.phase.get_or_insert(phase) == phase,
            _ if is_number => region >= ARGUMENTS && align < slice,
            _ => region >= ARGUMENTS && align == slice && is_whole && phase == 0,
        };
        if !is_allowed || place.index.is_some() {
            return Err("memory that lanes do not have to themselves".into());
        }
        Ok(())
    }

    /// A vector as a source operand.
    pub(super) fn vector_source(
        &mut self,
        state: &mut State<Bits>,
        i: &Instruction,
        operand: u32,
        width: usize,
    ) -> Result<Vec<Bit>> {
        if i.op_kind(operand) == OpKind::Register {
            return Ok(state.vectors[i.op_register(operand).number()][..width].to_vec());
        }
        if i.is_broadcast() {
            let element = self.load(state, i, i.memory_size().element_size())?;
            return Ok(element.into_iter().cycle().take(width).collect());
        }
        self.load(state, i, width / 8)
    }

    /// Puts a vector into the first operand. All instructions but the oldest clear what lies above it.
    pub(super) fn vector_destination(
        &mut self,
        state: &mut State<Bits>,
        i: &Instruction,
        bits: &[Bit],
    ) -> Result<()> {
        if i.op0_kind() != OpKind::Register {
            return self.store(state, i, bits);
        }
        let number = i.op0_register().number();
        let mut all = match i.encoding() {
            EncodingKind::Legacy => state.vectors[number].to_vec(),
            _ => vec![Bit::ZERO; VECTOR],
        };
        all[..bits.len()].copy_from_slice(bits);
        state.vectors[number] = Rc::new(all);
        state.wide |= bits.len() > NARROW && number < 16;
        Ok(())
    }

    /// 64 bits between a vector and a general register or memory.
    fn movq(&mut self, state: &mut State<Bits>, i: &Instruction) -> Result<()> {
        let is_vector =
            |n| i.op_kind(n) == OpKind::Register && i.op_register(n).is_vector_register();
        let mut bits = if is_vector(1) {
            self.vector_source(state, i, 1, 64)?
        } else {
            self.source(state, i, 1, 64)?
        };
        if is_vector(0) {
            bits.resize(NARROW, Bit::ZERO);
            return self.vector_destination(state, i, &bits);
        }
        self.destination(state, i, &bits)
    }

    fn broadcast(
        &mut self,
        state: &mut State<Bits>,
        i: &Instruction,
        element: usize,
    ) -> Result<()> {
        let bits = match i.op1_kind() {
            OpKind::Register if i.op1_register().is_gpr() => {
                self.read_register(state, i.op1_register())?
            }
            OpKind::Register => self.vector_source(state, i, 1, element)?,
            _ => self.load(state, i, element / 8)?,
        };
        let bits: Vec<Bit> = bits.into_iter().cycle().take(width(i, 0)).collect();
        self.vector_destination(state, i, &bits)
    }

    fn bitwise(
        &mut self,
        state: &mut State<Bits>,
        i: &Instruction,
        operation: impl Fn(&mut Bits, Bit, Bit) -> Bit,
    ) -> Result<()> {
        let (width, (first, second)) = (width(i, 0), sources(i));
        let x = self.vector_source(state, i, first, width)?;
        let y = self.vector_source(state, i, second, width)?;
        let pairs = x.into_iter().zip(y);
        let bits: Vec<Bit> = pairs.map(|(x, y)| operation(&mut self.domain, x, y)).collect();
        self.vector_destination(state, i, &bits)
    }

    /// Shifts of elements of 64 bits by a constant.
    fn shift_elements(&mut self, state: &mut State<Bits>, i: &Instruction) -> Result<()> {
        let (first, second) = sources(i);
        if i.op_kind(second) != OpKind::Immediate8 {
            return Err("a shift by what is no constant".into());
        }
        let by = usize::from(i.immediate8()).min(64);
        let is_left = matches!(i.mnemonic(), Mnemonic::Psllq | Mnemonic::Vpsllq);
        let mut bits = Vec::with_capacity(width(i, 0));
        for element in self.vector_source(state, i, first, width(i, 0))?.chunks(64) {
            let zeros = std::iter::repeat_n(Bit::ZERO, by);
            if is_left {
                bits.extend(zeros.chain(element[..64 - by].iter().copied()));
            } else {
                bits.extend(element[by..].iter().copied().chain(zeros));
            }
        }
        self.vector_destination(state, i, &bits)
    }

    /// The sum of numbers.
    pub(super) fn sum_of_bits(&mut self, x: &[Bit], y: &[Bit]) -> Result<Vec<Bit>> {
        Domain::add(&mut self.domain, x, y)
    }
}
