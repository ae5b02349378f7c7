//! Machine code in the memory of this process, called.
//!
//! | file | subject |
//! |---|---|
//! | `processor.rs` | what the processor at hand is called, and what it can |
//! | `low.rs` | memory at addresses of 32 bits, and the way into code of 32 bits |
//! | `jit.rs` | a kernel in memory |
//! | `inputs.rs`, `call_buffers.rs` | what it is called with, and where that lies |
//! | `subject.rs` | a kernel to be called, and the answers that it must give |

mod call_buffers;
mod inputs;
mod jit;
mod low;
mod processor;
mod subject;

pub use call_buffers::CallBuffers;
pub use inputs::inputs;
pub use jit::{Image, Jit};
pub use processor::Processor;
pub use subject::{Answers, Subject};
