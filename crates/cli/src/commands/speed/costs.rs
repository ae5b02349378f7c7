//! `--costs`: the table by which the library weighs its backends, measured here and printed as
//! `crates/cipherloom/src/backend/table.rs` has it.

use std::fmt::Write;
use std::time::Duration;

use cipherloom::batch::{Batch, Flat, Keys, Span};
use cipherloom::{
    Algorithm, Backend, BlockCipher as _, BlockKey, Error, Family, Mode, Padding, Rc4,
};
use cipherloom_measure::measure;

use super::benchmark::filler;
use crate::errors::Result;

/// DES, then Triple-DES.
const CIPHERS: [Algorithm; 2] = [Algorithm::Des, Algorithm::TdesEde3];

/// Blocks in a chain that is long enough to be nothing but a chain.
const CHAIN: usize = 256;
/// Independent blocks near where the backends change, as many as fill the vectors of all kernels.
const BLOCKS: usize = 64;
/// Records of a small batch.
const FEW: usize = 8;
/// Records of a small group.
const GROUP: usize = 32;
/// Groups of lanes that show what one more costs.
const MORE: usize = 9;
/// Blocks of a record that show what one more costs: a piece that lanes serve in one go.
const PIECE: usize = 8;
/// Groups of which the wide kernel has all, even where it is slow to begin.
const SOME: usize = 4;
/// Bytes of a stream of RC4, and of its key.
const STREAM: usize = 1_500;
const RC4_KEY: usize = 16;

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
            text += &match backend.lanes() {
                Some([wide, narrow]) => cell.slices(wide, narrow)?,
                None => cell.tables()?,
            };
        }
    }
    let _ = writeln!(text, "a key object");
    let schedules = CIPHERS.map(|algorithm| {
        let cell = Cell { backend: Backend::Table, algorithm, budget };
        cell.schedule().map(|cycles| format!("{cycles:.0}"))
    });
    let [one, three] = schedules;
    let _ = writeln!(text, "    [{}, {}]", one?, three?);
    for &backend in Backend::all().iter().filter(|backend| backend.family() == Family::Rc4) {
        let _ = writeln!(text, "{}\n    {:.0}", backend.name(), stream(backend, budget)?);
    }
    Ok(text)
}

/// A new key and what the library's table counts of its stream.
fn stream(backend: Backend, budget: Duration) -> Result<f64> {
    let (key, mut data) = (filler(3, RC4_KEY), filler(4, STREAM));
    time(budget, || Rc4::with_backend(&key, backend)?.apply(&mut data))
}

/// Core cycles of a call, or nanoseconds where nobody can count those: only ratios matter.
fn time(budget: Duration, call: impl FnMut() -> std::result::Result<(), Error>) -> Result<f64> {
    let measured = measure(budget, call)?;
    Ok(measured.nanoseconds.median * measured.ghz.unwrap_or(1.0))
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

    /// A row for look-ups, in tables or in registers.
    fn tables(self) -> Result<String> {
        let chain = self.chain(CHAIN)? / CHAIN as f64;
        let block = self.blocks(BLOCKS)? / BLOCKS as f64;
        let record = self.records(FEW, 1, false)? / FEW as f64;
        Ok(format!(
            "    Tables {{ chain: {chain:3.0}, block: {block:3.0}, record: {record:3.0} }},\n"
        ))
    }

    /// A row for slices. The library takes the width that is right for a number of blocks by the
    /// costs that it has: wrong ones may want a second measurement.
    fn slices(self, wide: usize, narrow: usize) -> Result<String> {
        let some_groups = self.blocks(SOME * wide)?;
        let group = (self.blocks(MORE * wide)? - some_groups) / (MORE - SOME) as f64;
        let key = some_groups - SOME as f64 * group;
        let narrow_group = self.blocks(narrow)? - key;

        let one_key = self.records(wide, 1, true)?;
        let step = (self.records(wide, PIECE, true)? - one_key) / (PIECE - 1) as f64;
        let lane = (step - group) / wide as f64;
        // Lanes that are all taken again.
        let record = (self.records(2 * wide, 1, true)? - one_key - step) / wide as f64;
        // Half of that in a group; a few more than the narrow lanes need the wide ones.
        let keys = |records: usize, group: f64| {
            let beside = (lane + record) / 2.0 * records as f64;
            self.group(records).map(|cost| cost - group - beside)
        };
        let narrow_keys = keys(GROUP, narrow_group)?;
        let wide_keys = match wide > narrow {
            true => keys(narrow + GROUP, group)?,
            false => narrow_keys,
        };
        let beside = (lane + record) * wide as f64;
        let scheduler = self.records(wide, 1, false)? - wide_keys - group - beside;
        let width = |key: f64, keys: f64, group: f64| {
            format!("Width {{ key: {key:5.0}, keys: {keys:6.0}, group: {group:6.0} }}")
        };
        Ok(format!(
            "    Slices {{\n        wide:   {},\n        narrow: {},\n        lane: {lane:.0},\n        \
             record: {record:.0},\n        scheduler: {scheduler:.0},\n    }},\n",
            width(key, wide_keys, group),
            width(key, narrow_keys, narrow_group),
        ))
    }

    /// A key object.
    fn schedule(self) -> Result<f64> {
        let bytes = filler(3, self.algorithm.key_len());
        time(self.budget, || {
            BlockKey::new(self.algorithm, std::hint::black_box(&bytes)).map(|_| ())
        })
    }

    /// CBC encryption of so many blocks.
    fn chain(self, blocks: usize) -> Result<f64> {
        let (key, mode) = (self.key(), Mode::cbc([7; 8], Padding::None));
        let mut data = filler(4, 8 * blocks);
        time(self.budget, || mode.encrypt_in_place(&key, &mut data, 8 * blocks).map(|_| ()))
    }

    /// So many independent blocks under one key.
    fn blocks(self, blocks: usize) -> Result<f64> {
        let key = self.key();
        let mut data = filler(4, 8 * blocks).as_chunks::<8>().0.to_vec();
        time(self.budget, || key.encrypt_blocks(&mut data))
    }

    /// So many records of so many blocks, under one key or a key each; not a group, as the first lies apart.
    fn records(self, count: usize, blocks: usize, one_key: bool) -> Result<f64> {
        let len = 8 * blocks;
        let spans: Vec<_> = (0..count).map(|n| Span::new(len * (n + n.min(1)), len)).collect();
        self.batch(&spans, one_key)
    }

    /// A group of so many records of one block, a key each.
    fn group(self, count: usize) -> Result<f64> {
        let spans: Vec<_> = (0..count).map(|n| Span::new(8 * n, 8)).collect();
        self.batch(&spans, false)
    }

    fn batch(self, spans: &[Span], one_key: bool) -> Result<f64> {
        let batch = Batch::ecb(self.algorithm, Padding::None).with_backend(self.backend)?;
        let keys = filler(5, spans.len() * self.algorithm.key_len());
        let keys = match one_key {
            true => Keys::One(&keys[..self.algorithm.key_len()]),
            false => Keys::Each(&keys),
        };
        let mut data = filler(6, spans.last().map_or(0, |last| last.offset + last.len));
        let mut results = vec![Ok(0); spans.len()];
        time(self.budget, || {
            let flat = Flat { keys, ivs: &[], data: &mut data, spans };
            batch.encrypt_flat(flat, &mut results)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_has_its_rows() {
        let text = run(Duration::ZERO).unwrap();
        let own = Backend::all().iter().filter(|backend| backend.family() == Family::Des);
        let sliced = own.clone().filter(|backend| backend.lanes().is_some()).count();
        let tables = own.count() - sliced;
        assert_eq!(text.matches("Tables {").count(), 2 * tables, "{text}");
        assert_eq!(text.matches("Slices {").count(), 2 * sliced, "{text}");
        for backend in Backend::all() {
            assert!(text.contains(&format!("{}\n    ", backend.name())), "{text}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
