//! For a fuzz target: any sequence of calls, with handles in any order of use, buffers that overlap in
//! any way, and lengths that are right or wrong. Every result is judged, by the specification where
//! it has one, and so is every byte of the memory that the calls work on.
//!
//! | file | subject |
//! |---|---|
//! | `face.rs` | the functions, as C sees them |
//! | `memory.rs` | the memory of a program, and what must have become of it |
//! | `keys.rs` | keys that the model knows |
//! | `messages.rs` `macs.rs` `streams.rs` `batches.rs` `openssl.rs` | calls and their judgement |

mod batches;
mod face;
mod keys;
mod macs;
mod memory;
mod messages;
mod openssl;
mod streams;

use cipherloom_testkit::fuzz::Input;
use memory::Memory;

/// Calls of one input at most.
const CALLS: usize = 60;

/// Runs the calls that some bytes say.
///
/// # Panics
/// If a result or a byte is not what it must be.
pub(crate) fn run(data: &[u8]) {
    let mut input = Input(data);
    let mut memory = Memory::new(&mut input);
    let mut keys = keys::Keys::new();
    let mut messages = messages::Messages::default();
    let mut macs = macs::Macs::default();
    let mut streams = streams::Streams::default();
    for _ in 0..CALLS {
        if input.0.is_empty() {
            break;
        }
        match input.byte() % 12 {
            0 | 1 => keys.step(&mut input, &mut memory),
            2 | 3 => messages::whole(&keys, &mut input, &mut memory),
            4..=6 => messages.step(&keys, &mut input, &mut memory),
            7 => macs.step(&keys, &mut input, &mut memory),
            8 => streams.step(&mut input, &mut memory),
            9 => batches::records(&mut input, &mut memory),
            10 => batches::flat(&mut input, &mut memory),
            _ => openssl::step(&mut input, &mut memory),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn sequences_of_calls_give_what_they_must() {
        cipherloom_testkit::fuzz::replay("c_face", super::run);
    }
}
