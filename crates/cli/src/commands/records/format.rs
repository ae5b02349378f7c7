//! What a table is in: what the options say, or what its first bytes are.

use super::args::{Arguments, FormatName};
use super::json;
use super::source::Source;
use crate::args::given::Given;
use crate::errors::{Error, Result};
use crate::io::input::Input;

/// The forms of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Jsonl,
    ArrowFile,
    ArrowStream,
    Parquet,
}

/// A UTF-8 text may begin with it.
const MARK: &[u8] = b"\xef\xbb\xbf";
const ARROW: &[u8] = b"ARROW1";
/// A stream's first message, with a length behind it.
const STREAM: &[u8] = b"\xff\xff\xff\xff";
const PARQUET: &[u8] = b"PAR1";

impl Format {
    /// Of a file that is read to and fro; none if it is read from its start to its end.
    ///
    /// # Errors
    /// The input's; a form that its first bytes are not; Parquet from a pipe.
    pub(super) fn of_file(args: &Arguments, input: &mut Input) -> Result<Option<Self>> {
        let start = input.peek(ARROW.len())?;
        let found = match () {
            () if start.starts_with(ARROW) => Some(Self::ArrowFile),
            () if start.starts_with(PARQUET) => Some(Self::Parquet),
            () => None,
        };
        match args.format {
            FormatName::Csv | FormatName::Jsonl => Ok(None),
            FormatName::Parquet if input.len().is_none() => Err(Error::usage(
                "Parquet is read from a file, as its index stands at the end; give one by -in",
            )),
            FormatName::Parquet if found != Some(Self::Parquet) => {
                Err(Error::failure(format!("{} is no Parquet file", input.name())))
            }
            FormatName::Arrow if found == Some(Self::Parquet) => {
                Err(Error::failure(format!("{} is Parquet, and not Arrow's", input.name())))
            }
            _ => Ok(found),
        }
    }

    /// Of what is read from its start to its end; a byte order mark is left out.
    ///
    /// # Errors
    /// The input's; text in UTF-16; a file that cannot be read from a pipe.
    pub(super) fn of_stream(args: &Arguments, source: &mut Source<'_>) -> Result<Self> {
        // A pipe may bring the first bytes one by one.
        let start = source.look(|text| text.len() >= ARROW.len())?;
        let is_free = matches!(args.format, FormatName::Auto | FormatName::Arrow);
        if is_free && (start.starts_with(ARROW) || start.starts_with(PARQUET)) {
            return Err(Error::failure(
                "an Arrow file and Parquet are read from a file, as their index stands at the end; give \
                 it by -in",
            ));
        }
        if is_free && start.starts_with(STREAM) {
            return Ok(Self::ArrowStream);
        }
        if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
            return Err(Error::failure(
                "the input is UTF-16; convert it first, for instance with iconv -f UTF-16 -t UTF-8",
            ));
        }
        if start.starts_with(MARK) {
            source.consume(MARK.len());
        }
        match args.format {
            FormatName::Auto => {
                let start = source.look(|text| !text.trim_ascii().is_empty())?;
                let is_object = start.trim_ascii_start().starts_with(b"{");
                Ok(if is_object { Self::Jsonl } else { Self::Csv })
            }
            FormatName::Csv => Ok(Self::Csv),
            FormatName::Jsonl => Ok(Self::Jsonl),
            FormatName::Arrow | FormatName::Parquet => {
                Err(Error::failure("the input is no stream of Arrow's"))
            }
        }
    }

    /// # Errors
    /// An option or a name that the format does not have.
    pub(super) fn check(self, args: &Arguments, given: &Given) -> Result<()> {
        let csv_only = ["no_header", "escape_formulas", "delimiter", "null"];
        given.refuse(
            |id| self == Self::Csv || !csv_only.contains(&id),
            |_| format!("is for CSV, and the input is {self}"),
        )?;
        if self == Self::Jsonl && json::KEPT.contains(&&*args.error_column) {
            return Err(Error::usage(format!(
                "lines that are no object are kept as a field {}; name another with --error-column",
                args.error_column
            )));
        }
        Ok(())
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Csv => "CSV",
            Self::Jsonl => "JSON lines",
            Self::ArrowFile => "an Arrow file",
            Self::ArrowStream => "a stream of Arrow's",
            Self::Parquet => "Parquet",
        })
    }
}
