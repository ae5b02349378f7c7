//! ISO/IEC 9797-1: what standards print, and what two peers agree on.

use cipherloom_spec::Block;
use cipherloom_spec::des::Des;
use cipherloom_spec::mac::{PaddingMethod, algorithm_1, algorithm_3};
use cipherloom_spec::tdea::Tdea;
use cipherloom_testkit::extra::{self, Cipher, MacVector};

fn mac(vector: &MacVector) -> Block {
    let padding = match vector.padding {
        1 => PaddingMethod::Method1,
        2 => PaddingMethod::Method2,
        3 => PaddingMethod::Method3,
        other => panic!("{}: padding {other}", vector.place),
    };
    let (keys, _) = vector.key.as_chunks::<8>();
    let data = &vector.data[..];
    match (vector.algorithm, vector.cipher, keys) {
        (1, Cipher::Des, &[key]) => algorithm_1(&Des::new(key), padding, data),
        (1, Cipher::Tdea2, &[key1, key2]) => algorithm_1(&Tdea::option2(key1, key2), padding, data),
        (1, Cipher::Tdea3, &[key1, key2, key3]) => {
            algorithm_1(&Tdea::option1(key1, key2, key3), padding, data)
        }
        (3, Cipher::Des, &[k, k_prime]) => {
            algorithm_3(&Des::new(k), &Des::new(k_prime), padding, data)
        }
        other => panic!("{}: {other:02x?}", vector.place),
    }
}

fn check(vectors: &[MacVector]) -> usize {
    for vector in vectors {
        assert!(matches!(vector.mac.len(), 4 | 8), "{}", vector.place);
        assert_eq!(mac(vector)[..vector.mac.len()], vector.mac, "{}", vector.place);
    }
    vectors.len()
}

#[test]
fn published() {
    assert_eq!(check(&extra::published_macs()), 16);
}

#[test]
fn two_peers() {
    assert_eq!(check(&extra::two_peer_macs()), 120);
}
