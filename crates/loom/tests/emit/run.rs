//! Every format linked and run: ELF as a shared library that the system loads, COFF as a Windows
//! library made by a linker for Windows and mapped here, Mach-O mapped and relocated here.
#![allow(unsafe_code, reason = "loads and calls the kernels")]

use std::collections::HashMap;
use std::ffi::CString;

use crate::assembler::{CC, File, MINGW_LD, assemblers, kernels, strategies, units};
use crate::call::{FLAGS, Side, cases, runs_here};
use loom::emit::{Container, Format, object, text};
use loom::target::Architecture;
use loom::target::abi::{Abi, SYSV64, WIN64};
use memmap2::{Mmap, MmapMut};
use object::{ExportTarget, Object, ObjectSection, ObjectSymbol, RelocationTarget};

/// Code in memory that can be executed.
pub(crate) enum Loaded {
    /// By the system; it stays until the process ends.
    System(*mut libc::c_void),
    /// By us, with the places of its functions.
    Mapped(Mmap, HashMap<String, usize>),
}

impl Loaded {
    pub(crate) fn function(&self, name: &str) -> *const u8 {
        match self {
            Self::System(library) => {
                let name = CString::new(name).expect("a name");
                // SAFETY: the library was opened and is never closed.
                let function = unsafe { libc::dlsym(*library, name.as_ptr()) };
                assert!(!function.is_null(), "no function {name:?}");
                function.cast::<u8>().cast_const()
            }
            Self::Mapped(memory, functions) => memory[functions[name]..].as_ptr(),
        }
    }
}

/// Links an ELF object file and has the system load it.
pub(crate) fn elf(object: &File) -> Loaded {
    let library = File::new("kernels.so");
    CC.run(&["-shared", "-nostdlib", "-Wl,--fatal-warnings", "-o", library.path(), object.path()]);
    let path = CString::new(library.path()).expect("a path");
    // SAFETY: the library is what was just linked, and has nothing that runs when it is loaded.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    assert!(!handle.is_null(), "the system does not load {}", library.path());
    Loaded::System(handle)
}

/// Links a COFF object file for Windows and puts the sections where it says.
fn coff(object: &File) -> Loaded {
    let library = File::new("kernels.dll");
    let flags = ["-shared", "--export-all-symbols", "--entry", "0", "-o"];
    MINGW_LD.run(&[&flags[..], &[library.path(), object.path()]].concat());
    let bytes = library.read();
    let file = object::File::parse(&*bytes).expect("a Windows library");
    let base = file.relative_address_base();
    let end = file.sections().map(|section| section.address() + section.size() - base).max();
    let mut memory = MmapMut::map_anon(end.expect("sections") as usize).expect("memory");
    for section in file.sections() {
        let (at, data) = ((section.address() - base) as usize, section.data().expect("bytes"));
        let length = data.len().min(section.size() as usize);
        memory[at..at + length].copy_from_slice(&data[..length]);
    }
    let mut functions = HashMap::new();
    for export in file.exports().expect("exports") {
        let export = export.expect("an export");
        let ExportTarget::Address { address } = export.target() else { continue };
        if let Some(name) = export.name().name() {
            let name = String::from_utf8(name.to_vec()).expect("a name");
            functions.insert(name, (address - base) as usize);
        }
    }
    Loaded::Mapped(memory.make_exec().expect("memory to execute"), functions)
}

/// Puts the sections of a Mach-O object file into memory and does what a linker would do.
fn macho(object: &File) -> Loaded {
    let bytes = object.read();
    let file = object::File::parse(&*bytes).expect("an object file");
    let mut places = HashMap::new();
    let mut end = 0usize;
    for section in file.sections().filter(|s| matches!(s.name(), Ok("__text" | "__const"))) {
        let at = end.next_multiple_of(64);
        places.insert(section.index(), at);
        end = at + section.size() as usize;
    }
    let mut memory = MmapMut::map_anon(end).expect("memory");
    let mut functions = HashMap::new();
    let place = |symbol: object::SymbolIndex| {
        let symbol = file.symbol_by_index(symbol).expect("a symbol");
        let section = symbol.section_index().expect("a defined symbol");
        let inside = symbol.address() - file.section_by_index(section).expect("one").address();
        places[&section] + inside as usize
    };
    for section in file.sections() {
        let Some(&at) = places.get(&section.index()) else { continue };
        let data = section.data().expect("bytes");
        memory[at..at + data.len()].copy_from_slice(data);
        for (offset, relocation) in section.relocations() {
            assert_eq!(
                (relocation.kind(), relocation.size()),
                (object::RelocationKind::Relative, 32)
            );
            let to = match relocation.target() {
                RelocationTarget::Symbol(symbol) => place(symbol) as i64,
                RelocationTarget::Section(section) => {
                    let from = file.section_by_index(section).expect("a section").address();
                    places[&section] as i64 - from as i64
                }
                other => panic!("a relocation to {other:?}"),
            };
            let field = at + offset as usize;
            let bytes: [u8; 4] = memory[field..field + 4].try_into().expect("four bytes");
            let inside = if relocation.has_implicit_addend() {
                i64::from(i32::from_le_bytes(bytes))
            } else {
                0
            };
            let distance = to + relocation.addend() + inside - field as i64;
            let distance = i32::try_from(distance).expect("a place in reach");
            memory[field..field + 4].copy_from_slice(&distance.to_le_bytes());
        }
    }
    for symbol in file.symbols().filter(|symbol| symbol.is_global() && symbol.is_definition()) {
        let name = symbol.name().expect("a name").trim_start_matches('_').to_owned();
        functions.insert(name, place(symbol.index()));
    }
    Loaded::Mapped(memory.make_exec().expect("memory to execute"), functions)
}

/// The ABI that programs of a container use, and how its object files are loaded.
fn ways(container: Container) -> (&'static Abi, fn(&File) -> Loaded) {
    match container {
        Container::Elf => (&SYSV64, elf),
        Container::Coff => (&WIN64, coff),
        Container::MachO => (&SYSV64, macho),
        Container::Neutral => panic!("nothing is loaded from no container"),
    }
}

/// Calls every function and compares with the interpreter; as the ABI test does, but with fewer
/// places of buffers.
fn run(loaded: &Loaded, abi: &'static Abi, what: &str) {
    let mut ran = 0;
    for (strategy, made) in strategies(abi).iter().zip(kernels(abi)) {
        let record = &made.record;
        if !runs_here(record) {
            println!("not run here: {}", record.name);
            continue;
        }
        let function = loaded.function(&record.name);
        for case in cases(strategy) {
            for side in [Side::Before(0), Side::Behind(0)] {
                // SAFETY: the function is this kernel.
                let result = unsafe { case.call(function, record, side, FLAGS) };
                result.unwrap_or_else(|wrong| panic!("{what}, {}: {wrong}", record.name));
            }
        }
        ran += 1;
    }
    println!("{what}, {}: {ran} kernels ran", abi.name);
}

#[test]
fn every_format_runs() {
    std::thread::scope(|scope| {
        for format in Format::of(Architecture::X86_64) {
            scope.spawn(move || {
                let (abi, load) = ways(format.dialect.container());
                let source = text(format.dialect, &units(kernels(abi)), "");
                let source = File::with("kernels.s", source);
                for (name, assemble) in assemblers(Architecture::X86_64, format.name) {
                    let object = File::new("kernels.o");
                    assemble(&source, &object);
                    run(&load(&object), abi, &format!("{} by {name}", format.name));
                }
            });
        }
    });
}

#[test]
fn our_own_object_files_run() {
    for container in [Container::Elf, Container::Coff, Container::MachO] {
        let (abi, load) = ways(container);
        let bytes = object(container, &units(kernels(abi)), "").expect("an object file");
        run(&load(&File::with("kernels.o", bytes)), abi, &format!("{container:?} by loom"));
    }
}
