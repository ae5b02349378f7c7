//! What the library's fuzz targets do with their bytes: each panics on a defect.

use cipherloom::{Algorithm, Backend, Direction, Padding};

use super::Input;
use crate::checks::batch::{One, Work};
use crate::checks::message::Message;
use crate::faces::Call;
use crate::oracle::{Case, Kind, PADDINGS, SpecKey};
use crate::ways::Way;

fn message(input: &mut Input<'_>) -> Message {
    let algorithm = input.choose(&Algorithm::ALL);
    let (kind, padding) = (input.choose(&Kind::ALL), input.choose(&PADDINGS));
    let shift = usize::from(input.byte() % 8);
    let key = input.bytes(algorithm.key_len());
    let case = Case { kind, iv: input.array(), padding };
    let pieces = usize::from(input.byte() % 8);
    let chunks = (0..pieces).map(|_| input.number() % 700).collect();
    Message { algorithm, key, case, shift, chunks, data: Vec::new() }
}

/// Any cipher, mode, key and message: every backend and face gives what the specification says.
pub fn backend_equals_spec(data: &[u8]) {
    let mut input = Input(data);
    let mut message = message(&mut input);
    let most = match message.case.kind {
        Kind::Cfb1 => 20,
        Kind::Cfb8 => 150,
        _ => 1100,
    };
    message.data = input.rest(most).to_vec();
    message.check();
}

/// Any chunking of a longer message gives the bytes of the whole.
///
/// # Panics
/// If it does not.
pub fn incremental_chunking(data: &[u8]) {
    let mut input = Input(data);
    let Message { algorithm, key, case, shift, chunks, .. } = message(&mut input);
    let message = input.rest(6000);
    let key = Way::Fastest.key(algorithm, &key);
    let mode = case.mode();
    for direction in [Direction::Encrypt, Direction::Decrypt] {
        let call = Call { direction, mode, key: &key, shift, chunks: &chunks };
        if let Ok(ciphertext) = call.run(message)
            && direction == Direction::Encrypt
            && !(case.kind.pads() && case.padding == Padding::Zero)
        {
            let back = Call { direction: Direction::Decrypt, ..call }.run(&ciphertext);
            assert_eq!(back.as_deref(), Ok(message), "{case:?}");
        }
    }
}

/// Any plaintext's ending is a padding, or is none, as the specification says.
///
/// # Panics
/// If the library and the specification differ.
pub fn padding(data: &[u8]) {
    let mut input = Input(data);
    let algorithm = input.choose(&[Algorithm::Des, Algorithm::TdesEde3]);
    let (kind, padding) = (input.choose(&[Kind::Ecb, Kind::Cbc]), input.choose(&PADDINGS));
    let mut plain = input.rest(48).to_vec();
    if !plain.len().is_multiple_of(8) {
        // The last byte goes on: a short input reaches a padding of several bytes.
        plain.resize(plain.len().next_multiple_of(8), *plain.last().expect("not empty"));
    }
    let (key, iv) = (vec![0x13; algorithm.key_len()], [0x37; 8]);
    let bare = Case { kind, iv, padding: Padding::None };
    let ciphertext = bare.encrypt(&SpecKey::new(algorithm, &key), &plain).expect("whole blocks");
    let case = Case { kind, iv, padding };
    let message = Message { algorithm, key, case, shift: 0, chunks: vec![8], data: ciphertext };
    message.check_ways(&[Way::Forced(Backend::Table)]);
}

/// Any records, right or wrong: a batch gives what they give one by one.
pub fn batch_equals_single(data: &[u8]) {
    let mut input = Input(data);
    let work = Work {
        kind: input.choose(&[Kind::Ecb, Kind::Cbc, Kind::Ctr]),
        algorithm: input.choose(&Algorithm::ALL),
        padding: input.choose(&PADDINGS),
        direction: input.choose(&[Direction::Encrypt, Direction::Decrypt]),
    };
    let iv_len = if work.kind == Kind::Ecb { 0 } else { 8 };
    let count = usize::from(input.byte() % 140);
    let records: Vec<One> = (0..count).map(|_| record(&mut input, work, iv_len)).collect();
    work.check(&records);
}

fn record(input: &mut Input<'_>, work: Work, iv_len: usize) -> One {
    let (shape, len) = (input.byte(), usize::from(input.byte()));
    // Most lengths are whole blocks, and now and then a record has its kernel for itself.
    let len = if shape & 1 == 0 { len % 16 * 8 } else { len };
    let len = if shape & 0x80 != 0 { 4 * len } else { len };
    let wrong = |bit: u8| usize::from(shape & 0x0f == bit);
    let key = input.bytes(work.algorithm.key_len() + wrong(0x0e));
    let iv = input.bytes(iv_len + wrong(0x0c));
    let room = len + usize::from(shape >> 4 & 7) * 3;
    let data = input.bytes(room);
    One { key, iv, data, len: if wrong(0x0a) == 1 { room + 1 } else { len } }
}
