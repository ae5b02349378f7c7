//! The names of ciphers: OpenSSL's, and names in the same style for what OpenSSL lacks.

use cipherloom::{Algorithm, BlockKey, KeyFault, Mode, Padding, Parity};

/// Block ciphers by the name that starts the cipher's name.
const FAMILIES: [(&str, Algorithm); 6] = [
    ("des", Algorithm::Des),
    ("des-ede", Algorithm::TdesEde2),
    ("des-ede3", Algorithm::TdesEde3),
    ("des-eee", Algorithm::TdesEee2),
    ("des-eee3", Algorithm::TdesEee3),
    ("desx", Algorithm::Desx),
];

/// Modes by the name that ends the cipher's name.
const MODES: [(&str, ModeName); 10] = [
    ("ecb", ModeName::Ecb),
    ("cbc", ModeName::Cbc),
    ("cbc-cs1", ModeName::CbcCs1),
    ("cbc-cs2", ModeName::CbcCs2),
    ("cbc-cs3", ModeName::CbcCs3),
    ("cfb", ModeName::Cfb64),
    ("cfb1", ModeName::Cfb1),
    ("cfb8", ModeName::Cfb8),
    ("ofb", ModeName::Ofb),
    ("ctr", ModeName::Ctr),
];

/// RC4 by name, with the bytes of key that OpenSSL derives from a password.
const RC4: [(&str, usize); 2] = [("rc4", 16), ("rc4-40", 5)];

/// Short names, and what each stands for (`openssl list -cipher-algorithms`).
const ALIASES: [(&str, &str); 7] = [
    ("des", "des-cbc"),
    ("des3", "des-ede3-cbc"),
    ("des-ede", "des-ede-ecb"),
    ("des-ede3", "des-ede3-ecb"),
    ("des-eee", "des-eee-ecb"),
    ("des-eee3", "des-eee3-ecb"),
    ("desx", "desx-cbc"),
];

/// A cipher with its mode, as a name says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cipher {
    /// The full name: `des-ede3-cbc`, also where it was found as `des3`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// The two kinds of cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A block cipher in a mode.
    Block(Algorithm, ModeName),
    /// RC4, with the bytes of key derived from a password; raw keys have 1 to 256 bytes.
    Rc4(usize),
}

/// A mode without its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeName {
    /// Electronic codebook.
    Ecb,
    /// Cipher block chaining.
    Cbc,
    /// CBC with ciphertext stealing, SP 800-38A's first variant.
    CbcCs1,
    /// The second variant.
    CbcCs2,
    /// The third variant.
    CbcCs3,
    /// Cipher feedback of single bits.
    Cfb1,
    /// Cipher feedback of bytes.
    Cfb8,
    /// Cipher feedback of blocks.
    Cfb64,
    /// Output feedback.
    Ofb,
    /// Counter mode.
    Ctr,
}

impl Cipher {
    /// Every name that [`find`](Self::find) knows, short names first.
    #[must_use]
    pub fn names() -> Vec<String> {
        let short = ALIASES.iter().map(|(name, _)| (*name).to_owned());
        let rc4 = RC4.iter().map(|(name, _)| (*name).to_owned());
        let blocks = FAMILIES
            .iter()
            .flat_map(|(family, _)| MODES.iter().map(move |(mode, _)| format!("{family}-{mode}")));
        short.chain(rc4).chain(blocks).collect()
    }

    /// Finds a cipher by name or short name, in any case of letters.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let name =
            ALIASES.iter().find(|(short, _)| *short == name).map_or(&*name, |(_, full)| full);
        if let Some(&(name, bytes)) = RC4.iter().find(|(rc4, _)| *rc4 == name) {
            return Some(Self { name: name.to_owned(), kind: Kind::Rc4(bytes) });
        }
        FAMILIES.iter().find_map(|&(family, algorithm)| {
            let mode = name.strip_prefix(family)?.strip_prefix('-')?;
            let &(_, mode) = MODES.iter().find(|(suffix, _)| *suffix == mode)?;
            Some(Self { name: name.to_owned(), kind: Kind::Block(algorithm, mode) })
        })
    }

    /// Bytes of key that a password is turned into.
    #[must_use]
    pub fn derived_key_len(&self) -> usize {
        match self.kind {
            Kind::Block(algorithm, _) => algorithm.key_len(),
            Kind::Rc4(bytes) => bytes,
        }
    }

    /// Fewest and most bytes that a raw key may have.
    #[must_use]
    pub fn raw_key_len(&self) -> (usize, usize) {
        match self.kind {
            Kind::Block(algorithm, _) => (algorithm.key_len(), algorithm.key_len()),
            Kind::Rc4(5) => (5, 5),
            Kind::Rc4(_) => (cipherloom::Rc4::MIN_KEY_LEN, cipherloom::Rc4::MAX_KEY_LEN),
        }
    }

    /// What is wrong with a key of the right length: weak keys and their like.
    #[must_use]
    pub fn fault(&self, key: &[u8]) -> Option<KeyFault> {
        match self.kind {
            Kind::Block(algorithm, _) => {
                BlockKey::fault(algorithm, key, Parity::Ignore).unwrap_or_default()
            }
            Kind::Rc4(_) => None,
        }
    }

    /// Bytes of IV: 8, or 0 where there is none.
    #[must_use]
    pub fn iv_len(&self) -> usize {
        match self.kind {
            Kind::Block(_, ModeName::Ecb) | Kind::Rc4(_) => 0,
            Kind::Block(..) => 8,
        }
    }

    /// Whether messages are filled up to whole blocks.
    #[must_use]
    pub fn is_padded(&self) -> bool {
        matches!(self.kind, Kind::Block(_, ModeName::Ecb | ModeName::Cbc))
    }

    /// Whether decryption ends in a padding that a wrong key or damage would break, nearly always.
    #[must_use]
    pub fn is_judged_by(&self, padding: Padding) -> bool {
        self.is_padded() && matches!(padding, Padding::Pkcs7 | Padding::Iso7816)
    }
}

impl ModeName {
    /// The mode with its parameters; padding counts for ECB and CBC only.
    #[must_use]
    pub fn with(self, iv: [u8; 8], padding: Padding) -> Mode {
        match self {
            Self::Ecb => Mode::ecb(padding),
            Self::Cbc => Mode::cbc(iv, padding),
            Self::CbcCs1 => Mode::cbc_cs1(iv),
            Self::CbcCs2 => Mode::cbc_cs2(iv),
            Self::CbcCs3 => Mode::cbc_cs3(iv),
            Self::Cfb1 => Mode::cfb1(iv),
            Self::Cfb8 => Mode::cfb8(iv),
            Self::Cfb64 => Mode::cfb64(iv),
            Self::Ofb => Mode::ofb(iv),
            Self::Ctr => Mode::ctr(iv),
        }
    }

    /// Whether the mode steals ciphertext in place of padding.
    #[must_use]
    pub fn is_stealing(self) -> bool {
        matches!(self, Self::CbcCs1 | Self::CbcCs2 | Self::CbcCs3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_short_names_lead_to_full_ones() {
        for name in Cipher::names() {
            let cipher = Cipher::find(&name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(Cipher::find(&cipher.name), Some(cipher));
        }
        assert_eq!(Cipher::find("DES3").unwrap().name, "des-ede3-cbc");
        assert_eq!(Cipher::find("des-ede").unwrap().name, "des-ede-ecb");
        for name in ["des-", "", "aes-128-cbc", "des3-cbc", "rc4-128"] {
            assert_eq!(Cipher::find(name), None, "{name}");
        }
    }
}
