//! Writes programs for DOS that test and measure DES and Triple-DES in real mode.
//!
//! `cargo run -p cipherloom-loom --example realmode -- FOLDER`, then in that folder what it prints, and
//! the programs under DOS or an emulator; `cargo xtask realmode` does all of that.

mod files;

use std::path::PathBuf;

use files::PROGRAMS;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: realmode FOLDER");
        std::process::exit(2);
    };
    std::fs::create_dir_all(&folder)?;
    println!("cd {}", folder.display());
    for program in PROGRAMS {
        let kernels = program.kernels();
        let name = program.name;
        std::fs::write(
            folder.join(format!("{name}.asm")),
            program.source(&kernels, &files::cases(&kernels)),
        )?;
        println!("nasm -f bin -o {name}.com {name}.asm");
    }
    Ok(())
}
