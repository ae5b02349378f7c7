//! Object files loaded and their kernels called: ELF as a shared library that the system loads, COFF
//! as a Windows library made by a linker for Windows and mapped here, 32-bit code and other containers
//! mapped and relocated here.
#![allow(unsafe_code, reason = "loads and calls the kernels")]

use loom::isa::x86::{X86_32, X86_64};
use std::collections::HashMap;
use std::ffi::CString;

use crate::assembler::{CC, File, MINGW_LD};
use crate::call::{FLAGS, runs_here};
use crate::cases::{Side, cases};
use crate::image;
use loom::ciphers::Strategy;
use loom::exec::Image;
use loom::isa::Target;
use loom::isa::x86::X86;
use loom::pipeline::Compiled;
use object::{ExportTarget, Object, ObjectSection};

/// Code in memory that can be executed.
pub(crate) enum Loaded {
    /// By the system; it stays until the process ends.
    System(*mut libc::c_void),
    /// By us, with the places of its functions.
    Mapped(Image, HashMap<String, usize>),
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
            Self::Mapped(memory, functions) => memory.bytes()[functions[name]..].as_ptr(),
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
    let fill = |_, memory: &mut [u8]| {
        for section in file.sections() {
            let (at, data) = ((section.address() - base) as usize, section.data().expect("bytes"));
            let length = data.len().min(section.size() as usize);
            memory[at..at + length].copy_from_slice(&data[..length]);
        }
        Ok(())
    };
    let memory = Image::new(&X86_64, end.expect("sections") as usize, fill);
    let mut functions = HashMap::new();
    for export in file.exports().expect("exports") {
        let export = export.expect("an export");
        let ExportTarget::Address { address } = export.target() else { continue };
        if let Some(name) = export.name().name() {
            let name = String::from_utf8(name.to_vec()).expect("a name");
            functions.insert(name, (address - base) as usize);
        }
    }
    Loaded::Mapped(memory.expect("memory to execute"), functions)
}

/// Puts sections into memory and does what a linker would do.
fn mapped(object: &File, target: &'static Target) -> Loaded {
    let image = image::Image::read(&object.read());
    let (places, bytes) = image.layout();
    let memory = Image::new(target, bytes, |at, memory| {
        image.link(at, memory);
        Ok(())
    });
    // Without what C puts before a name.
    let before = image.symbol("").len();
    let named = image.names.iter().filter(|(name, _)| name.len() > before);
    let functions =
        named.map(|(name, &(section, at))| (name[before..].to_owned(), places[section] + at));
    Loaded::Mapped(memory.expect("memory to execute"), functions.collect())
}

/// Loads an object file of a target, and says how.
pub(crate) fn load(object: &File, target: &'static Target) -> (Loaded, &'static str) {
    match (&object.read()[..4], target.word) {
        (b"\x7fELF", 8) => (elf(object), "linked by cc, loaded by the system"),
        ([0x64, 0x86, ..], 8) => (coff(object), "linked by ld for Windows, mapped"),
        _ => (mapped(object, target), "mapped and relocated"),
    }
}

/// Calls functions and compares with the interpreter; as the ABI test does, but with fewer places
/// of buffers. Says how many kernels there are for which this processor has too little.
pub(crate) fn run(loaded: &Loaded, kernels: &[(&Strategy, &Compiled<X86>)], what: &str) -> usize {
    let mut not = 0;
    for (strategy, made) in kernels {
        let record = &made.record;
        if !runs_here(record) {
            not += 1;
            continue;
        }
        for (n, case) in cases(strategy).iter().enumerate() {
            let side = if n % 2 == 0 { Side::Behind(0) } else { Side::Before(0) };
            let result = match loaded {
                Loaded::Mapped(image, places) if record.abi.target == &X86_32 => {
                    // SAFETY: the function is this kernel.
                    unsafe { case.call_32(image, places[&record.name], record, side) }
                }
                _ => {
                    // SAFETY: the function is this kernel.
                    unsafe { case.call(loaded.function(&record.name), record, side, FLAGS) }
                }
            };
            result.unwrap_or_else(|wrong| panic!("{what}, {}: {wrong}", record.name));
        }
    }
    not
}
