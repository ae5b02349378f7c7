//! NIST's worked examples, with their intermediate values.

use cipherloom_spec::bits;
use cipherloom_spec::des::Des;
use cipherloom_spec::mac::{cmac, subkeys};
use cipherloom_spec::modes::{cbc, cfb, ctr, ecb, ofb};
use cipherloom_spec::tdea::Tdea;
use cipherloom_spec::{Block, BlockCipher};
use cipherloom_testkit::nist;
use cipherloom_testkit::nist::modes::{Example, Mode, Step};

fn encrypt(example: &Example, cipher: &Tdea) -> Vec<u8> {
    let text = &example.plaintext[..];
    match (example.mode, example.iv) {
        (Mode::Ecb, None) => ecb::encrypt(cipher, text),
        (Mode::Cbc, Some(iv)) => cbc::encrypt(cipher, iv, text),
        (Mode::Cfb(1), Some(iv)) => {
            bits::to_bytes(&cfb::encrypt_1(cipher, iv, &bits::from_bytes(text)))
        }
        (Mode::Cfb(8), Some(iv)) => cfb::encrypt_8(cipher, iv, text),
        (Mode::Cfb(64), Some(iv)) => cfb::encrypt_64(cipher, iv, text),
        (Mode::Ofb, Some(iv)) => ofb::crypt(cipher, iv, text),
        (Mode::Ctr, Some(iv)) => ctr::crypt(cipher, iv, text),
        other => panic!("{}: {other:?}", example.place),
    }
}

fn decrypt(example: &Example, cipher: &Tdea) -> Vec<u8> {
    let text = &example.ciphertext[..];
    match (example.mode, example.iv) {
        (Mode::Ecb, None) => ecb::decrypt(cipher, text),
        (Mode::Cbc, Some(iv)) => cbc::decrypt(cipher, iv, text),
        (Mode::Cfb(1), Some(iv)) => {
            bits::to_bytes(&cfb::decrypt_1(cipher, iv, &bits::from_bytes(text)))
        }
        (Mode::Cfb(8), Some(iv)) => cfb::decrypt_8(cipher, iv, text),
        (Mode::Cfb(64), Some(iv)) => cfb::decrypt_64(cipher, iv, text),
        (Mode::Ofb, Some(iv)) => ofb::crypt(cipher, iv, text),
        (Mode::Ctr, Some(iv)) => ctr::crypt(cipher, iv, text),
        other => panic!("{}: {other:?}", example.place),
    }
}

/// What goes into the cipher in a step and what comes out, by whichever names the example uses.
fn through_the_cipher(step: &Step) -> Option<(Block, Block)> {
    let input = step.block("InputBlock").or(step.block("Blockin"))?;
    let output = step.block("OutputBlock").or(step.block("Blockout"))?;
    Some((input, output))
}

#[test]
fn modes() {
    let examples = nist::modes::read();
    let mut steps = 0;
    for example in &examples {
        let [key1, key2, key3] = example.keys;
        let cipher = Tdea::option1(key1, key2, key3);
        assert_eq!(encrypt(example, &cipher), example.ciphertext, "{}", example.place);
        assert_eq!(decrypt(example, &cipher), example.plaintext, "{}", example.place);

        let inverse = !example.encrypts && matches!(example.mode, Mode::Ecb | Mode::Cbc);
        for step in &example.steps {
            let Some((input, output)) = through_the_cipher(step) else {
                panic!("{}: a step without its blocks", example.place);
            };
            let computed = if inverse { cipher.decrypt(input) } else { cipher.encrypt(input) };
            assert_eq!(computed, output, "{}", example.place);
            steps += 1;
        }
    }
    assert_eq!((examples.len(), steps), (60, 304));
}

#[test]
fn each_des_of_tdea() {
    let mut count = 0;
    for example in nist::modes::read() {
        let [des1, des2, des3] = example.keys.map(Des::new);
        for step in &example.steps {
            let Some(input) = step.block("TDES_Core: BlockIn") else { continue };
            let (out1, out2) = if example.encrypts {
                let out1 = des1.encrypt(input);
                (out1, des2.decrypt(out1))
            } else {
                let out1 = des3.decrypt(input);
                (out1, des2.encrypt(out1))
            };
            assert_eq!(step.block("DES: BlockOut1"), Some(out1), "{}", example.place);
            assert_eq!(step.block("DES: BlockOut2"), Some(out2), "{}", example.place);
            count += 1;
        }
    }
    assert_eq!(count, 16);
}

#[test]
fn cmac_samples() {
    let samples = nist::cmac::read();
    let mut blocks = 0;
    for sample in &samples {
        let [key1, key2, key3] = sample.keys;
        let cipher = Tdea::option1(key1, key2, key3);
        let (k1, k2) = subkeys(&cipher);
        let (number, subkey) = sample.subkey;
        assert_eq!([k1, k2][number - 1], subkey, "{}", sample.place);
        assert_eq!(cipher.encrypt([0; 8]), sample.l, "{}", sample.place);
        for &(input, output) in &sample.blocks {
            assert_eq!(cipher.encrypt(input), output, "{}", sample.place);
            blocks += 1;
        }
        assert_eq!(cmac(&cipher, &sample.message), sample.tag, "{}", sample.place);
    }
    assert_eq!((samples.len(), blocks), (8, 20));
}
