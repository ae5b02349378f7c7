//! AArch64's kernels as text for assemblers.
//!
//! | file | subject |
//! |---|---|
//! | `listing.rs` | finished programs as listings |
//! | `operands.rs` | instructions as words |
//! | `gnu.rs` | GNU's syntax, for the assemblers of several systems |
//! | `formats.rs` | all of them by name |

mod formats;
mod gnu;
mod listing;
mod operands;

pub(super) use formats::{BODY, FORMATS};
pub(super) use listing::listing;
