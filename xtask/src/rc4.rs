//! `cargo xtask rc4`: RC4 as textbooks write it, by gcc with its options, beside loom's kernels.

use crate::process::{self, cargo, program, root};
use std::path::PathBuf;

/// The programs' sources.
const SOURCES: &str = "bench/rc4";

/// The kernels that the program calls.
const KERNELS: [&str; 4] = ["rc4_setup_s8", "rc4_apply_s8", "rc4_setup_s32", "rc4_apply_s32"];

/// A processor family that the program is built for.
struct Build {
    name: &'static str,
    /// For gcc.
    flag: &'static str,
    /// For `loom emit`.
    emit: &'static [&'static str],
}

const BUILDS: [Build; 2] = [
    Build { name: "x86-64", flag: "-m64", emit: &["--cpu", "x86-64"] },
    Build { name: "x86", flag: "-m32", emit: &["--cpu", "pentiumpro"] },
];

/// Builds the program for each family, and runs it: tests first, then times.
///
/// # Errors
/// Something cannot be built, or a way gives wrong bytes.
pub(crate) fn run(quick: bool) -> crate::Result {
    for build in &BUILDS {
        let program_path = build.make()?;
        println!();
        let samples = if quick { "21" } else { "401" };
        process::run(program(program_path).arg(samples))?;
    }
    Ok(())
}

impl Build {
    fn make(&self) -> Result<PathBuf, String> {
        let folder = root().join("target/rc4").join(self.name);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let kernels = folder.join("kernels.s");
        let words = ["run", "--quiet", "--release", "--package", "cipherloom-loom", "--", "emit"];
        let mut emit = cargo(words);
        emit.args(KERNELS)
            .args(self.emit)
            .args(["--format", "elf-att", "--prefix", "loom_", "-o"])
            .arg(&kernels);
        process::run(&mut emit)?;
        let mut objects = Vec::new();
        let mut compile = |source: PathBuf, name: &str, options: &[&str]| {
            let object = folder.join(format!("{name}.o"));
            let mut gcc = program("gcc");
            gcc.args([self.flag, "-std=c99", "-Wall", "-Wextra", "-Werror", "-c"]);
            gcc.arg("-D_POSIX_C_SOURCE=199309L").args(options).arg(source).arg("-o").arg(&object);
            objects.push(object);
            process::run(&mut gcc)
        };
        let source = |name: &str| root().join(SOURCES).join(name);
        for level in ["O0", "O1", "O2", "O3"] {
            for (suffix, frame) in
                [("", "-fno-omit-frame-pointer"), ("_omit", "-fomit-frame-pointer")]
            {
                let name = format!("textbook_{level}{suffix}");
                let options = [&*format!("-{level}"), frame, &*format!("-DNAME={name}")];
                compile(source("textbook.c"), &name, &options)?;
            }
        }
        compile(source("rc4.c"), "rc4", &["-O2"])?;
        compile(source("main.c"), "main", &["-O2"])?;
        compile(kernels, "kernels", &[])?;
        let linked = folder.join("rc4");
        let mut link = program("gcc");
        process::run(link.arg(self.flag).args(&objects).arg("-o").arg(&linked))?;
        Ok(linked)
    }
}
