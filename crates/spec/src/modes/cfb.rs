//! The Cipher Feedback mode: SP 800-38A section 6.3, with s = 1, 8 and 64.
//!
//! The standard asks for whole segments. CFB-64 here takes a last segment of fewer than 8 bytes
//! too, as the programs that use it do: its keystream is the leading bytes of the output block.

use crate::{Block, BlockCipher, bits};

/// One of the two directions: what comes out of a segment, and what of it is fed back.
#[derive(Clone, Copy)]
enum Direction {
    Encrypt,
    Decrypt,
}

/// CFB with segments of `s` bits over bit strings:
/// I_1 = IV; I_j = LSB_(b-s)(I_(j-1)) | C#_(j-1); O_j = CIPH_K(I_j);
/// C#_j = P#_j ⊕ MSB_s(O_j), or P#_j = C#_j ⊕ MSB_s(O_j).
fn cfb(
    direction: Direction,
    s: usize,
    cipher: &impl BlockCipher,
    iv: Block,
    text: &[bool],
) -> Vec<bool> {
    let mut input = bits::of_block(iv).to_vec();
    let mut result = Vec::new();
    for segment in text.chunks(s) {
        let block = bits::to_block(&input.clone().try_into().expect("b bits"));
        let output = bits::of_block(cipher.encrypt(block));
        let out: Vec<bool> = segment.iter().zip(output).map(|(x, o)| x ^ o).collect();
        let c = match direction {
            Direction::Encrypt => &out,
            Direction::Decrypt => segment,
        };
        input.drain(..c.len());
        input.extend(c);
        result.extend(out);
    }
    result
}

/// CFB-1 encryption; the plaintext is a string of any number of bits.
pub fn encrypt_1(cipher: &impl BlockCipher, iv: Block, plaintext: &[bool]) -> Vec<bool> {
    cfb(Direction::Encrypt, 1, cipher, iv, plaintext)
}

/// CFB-1 decryption; the ciphertext is a string of any number of bits.
pub fn decrypt_1(cipher: &impl BlockCipher, iv: Block, ciphertext: &[bool]) -> Vec<bool> {
    cfb(Direction::Decrypt, 1, cipher, iv, ciphertext)
}

/// CFB-8 encryption.
pub fn encrypt_8(cipher: &impl BlockCipher, iv: Block, plaintext: &[u8]) -> Vec<u8> {
    bits::to_bytes(&cfb(Direction::Encrypt, 8, cipher, iv, &bits::from_bytes(plaintext)))
}

/// CFB-8 decryption.
pub fn decrypt_8(cipher: &impl BlockCipher, iv: Block, ciphertext: &[u8]) -> Vec<u8> {
    bits::to_bytes(&cfb(Direction::Decrypt, 8, cipher, iv, &bits::from_bytes(ciphertext)))
}

/// CFB-64 encryption.
pub fn encrypt_64(cipher: &impl BlockCipher, iv: Block, plaintext: &[u8]) -> Vec<u8> {
    bits::to_bytes(&cfb(Direction::Encrypt, 64, cipher, iv, &bits::from_bytes(plaintext)))
}

/// CFB-64 decryption.
pub fn decrypt_64(cipher: &impl BlockCipher, iv: Block, ciphertext: &[u8]) -> Vec<u8> {
    bits::to_bytes(&cfb(Direction::Decrypt, 64, cipher, iv, &bits::from_bytes(ciphertext)))
}
