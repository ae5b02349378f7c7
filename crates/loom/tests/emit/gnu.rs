//! GNU as and LLVM's assembler: the texts give the encoder's bytes.

use crate::assembler::{AS, File, LLVM_MC, compare, kernels, units};
use loom::emit::{Container, Format, body, tables_body, text};
use loom::target::abi::{Abi, SYSV64, WIN64};

/// Emits every kernel, assembles it, compares.
fn assembled(format: &str, abi: &'static Abi, assemble: impl Fn(&File, &File)) {
    let format = Format::by_name(format).unwrap();
    let made = kernels(abi);
    let source = File::with("k.s", text(format.dialect, &units(&made), ""));
    let object = File::new("k.o");
    assemble(&source, &object);
    compare(&object.read(), &made, |name| format.container.symbol(name));
}

fn gnu(source: &File, object: &File) {
    AS.run(&["--64", "--fatal-warnings", "-o", object.path(), source.path()]);
}

fn llvm(triple: &'static str) -> impl Fn(&File, &File) {
    let triple = format!("-triple={triple}");
    move |source, object| {
        LLVM_MC.run(&[&triple, "-filetype=obj", "-o", object.path(), source.path()]);
    }
}

#[test]
fn att_for_elf_by_gnu_as() {
    assembled("elf-att", &SYSV64, gnu);
}

#[test]
fn att_for_elf_with_the_windows_abi_by_llvm() {
    assembled("elf-att", &WIN64, llvm("x86_64-linux-gnu"));
}

#[test]
fn att_for_coff_by_llvm() {
    assembled("coff-att", &WIN64, llvm("x86_64-pc-windows-msvc"));
}

#[test]
fn att_for_macho_by_llvm() {
    assembled("macho-att", &SYSV64, llvm("x86_64-apple-darwin"));
}

/// Bodies between heads and tails as the library has them, all in one file, as link-time
/// optimisation may put them.
#[test]
fn bodies_fit_into_every_container() {
    let made = kernels(&SYSV64);
    let units = units(&made);
    let mut sets: Vec<_> = units.iter().filter_map(|unit| unit.tables.clone()).collect();
    sets.dedup();
    for (container, triple, code, constants) in [
        (Container::Elf, "x86_64-linux-gnu", ".text", ".rodata"),
        (Container::Coff, "x86_64-pc-windows-msvc", ".text", ".rdata,\"dr\""),
        (Container::MachO, "x86_64-apple-darwin", "__TEXT,__text", "__TEXT,__const"),
    ] {
        let mut all = String::new();
        let mut put = |section: &str, body: &str| {
            all.push_str(&format!(".pushsection {section}\n{body}.popsection\n"));
        };
        for tables in &sets {
            put(constants, &tables_body(tables, "cipherloom_0_1_"));
        }
        for unit in &units {
            put(code, &body(unit, "cipherloom_0_1_"));
        }
        let (source, object) = (File::with("bodies.s", &all), File::new("bodies.o"));
        llvm(triple)(&source, &object);
        let bytes = object.read();
        compare(&bytes, &made, |name| format!("cipherloom_0_1_{name}"));
        if container == Container::Elf {
            gnu(&source, &object);
            let bytes = object.read();
            compare(&bytes, &made, |name| format!("cipherloom_0_1_{name}"));
        }
    }
}
