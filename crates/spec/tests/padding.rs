//! The paddings: small cases by hand, and every one undone.

use cipherloom_spec::padding::{
    pad_iso7816, pad_pkcs7, pad_zero, unpad_iso7816, unpad_pkcs7, unpad_zero,
};

#[test]
fn by_hand() {
    assert_eq!(pad_pkcs7(b""), [8; 8]);
    assert_eq!(pad_pkcs7(b"abcde"), *b"abcde\x03\x03\x03");
    assert_eq!(pad_iso7816(b""), *b"\x80\0\0\0\0\0\0\0");
    assert_eq!(pad_iso7816(b"abcdefg"), *b"abcdefg\x80");
    assert_eq!(pad_iso7816(b"abcdefgh"), *b"abcdefgh\x80\0\0\0\0\0\0\0");
    assert_eq!(pad_zero(b""), *b"");
    assert_eq!(pad_zero(b"abc"), *b"abc\0\0\0\0\0");
    assert_eq!(pad_zero(b"abcdefgh"), *b"abcdefgh");
}

#[test]
fn undone() {
    for len in 0..40 {
        let message = vec![0x41; len];
        for (pad, unpad) in [
            (pad_pkcs7 as fn(&[u8]) -> Vec<u8>, unpad_pkcs7 as fn(&[u8]) -> Option<Vec<u8>>),
            (pad_iso7816, unpad_iso7816),
            (pad_zero, unpad_zero),
        ] {
            let padded = pad(&message);
            assert_eq!(padded.len() % 8, 0);
            assert_eq!(unpad(&padded), Some(message.clone()));
        }
    }
}

#[test]
fn refused() {
    for wrong in [
        &b""[..],
        b"abcdefg\0",
        b"abcdefg\x09",
        b"abcdef\x01\x02",
        b"abcdefg\x08",
        b"abcdef\x02",
        b"\x07\x08\x08\x08\x08\x08\x08\x08",
    ] {
        assert_eq!(unpad_pkcs7(wrong), None, "{wrong:02x?}");
    }
    for wrong in [&b""[..], b"abcdefgh", b"\0\0\0\0\0\0\0\0", b"abcdef\x80\x01", b"abcdef\x80"] {
        assert_eq!(unpad_iso7816(wrong), None, "{wrong:02x?}");
    }
    assert_eq!(unpad_zero(b"abc"), None);
    // No more zeros go than can have come: one whole block of them keeps its first.
    assert_eq!(unpad_zero(&[0; 8]), Some(vec![0]));
}
