//! `--costs`: the table by which the library weighs its backends, measured here and printed as
//! `crates/cipherloom/src/dispatch/costs.rs` has it.

use std::fmt::Write;
use std::time::Duration;

use cipherloom::batch::{Batch, Flat, Keys, Span};
use cipherloom::{Algorithm, Backend, BlockCipher as _, BlockKey, Error, Family, Mode, Padding};

use super::task::filler;
use crate::errors::Result;
use crate::measure::sampler::measure;

/// DES, then Triple-DES.
const CIPHERS: [Algorithm; 2] = [Algorithm::Des, Algorithm::TdesEde3];

/// Blocks in a chain that is long enough to be nothing but a chain.
const CHAIN: usize = 256;
/// Independent blocks near where the backends change.
const BLOCKS: usize = 40;
/// Records of a small batch, and lanes of the bit-sliced kernel's two calls.
const FEW: usize = 8;
const NARROW: usize = 64;
const WIDE: usize = 256;

/// Measures every cell for `budget`.
///
/// # Errors
/// What the library refuses.
pub(crate) fn run(budget: Duration) -> Result<String> {
    let mut text = String::new();
    for &backend in Backend::all().iter().filter(|backend| backend.family() == Family::Des) {
        let _ = writeln!(text, "{}", backend.name());
        for algorithm in CIPHERS {
            let cell = Cell { backend, algorithm, budget };
            if backend.is_constant_time() {
                let [few, many] = [cell.records(FEW)?, cell.records(NARROW)?];
                let lane = (many - few) / (NARROW - FEW) as f64;
                let call = |one_key: f64, records: f64, lanes: usize| {
                    let key_each = records - lane * lanes as f64;
                    format!("Call {{ one_key: {one_key:6.0}, key_each: {key_each:6.0} }}")
                };
                let narrow = call(cell.blocks(NARROW)?, few, FEW);
                let wide = call(cell.blocks(WIDE)?, cell.records(WIDE)?, WIDE);
                let _ = writeln!(
                    text,
                    "    Slices {{ narrow: {narrow}, wide: {wide}, lane: {lane:.0} }},"
                );
            } else {
                let chain = cell.chain(CHAIN)? / CHAIN as f64;
                let block = cell.blocks(BLOCKS)? / BLOCKS as f64;
                let record = cell.records(FEW)? / FEW as f64;
                let _ = writeln!(
                    text,
                    "    Tables {{ chain: {chain:3.0}, block: {block:3.0}, record: {record:3.0} }},"
                );
            }
        }
    }
    Ok(text)
}

/// One backend with one cipher.
#[derive(Clone, Copy)]
struct Cell {
    backend: Backend,
    algorithm: Algorithm,
    budget: Duration,
}

impl Cell {
    fn key(self) -> BlockKey {
        let key = BlockKey::new(self.algorithm, &filler(3, self.algorithm.key_len()));
        let forced = key.and_then(|key| self.backend.force(key));
        forced.expect("a key of the cipher's length and a backend of its family")
    }

    /// CBC encryption of so many blocks.
    fn chain(self, blocks: usize) -> Result<f64> {
        let (key, mode) = (self.key(), Mode::cbc([7; 8], Padding::None));
        let mut data = filler(4, 8 * blocks);
        self.time(|| mode.encrypt_in_place(&key, &mut data, 8 * blocks).map(|_| ()))
    }

    /// So many independent blocks under one key.
    fn blocks(self, blocks: usize) -> Result<f64> {
        let key = self.key();
        let mut data = filler(4, 8 * blocks).as_chunks::<8>().0.to_vec();
        self.time(|| key.encrypt_blocks(&mut data))
    }

    /// So many records of one block, a key each.
    fn records(self, count: usize) -> Result<f64> {
        let batch = Batch::ecb(self.algorithm, Padding::None).with_backend(self.backend)?;
        let keys = filler(5, count * self.algorithm.key_len());
        let mut data = filler(6, 8 * count);
        let spans: Vec<Span> = (0..count).map(|n| Span::new(8 * n, 8)).collect();
        let mut results = vec![Ok(0); count];
        self.time(|| {
            let (keys, data) = (Keys::Each(&keys), &mut data[..]);
            batch.encrypt_flat(Flat { keys, ivs: &[], data, spans: &spans }, &mut results)
        })
    }

    /// Core cycles of a call, or nanoseconds where nobody can count those: only ratios matter.
    fn time(self, call: impl FnMut() -> std::result::Result<(), Error>) -> Result<f64> {
        let measured = measure(self.budget, call)?;
        Ok(measured.nanoseconds.median * measured.ghz.unwrap_or(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_has_a_row_for_either_cipher() {
        let text = run(Duration::ZERO).unwrap();
        let own = Backend::all().iter().filter(|backend| backend.family() == Family::Des).count();
        assert_eq!(text.lines().count(), 3 * own, "{text}");
        assert_eq!(text.matches("Slices {").count(), 2, "{text}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
