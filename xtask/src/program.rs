//! C programs around loom's kernels, built for both families of x86.

use crate::process::{self, built, program, root};
use std::path::PathBuf;

/// What programs are built for.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    /// For gcc.
    flag: &'static str,
    /// For `loom emit`: of this family, and of it with GFNI.
    cpu: &'static str,
    gfni: &'static str,
    abi: &'static str,
    /// Whether the kernels go into a shared library, which no loader has to write to.
    shared: bool,
}

pub(crate) const FAMILIES: [Family; 2] = [
    Family {
        name: "x86-64",
        doc: "for 64-bit programs",
        flag: "-m64",
        cpu: "x86-64",
        gfni: "x86-64-gfni",
        abi: "sysv64",
        shared: false,
    },
    Family {
        name: "x86",
        doc: "for 32-bit programs",
        flag: "-m32",
        cpu: "pentiumpro",
        gfni: "x86-gfni",
        abi: "cdecl",
        shared: false,
    },
];

/// The second one's kernels, as a shared library has them.
pub(crate) const SHARED: Family = Family {
    name: "x86-shared",
    doc: "in a 32-bit shared library",
    abi: "cdecl-pic",
    shared: true,
    ..FAMILIES[1]
};

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
        self.emitted(names, self.family.cpu, "kernels", "loom_")
    }

    /// Adds the same kernels for processors with GFNI, with `gfni_` before their names.
    ///
    /// # Errors
    /// As [`kernels`](Self::kernels).
    pub(crate) fn kernels_with_gfni(&mut self, names: &[&str]) -> Result<(), String> {
        self.emitted(names, self.family.gfni, "gfni", "gfni_")
    }

    fn emitted(
        &mut self,
        names: &[&str],
        cpu: &str,
        file: &str,
        prefix: &str,
    ) -> Result<(), String> {
        let text = self.folder.join(file).with_extension("s");
        let mut emit = built("loom")?;
        emit.arg("emit").args(names).args(["--cpu", cpu, "--abi", self.family.abi]);
        emit.args(["--format", "elf-att", "--prefix", prefix, "-o"]).arg(&text);
        process::run(&mut emit)?;
        self.object(text, file, &[])?;
        if self.family.shared {
            let object = self.objects.pop().expect("it was just made");
            let library = self.folder.join(format!("lib{file}.so"));
            let mut gcc = self.gcc();
            // An address in the code that a loader would have to write would be an error.
            gcc.args(["-shared", "-nostdlib", "-Wl,-z,text", "-Wl,--fatal-warnings"]);
            process::run(gcc.arg(object).arg("-o").arg(&library))?;
            self.objects.push(library);
        }
        Ok(())
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
        let mut gcc = self.gcc();
        // What needs kernels stands before them. 32-bit kernels have addresses of tables in them, unless they are for a library.
        gcc.arg(if self.family.shared { "-pie" } else { "-no-pie" })
            .args(self.objects.iter().rev());
        gcc.args(["-ldl", "-Wl,-rpath,$ORIGIN", "-o"]).arg(&linked);
        process::run(&mut gcc).map(|()| linked)
    }

    fn gcc(&self) -> std::process::Command {
        let mut gcc = program("gcc");
        gcc.arg(self.family.flag);
        gcc
    }
}
