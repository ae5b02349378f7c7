//! CTR (SP 800-38A section 6.5), 64-bit big-endian counter, wrapping.

use super::state::{State, with_room, xor};
use crate::error::Error;
use crate::keys::BlockKey;

/// Encrypts counters in bulk and XORs them in; both directions.
pub(super) fn crypt(state: &mut State, key: &BlockKey, data: &mut [u8]) -> Result<(), Error> {
    let cipher = key.bulk(data.len().div_ceil(8))?;
    let data = state.use_leftover(data);
    with_room(data.len().div_ceil(8), |keystream| {
        for data in data.chunks_mut(keystream.len() * 8) {
            let keystream = &mut keystream[..data.len().div_ceil(8)];
            for block in &mut *keystream {
                *block = state.chain.to_be_bytes();
                state.chain = state.chain.wrapping_add(1);
            }
            cipher.encrypt(keystream);
            xor(data, keystream.as_flattened());
            if data.len() % 8 != 0 {
                state.keystream = keystream[keystream.len() - 1];
                state.used = data.len() % 8;
            }
        }
    });
    Ok(())
}
