//! A cipher with its key and IV, at work on one value. Paddings are the business of [`fill`](super::fill).

use aes::cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use cipherloom::{BlockKey, Direction, Error, Padding, Rc4};
use zeroize::Zeroizing;

use super::cfmx;
use crate::cipher::{Cipher, Kind, ModeName};
use crate::engine::Engine;

type Bytes = Zeroizing<Vec<u8>>;

/// See above.
pub(super) enum Worker {
    Blocks { key: Box<BlockKey>, mode: ModeName, iv: [u8; 8] },
    Rc4 { key: Bytes, drop: u64 },
    Aes { key: Box<aes::Aes256>, iv: [u8; 16] },
    Cfmx { key: Bytes },
}

impl Worker {
    /// `iv` is as long as the cipher's.
    pub(super) fn new(cipher: &Cipher, key: Bytes, iv: &[u8], drop: u64) -> Result<Self, Error> {
        Ok(match cipher.kind {
            Kind::Rc4(_) => Self::Rc4 { key, drop },
            Kind::Block(algorithm, mode) => Self::Blocks {
                key: Box::new(BlockKey::new(algorithm, &key)?),
                mode,
                // Only a mode without IV has none of 8 bytes here.
                iv: iv.try_into().unwrap_or_default(),
            },
        })
    }

    /// AES-256 in CBC.
    pub(super) fn aes(key: &[u8; 32], iv: [u8; 16]) -> Self {
        Self::Aes { key: Box::new(aes::Aes256::new(key.into())), iv }
    }

    /// The same with the IV of another value. `None`: it is not as long as that was.
    pub(super) fn with_iv(&mut self, iv: &[u8]) -> Option<&mut Self> {
        match self {
            Self::Blocks { iv: own, .. } => *own = iv.try_into().ok()?,
            Self::Aes { iv: own, .. } => *own = iv.try_into().ok()?,
            Self::Rc4 { .. } | Self::Cfmx { .. } => {}
        }
        Some(self)
    }

    /// The same for a message in pieces, to decrypt. `None`: it has whole messages only.
    pub(super) fn engine(self) -> Result<Option<Engine>, Error> {
        Ok(match self {
            Self::Blocks { key, mode, iv } => Some(Engine::of_blocks(*key, mode, iv)),
            Self::Rc4 { key, drop } => Some(Engine::of_stream(rc4(&key, drop)?)),
            Self::Aes { .. } | Self::Cfmx { .. } => None,
        })
    }

    /// Bytes of a block that paddings fill; 0 for a stream.
    pub(super) fn block_len(&self) -> usize {
        match self {
            Self::Blocks { mode: ModeName::Ecb | ModeName::Cbc, .. } => 8,
            Self::Blocks { .. } | Self::Rc4 { .. } | Self::Cfmx { .. } => 0,
            Self::Aes { .. } => 16,
        }
    }

    /// The message in the other form, padding and all. It has whole blocks, where there are blocks.
    pub(super) fn run(&self, direction: Direction, message: &[u8]) -> Result<Bytes, Error> {
        let mut out = Zeroizing::new(message.to_vec());
        match self {
            Self::Rc4 { key, drop } => rc4(key, *drop)?.apply(&mut out)?,
            Self::Blocks { key, mode, iv } => {
                let mode = mode.with(*iv, Padding::None);
                match direction {
                    Direction::Encrypt => mode.encrypt(&**key, message, &mut out)?,
                    Direction::Decrypt => mode.decrypt(&**key, message, &mut out)?,
                };
            }
            Self::Cfmx { key } => cfmx::apply(key, &mut out),
            Self::Aes { key, iv } => aes_cbc(key, *iv, direction, &mut out),
        }
        Ok(out)
    }
}

fn rc4(key: &[u8], drop: u64) -> Result<Rc4, Error> {
    let mut rc4 = Rc4::from_slice(key)?;
    rc4.skip(drop)?;
    Ok(rc4)
}

fn aes_cbc(key: &aes::Aes256, iv: [u8; 16], direction: Direction, message: &mut [u8]) {
    let mut before = iv;
    for block in message.as_chunks_mut::<16>().0 {
        let cipher_block: &mut Block<aes::Aes256> = block.into();
        match direction {
            Direction::Encrypt => {
                cipher_block.iter_mut().zip(before).for_each(|(byte, mask)| *byte ^= mask);
                key.encrypt_block(cipher_block);
                before = *block;
            }
            Direction::Decrypt => {
                let own: [u8; 16] = (*cipher_block).into();
                key.decrypt_block(cipher_block);
                cipher_block.iter_mut().zip(before).for_each(|(byte, mask)| *byte ^= mask);
                before = own;
            }
        }
    }
}
