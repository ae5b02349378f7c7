//! Instructions that move bytes and words within vectors, or look up by them.

use super::operands::width;
use crate::Result;
use crate::domain::{Domain, Logic};
use crate::machine::state::{Machine, State};
use iced_x86::{Instruction, Mnemonic, OpKind};

/// The product of a matrix and a byte, as `vgf2p8affineqb` has it: the highest byte is the row of bit 0.
fn product(matrix: u64, byte: u8) -> u8 {
    let bit = |n: usize| (matrix.to_be_bytes()[n] & byte).count_ones() as u8 & 1;
    (0..8).fold(0, |product, n| product | bit(n) << n)
}

/// Elements of two vectors in turns, of each two parts the lower (0) or the upper one (1).
fn interleaved<C: Copy>(element: usize, half: usize, part: usize, x: &[C], y: &[C]) -> Vec<C> {
    let lanes = x.chunks(2 * part).zip(y.chunks(2 * part));
    let interleave = |(x, y): (&[C], &[C])| {
        let [x, y] = [x, y].map(|lane| lane[half * part..][..part].chunks(element));
        x.zip(y).flat_map(|(x, y)| [x, y].concat()).collect::<Vec<_>>()
    };
    lanes.flat_map(interleave).collect()
}

impl<D: Domain> Machine<'_, D> {
    pub(super) fn shuffle(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
    ) -> Result<Vec<D::Cell>> {
        use Mnemonic::*;
        let width = width(i, 0);
        let cells = |bits: usize| bits / D::BITS;
        let [x, y] = self.vector_sources(state, i)?;
        let zero = self.domain.zeros(128);
        let last = i.op_count() - 1;
        let has_choice = i.op_kind(last) == OpKind::Immediate8;
        let choice = usize::from(if has_choice { i.immediate8() } else { 0 });
        Ok(match i.mnemonic() {
            Punpcklbw => interleaved(cells(8), 0, cells(64), &x, &y),
            Punpcklwd | Vpunpcklwd => interleaved(cells(16), 0, cells(64), &x, &y),
            Punpckldq | Vpunpckldq => interleaved(cells(32), 0, cells(64), &x, &y),
            Punpcklqdq | Vpunpcklqdq => interleaved(cells(64), 0, cells(64), &x, &y),
            Punpckhwd | Vpunpckhwd => interleaved(cells(16), 1, cells(64), &x, &y),
            Punpckhdq | Vpunpckhdq => interleaved(cells(32), 1, cells(64), &x, &y),
            Punpckhqdq | Vpunpckhqdq => interleaved(cells(64), 1, cells(64), &x, &y),
            Pshufd => {
                let part = |n: usize| &y[cells(32 * (choice >> (2 * n) & 3))..][..cells(32)];
                (0..4).flat_map(part).copied().collect()
            }
            Vshufps => {
                let part = |n: usize| {
                    let from = if n % 4 < 2 { &x } else { &y };
                    let at = n / 4 * 128 + 32 * (choice >> (2 * (n % 4)) & 3);
                    &from[cells(at)..cells(at + 32)]
                };
                (0..width / 32).flat_map(part).copied().collect()
            }
            Vperm2i128 => {
                let half = |n: usize| {
                    let choice = choice >> (4 * n) & 15;
                    let from = if choice & 2 == 0 { &x } else { &y };
                    let half = &from[cells(128 * (choice & 1))..][..cells(128)];
                    if choice & 8 == 0 { half } else { &zero }
                };
                [half(0), half(1)].concat()
            }
            Vpalignr => {
                let lanes = x.chunks(cells(128)).zip(y.chunks(cells(128)));
                let lane = |(x, y): (&[D::Cell], &[D::Cell])| {
                    [y, x, &zero].concat()[cells(8 * choice.min(32))..][..cells(128)].to_vec()
                };
                lanes.flat_map(lane).collect()
            }
            Valignq => {
                let both = [&y[..], &x[..]].concat();
                both[cells(64 * (choice % (width / 64)))..][..cells(width)].to_vec()
            }
            Pshufb | Vpshufb => self.bytes(&y, |machine, n, index| {
                let lane = &x[cells(n / 16 * 128)..][..cells(128)];
                let entry = |index: u8| match index {
                    0..128 => &lane[cells(8 * usize::from(index % 16))..][..cells(8)],
                    _ => &zero[..cells(8)],
                };
                machine.domain.choose(index, 0x8f, &entry)
            })?,
            Vpermb | Vpermi2b => {
                let is_double = i.mnemonic() == Vpermi2b;
                let (index, table) = if is_double {
                    (self.vector_source(state, i, 0, width)?, [x, y].concat())
                } else {
                    (x, y)
                };
                let mask = (table.len() / cells(8) - 1) as u8;
                let entry = |index: u8| &table[cells(8 * usize::from(index))..][..cells(8)];
                self.bytes(&index, |machine, _, index| machine.domain.choose(index, mask, &entry))?
            }
            Gf2p8affineqb | Vgf2p8affineqb => self.bytes(&x, |machine, n, byte| {
                let matrix = &y[cells(n / 8 * 64)..][..cells(64)];
                if D::BITS == 8 {
                    let matrix = machine.domain.number(matrix).ok_or("a matrix that is secret")?;
                    let added = choice as u8;
                    let table =
                        (0..=255).map(|n| machine.domain.constant(product(matrix, n) ^ added));
                    let table: Vec<D::Cell> = table.collect();
                    let entry = |index: u8| &table[usize::from(index)..][..1];
                    return machine.domain.choose(byte, 0xff, &entry);
                }
                let row = |bit: usize| &matrix[8 * (7 - bit)..][..8];
                let mut product = Vec::with_capacity(8);
                for bit in 0..8 {
                    let mut sum = machine.domain.constant((choice >> bit & 1) as u8);
                    for (&coefficient, &bit) in row(bit).iter().zip(byte) {
                        let term = machine.domain.logic(Logic::And, coefficient, bit)?;
                        sum = machine.domain.logic(Logic::Xor, sum, term)?;
                    }
                    product.push(sum);
                }
                Ok(product)
            })?,
            Vpsignb => self.pairs_of_bytes(&x, &y, |x, y| match (y as i8).signum() {
                -1 => x.wrapping_neg(),
                0 => 0,
                _ => x,
            })?,
            Vpsadbw => {
                let differences = self.pairs_of_bytes(&x, &y, u8::abs_diff)?;
                let mut sums = Vec::with_capacity(cells(width));
                for eight in differences.chunks(cells(64)) {
                    let mut sum = zero[..cells(16)].to_vec();
                    for byte in eight.chunks(cells(8)) {
                        sum = self.domain.add(&sum, &[byte, &zero[..cells(8)]].concat())?;
                    }
                    sums.extend([&sum, &zero[..cells(48)]].concat());
                }
                sums
            }
            _ => return Err("an instruction that the prover does not know".into()),
        })
    }

    /// A vector made byte by byte: of the number and the cells of each byte of `from`.
    fn bytes(
        &mut self,
        from: &[D::Cell],
        mut byte: impl FnMut(&mut Self, usize, &[D::Cell]) -> Result<Vec<D::Cell>>,
    ) -> Result<Vec<D::Cell>> {
        let mut cells = Vec::with_capacity(from.len());
        for (n, of_byte) in from.chunks(8 / D::BITS).enumerate() {
            cells.extend(byte(self, n, of_byte)?);
        }
        Ok(cells)
    }

    /// A function of each two bytes.
    fn pairs_of_bytes(
        &mut self,
        x: &[D::Cell],
        y: &[D::Cell],
        function: impl Fn(u8, u8) -> u8,
    ) -> Result<Vec<D::Cell>> {
        self.bytes(x, |machine, n, byte| {
            let both = [byte, &y[n * byte.len()..][..byte.len()]].concat();
            machine
                .domain
                .look_up(&both, 1, &|both| Ok(function(both as u8, (both >> 8) as u8).into()))
        })
    }
}
