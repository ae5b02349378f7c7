//! `cargo xtask realmode`: the programs for DOS, assembled, and run by an emulator.

use std::path::Path;

use crate::process::{self, cargo, compiles, program, target_folder};

/// Says what compiles C for real mode, if it does: the compiler, assembler, linker and C library are of
/// several packages.
pub(crate) fn find_c() -> Option<String> {
    let mut bcc = program("bcc");
    compiles(bcc.args(["-ansi", "-Md"])).then(|| "bcc compiles and links".to_owned())
}

/// Writes the programs, assembles them, runs them under DOSBox, and prints what they print: what came of
/// each kernel, whether it is right, and the blocks a second of the emulated machine.
///
/// # Errors
/// Something cannot be run, or a result is wrong.
pub(crate) fn run() -> crate::failure::Result {
    let folder = target_folder().map_err(|error| error.to_string())?.join("realmode");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    let mut write =
        cargo(["run", "--quiet", "-p", "cipherloom-loom", "--example", "realmode", "--"]);
    process::run(write.arg(&folder).stdout(std::process::Stdio::null()))?;
    for name in files(&folder, "asm")? {
        let (from, to) = (format!("{name}.asm"), format!("{name}.com"));
        process::run(program("nasm").current_dir(&folder).args(["-f", "bin", "-o", &to, &from]))?;
    }
    let mut dosbox = program("dosbox");
    dosbox.current_dir(&folder).args(["-conf", "machine.conf", "-noconsole"]);
    dosbox.env("SDL_VIDEODRIVER", "dummy").env("SDL_AUDIODRIVER", "dummy");
    if process::output(&mut dosbox).is_none() {
        return Err("dosbox does not run: install dosbox".to_owned().into());
    }
    let mut wrong = 0;
    // DOS has no small letters.
    for name in files(&folder, "TXT")? {
        let file = folder.join(format!("{name}.TXT"));
        let printed = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
        println!("{name}:\n{printed}");
        let right = |line: &&str| line.ends_with(" right") || line.ends_with(" blocks per second");
        wrong += printed.lines().filter(|line| !right(line)).count();
    }
    println!("The programs are in {}; speeds are those of the emulator.", folder.display());
    if wrong > 0 { Err(format!("{wrong} results are not right").into()) } else { Ok(()) }
}

/// The names of the files in a folder that end so, without that, in order; there must be some.
fn files(folder: &Path, ending: &str) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let named = paths.filter(|path| path.extension().is_some_and(|found| found == ending));
    let mut names: Vec<_> =
        named.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort_unstable();
    if names.is_empty() { Err(format!("no .{ending} in {}", folder.display())) } else { Ok(names) }
}
