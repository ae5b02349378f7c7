//! The peer: `openssl speed`, one process per figure.
//!
//! A figure of a process is the only one to be had from a command: it holds the process's own luck
//! (placement of memory, for one), so a figure is taken from several processes.

use std::process::{Command, Stdio};

/// An `openssl` command that answers.
#[derive(Clone, Debug)]
pub(crate) struct Openssl {
    version: String,
}

impl Openssl {
    /// Looks for the command.
    ///
    /// # Errors
    /// One line that says why it cannot be used.
    pub(crate) fn find() -> Result<Self, String> {
        let output = Command::new("openssl")
            .arg("version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("the openssl command cannot be run ({error})"))?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.status.success() || version.is_empty() {
            return Err("the openssl command does not answer `openssl version`".into());
        }
        Ok(Self { version })
    }

    /// What it says of itself.
    #[must_use]
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Bytes per second of `cipher` on messages of `bytes` bytes, measured by a new process for one
    /// second of its processor time; `None` if this openssl has no such cipher.
    #[must_use]
    pub(crate) fn bytes_per_second(
        &self,
        cipher: &str,
        decrypt: bool,
        bytes: usize,
    ) -> Option<f64> {
        let mut command = Command::new("openssl");
        command.args(["speed", "-mr", "-evp", cipher, "-seconds", "1", "-bytes"]);
        command.arg(bytes.to_string());
        command.args(["-provider", "legacy", "-provider", "default"]);
        if decrypt {
            command.arg("-decrypt");
        }
        let output = command.stdin(Stdio::null()).output().ok()?;
        output.status.success().then(|| figure(&String::from_utf8_lossy(&output.stdout)))?
    }
}

/// The figure in what `openssl speed -mr` prints: a line `+F:NUMBER:NAME:BYTES_PER_SECOND`.
fn figure(output: &str) -> Option<f64> {
    let line = output.lines().find(|line| line.starts_with("+F:"))?;
    let figure: f64 = line.rsplit(':').next()?.parse().ok()?;
    (figure > 0.0).then_some(figure)
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn the_figure_is_read_and_rubbish_is_none() {
        assert_eq!(figure("+H:8\n+F:25:DES-EDE3-CBC:18918696.00\n"), Some(18_918_696.0));
        for rubbish in ["", "+H:8", "+F:25:DES:", "+F:25:DES:fast", "+F:25:DES:0.00"] {
            assert_eq!(figure(rubbish), None, "{rubbish}");
        }
    }
}
