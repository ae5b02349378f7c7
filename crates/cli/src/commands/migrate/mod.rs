//! `migrate`: from an old encrypted file to an age file, verified.

mod args;
mod holder;
mod seal;

use std::num::NonZeroUsize;
use std::path::Path;

pub(crate) use args::Arguments;

use cipherloom::Direction;
use cipherloom_formats::encoding::{Armor, Decoder};
use cipherloom_formats::looks;
use holder::Holder;
use seal::{Seal, Sealed};

use crate::args::given::Given;
use crate::errors::{Error, Result};
use crate::io::destination::Destination;
use crate::io::input::Input;
use crate::io::interrupts;
use crate::io::notes::Notes;
use crate::io::output::Style;
use crate::io::progress::Progress;
use crate::io::source::Source;
use crate::job::{self, Job, Purpose};
use crate::pipeline::{self, Manner};
use crate::text;

/// As `openssl enc -a` writes it.
const BASE64: Armor = Armor::Base64 { one_line: false };

/// Runs the command.
///
/// # Errors
/// Whatever the work meets; there is no new file then, and the old one is as it was.
pub(crate) fn run(args: &Arguments, given: &Given) -> Result<()> {
    let notes = Notes::new(args.quiet);
    job::check_given(&args.key, given, &notes, |_| true)?;
    let holder = Holder::of_keys(&args.to)?;
    let input = Input::open(Some(&args.input))?;
    let to = [&args.to.identity, &args.to.passphrase_file].map(Option::as_deref);
    Destination::spare(Some(&args.output), args.key.password.source.files().into_iter().chain(to))?;
    let destination = Destination::find(Some(&args.output), &input, args.force)?;
    if !matches!(destination, Destination::File { .. }) {
        return Err(Error::usage(format!(
            "{} cannot be read back, so the new data could not be verified there; give the name of \
             a file",
            args.output.display()
        )));
    }
    let (name, len) = (input.name(), input.len());
    let mut source = Source::new(input, args.base64.then(|| Decoder::new(BASE64, false)));
    let purpose =
        Purpose { direction: Direction::Decrypt, auto: true, salvage: false, key_only: false };
    let job = Job::prepare(&args.key, purpose, &mut source, &notes)?;
    let holder = match holder {
        Some(holder) => holder,
        None => Holder::of_passphrase(&args.to, &notes)?,
    };

    interrupts::watch();
    let mut seal = Seal::new(destination.open(Style::default())?, &holder)?;
    let threads = args.threads.or_else(|| std::thread::available_parallelism().ok());
    let manner = Manner { threads: threads.map_or(1, NonZeroUsize::get), salvage: false };
    let progress = Progress::new(len, args.quiet);
    let report = pipeline::run(source, job.engine()?, &mut seal, progress, manner)
        .map_err(|error| job.explain(error))?;
    let mut sealed = seal.finish()?;
    sealed.verify(&holder)?;
    let account = account(args, &job, &name, report.read, &sealed, &holder);
    sealed.commit(&notes)?;
    if !args.quiet {
        // The work is done, whether or not somebody reads this.
        let _ = text::print_lines(&account);
    }
    Ok(())
}

/// What was done, for the user, a line each.
fn account(
    args: &Arguments,
    job: &Job,
    name: &str,
    read: u64,
    sealed: &Sealed,
    holder: &Holder,
) -> Vec<String> {
    let new = args.output.display();
    let plaintext = sealed.plaintext.len;
    let key = match &job.derivation {
        Some(derivation) => format!("the key from the password by {}", derivation.options()),
        None => "the key as given".to_owned(),
    };
    let judged = if job.is_judged() {
        "its padding is right".to_owned()
    } else {
        format!("{} has no padding that would show a wrong key", job.cipher.name)
    };
    let looks = match looks::like_what(&sealed.head) {
        Some(what) => format!("it starts like {what}"),
        None => "its start looks like no type of file that is known here".to_owned(),
    };
    let verified = if holder.can_open() {
        format!("{new} was read back and decrypted: the same {plaintext} bytes (SHA-256)")
    } else {
        format!(
            "{new} was read back: the same {} bytes as were written (SHA-256). That is all that \
             can be done without the secret key; --identity FILE would decrypt it too",
            sealed.written.len
        )
    };
    let mut lines = vec![
        format!("read      {name}: {read} bytes of {}, {key}", job.cipher.name),
        format!("decrypted {plaintext} bytes; {judged}; {looks}"),
        format!("written   {new}: {} bytes, age, {}", sealed.written.len, holder.describe()),
        format!("verified  {verified}"),
    ];
    if args.input != Path::new("-") {
        lines.push("kept      the old file".to_owned());
    }
    lines
}
