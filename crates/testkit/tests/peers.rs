//! The peers are there and answer; what goes wrong in them comes back as one line.

use cipherloom_testkit::peers;

#[test]
fn openssl_answers() {
    let Some(openssl) = peers::openssl() else { return };
    // FIPS 81, table C1.
    let options = ["-des-ecb", "-nopad", "-K", "0123456789abcdef"];
    let ciphertext = openssl.enc(&options, b"Now is the time for all ").expect("encrypted");
    assert_eq!(hex::encode(ciphertext), "3fa40e8a984d48156a271787ab8883f9893d51ec4b563b53");
    assert!(openssl.version().starts_with("OpenSSL "));
}

#[test]
fn python_answers() {
    let Some(python) = peers::python() else { return };
    let script = "sys.stdout.buffer.write(DES.new(bytes.fromhex('0123456789abcdef'), \
                  DES.MODE_ECB).encrypt(sys.stdin.buffer.read()))";
    let ciphertext = python.run(script, b"Now is t").expect("encrypted");
    assert_eq!(hex::encode(ciphertext), "3fa40e8a984d4815");
}

#[test]
fn failures_are_one_line() {
    let Some(openssl) = peers::openssl() else { return };
    // Much input for a command that reads none of it: no broken pipe, no hang.
    let wrong = openssl.enc(&["-no-such-cipher"], &vec![0; 1 << 20]).expect_err("no such cipher");
    assert!(wrong.contains("no-such-cipher") && !wrong.contains('\n'), "{wrong}");
}
