//! Base64 in a stream, as `openssl enc -a` writes and reads it.

mod decode;
mod encode;
mod salvage;

pub(super) use decode::Strict;
pub(super) use encode::Encoder;
pub(super) use salvage::Salvage;

use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// RFC 4648 section 4; unused bits of a last group may be anything, as OpenSSL ignores them.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Whether a byte belongs to base64 text, its `=` included.
fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
