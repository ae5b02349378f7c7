//! Static libraries and object files. Their code is not what runs before it is linked, so all of one is linked into a file: by
//! the linker that comes with Rust, for whatever system. What that makes is proved as any other file.

use crate::Result;
use crate::image::Image;
use object::read::archive::ArchiveFile;
use object::{Architecture, BinaryFormat, Object, ObjectKind, ObjectSection, RelocationFlags, elf};
use std::path::Path;
use std::process::Command;

/// The kernels of a file: a program, a shared or a static library that has the library's kernels, or an object file
/// that loom emitted.
///
/// # Errors
/// If it cannot be read or linked, or has no kernels.
pub fn open(file: &str) -> Result<Image> {
    let named = |error| format!("{file}: {error}");
    let bytes = std::fs::read(file).map_err(|error| named(error.to_string()))?;
    if is_object(&bytes) {
        let read = if is_real(&bytes) { Image::of_real_mode } else { Image::of_loom };
        return linked(file, &bytes).and_then(|bytes| read(&bytes)).map_err(named);
    }
    let bytes = if is_library(&bytes) { linked(file, &bytes).map_err(named)? } else { bytes };
    Image::parse(&bytes).map_err(named)
}

/// Whether these bytes are a static library.
fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(b"!<arch>\n")
}

/// Whether these bytes are an object file.
fn is_object(bytes: &[u8]) -> bool {
    object::File::parse(bytes).is_ok_and(|file| file.kind() == ObjectKind::Relocatable)
}

/// Whether these bytes are an object file of code of 16 bits: addresses of tables have as many there.
fn is_real(bytes: &[u8]) -> bool {
    let is_short = |flags| flags == RelocationFlags::Elf { r_type: elf::R_386_16 };
    object::File::parse(bytes).is_ok_and(|file| {
        file.architecture() == Architecture::I386
            && file.sections().any(|section| {
                section.relocations().any(|(_, relocation)| is_short(relocation.flags()))
            })
    })
}

/// The container of a static library or an object file, and whose instructions it has.
fn kind(bytes: &[u8]) -> Result<(BinaryFormat, Architecture)> {
    let of = |bytes: &[u8]| {
        let object = object::File::parse(bytes).ok()?;
        Some((object.format(), object.architecture()))
    };
    if !is_library(bytes) {
        return of(bytes).ok_or_else(|| "no object file".into());
    }
    let archive = ArchiveFile::parse(bytes).map_err(|error| error.to_string())?;
    let mut objects = archive.members().filter_map(|member| of(member.ok()?.data(bytes).ok()?));
    let known = objects.find(|(_, architecture)| *architecture != Architecture::Unknown);
    known.ok_or_else(|| "a static library without object files".into())
}

/// A file of all that a static library or an object file has.
///
/// # Errors
/// If it has no object files, or cannot be linked.
fn linked(file: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let (format, architecture) = kind(bytes)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let to = folder.path().join("linked");
    let mut linker = linker(architecture, bytes)?;
    let arm = architecture == Architecture::Aarch64;
    match format {
        BinaryFormat::Elf if architecture == Architecture::Hppa => {
            // Without relocations it takes a short file for one that is cut off.
            linker.args(["--emit-relocs", "-e", "0", file, "-o"]).arg(&to);
        }
        // Code of 32 bits has addresses in it, so what runs is code at a place.
        BinaryFormat::Elf if architecture == Architecture::I386 => {
            linker.args(["-flavor", "gnu", "-m", "elf_i386", "--no-gc-sections", "-e", "0"]);
            // Code of 16 bits begins where its segment does: addresses lie within that.
            if is_real(bytes) {
                linker.args(["--image-base=0", "-Ttext=0"]);
            }
            linker.args(["--whole-archive", file, "-o"]).arg(&to);
        }
        BinaryFormat::Elf => {
            // On AArch64 it would make one instruction of two that make an address.
            linker
                .args(["-flavor", "gnu", "-shared", "--no-relax", "--whole-archive", file, "-o"])
                .arg(&to);
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

/// `rust-lld`, or GNU's where that has not the instruction set.
fn linker(architecture: Architecture, bytes: &[u8]) -> Result<Command> {
    if architecture == Architecture::Hppa {
        let is_wide = object::File::parse(bytes).is_ok_and(|file| file.is_64());
        return Ok(Command::new(if is_wide { "hppa64-linux-gnu-ld" } else { "hppa-linux-gnu-ld" }));
    }
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir"]);
    let said = rustc.output().map_err(|error| format!("{rustc:?}: {error}"))?;
    let libraries = String::from_utf8(said.stdout).map_err(|error| error.to_string())?;
    Ok(Command::new(Path::new(libraries.trim()).with_file_name("bin").join("rust-lld")))
}
