//! OFB (SP 800-38A section 6.4).

use super::state::State;
use crate::error::Error;
use crate::kernels::{with_scratch, xor_blocks};
use crate::keys::BlockKey;

/// One chain of keystream blocks; both directions.
pub(super) fn crypt(state: &mut State, key: &BlockKey, data: &mut [u8]) -> Result<(), Error> {
    let cipher = key.chain()?;
    let (blocks, last) = state.use_leftover(data).as_chunks_mut::<8>();
    // A chain over zeros.
    with_scratch(blocks.len(), |keystream| {
        for blocks in blocks.chunks_mut(keystream.len()) {
            let keystream = &mut keystream[..blocks.len()];
            keystream.fill([0; 8]);
            cipher.encrypt_chain(&mut state.chain, keystream);
            xor_blocks(blocks, keystream);
        }
    });
    if !last.is_empty() {
        state.chain = cipher.encrypt(state.chain);
        state.start_keystream(state.chain, last);
    }
    Ok(())
}
