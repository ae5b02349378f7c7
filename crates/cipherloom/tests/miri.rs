//! A small pass through every kernel, mode, face and batch: what Miri can run in minutes
//! (`cargo xtask miri`). The ordinary tests run it too.

use cipherloom::{Algorithm, Backend, BlockCipher as _, Direction, Mac, Padding};
use cipherloom_spec::BlockCipher as _;
use cipherloom_testkit::checks::batch::{One, Work};
use cipherloom_testkit::checks::message::Message;
use cipherloom_testkit::oracle::{Case, Kind, SpecKey};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::ways::Way;

fn message(rng: &mut Rng, algorithm: Algorithm, kind: Kind, len: usize) -> Message {
    let (key, iv) = (rng.bytes(algorithm.key_len()), rng.array());
    let case = Case { kind, iv, padding: Padding::Pkcs7 };
    Message { algorithm, key, case, shift: 1, chunks: vec![3, 0, 9], data: rng.bytes(len) }
}

/// Every face in every mode.
#[test]
fn every_mode() {
    let mut rng = Rng::new(1);
    for kind in Kind::ALL {
        let len = match kind {
            Kind::Cfb1 => 1,
            Kind::Cfb8 => 3,
            _ => 13,
        };
        message(&mut rng, Algorithm::Des, kind, len).check_ways(&[Way::Fastest]);
    }
}

/// One block by every kernel.
#[test]
fn every_cipher() {
    let mut rng = Rng::new(2);
    for algorithm in Algorithm::ALL {
        let (bytes, plain) = (rng.bytes(algorithm.key_len()), rng.array());
        let expected = SpecKey::new(algorithm, &bytes).encrypt(plain);
        for backend in [Backend::Table, Backend::Bitslice] {
            let (key, mut block) = (Way::Forced(backend).key(algorithm, &bytes), plain);
            key.encrypt_block(&mut block).unwrap();
            assert_eq!(block, expected, "{algorithm:?}, {backend:?}");
            key.decrypt_block(&mut block).unwrap();
            assert_eq!(block, plain, "{algorithm:?}, {backend:?}");
        }
    }
}

/// Narrow and wide calls, full lanes and others.
#[test]
fn bulk() {
    let mut rng = Rng::new(3);
    let bytes = rng.bytes(8);
    let plain: Vec<[u8; 8]> = (0..257).map(|_| rng.array()).collect();
    for count in [20, 64, 66, 257] {
        let [mut sliced, mut table] = [Backend::Bitslice, Backend::Table].map(|backend| {
            let mut blocks = plain[..count].to_vec();
            let key = Way::Forced(backend).key(Algorithm::Des, &bytes);
            key.encrypt_blocks(&mut blocks).unwrap();
            (key, blocks)
        });
        assert_eq!(sliced.1, table.1, "{count} blocks");
        sliced.0.decrypt_blocks(&mut sliced.1).unwrap();
        table.0.decrypt_blocks(&mut table.1).unwrap();
        assert_eq!((&sliced.1[..], &table.1[..]), (&plain[..count], &plain[..count]));
    }
}

#[test]
fn batches() {
    let mut rng = Rng::new(4);
    for kind in [Kind::Ecb, Kind::Cbc, Kind::Ctr] {
        let iv_len = if kind == Kind::Ecb { 0 } else { 8 };
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let padding = Padding::Iso7816;
            let work = Work { kind, algorithm: Algorithm::Des, padding, direction };
            let records: Vec<One> = (0..9)
                .map(|n| {
                    let (key, iv) = (rng.bytes(8), rng.bytes(iv_len));
                    One { key, iv, data: rng.bytes(8 * (n % 3) + 8), len: 8 * (n % 3) }
                })
                .collect();
            work.check(&records);
        }
    }
}

#[test]
fn macs() {
    let bytes = [0x13; 8];
    for backend in [Backend::Table, Backend::Bitslice] {
        let mut mac = Mac::cmac(&Way::Forced(backend).key(Algorithm::Des, &bytes));
        mac.update(b"a mes").unwrap();
        mac.update(b"sage").unwrap();
        let spec = SpecKey::new(Algorithm::Des, &bytes);
        assert_eq!(mac.finish(), Ok(cipherloom_spec::mac::cmac(&spec, b"a message")));
    }
}

#[test]
fn rc4() {
    for backend in [Backend::Rc4Loop, Backend::Rc4Scan] {
        let (mut stream, mut data) = (backend.force_rc4(b"a key").unwrap(), [0; 20]);
        stream.skip(3).unwrap();
        stream.apply(&mut data[..7]).unwrap();
        stream.apply(&mut data[7..]).unwrap();
        let mut spec = cipherloom_spec::rc4::Rc4::new(b"a key");
        spec.drop_n(3);
        assert_eq!(data.to_vec(), spec.keystream(20), "{backend:?}");
    }
}
