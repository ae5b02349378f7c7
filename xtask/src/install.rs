//! `cargo xtask install`: the C library where C programs look for it, without cargo-c.

use crate::failure::{Failure, Result};
use crate::process::{self, cargo, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "cipherloom-capi";
const NAME: &str = "cipherloom";
const DESCRIPTION: &str = "DES, Triple-DES and RC4 at the speed of the hardware";

/// What the command line says.
#[derive(Debug, PartialEq)]
struct Options {
    /// Where the library will be used.
    prefix: PathBuf,
    /// Below which everything is put for now, as packagers do.
    destination: Option<PathBuf>,
    profile: String,
}

impl Options {
    fn read(args: &[&str]) -> Result<Self> {
        let mut options =
            Self { prefix: "/usr/local".into(), destination: None, profile: "release".into() };
        let mut args = args.iter();
        while let Some(&name) = args.next() {
            let value =
                args.next().ok_or_else(|| Failure::Usage(format!("{name} wants a value")))?;
            match name {
                "--prefix" => options.prefix = value.into(),
                "--destdir" => options.destination = Some(value.into()),
                "--profile" => options.profile = (*value).into(),
                _ => return Err(Failure::Usage(format!("unexpected argument `{name}`"))),
            }
        }
        if options.prefix.is_absolute() {
            Ok(options)
        } else {
            Err(Failure::Usage("--prefix wants an absolute path: programs will look there".into()))
        }
    }

    /// Where a folder of the prefix is now.
    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.prefix.join(name);
        match (&self.destination, folder.strip_prefix("/")) {
            (Some(destination), Ok(below)) => destination.join(below),
            _ => folder,
        }
    }
}

/// Builds both libraries, and puts them, the headers and the pkg-config file below a prefix.
///
/// # Errors
/// Bad usage; a build that fails; a folder that cannot be written.
pub(crate) fn run(args: &[&str]) -> Result {
    let options = Options::read(args)?;
    let version = env!("CARGO_PKG_VERSION");
    // Until 1.0 each minor version may have an interface of its own.
    let interface: Vec<&str> = version.split('.').take(2).collect();
    let interface = interface.join(".");
    let soname = format!("lib{NAME}.so.{interface}");

    let shared_args = if cfg!(all(unix, not(target_vendor = "apple"))) {
        vec!["-C".to_owned(), format!("link-arg=-Wl,-soname,{soname}")]
    } else {
        Vec::new()
    };
    let shared = build(PACKAGE, &options.profile, "cdylib", &shared_args)?;
    let wanted = ["--print".to_owned(), "native-static-libs".to_owned()];
    let archive = build(PACKAGE, &options.profile, "staticlib", &wanted)?;
    let needs = archive
        .said
        .lines()
        .find_map(|line| line.split_once("native-static-libs: "))
        .map(|(_, needs)| needs.trim().to_owned())
        .ok_or_else(|| Failure::Run("rustc did not say what the archive needs".into()))?;

    let lib = options.folder("lib");
    copy(&archive.file, &lib.join(file_name(&archive.file)))?;
    if shared_args.is_empty() {
        copy(&shared.file, &lib.join(file_name(&shared.file)))?;
    } else {
        let whole = format!("lib{NAME}.so.{version}");
        copy(&shared.file, &lib.join(&whole))?;
        link(&whole, &lib.join(&soname))?;
        link(&soname, &lib.join(format!("lib{NAME}.so")))?;
    }
    copy_headers(&root().join("crates/capi/include"), &options.folder("include"))?;
    let text = pkg_config(&options.prefix, version, &needs);
    write(&lib.join("pkgconfig").join(format!("{NAME}.pc")), &text)
}

/// How `setup` calls cargo-c.
pub(crate) const CARGO_C: &str = "cargo-c";

/// Installs by cargo-c, and by this program, each below a folder of its own, and compares: the same
/// names, the same headers, the same lines for pkg-config.
///
/// # Errors
/// Something cannot be built, or differs.
pub(crate) fn compare() -> Result {
    let target = process::target_folder().map_err(|error| error.to_string())?.join("install");
    let [ours, theirs] = ["ours", "by-cargo-c"].map(|name| target.join("compared").join(name));
    for folder in [&ours, &theirs] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|error| wrong(folder, &error))?;
        }
    }
    let shown = ours.to_str().ok_or_else(|| Failure::Run("a path that is not UTF-8".into()))?;
    run(&["--profile", "dev", "--destdir", shown])?;
    let mut by_cargo_c = cargo(["cinstall", "--package", PACKAGE, "--profile", "dev"]);
    by_cargo_c.args(["--prefix", "/usr/local", "--libdir", "/usr/local/lib", "--target-dir"]);
    process::run(by_cargo_c.arg(target).arg("--destdir").arg(&theirs))?;
    let [mine, other] = [&ours, &theirs].map(|folder| {
        let mut files = Vec::new();
        files_in(folder, folder, &mut files).map(|()| {
            files.sort();
            files
        })
    });
    let (mine, other) = (mine?, other?);
    if mine != other {
        return Err(Failure::Run(format!("other files by cargo-c:\n{mine:#?}\n{other:#?}")));
    }
    for file in &mine {
        let text = |folder: &Path| {
            let path = folder.join(file);
            fs::read_to_string(&path).map_err(|error| wrong(&path, &error))
        };
        let same = match file.extension().and_then(|extension| extension.to_str()) {
            Some("h") => text(&ours)? == text(&theirs)?,
            Some("pc") => lines(&text(&ours)?) == lines(&text(&theirs)?),
            _ => true,
        };
        if !same {
            return Err(Failure::Run(format!("cargo-c makes another {}", file.display())));
        }
    }
    println!("{} files, the same by cargo-c", mine.len());
    Ok(())
}

/// The files below a folder, links among them.
fn files_in(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result {
    for entry in fs::read_dir(folder).map_err(|error| wrong(folder, &error))? {
        let path = entry.map_err(|error| wrong(folder, &error))?.path();
        if path.is_dir() {
            files_in(root, &path, files)?;
        } else {
            files.extend(path.strip_prefix(root).map(Path::to_path_buf));
        }
    }
    Ok(())
}

/// What a pkg-config file says; their order means nothing, and neither does a name for the prefix.
fn lines(text: &str) -> BTreeSet<&str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("exec_prefix=")).collect()
}

/// What a build made.
pub(crate) struct Built {
    pub(crate) file: PathBuf,
    said: String,
}

/// Builds one kind of library of a package.
///
/// # Errors
/// The build fails.
pub(crate) fn build(package: &str, profile: &str, kind: &str, args: &[String]) -> Result<Built> {
    // A folder of their own: a library that knows its name is not what plain `cargo build` leaves.
    let target = process::target_folder().map_err(|error| error.to_string())?.join("install");
    let mut command = cargo(["rustc", "--package", package, "--lib", "--profile", profile]);
    command.arg("--target-dir").arg(target);
    command.args(["--crate-type", kind, "--message-format", "json-render-diagnostics", "--"]);
    let output = command.args(args).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(Failure::Run(format!("the build of the {kind} failed\n{said}")));
    }
    // The last artifact is the package's own, with the path of the file that others may use.
    let messages = String::from_utf8_lossy(&output.stdout);
    let artifact = messages.lines().rfind(|line| line.contains("\"compiler-artifact\""));
    let file = artifact
        .and_then(|line| line.split_once("\"filenames\":[\""))
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(file, _)| PathBuf::from(file))
        .ok_or_else(|| Failure::Run(format!("cargo named no file for the {kind}")))?;
    Ok(Built { file, said })
}

fn pkg_config(prefix: &Path, version: &str, needs: &str) -> String {
    format!(
        "prefix={}\n\
         libdir=${{prefix}}/lib\n\
         includedir=${{prefix}}/include\n\
         \n\
         Name: {NAME}\n\
         Description: {DESCRIPTION}\n\
         Version: {version}\n\
         Libs: -L${{libdir}} -l{NAME}\n\
         Libs.private: {needs}\n\
         Cflags: -I${{includedir}}\n",
        prefix.display()
    )
}

fn file_name(path: &Path) -> &Path {
    Path::new(path.file_name().unwrap_or_default())
}

fn copy_headers(from: &Path, to: &Path) -> Result {
    let entries = fs::read_dir(from).map_err(|error| wrong(from, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| wrong(from, &error))?.path();
        let place = to.join(file_name(&path));
        if path.is_dir() { copy_headers(&path, &place)? } else { copy(&path, &place)? }
    }
    Ok(())
}

/// Copies a file to a place, whose folder is made if there is none.
///
/// # Errors
/// Something cannot be read or written.
pub(crate) fn copy(from: &Path, to: &Path) -> Result {
    let bytes = fs::read(from).map_err(|error| wrong(from, &error))?;
    write(to, bytes)
}

fn write(to: &Path, content: impl AsRef<[u8]>) -> Result {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(|error| wrong(folder, &error))?;
    // A library that is in use must not change under a program: the name gets a new file.
    let new = to.with_extension("new");
    let put = fs::write(&new, content).and_then(|()| fs::rename(&new, to));
    put.map_err(|error| wrong(to, &error))?;
    println!("{}", to.display());
    Ok(())
}

fn link(target: &str, name: &Path) -> Result {
    let mut command = Command::new("ln");
    process::run(command.args(["-sfn", target]).arg(name))?;
    println!("{} -> {target}", name.display());
    Ok(())
}

fn wrong(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Run(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let options = Options::read(&["--prefix", "/usr", "--destdir", "/tmp/image"]).unwrap();
        assert_eq!(options.folder("lib"), Path::new("/tmp/image/usr/lib"));
        assert_eq!(options.profile, "release");
        for wrong in [&["--prefix"][..], &["--prefix", "here"], &["--libdir", "/lib"]] {
            assert!(matches!(Options::read(wrong), Err(Failure::Usage(_))), "{wrong:?}");
        }
    }
}
