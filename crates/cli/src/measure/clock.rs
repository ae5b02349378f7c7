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

/// Links without a jump between them.
const UNROLLED: usize = 16;

/// Why [`core_ghz`] gives nothing here, or `None` if it gives the clock.
#[must_use]
pub(crate) const fn unknown_because() -> Option<&'static str> {
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
pub(crate) fn core_ghz() -> Option<f64> {
    if unknown_because().is_some() {
        return None;
    }
    let start = Instant::now();
    black_box(chain(black_box(0x2545_f491_4f6c_dd1d)));
    let nanoseconds = start.elapsed().as_secs_f64() * 1e9;
    Some(LINKS as f64 * CYCLES_PER_LINK / nanoseconds)
}

/// Squares a number again and again. Unlike a product with a constant, squarings cannot be
/// regrouped by the compiler.
fn chain(mut x: u64) -> u64 {
    for _ in 0..LINKS / UNROLLED {
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
    }

    #[test]
    fn the_chain_has_all_its_links() {
        // (x^2)^2... of x with x^2 = x stays; of 3 it is 3^(2^LINKS) = 1 modulo 2^64.
        assert_eq!(chain(1), 1);
        assert_eq!(chain(3), 1);
        assert_eq!(LINKS % UNROLLED, 0);
    }
}
