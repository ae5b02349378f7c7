//! How results are written.

use cipherloom_formats::encoding::Encoding;

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands::records) enum ResultForm {
    /// As text.
    Text(Encoding),
    /// As bytes, in a table that has such columns.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "text has none"))]
    Bytes,
}
