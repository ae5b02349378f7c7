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
