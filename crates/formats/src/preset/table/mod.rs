//! The rows, a file for each family.

mod databases;
mod dotnet;
mod files;
mod java;
mod openssl;
mod scripts;

use super::row::Preset;

/// Every preset, by family. Of a family, a search tries them in this order.
static FAMILIES: [&[Preset]; 6] =
    [&openssl::ROWS, &dotnet::ROWS, &databases::ROWS, &java::ROWS, &scripts::ROWS, &files::ROWS];

/// Those of `openssl enc`.
pub(super) static OPENSSL: &[Preset] = &openssl::ROWS;

impl Preset {
    /// Every preset.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        FAMILIES.iter().copied().flatten()
    }

    /// The preset of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::all().find(|preset| preset.name == name)
    }
}
