//! ECB (SP 800-38A section 6.1).

use crate::error::Error;
use crate::kernels::Direction;
use crate::keys::BlockKey;

/// Every block alone.
pub(super) fn crypt(key: &BlockKey, direction: Direction, data: &mut [u8]) -> Result<(), Error> {
    let (blocks, rest) = data.as_chunks_mut::<8>();
    debug_assert!(rest.is_empty());
    key.each(direction, blocks)
}
