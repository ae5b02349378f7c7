//! `what`: which program may have written a value or a file, and how it is opened.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use cipherloom_formats::Cipher;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Container, Preset, Sign, Text};
use cipherloom_formats::recognise::{Guess, Recognised, recognise_start};
use cipherloom_measure::Columns;
use clap::Args;

use crate::errors::{Error, Result};
use crate::io::input::Input;
use crate::{presets, text};

/// Bytes of a file that are looked at. Of longer ones the first bytes tell, and the length.
const MOST: usize = 64 << 10;

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

/// Characters of a value that are shown, and with which it is put on a command line.
const SHOWN: usize = 200;

/// What is looked at.
struct Subject {
    bytes: Vec<u8>,
    /// Bytes of the whole, where these are its first.
    len: Option<u64>,
    /// For the first line.
    name: String,
    /// How a command line takes it in: before the command, and behind.
    before: String,
    behind: String,
    is_column: bool,
}

/// Runs the sub-command.
///
/// # Errors
/// The input's; nothing is known of what it is.
pub(crate) fn run(args: &WhatArgs) -> Result<()> {
    let Some(what) = &args.what else { return text::print(&presets::list()) };
    let mut subject = Subject::find(what)?;
    let found = recognise_start(&subject.bytes, subject.len);
    subject.is_column = found.is_column;
    if found.guesses.is_empty() {
        let Subject { name, behind, .. } = &subject;
        return Err(Error::failure(match behind.is_empty() && what != "-" {
            true => format!("there is no file {name}, and as a value nothing here knows it"),
            false => format!(
                "{name}: nothing here knows what it is; of a table, give `what` one of its values; raw \
                 ciphertext says nothing of itself (cipherloom dec --help)"
            ),
        }));
    }
    text::print(&subject.render(&found, args.all))
}

impl Subject {
    fn find(what: &OsStr) -> Result<Self> {
        let path = Path::new(what);
        let value = what.to_string_lossy();
        if value.is_empty() {
            return Err(Error::usage("there is nothing to look at; give a file or a value"));
        }
        if value.starts_with('-') && value != "-" && !value.starts_with("-----") {
            return Err(Error::usage(format!("unknown option {value}; see --help")));
        }
        if what != "-" && !path.exists() {
            let is_short = value.chars().count() <= SHOWN && !value.contains('\n');
            return Ok(Self {
                bytes: what.as_encoded_bytes().to_vec(),
                len: None,
                is_column: false,
                before: match is_short {
                    true => format!("printf '%s\\n' {} | ", quoted(&value)),
                    false => String::new(),
                },
                behind: if is_short { String::new() } else { " -in FILE".to_owned() },
                name: match is_short {
                    true => value.into_owned(),
                    false => value.chars().take(SHOWN).chain("...".chars()).collect(),
                },
            });
        }
        let mut input = Input::open(Some(path))?;
        let (bytes, is_all) = input.read_to(MOST)?;
        // Of a pipe nobody knows how long it is; it is longer than this.
        let len = if is_all { None } else { input.len().or(Some(u64::MAX)) };
        let behind = match what == "-" {
            true => String::new(),
            false => format!(" -in {}", quoted(&value)),
        };
        Ok(Self { name: input.name(), before: String::new(), behind, bytes, len, is_column: false })
    }

    /// Guesses for people: those with a sign of their own in full, the others in a table.
    fn render(&self, found: &Recognised, all: bool) -> String {
        let (sure, others): (Vec<_>, Vec<_>) =
            found.guesses.iter().partition(|guess| guess.sign > Sign::Length);
        let mut text = format!("{}\n", self.name);
        if found.is_column {
            text += "\nIt is a column, a value in a line: `cipherloom records -d --preset NAME --no-header \
                     --data-column 1` opens them.\n";
        }
        let mut has_openssl = false;
        for guess in &sure {
            let is_openssl = guess.preset.is_some_and(is_openssls);
            if is_openssl && std::mem::replace(&mut has_openssl, true) {
                continue;
            }
            let what = match guess.preset {
                Some(_) if is_openssl => {
                    "openssl enc with a password, or what writes the same".into()
                }
                Some(preset) => format!("{}: {}", preset.name, preset.written_by),
                None => {
                    text += &format!("\n  {}\n", guess.why);
                    continue;
                }
            };
            let open = self.command(&self.options(guess));
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
        let mut table = Columns::new(3, ["written by", "cipherloom dec", ""]);
        for guess in &others {
            let Some(preset) = guess.preset else { continue };
            table.row([preset.written_by, &*self.options(guess), ""]);
        }
        text += &format!(
            "\nOnly its length speaks ({}): it may be one of these.\n\n{table}\nTo try one: {}\n",
            others[0].why,
            self.command("--preset NAME")
        );
        text
    }

    /// The command that opens it.
    fn command(&self, options: &str) -> String {
        format!("{}cipherloom dec {options}{}", self.before, self.behind)
    }

    /// The options that the preset of a guess wants beside its secret.
    fn options(&self, guess: &Guess) -> String {
        let Some(preset) = guess.preset else { return String::new() };
        let cipher = preset.cipher_for(&self.decoded(guess.text));
        let takes_iv = preset.takes_iv(cipher.and_then(Cipher::find).as_ref());
        let cipher = cipher.map(|name| format!("-{name}"));
        // The ways of OpenSSL differ in nothing that can be seen; `dec` finds out which it was.
        let is_openssl = is_openssls(preset);
        let name = (!is_openssl).then(|| format!("--preset {}", preset.name));
        let text = match guess.text {
            Text::As(_) if preset.text == guess.text && !is_openssl => None,
            Text::As(Encoding::Base64) => Some("-a"),
            Text::As(Encoding::Hex) => Some("--hex"),
            _ => None,
        };
        let words = [
            name,
            cipher,
            takes_iv.then(|| "--iv HEX".to_owned()),
            preset.takes_salt().then(|| "-S HEX".to_owned()),
            text.map(str::to_owned),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// The bytes that a way of reading makes of it, or of the first value of a column; none if it is wrapped.
    fn decoded(&self, text: Text) -> Vec<u8> {
        let mut bytes = Vec::new();
        let Text::As(encoding) = text else { return bytes };
        let value = match self.is_column {
            true => self.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default(),
            false => &self.bytes[..],
        };
        if encoding != Encoding::Text && encoding.decode(value.trim_ascii(), &mut bytes).is_ok() {
            return bytes;
        }
        let mut bytes = value.to_vec();
        if let Some(len) = self.len {
            // As many over whole blocks as the whole has.
            bytes.truncate((bytes.len().saturating_sub(8) / 8) * 8 + (len % 8) as usize);
        }
        bytes
    }
}

fn is_openssls(preset: &Preset) -> bool {
    preset.container == Container::Salted && preset.name.starts_with("openssl-")
}

/// A word of a command line, in quotes where a shell would not leave it alone.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+/=._-:,@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
