//! The options of `enc` and `dec`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::key::KeyArgs;
use super::numbers;
use super::preset::PresetArgs;

/// What `openssl enc` takes, and a few options more.
#[derive(Args, Debug)]
#[command(next_help_heading = "Input and output")]
pub(crate) struct EncArgs {
    /// Encrypt
    #[arg(short = 'e', overrides_with = "decrypt")]
    pub(crate) encrypt: bool,

    /// Decrypt
    #[arg(short = 'd', overrides_with = "encrypt")]
    pub(crate) decrypt: bool,

    /// Input file [default: standard input]
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,

    /// Output file, which must not exist yet [default: standard output]
    #[arg(long = "out", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Base64: decode before decryption, encode after encryption
    #[arg(short = 'a', long = "base64")]
    pub(crate) base64: bool,

    /// With -a: write base64 in one line, and read it so
    #[arg(short = 'A')]
    pub(crate) one_line: bool,

    /// Hex: decode before decryption, encode after encryption
    #[arg(long, conflicts_with_all = ["base64", "salvage"])]
    pub(crate) hex: bool,

    /// Replace an existing output file, overwrite a disk, or write binary data to a terminal
    #[arg(long)]
    pub(crate) force: bool,

    /// Hold back output to a pipe until the padding has been checked
    #[arg(long)]
    pub(crate) spool: bool,

    /// Write everything in a damaged input that can be decrypted, and say what is missing
    #[arg(long)]
    pub(crate) salvage: bool,

    #[command(flatten)]
    pub(crate) preset: PresetArgs,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    #[command(flatten)]
    pub(crate) other: OtherArgs,
}

/// The rest.
#[derive(Args, Debug)]
#[command(next_help_heading = "Other")]
pub(crate) struct OtherArgs {
    /// Print salt, key and IV
    #[arg(short = 'p')]
    pub(crate) print: bool,

    /// Print salt, key and IV, and do nothing else
    #[arg(short = 'P')]
    pub(crate) print_only: bool,

    /// Say how many bytes were read and written
    #[arg(short = 'v')]
    pub(crate) verbose: bool,

    /// Print errors only: no warnings, notes or progress bar
    #[arg(long)]
    pub(crate) quiet: bool,

    /// Number of threads, for modes that allow several [default: one per processor]
    #[arg(short = 'T', long, alias = "T", value_name = "N", value_parser = numbers::threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// List the ciphers
    #[arg(long, alias = "ciphers")]
    pub(crate) list: bool,

    /// Accepted and ignored, as are -provider, -provider-path, -propquery, -engine, -rand, -writerand
    /// and -debug
    #[arg(long, value_name = "SIZE", value_parser = numbers::size)]
    pub(crate) bufsize: Option<u64>,

    #[command(flatten)]
    pub(crate) ignored: IgnoredArgs,
}

/// Options of `openssl enc` that change nothing here.
#[derive(Args, Debug)]
pub(crate) struct IgnoredArgs {
    #[arg(long, value_name = "NAME", hide = true)]
    provider: Option<String>,
    #[arg(long, value_name = "DIRECTORY", hide = true)]
    provider_path: Option<PathBuf>,
    #[arg(long, value_name = "QUERY", hide = true)]
    propquery: Option<String>,
    #[arg(long, value_name = "NAME", hide = true)]
    engine: Option<String>,
    #[arg(long, value_name = "FILES", hide = true)]
    rand: Option<PathBuf>,
    #[arg(long, value_name = "FILE", hide = true)]
    writerand: Option<PathBuf>,
    #[arg(long, hide = true)]
    debug: bool,
}

impl EncArgs {
    /// How many threads work.
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.other.threads.map_or_else(all, usize::from)
    }
}
