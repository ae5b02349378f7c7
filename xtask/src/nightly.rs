//! `cargo xtask miri` and `cargo xtask fuzz`: they need a nightly toolchain, so `test` leaves them out.

use crate::failure::Failure;
use crate::process::{output, program, run, shown, succeeds};
use std::process::Command;

/// The library under Miri: `tests/miri.rs`, which is made to end in minutes there. `filters` choose
/// tests by name.
///
/// # Errors
/// There is no nightly toolchain, Miri cannot be added, or a test fails.
pub(crate) fn miri(filters: &[&str]) -> crate::failure::Result {
    need_nightly()?;
    if !succeeds(&mut nightly(&["miri", "--version"])) {
        say_and_run(program("rustup").args([
            "component",
            "add",
            "miri",
            "--toolchain",
            "nightly",
        ]))?;
    }
    let mut command = nightly(&["miri", "test", "--package", "cipherloom", "--test", "miri", "--"]);
    say_and_run(command.args(filters))
}

/// One fuzz target, or each in turn.
///
/// # Errors
/// The arguments are wrong, there is no nightly toolchain, cargo-fuzz cannot be installed, or a
/// target fails.
pub(crate) fn fuzz(args: &[&str]) -> crate::failure::Result {
    let (target, seconds) = fuzz_arguments(args)?;
    need_nightly()?;
    if !succeeds(&mut nightly(&["fuzz", "--version"])) {
        say_and_run(program("cargo").args(["install", "cargo-fuzz", "--locked"]))?;
    }
    let known = output(&mut nightly(&["fuzz", "list"]))
        .ok_or_else(|| "`cargo fuzz list` failed: is the folder fuzz/ there?".to_owned())?;
    let targets: Vec<&str> = known.split_whitespace().collect();
    if let Some(unknown) = target.filter(|target| !targets.contains(target)) {
        let list = targets.join(", ");
        return Err(Failure::Usage(format!("no fuzz target `{unknown}`: there are {list}")));
    }
    for each in targets.into_iter().filter(|each| target.is_none_or(|target| target == *each)) {
        let limit = format!("-max_total_time={seconds}");
        say_and_run(&mut nightly(&["fuzz", "run", each, "--", &limit]))?;
    }
    Ok(())
}

fn fuzz_arguments<'a>(args: &[&'a str]) -> crate::failure::Result<(Option<&'a str>, u32)> {
    let usage = |message: String| Err(Failure::Usage(message));
    let (mut target, mut seconds) = (None, 60);
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        if arg == "--seconds" {
            match args.next().map(|value| value.parse()) {
                Some(Ok(number)) if number > 0 => seconds = number,
                _ => return usage("--seconds takes a number from 1 up".into()),
            }
        } else if arg.starts_with('-') || target.is_some() {
            return usage(format!("unexpected argument `{arg}`"));
        } else {
            target = Some(arg);
        }
    }
    Ok((target, seconds))
}

/// Cargo of the nightly toolchain, whatever toolchain runs this program.
fn nightly(args: &[&str]) -> Command {
    let mut command = program("rustup");
    command.args(["run", "nightly", "cargo"]).args(args);
    command
}

fn need_nightly() -> crate::failure::Result {
    if succeeds(&mut nightly(&["--version"])) {
        Ok(())
    } else {
        let advice = "there is no nightly toolchain: run `rustup toolchain install nightly`";
        Err(advice.to_owned().into())
    }
}

fn say_and_run(command: &mut Command) -> crate::failure::Result {
    println!("$ {}", shown(command));
    Ok(run(command)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuzz_takes_a_target_and_a_time_in_any_order() {
        assert_eq!(fuzz_arguments(&[]), Ok((None, 60)));
        assert_eq!(fuzz_arguments(&["hex"]), Ok((Some("hex"), 60)));
        assert_eq!(fuzz_arguments(&["--seconds", "5", "hex"]), Ok((Some("hex"), 5)));
        for wrong in [&["a", "b"][..], &["--seconds"], &["--seconds", "0"], &["-x"]] {
            assert!(matches!(fuzz_arguments(wrong), Err(Failure::Usage(_))), "{wrong:?}");
        }
    }
}
