//! `records`: one column of a CSV or JSON-lines stream, record by record.

pub(crate) mod args;
pub(crate) mod csv;
mod json;
mod layout;
mod plan;
mod rows;
mod run;
mod source;
mod worker;

pub(crate) use args::Arguments;

use args::FormatName;
use plan::{Columns, KeyFrom, Plan};
use rows::{Reader, Rows};
use source::Source;

use crate::errors::{Error, Result};
use crate::io::destination::Destination;
use crate::io::input::Input;
use crate::io::interrupts;
use crate::io::notes::Notes;
use crate::io::output::{Output, Style};
use crate::io::progress::Progress;

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
        && let Some(fault) = plan.cipher.fault(key)
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
    let mut input = Input::open(args.input.as_deref())?;
    Destination::spare(args.output.as_deref(), [args.key_file.as_deref()])?;
    let destination = Destination::find(args.output.as_deref(), &input, args.force)?;
    let mut progress = Progress::new(input.len(), args.quiet);
    let mut source = Source::new(Box::new(move |buffer| input.read(buffer)), source::BUFFER);
    let format = format(args, &mut source)?;
    interrupts::watch();
    let mut output = destination.open(Style { force: args.force, ..Style::default() })?;
    let threads = args.threads.map_or_else(processors, std::num::NonZeroUsize::get);
    let settings = run::Settings { threads, stop_on_error: args.stop_on_error };
    let total = if format == FormatName::Jsonl {
        let layout = json::JsonLayout(columns.clone());
        let reader = Reader::new(source, json::JsonSplitter);
        run::run(&plan, settings, reader, &layout, Rows::default(), &mut output, &mut progress)?
    } else {
        let style = csv::Style {
            delimiter: args.delimiter,
            has_header: !args.no_header,
            escape_formulas: args.escape_formulas,
        };
        let mut header = Vec::new();
        let mut reader = Reader::new(source, csv::CsvSplitter::new(args.delimiter));
        let (layout, first) = csv::open(&mut reader, style, &columns, &mut header)?;
        output.write(&header)?;
        run::run(&plan, settings, reader, &layout, first, &mut output, &mut progress)?
    };
    drop(progress);
    let was_guessed = args.format == FormatName::Auto && format == FormatName::Jsonl;
    finish(output, &plan, &columns, &total, was_guessed, &notes)
}

/// Puts the output in its place, and gives the account. If `was_guessed`, nobody said that the input is
/// JSON lines.
fn finish(
    output: Output,
    plan: &Plan,
    columns: &Columns,
    total: &run::Total,
    was_guessed: bool,
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
        let hint = match was_guessed && total.errors == total.records {
            true => "; it was taken for JSON lines as it starts with {, a CSV needs --format csv",
            false => "",
        };
        return Err(Error::failure(format!("{account} (see column {}){hint}", columns.error)));
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

/// Finds out the format, and leaves out a byte order mark.
///
/// # Errors
/// The input's; text in UTF-16; an option or a name that the format does not have.
fn format(args: &Arguments, source: &mut Source<'_>) -> Result<FormatName> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    // A pipe may bring the first bytes one by one.
    let start = source.look(|text| text.len() >= MARK.len())?;
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return Err(Error::failure(
            "the input is UTF-16; convert it first, for instance with iconv -f UTF-16 -t UTF-8",
        ));
    }
    if start.starts_with(MARK) {
        source.consume(MARK.len());
    }
    let format = match args.format {
        FormatName::Auto => {
            let start = source.look(|text| !text.trim_ascii().is_empty())?;
            let is_object = start.trim_ascii_start().starts_with(b"{");
            if is_object { FormatName::Jsonl } else { FormatName::Csv }
        }
        given => given,
    };
    if format == FormatName::Jsonl {
        let csv_only =
            [("--no-header", args.no_header), ("--escape-formulas", args.escape_formulas)];
        if let Some((option, _)) = csv_only.iter().find(|(_, is_given)| *is_given) {
            return Err(Error::usage(format!("{option} is for CSV, and the input is JSON lines")));
        }
        if json::KEPT.contains(&&*args.error_column) {
            return Err(Error::usage(format!(
                "lines that are no object are kept as a field {}; name another with --error-column",
                args.error_column
            )));
        }
    }
    Ok(format)
}

/// For fuzz targets: any bytes as a field in every form, and as a line of JSON.
pub(crate) fn fuzz(data: &[u8]) {
    use cipherloom_formats::encoding::Encoding;
    for encoding in [Encoding::Hex, Encoding::Base64, Encoding::Text] {
        let (mut bytes, mut text, mut again) = (Vec::new(), Vec::new(), Vec::new());
        if encoding.decode(data, &mut bytes).is_ok() && encoding.encode(&bytes, &mut text).is_ok() {
            encoding.decode(&text, &mut again).expect("what was written can be read");
            assert_eq!(bytes, again);
        }
    }
    json::fuzz(data);
}
