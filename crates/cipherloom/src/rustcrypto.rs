//! The RustCrypto `cipher` 0.5 traits, so that the types stand in for `des::TdesEde3` and
//! `rc4::Rc4` in generic code.
//!
//! The public mode crates run tails of up to `ParBlocksSize - 1` blocks singly; this crate's own
//! [`Mode`](crate::Mode) does not, and is the fast path.
//!
//! The traits know no errors: where [`Error::SelfTest`](crate::Error::SelfTest) would be returned,
//! these implementations panic.

use core::fmt;

use cipher::array::Array;
use cipher::consts::{U1, U8, U16, U24, U32, U128};
use cipher::inout::{InOut, InOutBuf};
use cipher::typenum::Unsigned as _;
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InvalidLength,
    Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser, StreamCipher, StreamCipherError,
};

use crate::kernels::{Direction, wipe};
use crate::keys::{BlockCipher, BlockKey, Des, Desx, TdesEde2, TdesEde3, TdesEee2, TdesEee3};
use crate::rc4::Rc4;

const NO_BACKEND: &str = "a backend that passes its self-test";

/// Blocks that the traits hand over at a time.
///
/// More of them cost less each, but the mode crates run up to one fewer singly. Measured over lengths
/// (`bench/record`, `-parallel`): 128 is within about a fifth of the best for every kind of work from 1 KiB
/// on; 16 is faster for shorter messages, and twice as slow for long ones.
type Parallel = U128;

/// Lends a key's kernels to the closures of the mode crates.
struct Lender<'a>(&'a BlockKey);

impl Lender<'_> {
    fn one(&self, direction: Direction, mut block: InOut<'_, '_, Array<u8, U8>>) {
        let chain = self.0.chain().expect(NO_BACKEND);
        let input = u64::from_be_bytes(block.get_in().0);
        let output = match direction {
            Direction::Encrypt => chain.encrypt(input),
            Direction::Decrypt => chain.decrypt(input),
        };
        block.get_out().0 = output.to_be_bytes();
    }

    /// At most `Parallel` blocks.
    fn some(&self, direction: Direction, blocks: InOutBuf<'_, '_, Array<u8, U8>>) {
        let mut scratch = [[0; 8]; Parallel::USIZE];
        let work = &mut scratch[..blocks.len()];
        for (block, input) in work.iter_mut().zip(blocks.get_in()) {
            *block = input.0;
        }
        self.0.each(direction, work).expect(NO_BACKEND);
        for (mut block, output) in blocks.into_iter().zip(work) {
            block.get_out().0 = *output;
        }
        wipe(&mut scratch);
    }
}

impl BlockSizeUser for Lender<'_> {
    type BlockSize = U8;
}

impl ParBlocksSizeUser for Lender<'_> {
    type ParBlocksSize = Parallel;
}

impl BlockCipherEncBackend for Lender<'_> {
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.one(Direction::Encrypt, block);
    }

    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.some(Direction::Encrypt, blocks.into_buf());
    }

    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.some(Direction::Encrypt, blocks);
    }
}

impl BlockCipherDecBackend for Lender<'_> {
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.one(Direction::Decrypt, block);
    }

    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.some(Direction::Decrypt, blocks.into_buf());
    }

    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.some(Direction::Decrypt, blocks);
    }
}

macro_rules! block_cipher {
    ($($name:ident, $key_size:ty;)*) => {$(
        impl KeySizeUser for $name {
            type KeySize = $key_size;
        }

        impl BlockSizeUser for $name {
            type BlockSize = U8;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                Self::new(&key.0)
            }
        }

        impl BlockCipherEncrypt for $name {
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U8>) {
                f.call(&Lender(self.as_block_key()));
            }
        }

        impl BlockCipherDecrypt for $name {
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U8>) {
                f.call(&Lender(self.as_block_key()));
            }
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )*};
}

block_cipher! {
    Des, U8;
    TdesEde2, U16;
    TdesEde3, U24;
    TdesEee2, U16;
    TdesEee3, U24;
    Desx, U24;
}

/// The key size of [`KeyInit::new`]; [`KeyInit::new_from_slice`] takes 1 to 256 bytes.
impl KeySizeUser for Rc4 {
    type KeySize = U32;
}

impl BlockSizeUser for Rc4 {
    type BlockSize = U1;
}

impl KeyInit for Rc4 {
    fn new(key: &Key<Self>) -> Self {
        Self::from_slice(key).expect(NO_BACKEND)
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        match Self::from_slice(key) {
            Err(crate::Error::KeyLength { .. }) => Err(InvalidLength),
            result => Ok(result.expect(NO_BACKEND)),
        }
    }
}

impl StreamCipher for Rc4 {
    fn check_remaining(&self, _data_len: usize) -> Result<(), StreamCipherError> {
        Ok(())
    }

    fn unchecked_apply_keystream_inout(&mut self, buf: InOutBuf<'_, '_, u8>) {
        self.apply(buf.into_out_with_copied_in()).expect(NO_BACKEND);
    }

    fn unchecked_write_keystream(&mut self, buf: &mut [u8]) {
        buf.fill(0);
        self.apply(buf).expect(NO_BACKEND);
    }
}

impl AlgorithmName for Rc4 {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rc4")
    }
}
