//! CBC (SP 800-38A section 6.2).

use super::state::State;
use crate::error::Error;
use crate::kernels::bitslice::Operation;
use crate::keys::BlockKey;

/// One chain: each block waits for the one before. A single block waits for nothing, and needs no kernel that makes ready
/// for others.
pub(super) fn encrypt(state: &mut State, key: &BlockKey, data: &mut [u8]) -> Result<(), Error> {
    let chain = key.chain()?;
    chain.fetch(data);
    match data.as_chunks_mut::<8>().0 {
        [block] => {
            state.chain = chain.encrypt(u64::from_be_bytes(*block) ^ state.chain);
            *block = state.chain.to_be_bytes();
        }
        blocks => chain.encrypt_chain(&mut state.chain, blocks),
    }
    Ok(())
}

/// All blocks at once; for a single one, asking who does how much of them would take long.
pub(super) fn decrypt(state: &mut State, key: &BlockKey, data: &mut [u8]) -> Result<(), Error> {
    let blocks = data.as_chunks_mut::<8>().0;
    if let [block] = blocks {
        let chain = key.chain()?;
        chain.fetch(block);
        let ciphertext = u64::from_be_bytes(*block);
        let plaintext = chain.decrypt(ciphertext) ^ state.chain;
        (*block, state.chain) = (plaintext.to_be_bytes(), ciphertext);
        return Ok(());
    }
    if key.chain()?.decrypt_few(&mut state.chain, blocks) {
        return Ok(());
    }
    key.bulk(blocks.len())?.run(Operation::CbcDecrypt(&mut state.chain, blocks));
    Ok(())
}
