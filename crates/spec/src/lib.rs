//! Literal, slow transcriptions of the standards for DES, Triple-DES and RC4.
//!
//! This crate says what is right. It is written to be checked line by line against the printed
//! standards, not to be fast and not to be secure: bits are `bool`s numbered as the standards
//! number them, tables are as printed, and nothing is kept secret or wiped. Every kernel of
//! Cipherloom is compared with it. Do not use it to protect or to read data.
//!
//! | module | standard |
//! |---|---|
//! | [`des`], [`tables`] | FIPS 46-3 |
//! | [`tdea`] | NIST SP 800-67 Rev. 2; ANSI X9.52 keying options; the EEE forms |
//! | [`desx`] | Kilian and Rogaway, "How to Protect DES Against Exhaustive Key Search" |
//! | [`rc4`] | the cipher of RFC 6229 and RFC 7465 |
//! | [`modes`] | NIST SP 800-38A and its addendum on ciphertext stealing |
//! | [`mac`] | ISO/IEC 9797-1 algorithms 1 and 3; NIST SP 800-38B |
//! | [`padding`] | RFC 5652, ISO/IEC 7816-4, ISO/IEC 9797-1 |
//!
//! Functions panic where a standard says that an input "shall" have a form and it has not; each
//! says so under "Panics".

#![forbid(unsafe_code)]

pub mod bits;
pub mod des;
pub mod desx;
pub mod mac;
pub mod modes;
pub mod padding;
pub mod rc4;
pub mod tables;
pub mod tdea;

/// A block of 64 bits as 8 bytes; bit 1 of the standards is the top bit of the first byte.
pub type Block = [u8; 8];

/// A block cipher under one key: the forward and inverse functions CIPH and CIPH⁻¹ of
/// SP 800-38A section 4.
pub trait BlockCipher {
    /// The forward cipher function of one block.
    fn encrypt(&self, block: Block) -> Block;
    /// The inverse cipher function of one block.
    fn decrypt(&self, block: Block) -> Block;
}

/// A cipher chosen at run time.
impl<C: BlockCipher + ?Sized> BlockCipher for Box<C> {
    fn encrypt(&self, block: Block) -> Block {
        (**self).encrypt(block)
    }

    fn decrypt(&self, block: Block) -> Block {
        (**self).decrypt(block)
    }
}

/// X ⊕ Y of two blocks.
pub(crate) fn xor(x: Block, y: Block) -> Block {
    core::array::from_fn(|n| x[n] ^ y[n])
}
