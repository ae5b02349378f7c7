//! A cipher with its mode at work on many records.

use cipherloom::batch::{Batch, Outcome, Record};
use cipherloom::{Algorithm, BlockKey, Direction, Error, Padding};
use cipherloom_formats::{Cipher, Kind, ModeName};

/// Who works on records.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// All of a group in one call.
    Together(Batch),
    /// One by one: modes in which a record is one chain, and that few columns are in.
    Each(Algorithm, ModeName),
}

impl Work {
    /// The work of a cipher; the padding counts for ECB and CBC.
    #[must_use]
    pub fn new(cipher: &Cipher, padding: Padding) -> Self {
        Self::Together(match cipher.kind {
            Kind::Rc4(_) => Batch::rc4(),
            Kind::Block(algorithm, ModeName::Ecb) => Batch::ecb(algorithm, padding),
            Kind::Block(algorithm, ModeName::Cbc) => Batch::cbc(algorithm, padding),
            Kind::Block(algorithm, ModeName::Ctr) => Batch::ctr(algorithm),
            Kind::Block(algorithm, mode) => return Self::Each(algorithm, mode),
        })
    }

    /// Encrypts or decrypts every record in place, and puts what became of record n into `outcomes[n]`: the
    /// length of its result, or why there is none.
    ///
    /// # Errors
    /// [`Error::Count`] if there are not as many outcomes as records, [`Error::SelfTest`]: nothing was served
    /// then.
    pub fn run(
        self,
        direction: Direction,
        records: &mut [Record<'_>],
        outcomes: &mut [Outcome],
    ) -> Result<(), Error> {
        match (self, direction) {
            (Self::Together(batch), Direction::Decrypt) => batch.decrypt(records, outcomes),
            (Self::Together(batch), Direction::Encrypt) => batch.encrypt(records, outcomes),
            (Self::Each(algorithm, mode), _) => {
                if records.len() != outcomes.len() {
                    return Err(Error::Count { got: outcomes.len(), want: records.len() });
                }
                // A key is set up once for all records that share it.
                let mut last: Option<(&[u8], BlockKey)> = None;
                for (record, outcome) in records.iter_mut().zip(outcomes) {
                    let key = match &last {
                        Some((bytes, key)) if *bytes == record.key => key,
                        _ => match BlockKey::new(algorithm, record.key) {
                            Ok(key) => &last.insert((record.key, key)).1,
                            Err(error) => {
                                *outcome = Err(error);
                                continue;
                            }
                        },
                    };
                    *outcome = one(mode, key, direction, record);
                }
                Ok(())
            }
        }
    }
}

/// Whether a key has a length that the cipher takes.
///
/// # Errors
/// The length, and the right ones.
pub fn check_key_len(cipher: &Cipher, got: usize) -> Result<(), String> {
    let (min, max) = cipher.raw_key_len();
    if (min..=max).contains(&got) {
        return Ok(());
    }
    let want = if min == max { format!("{min}") } else { format!("{min} to {max}") };
    Err(format!("the key has {got} bytes, and {} takes {want}", cipher.name))
}

fn one(mode: ModeName, key: &BlockKey, direction: Direction, record: &mut Record<'_>) -> Outcome {
    let iv = record.iv.try_into();
    let iv = iv.map_err(|_| Error::IvLength { got: record.iv.len(), want: 8 })?;
    let mode = mode.with(iv, Padding::None);
    let message = &mut record.data[..record.len];
    let done = match direction {
        Direction::Decrypt => mode.decrypt_in_place(key, message),
        Direction::Encrypt => mode.encrypt_in_place(key, message, record.len),
    };
    done.map(|message| message.len())
}
