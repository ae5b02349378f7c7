//! From OpenSSL's form of a command line to the usual one.
//!
//! OpenSSL takes every option with one dash or two, and names of ciphers as flags. Which options
//! take a value is known from clap's own description of the command, so there is no second table to
//! keep: `-k -in` is a password, `-des3` no cluster of `-d`, `-e` and `-s`.

use std::ffi::{OsStr, OsString};

use cipherloom_formats::Cipher;
use clap::{Arg, Command};

use crate::ciphers;
use crate::errors::{Error, Result};

/// The sub-commands whose options have OpenSSL's form.
const OPENSSL_STYLE: [&str; 4] = ["enc", "dec", "migrate", "records"];

/// What may stand in place of a sub-command.
const CLAPS_OWN: [&str; 5] = ["-h", "--help", "-V", "--version", "--"];

/// Options of some `openssl enc` that cannot be ignored.
const DECLINED: [(&str, &str); 2] = [
    ("z", "-z (zlib) is not supported: leave it out, and compress or expand in a step of its own"),
    ("none", "-none is not supported: it copies data without encrypting it"),
];

/// Rewrites a command line, program name included, for the clap command `cli`.
///
/// # Errors
/// Bad usage: an option or cipher that nobody knows, a value that is missing or too much.
pub(crate) fn normalise(cli: &Command, args: Vec<OsString>) -> Result<Vec<OsString>> {
    let mut args = args.into_iter();
    let mut out: Vec<OsString> = args.next().into_iter().collect();
    let Some(first) = args.next() else { return Ok(out) };
    let mut name = first.to_string_lossy().into_owned();
    // `openssl des3 ...` is short for `openssl enc -des3 ...`.
    let cipher = Cipher::find(&name).filter(|_| cli.find_subcommand(&name).is_none());
    if cipher.is_some() {
        "enc".clone_into(&mut name);
        out.push("enc".into());
    } else {
        out.push(first);
    }
    out.extend(cipher.map(|cipher| format!("--cipher={}", cipher.name).into()));
    match cli.find_subcommand(&name) {
        Some(command) if OPENSSL_STYLE.contains(&&*name) => {
            options(command, args, &mut out)?;
        }
        // Where it is built in, it was found.
        None if name == "migrate" => {
            return Err(Error::usage(
                "this cipherloom was built without `migrate`; build it with the feature of that name",
            ));
        }
        None if looks_like_cipher(&name) => {
            return Err(Error::usage(ciphers::explain_unknown(&name)));
        }
        None if name.starts_with('-') && !CLAPS_OWN.contains(&&*name) => {
            return Err(Error::usage(format!(
                "{name} stands where a command belongs; begin with `cipherloom dec` or \
                 `cipherloom enc`"
            )));
        }
        _ => out.extend(args),
    }
    Ok(out)
}

fn options(
    command: &Command,
    mut args: impl Iterator<Item = OsString>,
    out: &mut Vec<OsString>,
) -> Result<()> {
    while let Some(token) = args.next() {
        let bytes = token.as_encoded_bytes();
        if token == "--" {
            out.push(token);
            out.extend(args);
            return Ok(());
        }
        if !bytes.starts_with(b"-") || token == "-" {
            out.push(token);
            continue;
        }
        let body = bytes.strip_prefix(b"--").unwrap_or(&bytes[1..]);
        let end = body.iter().position(|&byte| byte == b'=').unwrap_or(body.len());
        let name = String::from_utf8_lossy(&body[..end]).into_owned();
        let dashes = bytes.len() - body.len();
        let inline = (end < body.len()).then(|| tail(&token, dashes + end + 1));
        match find(command, &name) {
            Some(option) => out.push(spell(option, &name, inline, || args.next())?),
            None if is_threads(&name) => out.push(token),
            None => {
                let cipher = Cipher::find(&name).filter(|_| inline.is_none());
                let cipher = cipher.ok_or_else(|| unknown(command, &name))?;
                out.push(format!("--cipher={}", cipher.name).into());
            }
        }
    }
    Ok(())
}

/// The option of that name, one letter or many.
fn find<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    let mut letters = name.chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    command.get_arguments().find(|option| {
        option.get_long_and_visible_aliases().is_some_and(|all| all.contains(&name))
            || option.get_all_aliases().is_some_and(|all| all.contains(&name))
            || letter.is_some_and(|letter| option.get_short() == Some(letter))
    })
}

/// The option as clap wants it: `--long`, `--long=value` or `-s`, each one token.
fn spell(
    option: &Arg,
    name: &str,
    inline: Option<OsString>,
    next: impl FnOnce() -> Option<OsString>,
) -> Result<OsString> {
    // Options with a value all have a long name, if only as an alias of one letter.
    let takes_value = option.get_action().takes_values();
    let spelled = match option.get_short().map(String::from) {
        Some(short) if short == name && !takes_value => format!("-{short}"),
        _ => format!("--{name}"),
    };
    if !takes_value {
        return match inline {
            Some(_) => Err(Error::usage(format!("option -{name} takes no value"))),
            None => Ok(spelled.into()),
        };
    }
    let value = inline
        .or_else(next)
        .ok_or_else(|| Error::usage(format!("option -{name} needs a value behind it")))?;
    let mut token = OsString::from(spelled);
    token.push("=");
    token.push(value);
    Ok(token)
}

/// `-T4`: the one option whose value may stand without a space, as people write it.
fn is_threads(name: &str) -> bool {
    name.strip_prefix('T')
        .is_some_and(|count| !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()))
}

/// What follows the first `count` bytes of a token, which are ASCII or end in `=`.
fn tail(token: &OsStr, count: usize) -> OsString {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        OsStr::from_bytes(&token.as_bytes()[count..]).to_owned()
    }
    #[cfg(windows)]
    {
        use std::os::windows::ffi::{OsStrExt, OsStringExt};
        // Units of UTF-16: what is no Unicode takes one of them, and three bytes in both views.
        let head = token.to_string_lossy()[..count].encode_utf16().count();
        OsString::from_wide(&token.encode_wide().skip(head).collect::<Vec<u16>>())
    }
}

fn unknown(command: &Command, name: &str) -> Error {
    if let Some((_, why)) = DECLINED.iter().find(|(declined, _)| *declined == name) {
        return Error::usage(*why);
    }
    if ["in", "out"].contains(&name) {
        return Error::usage(format!(
            "{} takes its two files by themselves, without -in and -out: IN OUT",
            command.get_name()
        ));
    }
    let longs: Vec<String> =
        command.get_arguments().filter_map(|option| option.get_long()).map(str::to_owned).collect();
    let near_options = ciphers::nearest(name, longs);
    let is_near = |candidate: &String| {
        strsim::damerau_levenshtein(candidate, name) <= 2
            || (name.len() > 2 && candidate.starts_with(name))
    };
    match near_options.first().filter(|near| is_near(near) && !looks_like_cipher(name)) {
        Some(near) => Error::usage(format!("unknown option -{name}; did you mean -{near}?")),
        None if looks_like_cipher(name) => Error::usage(ciphers::explain_unknown(name)),
        None => Error::usage(format!("-{name} is no option; {}", ciphers::explain_unknown(name))),
    }
}

fn looks_like_cipher(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("des") || name.contains("rc4")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::command_line::cli::Cli;

    fn run(line: &[&str]) -> Result<Vec<String>> {
        let mut cli = Cli::command();
        cli.build();
        let args = ["cipherloom"].iter().chain(line).map(OsString::from).collect();
        let out = normalise(&cli, args)?;
        Ok(out[1..].iter().map(|arg| arg.to_string_lossy().into_owned()).collect())
    }

    #[test]
    fn one_dash_or_two_is_the_same() {
        for line in [
            ["enc", "-d", "-des3", "-in", "x", "-K", "00", "-pbkdf2"],
            ["enc", "--d", "--des3", "--in", "x", "--K", "00", "--pbkdf2"],
        ] {
            let want = ["enc", "-d", "--cipher=des-ede3-cbc", "--in=x", "--K=00", "--pbkdf2"];
            assert_eq!(run(&line).unwrap(), want);
        }
    }

    #[test]
    fn values_are_values_whatever_they_look_like() {
        let line = ["enc", "-k", "-in", "-kfile", "-K", "-pass=a=b", "-k", "", "-T4", "-T", "4"];
        let want = ["enc", "--k=-in", "--kfile=-K", "--pass=a=b", "--k=", "-T4", "--T=4"];
        assert_eq!(run(&line).unwrap(), want);
    }

    #[test]
    fn a_cipher_may_stand_for_the_command() {
        let want = ["enc", "--cipher=des-ede3-cbc", "-d", "--in=x"];
        assert_eq!(run(&["des3", "-d", "-in", "x"]).unwrap(), want);
    }

    #[test]
    fn what_nobody_knows_is_explained() {
        let error = |line: &[&str]| run(line).unwrap_err().to_string();
        assert!(error(&["enc", "-des4"]).contains("des3"));
        assert!(error(&["enc", "-bufsise", "8"]).contains("-bufsize"));
        assert!(error(&["enc", "-in"]).contains("needs a value"));
        assert!(error(&["enc", "-d=1"]).contains("takes no value"));
        assert!(error(&["enc", "-z"]).contains("zlib"));
        assert!(error(&["records", "-data", "x"]).contains("did you mean -data-"));
        let migrate = error(&["migrate", "-in", "x"]);
        let expected =
            if cfg!(feature = "migrate") { "by themselves" } else { "built without `migrate`" };
        assert!(migrate.contains(expected), "{migrate}");
        assert!(error(&["des33", "-d"]).contains("unknown cipher des33; the nearest names are"));
        assert!(error(&["-d", "-des3"]).contains("begin with `cipherloom dec`"));
    }

    #[test]
    fn other_commands_are_left_alone() {
        assert_eq!(run(&["--version"]).unwrap(), ["--version"]);
        assert_eq!(run(&["nonsense", "-abc"]).unwrap(), ["nonsense", "-abc"]);
    }
}
