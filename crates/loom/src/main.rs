//! The `loom` command.

mod command;

fn main() -> std::process::ExitCode {
    command::main()
}
