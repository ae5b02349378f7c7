//! Nothing is measured that computes wrongly: every participant must give what the specification
//! gives.

use cipherloom_spec::modes::{cbc, ctr, ecb};
use cipherloom_spec::rc4::Rc4;
use cipherloom_spec::tdea::Tdea;
use cipherloom_spec::{Block, BlockCipher, des::Des};

use crate::rows::{Cipher, Operation, Row};
use crate::work::{Calls, IV, Keys, Work, distinct, iv, message, ready_key, repeated};

/// Passes over the data of a row that are looked at: one alone, then two at once.
pub(crate) const PASSES: usize = 3;

/// Bytes of a row of which one pass is looked at: the specification takes its time.
const LONG: usize = 64 << 10;

/// What the data of a row must be after every one of the first passes.
pub(crate) struct Expected {
    pub(crate) keys: Keys,
    message: Vec<u8>,
    after: Vec<Vec<u8>>,
}

impl Expected {
    /// Asks the specification.
    pub(crate) fn new(row: &Row) -> Self {
        let keys = Keys::new(row);
        let message = message(row);
        let mut specified = specified(row);
        let passes = if row.bytes > LONG { 1 } else { PASSES };
        let mut after: Vec<Vec<u8>> = Vec::new();
        for n in 0..passes {
            after.push(specified(&keys, n, after.last().unwrap_or(&message)));
        }
        Self { keys, message, after }
    }

    /// The same of a message's first `bytes`: in CBC nothing depends on what follows.
    pub(crate) fn start(&self, bytes: usize) -> Self {
        Self {
            keys: self.keys.clone(),
            message: self.message[..bytes].into(),
            after: self.after.iter().map(|after| after[..bytes].into()).collect(),
        }
    }
}

/// Compares what `work` does with what is expected; afterwards it is ready for pass number
/// [`PASSES`].
///
/// # Errors
/// Where it differs.
pub(crate) fn check(
    row: &Row,
    name: &str,
    work: &mut Work,
    expected: &Expected,
) -> Result<(), String> {
    let mut data = expected.message.clone();
    let passes = expected.after.len();
    for (first, count) in [(0, 1), (1, passes - 1)] {
        let calls = work.parts * count;
        let keys = &expected.keys;
        work.run(Calls { first: first * work.parts, count: calls, keys, data: &mut data });
        let want = &expected.after[first + count - 1];
        if let Some(at) = want.iter().zip(&data).position(|(want, got)| want != got) {
            return Err(format!(
                "{name}, {}: wrong from byte {at} on; nothing that computes wrongly is measured",
                row.id
            ));
        }
    }
    Ok(())
}

/// One pass after the specification: keys, the pass's number, the data before; gives the data
/// after.
type Specified = Box<dyn FnMut(&Keys, usize, &[u8]) -> Vec<u8>>;

fn specified(row: &Row) -> Specified {
    let (cipher, key, row) = (row.cipher, ready_key(row.cipher), *row);
    let block = move || block_cipher(cipher, &key);
    match row.operation {
        Operation::CbcEncrypt | Operation::ConstantTime => {
            let key = block();
            Box::new(move |_, _, data| cbc::encrypt(&key, iv(), data))
        }
        Operation::CbcDecrypt => {
            let key = block();
            Box::new(move |_, _, data| cbc::decrypt(&key, iv(), data))
        }
        Operation::EcbEncrypt => {
            let key = block();
            Box::new(move |_, _, data| ecb::encrypt(&key, data))
        }
        Operation::Ctr => {
            let key = block();
            Box::new(move |_, _, data| ctr::crypt(&key, iv(), data))
        }
        Operation::EachCbcEncrypt => specified_each(row, move |key, iv, data| {
            cbc::encrypt(&block_cipher(cipher, key), iv, data)
        }),
        Operation::EachCbcDecrypt => specified_each(row, move |key, iv, data| {
            cbc::decrypt(&block_cipher(cipher, key), iv, data)
        }),
        Operation::Stream => {
            let mut stream = Rc4::new(&ready_key(cipher));
            Box::new(move |_, _, data| stream.crypt(data))
        }
        Operation::NewKey if cipher == Cipher::Rc4 => {
            Box::new(|keys, n, data| Rc4::new(keys.get(n)).crypt(data))
        }
        Operation::NewKey => {
            Box::new(move |keys, n, data| ecb::encrypt(&block_cipher(cipher, keys.get(n)), data))
        }
        Operation::Streams => Box::new(move |keys, n, data| {
            let parts = data.chunks(row.message_len()).enumerate();
            let key = |stream| keys.get(n * row.messages + stream);
            parts.flat_map(|(stream, part)| Rc4::new(key(stream)).crypt(part)).collect()
        }),
    }
}

/// Messages with a key and an IV each, of which the same come again.
fn specified_each(
    row: Row,
    specified: impl Fn(&[u8], [u8; IV], &[u8]) -> Vec<u8> + 'static,
) -> Specified {
    Box::new(move |keys, _, data| {
        let messages = data.chunks(row.message_len()).take(distinct(&row)).enumerate();
        let after = messages.flat_map(|(n, data)| specified(keys.get(n), keys.iv(n), data));
        repeated(after.collect(), row.bytes)
    })
}

fn block_cipher(cipher: Cipher, key: &[u8]) -> Box<dyn BlockCipher> {
    let keys: &[Block] = key.as_chunks().0;
    match cipher {
        Cipher::Des3 => Box::new(Tdea::option1(keys[0], keys[1], keys[2])),
        _ => Box::new(Des::new(keys[0])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::ROWS;
    use crate::work::each;

    #[test]
    fn what_does_nothing_or_errs_late_is_caught() {
        for row in ROWS {
            let expected = Expected::new(&row);
            let mut nothing = each(|_, _| ());
            assert!(check(&row, "nothing", &mut nothing, &expected).is_err(), "{}", row.id);
            // Right but for one bit of the last byte of the last pass.
            let after = expected.after.clone();
            let mut work = Work::new(move |calls| {
                for n in calls.first..calls.first + calls.count {
                    calls.data.copy_from_slice(&after[n]);
                    if n == after.len() - 1 {
                        *calls.data.last_mut().unwrap() ^= 1;
                    }
                }
            });
            let error = check(&row, "late", &mut work, &expected).unwrap_err();
            assert!(error.contains(&format!("byte {} ", row.bytes - 1)), "{error}");
        }
    }

    #[test]
    fn a_part_that_is_left_out_is_caught() {
        let row = ROWS.iter().find(|row| row.parts() > 1).unwrap();
        let expected = Expected::new(row);
        for left_out in [None, Some(0), Some(row.parts() - 1)] {
            let after = expected.after[0].clone();
            let (parts, bytes) = (row.parts(), row.bytes / row.parts());
            let mut work = Work::in_parts(parts, move |calls| {
                for n in calls.first..calls.first + calls.count {
                    if Some(n) != left_out {
                        let part = n * bytes..(n + 1) * bytes;
                        calls.data[part.clone()].copy_from_slice(&after[part]);
                    }
                }
            });
            let checked = check(row, "parts", &mut work, &expected);
            assert_eq!(checked.is_err(), left_out.is_some(), "{left_out:?}");
        }
    }

    #[test]
    fn messages_of_their_own_differ_from_their_neighbours() {
        for row in ROWS.iter().filter(|row| row.operation.is_each()) {
            let expected = Expected::new(row);
            let first: Vec<&[u8]> =
                expected.after[0].chunks(row.message_len()).take(distinct(row)).collect();
            for (n, message) in first.iter().enumerate().skip(1) {
                assert_ne!(*message, first[n - 1], "{}, message {n}", row.id);
            }
        }
    }
}
