//! AArch64's kernels as text for assemblers.
//!
//! | file | subject |
//! |---|---|
//! | `listing.rs` | finished programs as listings |
//! | `operands.rs` | instructions as words |
//! | `gnu.rs` | GNU's syntax, for the assemblers of several systems |
//! | `armasm.rs` | armasm64, for COFF |
//! | `formats.rs` | all of them by name |

mod armasm;
mod formats;
mod gnu;
mod listing;
mod operands;

pub(super) use formats::{BODY, FORMATS};
pub(super) use listing::listing;
