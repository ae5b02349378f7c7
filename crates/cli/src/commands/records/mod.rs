//! `records`: one column of a CSV or JSON-lines stream, record by record.

pub(crate) mod args;
mod csv;
mod encoding;
mod group;
mod json;
mod plan;
mod run;
mod source;

use std::io::{BufRead, BufReader};

pub(crate) use args::Arguments;

use args::FormatName;
use plan::{Columns, KeyFrom, Plan};
use source::Source;

use crate::errors::{Error, Result, reason};
use crate::io::input::Input;
use crate::io::notes::Notes;
use crate::io::output::{Output, Place, Style};
use crate::io::partial;
use crate::io::progress::Progress;

/// Bytes read from the input at a time; the format is told from the first ones.
const BUFFER: usize = 256 * 1024;

/// Threads without -T: one thread reads, and cannot keep more than these busy.
const MOST_THREADS: usize = 8;

/// Runs the command.
///
/// # Errors
/// Bad usage; input and output; and a failure at the end if any record had an error, although the
/// output is complete then.
pub(crate) fn run(args: &Arguments) -> Result<()> {
    let notes = Notes::new(args.quiet);
    let plan = Plan::new(args)?;
    let columns = Columns::new(args)?;
    if let KeyFrom::Option(key) = &plan.key
        && let Some(fault) = group::fault(&plan, key)
    {
        if args.strict_keys {
            return Err(Error::failure(format!("refused key: {fault} (--strict-keys)")));
        }
        notes.say(&format!("warning: the key is {fault}"));
    }
    if !plan.decrypt {
        notes.say(&format!(
            "{} is a withdrawn cipher; use it for old systems only (--quiet silences this)",
            plan.cipher.name
        ));
        if plan.has_one_keystream() {
            notes.say(
                "warning: all records get the same keystream; who knows one plaintext can read all \
                 others",
            );
        }
    }
    let input = Input::open(args.input.as_deref())?;
    let place = Place::find(args.output.as_deref(), &input, args.force)?;
    let mut progress = Progress::new(input.len(), args.quiet);
    let mut source = BufReader::with_capacity(BUFFER, Source::new(input));
    let start = look(&mut source)?;
    partial::watch_signals();
    let mut output = place.open(Style { force: args.force, ..Style::default() })?;
    let threads = args.threads.map_or_else(processors, std::num::NonZeroUsize::get);
    let settings = run::Settings { threads, stop_on_error: args.stop_on_error };
    let format = match args.format {
        FormatName::Auto if start.is_object => FormatName::Jsonl,
        FormatName::Auto => FormatName::Csv,
        given => given,
    };
    let total = if format == FormatName::Jsonl {
        let layout = json::JsonLayout(columns.clone());
        let reader = json::JsonReader::new(source);
        run::run(&plan, settings, reader, &layout, None, &mut output, &mut progress)?
    } else {
        let style = csv::Style {
            delimiter: args.delimiter,
            has_header: !args.no_header,
            crlf: start.is_crlf,
        };
        let mut header = Vec::new();
        let (reader, layout, first) = csv::open(source, style, &columns, &mut header)?;
        output.write(&header)?;
        run::run(&plan, settings, reader, &layout, first, &mut output, &mut progress)?
    };
    drop(progress);
    finish(output, &plan, &columns, &total, &notes)
}

/// Puts the output in its place, and gives the account.
fn finish(
    output: Output,
    plan: &Plan,
    columns: &Columns,
    total: &run::Total,
    notes: &Notes,
) -> Result<()> {
    output.commit(notes)?;
    if total.weak_keys > 0 {
        notes.say(&format!(
            "warning: {} have a weak, semi-weak or degenerate key",
            count(total.weak_keys)
        ));
    }
    if total.headers > 0 {
        notes.say(&format!(
            "{} began with Salted__ and a salt, the header of data encrypted with a password; it was \
             left out",
            count(total.headers)
        ));
    }
    let account = format!(
        "{}: {} {}, {} with an error",
        count(total.records),
        total.records - total.errors,
        if plan.decrypt { "decrypted" } else { "encrypted" },
        total.errors
    );
    if total.errors > 0 {
        return Err(Error::failure(format!("{account} (see column {})", columns.error)));
    }
    notes.say(&account);
    Ok(())
}

fn count(records: u64) -> String {
    if records == 1 { "1 record".into() } else { format!("{records} records") }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get).min(MOST_THREADS)
}

/// What the input starts with.
struct Start {
    is_object: bool,
    is_crlf: bool,
}

/// Looks at the first bytes, and leaves out a byte order mark.
fn look(source: &mut BufReader<Source>) -> Result<Start> {
    let failed = |error: std::io::Error| Error::failure(reason(&error));
    if source.fill_buf().map_err(failed)?.starts_with(b"\xef\xbb\xbf") {
        source.consume(3);
    }
    let bytes = source.fill_buf().map_err(failed)?;
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(Start {
        is_object: bytes.trim_ascii_start().starts_with(b"{"),
        is_crlf: line.len() < bytes.len() && line.ends_with(b"\r"),
    })
}

/// For fuzz targets: any bytes as a field in every form, and as a line of JSON.
pub(crate) fn fuzz(data: &[u8]) {
    use encoding::Encoding;
    for encoding in [Encoding::Hex, Encoding::Base64, Encoding::Text] {
        let (mut bytes, mut text, mut again) = (Vec::new(), Vec::new(), Vec::new());
        if encoding.decode(data, &mut bytes).is_ok() && encoding.encode(&bytes, &mut text).is_ok() {
            encoding.decode(&text, &mut again).expect("what was written can be read");
            assert_eq!(bytes, again);
        }
    }
    json::fuzz(data);
}
