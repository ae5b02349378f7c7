//! Search for the order and the choices that run fastest on the processor at hand.
//!
//! | file | subject |
//! |---|---|
//! | `jit.rs`, `low.rs` | a kernel in memory, to be called; memory for 32-bit code, and the way into it |
//! | `inputs.rs`, `call_buffers.rs`, `work.rs` | what it is called with, and where that lies; what one sample is |
//! | `subject.rs` | its answers and its cycles |
//! | `mutate.rs` | plans at random |
//! | `processor.rs` | what it is called, and what it can |
//! | `search.rs` | from a plan to a better one |
//! | `model.rs` | the best plan by a cost model, where the processor is not at hand |
//! | `tuned.rs` | what was found, as files |
//! | `generic.rs` | those of `generic`, compiled in (generated) |

mod call_buffers;
mod generic;
mod inputs;
mod jit;
mod low;
mod model;
pub mod mutate;
mod processor;
mod search;
mod subject;
mod tuned;
mod work;

pub use call_buffers::CallBuffers;
pub use cipherloom_circuits::Random;
pub use inputs::inputs;
pub use jit::{Image, Jit};
pub use model::by_model;
pub use processor::Processor;
pub use search::{Found, Progress, Stop, search};
pub use subject::{Answers, Subject};
pub use tuned::{GENERIC, Measured, Search, Store, Tuned, Unusable, code_hash, words};
pub use work::Work;
