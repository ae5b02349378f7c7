//! `cipherloom selftest`: is what this machine computes right?
//!
//! Every backend's own test, then every cipher on every backend: known answers, agreement with the
//! other backends on more blocks than a bulk kernel has lanes, and the way back.

mod known;

use cipherloom::{Backend, BlockKey, Padding, Rc4};
use cipherloom_formats::{Cipher, Kind, key_text};
use cipherloom_measure::Columns;
use clap::Args;
use serde::Serialize;

use super::speed::benchmark::{Benchmark, Load, MeasuredDirection, backends};
use super::speed::check::check;
use crate::errors::{Error, Result};
use crate::text;
use known::{KNOWN, Known};

/// Compared between backends: 75 blocks, one more than 64 lanes and then some.
const MESSAGE: Load = Load::Message(600);
/// The same for records with a key each.
const RECORDS: Load = Load::Records { count: 75, bytes: 32 };

/// Check every backend and cipher against known answers and against each other
///
/// The exit code is 1 if anything is wrong.
#[derive(Args, Debug)]
pub(crate) struct SelftestArgs {
    /// Print JSON in place of tables
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Outcome {
    passed: bool,
    backends: Vec<Check>,
    ciphers: Vec<Check>,
}

/// What one backend, or one cipher on one backend, came to.
#[derive(Debug, Serialize)]
struct Check {
    #[serde(skip_serializing_if = "Option::is_none")]
    cipher: Option<String>,
    backend: &'static str,
    /// Known answers compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_answers: Option<usize>,
    /// What is wrong, if anything is.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// Runs the sub-command.
///
/// # Errors
/// A failure if anything is wrong; standard output does not take the table.
pub(crate) fn run(args: &SelftestArgs) -> Result<()> {
    let outcome = Outcome::gather(&KNOWN)?;
    if args.json { text::print_json(&outcome) } else { text::print(&outcome.render()) }?;
    if outcome.passed {
        return Ok(());
    }
    Err(Error::failure(
        "the self-test failed: this build or this machine computes wrongly; trust nothing that it \
         has made",
    ))
}

impl Outcome {
    fn gather(known: &[Known]) -> Result<Self> {
        let backends = cipherloom::self_test().map(|(backend, result)| Check {
            cipher: None,
            backend: backend.name(),
            known_answers: None,
            fault: result.err().map(|error| error.to_string()),
        });
        let backends: Vec<Check> = backends.collect();
        let mut ciphers: Vec<Cipher> = Vec::new();
        for name in Cipher::names() {
            ciphers.extend(Cipher::find(&name).filter(|cipher| !ciphers.contains(cipher)));
        }
        let ciphers: Vec<Check> = ciphers.iter().flat_map(|cipher| lines(cipher, known)).collect();
        let passed = backends.iter().chain(&ciphers).all(|line| line.fault.is_none());
        Ok(Self { passed, backends, ciphers })
    }

    fn render(&self) -> String {
        let verdict = |line: &Check| match &line.fault {
            None => "passed".to_owned(),
            Some(fault) => format!("FAILED: {fault}"),
        };
        let heading = ["backend", "self-test"];
        let mut backends = Columns::new(2, heading);
        for line in &self.backends {
            backends.row([line.backend, &verdict(line)]);
        }
        let heading = ["cipher", "backend", "known answers", "against other backends, and back"];
        let mut ciphers = Columns::new(4, heading);
        for line in &self.ciphers {
            ciphers.row([
                line.cipher.clone().unwrap_or_default(),
                line.backend.to_owned(),
                line.known_answers.map_or("-".into(), |count| count.to_string()),
                verdict(line),
            ]);
        }
        let verdict = if self.passed { "everything passed" } else { "the self-test FAILED" };
        format!("{backends}\n{ciphers}\n{verdict}\n")
    }
}

/// A line for each backend of a cipher.
fn lines(cipher: &Cipher, known: &[Known]) -> Vec<Check> {
    let known: Vec<&Known> = known.iter().filter(|known| known.cipher == cipher.name).collect();
    backends(cipher)
        .map(|backend| {
            let answers = known.iter().try_for_each(|known| answer(cipher, backend, known));
            let result = answers.and_then(|()| agreement(cipher, backend));
            Check {
                cipher: Some(cipher.name.clone()),
                backend: backend.name(),
                known_answers: (!known.is_empty()).then_some(known.len()),
                fault: result.err().map(|error| error.to_string()),
            }
        })
        .collect()
}

/// Both ways, against what `known` says.
fn answer(cipher: &Cipher, backend: Backend, known: &Known) -> Result<()> {
    let bytes = |what, text: &str| {
        key_text::parse(text.as_bytes(), 0..=usize::MAX)
            .map_err(|error| Error::usage(format!("{what}: {error}")))
    };
    let key = bytes("key", known.key)?;
    let plaintext = bytes("plaintext", known.plaintext)?;
    let ciphertext = bytes("ciphertext", known.ciphertext)?;
    let mut there = plaintext.to_vec();
    let mut back = ciphertext.to_vec();
    match cipher.kind {
        Kind::Rc4(_) => {
            let stream = || -> Result<Rc4> { Ok(backend.force_rc4(&key)?) };
            stream()?.apply(&mut there)?;
            stream()?.apply(&mut back)?;
        }
        Kind::Block(algorithm, mode) => {
            let iv = bytes("IV", known.iv)?;
            let iv = iv.first_chunk().copied().unwrap_or_default();
            let key = backend.force(BlockKey::new(algorithm, &key)?)?;
            let mode = mode.with(iv, Padding::None);
            mode.encrypt_in_place(&key, &mut there, plaintext.len())?;
            mode.decrypt_in_place(&key, &mut back)?;
        }
    }
    for (what, got, expected) in
        [("encryption", &there, &ciphertext), ("decryption", &back, &plaintext)]
    {
        if **got != ***expected {
            return Err(Error::failure(format!("known answer from {}: {what}", known.source)));
        }
    }
    Ok(())
}

/// A message and records, in every direction.
fn agreement(cipher: &Cipher, backend: Backend) -> Result<()> {
    for &direction in MeasuredDirection::of(cipher) {
        for load in [MESSAGE, RECORDS] {
            let benchmark = Benchmark { cipher, direction, backend: Some(backend), load };
            if benchmark.exists() {
                check(&benchmark)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_passes_and_every_known_answer_has_its_cipher() {
        let outcome = Outcome::gather(&KNOWN).unwrap();
        assert!(outcome.passed, "{}", outcome.render());
        let used: usize = outcome.ciphers.iter().filter_map(|line| line.known_answers).sum();
        let by = |known: &Known| backends(&Cipher::find(known.cipher).unwrap()).count();
        assert_eq!(used, KNOWN.iter().map(by).sum::<usize>(), "each by all backends of its family");
    }

    #[test]
    fn slow_a_wrong_answer_fails_on_every_backend_in_either_direction() {
        for known in &KNOWN {
            let cipher = Cipher::find(known.cipher).unwrap();
            let flip = |text: &str| {
                let last = if text.ends_with('0') { '1' } else { '0' };
                format!("{}{last}", &text[..text.len() - 1])
            };
            let (plaintext, ciphertext) = (flip(known.plaintext), flip(known.ciphertext));
            for backend in backends(&cipher) {
                answer(&cipher, backend, known).unwrap();
                let wrong: &'static str = ciphertext.clone().leak();
                assert!(answer(&cipher, backend, &Known { ciphertext: wrong, ..*known }).is_err());
                let wrong: &'static str = plaintext.clone().leak();
                assert!(answer(&cipher, backend, &Known { plaintext: wrong, ..*known }).is_err());
            }
        }
        let wrong = [Known { ciphertext: "00", plaintext: "00", ..KNOWN[KNOWN.len() - 1] }];
        let outcome = Outcome::gather(&wrong).unwrap();
        assert!(!outcome.passed && outcome.render().contains("FAILED: known answer from"));
    }

    /// The table is a copy: every value must stand in the file that it names.
    #[test]
    fn the_answers_are_those_of_the_vectors_folder() {
        for known in &KNOWN {
            let path = format!("{}/../../vectors/{}", env!("CARGO_MANIFEST_DIR"), known.source);
            let text =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            if known.cipher.ends_with("cfb1") {
                // The file has strings of bits.
                let bits = |hex: &str| format!("{:08b}", u8::from_str_radix(hex, 16).unwrap());
                assert!(text.contains(&format!("PLAINTEXT = {}", bits(known.plaintext))));
                assert!(text.contains(&format!("CIPHERTEXT = {}", bits(known.ciphertext))));
            } else if known.cipher == "rc4" {
                // The keystream stands there in pieces of 16 bytes; the message is zeros.
                for piece in [&known.ciphertext[..32], &known.ciphertext[32..]] {
                    assert!(text.contains(piece), "{known:?}");
                }
                assert!(text.contains(known.key));
            } else {
                for value in [known.iv, known.plaintext, known.ciphertext] {
                    assert!(text.contains(value), "{known:?}");
                }
                let keys =
                    known.key.as_bytes().chunks(16).map(|key| std::str::from_utf8(key).unwrap());
                for key in keys {
                    assert!(text.contains(key), "{known:?}");
                }
            }
        }
    }
}
