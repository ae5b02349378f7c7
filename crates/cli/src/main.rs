//! The `cipherloom` command.

/// Memory is wiped when it is freed, all of it: passwords, keys and plaintexts pass through crates that
/// do not wipe what they allocate, the reader of the command line for one. The command itself wipes no
/// heap by hand.
#[global_allocator]
static ALLOCATOR: zeroizing_alloc::ZeroAlloc<std::alloc::System> =
    zeroizing_alloc::ZeroAlloc(std::alloc::System);

fn main() -> std::process::ExitCode {
    cipherloom_cli::main()
}
