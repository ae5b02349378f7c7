//! Static libraries. Their code is not what runs before it is linked, so all of one is linked into a file: by
//! the linker that comes with Rust, for whatever system. What that makes is proved as any other file.

use object::read::archive::ArchiveFile;
use object::{Architecture, BinaryFormat, Object};
use proof::Result;
use std::path::Path;
use std::process::Command;

/// Whether these bytes are a static library.
pub(crate) fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(b"!<arch>\n")
}

/// A file of all that a static library has.
///
/// # Errors
/// If it has no object files, or cannot be linked.
pub(crate) fn linked(file: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let archive = ArchiveFile::parse(bytes).map_err(|error| error.to_string())?;
    let mut objects = archive.members().filter_map(|member| {
        let object = object::File::parse(member.ok()?.data(bytes).ok()?).ok()?;
        Some((object.format(), object.architecture()))
    });
    let known = objects.find(|(_, architecture)| *architecture != Architecture::Unknown);
    let (format, architecture) = known.ok_or("a static library without object files")?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let to = folder.path().join("linked");
    let mut linker = linker()?;
    let arm = architecture == Architecture::Aarch64;
    match format {
        BinaryFormat::Elf => {
            linker.args(["-flavor", "gnu", "-shared", "--whole-archive", file, "-o"]).arg(&to);
        }
        BinaryFormat::Coff => {
            let machine = if arm { "/machine:arm64" } else { "/machine:x64" };
            linker.args(["-flavor", "link", "/dll", "/noentry", "/force:unresolved", machine]);
            linker.args(["/debug:symtab", &format!("/wholearchive:{file}")]);
            linker.arg(format!("/out:{}", to.display()));
        }
        BinaryFormat::MachO => {
            let arch = if arm { "arm64" } else { "x86_64" };
            linker.args(["-flavor", "darwin", "-dylib", "-undefined", "dynamic_lookup", "-arch"]);
            linker.args([arch, "-platform_version", "macos", "11.0", "11.0", "-all_load", file]);
            linker.arg("-o").arg(&to);
        }
        other => return Err(format!("a static library of {other:?}")),
    }
    let done = linker.output().map_err(|error| format!("{linker:?}: {error}"))?;
    if !done.status.success() {
        return Err(format!("it cannot be linked: {}", String::from_utf8_lossy(&done.stderr)));
    }
    std::fs::read(&to).map_err(|error| error.to_string())
}

/// `rust-lld`.
fn linker() -> Result<Command> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir"]);
    let said = rustc.output().map_err(|error| format!("{rustc:?}: {error}"))?;
    let libraries = String::from_utf8(said.stdout).map_err(|error| error.to_string())?;
    Ok(Command::new(Path::new(libraries.trim()).with_file_name("bin").join("rust-lld")))
}
