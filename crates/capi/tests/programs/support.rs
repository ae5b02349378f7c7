//! C programs: compiled as their users compile them, against what plain `cargo build` makes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// This crate's folder.
pub(crate) fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where tests may write.
pub(crate) fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The folder with libcipherloom.a and .so, which are built first.
pub(crate) fn libraries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let target = scratch().parent().expect("a folder of the target folder");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--package", env!("CARGO_PKG_NAME")]);
        cargo.arg("--target-dir").arg(target).current_dir(here());
        succeed(&mut cargo);
        target.join("debug")
    })
}

/// Runs a command that must succeed; gives its standard output.
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| {
        let name = command.get_program().display();
        panic!("cannot run {name}: {error} (Debian: apt-get install gcc libssl-dev pkg-config valgrind)")
    });
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?}: {}\n{stdout}{stderr}", output.status);
    stdout.into_owned()
}

/// Which library a program is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    /// libcipherloom.a
    Static,
    /// libcipherloom.so
    Shared,
    /// None of ours.
    None,
}

/// What libcipherloom.a needs of the system; the pkg-config file says the same.
pub(crate) const SYSTEM: [&str; 7] =
    ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];

/// A C program to build.
pub(crate) struct Program {
    source: PathBuf,
    name: String,
    library: Library,
    before: Vec<String>,
    behind: Vec<String>,
}

impl Program {
    /// Of a source file of this crate, with the static library.
    pub(crate) fn new(source: &str) -> Self {
        let source = here().join(source);
        let stem = source.file_stem().expect("a file name").to_string_lossy().into_owned();
        let include = format!("-I{}", here().join("include").display());
        Self {
            source,
            name: stem,
            library: Library::Static,
            before: vec![include],
            behind: Vec::new(),
        }
    }

    pub(crate) fn library(mut self, library: Library) -> Self {
        self.name += &format!("-{library:?}");
        self.library = library;
        self
    }

    pub(crate) fn libcrypto(mut self) -> Self {
        self.name += "-libcrypto";
        self.behind.push("-lcrypto".into());
        self
    }

    /// OpenSSL's names for our functions.
    pub(crate) fn compat(mut self) -> Self {
        self.name += "-compat";
        let folder = here().join("include/cipherloom/compat");
        self.before.insert(0, format!("-I{}", folder.display()));
        self
    }

    /// Another option of the compiler.
    pub(crate) fn option(mut self, option: &str) -> Self {
        self.name += &option.replace(['/', '=', ','], "_");
        self.before.push(option.into());
        self
    }

    /// Compiles and links it, every warning an error.
    pub(crate) fn build(self) -> Built {
        let folder = libraries();
        let program = scratch().join(&self.name);
        let mut cc = Command::new("cc");
        cc.args(["-Wall", "-Wextra", "-Werror", "-std=c99", "-O1", "-g"]);
        cc.args(&self.before).arg(&self.source).arg("-o").arg(&program);
        match self.library {
            Library::Static => {
                cc.arg(folder.join("libcipherloom.a")).args(&self.behind).args(SYSTEM)
            }
            Library::Shared => {
                let rpath = format!("-Wl,-rpath,{}", folder.display());
                cc.arg("-L").arg(folder).arg("-lcipherloom").arg(rpath).args(&self.behind)
            }
            Library::None => cc.args(&self.behind),
        };
        succeed(&mut cc);
        Built(program)
    }
}

/// A program that was built.
pub(crate) struct Built(pub(crate) PathBuf);

impl Built {
    /// Runs it to a good end; gives its standard output.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        succeed(Command::new(&self.0).args(arguments))
    }

    /// Runs it on an input; gives its exit code and its standard output.
    pub(crate) fn pipe(&self, arguments: &[&str], input: &[u8]) -> (Option<i32>, Vec<u8>) {
        let mut child = Command::new(&self.0)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a program that was just built starts");
        let mut stdin = child.stdin.take().expect("piped");
        let output = std::thread::scope(|scope| {
            // It may fill its output before it has read its input, or not want it at all.
            scope.spawn(move || stdin.write_all(input));
            child.wait_with_output().expect("it runs to an end")
        });
        (output.status.code(), output.stdout)
    }
}
