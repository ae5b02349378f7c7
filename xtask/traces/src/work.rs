//! The work. Keys and data are secret; lengths, IVs and first counters are public.

use core::hint::black_box;

use cipherloom::batch::{Batch, Flat, Keys, Outcome, Span};
use cipherloom::{
    Algorithm, Backend, BlockCipher as _, BlockKey, Error, Mac, Mode, Padding, Parity, Policy, Rc4,
};

use crate::ROOM;

type Secrets = [u8; ROOM];
type Results = [u8; ROOM];
type Run = fn(&Secrets, &mut Results) -> Result<(), Error>;

/// What must come of a piece, what it is, and itself:
///
/// - `same`: one trace for all secrets;
/// - `told`: the first result is a decision that the call returns: one trace for each of the two, which
///   part for no more than a few steps;
/// - `leak`: traces differ.
pub(crate) const WORK: [(&str, Run); 24] = [
    ("same: DES, key set-up", |secrets, _| set_up(Algorithm::Des, secrets)),
    ("same: DESX, key set-up", |secrets, _| set_up(Algorithm::Desx, secrets)),
    ("same: 3DES, key set-up", |secrets, _| set_up(Algorithm::TdesEde3, secrets)),
    ("same: DES, a block there and back", |s, r| blocks::<1>(Algorithm::Des, s, r)),
    ("same: DESX, a block there and back", |s, r| blocks::<1>(Algorithm::Desx, s, r)),
    ("same: 3DES, a block there and back", |s, r| blocks::<1>(Algorithm::TdesEde3, s, r)),
    ("same: 3DES, 70 blocks there and back", |s, r| blocks::<70>(Algorithm::TdesEde3, s, r)),
    ("same: CBC, 4 blocks there and back", |s, r| mode::<32>(Mode::cbc(IV, Padding::None), s, r)),
    ("same: 3DES, CBC, 70 blocks back", cbc_in_bulk),
    ("same: CFB-8, 2 bytes there and back", |s, r| mode::<2>(Mode::cfb8(IV), s, r)),
    ("same: CFB-64, 13 bytes there and back", |s, r| mode::<13>(Mode::cfb64(IV), s, r)),
    ("same: OFB, 13 bytes there and back", |s, r| mode::<13>(Mode::ofb(IV), s, r)),
    ("same: CTR, 13 bytes there and back", |s, r| mode::<13>(Mode::ctr(IV), s, r)),
    ("same: CTR, 565 bytes there and back", |s, r| mode::<565>(Mode::ctr(IV), s, r)),
    ("same: batch of 70 records with a key each", batch),
    ("same: RC4, key set-up and 40 bytes", |s, r| rc4(Backend::Rc4Scan, s, r)),
    ("told: PKCS#7 taken off", |s, r| padding(Padding::Pkcs7, false, s, r)),
    ("told: PKCS#7 taken off in place", |s, r| padding(Padding::Pkcs7, true, s, r)),
    ("told: ISO 7816 taken off", |s, r| padding(Padding::Iso7816, false, s, r)),
    ("told: tag compared", tag),
    ("told: weak key refused", weak),
    ("leak: DES by tables", |secrets, results| {
        let key = Backend::Table.force(BlockKey::new(Algorithm::Des, &secrets[..8])?)?;
        key.encrypt_block(first(results))
    }),
    ("leak: RC4's loop", |s, r| rc4(Backend::Rc4Loop, s, r)),
    ("leak: a branch", |secrets, results| {
        if black_box(secrets[0]) & 1 == 1 {
            results[0] = black_box(1);
        }
        Ok(())
    }),
];

const IV: [u8; 8] = [0x31, 0x41, 0x59, 0x26, 0xff, 0xff, 0xff, 0xfe];

/// The library chooses, in constant time.
fn key(algorithm: Algorithm, secrets: &Secrets) -> Result<BlockKey, Error> {
    let key = BlockKey::new(algorithm, &secrets[..algorithm.key_len()])?;
    Ok(key.with_policy(Policy::ConstantTime))
}

fn first<const N: usize>(bytes: &mut [u8; ROOM]) -> &mut [u8; N] {
    bytes.first_chunk_mut().expect("room for it")
}

/// Secret data behind the key.
fn data<const N: usize>(secrets: &Secrets) -> [u8; N] {
    *secrets[64..].first_chunk().expect("room for it")
}

fn set_up(algorithm: Algorithm, secrets: &Secrets) -> Result<(), Error> {
    black_box(&key(algorithm, secrets)?);
    Ok(())
}

fn blocks<const N: usize>(
    algorithm: Algorithm,
    secrets: &Secrets,
    results: &mut Results,
) -> Result<(), Error> {
    let key = key(algorithm, secrets)?;
    let blocks: &mut [[u8; 8]; N] = results.as_chunks_mut().0.first_chunk_mut().expect("room");
    blocks.as_flattened_mut().copy_from_slice(&secrets[64..64 + 8 * N]);
    if let [block] = &mut blocks[..] {
        key.encrypt_block(block)?;
        return key.decrypt_block(black_box(block));
    }
    key.encrypt_blocks(blocks)?;
    key.decrypt_blocks(black_box(blocks))
}

fn mode<const N: usize>(mode: Mode, secrets: &Secrets, results: &mut Results) -> Result<(), Error> {
    let key = key(Algorithm::Des, secrets)?;
    let data: [u8; N] = data(secrets);
    mode.encrypt(&key, &data, results)?;
    let buf: &mut [u8; N] = first(results);
    mode.decrypt_in_place(&key, black_box(buf))?;
    Ok(())
}

fn cbc_in_bulk(secrets: &Secrets, results: &mut Results) -> Result<(), Error> {
    let key = key(Algorithm::TdesEde3, secrets)?;
    let data: [u8; 560] = data(secrets);
    Mode::cbc(IV, Padding::None).decrypt(&key, &data, results)?;
    Ok(())
}

fn batch(secrets: &Secrets, results: &mut Results) -> Result<(), Error> {
    const COUNT: usize = 70;
    let (keys, rest) = secrets.split_at(8 * COUNT);
    let data: &mut [u8; 8 * COUNT] = first(results);
    data.copy_from_slice(&rest[..8 * COUNT]);
    let spans: [Span; COUNT] = core::array::from_fn(|n| Span::new(8 * n, 8));
    let mut outcomes: [Outcome; COUNT] = [Ok(0); COUNT];
    let batch = Batch::cbc(Algorithm::Des, Padding::None).with_policy(Policy::ConstantTime);
    let ivs = [IV; COUNT];
    for encrypts in [true, false] {
        let (keys, ivs) = (Keys::Each(keys), ivs.as_flattened());
        let flat = Flat { keys, ivs, data: black_box(&mut data[..]), spans: &spans };
        if encrypts {
            batch.encrypt_flat(flat, &mut outcomes)?;
        } else {
            batch.decrypt_flat(flat, &mut outcomes)?;
        }
    }
    outcomes.into_iter().try_for_each(|outcome| outcome.map(drop))
}

fn rc4(backend: Backend, secrets: &Secrets, results: &mut Results) -> Result<(), Error> {
    let mut stream = match backend {
        Backend::Rc4Scan => Rc4::with_policy(&secrets[..16], Policy::ConstantTime)?,
        backend => Rc4::with_backend(&secrets[..16], backend)?,
    };
    let data: &mut [u8; 40] = first(results);
    *data = self::data(secrets);
    stream.apply(data)
}

/// All bits of the secret's lowest one.
fn mask(secret: u8) -> u8 {
    black_box(secret & 1).wrapping_neg()
}

/// A message of three blocks, whose padding is right or wrong, decrypted to a buffer or in place.
fn padding(
    padding: Padding,
    in_place: bool,
    secrets: &Secrets,
    results: &mut Results,
) -> Result<(), Error> {
    let key = key(Algorithm::Des, secrets)?;
    let mut message: [u8; 24] = data(secrets);
    let count = 1 + (secrets[32] & 7);
    for (n, byte) in message[16..].iter_mut().enumerate() {
        // 8 - n bytes from this one to the end: in the padding if these are no more than `count`.
        let left = 8 - n as u8;
        let inside = !mask(count.wrapping_sub(left) >> 7);
        let is_first = mask((count ^ left).wrapping_sub(1) >> 7);
        let pad = match padding {
            Padding::Pkcs7 => count,
            _ => 0x80 & is_first,
        };
        *byte = *byte & !inside | pad & inside;
    }
    // Wrong in the last byte, or in the first of eight.
    message[23] ^= 0x41 & mask(secrets[33]);
    message[16] ^= 0x40 & mask(secrets[34]);
    let plain = Mode::cbc(IV, Padding::None);
    let mut encrypted = [0; 24];
    plain.encrypt(&key, &message, &mut encrypted)?;
    let mode = Mode::cbc(IV, padding);
    let is_right = if in_place {
        mode.decrypt_in_place(&key, &mut encrypted).is_ok()
    } else {
        let buf: &mut [u8; 24] = results[64..].first_chunk_mut().expect("room for it");
        mode.decrypt(&key, &encrypted, buf).is_ok()
    };
    results[0] = u8::from(black_box(is_right));
    Ok(())
}

fn tag(secrets: &Secrets, results: &mut Results) -> Result<(), Error> {
    let key = key(Algorithm::Des, secrets)?;
    let message: [u8; 13] = data(secrets);
    let mut mac = Mac::cmac(&key);
    mac.update(&message)?;
    let mut tag = mac.finish()?;
    for (n, byte) in tag.iter_mut().enumerate() {
        *byte ^= secrets[40 + n] & mask(secrets[32]);
    }
    let mut mac = Mac::cmac(&key);
    mac.update(&message)?;
    results[0] = u8::from(black_box(mac.verify(&tag).is_ok()));
    Ok(())
}

/// A weak key, or one that a bit of each half keeps from being weak.
fn weak(secrets: &Secrets, results: &mut Results) -> Result<(), Error> {
    let mut key = [1; 8];
    key[2] ^= (secrets[1] | 0x02) & 0xfe & mask(secrets[0]);
    let fault = BlockKey::fault(Algorithm::Des, black_box(&key), Parity::Ignore)?;
    results[0] = u8::from(black_box(fault.is_none()));
    results[8..16].copy_from_slice(&key);
    Ok(())
}
