//! The `openssl` command, version 3, with its legacy provider.

use super::program::{left_out, run};
use std::process::Command;
use std::sync::OnceLock;

/// The command, found and tried.
#[derive(Clone, Debug)]
pub struct Openssl {
    command: String,
    version: String,
}

/// The `openssl` command: `CIPHERLOOM_OPENSSL` if set, else `openssl` of the path. `None` only if
/// the user asked to do without ([`super::WITHOUT`]).
///
/// # Panics
/// If it is missing, is too old, or lacks the legacy provider.
pub fn openssl() -> Option<&'static Openssl> {
    static FOUND: OnceLock<Result<Openssl, String>> = OnceLock::new();
    if left_out("openssl") {
        return None;
    }
    match FOUND.get_or_init(Openssl::find) {
        Ok(openssl) => Some(openssl),
        Err(wrong) => panic!("{wrong}"),
    }
}

impl Openssl {
    fn find() -> Result<Self, String> {
        let install = "install OpenSSL 3 with its legacy provider (Debian: `apt-get install \
                       openssl`), or set CIPHERLOOM_WITHOUT_PEERS=openssl";
        let command = std::env::var("CIPHERLOOM_OPENSSL").unwrap_or_else(|_| "openssl".into());
        let version = run(Command::new(&command).arg("version"), b"")
            .map_err(|wrong| format!("{wrong}; {install}"))?;
        let version = String::from_utf8_lossy(&version).trim().to_string();
        let number = version.strip_prefix("OpenSSL ").unwrap_or_default();
        let major = number.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0);
        if major < 3 {
            return Err(format!("`{command}` is {version}, not OpenSSL 3; {install}"));
        }
        let openssl = Self { command, version };
        // The version says nothing of the legacy provider: try a cipher that needs it.
        let trial = openssl.enc(&["-rc4", "-K", "00112233445566778899aabbccddeeff"], b"trial");
        trial.map_err(|wrong| format!("{wrong}; {install}"))?;
        Ok(openssl)
    }

    /// What it says of its version, for records of what was compared.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// `openssl enc` with these options, and with the providers that know the old ciphers.
    ///
    /// # Errors
    /// One line with what the command said.
    pub fn enc(&self, options: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let providers = ["-provider", "legacy", "-provider", "default"];
        self.run(&[&["enc"], options, &providers].concat(), input)
    }

    /// Any command of `openssl`.
    ///
    /// # Errors
    /// One line with what the command said.
    pub fn run(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        run(Command::new(&self.command).args(arguments), input)
    }
}
