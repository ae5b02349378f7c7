//! A cipher at work on a message that comes in pieces of any size.

mod blocks;
mod piece;
mod setup;

pub use blocks::Part;
pub use piece::{HEADROOM, Piece};
pub use setup::Setup;

use cipherloom::{BlockKey, Direction, Error, Padding, Rc4};

use crate::cipher::{Kind, ModeName};
use crate::damage::Damage;
use blocks::Blocks;

/// A message in progress.
pub struct Engine(Work);

/// Who does the work.
enum Work {
    Blocks(Blocks),
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
        Ok(Self(match setup.cipher.kind {
            Kind::Rc4(_) => Work::Stream(Box::new(Rc4::from_slice(setup.key)?)),
            Kind::Block(algorithm, mode) => {
                let key = BlockKey::new(algorithm, setup.key)?;
                // Only a mode without IV has none of 8 bytes here.
                let iv = setup.iv.try_into().unwrap_or_default();
                Work::Blocks(Blocks::new(key, mode, iv, setup.direction, setup.padding))
            }
        }))
    }

    /// The decryption of blocks with a key that is set up; what fills the last one is the caller's to judge.
    pub(crate) fn of_blocks(key: BlockKey, mode: ModeName, iv: [u8; 8]) -> Self {
        Self(Work::Blocks(Blocks::new(key, mode, iv, Direction::Decrypt, Padding::None)))
    }

    /// A key stream from where it stands.
    pub(crate) fn of_stream(rc4: Rc4) -> Self {
        Self(Work::Stream(Box::new(rc4)))
    }

    /// Whether [`advance`](Self::advance) does everything.
    #[must_use]
    pub fn is_chain(&self) -> bool {
        match &self.0 {
            Work::Blocks(blocks) => blocks.is_chain(),
            Work::Stream(_) => true,
        }
    }

    /// Takes the next piece of the message, and does what must be done in the order of pieces: in a
    /// chain of blocks and in RC4, everything. The rest is for [`Part::run`], in any order.
    ///
    /// # Errors
    /// The library's self-test.
    pub fn advance(&mut self, piece: &mut Piece<'_>) -> Result<Part, Error> {
        match &mut self.0 {
            Work::Blocks(blocks) => blocks.advance(piece),
            Work::Stream(rc4) => rc4.apply(piece.bytes_mut()).map(|()| Part::DONE),
        }
    }

    /// Transforms the next piece of the message onto `out`, all of it on this thread. In between it takes
    /// [`HEADROOM`] bytes of `out`.
    ///
    /// # Errors
    /// The library's self-test.
    pub fn update(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        out.resize(start + HEADROOM, 0);
        out.extend_from_slice(input);
        let mut piece = Piece::new(&mut out[start..], input.len());
        self.advance(&mut piece)?.run(&mut piece)?;
        let len = piece.move_to_start();
        out.truncate(start + len);
        Ok(())
    }

    /// Ends the message onto `out`: at most 16 bytes.
    ///
    /// # Errors
    /// The library's: wrong padding, a length that the mode cannot take.
    pub fn finish(self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self.0 {
            Work::Blocks(mut blocks) => blocks.finish(out),
            Work::Stream(_) => Ok(()),
        }
    }

    /// Ends the decryption of a damaged message: what can be decrypted goes onto `out`.
    /// Returns what is missing, if anything is.
    ///
    /// # Errors
    /// The library's self-test.
    pub fn salvage(self, out: &mut Vec<u8>) -> Result<Option<Damage>, Error> {
        match self.0 {
            Work::Blocks(blocks) => blocks.salvage(out),
            Work::Stream(_) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
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

    /// The same, but what may be done at any time is done at the end, the last piece first.
    fn run_backwards(setup: &Setup<'_>, data: &[u8], size: usize) -> Vec<u8> {
        let mut engine = Engine::new(setup).unwrap();
        let mut buffers: Vec<Vec<u8>> =
            data.chunks(size).map(|piece| [&[0; HEADROOM], piece].concat()).collect();
        let mut work = Vec::new();
        for buffer in &mut buffers {
            let len = buffer.len() - HEADROOM;
            let mut piece = Piece::new(buffer, len);
            let part = engine.advance(&mut piece).unwrap();
            work.push((piece, part));
        }
        let mut end = Vec::new();
        engine.finish(&mut end).unwrap();
        let mut pieces = Vec::new();
        for (mut piece, part) in work.into_iter().rev() {
            part.run(&mut piece).unwrap();
            pieces.insert(0, piece.bytes().to_vec());
        }
        pieces.push(end);
        pieces.concat()
    }

    /// The library in one shot is the judge.
    #[test]
    fn any_pieces_in_any_order_give_the_librarys_bytes() {
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
                let mut setup = Setup {
                    cipher: &cipher,
                    direction: Direction::Encrypt,
                    padding: Padding::Pkcs7,
                    key,
                    iv: &iv[..cipher.iv_len()],
                };
                for (direction, from, to) in [
                    (Direction::Encrypt, &data[..len], &*ciphertext),
                    (Direction::Decrypt, ciphertext, &data[..len]),
                ] {
                    setup.direction = direction;
                    for sizes in [&[7, 30_000][..], &[30_000], &[1, 8, 4096, 9999]] {
                        assert!(run(&setup, from, sizes) == to, "{name} {len} {sizes:?}");
                    }
                    for size in [13, 4097] {
                        assert!(run_backwards(&setup, from, size) == to, "{name} {len} {size}");
                    }
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
