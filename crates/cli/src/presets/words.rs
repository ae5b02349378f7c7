//! Names of presets, and how they are listed.

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::Preset;
use cipherloom_measure::Columns;

/// Every preset with the program that writes so.
pub(crate) fn list() -> String {
    let mut table = Columns::new(2, ["preset", "written by"]);
    for preset in Preset::all() {
        table.row([preset.name, preset.written_by]);
    }
    table.to_string()
}

/// An encoding as options name it.
pub(crate) fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Hex => "hex",
        Encoding::Base64 => "base64",
        Encoding::Uu => "uu",
        Encoding::Text => "text",
    }
}

/// Whether bytes look like western text in UTF-16, low byte first.
pub(crate) fn looks_like_utf16(bytes: &[u8]) -> bool {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let is_wide = |[low, high]: &[u8; 2]| *high == 0 && (*low >= b' ' || low.is_ascii_whitespace());
    !pairs.is_empty() && rest.is_empty() && pairs.iter().all(is_wide)
}
