//! The circuits in `data/`, compiled in: nobody needs the files to make kernels.

use std::sync::LazyLock;

use super::{Circuit, Entry, GateSet};

macro_rules! texts {
    ($($set:literal),*) => {
        [$([
            include_str!(concat!("../data/", $set, "/S1.txt")),
            include_str!(concat!("../data/", $set, "/S2.txt")),
            include_str!(concat!("../data/", $set, "/S3.txt")),
            include_str!(concat!("../data/", $set, "/S4.txt")),
            include_str!(concat!("../data/", $set, "/S5.txt")),
            include_str!(concat!("../data/", $set, "/S6.txt")),
            include_str!(concat!("../data/", $set, "/S7.txt")),
            include_str!(concat!("../data/", $set, "/S8.txt")),
        ]),*]
    };
}

/// In the order of [`GateSet::ALL`].
static TEXTS: [[&str; 8]; 5] = texts!("plain", "select", "sha3", "lut3", "lut3-xor");

static ENTRIES: LazyLock<[[Entry; 8]; 5]> = LazyLock::new(|| {
    TEXTS.map(|texts| {
        texts.map(|text| Entry::parse(text).unwrap_or_else(|wrong| panic!("{wrong} of:\n{text}")))
    })
});

/// The committed circuit of a gate set for S-box number `sbox` (0 is S1), with what is known of it.
///
/// # Panics
/// If `sbox` is above 7, or if a file that was compiled in is wrong.
#[must_use]
pub fn entry(set: GateSet, sbox: usize) -> &'static Entry {
    &ENTRIES[set as usize][sbox]
}

/// The committed circuit of a gate set for S-box number `sbox` (0 is S1).
///
/// # Panics
/// As [`entry`].
#[must_use]
pub fn circuit(set: GateSet, sbox: usize) -> &'static Circuit {
    &entry(set, sbox).circuit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_where_its_name_says() {
        for set in GateSet::ALL {
            for (sbox, text) in TEXTS[set as usize].iter().enumerate() {
                let entry = entry(set, sbox);
                assert_eq!((entry.set, entry.sbox), (set, sbox));
                assert_eq!(*text, entry.to_string(), "not as loom prints it");
            }
        }
    }
}
