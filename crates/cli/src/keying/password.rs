//! Where a password comes from: the options of `openssl enc`, or a prompt.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use cipherloom_formats::encoding::BOM;

use super::descriptor;
use crate::args::key::PasswordSource;
use crate::errors::{Error, Result, reason};
use crate::io::line::{Line, first_line};
use crate::io::notes::Notes;
use crate::io::stdin;
use crate::io::terminal::{self, Fault};

/// OpenSSL reads the first line of a `-kfile` into a buffer of 128 bytes, with a NUL behind it.
const KFILE_LIMIT: usize = 127;
/// The same for `-pass file:`, `fd:` and `stdin`: 1024 bytes.
const PASS_LIMIT: usize = 1023;

/// A password's bytes.
pub(crate) type Password = Vec<u8>;

/// The password, if the options give one; `-k` and `-kfile` go before `-pass`, as in OpenSSL.
pub(crate) fn given(args: &PasswordSource, notes: &Notes) -> Result<Option<Password>> {
    match (&args.k, &args.kfile, &args.pass) {
        (Some(k), ..) => Ok(Some(from_argument(k))),
        (None, Some(path), _) => from_kfile(path, notes).map(Some),
        (None, None, Some(source)) => from_source(source, notes).map(Some),
        (None, None, None) => Ok(None),
    }
}

/// `-k PASSWORD`.
pub(crate) fn from_argument(argument: &OsStr) -> Password {
    argument.as_encoded_bytes().to_vec()
}

/// `-kfile FILE`: the first line, without CR and LF at its end.
///
/// # Errors
/// The file cannot be read, or its first line is empty.
pub(crate) fn from_kfile(path: &Path, notes: &Notes) -> Result<Password> {
    let read = |file: &mut dyn Read| first_line(file, KFILE_LIMIT);
    let line = if path == Path::new("-") { read(&mut stdin()?) } else { read(&mut open(path)?) };
    let mut line =
        line.map_err(|error| Error::file("cannot read the password from", path, &error))?;
    warn(&line, &path.display().to_string(), KFILE_LIMIT, notes);
    while matches!(line.bytes.last(), Some(b'\r' | b'\n')) {
        line.bytes.pop();
    }
    if line.bytes.is_empty() {
        return Err(Error::failure(format!(
            "-kfile {}: the first line is empty; put the password there",
            path.display()
        )));
    }
    Ok(line.bytes)
}

/// `-pass SOURCE`: `pass:`, `env:`, `file:`, `fd:` or `stdin`.
///
/// # Errors
/// The source's form is unknown, or it cannot be read.
pub(crate) fn from_source(source: &OsStr, notes: &Notes) -> Result<Password> {
    let bytes = source.as_encoded_bytes();
    if bytes == b"stdin" {
        return from_reader(&mut stdin()?, "standard input", notes);
    }
    let colon = bytes.iter().position(|&byte| byte == b':').unwrap_or(bytes.len());
    let (kind, value) = bytes.split_at(colon);
    let value = value.get(1..).unwrap_or_default();
    let text = || {
        std::str::from_utf8(value)
            .map_err(|_| Error::usage("-pass: the name behind the colon is no UTF-8"))
    };
    match kind {
        b"pass" => Ok(value.to_vec()),
        b"env" => match std::env::var_os(text()?) {
            Some(value) => Ok(OsString::into_encoded_bytes(value)),
            None => Err(Error::usage(format!(
                "-pass env:{0}: there is no environment variable {0}",
                text()?
            ))),
        },
        b"file" => {
            let path = Path::new(text()?);
            from_reader(&mut open(path)?, &path.display().to_string(), notes)
        }
        b"fd" => {
            let number = text()?.parse::<u32>().map_err(|_| {
                Error::usage("-pass fd: takes the number of an open file descriptor, as in fd:3")
            })?;
            from_reader(&mut descriptor::open(number)?, &format!("descriptor {number}"), notes)
        }
        _ => Err(Error::usage(
            "-pass takes pass:PASSWORD, env:VARIABLE, file:FILE, fd:NUMBER or stdin",
        )),
    }
}

/// Asks for the old file's password on the terminal; twice where a slip would lock data away.
///
/// # Errors
/// As [`ask`].
pub(crate) fn from_terminal(twice: bool) -> Result<Password> {
    ask(
        "Password",
        twice,
        "no key or password given, and there is no terminal to ask on; give -K and -iv, or \
         -k, -kfile or -pass",
    )
}

/// Asks on the terminal for `what`, a word or two with a capital letter.
///
/// # Errors
/// There is no terminal (bad usage, in the words `no_terminal`), nothing is typed, or the two
/// answers differ.
pub(crate) fn ask(what: &str, twice: bool, no_terminal: &str) -> Result<Password> {
    let nothing = || Error::failure(format!("{what}: nothing was typed; nothing was done"));
    let read = |prompt: &str| match terminal::ask(prompt) {
        // As OpenSSL: an empty password must be meant, as in `-k ''`.
        Ok(line) => line.filter(|line| !line.is_empty()).ok_or_else(nothing),
        Err(Fault::NoTerminal) => Err(Error::usage(no_terminal)),
        Err(Fault::NoLine) => Err(Error::failure(format!(
            "{what}: it has more than 512 bytes, or a NUL byte, which OpenSSL's prompt does not take \
             either; nothing was done"
        ))),
        Err(Fault::Broken(error)) => {
            Err(Error::failure(format!("{what}: cannot read it: {}", reason(&error))))
        }
    };
    let password = read(&format!("{what}: "))?;
    if twice && *read(&format!("{what}, again: "))? != *password {
        return Err(Error::failure(format!("{what}: the two answers differ; nothing was done")));
    }
    Ok(password)
}

fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| Error::file("cannot open the password file", path, &error))
}

fn from_reader(reader: &mut dyn Read, name: &str, notes: &Notes) -> Result<Password> {
    let mut line = first_line(reader, PASS_LIMIT).map_err(|error| {
        Error::failure(format!("cannot read the password from {name}: {error}"))
    })?;
    warn(&line, name, PASS_LIMIT, notes);
    if line.bytes.last() == Some(&b'\n') {
        line.bytes.pop();
    }
    if line.is_nothing {
        return Err(Error::failure(format!("no password in {name}: it is empty")));
    }
    Ok(line.bytes)
}

fn warn(line: &Line, name: &str, limit: usize, notes: &Notes) {
    let marks = [BOM, b"\xff\xfe", b"\xfe\xff"];
    if marks.iter().any(|mark| line.bytes.starts_with(mark)) {
        notes.say(&format!(
            "the password in {name} begins with a byte order mark, which is taken for a part of it, as by \
             OpenSSL; if it is none, save the text as UTF-8 without the mark"
        ));
    }
    if line.was_cut {
        notes.say(&format!(
            "the password in {name} is used as OpenSSL uses it: its first line, up to {limit} bytes \
             or a NUL byte, {} bytes in all",
            line.bytes.len()
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read() {
        let notes = Notes::quiet();
        let read = |source: &str| from_source(OsStr::new(source), &notes);
        assert_eq!(read("pass:a:b").unwrap(), b"a:b");
        assert_eq!(read("pass:").unwrap(), b"");
        assert!(read("foo").unwrap_err().to_string().contains("pass:PASSWORD"));
        assert!(read("fd:x").is_err());
        assert!(read("file:/nonexistent/file").is_err());
        assert!(read("env:CIPHERLOOM_NO_SUCH_VARIABLE").is_err());
    }
}
