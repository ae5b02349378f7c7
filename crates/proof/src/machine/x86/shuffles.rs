//! Instructions that move bytes and words within vectors, or look up by them.

use super::operands::width;
use super::vectors::sources;
use crate::Result;
use crate::bits::{Bit, Bits};
use crate::machine::state::{Machine, State};
use iced_x86::{Instruction, Mnemonic};

const DIMENSIONS: &str = "bytes of more than 6 dimensions";

impl Machine<'_, Bits> {
    pub(super) fn shuffle(&mut self, state: &mut State<Bits>, i: &Instruction) -> Result<()> {
        use Mnemonic::*;
        let width = width(i, 0);
        let (first, second) = sources(i);
        // Of what has an immediate, the sources are operands 1 and 2.
        let (first, second) = if i.op_count() == 4 { (1, 2) } else { (first, second) };
        let x = self.vector_source(state, i, first, width)?;
        let y = self.vector_source(state, i, second, width)?;
        let bits = match i.mnemonic() {
            Punpcklqdq => [&x[..64], &y[..64]].concat(),
            Vshufps => {
                let choice = usize::from(i.immediate8());
                let part = |n: usize| {
                    let from = if n % 4 < 2 { &x } else { &y };
                    let at = n / 4 * 128 + 32 * (choice >> (2 * (n % 4)) & 3);
                    &from[at..at + 32]
                };
                (0..width / 32).flat_map(part).copied().collect()
            }
            Vperm2i128 => {
                let half = |n: usize| {
                    let choice = usize::from(i.immediate8()) >> (4 * n) & 15;
                    let from = if choice & 2 == 0 { &x } else { &y };
                    let half = &from[128 * (choice & 1)..][..128];
                    if choice & 8 == 0 { half.to_vec() } else { vec![Bit::ZERO; 128] }
                };
                [half(0), half(1)].concat()
            }
            Vpshufb => self.bytes(&y, |machine, n, index| {
                let lane = &x[n / 16 * 128..][..128];
                machine.pick(lane, &index[..4], index[7])
            })?,
            Vpermb => {
                let bits = (width / 8).ilog2() as usize;
                self.bytes(&x, |machine, _, index| machine.pick(&y, &index[..bits], Bit::ZERO))?
            }
            Vpermi2b => {
                let bits = (width / 4).ilog2() as usize;
                let index = self.vector_source(state, i, 0, width)?;
                let table = [x, y].concat();
                self.bytes(&index, |machine, _, index| {
                    machine.pick(&table, &index[..bits], Bit::ZERO)
                })?
            }
            Vgf2p8affineqb => self.bytes(&x, |machine, n, byte| {
                let matrix = &y[n / 8 * 64..][..64];
                let row = |bit: usize| &matrix[8 * (7 - bit)..][..8];
                let product = |bit: usize| {
                    let mut sum = Bit::constant(i.immediate8() >> bit & 1 == 1);
                    for (&coefficient, &bit) in row(bit).iter().zip(byte) {
                        let term = machine.domain.and(coefficient, bit);
                        sum = machine.domain.xor(sum, term);
                    }
                    sum
                };
                Ok((0..8).map(product).collect())
            })?,
            Vpsignb => self.bytes(&x, |machine, n, byte| {
                let both = [byte, &y[8 * n..][..8]].concat();
                let sign = |both: u64| {
                    let (byte, sign) = (both as i8, (both >> 8) as i8);
                    Ok(u64::from(match sign.signum() {
                        -1 => byte.wrapping_neg(),
                        0 => 0,
                        _ => byte,
                    } as u8))
                };
                Ok(machine.domain.function(&both, 8, sign)?.ok_or(DIMENSIONS)?)
            })?,
            Vpsadbw => {
                let differences = self.bytes(&x, |machine, n, byte| {
                    let both = [byte, &y[8 * n..][..8]].concat();
                    let difference =
                        |both: u64| Ok((both as u8).abs_diff((both >> 8) as u8).into());
                    Ok(machine.domain.function(&both, 8, difference)?.ok_or(DIMENSIONS)?)
                })?;
                let mut sums = Vec::with_capacity(width);
                for eight in differences.chunks(64) {
                    let mut sum = vec![Bit::ZERO; 16];
                    for byte in eight.chunks(8) {
                        let byte = [byte, &[Bit::ZERO; 8]].concat();
                        sum = self.sum_of_bits(&sum, &byte)?;
                    }
                    sums.extend(sum);
                    sums.extend([Bit::ZERO; 48]);
                }
                sums
            }
            _ => return Err("an instruction that the prover does not know".into()),
        };
        self.vector_destination(state, i, &bits)
    }

    /// A vector made byte by byte: of the number and the bits of each byte of `from`.
    fn bytes(
        &mut self,
        from: &[Bit],
        mut byte: impl FnMut(&mut Self, usize, &[Bit]) -> Result<Vec<Bit>>,
    ) -> Result<Vec<Bit>> {
        let mut bits = Vec::with_capacity(from.len());
        for (n, of_byte) in from.chunks(8).enumerate() {
            bits.extend(byte(self, n, of_byte)?);
        }
        Ok(bits)
    }

    /// The byte that a table in registers has at an index, or 0 where `zero` is 1.
    fn pick(&mut self, table: &[Bit], index: &[Bit], zero: Bit) -> Result<Vec<Bit>> {
        if index.contains(&Bit::UNKNOWN) || zero == Bit::UNKNOWN {
            return Ok(vec![Bit::UNKNOWN; 8]);
        }
        let entry = |index: u64| &table[8 * index as usize..][..8];
        let number = |bits: &[Bit]| {
            let bits = bits.iter().enumerate();
            bits.into_iter()
                .try_fold(0, |number, (n, bit)| Some(number | u64::from(bit.known()?) << n))
        };
        match (number(index), zero.known()) {
            (_, Some(true)) => return Ok(vec![Bit::ZERO; 8]),
            (Some(index), Some(false)) => return Ok(entry(index).to_vec()),
            _ => {}
        }
        let bits = [index, &[zero]].concat();
        let picked = self.domain.function(&bits, 8, |value| {
            if value >> index.len() & 1 == 1 {
                return Ok(0);
            }
            let byte = number(entry(value));
            byte.ok_or_else(|| "an index that is no constant, into a table that is none".into())
        })?;
        Ok(picked.ok_or("an index of more than 6 dimensions")?)
    }
}
