//! Writes a program for DOS that tests and measures DES and Triple-DES in real mode.
//!
//! `cargo run -p cipherloom-loom --example realmode -- FOLDER`, then in that folder
//! `nasm -f bin -o des.com des.asm`, and `des` under DOS or an emulator.

mod files;

use std::path::PathBuf;

use files::{FRAME, cases, data, kernels, source};
use loom::target::abi::NEAR16;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: realmode FOLDER");
        std::process::exit(2);
    };
    std::fs::create_dir_all(&folder)?;
    let kernels = kernels(&NEAR16);
    std::fs::write(folder.join("des.asm"), FRAME)?;
    std::fs::write(folder.join("kernels.asm"), source(&kernels))?;
    std::fs::write(folder.join("cases.asm"), data(&cases(&kernels)))?;
    println!("cd {} && nasm -f bin -o des.com des.asm", folder.display());
    Ok(())
}
