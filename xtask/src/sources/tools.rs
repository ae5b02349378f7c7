//! Programs that Debian's packages for this machine do not have, in `target/tools`: built from a
//! package with sources, or taken out of another release's or another processor's packages. Nothing
//! of it is installed, so that the system stays as it is, and no rights are needed.

use super::apt;
use crate::process::{self, program, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where all of it lies.
pub(crate) fn folder() -> PathBuf {
    root().join("target/tools")
}

/// Packages of Debian for somewhere else.
pub(crate) struct Elsewhere {
    /// The processor, as Debian calls it.
    pub(crate) architecture: &'static str,
    /// The release; `None`: this machine's.
    pub(crate) release: Option<&'static str>,
    /// What stands behind the release's name ("-backports"); empty for the release itself.
    pub(crate) suite: &'static str,
}

impl Elsewhere {
    /// Unpacks packages into a folder of `target/tools`, with lists and settings of its own.
    ///
    /// # Errors
    /// There is no apt here, a package is not to be had, or the folder cannot be written.
    pub(crate) fn unpack(&self, packages: &[&str], into: &str) -> Result<(), String> {
        let into = folder().join(into);
        let fetch = |apt: &Apt<'_>| process::run(apt("apt-get").arg("download").args(packages));
        self.fetched(&into, "deb", fetch, |package| {
            match package.extension().is_some_and(|extension| extension == "deb") {
                true => process::run(program("dpkg-deb").arg("-x").arg(package).arg(&into)),
                false => Ok(()),
            }
        })
    }

    /// Unpacks the sources of a package, as its authors published them: the last version that a site has, which
    /// between two releases may lack files of the one that its list names last.
    ///
    /// # Errors
    /// As [`unpack`](Self::unpack).
    pub(crate) fn unpack_sources(&self, package: &str, into: &str) -> Result<(), String> {
        let into = folder().join(into);
        let fetch = |apt: &Apt<'_>| {
            let shown = process::output(apt("apt-cache").args(["showsrc", package]));
            let shown = shown.unwrap_or_default();
            let versions = shown.lines().filter_map(|line| line.strip_prefix("Version: "));
            // Older ones stand before newer ones.
            let mut names = versions.rev().map(|version| format!("{package}={version}"));
            let source = |name: String| {
                process::run(apt("apt-get").args(["source", "--download-only", &name])).ok()
            };
            names.find_map(source).ok_or_else(|| format!("no sources of {package} can be fetched"))
        };
        self.fetched(&into, "deb-src", fetch, |archive| {
            match archive.to_string_lossy().contains(".orig.tar.") && !is_signature(archive) {
                true => {
                    let mut tar = program("tar");
                    tar.arg("-xf").arg(archive).arg("-C").arg(&into).arg("--strip-components=1");
                    process::run(&mut tar)
                }
                false => Ok(()),
            }
        })
    }

    /// Has apt fetch something, into the folder where it runs, and hands over each file.
    fn fetched(
        &self,
        into: &Path,
        kind: &str,
        fetch: impl Fn(&Apt<'_>) -> Result<(), String>,
        take: impl Fn(&Path) -> Result<(), String>,
    ) -> Result<(), String> {
        let state = into.join("apt");
        for folder in ["lists/partial", "cache/archives/partial"] {
            create(&state.join(folder))?;
        }
        let sources = state.join("sources.list");
        write(&sources, &format!("{kind} [signed-by={KEYS}] {} main\n", self.release()?))?;
        let apt = |name: &str| {
            let mut command = program(name);
            command.current_dir(&state).arg("-qq");
            let set = |name: &str, value: &Path| format!("{name}={}", value.display());
            for option in [
                format!("APT::Architecture={}", self.architecture),
                format!("APT::Architectures={}", self.architecture),
                set("Dir::State::lists", &state.join("lists")),
                set("Dir::Cache", &state.join("cache")),
                set("Dir::Etc::sourcelist", &sources),
                set("Dir::Etc::sourceparts", Path::new("/dev/null")),
                // The user of downloads cannot write here.
                "APT::Sandbox::User=root".to_owned(),
            ] {
                command.args(["-o", &option]);
            }
            command
        };
        process::run(apt("apt-get").arg("update"))?;
        fetch(&apt)?;
        let found = std::fs::read_dir(&state).map_err(|error| error.to_string())?;
        found.flatten().try_for_each(|file| take(&file.path()))?;
        // Lists and packages are large and of no more use.
        std::fs::remove_dir_all(&state).map_err(|error| error.to_string())
    }

    /// Site and name of the release.
    fn release(&self) -> Result<String, String> {
        let own = apt::release()?;
        let release = match (self.release, own.split_once(' ')) {
            (Some(release), Some((site, _))) => format!("{site} {release}"),
            _ => own,
        };
        Ok(format!("{release}{}", self.suite))
    }
}

/// A program of apt by its name, with lists and settings of its own.
type Apt<'a> = dyn Fn(&str) -> Command + 'a;

fn is_signature(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "asc")
}

/// Debian's keys, of the package `debian-archive-keyring`.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// An assembler of the GNU binutils for another system.
pub(crate) struct Gas {
    /// The system, as their `configure` calls it; the program is called so, with `-as`.
    pub(crate) target: &'static str,
}

impl Gas {
    /// Where it lies.
    pub(crate) fn program(&self) -> PathBuf {
        folder().join("bin").join(format!("{}-as", self.target))
    }

    /// Builds it from the sources that the package `binutils-source` left on this machine.
    ///
    /// # Errors
    /// The sources are not there, or the build fails.
    pub(crate) fn build(&self) -> Result<(), String> {
        let sources = unpacked_sources()?;
        let build = folder().join("build").join(self.target);
        create(&build)?;
        let mut configure = program(sources.join("configure"));
        configure.current_dir(&build).args(["--quiet", "--target", self.target]);
        let parts = ["gdb", "ld", "binutils", "gprof", "gprofng", "nls", "werror"];
        configure.args(parts.map(|part| format!("--disable-{part}")));
        // It assembles a few files: without optimisation it is sooner built.
        quietly(configure.env("MAKEINFO", "true").env("CFLAGS", "-O0"))?;
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let mut make = program("make");
        make.current_dir(&build).args(["-s", &format!("-j{jobs}"), "all-gas", "MAKEINFO=true"]);
        quietly(&mut make)?;
        create(&folder().join("bin"))?;
        let copied = std::fs::copy(build.join("gas/as-new"), self.program());
        copied.map_err(|error| format!("{}: {error}", self.program().display()))?;
        std::fs::remove_dir_all(&build).map_err(|error| error.to_string())
    }
}

fn unpacked_sources() -> Result<PathBuf, String> {
    let sources = folder().join("binutils");
    if !sources.join("configure").exists() {
        let all = std::fs::read_dir("/usr/src/binutils").map_err(|error| error.to_string())?;
        let archive = all.flatten().map(|entry| entry.path()).find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("binutils-") && name.contains(".tar.")
        });
        let archive = archive.ok_or("binutils-source has no archive in /usr/src/binutils")?;
        create(&sources)?;
        let mut tar = program("tar");
        tar.arg("-xf").arg(archive).arg("-C").arg(&sources).arg("--strip-components=1");
        process::run(&mut tar)?;
    }
    Ok(sources)
}

/// Deletes the sources, which take much room.
///
/// # Errors
/// The folder cannot be deleted.
pub(crate) fn forget_sources() -> Result<(), String> {
    std::fs::remove_dir_all(folder().join("binutils")).map_err(|error| error.to_string())
}

/// Runs a step of a build; what it prints is shown only if it fails.
pub(crate) fn quietly(command: &mut std::process::Command) -> Result<(), String> {
    let done = command.output().map_err(|error| process::not_started(command, &error))?;
    if done.status.success() {
        return Ok(());
    }
    eprint!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    Err(format!("`{}` failed: {}", process::shown(command), done.status))
}

fn create(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
