//! The derivation of PKCS#12 (RFC 7292 appendix B.2), for digests with blocks of 64 bytes.

use zeroize::Zeroizing;

use super::digest::Digest;

const BLOCK: usize = 64;

/// What the bytes are for; the numbers are RFC 7292's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A key.
    Key = 1,
    /// An IV.
    Iv = 2,
}

/// `len` bytes from a password in UTF-16BE with a NUL behind it.
#[must_use]
pub fn pkcs12(
    digest: Digest,
    password: &[u8],
    salt: &[u8],
    purpose: Purpose,
    count: u32,
    len: usize,
) -> Zeroizing<Vec<u8>> {
    let whole = |bytes: &[u8]| bytes.len().next_multiple_of(BLOCK);
    let repeat = |bytes: &[u8], out: &mut Vec<u8>| {
        out.extend(bytes.iter().cycle().take(whole(bytes)));
    };
    let mut input = Zeroizing::new(Vec::with_capacity(whole(salt) + whole(password)));
    repeat(salt, &mut input);
    repeat(password, &mut input);
    let mut bytes = Zeroizing::new(Vec::with_capacity(len + 64));
    loop {
        let mut last = digest.hash(&[&[purpose as u8; BLOCK], &input]);
        for _ in 1..count {
            last = digest.hash(&[&last]);
        }
        bytes.extend_from_slice(&last);
        if bytes.len() >= len {
            bytes.truncate(len);
            return bytes;
        }
        // Each block of the input, as a number, grows by the digest, repeated, and 1.
        for block in input.chunks_exact_mut(BLOCK) {
            let mut carry = 1;
            for (at, byte) in block.iter_mut().enumerate().rev() {
                let sum = u16::from(*byte) + u16::from(last[at % last.len()]) + carry;
                *byte = sum as u8;
                carry = sum >> 8;
            }
        }
    }
}
