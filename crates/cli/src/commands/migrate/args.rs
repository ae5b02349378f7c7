//! The options of `migrate`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use crate::args::key::KeyArgs;
use crate::args::numbers;

/// Move old data into an age file, and check that it arrived
///
/// Decrypts IN, encrypts the plaintext to OUT in the age format in the same pass, and verifies OUT
/// before it gets its name. The plaintext is never written to a disk, and IN is kept. With a
/// password and without -md, the command finds out how the key was derived (-md auto).
#[derive(Args, Debug)]
#[command(after_help = "\
Example: cipherloom migrate -des3 old.enc new.age --recipient age1...")]
#[group(skip)]
pub(crate) struct Arguments {
    /// The old file; - for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,

    /// The age file to make
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) to: ToArgs,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// IN is base64
    #[arg(short = 'a', long = "base64", help_heading = "Input and output")]
    pub(crate) base64: bool,

    /// Replace OUT if it exists
    #[arg(long, help_heading = "Input and output")]
    pub(crate) force: bool,

    /// Number of threads for decryption [default: one per processor]
    #[arg(short = 'T', long, alias = "T", value_name = "N", value_parser = numbers::threads,
          help_heading = "Other")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Print errors only
    #[arg(long, help_heading = "Other")]
    pub(crate) quiet: bool,
}

/// Who will be able to read the new file.
#[derive(Args, Debug)]
#[command(next_help_heading = "The new file")]
pub(crate) struct ToArgs {
    /// Encrypt to this age1... public key; may be given more than once
    #[arg(long, value_name = "KEY", conflicts_with = "passphrase source")]
    pub(crate) recipient: Vec<String>,

    /// A file with age identities (AGE-SECRET-KEY-1...): OUT is verified by decrypting it with them,
    /// and, without --recipient, encrypted to them
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase source")]
    pub(crate) identity: Option<PathBuf>,

    /// Encrypt with a passphrase, asked for on the terminal
    #[arg(long, group = "passphrase source")]
    pub(crate) passphrase: bool,

    /// Encrypt with a passphrase that is the first line of a file
    #[arg(long, value_name = "FILE", group = "passphrase source")]
    pub(crate) passphrase_file: Option<PathBuf>,

    /// Encrypt with a passphrase from an environment variable
    #[arg(long, value_name = "VARIABLE", group = "passphrase source")]
    pub(crate) passphrase_env: Option<OsString>,
}
