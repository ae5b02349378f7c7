//! One message by several backends in turns: what one leaves, the next goes on from.

use cipherloom::{Algorithm, Backend, BlockCipher as _, Family};
use cipherloom_spec::BlockCipher as _;
use cipherloom_spec::rc4::Rc4;
use cipherloom_testkit::oracle::{Case, Kind, SpecKey};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::ways::Way;

/// The backends of a family.
fn backends(family: Family) -> Vec<Way> {
    let all = Backend::all().iter().filter(|backend| backend.family() == family);
    all.map(|&backend| Way::Forced(backend)).collect()
}

/// What comes before the block behind `plain` and `cipher`, whole blocks of a message.
fn next_iv(kind: Kind, iv: [u8; 8], plain: &[u8], cipher: &[u8]) -> [u8; 8] {
    let Some((plain, cipher)) = plain.last_chunk().zip(cipher.last_chunk()) else { return iv };
    let (plain, ciphertext) = (u64::from_be_bytes(*plain), u64::from_be_bytes(*cipher));
    match kind {
        Kind::Ofb => (plain ^ ciphertext).to_be_bytes(),
        _ => *cipher,
    }
}

#[test]
fn chains() {
    let mut rng = Rng::new(1);
    let ways = backends(Family::Des);
    for algorithm in Algorithm::ALL {
        for kind in [Kind::Cbc, Kind::Cfb64, Kind::Ofb] {
            let (key, first) = (rng.bytes(algorithm.key_len()), rng.array());
            let message = rng.bytes(8 * 200);
            let case = |iv| Case { kind, iv, padding: cipherloom::Padding::None };
            let spec = SpecKey::new(algorithm, &key);
            let expected = case(first).encrypt(&spec, &message).unwrap();
            let (mut there, mut back) = (Vec::<u8>::new(), Vec::<u8>::new());
            let mut iv = first;
            while there.len() < message.len() {
                let at = there.len();
                let len = (8 * rng.number(0..=11)).min(message.len() - at);
                let mode = case(iv).mode();
                let [one, other] = [(); 2].map(|()| rng.choose(&ways).key(algorithm, &key));
                let mut piece = message[at..at + len].to_vec();
                mode.encrypt_in_place(&one, &mut piece, len).unwrap();
                there.extend(&piece);
                mode.decrypt_in_place(&other, &mut piece).unwrap();
                back.extend(&piece);
                iv = next_iv(kind, iv, &message[at..at + len], &there[at..]);
            }
            assert_eq!(there, expected, "{algorithm:?}, {kind:?}");
            assert_eq!(back, message, "{algorithm:?}, {kind:?}");
        }
    }
}

/// Blocks here and there by whoever comes, encrypted by one and decrypted by another.
#[test]
fn independent_blocks() {
    let mut rng = Rng::new(2);
    let ways = backends(Family::Des);
    for algorithm in Algorithm::ALL {
        let key = rng.bytes(algorithm.key_len());
        let spec = SpecKey::new(algorithm, &key);
        let plain: Vec<[u8; 8]> = (0..300).map(|_| rng.array()).collect();
        let expected: Vec<[u8; 8]> = plain.iter().map(|block| spec.encrypt(*block)).collect();
        let mut blocks = plain.clone();
        let mut in_pieces = |blocks: &mut [[u8; 8]], encrypts: bool| {
            let mut rest = blocks;
            while !rest.is_empty() {
                let key = rng.choose(&ways).key(algorithm, &key);
                let (piece, behind) = rest.split_at_mut(rng.number(1..=rest.len().min(20)));
                if encrypts {
                    key.encrypt_blocks(piece).unwrap();
                } else {
                    key.decrypt_blocks(piece).unwrap();
                }
                rest = behind;
            }
        };
        in_pieces(&mut blocks, true);
        assert_eq!(blocks, expected, "{algorithm:?}");
        in_pieces(&mut blocks, false);
        assert_eq!(blocks, plain, "{algorithm:?}");
    }
}

/// A stream that begins with one backend goes on with others from where they skip to.
#[test]
fn streams() {
    let mut rng = Rng::new(3);
    let ways = backends(Family::Rc4);
    for len in [1, 5, 16, 256] {
        let key = rng.bytes(len);
        let message = rng.bytes(2_000);
        let mut done = Vec::<u8>::new();
        while done.len() < message.len() {
            let at = done.len();
            let len = rng.number(0..=40).min(message.len() - at);
            let mut stream = rng.choose(&ways).stream(&key);
            stream.skip(at as u64).unwrap();
            let mut piece = message[at..at + len].to_vec();
            let (first, second) = piece.split_at_mut(rng.number(0..=len));
            stream.apply(first).unwrap();
            stream.apply(second).unwrap();
            done.extend(piece);
        }
        assert_eq!(done, Rc4::new(&key).crypt(&message), "key of {len} bytes");
    }
}
