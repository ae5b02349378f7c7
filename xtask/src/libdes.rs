//! `cargo xtask libdes`: the functions that libdes had in assembly, beside those of OpenSSL.

use crate::assemblers;
use crate::process;
use crate::program::{FAMILIES, Program, SHARED};
use std::path::PathBuf;

const KERNELS: [&str; 4] = ["des_encrypt1", "des_encrypt2", "des_encrypt3", "des_decrypt3"];

/// Builds the program for each family, and runs it: compared first, then timed.
///
/// # Errors
/// Something cannot be built, or a function gives another result than OpenSSL's.
pub(crate) fn run(quick: bool) -> crate::failure::Result {
    for family in FAMILIES.iter().chain([&SHARED]) {
        let mut program = Program::new("libdes", family)?;
        program.kernels(&KERNELS)?;
        program.kernels_with_gfni(&KERNELS)?;
        program.source("main.c", "main", &["-O2"])?;
        let linked = program.link()?;
        let libcrypto = match family.name {
            "x86-64" => PathBuf::from("libcrypto.so.3"),
            _ => assemblers::libcrypto_32_bit(),
        };
        println!("\n{}:", family.doc);
        let samples = if quick { "21" } else { "401" };
        process::run(process::program(linked).arg(libcrypto).arg(samples))?;
    }
    Ok(())
}
