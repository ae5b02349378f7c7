//! What ends in a decision that everybody may know: whether a padding is right, what it leaves, whether a
//! tag fits, and why a key is refused.

use cipherloom::batch::{Batch, Flat, Keys, Span};
use cipherloom::{Algorithm, BlockKey, Error, Mac, Mode, Padding, Parity};
use cipherloom_spec::mac::cmac;
use cipherloom_testkit::oracle::{Case, Kind, SpecKey};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::valgrind::{make_defined, make_undefined};
use cipherloom_testkit::ways::Way;

use crate::work::secret;

/// All of them.
pub(crate) fn decisions(way: Way) {
    let mut rng = Rng::new(3);
    let algorithm = Algorithm::TdesEde3;
    for padding in [Padding::Pkcs7, Padding::Iso7816, Padding::Zero] {
        for len in 0..=16 {
            let (bytes, iv, data) = (rng.bytes(24), rng.array(), vec![0x33; len]);
            let key = way.key(algorithm, &secret(&bytes));
            let case = Case { kind: Kind::Cbc, iv, padding };
            let (mode, what) = (case.mode(), (padding, len));
            let mut encrypted = case.encrypt(&SpecKey::new(algorithm, &bytes), &data).unwrap();
            let mut output = vec![0; encrypted.len()];
            let own = mode.decrypt(&key, &secret(&encrypted), &mut output).unwrap().len();
            assert_eq!(told(own), len, "{what:?}");

            let mut buf = secret(&encrypted);
            let own = mode.decrypt_in_place(&key, &mut buf).unwrap().len();
            assert_eq!(told(own), len, "{what:?}");

            let mut message = mode.decryptor(&key);
            let mut at = message.update(&secret(&encrypted), &mut output).unwrap();
            at += told(message.finish(&mut output[at..]).unwrap());
            assert_eq!(at, len, "{what:?}");

            if let Some(last) = encrypted.last_mut().filter(|_| padding == Padding::Pkcs7) {
                *last ^= 1;
                refused(&key, mode, &encrypted);
            }
        }
    }
    // Large enough for every width, and for two pieces.
    for len in [1 << 10, 40 << 10] {
        let (bytes, iv) = (rng.bytes(24), rng.array());
        let key = way.key(algorithm, &secret(&bytes));
        let mode = Mode::cbc(iv, Padding::Pkcs7);
        let mut encrypted = secret(&rng.bytes(len + 8));
        mode.encrypt_in_place(&key, &mut encrypted, len).unwrap();
        make_defined(&mut encrypted);
        let mut buf = secret(&encrypted);
        assert_eq!(told(mode.decrypt_in_place(&key, &mut buf).unwrap().len()), len);
        encrypted[len - 1] ^= 0x80;
        refused(&key, mode, &encrypted);
    }
    for count in [20, 600, 3000] {
        batch_decisions(way, algorithm, count);
    }

    let bytes = rng.bytes(24);
    let key = way.key(algorithm, &secret(&bytes));
    let tag = cmac(&SpecKey::new(algorithm, &bytes), b"a message");
    for right in [true, false] {
        let mut mac = Mac::cmac(&key);
        mac.update(&secret(b"a message")).unwrap();
        let mut tag = tag;
        tag[3] ^= u8::from(!right);
        let fits = told(usize::from(mac.verify(&tag).is_ok()));
        assert_eq!(fits == 1, right);
    }
    faults();
}

/// Keys that are refused: the first and the last of each list, and none.
fn faults() {
    use cipherloom::KeyFault::{Degenerate, Parity as Even, SemiWeak, Weak};
    const WEAK: [u64; 2] = [0x0101_0101_0101_0101, 0x1f1f_1f1f_0e0e_0e0e];
    const SEMI_WEAK: [u64; 2] = [0x01fe_01fe_01fe_01fe, 0xfee0_fee0_fef1_fef1];
    const GOOD: [u64; 3] = [0x0123_4567_89ab_cdef, 0x2345_6789_abcd_ef01, 0x4567_89ab_cdef_0123];
    let [a, b, c] = GOOD;
    let even = c ^ 1 << 56;
    let cases = [
        (Algorithm::Des, vec![a], None),
        (Algorithm::Des, vec![WEAK[0]], Some(Weak)),
        (Algorithm::Desx, vec![SEMI_WEAK[1], WEAK[0], 0], Some(SemiWeak)),
        (Algorithm::Des, vec![even], Some(Even)),
        (Algorithm::TdesEde2, vec![a, b], None),
        (Algorithm::TdesEee2, vec![a, a], Some(Degenerate)),
        (Algorithm::TdesEde3, vec![a, b, c], None),
        (Algorithm::TdesEde3, vec![a, even, WEAK[1]], Some(Weak)),
        (Algorithm::TdesEee3, vec![SEMI_WEAK[0], a, b], Some(SemiWeak)),
        (Algorithm::TdesEde3, vec![a, b, b ^ 1], Some(Degenerate)),
        (Algorithm::TdesEde3, vec![a, b, even], Some(Even)),
    ];
    for (algorithm, words, expected) in cases {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        let fault = BlockKey::fault(algorithm, &secret(&bytes), Parity::Odd).unwrap();
        assert_eq!(told(fault), expected, "{algorithm:?} {words:x?}");
        let checked = BlockKey::new_checked(algorithm, &secret(&bytes), Parity::Odd);
        assert_eq!(told(checked.err()), expected.map(Error::Key), "{algorithm:?} {words:x?}");
    }
}

/// A verdict that is public from here on.
fn told<T>(mut verdict: T) -> T {
    make_defined(&mut verdict);
    verdict
}

/// A wrong padding, in every way.
fn refused(key: &BlockKey, mode: Mode, encrypted: &[u8]) {
    let mut output = vec![0; encrypted.len() + 8];
    let wrong = mode.decrypt(key, &secret(encrypted), &mut output);
    assert_eq!(wrong.err(), Some(Error::Padding));
    let mut buf = secret(encrypted);
    let wrong = mode.decrypt_in_place(key, &mut buf);
    assert_eq!(wrong.err(), Some(Error::Padding));
    let mut message = mode.decryptor(key);
    let at = message.update(&secret(encrypted), &mut output).unwrap();
    assert_eq!(message.finish(&mut output[at..]).err(), Some(Error::Padding));
}

/// Records of one block under one key; the padding of some is wrong.
fn batch_decisions(way: Way, algorithm: Algorithm, count: usize) {
    let is_wrong = |n: usize| n % 512 == 11;
    let mut records = vec![[0; 8]; count];
    let spec = SpecKey::new(algorithm, &[7; 24]);
    for (n, record) in records.iter_mut().enumerate() {
        let case = Case { kind: Kind::Ecb, iv: [0; 8], padding: Padding::Pkcs7 };
        record.copy_from_slice(&case.encrypt(&spec, &[0x33; 8][..n % 8]).unwrap());
        record[7] ^= u8::from(is_wrong(n));
    }
    make_undefined(records.as_flattened_mut());
    let spans: Vec<Span> = (0..count).map(|n| Span::new(8 * n, 8)).collect();
    let keys = secret(&[7; 24]);
    let data = records.as_flattened_mut();
    let flat = Flat { keys: Keys::One(&keys), ivs: &[], data, spans: &spans };
    let mut results = vec![Err(Error::Tag); count];
    let batch = way.batch(Batch::ecb(algorithm, Padding::Pkcs7));
    batch.decrypt_flat(flat, &mut results).unwrap();
    for (n, result) in results.into_iter().enumerate() {
        assert_eq!(told(result.unwrap_or(9)), if is_wrong(n) { 9 } else { n % 8 });
    }
}
