//! The commands of the README and of CI: `cargo xtask COMMAND`.
//!
//! Beside the standard library only the project's own is used, whose table of backends says what must run
//! where: so the first command of a fresh clone starts soon.

mod assemblers;
mod demo;
mod deny;
mod failure;
mod fresh;
mod hppa;
mod install;
mod libdes;
mod nightly;
mod oldest;
mod openssl;
mod paddings;
mod peers;
mod planted;
mod process;
mod processors;
mod program;
mod prove;
mod provider;
mod rc4;
mod realmode;
mod report;
mod sbom;
mod setup;
mod side_by_side;
mod software;
mod sources;
mod steps;
mod test;
mod things;
mod traces;
mod watched;
mod web;
mod wheel;
mod wine;

use failure::{Failure, Result, flags};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  demo                         decrypt the samples made by OpenSSL, and compare with their plaintext
  setup                        install what the tests need (Debian, Ubuntu; elsewhere: say what is missing)
  test [--quick | --all] [--no-setup]
                               set up, then run the checks; --quick leaves out slow tests, --all adds checks
                               that are long and rarely find anything (docs/TESTING.md)
  fresh [--installed | ARG...] run the demo and the tests, and install the C library, the provider and the wheel, in a
                               Debian with Rust and nothing else (root only); or these three alone
  install [--prefix DIR] [--destdir DIR] [--profile NAME]
                               install the C library, its headers and its pkg-config file (default: /usr/local)
  install --compare            compare what this program and cargo-c install
  install --provider [--remove] [--modules DIR] [--destdir DIR] [--profile NAME]
                               install the OpenSSL provider into OpenSSL's folder of modules, or take it away
  peers [ARG...]               measure other libraries beside ours; --help says more
  deny [--advisories]          check licences, duplicates and sources of the dependencies, or known defects
  oldest                       check all but loom with the oldest Rust that is promised
  sbom                         write a bill of materials for the command and the C library into target/sbom
  prove [--arm] [FILE]         prove the kernels of a linked or an emitted file (default: the C library; --arm: the one for AArch64);
                               --full: every lane; --statements prints what was proved; --write writes
                               crates/proved/, --compare compares with it; --planted [WORD] tests the prover with
                               errors planted into it, --mutants [COUNT [SET]] with COUNT changed bytes of each kernel
                               (of one instruction set: x86_64, aarch64, x86_32, x86_16 or hppa)
  python [--arm]               build the wheel, install it, and test it beside pycryptodome, Arrow's programs and Spark;
                               or build the one for Arm Linux, and run it in an emulator
  processors [--arm | --risc-v | --wasm]
                               run the library's tests on emulated processors, and without assembly; or
                               on an emulated AArch64 or RISC-V, or in WebAssembly by node
  traces                       check constant time of code for AArch64, Windows and macOS, in an emulator
  rc4 [--quick]                test and time RC4 by gcc, with its options, and by loom's kernels
  libdes [--quick]             compare and time libdes' functions and OpenSSL's, in 64 and 32 bits
  paddings [WORD...]           measure what a wrong padding costs beside a right one, in every way to decrypt
  realmode                     assemble DES for real mode, and run it in programs for DOS under DOSBox
  windows [-- ARG...]          build the command and the library for Windows, and test them with Wine; ARGs go
                               to the tests
  web [--check | --node | --browser]
                               make web/cipherloom.html, the page; or compare it with its sources; or test its
                               library in node, or the page in Chromium
  miri [FILTER...]             run a small part of the library's tests under Miri (needs a nightly toolchain)
  fuzz [TARGET] [--seconds N]  fuzz one target, or each in turn, N seconds each (default 60; needs nightly)
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Run(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            eprintln!("xtask: {message}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(args: &[&str]) -> Result {
    let Some((&command, rest)) = args.split_first() else {
        return Err(Failure::Usage("which command?".into()));
    };
    if let ("help" | "--help" | "-h", _) | (_, ["--help" | "-h"]) = (command, rest)
        && command != "peers"
    {
        print!("{HELP}");
        return Ok(());
    }
    match command {
        "demo" => flags(rest, []).and_then(|[]| demo::run()),
        "setup" => flags(rest, []).and_then(|[]| setup::run()),
        "test" => {
            let [quick, all, no_setup] = flags(rest, ["--quick", "--all", "--no-setup"])?;
            let tier = match (quick, all) {
                (true, true) => return Err(Failure::Usage("--quick or --all, not both".into())),
                (true, false) => test::Tier::Quick,
                (false, true) => test::Tier::All,
                (false, false) => test::Tier::Usual,
            };
            test::run(tier, !no_setup)
        }
        "fresh" => fresh::try_out(rest),
        "install" if rest == ["--compare"] => install::compare(),
        "install" if rest.first() == Some(&"--provider") => provider::run(&rest[1..]),
        "install" => install::run(rest),
        "peers" => peers::run(rest),
        "python" => match flags(rest, ["--arm"])? {
            [false] => wheel::run(),
            [true] => wheel::run_arm(),
        },
        "processors" if rest == ["--arm"] => processors::arm_linux().map(drop),
        "processors" if rest == ["--risc-v"] => processors::risc_v().map(drop),
        "processors" if rest == ["--wasm"] => processors::wasm().map(drop),
        "processors" => flags(rest, []).and_then(|[]| {
            processors::emulated()?;
            match processors::find_avx512() {
                Some(_) => drop(processors::native()?),
                None => println!("not run: {}, which this processor has not", processors::AVX512),
            }
            processors::portable().map(drop)
        }),
        "prove" => prove::run(rest),
        "deny" => flags(rest, ["--advisories"])
            .and_then(|[advisories]| if advisories { deny::advisories() } else { deny::run() }),
        "traces" => flags(rest, []).and_then(|[]| traces::run()),
        "oldest" => flags(rest, []).and_then(|[]| oldest::run()),
        "sbom" => flags(rest, []).and_then(|[]| sbom::run()),
        "rc4" => flags(rest, ["--quick"]).and_then(|[quick]| rc4::run(quick)),
        "libdes" => flags(rest, ["--quick"]).and_then(|[quick]| libdes::run(quick)),
        "realmode" => flags(rest, []).and_then(|[]| realmode::run()),
        "windows" => {
            let without = std::env::var(process::WITHOUT_PEERS).unwrap_or_default();
            wine::run(rest, &without).map(drop)
        }
        "web" => web::run(rest),
        "paddings" => paddings::run(rest),
        "miri" => nightly::miri(rest),
        "fuzz" => nightly::fuzz(rest),
        other => Err(Failure::Usage(format!("no command `{other}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_commands_and_flags_are_usage_errors() {
        for args in [&[][..], &["tests"], &["test", "--fast"], &["demo", "x"]] {
            assert!(matches!(dispatch(args), Err(Failure::Usage(_))), "{args:?}");
        }
    }

    #[test]
    fn help_is_there_before_and_behind_a_command() {
        for args in [&["help"][..], &["--help"], &["install", "--help"], &["fresh", "-h"]] {
            assert!(dispatch(args).is_ok(), "{args:?}");
        }
    }
}
