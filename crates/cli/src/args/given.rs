//! Which options a command line has: one that changes nothing is refused, not passed over.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::errors::{Error, Result};

/// The options of a command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// By their names in the source, and as they are written.
    options: Vec<(String, String)>,
    /// Those with a value for which the same or another one stands behind them.
    replaced: Vec<String>,
}

impl Given {
    /// What `words`, all in the form that clap takes, give to `command`.
    pub(crate) fn new(command: &Command, matches: &ArgMatches, words: &[OsString]) -> Self {
        let is_given = |arg: &&Arg| {
            let id = arg.get_id().as_str();
            matches.try_contains_id(id).is_ok()
                && matches.value_source(id) == Some(ValueSource::CommandLine)
        };
        let times = |arg: &Arg| {
            let is_it = |word: &&OsString| {
                let word = word.to_string_lossy();
                let (name, _) = word.split_once('=').unwrap_or((&word, ""));
                let name = name.strip_prefix("--");
                name.is_some_and(|name| {
                    let aliases = arg.get_all_aliases().unwrap_or_default();
                    arg.get_long() == Some(name) || aliases.contains(&name)
                })
            };
            words.iter().take_while(|word| *word != "--").filter(is_it).count()
        };
        // Lists take all, and what is hidden is ignored.
        let is_single = |arg: &&Arg| {
            let is_list = matches!(arg.get_action(), ArgAction::Append);
            arg.get_action().takes_values() && !is_list && !arg.is_hide_set()
        };
        let is_replaced = |arg: &&Arg| times(arg) > usize::from(is_given(arg));
        let all = || command.get_arguments().filter(|arg| !arg.is_positional());
        Self {
            options: all()
                .filter(is_given)
                .map(|arg| (arg.get_id().to_string(), written(arg)))
                .collect(),
            replaced: all().filter(is_single).filter(is_replaced).map(written).collect(),
        }
    }

    /// Whether one is there, by its name in the source.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.options.iter().any(|(own, _)| own == id)
    }

    /// Those that are not taken, by both names.
    pub(crate) fn idle(&self, is_taken: impl Fn(&str) -> bool) -> Vec<(&str, &str)> {
        let pairs = self.options.iter().map(|(id, option)| (id.as_str(), option.as_str()));
        pairs.filter(|(id, _)| !is_taken(id)).collect()
    }

    /// Those with a value for which the same or another one stands behind them.
    pub(crate) fn replaced(&self) -> &[String] {
        &self.replaced
    }

    /// # Errors
    /// Bad usage: one that is not taken, and `why`; one in whose place another one stands.
    pub(crate) fn refuse(
        &self,
        is_taken: impl Fn(&str) -> bool,
        why: impl Fn(&str) -> String,
    ) -> Result<()> {
        if let Some((id, option)) = self.idle(is_taken).first() {
            return Err(Error::usage(format!("{option} {}", why(id))));
        }
        match self.replaced.first() {
            Some(option) => Err(Error::usage(format!(
                "another option behind {option} takes its place; give one"
            ))),
            None => Ok(()),
        }
    }
}

/// An option as the help has it.
fn written(arg: &Arg) -> String {
    match (arg.get_long(), arg.get_short()) {
        (Some(long), _) if long.len() > 1 => format!("--{long}"),
        (_, Some(short)) => format!("-{short}"),
        (long, None) => format!("-{}", long.unwrap_or_default()),
    }
}
