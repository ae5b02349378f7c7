//! The `cipherloom` command.

fn main() -> std::process::ExitCode {
    cipherloom_cli::main()
}
