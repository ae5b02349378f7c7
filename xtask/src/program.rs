//! C programs around loom's kernels, built for both families of x86.

use crate::process::{self, cargo, program, root};
use std::path::PathBuf;

/// What programs are built for.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// For gcc.
    flag: &'static str,
    /// For `loom emit`.
    cpu: &'static str,
}

pub(crate) const FAMILIES: [Family; 2] = [
    Family { name: "x86-64", flag: "-m64", cpu: "x86-64" },
    Family { name: "x86", flag: "-m32", cpu: "pentiumpro" },
];

/// A program in the making.
pub(crate) struct Program {
    family: &'static Family,
    /// Where its sources are, and what it is called.
    sources: &'static str,
    folder: PathBuf,
    objects: Vec<PathBuf>,
}

impl Program {
    /// The program of a folder in `bench/`, for a family.
    ///
    /// # Errors
    /// There is no place for its objects.
    pub(crate) fn new(sources: &'static str, family: &'static Family) -> Result<Self, String> {
        let folder = root().join("target/programs").join(family.name).join(sources);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Self { family, sources, folder, objects: Vec::new() })
    }

    /// Adds kernels, with `loom_` before their names, by way of GNU as.
    ///
    /// # Errors
    /// They cannot be made or assembled.
    pub(crate) fn kernels(&mut self, names: &[&str]) -> Result<(), String> {
        let text = self.folder.join("kernels.s");
        let words = ["run", "--quiet", "--release", "--package", "cipherloom-loom", "--", "emit"];
        let mut emit = cargo(words);
        emit.args(names).args(["--cpu", self.family.cpu, "--format", "elf-att"]);
        process::run(emit.args(["--prefix", "loom_", "-o"]).arg(&text))?;
        self.object(text, "kernels", &[])
    }

    /// Adds a source as an object of some name.
    ///
    /// # Errors
    /// It does not compile without a warning.
    pub(crate) fn source(
        &mut self,
        source: &str,
        name: &str,
        options: &[&str],
    ) -> Result<(), String> {
        self.object(root().join("bench").join(self.sources).join(source), name, options)
    }

    fn object(&mut self, source: PathBuf, name: &str, options: &[&str]) -> Result<(), String> {
        let object = self.folder.join(format!("{name}.o"));
        let mut gcc = self.gcc();
        gcc.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-D_POSIX_C_SOURCE=199309L", "-c"]);
        process::run(gcc.args(options).arg(source).arg("-o").arg(&object))?;
        self.objects.push(object);
        Ok(())
    }

    /// Links it; returns where it is.
    ///
    /// # Errors
    /// Something is missing.
    pub(crate) fn link(&self) -> Result<PathBuf, String> {
        let linked = self.folder.join(self.sources);
        // 32-bit kernels have addresses of tables in them.
        let mut gcc = self.gcc();
        gcc.arg("-no-pie").args(&self.objects).args(["-ldl", "-o"]).arg(&linked);
        process::run(&mut gcc).map(|()| linked)
    }

    fn gcc(&self) -> std::process::Command {
        let mut gcc = program("gcc");
        gcc.arg(self.family.flag);
        gcc
    }
}
