//! The TDES sample vectors of NIST's CAVP: known answers, multi-block messages, Monte Carlo.

use crate::records::{self, Record};
use cipherloom::Direction;

/// The modes that CAVP has vectors for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Electronic codebook.
    Ecb,
    /// Cipher block chaining.
    Cbc,
    /// Cipher feedback, segments of one bit.
    Cfb1,
    /// Cipher feedback, segments of 8 bits.
    Cfb8,
    /// Cipher feedback, segments of 64 bits.
    Cfb64,
    /// Output feedback.
    Ofb,
}

/// One test: the texts are equal in length.
#[derive(Clone, Debug)]
pub struct Vector {
    /// `file:line`, for messages.
    pub place: String,
    /// The mode of the file.
    pub mode: Mode,
    /// The part of the file: which of the two texts is given.
    pub direction: Direction,
    /// The number in its part; in a Monte Carlo file the outer round.
    pub count: usize,
    /// KEY1, KEY2, KEY3.
    pub keys: [[u8; 8]; 3],
    /// The initialization vector; ECB has none.
    pub iv: Option<[u8; 8]>,
    /// The plaintext; in CFB-1 its bits, the first one the top bit of the first byte.
    pub plaintext: Vec<u8>,
    /// The ciphertext, in the same form.
    pub ciphertext: Vec<u8>,
    /// The length of either text in bits.
    pub bit_len: usize,
}

/// Known answers: all files of `KAT_TDES`.
///
/// # Panics
/// If a file is missing or has another form.
pub fn known_answers() -> Vec<Vector> {
    let kinds = ["vartext", "invperm", "varkey", "permop", "subtab"];
    read_all("KAT_TDES", &kinds)
}

/// Multi-block messages: all files of `tdesmmt`.
///
/// # Panics
/// If a file is missing or has another form.
pub fn multi_block_messages() -> Vec<Vector> {
    read_all("tdesmmt", &["MMT1", "MMT3"])
}

/// Monte Carlo tests: all files of `tdesmct`, outer round after outer round.
///
/// One file and direction is one chain: its rounds stand one after another, `count` from 0. A
/// round's texts are the input of its first call and the output of its last.
///
/// # Panics
/// If a file is missing or has another form.
pub fn monte_carlo() -> Vec<Vector> {
    read_all("tdesmct", &["Monte1", "Monte3"])
}

const MODES: [(Mode, &str); 6] = [
    (Mode::Ecb, "ECB"),
    (Mode::Cbc, "CBC"),
    (Mode::Cfb1, "CFB1"),
    (Mode::Cfb8, "CFB8"),
    (Mode::Cfb64, "CFB64"),
    (Mode::Ofb, "OFB"),
];

fn read_all(folder: &str, kinds: &[&str]) -> Vec<Vector> {
    let mut vectors = Vec::new();
    for (mode, name) in MODES {
        for kind in kinds {
            let records = records::read(&format!("cavp-tdes/{folder}/T{name}{kind}.rsp"));
            vectors.extend(records.iter().map(|record| vector(mode, record)));
        }
    }
    vectors
}

fn vector(mode: Mode, record: &Record) -> Vector {
    let (plaintext, bit_len) = text(mode, record, "PLAINTEXT");
    let (ciphertext, other_len) = text(mode, record, "CIPHERTEXT");
    assert_eq!(bit_len, other_len, "{}: lengths differ", record.place());
    Vector {
        place: record.place(),
        mode,
        direction: match record.part.as_str() {
            "ENCRYPT" => Direction::Encrypt,
            "DECRYPT" => Direction::Decrypt,
            other => panic!("{}: neither ENCRYPT nor DECRYPT: {other}", record.place()),
        },
        count: record.number("COUNT"),
        keys: match record.find("KEYs") {
            Some(_) => [record.block("KEYs"); 3],
            None => ["KEY1", "KEY2", "KEY3"].map(|name| record.block(name)),
        },
        iv: (mode != Mode::Ecb).then(|| record.block("IV")),
        plaintext,
        ciphertext,
        bit_len,
    }
}

/// A text and its length in bits.
fn text(mode: Mode, record: &Record, name: &str) -> (Vec<u8>, usize) {
    if mode != Mode::Cfb1 {
        let bytes = record.bytes(name);
        let bit_len = 8 * bytes.len();
        return (bytes, bit_len);
    }
    let digits = record.text(name).as_bytes();
    let mut bytes = vec![0; digits.len().div_ceil(8)];
    for (n, digit) in digits.iter().enumerate() {
        match digit {
            b'0' => {}
            b'1' => bytes[n / 8] |= 0x80 >> (n % 8),
            _ => panic!("{}: {name} is not a string of bits", record.place()),
        }
    }
    (bytes, digits.len())
}
