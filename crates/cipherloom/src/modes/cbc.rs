//! CBC (SP 800-38A section 6.2).

use super::state::{State, shifted, with_room, xor_blocks};
use crate::error::Error;
use crate::keys::BlockKey;

/// One chain: each block waits for the one before.
pub(super) fn encrypt(state: &mut State, key: &BlockKey, data: &mut [u8]) -> Result<(), Error> {
    key.chain()?.encrypt_chain(&mut state.chain, data.as_chunks_mut::<8>().0);
    Ok(())
}

/// All blocks at once, then the XOR with the ciphertext before.
pub(super) fn decrypt(state: &mut State, key: &BlockKey, data: &mut [u8]) -> Result<(), Error> {
    let blocks = data.as_chunks_mut::<8>().0;
    let cipher = key.bulk(blocks.len())?;
    with_room(blocks.len(), |before| {
        for blocks in blocks.chunks_mut(before.len()) {
            let before = shifted(before, state.chain, blocks);
            state.chain = u64::from_be_bytes(blocks[blocks.len() - 1]);
            cipher.decrypt(blocks);
            xor_blocks(blocks, before);
        }
    });
    Ok(())
}
