//! The kernels for AArch64: the prover on them, what it says of instructions beside an emulator, and what it
//! must refuse.

mod cosimulation;
mod decoder;
mod emulator;
mod kernels;
mod refusals;

use proof::image::Image;
use std::path::Path;
use std::process::Command;

/// Instructions beyond the baseline, the macros for places of tables that the kernels take for granted, and
/// nothing for Windows' unwind information.
const HEAD: &str = ".arch armv8.2-a+sha3\n\
    .irp name, proc, nop, stackalloc, save_reg, save_reg_x, save_regp, save_regp_x, save_freg, save_freg_x, \
    save_fregp, save_fregp_x, endprologue, startepilogue, endepilogue, endproc\n\
    .macro .seh_\\name first, second\n.endm\n.endr\n\
    .macro tables_page register, symbol\n adrp \\register, \\symbol\n.endm\n\
    .macro tables_place register, page, symbol\n add \\register, \\page, :lo12:\\symbol\n.endm\n";

fn run(command: &mut Command) {
    let done = command.status().unwrap_or_else(|error| {
        panic!("{command:?}: {error}: install binutils-aarch64-linux-gnu (cargo xtask setup does)")
    });
    assert!(done.success(), "{command:?}");
}

/// Assembles a text and links it.
fn link(text: &str, options: &[&str], to: &Path) {
    let (source, object) = (to.with_extension("s"), to.with_extension("o"));
    std::fs::write(&source, text).unwrap();
    run(Command::new("aarch64-linux-gnu-as").arg("-o").arg(&object).arg(&source));
    run(Command::new("aarch64-linux-gnu-ld").args(options).arg("-o").arg(to).arg(&object));
}

/// The name behind `.globl`.
fn symbol(text: &str) -> &str {
    text.split(".globl").nth(1).unwrap().split_whitespace().next().unwrap()
}

/// A library of kernels and tables, each file perhaps changed.
fn library(names: &[&str], change: impl Fn(&str) -> String) -> Image {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cipherloom/kernels/aarch64");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut code, mut tables) = (HEAD.to_owned(), String::from(".section .rodata\n"));
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let (symbol, is_table) = (symbol(&text), name.ends_with("_tables"));
        let end = format!(".hidden {symbol}\n.size {symbol}, .-{symbol}\n");
        if is_table {
            tables.push_str(&format!("{text}{end}.type {symbol}, %object\n"));
        } else if names.is_empty() || names.contains(&name) {
            code.push_str(&format!("{}{end}.type {symbol}, %function\n", change(&text)));
        }
    }
    let made = tempfile::tempdir().unwrap();
    let to = made.path().join("kernels");
    link(&format!("{code}{tables}"), &["-shared"], &to);
    Image::parse(&std::fs::read(&to).unwrap()).unwrap()
}

/// All kernels that the library ships.
pub(crate) fn image() -> Image {
    library(&[], str::to_owned)
}
