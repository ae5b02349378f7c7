//! What nobody here opens, and who does.

use super::reading::Reading;
use crate::looks::{self, Looks};
use crate::preset::Preset;

/// First bytes, and what it is.
const OTHERS: [(&[u8], &str); 19] = [
    (b"\x00m\x03", "a file of the command mcrypt (.nc), in what is not here or damaged"),
    (b"-----BEGIN PGP MESSAGE", "OpenPGP: gpg decrypts it"),
    (b"\x8c\x0d\x04", "OpenPGP: gpg decrypts it"),
    (b"\xc3\x0d\x04", "OpenPGP: gpg decrypts it"),
    (b"\x85\x01\x0c\x03", "OpenPGP: gpg decrypts it"),
    (b"\x85\x02\x0c\x03", "OpenPGP: gpg decrypts it"),
    (b"-----BEGIN AGE ENCRYPTED FILE", "age: age decrypts it"),
    (b"age-encryption.org/v1", "age: age decrypts it"),
    (b"-----BEGIN PKCS7", CMS),
    (b"-----BEGIN CMS", CMS),
    (b"-----BEGIN ", "PEM in another cipher, in none, or damaged: openssl reads it"),
    (b"%PDF-", "a PDF: qpdf decrypts it"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "a file of Microsoft Office, old or encrypted: msoffcrypto decrypts it",
    ),
    (
        b"PK\x03\x04",
        "a zip archive, or a file of Office that is not encrypted: 7z opens it, with a password, too",
    ),
    (b"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip: 7z opens it, with a password, too"),
    (b"Rar!\x1a\x07", "a RAR archive: unrar opens it, with a password, too"),
    (b"\x1f\x8b\x08", "gzip, which encrypts nothing: gunzip it first"),
    (b"LUKS\xba\xbe", "a disk of LUKS: cryptsetup opens it"),
    (b"SQLite format 3\0", "a database of SQLite: give it one of its values"),
];

const CMS: &str = "CMS (PKCS#7): openssl cms or smime reads it, 3DES and RC4 with our provider \
     (docs/OPENSSL-PROVIDER.md)";
const PKCS12: &str = "PKCS#12 (.p12, .pfx): openssl pkcs12 reads it, 3DES and RC4 with our provider (docs/OPENSSL-PROVIDER.md)";

/// What CMS begins with, inside: an identifier 1.2.840.113549.1.7.
const CMS_ID: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07";

/// What PKCS#12 begins with, inside: the number 3, and a structure.
const PKCS12_VERSION: &[u8] = b"\x02\x01\x03\x30";

/// What these bytes are that no preset opens.
pub(super) fn others(reading: &Reading) -> Vec<String> {
    let bytes = &*reading.bytes;
    let named = Preset::all().find_map(|preset| preset.foreign(bytes));
    let at_start = || {
        let start = bytes.trim_ascii_start();
        OTHERS.iter().find(|(magic, _)| start.starts_with(magic)).map(|&(_, what)| what)
    };
    let found = named.or_else(at_start).or_else(|| der(bytes));
    if let Some(what) = found {
        return vec![what.to_owned()];
    }
    // Of a few bytes, noise often looks like something.
    match looks::surely_like_what(bytes) {
        Some(Looks::File(kind)) if bytes.len() >= 64 => {
            vec![format!("a {kind} file: it is not encrypted as a whole")]
        }
        _ => Vec::new(),
    }
}

/// The kind of a structure in DER or BER.
fn der(bytes: &[u8]) -> Option<&'static str> {
    let [0x30, len, rest @ ..] = bytes else { return None };
    let more = if len & 0x80 != 0 { usize::from(len & 0x7f) } else { 0 };
    let inside = rest.get(more..)?;
    match inside {
        _ if inside.starts_with(CMS_ID) => Some(CMS),
        _ if inside.starts_with(PKCS12_VERSION) => Some(PKCS12),
        _ => None,
    }
}

/// Whether this is text in UTF-16: by its mark, or by the NULs of most alphabets' spaces and digits.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        // So may noise begin: the rest is to have no lone halves of characters, and no controls.
        let is_little = bytes[0] == 0xff;
        let units = bytes[2..].as_chunks::<2>().0.iter().map(|&two| match is_little {
            true => u16::from_le_bytes(two),
            false => u16::from_be_bytes(two),
        });
        let mut text = char::decode_utf16(units);
        return bytes.len() >= 4
            && text.all(|c| c.is_ok_and(|c| !c.is_control() || c.is_whitespace()));
    }
    let pairs = bytes.as_chunks::<2>().0;
    let is_shown = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    let little = pairs.iter().filter(|two| two[1] == 0 && is_shown(two[0])).count();
    let big = pairs.iter().filter(|two| two[0] == 0 && is_shown(two[1])).count();
    pairs.len() >= 4 && 4 * little.max(big) >= 3 * pairs.len()
}
