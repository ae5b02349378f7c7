//! `dec --preset`: one value, as a program wrote it.

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Outcome, Plaintext, Preset};
use zeroize::Zeroizing;

use super::told::{misused, not_opened, tell};
use crate::args::enc::EncArgs;
use crate::args::given::Given;
use crate::args::preset::CharsetName;
use crate::errors::{Error, Result};
use crate::io::destination::Destination;
use crate::io::input::Input;
use crate::io::interrupts;
use crate::io::notes::Notes;
use crate::io::output::Style;
use crate::keying::password;
use crate::presets::{Opening, Options, OwnColumns, Source, check_given};

/// Bytes of a value that is opened whole. A longer one is opened in pieces.
const WHOLE: usize = 16 << 20;

/// The same, where a preset has no pieces.
const MOST: usize = 256 << 20;

/// First bytes, which show how a long value is written.
const START: usize = 4096;

/// Opens the input.
///
/// # Errors
/// Bad usage; a value that is not decrypted, and why.
pub(super) fn run(args: &EncArgs, given: &Given, preset: &'static Preset) -> Result<()> {
    check_given(preset, args.key.cipher.as_deref(), given, |id| {
        ["input", "output", "base64", "hex", "force", "spool", "quiet"].contains(&id)
            || id == "threads" && preset.is_of_any_length()
            || id == "one_line" && args.base64
    })?;
    let notes = Notes::new(args.other.quiet);
    let text = match (args.base64, args.hex) {
        (true, _) => Some(Encoding::Base64),
        (_, true) => Some(Encoding::Hex),
        _ => None,
    };
    let (key, own) = (&args.key, &args.preset);
    let options = Options {
        preset,
        cipher: key.cipher.as_deref(),
        iv: key.iv.as_deref().map(|iv| ("--iv", iv)),
        salt: key.password.salt_hex.as_deref().map(|salt| ("-S", salt)),
        text,
        padding: if key.nopad { Some(crate::args::key::PaddingName::None) } else { key.padding },
        digest: key.password.md.as_deref(),
        count: key.password.iter,
        charset: own.charset.map(Charset::from),
        key_encoding: None,
        own: OwnColumns { iv: false, salt: false, iv_option: "--iv", salt_option: "-S" },
    };
    let mut input = Input::open(args.input.as_deref())?;
    let files = key.password.source.files();
    Destination::spare(args.output.as_deref(), files.into_iter().chain([own.key_file.as_deref()]))?;
    let destination = Destination::find(args.output.as_deref(), &input, args.force)?;
    let source = Source {
        key: key.raw_key.as_deref(),
        key_file: own.key_file.as_deref(),
        key_encoding: own.key_encoding.map(Encoding::from),
        password: password::given(&key.password.source, &notes)?,
    };
    let opening = Opening::new(&options, Some(source), &notes)?;
    // Which the password may have come from.
    input.begin()?;
    let name = input.name();
    let (mut value, mut is_all) = input.read_to(WHOLE)?;
    if !is_all {
        let start = value[..START].to_vec();
        input.put_back(value);
        if let Some(long) = opening.long(&start) {
            return super::long::run(args, &opening, (long, input), destination, &notes);
        }
        (value, is_all) = input.read_to(MOST)?;
    }
    if !is_all {
        return Err(Error::failure(format!(
            "{name} has more than {} MiB, and values of {} are opened whole; for a column of values take \
             `cipherloom records --preset`",
            MOST >> 20,
            preset.name
        )));
    }
    let outcome = opening.open_any(&value).map_err(|error| misused(&opening, error))?;
    let plaintext = match outcome {
        Outcome::Decrypted(plaintext) => plaintext,
        outcome => return Err(not_opened(&opening, &name, &outcome, 0)),
    };
    interrupts::watch();
    let style = Style { spool: args.spool, force: args.force, ..Style::default() };
    // A place that cannot be written to is told before success is.
    let mut output = destination.open(style)?;
    let bytes = written(args, &plaintext, &opening, &notes)?;
    output.write(&bytes)?;
    output.commit(&notes)?;
    Ok(())
}

/// The bytes to write: text in UTF-8, anything else as it is.
fn written(
    args: &EncArgs,
    plaintext: &Plaintext,
    opening: &Opening,
    notes: &Notes,
) -> Result<Zeroizing<Vec<u8>>> {
    tell(opening, plaintext.witness, notes);
    let bytes = &plaintext.bytes;
    if let Some(text) = opening.text(bytes) {
        if opening.is_open_to_text() && text.as_bytes() != &bytes[..] {
            notes.say("the plaintext is UTF-16, and is written as UTF-8; --charset bytes keeps it as it is");
        }
        return Ok(Zeroizing::new(text.as_bytes().to_vec()));
    }
    if args.preset.charset.is_some_and(|charset| charset != CharsetName::Bytes) {
        return Err(Error::failure(
            "the plaintext is no such text as --charset says; nothing was written",
        ));
    }
    if opening.charset() == Charset::Der {
        notes.say("it is written in DER; `openssl pkey -inform DER -in FILE` makes PEM of it");
    }
    Ok(bytes.clone())
}
