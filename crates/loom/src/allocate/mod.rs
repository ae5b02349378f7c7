//! Registers for values: furthest next use (Belady 1966) on straight lines, assigned locations around
//! loops.
//!
//! `flat.rs` numbers the code, `linear_scan/` allocates it, `moves.rs` puts several values in their
//! places at once, `post_ra.rs` orders the result for processors that do instructions in order, and
//! `check.rs` proves the result, and relies on nothing of theirs but the numbers.

mod check;
mod flat;
mod linear_scan;
mod moves;
mod post_ra;

pub use check::{Wrong, check, check_stack};
pub use linear_scan::{Budget, allocate};
pub use post_ra::post_ra_schedule;
