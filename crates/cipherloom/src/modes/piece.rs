//! A piece of a message, by its mode.

use super::state::State;
use super::{Kind, cbc, cfb, ctr, ecb, ofb};
use crate::error::Error;
use crate::kernels::Direction;
use crate::keys::BlockKey;

impl State {
    /// Transforms the next piece in place: whole blocks for the block modes, any number of bytes
    /// for the stream modes.
    ///
    /// The last block of a stolen message is not for this function.
    pub(super) fn crypt(
        &mut self,
        kind: Kind,
        key: &BlockKey,
        direction: Direction,
        data: &mut [u8],
    ) -> Result<(), Error> {
        use Direction::{Decrypt, Encrypt};
        match (kind, direction) {
            (Kind::Ecb, _) => ecb::crypt(key, direction, data),
            (Kind::Cbc | Kind::Cs1 | Kind::Cs2 | Kind::Cs3, Encrypt) => {
                cbc::encrypt(&mut self.chain, &key.chain()?, data);
                Ok(())
            }
            (Kind::Cbc | Kind::Cs1 | Kind::Cs2 | Kind::Cs3, Decrypt) => {
                cbc::decrypt(&mut self.chain, key, data)
            }
            // A 32-bit processor cannot count the bits of its largest buffers.
            (Kind::Cfb1, Encrypt) => data
                .chunks_mut(usize::MAX / 8)
                .try_for_each(|data| cfb::encrypt_bits(self, key, data, data.len() * 8)),
            (Kind::Cfb1, Decrypt) => data
                .chunks_mut(usize::MAX / 8)
                .try_for_each(|data| cfb::decrypt_bits(self, key, data, data.len() * 8)),
            (Kind::Cfb8, Encrypt) => cfb::encrypt_bytes(self, key, data),
            (Kind::Cfb8, Decrypt) => cfb::decrypt_bytes(self, key, data),
            (Kind::Cfb64, Encrypt) => cfb::encrypt_blocks(self, key, data),
            (Kind::Cfb64, Decrypt) => cfb::decrypt_blocks(self, key, data),
            (Kind::Ofb, _) => ofb::crypt(self, key, data),
            (Kind::Ctr, _) => ctr::crypt(self, key, data),
        }
    }
}
