//! How IVs and results are written.

use cipherloom_formats::encoding::Encoding;

use crate::commands::records::args::Arguments;

/// How IVs are written in their column.
pub(super) fn iv_encoding(args: &Arguments) -> Encoding {
    args.iv_encoding.map_or(Encoding::Hex, Encoding::from)
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands::records) enum ResultForm {
    /// As text.
    Text(Encoding),
    /// As bytes, in a table that has such columns.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "text has none"))]
    Bytes,
}
