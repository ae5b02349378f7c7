//! The options of `records`.

use std::path::PathBuf;

use clap::ArgGroup;

use crate::args::key::{PaddingName, PasswordSource};
use crate::args::numbers;
use crate::args::preset::{EncodingName, PresetArgs};
use crate::args::raw::RawArgs;

/// Decrypt or encrypt one column of a table: CSV, JSON lines, Arrow or Parquet
#[derive(Clone, Debug, clap::Args)]
#[command(group = ArgGroup::new("which key").args(["key", "key_file", "key_column"]))]
#[command(mut_arg("key_file", |arg| arg.help("File with one key for all records; for --preset mysql, its key file (des_key_file)")))]
#[command(mut_arg("key_encoding", |arg| arg.help("Encoding of keys [default: hex; of --preset, as that program's users write it]")))]
#[command(after_help = "\
The input is read as a stream and may have any length. The result of each record goes into a new \
column. If something is wrong with a record, the reason goes into another column, and the run goes on. \
The exit code is 0 if every record has a result, 1 if any has none, 2 for bad usage.

With --preset a column `status` says of each value what became of it: decrypted, passed through (it was \
never encrypted), other format, wrong key, no key, damaged.

Examples: cipherloom records -d -des-ede3-cbc -K HEX --iv-column iv --data-column secret \
-in table.csv -out plain.csv
          cipherloom records -d --preset sqlserver -kfile password.txt --data-column secret \
-in table.csv -out plain.csv")]
pub(crate) struct Arguments {
    /// Decrypt the column
    #[arg(short = 'd', long = "decrypt", required_unless_present = "encrypt")]
    pub(crate) decrypt: bool,
    /// Encrypt the column
    #[arg(short = 'e', long = "encrypt", conflicts_with = "decrypt")]
    pub(crate) encrypt: bool,
    /// Cipher and mode; the name can also be a flag: -des-ede3-cbc, -rc4
    #[arg(long, value_name = "NAME", required_unless_present = "preset")]
    pub(crate) cipher: Option<String>,
    #[command(flatten)]
    pub(crate) preset: PresetArgs,

    /// Input file [default: standard input]
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Output file [default: standard output]
    #[arg(long = "out", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the output file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Format of input and output
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) format: FormatName,
    /// Delimiter between the fields of a CSV line; `\t` for a tab
    #[arg(long, value_name = "CHARACTER", default_value = ",", value_parser = delimiter)]
    pub(crate) delimiter: u8,
    /// CSV: what stands for nothing where it is not in quotes, as \N or NULL in dumps of databases
    #[arg(long, value_name = "WORD", value_parser = null_word)]
    pub(crate) null: Option<String>,
    /// The CSV has no line of column names; columns are numbered from 1
    #[arg(long)]
    pub(crate) no_header: bool,

    /// Column with the data
    #[arg(long, value_name = "COLUMN")]
    pub(crate) data_column: String,
    /// Encoding of the data [default: hex for decryption, text for encryption; as --preset says]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) data_encoding: Option<EncodingName>,

    /// One key for all records, in hex; with --preset, as that program's users write it
    #[arg(short = 'K', alias = "K", value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// Column with each record's key
    #[arg(long, value_name = "COLUMN")]
    pub(crate) key_column: Option<String>,
    #[command(flatten)]
    pub(crate) raw: RawArgs,

    /// One IV for all records, in hex (for CTR, the first counter)
    #[arg(long, value_name = "HEX", group = "which iv")]
    pub(crate) iv: Option<String>,
    /// Column with each record's IV (for CTR, the first counter)
    #[arg(long, value_name = "COLUMN", group = "which iv")]
    pub(crate) iv_column: Option<String>,
    /// The IV is the first 8 bytes of the encrypted data; encryption puts a random one there
    #[arg(long, group = "which iv")]
    pub(crate) iv_prefix: bool,
    /// Decrypt a Salted__ header at the start of a record as data
    #[arg(long, requires = "decrypt")]
    pub(crate) header_is_data: bool,
    /// Encoding of IVs in their column [default: hex]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) iv_encoding: Option<EncodingName>,

    /// Padding of ECB and CBC [default: pkcs7, or that of --preset]
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) padding: Option<PaddingName>,

    #[command(flatten)]
    pub(crate) password: PasswordSource,
    /// Salt of --preset in hex, where all values share one
    #[arg(short = 'S', alias = "S", long, value_name = "HEX", group = "which salt")]
    pub(crate) salt: Option<String>,
    /// Column with each record's salt in hex; for DUKPT, with its KSN
    #[arg(long, value_name = "COLUMN", group = "which salt")]
    pub(crate) salt_column: Option<String>,
    /// Digest of the key derivation of --preset
    #[arg(long, value_name = "DIGEST")]
    pub(crate) md: Option<String>,
    /// Iteration count of the key derivation of --preset
    #[arg(long, value_name = "COUNT", value_parser = numbers::positive)]
    pub(crate) iter: Option<u32>,

    /// Column to add for the results
    #[arg(long, value_name = "COLUMN", default_value = "result")]
    pub(crate) result_column: String,
    /// Encoding of results [default: text for decryption, hex for encryption]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) result_encoding: Option<EncodingName>,
    /// Column to add for what became of each record [default with --preset: status]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) status_column: Option<String>,
    /// Column to add for errors
    #[arg(long, value_name = "COLUMN", default_value = "error")]
    pub(crate) error_column: String,
    /// CSV: put an apostrophe before results and errors that a spreadsheet would take for formulas
    #[arg(long)]
    pub(crate) escape_formulas: bool,

    /// Stop at the first record with an error; no output file is made then
    #[arg(long)]
    pub(crate) stop_on_error: bool,
    /// Refuse weak, semi-weak and degenerate keys
    #[arg(long)]
    pub(crate) strict_keys: bool,
    /// Number of threads [default: one per processor, at most 8]
    #[arg(short = 'T', long, alias = "T", value_name = "NUMBER", value_parser = numbers::threads)]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    /// Print errors only
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The forms of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FormatName {
    /// What the input starts with: Arrow, Parquet, JSON lines (`{`), else CSV
    Auto,
    /// Comma-separated values (RFC 4180)
    Csv,
    /// One JSON object a line
    #[value(alias = "ndjson", alias = "json")]
    Jsonl,
    /// Arrow's IPC: a file (Feather) or a stream
    #[value(alias = "ipc", alias = "feather")]
    Arrow,
    /// Parquet, from a file
    Parquet,
}

fn null_word(text: &str) -> Result<String, String> {
    match text.contains(['"', '\n', '\r']) {
        true => Err("a word without quotes and line ends is needed".into()),
        false => Ok(text.to_owned()),
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [byte @ (b'\t' | b' '..=b'~')] if *byte != b'"' => Ok(*byte),
        _ => Err("give one ASCII character other than the quote, or \\t".into()),
    }
}
