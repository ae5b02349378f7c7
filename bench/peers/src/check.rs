//! Nothing is measured that computes wrongly: every participant must give what the specification
//! gives.

use cipherloom_spec::modes::{cbc, ctr, ecb};
use cipherloom_spec::rc4::Rc4;
use cipherloom_spec::tdea::Tdea;
use cipherloom_spec::{Block, BlockCipher, des::Des};

use crate::work::{Calls, Cipher, Keys, Operation, Row, STREAMS, Work, iv, random, ready_key};

/// Calls that are looked at: one alone, then two at once.
pub(crate) const CALLS: usize = 3;

/// What the data of a row must be after every one of the first calls.
pub(crate) struct Expected {
    keys: Keys,
    message: Vec<u8>,
    after: [Vec<u8>; CALLS],
}

impl Expected {
    /// Asks the specification.
    pub(crate) fn new(row: &Row) -> Self {
        let keys = Keys::new(row.cipher);
        let message = random(b"a message", row.bytes);
        let mut specified = specified(row);
        let mut data = message.clone();
        let after = std::array::from_fn(|n| {
            data = specified(&keys, n, &data);
            data.clone()
        });
        Self { keys, message, after }
    }
}

/// Compares what `work` does with what is expected; afterwards it is ready for call number
/// [`CALLS`].
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
    for (first, count) in [(0, 1), (1, CALLS - 1)] {
        work(Calls { first, count, keys: &expected.keys, data: &mut data });
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

/// One call after the specification: keys, the call's number, the data before; gives the data
/// after.
type Specified = Box<dyn FnMut(&Keys, usize, &[u8]) -> Vec<u8>>;

fn specified(row: &Row) -> Specified {
    let (cipher, key) = (row.cipher, ready_key(row.cipher));
    let block = move || block_cipher(cipher, &key);
    match row.operation {
        Operation::CbcEncrypt => {
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
        Operation::Streams => Box::new(|keys, n, data| {
            let parts = data.chunks(data.len() / STREAMS).enumerate();
            parts.flat_map(|(s, part)| Rc4::new(keys.get(n * STREAMS + s)).crypt(part)).collect()
        }),
    }
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
    use crate::work::{ROWS, each};

    #[test]
    fn what_does_nothing_or_errs_late_is_caught() {
        for row in ROWS {
            let expected = Expected::new(&row);
            let mut nothing = each(|_, _| ());
            assert!(check(&row, "nothing", &mut nothing, &expected).is_err(), "{}", row.id);
            // Right but for one bit of the last byte of the last call.
            let mut specified = specified(&row);
            let mut work: Work = Box::new(move |calls| {
                for n in calls.first..calls.first + calls.count {
                    calls.data.copy_from_slice(&specified(calls.keys, n, calls.data));
                    if n == CALLS - 1 {
                        *calls.data.last_mut().unwrap() ^= 1;
                    }
                }
            });
            let error = check(&row, "late", &mut work, &expected).unwrap_err();
            assert!(error.contains(&format!("byte {} ", row.bytes - 1)), "{error}");
        }
    }
}
