//! `cargo xtask rc4`: RC4 as textbooks write it, by gcc with its options, beside loom's kernels.

use crate::process;
use crate::program::{FAMILIES, Program};

const KERNELS: [&str; 4] = ["rc4_setup_s8", "rc4_apply_s8", "rc4_setup_s32", "rc4_apply_s32"];
const LEVELS: [&str; 4] = ["O0", "O1", "O2", "O3"];
const FRAMES: [(&str, &str); 2] =
    [("", "-fno-omit-frame-pointer"), ("_omit", "-fomit-frame-pointer")];

/// Builds the program for each family, and runs it: tests first, then times.
///
/// # Errors
/// Something cannot be built, or a way gives wrong bytes.
pub(crate) fn run(quick: bool) -> crate::failure::Result {
    for family in &FAMILIES {
        let mut program = Program::new("rc4", family)?;
        program.kernels(&KERNELS)?;
        for level in LEVELS {
            for (suffix, frame) in FRAMES {
                let name = format!("textbook_{level}{suffix}");
                let options = [&format!("-{level}"), frame, &format!("-DNAME={name}")];
                program.source("textbook.c", &name, &options)?;
            }
        }
        program.source("rc4.c", "rc4", &["-O2"])?;
        program.source("main.c", "main", &["-O2"])?;
        let linked = program.link()?;
        println!();
        process::run(process::program(linked).arg(if quick { "21" } else { "401" }))?;
    }
    Ok(())
}
