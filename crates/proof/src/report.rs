//! All kernels of a file, one by one, on all cores.

use crate::Result;
use crate::image::Image;
use crate::theorems::{Kernel, Lanes, Proof};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Proves every kernel of an image: what was found, by `HASH_NAME`.
pub fn prove_all(
    image: &Image,
    covered: &BTreeSet<String>,
    lanes: Lanes,
) -> BTreeMap<String, Result<Proof>> {
    let symbols: Vec<&String> = image.kernels.keys().collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some(&symbol) = symbols.get(next.fetch_add(1, Ordering::Relaxed)) {
            let proof = Kernel { image, symbol, covered, lanes }.prove();
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.insert(symbol.clone(), proof);
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 1..cores {
            scope.spawn(work);
        }
        work();
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
