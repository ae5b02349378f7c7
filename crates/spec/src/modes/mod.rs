//! Modes of operation: NIST SP 800-38A (2001) and its addendum on ciphertext stealing (2010).

pub mod cbc;
pub mod cbc_cs;
pub mod cfb;
pub mod ctr;
pub mod ecb;
pub mod ofb;

use crate::Block;

/// The blocks of a text.
///
/// # Panics
/// If the text is not whole blocks.
pub(crate) fn blocks(text: &[u8]) -> Vec<Block> {
    let (blocks, rest) = text.as_chunks();
    assert!(rest.is_empty(), "the text must be whole 8-byte blocks; it has {} bytes", text.len());
    blocks.to_vec()
}

/// The exclusive-or of `segment`, of 8 bytes or fewer, with the leading bytes of `block`
/// (SP 800-38A: ⊕ MSB_u(O)).
pub(crate) fn add_leading(segment: &[u8], block: Block) -> Vec<u8> {
    segment.iter().zip(block).map(|(x, o)| x ^ o).collect()
}
