//! Cipherloom, by its public interface: as it chooses, and with every backend by force.

use cipherloom::batch::{Batch, Flat, Keys, Span};
use cipherloom::{Backend, BlockCipher, Des, Error, Family, Mode, Padding, Rc4, TdesEde3};

use super::{Kind, Participant};
use crate::work::{Cipher, Operation, Row, STREAMS, Work, each, iv, ready_key};

/// How the library's own choice is called.
pub(crate) const CHOSEN: &str = "cipherloom";

/// The library's own choice, then every backend that this processor can run.
pub(super) fn all() -> Vec<Participant> {
    let backends = Backend::all().iter().map(|&backend| Some(backend));
    [None].into_iter().chain(backends).map(participant).collect()
}

fn participant(forced: Option<Backend>) -> Participant {
    Participant {
        name: forced.map_or(CHOSEN, Backend::name).to_owned(),
        kind: if forced.is_some() { Kind::Backend } else { Kind::Ours },
        library: CHOSEN,
        version: format!("in this tree; {}", env!("RUSTC_VERSION")),
        open: Box::new(move |row| {
            let family = if row.cipher == Cipher::Rc4 { Family::Rc4 } else { Family::Des };
            if forced.is_some_and(|backend| backend.family() != family) {
                return Ok(None);
            }
            let work = match row.cipher {
                Cipher::Des => block::<Des>(row, forced, Des::from_slice),
                Cipher::Des3 => block::<TdesEde3>(row, forced, TdesEde3::from_slice),
                Cipher::Rc4 => rc4(row, forced),
            };
            match work {
                Ok(work) => Ok(Some(work)),
                // A backend may be for other work.
                Err(Error::Backend { .. }) => Ok(None),
                Err(error) => Err(error.to_string()),
            }
        }),
    }
}

/// A failure while it is measured would make a figure of nothing.
const CANNOT_FAIL: &str = "the check has done the same before";

fn block<C: BlockCipher + 'static>(
    row: &Row,
    forced: Option<Backend>,
    from_slice: fn(&[u8]) -> Result<C, Error>,
) -> Result<Work, Error> {
    let make = move |key: &[u8]| match forced {
        Some(backend) => backend.force(from_slice(key)?),
        None => from_slice(key),
    };
    let key = make(&ready_key(row.cipher))?;
    Ok(match row.operation {
        Operation::CbcEncrypt => message(key, Mode::cbc(iv(), Padding::None), true),
        Operation::CbcDecrypt => message(key, Mode::cbc(iv(), Padding::None), false),
        Operation::Ctr => message(key, Mode::ctr(iv()), true),
        Operation::EcbEncrypt => each(move |_, data| {
            key.encrypt_blocks(data.as_chunks_mut().0).expect(CANNOT_FAIL);
        }),
        Operation::NewKey => each(move |key, data| {
            let key = make(key).expect(CANNOT_FAIL);
            for block in data.as_chunks_mut().0 {
                key.encrypt_block(block).expect(CANNOT_FAIL);
            }
        }),
        Operation::Stream | Operation::Streams => unreachable!("a row of RC4"),
    })
}

fn message<C: BlockCipher + 'static>(key: C, mode: Mode, encrypts: bool) -> Work {
    each(move |_, data| {
        let done = if encrypts {
            mode.encrypt_in_place(&key, data, data.len()).map(drop)
        } else {
            mode.decrypt_in_place(&key, data).map(drop)
        };
        done.expect(CANNOT_FAIL);
    })
}

fn rc4(row: &Row, forced: Option<Backend>) -> Result<Work, Error> {
    let make = move |key: &[u8]| match forced {
        Some(backend) => backend.force_rc4(key),
        None => Rc4::from_slice(key),
    };
    Ok(match row.operation {
        Operation::Stream => {
            let mut stream = make(&ready_key(row.cipher))?;
            each(move |_, data| stream.apply(data).expect(CANNOT_FAIL))
        }
        Operation::Streams => batch(row, forced)?,
        _ => {
            make(&ready_key(row.cipher))?;
            each(move |key, data| {
                make(key).and_then(|mut stream| stream.apply(data)).expect(CANNOT_FAIL);
            })
        }
    })
}

fn batch(row: &Row, forced: Option<Backend>) -> Result<Work, Error> {
    let batch = match forced {
        Some(backend) => Batch::rc4().with_backend(backend)?,
        None => Batch::rc4(),
    };
    let part = row.bytes / STREAMS;
    let spans: [Span; STREAMS] = std::array::from_fn(|n| Span::new(n * part, part));
    Ok(Box::new(move |calls| {
        for n in calls.first..calls.first + calls.count {
            let keys = Keys::Each(calls.keys.group(n, STREAMS));
            let flat = Flat { keys, ivs: &[], data: calls.data, spans: &spans };
            let mut results = [Ok(0); STREAMS];
            batch.encrypt_flat(flat, &mut results).expect(CANNOT_FAIL);
            assert!(results.iter().all(Result::is_ok), "{results:?}");
        }
    }))
}
