//! What the options are for.

use cipherloom::Direction;

/// What kind of work the options are for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purpose {
    pub(crate) direction: Direction,
    /// What the options leave open or get wrong is looked up in the data: without `-md` the key
    /// derivation, and a header that the options do not expect. Otherwise they mean what they mean
    /// to OpenSSL 3.
    pub(crate) auto: bool,
    /// Only the key is wanted (`-P`): nothing is read that is not needed for it.
    pub(crate) key_only: bool,
    /// The input is known to be damaged.
    pub(crate) salvage: bool,
}
