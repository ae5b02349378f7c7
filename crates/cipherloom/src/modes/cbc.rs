//! CBC (SP 800-38A section 6.2).

use crate::error::Error;
use crate::kernels::bitslice::Operation;
use crate::keys::{BlockKey, work::Chain};

/// One chain: each block waits for the one before. A single block waits for nothing, and needs no kernel that makes ready
/// for others.
#[inline(always)]
pub(super) fn encrypt(before: &mut u64, chain: &Chain<'_>, data: &mut [u8]) {
    chain.fetch(data);
    match data.as_chunks_mut::<8>().0 {
        [block] => {
            *before = chain.encrypt(u64::from_be_bytes(*block) ^ *before);
            *block = before.to_be_bytes();
        }
        blocks => chain.encrypt_chain(before, blocks),
    }
}

/// All blocks at once; for a single one, asking who does how much of them would take long.
#[inline(always)]
pub(super) fn decrypt(before: &mut u64, key: &BlockKey, data: &mut [u8]) -> Result<(), Error> {
    let chain = key.chain()?;
    let blocks = data.as_chunks_mut::<8>().0;
    if let [block] = blocks {
        chain.fetch(block);
        let ciphertext = u64::from_be_bytes(*block);
        let plaintext = chain.decrypt(ciphertext) ^ *before;
        (*block, *before) = (plaintext.to_be_bytes(), ciphertext);
        return Ok(());
    }
    if chain.decrypt_few(before, blocks) {
        return Ok(());
    }
    decrypt_many(before, key, blocks)
}

/// More than a few. Not a part of the short way.
#[inline(never)]
fn decrypt_many(before: &mut u64, key: &BlockKey, blocks: &mut [[u8; 8]]) -> Result<(), Error> {
    key.independent(Operation::CbcDecrypt(before, blocks))
}
