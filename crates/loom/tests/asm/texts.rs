//! Bodies as the library takes them in; tables, once in a text; a file for the C preprocessor.

use loom::isa::x86::X86_32;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::assembler::{AS, File, assemblers, compare};
use crate::image::Image;
use crate::kernels::{kernels, strategies, units};
use loom::ciphers::Strategy;
use loom::emit::{body, tables_body, text};
use loom::isa::Model;
use loom::isa::text::Tables;
use loom::isa::x86::conventions::{CDECL, SYSV64};
use loom::variant::{Impossible, KernelVariant};

/// Bodies between heads and tails as the library has them, all in one file, as link-time
/// optimisation may put them.
#[test]
fn slow_bodies_fit_into_every_container() {
    let symbol = |name: &str| format!("cipherloom_{name}");
    let made = kernels(&SYSV64);
    let units = units(made);
    let sets: BTreeMap<&str, &Tables> = units
        .iter()
        .filter_map(|unit| unit.listing.tables.as_ref())
        .map(|set| (&*set.name, set))
        .collect();
    for (format, code, constants) in [
        ("elf-att", ".text", ".rodata"),
        ("coff-att", ".text", ".rdata,\"dr\""),
        ("macho-att", "__TEXT,__text", "__TEXT,__const"),
    ] {
        let mut all = String::new();
        let mut put = |section: &str, body: &str| {
            all.push_str(&format!(".pushsection {section}\n{body}.popsection\n"));
        };
        for tables in sets.values() {
            put(constants, &tables_body(SYSV64.target, tables, &symbol));
        }
        for unit in &units {
            put(code, &body(unit, &symbol));
        }
        let (source, object) = (File::with("bodies.s", &all), File::new("bodies.o"));
        // The library's assembler is LLVM's; GNU as for Windows has no `.pushsection`.
        for (name, assemble) in
            assemblers(SYSV64.target, format).iter().filter(|(name, _)| !name.ends_with("Windows"))
        {
            assemble(&source, &object);
            let image = Image::read(&object.read());
            let kernels: Vec<_> = made.iter().collect();
            compare(&image, &kernels, symbol);
            println!("bodies as {format}: same bytes by {name}");
        }
    }
}

/// Who shares a name shares the tables; what is equal is not there twice.
#[test]
fn sets_of_tables_have_one_name_each() {
    let mut sets: Vec<Tables> = Vec::new();
    for tables in kernels(&SYSV64).iter().filter_map(|made| Tables::of(&made.kernel)) {
        match sets.iter().find(|known| known.name == tables.name) {
            Some(known) => assert!(*known == tables, "two sets are called {}", tables.name),
            None => {
                let twice = sets.iter().find(|known| known.content() == tables.content());
                assert!(twice.is_none(), "{} is {:?}", tables.name, twice.map(|set| &set.name));
                sets.push(tables);
            }
        }
    }
    println!("{:?}", sets.iter().map(|set| (&set.name, set.bytes())).collect::<Vec<_>>());
    let all = text(&SYSV64.target.formats[0], &units(kernels(&SYSV64)), "");
    for set in &sets {
        assert_eq!(all.matches(&format!("\n{}:\n", set.name)).count(), 1, "{}", set.name);
    }
}

/// The text of every kernel for an old processor, in one file.
fn text_for(model: &'static Model) -> File {
    let strategies = strategies(&CDECL);
    let names: BTreeSet<String> = strategies.iter().map(Strategy::plain_name).collect();
    let variants = names.iter().filter_map(|name| match KernelVariant::for_model(name, model) {
        Ok(variant) => Some(variant),
        // Vectors.
        Err(Impossible::Lacks { .. }) => None,
        Err(error) => panic!("{error}"),
    });
    let made = variants.map(|variant| variant.compile(&CDECL, &variant.untuned()).expect("code"));
    let format = X86_32.format("elf-att").expect("a format");
    File::with("old.s", text(format, &units(&made.collect::<Vec<_>>()), ""))
}

/// GNU as refuses what a processor has not.
#[test]
fn kernels_for_old_processors_have_only_their_instructions() {
    let model = |name| Model::by_name(name).expect("a processor");
    let takes = |source: &File, march: &str| {
        let object = File::new("old.o");
        let arguments = ["--32", march, "-o", object.path(), source.path()];
        let said = Command::new(AS.names[0]).args(arguments).output();
        let said = said.unwrap_or_else(|error| panic!("as: {error}: install {}", AS.package));
        (said.status.success(), String::from_utf8_lossy(&said.stderr).into_owned())
    };
    for (name, march) in [
        ("386", "i386"),
        ("486", "i486"),
        ("pentium", "pentium"),
        ("pentiumpro", "pentiumpro"),
        ("pentium4", "pentium4"),
    ] {
        let (takes, said) = takes(&text_for(model(name)), &format!("-march={march}"));
        assert!(takes, "{name}: {said}");
    }
    let (takes, said) = takes(&text_for(model("486")), "-march=i386");
    assert!(!takes && said.contains("bswap"), "a 386 has no bswap: {said}");
}

/// Whoever forgets to say which assembler comes next is told, and by which names; so is who says two.
#[test]
fn the_preprocessor_wants_to_know_the_assembler() {
    let format = X86_32.format("cpp-att").expect("a format");
    let source = File::with("k.cpp", text(format, &units(&kernels(&CDECL)[..1]), ""));
    for defines in [&[][..], &["-DELF", "-DOUT"]] {
        let output = Command::new("cc").arg("-E").args(defines).arg(source.path()).output();
        let output = output.expect("the preprocessor starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{defines:?} is not enough");
        assert!(said.contains("define one of ELF, SOL, OUT and BSDI"), "{said}");
    }
}
