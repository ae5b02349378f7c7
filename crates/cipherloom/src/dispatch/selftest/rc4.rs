//! Known answers of RC4.

use super::blocks::digest_from;
use crate::dispatch::StreamKernels;
use crate::kernels::asm;
use crate::kernels::rc4_state::State;

/// RFC 6229 section 2, the 40-bit key.
const RC4_KEY: [u8; 5] = [1, 2, 3, 4, 5];
/// Its keystream at offset 1008 (3F0h), 16 bytes, and at offset 1024, 16 bytes.
const RC4_AT_1008: [u8; 32] = [
    0x45, 0x12, 0x90, 0x48, 0xe6, 0xa0, 0xed, 0x0b, 0x56, 0xb4, 0x90, 0x33, 0x8f, 0x07, 0x8d, 0xa5,
    0x30, 0xab, 0xbc, 0xc7, 0xc2, 0x0b, 0x01, 0x60, 0x9f, 0x23, 0xee, 0x2d, 0x5f, 0x6b, 0xb7, 0xdf,
];

pub(super) fn streams_are_right(kernels: StreamKernels) -> bool {
    keystream_is_right(|data| {
        let mut state = State::blank();
        kernels.set_up(&mut state, &RC4_KEY);
        kernels.apply(&mut state, data);
    }) && match kernels {
        StreamKernels::Asm(kernels) => interleaved_streams_are_right(kernels),
        _ => true,
    }
}

fn keystream_is_right(apply: impl FnOnce(&mut [u8])) -> bool {
    let mut stream = [0; 1040];
    apply(&mut stream);
    stream[1008..] == RC4_AT_1008
}

const STREAM_KEYS: [[u8; 5]; 4] = [RC4_KEY, [5, 4, 3, 2, 1], [0, 255, 0, 255, 0], [9; 5]];

/// Digest of 256 bytes of four streams, of the next 256 of the first three, and so on: 8 bytes of
/// each, then the next 8.
const INTERLEAVED_STREAMS: u64 = 0x3204_851f_acfd_699f;

/// Four streams set up together, then three and two of them; all is looked at.
fn interleaved_streams_are_right(kernels: asm::Rc4) -> bool {
    asm::rc4::Streams::with(kernels, |mut streams| {
        streams.add(&STREAM_KEYS.each_ref().map(<[u8; 5]>::as_slice));
        let mut sum = 0;
        while streams.count() > 0 {
            let mut scratch = [0; 256 * asm::rc4::INTERLEAVED];
            let out = &mut scratch[..256 * streams.count()];
            streams.keystreams(out);
            sum = digest_from(sum, out.as_chunks().0);
            streams.remove(streams.count() - 1);
        }
        sum == INTERLEAVED_STREAMS
    })
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use cipherloom_spec::rc4::Rc4;

    use super::*;

    /// Where the digest comes from: the same work done by the specification.
    #[test]
    fn the_digest_is_that_of_the_specification() {
        let mut streams: Vec<_> = STREAM_KEYS.iter().map(|key| Rc4::new(key)).collect();
        let mut sum = 0;
        while !streams.is_empty() {
            for _ in 0..32 {
                for stream in &mut streams {
                    sum = digest_from(sum, stream.keystream(8).as_chunks().0);
                }
            }
            streams.pop();
        }
        assert_eq!(INTERLEAVED_STREAMS, sum, "{sum:#018x}");
    }
}
