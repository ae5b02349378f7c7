//! CBC with ciphertext stealing: the addendum to SP 800-38A (October 2010).
//!
//! The three variants differ only in the order of the last two pieces of the ciphertext:
//! CS1 ends in C*_(n-1) C_n; CS2 is CS1 if the last block is whole and swaps them if not; CS3
//! always swaps. A text of one block alone has nothing to steal from or to swap: it is CBC.

use super::cbc;
use crate::{Block, BlockCipher, xor};

/// Where the last, perhaps partial, block begins: n - 1 whole blocks come before it.
fn whole_blocks(text: &[u8]) -> usize {
    assert!(text.len() >= 8, "ciphertext stealing needs 8 bytes or more, not {}", text.len());
    (text.len() - 1) / 8 * 8
}

/// CBC-CS1-Encrypt.
///
/// # Panics
/// If the plaintext has fewer than 8 bytes.
pub fn encrypt_cs1(cipher: &impl BlockCipher, iv: Block, plaintext: &[u8]) -> Vec<u8> {
    let last = whole_blocks(plaintext);
    let d = plaintext.len() - last;
    // P_n = P*_n | 0^(b-d)
    let mut padded = plaintext.to_vec();
    padded.resize(last + 8, 0);
    let mut c = cbc::encrypt(cipher, iv, &padded);
    // C*_(n-1) = MSB_d(C_(n-1)): the bytes behind it, up to C_n, are left out.
    if last > 0 {
        c.drain(last - 8 + d..last);
    }
    c
}

/// CBC-CS1-Decrypt.
///
/// # Panics
/// If the ciphertext has fewer than 8 bytes.
pub fn decrypt_cs1(cipher: &impl BlockCipher, iv: Block, ciphertext: &[u8]) -> Vec<u8> {
    let last = whole_blocks(ciphertext);
    if last == 0 {
        return cbc::decrypt(cipher, iv, ciphertext);
    }
    let d = ciphertext.len() - last;
    let (before, c_n) = ciphertext.split_at(ciphertext.len() - 8);
    let (before, c_star) = before.split_at(last - 8);
    // Z = CIPH⁻¹_K(C_n) is P_n ⊕ C_(n-1), and P_n ends in zeros: Z ends as C_(n-1) does.
    let z = cipher.decrypt(c_n.try_into().expect("8 bytes"));
    let mut c_n1 = z;
    c_n1[..d].copy_from_slice(c_star);
    let p_n = xor(z, c_n1);

    let mut plaintext = cbc::decrypt(cipher, iv, &[before, &c_n1].concat());
    plaintext.extend(&p_n[..d]);
    plaintext
}

/// CBC-CS2-Encrypt.
///
/// # Panics
/// If the plaintext has fewer than 8 bytes.
pub fn encrypt_cs2(cipher: &impl BlockCipher, iv: Block, plaintext: &[u8]) -> Vec<u8> {
    if plaintext.len().is_multiple_of(8) {
        encrypt_cs1(cipher, iv, plaintext)
    } else {
        encrypt_cs3(cipher, iv, plaintext)
    }
}

/// CBC-CS2-Decrypt.
///
/// # Panics
/// If the ciphertext has fewer than 8 bytes.
pub fn decrypt_cs2(cipher: &impl BlockCipher, iv: Block, ciphertext: &[u8]) -> Vec<u8> {
    if ciphertext.len().is_multiple_of(8) {
        decrypt_cs1(cipher, iv, ciphertext)
    } else {
        decrypt_cs3(cipher, iv, ciphertext)
    }
}

/// CBC-CS3-Encrypt.
///
/// # Panics
/// If the plaintext has fewer than 8 bytes.
pub fn encrypt_cs3(cipher: &impl BlockCipher, iv: Block, plaintext: &[u8]) -> Vec<u8> {
    let mut c = encrypt_cs1(cipher, iv, plaintext);
    let last = whole_blocks(plaintext);
    if last > 0 {
        // C*_(n-1) has d bytes and C_n 8: C_n moves to the front of the two.
        c[last - 8..].rotate_right(8);
    }
    c
}

/// CBC-CS3-Decrypt.
///
/// # Panics
/// If the ciphertext has fewer than 8 bytes.
pub fn decrypt_cs3(cipher: &impl BlockCipher, iv: Block, ciphertext: &[u8]) -> Vec<u8> {
    let mut c = ciphertext.to_vec();
    let last = whole_blocks(ciphertext);
    if last > 0 {
        c[last - 8..].rotate_left(8);
    }
    decrypt_cs1(cipher, iv, &c)
}
