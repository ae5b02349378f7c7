//! Python with pycryptodome.

use super::program::{left_out, run};
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The interpreter, found and tried.
#[derive(Clone, Debug)]
pub struct Python {
    command: String,
}

/// Debian's package of pycryptodome names the module `Cryptodome`, the public one `Crypto`:
/// scripts say `Crypto` for both.
const PRELUDE: &str = "\
import sys
try:
    import Crypto.Cipher
except ImportError:
    import Cryptodome
    sys.modules['Crypto'] = Cryptodome
from Crypto.Cipher import DES, DES3, ARC4
";

/// The environment that `cargo xtask setup` makes.
const ENVIRONMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/peers/bin/python3");

/// Python with pycryptodome: `CIPHERLOOM_PYTHON` if set, else that of `cargo xtask setup`, else
/// `python3` of the path. `None` only if the user asked to do without ([`super::WITHOUT`]).
///
/// # Panics
/// If it is missing or lacks pycryptodome.
pub fn python() -> Option<&'static Python> {
    static FOUND: OnceLock<Result<Python, String>> = OnceLock::new();
    if left_out("python") {
        return None;
    }
    match FOUND.get_or_init(Python::find) {
        Ok(python) => Some(python),
        Err(wrong) => panic!("{wrong}"),
    }
}

impl Python {
    fn find() -> Result<Self, String> {
        let ours = Path::new(ENVIRONMENT).exists();
        let command = std::env::var("CIPHERLOOM_PYTHON")
            .unwrap_or_else(|_| if ours { ENVIRONMENT } else { "python3" }.into());
        let python = Self { command };
        python.run("", b"").map_err(|wrong| {
            // Of a traceback the last line says what it was.
            let wrong = wrong.rsplit(" | ").next().unwrap_or_default();
            format!(
                "{}: {wrong}; install pycryptodome (Debian: `apt-get install python3-pycryptodome`; or \
                 into a virtual environment, and set CIPHERLOOM_PYTHON to its python), or set \
                 CIPHERLOOM_WITHOUT_PEERS=python",
                python.command
            )
        })?;
        Ok(python)
    }

    /// Runs a script on an input; it finds `sys` and pycryptodome's `DES`, `DES3` and `ARC4`
    /// imported, reads `sys.stdin.buffer` and writes `sys.stdout.buffer`.
    ///
    /// One call starts one interpreter (50 ms): let a script do many cases.
    ///
    /// # Errors
    /// One line with what the interpreter said.
    pub fn run(&self, script: &str, input: &[u8]) -> Result<Vec<u8>, String> {
        run(Command::new(&self.command).arg("-c").arg(format!("{PRELUDE}{script}")), input)
    }
}
