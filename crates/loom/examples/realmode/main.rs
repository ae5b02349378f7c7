//! Writes programs for DOS that test and measure DES and Triple-DES in real mode.
//!
//! `cargo run -p cipherloom-loom --example realmode -- FOLDER`, then what it prints; or the programs under
//! DOS. `cargo xtask realmode` does all of that.

mod files;

use std::path::PathBuf;

use files::{PROGRAMS, cases, machine};

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: realmode FOLDER");
        std::process::exit(2);
    };
    std::fs::create_dir_all(&folder)?;
    println!("cd {}", folder.display());
    for program in &PROGRAMS {
        let kernels = program.kernels();
        let name = program.name;
        let source = program.source(&kernels, &cases(&kernels));
        std::fs::write(folder.join(format!("{name}.asm")), source)?;
        println!("nasm -f bin -o {name}.com {name}.asm");
    }
    std::fs::write(folder.join("machine.conf"), machine(&PROGRAMS.map(|program| program.name)))?;
    println!("dosbox -conf machine.conf");
    Ok(())
}
