//! The `cipherloom` command, as a library of one function, so that tests and fuzz targets reach its
//! parsers.
//!
//! `args` reads the command line, `commands` has a file for each sub-command. `io` is files, pipes
//! and terminals; `keying` gets passwords; `job` turns options and the start of the input into a cipher
//! that is ready, and `pipeline` does the work; `text` is all that the command says. What old programs did, and how one sees it, is `cipherloom-formats`; what a user of this
//! command may do about what it finds, `advice` says.

#![warn(clippy::print_stdout, clippy::print_stderr)]

mod advice;
mod args;
mod ciphers;
mod commands;
mod errors;
#[doc(hidden)]
pub mod fuzz;
mod io;
mod job;
mod keying;
mod pipeline;
mod process;
mod text;

use std::process::ExitCode;

use args::Request;

/// Runs the command line of this process, and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    process::keep_memory_private();
    let result = args::parse(std::env::args_os()).and_then(|request| match request {
        Request::Run(command) => command.run(),
        Request::Print(text) => text::print(&text),
    });
    process::wipe_stack();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            io::partial::end_if_asked();
            text::say(&error.to_string());
            ExitCode::from(error.exit_code())
        }
    }
}

/// The Rust examples of the README, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
