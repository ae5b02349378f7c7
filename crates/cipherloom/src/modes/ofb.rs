//! OFB (SP 800-38A section 6.4).

use super::state::State;
use crate::error::Error;
use crate::keys::BlockKey;

/// One chain of keystream blocks; both directions.
pub(super) fn crypt(state: &mut State, key: &BlockKey, data: &mut [u8]) -> Result<(), Error> {
    let cipher = key.chain()?;
    let (blocks, last) = state.use_leftover(data).as_chunks_mut::<8>();
    for block in blocks {
        state.chain = cipher.encrypt(state.chain);
        *block = (state.chain ^ u64::from_be_bytes(*block)).to_be_bytes();
    }
    if !last.is_empty() {
        state.chain = cipher.encrypt(state.chain);
        state.start_keystream(state.chain, last);
    }
    Ok(())
}
