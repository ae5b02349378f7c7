//! `cipherloom completions SHELL`: what a shell needs to complete the command line.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::errors::Result;
use crate::text;

/// Print a completion script for a shell
///
/// For bash: cipherloom completions bash > ~/.local/share/bash-completion/completions/cipherloom
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script for `command`.
///
/// # Errors
/// Standard output does not take it.
pub(crate) fn run(args: &CompletionsArgs, mut command: Command) -> Result<()> {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    text::print_data(&String::from_utf8_lossy(&script))
}
