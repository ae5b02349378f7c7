//! PA-RISC's kernels as text for assemblers.
//!
//! | file | subject |
//! |---|---|
//! | `listing.rs` | finished programs as listings |
//! | `gnu.rs` | GNU as |

mod gnu;
mod listing;

pub(super) use gnu::FORMATS;
pub(super) use listing::listing;
