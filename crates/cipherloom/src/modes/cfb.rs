//! CFB with segments of 64, 8 and 1 bits (SP 800-38A section 6.3).
//!
//! Encryption is a chain. In decryption every shift register is known from the ciphertext, so all
//! of them are encrypted at once.

use super::state::State;
use crate::error::Error;
use crate::kernels::bitslice::Operation;
use crate::kernels::{Direction, shifted, with_scratch, xor_blocks};
use crate::keys::BlockKey;

/// CFB-64: whole segments by `encrypt`, a segment in progress byte by byte.
pub(super) fn encrypt_blocks(
    state: &mut State,
    key: &BlockKey,
    data: &mut [u8],
) -> Result<(), Error> {
    let cipher = key.chain()?;
    let (first, rest) = data.split_at_mut(data.len().min(8 - state.used));
    segment(state, Direction::Encrypt, first);
    let (blocks, last) = rest.as_chunks_mut::<8>();
    // Each keystream block is the encryption of the one before, XORed with the plaintext before:
    // a chain over the register and the plaintext.
    with_scratch(blocks.len(), |keystream| {
        for blocks in blocks.chunks_mut(keystream.len()) {
            let keystream = shifted(keystream, state.chain, blocks);
            cipher.encrypt_chain(&mut 0, keystream);
            xor_blocks(blocks, keystream);
            state.chain = u64::from_be_bytes(blocks[blocks.len() - 1]);
        }
    });
    if !last.is_empty() {
        start_segment(state, cipher.encrypt(state.chain));
        segment(state, Direction::Encrypt, last);
    }
    Ok(())
}

/// The inverse of [`encrypt_blocks`], in bulk.
pub(super) fn decrypt_blocks(
    state: &mut State,
    key: &BlockKey,
    data: &mut [u8],
) -> Result<(), Error> {
    let (first, rest) = data.split_at_mut(data.len().min(8 - state.used));
    let (blocks, last) = rest.as_chunks_mut::<8>();
    let cipher = key.bulk(blocks.len())?;
    let chain = key.chain()?;
    segment(state, Direction::Decrypt, first);
    cipher.run(Operation::CfbDecrypt(&mut state.chain, blocks));
    if !last.is_empty() {
        start_segment(state, chain.encrypt(state.chain));
        segment(state, Direction::Decrypt, last);
    }
    Ok(())
}

fn start_segment(state: &mut State, keystream: u64) {
    state.keystream = keystream.to_be_bytes();
    state.used = 0;
}

/// Bytes of the segment in progress; the ciphertext goes into the chain as it becomes known, so
/// that the chain is the whole ciphertext block when the segment ends.
fn segment(state: &mut State, direction: Direction, data: &mut [u8]) {
    for byte in data {
        let output = *byte ^ state.keystream[state.used];
        let ciphertext = match direction {
            Direction::Encrypt => output,
            Direction::Decrypt => *byte,
        };
        state.chain = state.chain << 8 | u64::from(ciphertext);
        state.used += 1;
        *byte = output;
    }
}

/// CFB-8.
pub(super) fn encrypt_bytes(
    state: &mut State,
    key: &BlockKey,
    data: &mut [u8],
) -> Result<(), Error> {
    let cipher = key.chain()?;
    for byte in data {
        *byte ^= cipher.encrypt(state.chain).to_be_bytes()[0];
        state.chain = state.chain << 8 | u64::from(*byte);
    }
    Ok(())
}

/// The inverse of [`encrypt_bytes`], in bulk: a block cipher call per byte.
pub(super) fn decrypt_bytes(
    state: &mut State,
    key: &BlockKey,
    data: &mut [u8],
) -> Result<(), Error> {
    let cipher = key.bulk(data.len())?;
    with_scratch(data.len(), |registers| {
        for data in data.chunks_mut(registers.len()) {
            let registers = &mut registers[..data.len()];
            for (register, byte) in registers.iter_mut().zip(&*data) {
                *register = state.chain.to_be_bytes();
                state.chain = state.chain << 8 | u64::from(*byte);
            }
            cipher.encrypt(registers);
            for (byte, keystream) in data.iter_mut().zip(registers) {
                *byte ^= keystream[0];
            }
        }
    });
    Ok(())
}

/// CFB-1 on the first `bits` bits of `data`, highest bit of a byte first. Other bits stay.
pub(super) fn encrypt_bits(
    state: &mut State,
    key: &BlockKey,
    data: &mut [u8],
    bits: usize,
) -> Result<(), Error> {
    let cipher = key.chain()?;
    for n in 0..bits {
        let keystream = (cipher.encrypt(state.chain) >> 63) as u8;
        let shift = 7 - n % 8;
        data[n / 8] ^= keystream << shift;
        state.chain = state.chain << 1 | u64::from(data[n / 8] >> shift & 1);
    }
    Ok(())
}

/// The inverse of [`encrypt_bits`], in bulk: a block cipher call per bit.
pub(super) fn decrypt_bits(
    state: &mut State,
    key: &BlockKey,
    data: &mut [u8],
    bits: usize,
) -> Result<(), Error> {
    let cipher = key.bulk(bits)?;
    with_scratch(bits, |registers| {
        for start in (0..bits).step_by(registers.len()) {
            let count = registers.len().min(bits - start);
            let registers = &mut registers[..count];
            for (n, register) in (start..).zip(&mut *registers) {
                *register = state.chain.to_be_bytes();
                state.chain = state.chain << 1 | u64::from(data[n / 8] >> (7 - n % 8) & 1);
            }
            cipher.encrypt(registers);
            for (n, keystream) in (start..).zip(&*registers) {
                data[n / 8] ^= keystream[0] >> 7 << (7 - n % 8);
            }
        }
    });
    Ok(())
}
