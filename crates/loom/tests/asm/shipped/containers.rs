//! The library as it is built for Windows and macOS: the kernels in its object files, put into memory by
//! a loader of ours, are the encoder's bytes, and give the interpreter's results.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use loom::emit::file;
use loom::exec::Image;
use loom::isa::text::Tables;
use loom::isa::x86::X86_64;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, RelocationKind, RelocationTarget};

use super::{GENERATED, made, plan, same, symbols};
use crate::assembler::{File, LLVM_READOBJ};
use crate::kernels::units;
use crate::run::{Loaded, run};

/// Systems for x86-64 whose programs are not in ELF.
const TARGETS: [&str; 3] =
    ["x86_64-pc-windows-gnu", "x86_64-pc-windows-msvc", "x86_64-apple-darwin"];

/// The library for some systems: its objects in an archive. Kernels are the same however the compiler
/// works on the rest, so that does not take long.
pub(super) fn built(
    targets: &'static [&'static str],
) -> impl Iterator<Item = (&'static str, PathBuf)> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("containers");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--package", "cipherloom", "--no-default-features"]);
    cargo.args(["--config", "profile.dev.package.cipherloom.opt-level=0"]);
    cargo.args(targets.iter().flat_map(|target| ["--target", target]));
    cargo.arg("--target-dir").arg(&folder).current_dir(repository);
    let output = cargo.env_remove("CARGO_TARGET_DIR").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n(`cargo xtask setup` adds these targets to Rust)");
    targets
        .iter()
        .map(move |target| (*target, folder.join(target).join("debug/libcipherloom.rlib")))
}

/// The object files of an archive, each with its bytes. (One member says what the compiler knows of the
/// library.)
pub(super) fn objects(archive: &[u8]) -> impl Iterator<Item = (&[u8], object::File<'_>)> {
    let members = ArchiveFile::parse(archive).unwrap().members();
    members.filter_map(move |member| {
        let bytes = member.unwrap().data(archive).unwrap();
        Some((bytes, object::File::parse(bytes).ok()?))
    })
}

/// Something that has a symbol: its bytes, and where in them which other thing's distance is to be added.
struct Part {
    bytes: Vec<u8>,
    distances: Vec<(usize, String)>,
}

/// The parts of an archive's objects by their symbols, of which `sizes` has the lengths.
fn parts(archive: &[u8], sizes: &BTreeMap<&str, usize>) -> BTreeMap<String, Part> {
    let mut found = BTreeMap::new();
    for (_, object) in objects(archive) {
        // Other objects may name what this one has.
        for symbol in object.symbols().filter(|symbol| !symbol.is_undefined()) {
            let Some((&name, &size)) =
                symbol.name().ok().and_then(|name| sizes.get_key_value(name))
            else {
                continue;
            };
            let section = symbol.section_index().expect("a symbol in a section");
            let section = object.section_by_index(section).unwrap();
            let from = (symbol.address() - section.address()) as usize;
            let mut bytes = section.data().unwrap()[from..from + size].to_vec();
            let inside = |at: u64| (at as usize).checked_sub(from).filter(|at| *at < size);
            let fields = section.relocations();
            let fields = fields.filter_map(|(at, field)| Some((inside(at)?, field)));
            let mut distances = Vec::new();
            for (at, field) in fields {
                assert_eq!((field.kind(), field.size()), (RelocationKind::Relative, 32), "{name}");
                let RelocationTarget::Symbol(other) = field.target() else {
                    panic!("{name} has a distance to {:?}", field.target())
                };
                let other = object.symbol_by_index(other).unwrap().name().unwrap();
                distances.push((at, other.to_owned()));
                add(&mut bytes, at, field.addend());
            }
            let before = found.insert(name.to_owned(), Part { bytes, distances });
            assert!(before.is_none(), "{name} is there twice");
        }
    }
    found
}

/// Adds to four bytes.
fn add(bytes: &mut [u8], at: usize, more: i64) {
    let field: &mut [u8; 4] = (&mut bytes[at..at + 4]).try_into().unwrap();
    *field = (i32::from_le_bytes(*field) + i32::try_from(more).unwrap()).to_le_bytes();
}

/// Puts the parts one behind the other; gives where.
fn loaded(parts: &BTreeMap<String, Part>) -> (Image, HashMap<String, usize>) {
    let (mut places, mut end) = (HashMap::new(), 0usize);
    for (name, part) in parts {
        let at = end.next_multiple_of(64);
        places.insert(name.clone(), at);
        end = at + part.bytes.len();
    }
    let image = Image::new(&X86_64, end, |_, memory| {
        for (name, part) in parts {
            let at = places[name];
            memory[at..at + part.bytes.len()].copy_from_slice(&part.bytes);
            for (field, other) in &part.distances {
                add(memory, at + field, places[other] as i64 - (at + field) as i64);
            }
        }
        Ok(())
    });
    (image.expect("memory to execute"), places)
}

/// What a tool says that undoes each kernel's entry in a COFF object file, by the kernels' names.
fn undoing(object: &File) -> BTreeMap<String, String> {
    let said = LLVM_READOBJ.run(&["--unwind", object.path()]);
    let functions = said.split("StartAddress: ").skip(1);
    let named = functions.filter_map(|function| {
        let (symbol, rest) = function.split_once(' ')?;
        let name = match symbol.strip_prefix("cipherloom_") {
            Some(own) => own.split_once('_')?.1,
            None => symbol,
        };
        let (_, codes) = rest.split_once("PrologSize: ")?;
        let (codes, _) = codes.split_once(']')?;
        Some((name.to_owned(), codes.to_owned()))
    });
    named.collect()
}

#[test]
fn rare_kernels_for_windows_and_macos_are_the_encoder_s_and_right() {
    let symbols = symbols(GENERATED);
    let (strategies, kernels): (Vec<_>, Vec<_>) = made(plan).unzip();
    let mut sizes = BTreeMap::new();
    for made in &kernels {
        sizes.insert(&*symbols[&made.record.name], made.program.bytes(0, 0).unwrap().len());
        if let Some(tables) = Tables::of(&made.kernel) {
            sizes.insert(&*symbols[&tables.name], tables.bytes());
        }
    }
    let coff = X86_64.format("coff").expect("a format");
    let coff = file(coff, &units(&kernels), "").expect("an object file");
    let undone = undoing(&File::with("coff.o", coff));
    for (target, archive) in built(&TARGETS) {
        let archive = std::fs::read(archive).unwrap();
        let parts = parts(&archive, &sizes);
        assert_eq!(parts.len(), symbols.len(), "{target}");
        let (image, places) = loaded(&parts);
        let start = image.bytes().as_ptr() as u64;
        for made in &kernels {
            let at = places[&symbols[&made.record.name]];
            let tables = Tables::of(&made.kernel);
            let tables_at = tables.as_ref().map_or(0, |tables| places[&symbols[&tables.name]]);
            same(made, start + at as u64, start + tables_at as u64, |count| {
                &image.bytes()[at..at + count]
            });
            if let Some(tables) = tables {
                assert_eq!(image.bytes()[tables_at..][..tables.bytes()], tables.content());
            }
        }
        if target.contains("windows") {
            let mut objects = objects(&archive);
            let own = objects.find(|(_, object)| {
                let mut own = object.symbols().filter(|symbol| !symbol.is_undefined());
                own.any(|symbol| symbol.name().is_ok_and(|name| sizes.contains_key(name)))
            });
            let (own, _) = own.expect("an object file with kernels");
            let theirs = undoing(&File::with("library.o", own));
            for (name, undone) in &undone {
                assert_eq!(theirs.get(name), Some(undone), "{target}: unwinding {name}");
            }
            assert_eq!(undone.len(), kernels.len());
        }
        let names = kernels.iter().map(|made| &made.record.name);
        let functions = names.map(|name| (name.clone(), places[&symbols[name]])).collect();
        let pairs: Vec<_> = strategies.iter().zip(&kernels).collect();
        let not = run(&Loaded::Mapped(image, functions), &pairs, target);
        let (all, ran) = (pairs.len(), pairs.len() - not);
        // Past the test harness, which would keep it back.
        let told = format!(
            "{target}: {all} kernels have the encoder's bytes, {ran} of them ran here, {not} need \
             another processor\n"
        );
        std::io::stderr().write_all(told.as_bytes()).expect("standard error can be written");
        assert!(ran > 60, "{target}");
    }
}
