//! `records`: one column of a table, record by record.

pub(crate) mod args;
#[cfg(feature = "arrow")]
mod columnar;
pub(crate) mod csv;
mod format;
mod json;
mod layout;
mod plan;
mod rows;
mod run;
mod service;
mod source;
mod status;
mod worker;

pub(crate) use args::Arguments;

use cipherloom::Direction;
use cipherloom_records::{KeyFrom, Task, WeakKeys};

use args::FormatName;
use format::Format;
use layout::Layout;
use plan::{Columns, Plan};
use rows::{Reader, Rows, Splitter};
use run::{Settings, Steps, Total};
use source::Source;
use status::Status;
use worker::{Served, Worker};

use crate::args::given::Given;
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
pub(crate) fn run(args: &Arguments, given: &Given) -> Result<()> {
    let notes = Notes::new(args.quiet);
    let columns = Columns::new(args)?;
    let mut input = Input::open(args.input.as_deref())?;
    let secrets = args.password.files().into_iter().chain([args.preset.key_file.as_deref()]);
    Destination::spare(args.output.as_deref(), secrets)?;
    #[cfg_attr(not(feature = "arrow"), expect(unused_mut, reason = "of tables that it has"))]
    let mut plan = Plan::new(args, given, &notes)?;
    if let Plan::Cipher(plan) = &plan {
        warn(&plan.task, &notes)?;
    }
    // Which a password may have come from.
    input.begin()?;
    let destination = Destination::find(args.output.as_deref(), &input, args.force)?;
    let mut progress = Progress::new(input.len(), args.quiet);
    let threads = args.threads.map_or_else(processors, std::num::NonZeroUsize::get);
    let settings = Settings { threads, stop_on_error: args.stop_on_error };
    let style = Style { force: args.force, ..Style::default() };

    let file = Format::of_file(args, &mut input)?;
    if let Some(format) = file {
        format.check(args, given)?;
        #[cfg(feature = "arrow")]
        {
            interrupts::watch();
            let mut output = destination.open(style)?;
            let table = columnar::Table { args, columns: &columns, settings };
            let file = (input.into_file(), format == Format::Parquet);
            let total = table.run_file(&mut plan, file, &mut output, &mut progress)?;
            drop(progress);
            return finish(output, &plan, &columns, &total, false, &notes);
        }
        #[cfg(not(feature = "arrow"))]
        return Err(no_tables(format));
    }
    let mut source = Source::new(Box::new(move |buffer| input.read(buffer)), source::BUFFER);
    let format = Format::of_stream(args, &mut source)?;
    format.check(args, given)?;
    interrupts::watch();
    let mut output = destination.open(style)?;
    let total = if format == Format::ArrowStream {
        #[cfg(feature = "arrow")]
        {
            let table = columnar::Table { args, columns: &columns, settings };
            table.run_stream(&mut plan, source, &mut output, &mut progress)?
        }
        #[cfg(not(feature = "arrow"))]
        return Err(no_tables(format));
    } else if format == Format::Jsonl {
        let layout = json::JsonLayout(columns.clone());
        let reader = Reader::new(source, json::JsonSplitter);
        run_rows(&plan, settings, reader, &layout, Rows::default(), &mut output, &mut progress)?
    } else {
        let style = csv::Style {
            delimiter: args.delimiter,
            has_header: !args.no_header,
            escape_formulas: args.escape_formulas,
            null: args.null.as_deref(),
        };
        let mut header = Vec::new();
        let mut reader = Reader::new(source, csv::CsvSplitter::new(args.delimiter));
        let (layout, first) = csv::open(&mut reader, style, &columns, &mut header)?;
        output.write(&header)?;
        run_rows(&plan, settings, reader, &layout, first, &mut output, &mut progress)?
    };
    drop(progress);
    let was_guessed = args.format == FormatName::Auto && format == Format::Jsonl;
    finish(output, &plan, &columns, &total, was_guessed, &notes)
}

/// Serves rows of text; `first` are those that were read already.
fn run_rows<F: Splitter>(
    plan: &Plan,
    settings: Settings,
    mut reader: Reader<'_, F>,
    layout: &impl Layout,
    first: Rows,
    output: &mut Output,
    progress: &mut Progress,
) -> Result<Total> {
    let (mut total, mut seen) = (Total::default(), 0);
    let steps = Steps {
        read: |groups: &mut [Rows]| {
            let ready = run::read_rows(groups, &mut reader, layout);
            progress.add(reader.total() - seen);
            seen = reader.total();
            ready
        },
        serve: |worker: &mut Worker, rows: &Rows, served: &mut Served| {
            worker.process(plan, layout, rows, settings.stop_on_error, served)
        },
        write: |served: &mut Served| {
            output.write(&served.out)?;
            total.add(&served.report, settings)?;
            served.clear();
            Ok(())
        },
        is_large: |served: &Served| served.out.len() > 2 * rows::BYTES,
        clear: Rows::clear,
    };
    run::run(settings.threads, first, steps)?;
    Ok(total)
}

/// What the user should hear of key and cipher before the work.
///
/// # Errors
/// A weak key, where the options refuse them.
fn warn(task: &Task, notes: &Notes) -> Result<()> {
    if let KeyFrom::Same(key) = &task.key
        && let Some(fault) = task.cipher().fault(key)
    {
        if task.weak_keys == WeakKeys::Refused {
            return Err(Error::failure(format!("refused key: {fault} (--strict-keys)")));
        }
        notes.say(&format!("warning: the key is {fault}"));
    }
    if task.direction() == Direction::Encrypt {
        notes.say(&format!(
            "{} is a withdrawn cipher; use it for old systems only (--quiet silences this)",
            task.cipher().name
        ));
        if task.has_one_keystream() {
            notes.say(
                "warning: all records get the same keystream; who knows one plaintext can read all \
                 others",
            );
        }
    }
    Ok(())
}

/// Puts the output in its place, and gives the account. If `was_guessed`, nobody said that the input is
/// JSON lines.
fn finish(
    output: Output,
    plan: &Plan,
    columns: &Columns,
    total: &Total,
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
    if let Plan::Preset(_) = plan {
        doubt(total, notes);
    }
    let account = match plan {
        Plan::Preset(_) if total.unreadable > 0 => format!(
            "{}: {} ({} of the decrypted are no text)",
            count(total.records),
            total.counts,
            total.unreadable
        ),
        Plan::Preset(_) if total.records > 0 => {
            format!("{}: {}", count(total.records), total.counts)
        }
        _ => {
            let nulls = match total.counts.of(Status::PassedThrough) {
                0 => String::new(),
                nulls => format!(", {nulls} null"),
            };
            let [encrypted, decrypted] =
                [Status::Encrypted, Status::Decrypted].map(|status| total.counts.of(status));
            let unreadable = total.unreadable;
            format!(
                "{}: {} {}{nulls}, {} with an error",
                count(total.records),
                encrypted + decrypted - unreadable,
                if plan.encrypts() { "encrypted" } else { "decrypted" },
                total.errors
            )
        }
    };
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

/// What speaks against the results of a preset.
fn doubt(total: &Total, notes: &Notes) {
    /// From so many records on, chance is known by its share.
    const MANY: u64 = 100;
    /// One wrong key in 256 has a byte of padding that is right.
    const CHANCE: u64 = 128;
    let (decrypted, wrong) =
        (total.counts.of(Status::Decrypted), total.counts.of(Status::WrongKey));
    if total.unsure > 0 {
        notes.say(&format!(
            "little or nothing shows whether the key is right for {}; look at the results before you trust them",
            count(total.unsure)
        ));
    }
    if decrypted > 0 && wrong >= MANY && decrypted <= wrong / CHANCE {
        notes.say(&format!(
            "only {} of {} fit the key, no more than chance gives: it is probably wrong for all",
            decrypted,
            count(decrypted + wrong)
        ));
    }
    if total.wide > 0 {
        notes.say(&format!(
            "{} {} UTF-16, and the result is UTF-8; --charset bytes keeps such text as it is",
            count(total.wide),
            if total.wide == 1 { "was" } else { "were" }
        ));
    }
}

fn count(records: u64) -> String {
    if records == 1 { "1 record".into() } else { format!("{records} records") }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get).min(MOST_THREADS)
}

#[cfg(not(feature = "arrow"))]
fn no_tables(format: Format) -> Error {
    Error::usage(format!(
        "the input is {format}, and this cipherloom was built without `arrow`; build it with the feature of \
         that name"
    ))
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
