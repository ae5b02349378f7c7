//! The sub-commands, one file each.

mod completions;
pub(crate) mod enc;
mod info;
mod man;
#[cfg(feature = "migrate")]
pub(crate) mod migrate;
pub(crate) mod records;
mod selftest;
mod speed;
mod what;

use cipherloom::Direction;
use clap::Subcommand;

use crate::args::enc::EncArgs;
use crate::args::given::Given;
use crate::errors::Result;

/// Every sub-command with its options.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Decrypt old data
    ///
    /// The options are those of `openssl enc`, with one dash or two. With a password and without -md,
    /// the command finds out how the key was derived (-md auto).
    Dec(EncArgs),
    /// Encrypt or (-d) decrypt exactly as `openssl enc` does
    ///
    /// The options are those of `openssl enc`, with one dash or two, and mean the same.
    Enc(EncArgs),
    #[cfg(feature = "migrate")]
    Migrate(migrate::Arguments),
    What(what::WhatArgs),
    Records(records::args::Arguments),
    Speed(speed::SpeedArgs),
    Selftest(selftest::SelftestArgs),
    Info(info::InfoArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    /// Does the work; `given` are the options, `describe` gives the whole command line's description.
    ///
    /// # Errors
    /// What went wrong, for the user.
    pub(crate) fn run(self, given: &Given, describe: fn() -> clap::Command) -> Result<()> {
        match self {
            Self::Dec(args) => enc::run(&args, given, Direction::Decrypt),
            Self::Enc(args) => {
                let direction = if args.decrypt { Direction::Decrypt } else { Direction::Encrypt };
                enc::run(&args, given, direction)
            }
            #[cfg(feature = "migrate")]
            Self::Migrate(args) => migrate::run(&args, given),
            Self::What(args) => what::run(&args),
            Self::Records(args) => records::run(&args, given),
            Self::Speed(args) => speed::run(&args),
            Self::Selftest(args) => selftest::run(&args),
            Self::Info(args) => info::run(&args),
            Self::Completions(args) => completions::run(&args, describe()),
            Self::Man(args) => man::run(&args, &describe()),
        }
    }
}
