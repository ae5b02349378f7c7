//! `cargo xtask install --provider`: the OpenSSL provider where OpenSSL looks for it, and away again.

use crate::failure::{Failure, Result};
use crate::install::{build, copy};
use crate::process::{output, program};
use std::path::{Path, PathBuf};

const PACKAGE: &str = "cipherloom-provider";

/// By this name OpenSSL loads it.
const FILE: &str = if cfg!(target_os = "macos") {
    "cipherloom.dylib"
} else if cfg!(windows) {
    "cipherloom.dll"
} else {
    "cipherloom.so"
};

/// What the command line says.
#[derive(Debug, Default, PartialEq)]
struct Options {
    /// OpenSSL's folder of modules; `None`: that of the `openssl` command.
    modules: Option<PathBuf>,
    /// Below which everything is put for now, as packagers do.
    destination: Option<PathBuf>,
    profile: Option<String>,
    removes: bool,
}

impl Options {
    fn read(args: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(&name) = args.next() {
            let mut value =
                || args.next().ok_or_else(|| Failure::Usage(format!("{name} wants a value")));
            match name {
                "--modules" => options.modules = Some(value()?.into()),
                "--destdir" => options.destination = Some(value()?.into()),
                "--profile" => options.profile = Some((*value()?).into()),
                "--remove" => options.removes = true,
                _ => return Err(Failure::Usage(format!("unexpected argument `{name}`"))),
            }
        }
        match &options.modules {
            Some(folder) if !folder.is_absolute() => {
                Err(Failure::Usage("--modules wants an absolute path".into()))
            }
            _ => Ok(options),
        }
    }

    /// Where the provider is put.
    fn place(&self) -> Result<PathBuf> {
        let modules = match &self.modules {
            Some(folder) => folder.clone(),
            None => modules_of_openssl()?,
        };
        let below = modules.strip_prefix("/").unwrap_or(&modules);
        let folder = self.destination.as_ref().map_or(modules.clone(), |root| root.join(below));
        Ok(folder.join(FILE))
    }
}

/// The folder that the `openssl` command names.
fn modules_of_openssl() -> Result<PathBuf> {
    let said = output(program("openssl").args(["version", "-m"]));
    let folder = said.as_deref().and_then(|said| said.split('"').nth(1)).map(PathBuf::from);
    folder.ok_or_else(|| {
        Failure::Run("`openssl version -m` names no folder: say --modules DIR".into())
    })
}

/// Builds the provider and puts it in place, or takes it away.
///
/// # Errors
/// Bad usage; a build that fails; a folder that is not known or cannot be written.
pub(crate) fn run(args: &[&str]) -> Result {
    let options = Options::read(args)?;
    let place = options.place()?;
    if options.removes {
        return remove(&place);
    }
    let profile = options.profile.as_deref().unwrap_or("release");
    let built = build(PACKAGE, profile, "cdylib", &[])?;
    copy(&built.file, &place)
}

fn remove(place: &Path) -> Result {
    std::fs::remove_file(place).map_err(|error| format!("{}: {error}", place.display()))?;
    println!("removed {}", place.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let words = ["--modules", "/usr/lib/ossl-modules", "--destdir", "/tmp/image", "--remove"];
        let options = Options::read(&words).unwrap();
        let place = Path::new("/tmp/image/usr/lib/ossl-modules").join(FILE);
        assert_eq!((options.place().unwrap(), options.removes), (place, true));
        for wrong in [&["--modules"][..], &["--modules", "here"], &["--prefix", "/usr"]] {
            assert!(matches!(Options::read(wrong), Err(Failure::Usage(_))), "{wrong:?}");
        }
    }
}
