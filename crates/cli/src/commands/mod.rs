//! The sub-commands, one file each.

pub(crate) mod enc;

use clap::Subcommand;

use crate::args::enc::EncArgs;
use crate::engine::Direction;
use crate::errors::Result;

/// Every sub-command with its options.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Decrypt old data
    ///
    /// The options are those of `openssl enc`, with one dash or two. With a password and without
    /// -md, the way the key was derived is found out (-md auto).
    Dec(EncArgs),
    /// Encrypt or (-d) decrypt exactly as `openssl enc` does
    ///
    /// The options are those of `openssl enc`, with one dash or two, and mean the same.
    Enc(EncArgs),
}

impl Command {
    /// Does the work.
    ///
    /// # Errors
    /// What went wrong, for the user.
    pub(crate) fn run(self) -> Result<()> {
        match self {
            Self::Dec(args) => enc::run(&args, Direction::Decrypt),
            Self::Enc(args) => {
                let direction = if args.decrypt { Direction::Decrypt } else { Direction::Encrypt };
                enc::run(&args, direction)
            }
        }
    }
}
