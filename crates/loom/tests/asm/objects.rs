//! Object files that we write ourselves say the same as those of assemblers.

use crate::assembler::{File, LLVM_READOBJ, assemblers, compare};
use crate::image::Image;
use crate::kernels::{kernels, units};
use loom::emit::{file, text};
use loom::isa::frame::Abi;
use loom::isa::text::Tables;
use loom::isa::x86::conventions::{CDECL, CDECL_PIC, SYSV64, WIN32, WIN64};
use object::{Object, ObjectSection, ObjectSymbol};

/// Our object file and an assembler's, of the same kernels.
fn both(format: &str, abi: &'static Abi, own: &str) -> [File; 2] {
    let made = kernels(abi);
    let units = units(made);
    let format_of = |name: &str| abi.target.format(name).expect("a format");
    let own = format_of(own);
    let ours = file(own, &units, "").expect("an object file");
    let symbol = |tables: &Tables| own.container.symbol(abi.target.word, &tables.name);
    let image = Image::read(&ours);
    compare(&image, &made.iter().collect::<Vec<_>>(), |name| image.symbol(name));
    for tables in units.iter().filter_map(|unit| unit.listing.tables.as_ref()) {
        assert_eq!(tables_in(&ours, &symbol(tables), tables), tables.content());
    }
    let (source, theirs) =
        (File::with("k.s", text(format_of(format), &units, "")), File::new("theirs.o"));
    assemblers(abi.target, format)[0].1(&source, &theirs);
    for tables in units.iter().filter_map(|unit| unit.listing.tables.as_ref()) {
        // Assemblers may leave out the names of what is not global.
        let file = theirs.read();
        let parsed = object::File::parse(&*file).unwrap();
        if parsed.symbol_by_name(&symbol(tables)).is_some() {
            let content = tables_in(&file, &symbol(tables), tables);
            assert_eq!(content, tables.content());
        }
    }
    [File::with("ours.o", ours), theirs]
}

fn tables_in(object: &[u8], symbol: &str, tables: &Tables) -> Vec<u8> {
    let file = object::File::parse(object).unwrap();
    let named = file.symbols().filter(|other| other.name() == Ok(symbol));
    assert_eq!(named.count(), 1, "{symbol}");
    let symbol = file.symbol_by_name(symbol).expect("the tables' symbol");
    let section = file.section_by_index(symbol.section_index().unwrap()).unwrap();
    let at = (symbol.address() - section.address()) as usize;
    section.data().unwrap()[at..][..tables.bytes()].to_vec()
}

/// What a tool says of unwind information, without lines in which files that mean the same differ.
fn unwinding(file: &File, without: &[&str]) -> String {
    let said = LLVM_READOBJ.run(&["--unwind", file.path()]);
    let differs = |line: &&str| without.iter().any(|word| line.contains(word));
    let lines = said.lines().skip_while(|line| !line.contains("Format"));
    lines.filter(|line| !differs(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn elf_with_its_unwind_information() {
    // Each part may be filled up, and so lies elsewhere.
    let differs = ["DW_CFA_nop", "FDE length", "section at offset"];
    let [ours, theirs] = both("elf-att", &SYSV64, "elf").map(|file| unwinding(&file, &differs));
    assert!(ours.matches("initial_location").count() > 50, "{ours}");
    assert!(ours == theirs, "ours:\n{ours}\ntheirs:\n{theirs}");
}

#[test]
fn slow_coff_with_its_unwind_information() {
    // Other assemblers name the same places by other labels.
    let labels = ["EndAddress", "UnwindInfoAddress"];
    for (format, differs) in [("coff-att", &[][..]), ("coff-nasm", &labels), ("coff-masm", &labels)]
    {
        let [ours, theirs] = both(format, &WIN64, "coff").map(|file| unwinding(&file, differs));
        assert!(ours.matches("UnwindCodeCount").count() > 50, "{ours}");
        assert!(ours == theirs, "{format}, ours:\n{ours}\ntheirs:\n{theirs}");
    }
}

/// The sections of 32-bit Windows have no unwind information, those of 32-bit ELF have.
#[test]
fn for_32_bits() {
    let differs = ["DW_CFA_nop", "FDE length", "section at offset"];
    let [ours, theirs] = both("elf-att", &CDECL, "elf").map(|file| unwinding(&file, &differs));
    assert!(ours.matches("initial_location").count() > 20, "{ours}");
    assert!(ours == theirs, "ours:\n{ours}\ntheirs:\n{theirs}");
    both("elf-att", &CDECL_PIC, "elf");
    for format in ["coff-att", "coff-nasm", "coff-masm"] {
        both(format, &WIN32, "coff");
    }
}

#[test]
fn macho() {
    both("macho-att", &SYSV64, "macho");
    both("macho-att", &CDECL, "macho");
    both("macho-att", &CDECL_PIC, "macho");
}
