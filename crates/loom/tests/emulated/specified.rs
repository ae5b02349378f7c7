//! Calls of kernels for DES, with what the specification makes of them.

use cipherloom_spec::BlockCipher;
use cipherloom_spec::des::Des;
use cipherloom_spec::tdea::Tdea;
use loom::ciphers::des::{Config, Direction, Passes, Task, schedule};
use loom::ir::{Memory, Scalar};

/// The first one with the first block is the example that was printed with FIPS 81.
const KEYS: [[u8; 8]; 3] = [
    [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef],
    [0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01],
    [0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23],
];
const BEFORE: [u8; 8] = [0x12, 0x34, 0x56, 0x78, 0x90, 0xab, 0xcd, 0xef];

/// "Now is the time for all " and what else makes blocks for groups of one to four.
const TEXT: &[u8] = b"Now is the time for all good blocks, of which there are twelve: cipher block chaining takes each one.";

/// A call of a kernel on blocks: the arguments, memory before it, and after it by the specification.
pub(crate) struct Specified {
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) before: Vec<Memory>,
    pub(crate) after: Vec<Memory>,
}

impl Specified {
    /// Of a kernel for whole blocks, twelve of them.
    pub(crate) fn new(variant: &Config) -> Self {
        let blocks = &TEXT.as_chunks().0[..12];
        assert_eq!(Des::new(KEYS[0]).encrypt(blocks[0]), 0x3fa4_0e8a_984d_4815_u64.to_be_bytes());
        let (encrypt, cipher): (_, Box<dyn BlockCipher>) = match variant.passes {
            Passes::One => (vec![(KEYS[0], false)], Box::new(Des::new(KEYS[0]))),
            Passes::Three => {
                let [a, b, c] = KEYS;
                (vec![(a, false), (b, true), (c, false)], Box::new(Tdea::option1(a, b, c)))
            }
        };
        let apply = |block| match variant.direction {
            Direction::Encrypt => cipher.encrypt(block),
            Direction::Decrypt => cipher.decrypt(block),
        };
        let group =
            if let Task::Blocks(interleaved) = variant.task { usize::from(interleaved) } else { 1 };
        let chained = variant.task == Task::Chain;
        let mut chain = BEFORE;
        let result: Vec<[u8; 8]> = blocks
            .iter()
            .map(|block| match chained {
                true => {
                    chain = apply(std::array::from_fn(|n| block[n] ^ chain[n]));
                    chain
                }
                false => apply(*block),
            })
            .collect();
        let memory = |bytes: Vec<u8>| Memory { bytes };
        let words = schedule(variant.layout, &encrypt).into_iter().flat_map(u64::to_le_bytes);
        let words = memory(words.collect());
        let mut scalars =
            vec![Scalar::Region(0), Scalar::Word((blocks.len() / group) as u64), Scalar::Region(1)];
        let mut before = vec![memory(blocks.concat()), words.clone()];
        let mut after = vec![memory(result.concat()), words];
        if chained {
            scalars.push(Scalar::Region(2));
            before.push(memory(BEFORE.to_vec()));
            after.push(memory(chain.to_vec()));
        }
        Self { scalars, before, after }
    }
}
