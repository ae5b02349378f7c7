//! The clock of the core that runs this thread.
//!
//! The time-stamp counter ticks at a fixed rate, whatever the core does, so it cannot turn
//! nanoseconds into cycles. A chain of dependent multiplications can: on x86-64 each takes 3 cycles
//! (Intel since Nehalem, AMD since Zen), and nothing can make the chain shorter.

use std::hint::black_box;
use std::time::Instant;

/// Cycles of one link of the chain, on x86-64.
const CYCLES_PER_LINK: f64 = 3.0;

/// Links in one calibration: about 8 microseconds at 3 GHz.
const LINKS: usize = 8192;

/// Links in a calibration beside a span of 30 microseconds or so: about 2 microseconds.
const FEW_LINKS: usize = 2048;

/// Links without a jump between them.
const UNROLLED: usize = 16;

/// Why [`core_ghz`] gives nothing here, or `None` if it gives the clock.
#[must_use]
pub const fn unknown_because() -> Option<&'static str> {
    if !cfg!(target_arch = "x86_64") {
        Some("the core clock is unknown: it is calibrated on x86-64 only")
    } else if cfg!(debug_assertions) {
        Some("the core clock is unknown: a build without optimisation cannot calibrate it")
    } else {
        None
    }
}

/// The core's clock in GHz (cycles per nanosecond) over the next few microseconds, or `None`
/// where [`unknown_because`] says why.
#[must_use]
pub fn core_ghz() -> Option<f64> {
    unknown_because().is_none().then(ghz)
}

/// The same without regard to [`unknown_because`]: there it means nothing.
#[must_use]
pub fn ghz() -> f64 {
    ghz_over(LINKS)
}

/// Cycles that `work` takes, once, by the core's clock right before and after it. Where
/// [`unknown_because`] says why, only ratios of them mean something.
pub fn cycles(work: impl FnOnce()) -> f64 {
    let before = ghz_over(FEW_LINKS);
    let start = Instant::now();
    work();
    let nanoseconds = start.elapsed().as_secs_f64() * 1e9;
    // An interrupt makes a clock look slow; none makes it look fast.
    nanoseconds * before.max(ghz_over(FEW_LINKS))
}

fn ghz_over(links: usize) -> f64 {
    let start = Instant::now();
    black_box(chain(links, black_box(0x2545_f491_4f6c_dd1d)));
    links as f64 * CYCLES_PER_LINK / (start.elapsed().as_secs_f64() * 1e9)
}

/// Squares a number again and again. Unlike a product with a constant, squarings cannot be
/// regrouped by the compiler.
fn chain(links: usize, mut x: u64) -> u64 {
    for _ in 0..links / UNROLLED {
        for _ in 0..UNROLLED {
            x = x.wrapping_mul(x);
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_known_or_there_is_a_reason() {
        assert_eq!(core_ghz().is_none(), unknown_because().is_some());
        assert!(cycles(|| ()) >= 0.0);
    }

    #[test]
    fn the_chain_has_all_its_links() {
        // (x^2)^2... of x with x^2 = x stays; of 3 it is 3^(2^LINKS) = 1 modulo 2^64.
        assert_eq!(chain(LINKS, 1), 1);
        assert_eq!(chain(LINKS, 3), 1);
        assert_eq!(chain(UNROLLED, 3), (0..UNROLLED).fold(3_u64, |x, _| x.wrapping_mul(x)));
        assert_eq!((LINKS % UNROLLED, FEW_LINKS % UNROLLED), (0, 0));
    }
}
