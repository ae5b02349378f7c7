//! `dec --preset`: one value, as a program wrote it.

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Outcome, Plaintext, Preset, Witness};
use zeroize::Zeroizing;

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

/// Bytes of a value. It is read whole; what is longer is a file of some other kind.
const MOST: usize = 256 << 20;

/// Opens the input.
///
/// # Errors
/// Bad usage; a value that is not decrypted, and why.
pub(super) fn run(args: &EncArgs, given: &Given, preset: &'static Preset) -> Result<()> {
    check_given(preset, args.key.cipher.as_deref(), given, |id| {
        ["input", "output", "base64", "hex", "force", "spool", "quiet"].contains(&id)
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
    let (value, is_all) = input.read_to(MOST)?;
    if !is_all {
        return Err(Error::failure(format!(
            "{name} has more than {} MiB, and --preset reads one value at a time; for a column of \
             values take `cipherloom records --preset`",
            MOST >> 20
        )));
    }
    let outcome = opening
        .open_any(&value)
        .map_err(|error| Error::usage(format!("preset {}: {error}", preset.name)))?;
    let plaintext = match outcome {
        Outcome::Decrypted(plaintext) => plaintext,
        Outcome::Other(other, _) if !other.is_empty() => {
            return Err(Error::failure(format!(
                "{name}: {outcome}; try --preset {other}; nothing was written"
            )));
        }
        Outcome::WrongKey => {
            let doubts = opening.doubts();
            let or = if doubts.is_empty() { String::new() } else { format!("; or it is {doubts}") };
            return Err(Error::failure(format!("{name}: {outcome}{or}; nothing was written")));
        }
        _ => return Err(Error::failure(format!("{name}: {outcome}; nothing was written"))),
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
    let name = opening.preset.name;
    let witness = plaintext.witness;
    let decrypted = if witness == Witness::Nothing { "" } else { "decrypted; " };
    let doubt = if witness.is_weak() { "; look at the result before you trust it" } else { "" };
    notes.say(&format!("{name}: {decrypted}{witness}{doubt}"));
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
