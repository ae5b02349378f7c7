//! Modes in which every block of a record stands alone: ECB, CBC decryption, CTR.

use zeroize::Zeroize;

use super::Outcome;
use super::group::{ALONE_FROM, Group, Kernels, Slot};
use super::source::Source;
use crate::error::Error;
use crate::kernels::Direction;
use crate::keys::KeyParts;
use crate::modes::Mode;
use crate::padding::Padding;

/// ECB in both directions.
pub(super) fn ecb<S: Source + ?Sized>(
    kernels: &Kernels,
    direction: Direction,
    records: &mut S,
    results: &mut [Outcome],
) {
    run(
        kernels,
        direction,
        records,
        results,
        |_| Mode::ecb(Padding::None),
        |parts, _| {
            let [before, after] = parts.whitening;
            move |block: u64| match direction {
                Direction::Encrypt => (block ^ before, after),
                Direction::Decrypt => (block ^ after, before),
            }
        },
    );
}

/// CBC decryption.
pub(super) fn cbc_decrypt<S: Source + ?Sized>(
    kernels: &Kernels,
    records: &mut S,
    results: &mut [Outcome],
) {
    let mode = |iv| Mode::cbc(iv, Padding::None);
    run(kernels, Direction::Decrypt, records, results, mode, |parts, iv| {
        let [before, after] = parts.whitening;
        let mut chain = u64::from_be_bytes(iv);
        move |block: u64| {
            let mask = before ^ chain;
            chain = block;
            (block ^ after, mask)
        }
    });
}

/// CTR: the counters are encrypted, and the data is the mask.
pub(super) fn ctr<S: Source + ?Sized>(kernels: &Kernels, records: &mut S, results: &mut [Outcome]) {
    run(kernels, Direction::Encrypt, records, results, Mode::ctr, |parts, iv| {
        let [before, after] = parts.whitening;
        let mut counter = u64::from_be_bytes(iv);
        move |block: u64| {
            let input = counter ^ before;
            counter = counter.wrapping_add(1);
            (input, after ^ block)
        }
    });
}

/// Serves every record: long ones, or few, each alone by `mode`; else their blocks are gathered, and
/// `begin` gives the step that makes of each block of data the cipher's input and the output's mask.
fn run<S: Source + ?Sized, Step: FnMut(u64) -> (u64, u64)>(
    kernels: &Kernels,
    direction: Direction,
    records: &mut S,
    results: &mut [Outcome],
    mode: impl Fn([u8; 8]) -> Mode,
    begin: impl Fn(&KeyParts, [u8; 8]) -> Step,
) {
    let short = results.iter().flatten().filter(|len| **len < ALONE_FROM * 8);
    let (count, blocks) =
        short.fold((0, 0), |(count, blocks), len| (count + 1, blocks + len.div_ceil(8)));
    let gathers = kernels.gathers(count, blocks);
    for (n, result) in results.iter_mut().enumerate() {
        let Ok(len) = *result else { continue };
        if gathers && len < ALONE_FROM * 8 {
            continue;
        }
        let iv = records.iv(n).try_into().unwrap_or_default();
        if let Err(error) = alone(kernels, direction, records, n, len, &mode(iv)) {
            *result = Err(error);
        }
    }
    if gathers {
        gather(kernels, direction, records, results, begin);
    }
}

/// The short records: their blocks through lanes.
fn gather<S: Source + ?Sized, Step: FnMut(u64) -> (u64, u64)>(
    kernels: &Kernels,
    direction: Direction,
    records: &mut S,
    results: &mut [Outcome],
    begin: impl Fn(&KeyParts, [u8; 8]) -> Step,
) {
    let mut group = Group::new();
    for (n, result) in results.iter_mut().enumerate() {
        let len = match *result {
            Ok(len) if len < ALONE_FROM * 8 => len,
            _ => continue,
        };
        let iv = records.iv(n).try_into().unwrap_or_default();
        let parts = match kernels.algorithm.read_key(records.key(n)) {
            Ok(parts) => parts,
            Err(error) => {
                *result = Err(error);
                continue;
            }
        };
        let mut step = begin(&parts, iv);
        let mut bytes = [0; 8];
        for offset in (0..len).step_by(8) {
            let size = (len - offset).min(8);
            bytes[size..].fill(0);
            bytes[..size].copy_from_slice(&records.data(n)[offset..][..size]);
            let (block, mask) = step(u64::from_be_bytes(bytes));
            if group.add(parts.keys, block, Slot { mask, record: n, offset, len: size }) {
                group.flush(kernels, direction, |slot, block| put(records, slot, block));
            }
        }
        bytes.zeroize();
    }
    group.flush(kernels, direction, |slot, block| put(records, slot, block));
}

fn put<S: Source + ?Sized>(records: &mut S, slot: Slot, block: u64) {
    let Slot { record, offset, len, .. } = slot;
    records.data(record)[offset..][..len].copy_from_slice(&block.to_be_bytes()[..len]);
}

fn alone<S: Source + ?Sized>(
    kernels: &Kernels,
    direction: Direction,
    records: &mut S,
    n: usize,
    len: usize,
    mode: &Mode,
) -> Result<(), Error> {
    let key = kernels.key(&kernels.algorithm.read_key(records.key(n))?);
    let data = &mut records.data(n)[..len];
    match direction {
        Direction::Encrypt => mode.encrypt_in_place(&key, data, len).map(|_| ()),
        Direction::Decrypt => mode.decrypt_in_place(&key, data).map(|_| ()),
    }
}
