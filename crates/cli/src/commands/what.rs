//! `what`: which program may have written a value or a file, and how it is opened.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Container, Preset, Sign, Text};
use cipherloom_formats::recognise::{Guess, recognise};
use cipherloom_measure::Columns;
use clap::Args;

use crate::errors::{Error, Result};
use crate::io::input::Input;
use crate::{presets, text};

/// Bytes of a file that are looked at. Of longer ones the first bytes tell, and the length.
const MOST: usize = 1 << 20;

/// Any block's size divides it: a cut file keeps the rest of its length by it.
const BLOCKS: u64 = 16;

/// Say what a file or a pasted value may be, why, and how to open it
#[derive(Args, Debug)]
#[command(after_help = "\
Nothing is decrypted: first bytes, characters and length tell. Where only the length speaks, many \
programs may have written the value.

Examples: cipherloom what backup.bin
          cipherloom what 'ENC(VIYeyCyD9/55Hhd1IajXmA==)'
          cipherloom what --list")]
pub(crate) struct WhatArgs {
    /// A file, - for standard input, or the value itself
    // A key in PEM begins with dashes.
    #[arg(
        value_name = "FILE | VALUE",
        required_unless_present = "list",
        allow_hyphen_values = true
    )]
    what: Option<OsString>,

    /// List also what only the length speaks for, where more speaks for others
    #[arg(long)]
    all: bool,

    /// List the presets: every way of writing data that is known here
    #[arg(long, conflicts_with = "what")]
    list: bool,
}

/// What is looked at.
struct Subject {
    bytes: Vec<u8>,
    /// For the first line.
    name: String,
    /// How a command line takes it in: before the command, and behind.
    before: String,
    behind: String,
}

/// Runs the sub-command.
///
/// # Errors
/// The input's; nothing is known of what it is.
pub(crate) fn run(args: &WhatArgs) -> Result<()> {
    let Some(what) = &args.what else { return text::print(&presets::list()) };
    let subject = Subject::find(what)?;
    let guesses = recognise(&subject.bytes);
    if guesses.is_empty() {
        return Err(Error::failure(format!(
            "{}: nothing here knows what it is; if it is a table, give `what` one of its values; raw \
             ciphertext says nothing of itself (cipherloom dec --help)",
            subject.name
        )));
    }
    text::print(&subject.render(&guesses, args.all))
}

impl Subject {
    fn find(what: &OsStr) -> Result<Self> {
        let path = Path::new(what);
        if what != "-" && !path.exists() {
            let bytes = what.as_encoded_bytes().to_vec();
            let value = what.to_string_lossy();
            return Ok(Self {
                before: format!("echo {} | ", quoted(&value)),
                behind: String::new(),
                name: value.into_owned(),
                bytes,
            });
        }
        let mut input = Input::open(Some(path))?;
        let (mut bytes, is_all) = input.read_to(MOST)?;
        if !is_all {
            // As many over whole blocks as the file has.
            let over = input.len().map_or(0, |len| len % BLOCKS) as usize;
            bytes.truncate(MOST - BLOCKS as usize + over);
        }
        let behind = match what == "-" {
            true => String::new(),
            false => format!(" -in {}", quoted(&what.to_string_lossy())),
        };
        Ok(Self { name: input.name(), before: String::new(), behind, bytes })
    }

    /// Guesses for people: those with a sign of their own in full, the others in a table.
    fn render(&self, guesses: &[Guess], all: bool) -> String {
        let (sure, others): (Vec<_>, Vec<_>) =
            guesses.iter().partition(|guess| guess.sign > Sign::Length);
        let mut text = format!("{}\n", self.name);
        // The ways of OpenSSL differ in nothing that can be seen; `dec` finds out which it was.
        let is_openssl =
            |guess: &Guess| guess.preset.is_some_and(|row| row.name.starts_with("openssl-"));
        let mut has_openssl = false;
        for guess in &sure {
            if is_openssl(guess) && std::mem::replace(&mut has_openssl, true) {
                continue;
            }
            let (what, open) = match guess.preset {
                Some(_) if is_openssl(guess) => (
                    "openssl enc with a password, or what writes the same".to_owned(),
                    self.command("-des3", guess),
                ),
                Some(preset) => {
                    let what = format!("{}: {}", preset.name, preset.written_by);
                    (what, self.command(&format!("--preset {}", preset.name), guess))
                }
                None => {
                    text += &format!("\n  {}\n", guess.why);
                    continue;
                }
            };
            text += &format!("\n  {what}\n    because  {}\n    open it  {open}\n", guess.why);
        }
        if others.is_empty() {
            return text;
        }
        if !sure.is_empty() && !all {
            let s = if others.len() == 1 { "" } else { "s" };
            text += &format!(
                "\nBy its length alone it may be of {} other preset{s} (--all).\n",
                others.len()
            );
            return text;
        }
        let mut table = Columns::new(2, ["preset", "written by"]);
        for guess in &others {
            let Some(preset) = guess.preset else { continue };
            table.row([preset.name, preset.written_by]);
        }
        let first = others[0];
        text += &format!("\nOnly its length speaks ({}): it may be one of these.\n\n", first.why);
        text += &table.to_string();
        if let Some(preset) = first.preset {
            let open = self.command(&format!("--preset {}", preset.name), first);
            text += &format!("\nTo try one: {open}\n");
        }
        text
    }

    /// The command that opens it.
    fn command(&self, by: &str, guess: &Guess) -> String {
        let mut command = format!("{}cipherloom dec {by}", self.before);
        if let Some(preset) = guess.preset {
            if by.starts_with("--preset") {
                command += &options(preset);
            }
            let is_usual = preset.text == guess.text && by.starts_with("--preset");
            command += match guess.text {
                Text::As(Encoding::Base64) if !is_usual => " -a",
                Text::As(Encoding::Hex) if !is_usual => " --hex",
                _ => "",
            };
        }
        command + &self.behind
    }
}

/// What a preset must be told beside its secret.
fn options(preset: &Preset) -> String {
    let mut options = String::new();
    if preset.choice().is_none() {
        options += " -des3";
    }
    if preset.takes_iv() {
        options += " --iv HEX";
    }
    if preset.takes_salt() && preset.container == Container::None {
        options += " -S HEX";
    }
    options
}

/// A word of a command line, in quotes where a shell would not leave it alone.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+/=._-:,@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
