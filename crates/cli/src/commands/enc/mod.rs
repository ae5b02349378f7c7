//! `enc` and `dec`.

mod long;
mod preset;
mod told;

use cipherloom::Direction;
use cipherloom_formats::Cipher;
use cipherloom_formats::encoding::{Armor, Decoder, hex};

use crate::args::enc::EncArgs;
use crate::args::given::Given;
use crate::errors::{Error, Result};
use crate::io::destination::Destination;
use crate::io::input::Input;
use crate::io::interrupts;
use crate::io::notes::Notes;
use crate::io::output::{Style, binary_to_terminal};
use crate::io::progress::Progress;
use crate::io::source::Source;
use crate::job::{self, Job, Purpose};
use crate::pipeline::{self, Manner};
use crate::text::{print, tell};
use told::with_warning;

/// Runs `dec`, or `enc` in the direction that its options ask for.
///
/// # Errors
/// Whatever the work meets; no output file is there then.
pub(crate) fn run(args: &EncArgs, given: &Given, direction: Direction) -> Result<()> {
    if args.other.list {
        return print(&format!("{}\n", Cipher::names().join("\n")));
    }
    let is_encryption = direction == Direction::Encrypt;
    check(args, is_encryption)?;
    if let Some(preset) = args.preset.preset {
        return preset::run(args, given, preset);
    }
    let notes = Notes::new(args.other.quiet);
    job::check_given(&args.key, given, &notes, |id| match id {
        "one_line" => args.base64,
        "key_file" | "key_encoding" | "charset" => false,
        _ => true,
    })?;

    let armor = match (args.base64, args.hex) {
        (true, _) => Some(Armor::Base64 { one_line: args.one_line }),
        (_, true) => Some(Armor::Hex),
        _ => None,
    };
    let input = Input::open(args.input.as_deref())?;
    Destination::spare(args.output.as_deref(), args.key.password.source.files())?;
    let destination = Destination::find(args.output.as_deref(), &input, args.force)?;
    let name = input.name();
    if is_encryption
        && armor.is_none()
        && !args.force
        && destination.is_terminal()
        && !args.other.print_only
    {
        return Err(binary_to_terminal());
    }
    let len = input.len();
    let decoder = armor.filter(|_| !is_encryption).map(|armor| Decoder::new(armor, args.salvage));
    let mut source = Source::new(input, decoder);

    // `dec` finds the key derivation out; `enc -d` has OpenSSL's default.
    let purpose = Purpose {
        direction,
        auto: !is_encryption && !args.decrypt,
        salvage: args.salvage,
        key_only: args.other.print_only,
    };
    let mut job = Job::prepare(&args.key, purpose, &mut source, &notes)?;
    if args.other.print_only {
        return print(&describe(&job));
    }
    warn(&job, &notes);

    interrupts::watch();
    let mut output = destination.open(Style {
        armor: armor.filter(|_| is_encryption),
        spool: args.spool,
        force: args.force,
    })?;
    if let Some(header) = &job.header {
        output.write(header)?;
    }
    if args.other.print {
        print(&describe(&job))?;
    }
    let engine = job.engine()?;
    let manner = Manner { threads: args.threads(), salvage: args.salvage };
    let progress = Progress::new(len, args.other.quiet);
    let report = match pipeline::run(source, engine, &mut output, progress, manner) {
        Ok(report) => report,
        Err(error) => return Err(with_warning(output.lost_control(), job.explain(error))),
    };
    job.missing.extend(report.missing);
    let written = output.commit(&notes)?;
    if args.other.verbose {
        let read = report.read_in_all;
        tell(&format!("bytes read   : {read:8}\nbytes written: {written:8}\n"));
    }
    if !job.missing.is_empty() {
        let missing: Vec<String> = job.missing.iter().map(ToString::to_string).collect();
        return Err(Error::failure(format!(
            "{name}: salvaged {written} bytes, but {}",
            missing.join("; ")
        )));
    }
    Ok(())
}

/// Options that do not go together.
fn check(args: &EncArgs, is_encryption: bool) -> Result<()> {
    if args.encrypt && !is_encryption {
        return Err(Error::usage("dec decrypts; use enc for -e"));
    }
    if args.salvage && is_encryption {
        return Err(Error::usage("--salvage is for decryption"));
    }
    if args.preset.preset.is_some() && (is_encryption || args.decrypt) {
        return Err(Error::usage("--preset is for dec"));
    }
    if args.salvage && args.output.is_none() {
        return Err(Error::usage("--salvage writes to a file; give its name with -out"));
    }
    Ok(())
}

/// What the user should hear before an encryption.
fn warn(job: &Job, notes: &Notes) {
    if job.direction == Direction::Encrypt {
        notes.say(&format!(
            "{} is a withdrawn cipher; use it for old systems only (--quiet silences this)",
            job.cipher.name
        ));
    }
}

/// Salt, key and IV in the form of `openssl enc -p`.
fn describe(job: &Job) -> String {
    let mut text = String::new();
    if let Some(salt) = &job.salt {
        text += &format!("salt={}\n", *hex::upper(salt));
    }
    text += &format!("key={}\n", *hex::upper(&job.material.key));
    if !job.material.iv.is_empty() {
        text += &format!("iv ={}\n", *hex::upper(&job.material.iv));
    }
    text
}
