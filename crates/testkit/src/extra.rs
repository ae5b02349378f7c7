//! Our own vector files: `mac/published.txt` and `two-peers/*.txt`.

use crate::records::{self, Record};

/// The block ciphers of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cipher {
    /// Single DES, a key of 8 bytes.
    Des,
    /// EDE with KEY1 and KEY2, 16 bytes.
    Tdea2,
    /// EDE with KEY1, KEY2 and KEY3, 24 bytes.
    Tdea3,
    /// DES-EEE2 with KEY1 and KEY2, 16 bytes.
    Eee2,
    /// DES-EEE3 with KEY1, KEY2 and KEY3, 24 bytes.
    Eee3,
    /// DESX: key of DES, input whitening, output whitening, 24 bytes.
    Desx,
}

/// The modes of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Electronic codebook.
    Ecb,
    /// Cipher block chaining.
    Cbc,
    /// CBC with ciphertext stealing, first variant.
    CbcCs1,
    /// CBC with ciphertext stealing, second variant.
    CbcCs2,
    /// CBC with ciphertext stealing, third variant.
    CbcCs3,
    /// Counter mode.
    Ctr,
}

/// A plaintext and its ciphertext, not padded.
#[derive(Clone, Debug)]
pub struct CipherVector {
    /// `file:line`, for messages.
    pub place: String,
    /// The block cipher.
    pub cipher: Cipher,
    /// The mode.
    pub mode: Mode,
    /// The key, as long as the cipher's is.
    pub key: Vec<u8>,
    /// The initialization vector, in CTR the first counter; ECB has none.
    pub iv: Option<[u8; 8]>,
    /// The plaintext.
    pub plaintext: Vec<u8>,
    /// The ciphertext, of equal length.
    pub ciphertext: Vec<u8>,
}

/// A MAC of ISO/IEC 9797-1.
#[derive(Clone, Debug)]
pub struct MacVector {
    /// `file:line`, for messages.
    pub place: String,
    /// The block cipher; for algorithm 3 that of each half of the key, DES.
    pub cipher: Cipher,
    /// MAC algorithm 1 or 3.
    pub algorithm: usize,
    /// Padding method 1, 2 or 3.
    pub padding: usize,
    /// The key; for algorithm 3 K and then K'.
    pub key: Vec<u8>,
    /// The data string.
    pub data: Vec<u8>,
    /// The leftmost bytes of the MAC, or all 8.
    pub mac: Vec<u8>,
}

/// Ciphertext stealing, wrapping CTR, DESX and EEE: `two-peers/` but for the MACs.
///
/// # Panics
/// If a file is missing or has another form.
pub fn cipher_vectors() -> Vec<CipherVector> {
    let mut vectors = Vec::new();
    for name in ["cbc-cs", "ctr", "desx", "eee"] {
        vectors.extend(records::read(&format!("two-peers/{name}.txt")).iter().map(cipher_vector));
    }
    vectors
}

/// MACs that standards print: `mac/published.txt`.
///
/// # Panics
/// If the file is missing or has another form.
pub fn published_macs() -> Vec<MacVector> {
    records::read("mac/published.txt").iter().map(mac_vector).collect()
}

/// MACs that two peers agree on: `two-peers/mac.txt`.
///
/// # Panics
/// If the file is missing or has another form.
pub fn two_peer_macs() -> Vec<MacVector> {
    records::read("two-peers/mac.txt").iter().map(mac_vector).collect()
}

fn cipher_vector(record: &Record) -> CipherVector {
    let mode = match record.part.as_str() {
        "ECB" => Mode::Ecb,
        "CBC" => Mode::Cbc,
        "CBC-CS1" => Mode::CbcCs1,
        "CBC-CS2" => Mode::CbcCs2,
        "CBC-CS3" => Mode::CbcCs3,
        "CTR" => Mode::Ctr,
        other => panic!("{}: unknown mode {other}", record.place()),
    };
    CipherVector {
        place: record.place(),
        cipher: cipher(record),
        mode,
        key: record.bytes("KEY"),
        iv: (mode != Mode::Ecb).then(|| record.block("IV")),
        plaintext: record.bytes("PLAINTEXT"),
        ciphertext: record.bytes("CIPHERTEXT"),
    }
}

fn mac_vector(record: &Record) -> MacVector {
    MacVector {
        place: record.place(),
        cipher: cipher(record),
        algorithm: record.number("ALGORITHM"),
        padding: record.number("PADDING"),
        key: record.bytes("KEY"),
        data: record.bytes("DATA"),
        mac: record.bytes("MAC"),
    }
}

fn cipher(record: &Record) -> Cipher {
    match record.text("CIPHER") {
        "DES" => Cipher::Des,
        "TDEA-2" => Cipher::Tdea2,
        "TDEA-3" => Cipher::Tdea3,
        "DES-EEE2" => Cipher::Eee2,
        "DES-EEE3" => Cipher::Eee3,
        "DESX" => Cipher::Desx,
        other => panic!("{}: unknown cipher {other}", record.place()),
    }
}
