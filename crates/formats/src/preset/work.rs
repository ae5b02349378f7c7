//! A cipher with its key and IV, at work on one value. Paddings are the business of [`fill`](super::fill).

use aes::cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use cipherloom::{Direction, Error, Padding, Rc4};
use zeroize::Zeroizing;

use super::cfmx;
use crate::cipher::{Cipher, Kind};
use crate::engine::{Engine, HEADROOM, Setup};

type Bytes = Zeroizing<Vec<u8>>;

/// See above.
pub(super) enum Worker {
    Ours { cipher: Cipher, key: Bytes, iv: Bytes, drop: u64 },
    Aes { key: Box<aes::Aes256>, iv: [u8; 16] },
    Cfmx { key: Bytes },
}

impl Worker {
    pub(super) fn new(cipher: Cipher, key: Bytes, iv: Bytes, drop: u64) -> Self {
        Self::Ours { cipher, key, iv, drop }
    }

    /// AES-256 in CBC.
    pub(super) fn aes(key: &[u8; 32], iv: [u8; 16]) -> Self {
        Self::Aes { key: Box::new(aes::Aes256::new(key.into())), iv }
    }

    /// Bytes of a block that paddings fill; 0 for a stream.
    pub(super) fn block_len(&self) -> usize {
        match self {
            Self::Ours { cipher, .. } if !cipher.is_padded() => 0,
            Self::Cfmx { .. } => 0,
            Self::Ours { .. } => 8,
            Self::Aes { .. } => 16,
        }
    }

    /// The message in the other form, padding and all. It has whole blocks, where there are blocks.
    pub(super) fn run(&self, direction: Direction, message: &[u8]) -> Result<Bytes, Error> {
        match self {
            Self::Ours { cipher: Cipher { kind: Kind::Rc4(_), .. }, key, drop, .. } => {
                let mut out = Zeroizing::new(message.to_vec());
                let mut rc4 = Rc4::from_slice(key)?;
                rc4.skip(*drop)?;
                rc4.apply(&mut out)?;
                Ok(out)
            }
            Self::Ours { cipher, key, iv, .. } => {
                let setup = Setup { cipher, direction, padding: Padding::None, key, iv };
                let mut out = Zeroizing::new(Vec::with_capacity(HEADROOM + message.len()));
                let mut engine = Engine::new(&setup)?;
                engine.update(message, &mut out)?;
                engine.finish(&mut out)?;
                Ok(out)
            }
            Self::Cfmx { key } => {
                let mut out = Zeroizing::new(message.to_vec());
                cfmx::apply(key, &mut out);
                Ok(out)
            }
            Self::Aes { key, iv } => Ok(aes_cbc(key, *iv, direction, message)),
        }
    }
}

fn aes_cbc(key: &aes::Aes256, iv: [u8; 16], direction: Direction, message: &[u8]) -> Bytes {
    let mut out = Zeroizing::new(message.to_vec());
    let mut before = iv;
    for block in out.as_chunks_mut::<16>().0 {
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
    out
}
