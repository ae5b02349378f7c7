//! Time in cycles of the core that runs this thread.
//!
//! A fixed-rate counter cannot count them: the core's rate changes. So each span is compared with a
//! chain of dependent multiplications right before and after it, 3 cycles each on every x86-64
//! processor since Nehalem and Zen, which nothing can make shorter.

use std::hint::black_box;
use std::time::Instant;

/// Cycles of one link of the chain.
const CYCLES_PER_LINK: f64 = 3.0;
/// Links in one calibration: one to two microseconds.
const LINKS: usize = 2048;
const UNROLLED: usize = 16;

/// The core's clock over the next few microseconds, in GHz.
#[must_use]
pub fn ghz() -> f64 {
    let start = Instant::now();
    black_box(chain(black_box(0x2545_f491_4f6c_dd1d)));
    LINKS as f64 * CYCLES_PER_LINK / (start.elapsed().as_secs_f64() * 1e9)
}

/// Squarings: unlike products with a constant they cannot be regrouped by the compiler.
fn chain(mut x: u64) -> u64 {
    for _ in 0..LINKS / UNROLLED {
        for _ in 0..UNROLLED {
            x = x.wrapping_mul(x);
        }
    }
    x
}

/// Cycles that `work` takes, once.
pub fn cycles(work: impl FnOnce()) -> f64 {
    let before = ghz();
    let start = Instant::now();
    work();
    let nanoseconds = start.elapsed().as_secs_f64() * 1e9;
    nanoseconds * before.max(ghz())
}

/// The middle one of some figures.
///
/// # Panics
/// If there are none.
#[must_use]
pub fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
