//! A cipher at work on a message that comes in pieces of any size.

mod setup;
mod split;

pub use setup::Setup;

use cipherloom::{BlockKey, Decryptor, Direction, Encryptor, Error, Rc4};
use zeroize::Zeroizing;

use crate::cipher::{Kind, ModeName};
use crate::damage::Damage;
use split::Split;

/// A message in progress.
pub struct Engine(Work);

/// Who does the work.
enum Work {
    /// Blocks that can be worked on at the same time.
    Split(Split),
    /// Encryption in one chain of blocks.
    Encrypt(Encryptor),
    /// Decryption in one chain of blocks (OFB).
    Decrypt(Decryptor),
    /// RC4.
    Stream(Box<Rc4>),
}

impl Engine {
    /// An engine at the start of a message.
    ///
    /// # Errors
    /// The library's: length of the key or the IV, self-test.
    pub fn new(setup: &Setup<'_>) -> Result<Self, Error> {
        let (got, want) = (setup.iv.len(), setup.cipher.iv_len());
        if got != want {
            return Err(Error::IvLength { got, want });
        }
        let (algorithm, mode) = match setup.cipher.kind {
            Kind::Rc4(_) => return Ok(Self(Work::Stream(Box::new(Rc4::from_slice(setup.key)?)))),
            Kind::Block(algorithm, mode) => (algorithm, mode),
        };
        let key = BlockKey::new(algorithm, setup.key)?;
        // Only a mode without IV has none of 8 bytes here.
        let iv = setup.iv.try_into().unwrap_or_default();
        let is_chain = match setup.direction {
            Direction::Encrypt => !matches!(mode, ModeName::Ecb | ModeName::Ctr),
            Direction::Decrypt => mode == ModeName::Ofb,
        };
        let whole = mode.with(iv, setup.padding);
        Ok(Self(match (is_chain, setup.direction) {
            (true, Direction::Encrypt) => Work::Encrypt(whole.encryptor(&key)),
            (true, Direction::Decrypt) => Work::Decrypt(whole.decryptor(&key)),
            (false, _) => Work::Split(Split::new(key, mode, iv, setup)),
        }))
    }

    /// Transforms the next piece of the message onto `out`.
    ///
    /// # Errors
    /// The library's self-test.
    pub fn update(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        match &mut self.0 {
            Work::Split(split) => split.update(input, out)?,
            Work::Encrypt(chain) => {
                out.resize(start + input.len() + 16, 0);
                let count = chain.update(input, &mut out[start..])?;
                out.truncate(start + count);
            }
            Work::Decrypt(chain) => {
                out.resize(start + input.len() + 16, 0);
                let count = chain.update(input, &mut out[start..])?;
                out.truncate(start + count);
            }
            Work::Stream(rc4) => {
                out.extend_from_slice(input);
                rc4.apply(&mut out[start..])?;
            }
        }
        Ok(())
    }

    /// Ends the message onto `out`.
    ///
    /// # Errors
    /// The library's: wrong padding, a length that the mode cannot take.
    pub fn finish(self, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut last = Zeroizing::new([0; 16]);
        let count = match self.0 {
            Work::Split(split) => return split.finish(out),
            Work::Encrypt(chain) => chain.finish(&mut *last)?,
            Work::Decrypt(chain) => chain.finish(&mut *last)?,
            Work::Stream(_) => 0,
        };
        out.extend_from_slice(&last[..count]);
        Ok(())
    }

    /// Ends the decryption of a damaged message: what can be decrypted goes onto `out`.
    /// Returns what is missing, if anything is.
    ///
    /// # Errors
    /// The library's self-test.
    pub fn salvage(self, out: &mut Vec<u8>) -> Result<Option<Damage>, Error> {
        match self.0 {
            Work::Split(split) => split.salvage(out),
            other => Self(other).finish(out).map(|()| None),
        }
    }
}

#[cfg(test)]
mod tests {
    use cipherloom::Padding;

    use super::*;
    use crate::cipher::Cipher;

    fn run(setup: &Setup<'_>, data: &[u8], sizes: &[usize]) -> Vec<u8> {
        let mut engine = Engine::new(setup).unwrap();
        let (mut out, mut rest) = (Vec::new(), data);
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at(rest.len().min(*size));
            engine.update(piece, &mut out).unwrap();
            rest = after;
        }
        engine.finish(&mut out).unwrap();
        out
    }

    /// The library in one shot is the judge.
    #[test]
    fn any_chunking_and_any_threads_give_the_librarys_bytes() {
        let key: Vec<u8> = (1..=24).collect();
        let iv = *b"\xff\xff\xff\xff\xff\xff\xff\xf0";
        let data: Vec<u8> = (0..20_000u32).map(|n| ((n * n) >> 7) as u8).collect();
        for name in Cipher::names() {
            let cipher = Cipher::find(&name).unwrap();
            let Kind::Block(algorithm, mode) = cipher.kind else { continue };
            let key = &key[..algorithm.key_len()];
            // A long message costs CFB-1 64 times as much; one cipher of it is enough.
            let is_slow = mode == ModeName::Cfb1 && algorithm != cipherloom::Algorithm::Des;
            let lengths = [8, 9, 15, 16, 17, 24, 20_000, 19_999];
            for &len in if is_slow { &lengths[..6] } else { &lengths } {
                let whole = mode.with(iv, Padding::Pkcs7);
                let library = BlockKey::new(algorithm, key).unwrap();
                let mut buffer = vec![0; len + 8];
                let ciphertext = whole.encrypt(&library, &data[..len], &mut buffer).unwrap();
                for (threads, sizes) in
                    [(1, &[7, 30_000][..]), (3, &[30_000]), (2, &[1, 8, 4096, 9999])]
                {
                    let mut setup = Setup {
                        cipher: &cipher,
                        direction: Direction::Encrypt,
                        padding: Padding::Pkcs7,
                        key,
                        iv: &iv[..cipher.iv_len()],
                        threads,
                    };
                    assert!(run(&setup, &data[..len], sizes) == ciphertext, "{name} {len}");
                    setup.direction = Direction::Decrypt;
                    assert!(run(&setup, ciphertext, sizes) == data[..len], "{name} {len}");
                }
            }
        }
    }

    #[test]
    fn an_iv_of_another_length_is_refused() {
        for (name, got, want) in [("des3", 0, 8), ("des3", 9, 8), ("des-ecb", 8, 0), ("rc4", 8, 0)]
        {
            let cipher = Cipher::find(name).unwrap();
            let setup = Setup {
                cipher: &cipher,
                direction: Direction::Decrypt,
                padding: Padding::Pkcs7,
                key: &[7; 24][..cipher.derived_key_len()],
                iv: &[1; 9][..got],
                threads: 1,
            };
            assert_eq!(Engine::new(&setup).err(), Some(Error::IvLength { got, want }), "{name}");
        }
    }

    #[test]
    fn salvage_keeps_whole_blocks() {
        let cipher = Cipher::find("des3").unwrap();
        let mut setup = Setup {
            cipher: &cipher,
            direction: Direction::Encrypt,
            padding: Padding::Pkcs7,
            key: &[7; 24],
            iv: &[1; 8],
            threads: 1,
        };
        let data = [b'x'; 100];
        let ciphertext = run(&setup, &data, &[1000]);
        setup.direction = Direction::Decrypt;
        for (len, kept, damage) in [
            (104, 100, None),
            (96, 96, Some(Damage::Padding)),
            (91, 88, Some(Damage::End { lost: 3 })),
            (5, 0, Some(Damage::End { lost: 5 })),
            (0, 0, Some(Damage::Padding)),
        ] {
            let mut engine = Engine::new(&setup).unwrap();
            let mut out = Vec::new();
            engine.update(&ciphertext[..len], &mut out).unwrap();
            assert_eq!(engine.salvage(&mut out).unwrap(), damage, "{len}");
            assert_eq!(out, &data[..kept], "{len}");
        }
    }
}
