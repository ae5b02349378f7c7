//! The end of a message under CBC with ciphertext stealing (SP 800-38A addendum).

use super::Kind;
use super::state::State;
use crate::error::Error;
use crate::kernels::{Direction, scrubbed, xor};
use crate::keys::BlockKey;

/// Transforms the last 8 to 16 bytes of a message in place: the last two blocks, of which the
/// second may be short, or the only block.
pub(super) fn finish(
    state: &mut State,
    kind: Kind,
    key: &BlockKey,
    direction: Direction,
    data: &mut [u8],
) -> Result<(), Error> {
    scrubbed(0, || crypt(state, kind, key, direction, data))
}

fn crypt(
    state: &mut State,
    kind: Kind,
    key: &BlockKey,
    direction: Direction,
    data: &mut [u8],
) -> Result<(), Error> {
    if data.len() == 8 {
        return state.crypt(Kind::Cbc, key, direction, data);
    }
    let short = data.len() - 8;
    // CS1 keeps the order, CS3 always changes it, CS2 changes it if a block is short.
    let swapped = kind == Kind::Cs3 || kind == Kind::Cs2 && short < 8;
    match direction {
        Direction::Encrypt => {
            let mut blocks = [0; 16];
            blocks[..data.len()].copy_from_slice(data);
            state.crypt(Kind::Cbc, key, direction, &mut blocks)?;
            let (before, last) = blocks.split_at(8);
            if swapped {
                data[..8].copy_from_slice(last);
                data[8..].copy_from_slice(&before[..short]);
            } else {
                data[..short].copy_from_slice(&before[..short]);
                data[short..].copy_from_slice(last);
            }
        }
        Direction::Decrypt => {
            let cipher = key.chain()?;
            let mut stolen = [0; 8];
            let mut last = [0; 8];
            if swapped {
                last.copy_from_slice(&data[..8]);
                stolen[..short].copy_from_slice(&data[8..]);
            } else {
                stolen[..short].copy_from_slice(&data[..short]);
                last.copy_from_slice(&data[short..]);
            }
            // The end of the shortened block travelled inside the last one, under zeros.
            let opened = cipher.decrypt(u64::from_be_bytes(last)).to_be_bytes();
            stolen[short..].copy_from_slice(&opened[short..]);
            let before = u64::from_be_bytes(stolen);
            data[..8].copy_from_slice(&(cipher.decrypt(before) ^ state.chain).to_be_bytes());
            data[8..].copy_from_slice(&opened[..short]);
            xor(&mut data[8..], &stolen);
        }
    }
    Ok(())
}
