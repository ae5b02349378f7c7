//! One type per cipher, so that a program's types say which cipher it uses.

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::algorithm::Algorithm;
use super::block_key::BlockKey;
use super::cipher::{BlockCipher, sealed};
use super::fault::Parity;
use crate::error::Error;

/// Defines the key types from one table: name, key bytes, and the first line of documentation.
macro_rules! key_types {
    ($($name:ident, $len:literal, $doc:literal;)*) => {$(
        #[doc = $doc]
        ///
        /// Wiped on drop; `Debug` prints the name only. See [`BlockCipher`] for single blocks and
        /// [`Mode`](crate::Mode) for messages.
        #[derive(Clone)]
        pub struct $name(BlockKey);

        impl $name {
            /// Key length in bytes.
            pub const KEY_LEN: usize = $len;

            /// Takes every key, whatever its parity bits, also a weak one.
            #[must_use]
            pub fn new(key: &[u8; $len]) -> Self {
                BlockKey::make(Algorithm::$name, || {
                    // Brought to its place first: moving the key would cost more than filling it in.
                    let mut made = Self(BlockKey::blank(Algorithm::$name));
                    made.0.take(key).expect("the array has the key's length");
                    made
                })
            }

            /// Takes every key of the right length.
            ///
            /// # Errors
            /// [`Error::KeyLength`].
            pub fn from_slice(key: &[u8]) -> Result<Self, Error> {
                // Not by `new`: moving the key out of another result takes as long as a tenth of its making.
                BlockKey::make(Algorithm::$name, || {
                    let mut made = Self(BlockKey::blank(Algorithm::$name));
                    made.0.take(key)?;
                    Ok(made)
                })
            }

            /// Refuses the 4 weak and 12 semi-weak keys, degenerate bundles (KEY1 = KEY2 or
            /// KEY2 = KEY3, parity bits aside) and, if asked, wrong parity.
            ///
            /// # Errors
            /// [`Error::KeyLength`], [`Error::Key`].
            pub fn new_checked(key: &[u8], parity: Parity) -> Result<Self, Error> {
                BlockKey::new_checked(Algorithm::$name, key, parity).map(Self)
            }
        }

        impl sealed::Sealed for $name {}

        impl BlockCipher for $name {
            fn as_block_key(&self) -> &BlockKey {
                &self.0
            }

            fn as_block_key_mut(&mut self) -> &mut BlockKey {
                &mut self.0
            }
        }

        impl ZeroizeOnDrop for $name {}

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<$name> for BlockKey {
            fn from(key: $name) -> Self {
                key.0
            }
        }

        /// A key of another cipher is given back.
        impl TryFrom<BlockKey> for $name {
            type Error = BlockKey;

            fn try_from(key: BlockKey) -> Result<Self, BlockKey> {
                if key.algorithm == Algorithm::$name { Ok(Self(key)) } else { Err(key) }
            }
        }
    )*};
}

key_types! {
    Des, 8, "DES (FIPS 46-3).";
    TdesEde2, 16, "TDEA keying option 2 (SP 800-67): KEY1, KEY2, KEY1; encrypt, decrypt, encrypt.";
    TdesEde3, 24, "TDEA keying option 1 (SP 800-67): KEY1, KEY2, KEY3; encrypt, decrypt, encrypt.";
    TdesEee2, 16, "Triple DES of three encryptions with KEY1, KEY2, KEY1.";
    TdesEee3, 24, "Triple DES of three encryptions with KEY1, KEY2, KEY3.";
    Desx, 24, "DESX: a DES key, then 8 bytes of input and 8 of output whitening, as OpenSSL has them.";
}
