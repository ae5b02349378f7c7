//! `cargo xtask demo`: from files that OpenSSL encrypted to their plaintext.

use crate::process::{self, built_command, cargo, program, root, shown};
use std::fs;
use std::process::Stdio;
use std::time::Instant;

const PLAINTEXT: &str = "samples/letter.txt";
const PASSWORD: &str = "thread by thread";

/// The encrypted samples; `samples/make.sh` holds the commands that made them.
const SAMPLES: [(&str, &str); 2] = [
    (
        "samples/letter.txt.des3",
        "a backup as OpenSSL made it until 2016: key from the password by MD5",
    ),
    (
        "samples/letter.txt.pbkdf2.des3",
        "the same letter, key from the password by PBKDF2 (since 2018)",
    ),
];

/// Builds the command, decrypts every sample, and compares.
///
/// # Errors
/// The build fails, or the command fails, or a plaintext is not the one that was encrypted.
pub(crate) fn run() -> crate::failure::Result {
    let expected = fs::read(root().join(PLAINTEXT)).map_err(|e| format!("{PLAINTEXT}: {e}"))?;
    println!("Building the command (once, a few minutes) ...");
    process::run(&mut cargo(["build", "--release", "--package", "cipherloom-cli"]))?;
    let built = built_command().map_err(|e| format!("cannot find the command: {e}"))?;

    for (index, (file, what)) in SAMPLES.into_iter().enumerate() {
        let mut command = program(&built);
        command.args(["dec", "-des3", "-in", file, "-k", PASSWORD]);
        println!("\n{}. {what}\n   $ {}", index + 1, shown(&command));
        let start = Instant::now();
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .map_err(|e| process::not_started(&command, &e))?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        if !output.status.success() {
            return Err(format!("`{}` failed: {}", shown(&command), output.status).into());
        }
        if index == 0 {
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                println!("   | {line}");
            }
        }
        compare(&output.stdout, &expected).map_err(|e| format!("{file}: {e}"))?;
        println!("   right: all {} bytes equal {PLAINTEXT} ({time:.0} ms)", expected.len());
    }
    Ok(())
}

/// Says where two plaintexts differ.
fn compare(got: &[u8], expected: &[u8]) -> Result<(), String> {
    if got == expected {
        return Ok(());
    }
    let at = got.iter().zip(expected).take_while(|(a, b)| a == b).count();
    Err(format!(
        "WRONG plaintext: {} bytes instead of {}, first difference at byte {at}",
        got.len(),
        expected.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_plaintext_is_told() {
        assert!(compare(b"letter", b"letter").is_ok());
        assert!(compare(b"lettre", b"letter").unwrap_err().ends_with("at byte 4"));
        assert!(compare(b"lett", b"letter").unwrap_err().contains("4 bytes instead of 6"));
    }
}
