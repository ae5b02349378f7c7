//! DUKPT of X9.24-1 for Triple-DES: a key for each transaction, from the base derivation key (BDK) and the
//! key serial number (KSN) that stands beside the data.

use cipherloom::{Algorithm, BlockKey, Error, Mode, Padding};
use zeroize::Zeroizing;

type Key = Zeroizing<[u8; 16]>;

/// XORed into a key to make a second one of it.
const MASK: [u8; 16] = {
    let mut mask = [0; 16];
    let mut at = 0;
    while at < 4 {
        mask[at] = 0xc0;
        mask[8 + at] = 0xc0;
        at += 1;
    }
    mask
};

/// The counter's 21 bits, of the KSN's last 3 bytes.
const COUNTER: u32 = 0x1f_ffff;

/// What is made of a transaction's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// For PINs; many readers use it for card data, too.
    Pin,
    /// For data: another mask, and the result encrypted under itself.
    Data,
}

/// The initial key of a device: the BDK encrypts its serial number.
///
/// # Errors
/// The library's self-test.
pub fn ipek(bdk: &[u8; 16], ksn: &[u8; 10]) -> Result<Key, Error> {
    let mut serial: [u8; 8] = std::array::from_fn(|at| ksn[at]);
    serial[7] &= 0xe0;
    let masked = xor(bdk, &MASK);
    let mut key = Zeroizing::new([0; 16]);
    for (place, by) in key.chunks_exact_mut(8).zip([bdk, &*masked]) {
        place.copy_from_slice(&block(Algorithm::TdesEde2, by, serial)?);
    }
    Ok(key)
}

/// The key for the data of the transaction whose KSN this is.
///
/// # Errors
/// The library's self-test.
pub fn dukpt(bdk: &[u8; 16], ksn: &[u8; 10], variant: Variant) -> Result<Key, Error> {
    let mut key = ipek(bdk, ksn)?;
    let [_, _, start @ ..] = *ksn;
    let register = u64::from_be_bytes(start);
    let counter = register & u64::from(COUNTER);
    let mut register = register ^ counter;
    for bit in (0..21).rev().map(|bit| 1 << bit).filter(|bit| counter & bit != 0) {
        register |= bit;
        let masked = xor(&key, &MASK);
        let right = half(&key, register)?;
        let left = half(&masked, register)?;
        key[..8].copy_from_slice(&*left);
        key[8..].copy_from_slice(&*right);
    }
    let at = match variant {
        Variant::Pin => 7,
        Variant::Data => 5,
    };
    key[at] ^= 0xff;
    key[8 + at] ^= 0xff;
    if variant == Variant::Data {
        let own = key.clone();
        for half in key.as_chunks_mut::<8>().0 {
            *half = block(Algorithm::TdesEde2, &own[..], *half)?;
        }
    }
    Ok(key)
}

/// Half of a key that no later key leads back to.
fn half(key: &[u8; 16], register: u64) -> Result<Zeroizing<[u8; 8]>, Error> {
    let (left, right) = key.split_at(8);
    let mask = |bytes: [u8; 8]| std::array::from_fn(|at| bytes[at] ^ right[at]);
    Ok(Zeroizing::new(mask(block(Algorithm::Des, left, mask(register.to_be_bytes()))?)))
}

fn block(algorithm: Algorithm, key: &[u8], mut block: [u8; 8]) -> Result<[u8; 8], Error> {
    let key = BlockKey::new(algorithm, key)?;
    Mode::ecb(Padding::None).encrypt_in_place(&key, &mut block, 8)?;
    Ok(block)
}

fn xor(key: &[u8; 16], mask: &[u8; 16]) -> Key {
    Zeroizing::new(std::array::from_fn(|at| key[at] ^ mask[at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::hex;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        let mut out = Vec::new();
        hex::decode(text.as_bytes(), &mut out).unwrap();
        out.try_into().unwrap()
    }

    /// MagTek's eDynamo manual, page 196; the keys for data are in the tests of several programs.
    #[test]
    fn keys_of_the_manual() {
        let bdk = bytes("0123456789ABCDEFFEDCBA9876543210");
        let ksn = bytes("FFFF9876543210E00008");
        let initial = ipek(&bdk, &ksn).unwrap();
        assert_eq!(*hex::upper(&*initial), "6AC292FAA1315B4D858AB3A3D7D5933A");
        let key = dukpt(&bdk, &ksn, Variant::Pin).unwrap();
        assert_eq!(*hex::upper(&*key), "27F66D5244FF621EAA6F6120EDEB427F");
        let data = dukpt(&bdk, &ksn, Variant::Data).unwrap();
        assert_eq!(*hex::upper(&*data), "C39B2778B058AC376FB18DC906F75CBA");
        let ksn = bytes("FFFF9876543210E00013");
        let data = dukpt(&bdk, &ksn, Variant::Data).unwrap();
        assert_eq!(*hex::upper(&*data), "44893E3434ABDD6A817CE2841825E1FD");
    }
}
