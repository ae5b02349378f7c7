//! The `cipherloom` command, as a library of one function, so that tests and fuzz targets reach its
//! parsers.
//!
//! `command_line` reads the command line. `commands` has a file for each sub-command, `args` the options
//! that several of them take. `io` is files, pipes and terminals; `keying` gets passwords. `job` makes a
//! cipher that is ready from options and the start of the input, and `pipeline` sends the message through
//! it. `presets` opens single values as a program wrote them. `text` prints all that the command says. `cipherloom-formats` knows what old programs did;
//! `advice` knows which option of this command helps.

#![warn(clippy::print_stdout, clippy::print_stderr)]

mod advice;
mod args;
mod ciphers;
mod command_line;
mod commands;
mod errors;
#[doc(hidden)]
pub mod fuzz;
mod io;
mod job;
mod keying;
mod pipeline;
mod presets;
mod process;
mod text;

use std::process::ExitCode;

use command_line::Request;

/// Runs the command line of this process, and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    process::keep_memory_private();
    let result = command_line::parse(std::env::args_os()).and_then(|request| match request {
        Request::Run(command, given) => command.run(&given, command_line::describe),
        Request::Print(text) => text::print(&text),
    });
    process::wipe_stack();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            io::interrupts::end_if_asked();
            text::say(&error.to_string());
            ExitCode::from(error.exit_code())
        }
    }
}

/// The Rust examples of the README, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
