//! For fuzz targets: any bytes as a command line.

use std::ffi::{OsStr, OsString};
use std::sync::LazyLock;

use clap::CommandFactory;

use super::{Cli, Request, normalise, parse};
use crate::commands::Command;

/// Most words of a line; more show nothing new.
const WORDS: usize = 24;

/// The words between NUL bytes.
///
/// # Panics
/// If what was normalised changes when it is normalised again, if an error is none of usage, or if a
/// word does not arrive as the value that it is.
pub(crate) fn fuzz(data: &[u8]) {
    let words: Vec<OsString> = data.split(|&byte| byte == 0).take(WORDS).map(word).collect();
    let line = || std::iter::once("cipherloom".into()).chain(words.iter().cloned());
    // Describing the command takes longer than all the rest.
    static CLI: LazyLock<clap::Command> = LazyLock::new(|| {
        let mut cli = Cli::command();
        cli.build();
        cli
    });
    match normalise::normalise(&CLI, line().collect()) {
        Ok(once) => assert_eq!(normalise::normalise(&CLI, once.clone()).expect("again"), once),
        Err(error) => assert_eq!(error.exit_code(), 2, "{error}"),
    }
    if let Err(error) = parse(line()) {
        assert_eq!(error.exit_code(), 2, "{error}");
    }
    a_value_arrives(&words[0], data.len());
}

/// Whatever a value looks like, it is a value, with one dash or two before its option, behind a
/// space or a `=`: in four forms.
fn a_value_arrives(value: &OsStr, form: usize) {
    let joined = |option: &str| {
        let mut word = OsString::from(option);
        word.push(value);
        word
    };
    let words = match form % 4 {
        0 => vec!["-des3".into(), "-k".into(), value.to_owned(), "-d".into()],
        1 => vec!["--k".into(), value.to_owned(), "--d".into(), "--des3".into()],
        2 => vec![joined("-k="), "-d".into(), "-des3".into()],
        _ => vec!["-d".into(), "--cipher=des3".into(), joined("--k=")],
    };
    let line = ["cipherloom".into(), "enc".into()].into_iter().chain(words);
    let Ok(Request::Run(command, _)) = parse(line) else { panic!("{value:?} is refused") };
    let Command::Enc(args) = *command else { panic!("{value:?} makes another command") };
    assert_eq!(args.key.password.source.k.as_deref(), Some(value));
    assert!(args.decrypt && !args.encrypt && args.input.is_none(), "{value:?}");
}

fn word(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        OsStr::from_bytes(bytes).to_owned()
    }
    #[cfg(not(unix))]
    {
        String::from_utf8_lossy(bytes).into_owned().into()
    }
}
