//! CTR (SP 800-38A section 6.5), 64-bit big-endian counter, wrapping.

use super::state::State;
use crate::error::Error;
use crate::kernels::bitslice::Operation;
use crate::keys::BlockKey;

/// Encrypts counters in bulk and XORs them in; both directions.
pub(super) fn crypt(state: &mut State, key: &BlockKey, data: &mut [u8]) -> Result<(), Error> {
    let cipher = key.bulk(data.len().div_ceil(8))?;
    let data = state.use_leftover(data);
    let used = data.len() % 8;
    cipher.run(Operation::Ctr(&mut state.chain, data, &mut state.keystream));
    if used != 0 {
        state.used = used;
    }
    Ok(())
}
