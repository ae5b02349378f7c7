//! Cipherloom, by its public interface: as it chooses, and with every backend by force.

use cipherloom::batch::{Batch, Flat, Keys, Outcome, Span};
use cipherloom::{
    Algorithm, Backend, BlockCipher, Des, Error, Family, Mode, Padding, Policy, Rc4, TdesEde3,
};

use super::participant::{Kind, Participant};
use crate::rows::{Cipher, Operation, Row};
use crate::work::{Work, each, each_message, iv, ready_key};

/// How the library's own choice is called.
pub(crate) const CHOSEN: &str = "cipherloom";

/// How names of backends end that do blocks in bit slices.
pub(crate) const SLICES: &str = "-bitslice";

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
        // The library as it chooses has a policy for that.
        is_constant_time: forced.is_none_or(Backend::is_constant_time),
        open: Box::new(move |row| {
            let family = if row.cipher == Cipher::Rc4 { Family::Rc4 } else { Family::Des };
            if forced.is_some_and(|backend| backend.family() != family) {
                return Ok(None);
            }
            let work = match row.cipher {
                _ if row.operation.is_each() => messages(row, forced),
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
    let policy = match row.operation {
        Operation::ConstantTime => Policy::ConstantTime,
        _ => Policy::Fastest,
    };
    let make = move |key: &[u8]| match (forced, policy) {
        (Some(backend), _) => backend.force(from_slice(key)?.with_policy(policy)),
        // As a program makes one that asks for nothing.
        (None, Policy::Fastest) => from_slice(key),
        (None, _) => from_slice(key).map(|key| key.with_policy(policy)),
    };
    let key = make(&ready_key(row.cipher))?;
    Ok(match row.operation {
        Operation::CbcEncrypt | Operation::ConstantTime => {
            message(key, Mode::cbc(iv(), Padding::None), true)
        }
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
        Operation::Stream
        | Operation::Streams
        | Operation::EachCbcEncrypt
        | Operation::EachCbcDecrypt => unreachable!("not a row of one message in blocks"),
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
        Operation::Streams => streams(row, forced)?,
        _ => {
            make(&ready_key(row.cipher))?;
            each(move |key, data| {
                make(key).and_then(|mut stream| stream.apply(data)).expect(CANNOT_FAIL);
            })
        }
    })
}

fn streams(row: &Row, forced: Option<Backend>) -> Result<Work, Error> {
    let batch = served(Batch::rc4(), forced)?;
    let mut records = Records::new(row.messages, row.message_len());
    let streams = row.messages;
    Ok(Work::new(move |calls| {
        for n in calls.first..calls.first + calls.count {
            let keys = calls.keys.group(n, streams);
            records.run(keys, &[], calls.data, |flat, results| batch.encrypt_flat(flat, results));
        }
    }))
}

/// Messages with a key and an IV each, in CBC.
fn messages(row: &Row, forced: Option<Backend>) -> Result<Work, Error> {
    let algorithm = match row.cipher {
        Cipher::Des => Algorithm::Des,
        Cipher::Des3 => Algorithm::TdesEde3,
        Cipher::Rc4 => unreachable!("no row of RC4 is in CBC"),
    };
    let batch = served(Batch::cbc(algorithm, Padding::None), forced)?;
    // What a program meets is one call.
    let parts = if forced.is_some() { row.parts() } else { 1 };
    let mut records = Records::new(row.messages / parts, row.message_len());
    let encrypts = row.operation == Operation::EachCbcEncrypt;
    Ok(each_message(row, parts, move |messages| {
        records.run(messages.keys, messages.ivs, messages.data, |flat, results| {
            if encrypts {
                batch.encrypt_flat(flat, results)
            } else {
                batch.decrypt_flat(flat, results)
            }
        });
    }))
}

fn served(batch: Batch, forced: Option<Backend>) -> Result<Batch, Error> {
    match forced {
        Some(backend) => batch.with_backend(backend),
        None => Ok(batch),
    }
}

/// Records of one length, one behind the other.
struct Records {
    spans: Vec<Span>,
    results: Vec<Outcome>,
}

impl Records {
    fn new(count: usize, len: usize) -> Self {
        Self {
            spans: (0..count).map(|n| Span::new(n * len, len)).collect(),
            results: vec![Ok(0); count],
        }
    }

    fn run(
        &mut self,
        keys: &[u8],
        ivs: &[u8],
        data: &mut [u8],
        batch: impl FnOnce(Flat<'_>, &mut [Outcome]) -> Result<(), Error>,
    ) {
        let flat = Flat { keys: Keys::Each(keys), ivs, data, spans: &self.spans };
        batch(flat, &mut self.results).expect(CANNOT_FAIL);
        // A caller looks at what became of each record.
        assert!(self.results.iter().all(Result::is_ok), "a record has failed");
    }
}
