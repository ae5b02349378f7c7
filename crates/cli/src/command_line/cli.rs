//! The command with its sub-commands, as clap sees it.

use clap::Parser;

use crate::commands::Command;

#[cfg_attr(
    feature = "migrate",
    doc = "Decrypts, encrypts, migrates and measures data in DES, Triple-DES and RC4"
)]
#[cfg_attr(
    not(feature = "migrate"),
    doc = "Decrypts, encrypts and measures data in DES, Triple-DES and RC4"
)]
///
/// These ciphers are withdrawn: this command is for reading and moving old data, and for talking to
/// old systems. `enc` and `dec` take the options of `openssl enc`, with one dash or two.
#[derive(Debug, Parser)]
#[command(name = "cipherloom", version, args_override_self = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn claps_own_checks_pass() {
        Cli::command().debug_assert();
    }
}
