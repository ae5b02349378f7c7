//! Search for the order and the choices that run fastest on the processor at hand.
//!
//! | file | subject |
//! |---|---|
//! | `work.rs` | what one sample is, and its cycles |
//! | `mutate.rs` | plans at random |
//! | `search.rs` | from a plan to a better one |
//! | `model.rs` | the best plan by a cost model, where the processor is not at hand |
//! | `tuned.rs` | what was found, as files |
//! | `generic.rs` | those of `generic`, compiled in (generated) |

mod generic;
mod model;
pub mod mutate;
mod search;
mod tuned;
mod work;

pub use cipherloom_circuits::Random;
pub use model::by_model;
pub use search::{Found, Progress, Stop, search};
pub use tuned::{
    GENERIC, Measured, Search, Store, Tuned, Unusable, VENDORS, WORTH, code_hash, convention, words,
};
pub use work::Work;
