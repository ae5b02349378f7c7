//! Real assemblers, run on what we emit; what they make of it, beside the encoder's bytes.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom::ciphers::Strategy;
use loom::edition::feature_sets;
use loom::emit::X86Unit;
use loom::target::Architecture;
use loom::target::abi::Abi;
use loom::target::x86::{Assembled, Choices, Extract, Line, Made, Plan, TABLES, make};
use object::{Object, ObjectSection, ObjectSymbol};

/// What can be made for an ABI's instruction set.
pub(crate) fn strategies(abi: &Abi) -> Vec<Strategy> {
    let made = |strategy: &Strategy| !feature_sets(abi.architecture, strategy).is_empty();
    Strategy::all().into_iter().filter(made).collect()
}

/// Every kernel, made in one way or another: BMI2 and its lack, each way to take bytes. Made once.
pub(crate) fn kernels(abi: &'static Abi) -> &'static [Made] {
    static SYSV64: OnceLock<Vec<Made>> = OnceLock::new();
    static WIN64: OnceLock<Vec<Made>> = OnceLock::new();
    static CDECL: OnceLock<Vec<Made>> = OnceLock::new();
    static WIN32: OnceLock<Vec<Made>> = OnceLock::new();
    let made = match abi.name {
        "sysv64" => &SYSV64,
        "win64" => &WIN64,
        "cdecl" => &CDECL,
        "win32" => &WIN32,
        other => panic!("no place for kernels of {other}"),
    };
    made.get_or_init(|| {
        let plan = |n: usize, strategy: &Strategy| {
            let sets = feature_sets(abi.architecture, strategy);
            let mut plan = Plan::untuned(sets[(n + 1) % sets.len()]);
            let extract = Extract::ALL[n / 2 % Extract::ALL.len()];
            plan.choices = Choices { extract, branch: !n.is_multiple_of(3), ..plan.choices };
            plan
        };
        let make = |(n, strategy): (usize, Strategy)| {
            make(&strategy.kernel(), abi, &plan(n, &strategy))
                .unwrap_or_else(|wrong| panic!("{wrong}"))
        };
        strategies(abi).into_iter().enumerate().map(make).collect()
    })
}

/// The same, to be printed.
pub(crate) fn units(made: &[Made]) -> Vec<X86Unit> {
    made.iter().map(|made| X86Unit::new(made, ["in a test"])).collect()
}

/// A file that is there as long as this lives.
pub(crate) struct File(pub(crate) PathBuf);

impl File {
    /// A name of its own in the folder for temporary files.
    pub(crate) fn new(name: &str) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let (process, n) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        Self(std::env::temp_dir().join(format!("loom-{process}-{n}-{name}")))
    }

    /// The same with a content.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let file = Self::new(name);
        std::fs::write(&file.0, content).expect("a temporary file");
        file
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("a path in UTF-8")
    }

    pub(crate) fn read(&self) -> Vec<u8> {
        std::fs::read(&self.0).unwrap_or_else(|error| panic!("{}: {error}", self.0.display()))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // One that was never made, or that is left behind, harms nobody.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A program of a Debian package.
pub(crate) struct Tool {
    /// Under which names it is looked for.
    pub(crate) names: &'static [&'static str],
    /// The package that has it.
    pub(crate) package: &'static str,
}

pub(crate) const CC: Tool = Tool { names: &["cc"], package: "gcc" };
pub(crate) const AS: Tool = Tool { names: &["as"], package: "binutils" };
pub(crate) const MINGW_AS: Tool =
    Tool { names: &["x86_64-w64-mingw32-as"], package: "binutils-mingw-w64-x86-64" };
pub(crate) const MINGW_LD: Tool =
    Tool { names: &["x86_64-w64-mingw32-ld"], package: "binutils-mingw-w64-x86-64" };
pub(crate) const NASM: Tool = Tool { names: &["nasm"], package: "nasm" };
pub(crate) const LLVM_ML: Tool = Tool { names: &["llvm-ml-19"], package: "llvm-19" };
pub(crate) const LLVM_READOBJ: Tool = Tool { names: &["llvm-readobj-19"], package: "llvm-19" };
pub(crate) const LLVM_MC: Tool = Tool { names: &["llvm-mc-19"], package: "llvm-19" };

impl Tool {
    /// The program, with arguments.
    ///
    /// # Panics
    /// If it is not installed, or fails: then what it says.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        for name in self.names {
            let Ok(output) = Command::new(name).args(arguments).output() else { continue };
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            assert!(output.status.success(), "{name} {arguments:?}: {}\n{said}", output.status);
            return said;
        }
        panic!(
            "{} is not here: install the package {} (cargo xtask setup does)",
            self.names[0], self.package
        );
    }
}

/// An assembler at work: from a source to an object file.
pub(crate) type Assemble = fn(&File, &File);

/// LLVM's assembler, for a target.
fn llvm(triple: &str, source: &File, object: &File) {
    let triple = format!("-triple={triple}");
    LLVM_MC.run(&[&triple, "-filetype=obj", "-o", object.path(), source.path()]);
}

fn nasm(format: &str, source: &File, object: &File) {
    NASM.run(&["-f", format, "-Werror", "-o", object.path(), source.path()]);
}

/// The assemblers of a format, each with its name.
pub(crate) fn assemblers(
    architecture: Architecture,
    format: &str,
) -> &'static [(&'static str, Assemble)] {
    const GNU: (&str, Assemble) = ("GNU as", |source, object| {
        AS.run(&["--64", "--fatal-warnings", "-o", object.path(), source.path()]);
    });
    const MINGW: (&str, Assemble) = ("GNU as for Windows", |source, object| {
        MINGW_AS.run(&["--fatal-warnings", "-o", object.path(), source.path()]);
    });
    const MINGW_32: (&str, Assemble) = ("GNU as for Windows", |source, object| {
        MINGW_AS.run(&["--32", "--fatal-warnings", "-o", object.path(), source.path()]);
    });
    const LLVM: (&str, Assemble) =
        ("llvm-mc", |source, object| llvm("x86_64-linux-gnu", source, object));
    const LLVM_COFF: (&str, Assemble) =
        ("llvm-mc", |source, object| llvm("x86_64-pc-windows-msvc", source, object));
    const LLVM_MACHO: (&str, Assemble) =
        ("llvm-mc", |source, object| llvm("x86_64-apple-darwin", source, object));
    const GNU_32: (&str, Assemble) = ("GNU as", |source, object| {
        AS.run(&["--32", "--fatal-warnings", "-o", object.path(), source.path()]);
    });
    const LLVM_32: (&str, Assemble) =
        ("llvm-mc", |source, object| llvm("i386-linux-gnu", source, object));
    const LLVM_COFF_32: (&str, Assemble) =
        ("llvm-mc", |source, object| llvm("i386-pc-windows-msvc", source, object));
    if architecture == Architecture::X86 {
        return match format {
            "elf-att" => &[GNU_32, LLVM_32],
            "elf-intel" => &[GNU_32],
            "coff-att" => &[MINGW_32, LLVM_COFF_32],
            "coff-intel" => &[MINGW_32],
            "elf-nasm" => &[("NASM", |source, object| nasm("elf32", source, object))],
            "coff-nasm" => &[("NASM", |source, object| nasm("win32", source, object))],
            "coff-masm" => &[("llvm-ml", |source, object| {
                LLVM_ML.run(&["-m32", "/nologo", "/WX", "/c", "/Fo", object.path(), source.path()]);
            })],
            other => panic!("which assembler takes {other} for {architecture}? Name it here"),
        };
    }
    match format {
        "elf-att" => &[GNU, LLVM],
        "elf-intel" => &[GNU],
        "coff-att" => &[MINGW, LLVM_COFF],
        "coff-intel" => &[MINGW],
        "macho-att" | "macho-intel" => &[LLVM_MACHO],
        "elf-nasm" => &[("NASM", |source, object| nasm("elf64", source, object))],
        "coff-nasm" => &[("NASM", |source, object| nasm("win64", source, object))],
        "macho-nasm" => &[("NASM", |source, object| nasm("macho64", source, object))],
        "coff-masm" => &[("llvm-ml", |source, object| {
            LLVM_ML.run(&["-m64", "/nologo", "/WX", "/c", "/Fo", object.path(), source.path()]);
        })],
        other => panic!("which assembler takes {other}? Name it here"),
    }
}

/// Asserts that the functions of an object file are the encoder's bytes.
pub(crate) fn compare(object: &[u8], made: &[Made], symbol: impl Fn(&str) -> String) {
    let file = object::File::parse(object).expect("an object file");
    for made in made {
        let name = symbol(&made.record.name);
        let function = file.symbol_by_name(&name).unwrap_or_else(|| panic!("no symbol {name}"));
        let section = function.section_index().expect("a defined symbol");
        let section = file.section_by_index(section).expect("its section");
        let at = (function.address() - section.address()) as usize;
        let ours = made.program.assemble(0, TABLES).expect("code that can be encoded");
        let mut theirs = section.data().expect("its bytes")[at..][..ours.bytes.len()].to_vec();
        assert_eq!(at % 64, 0, "{name} is not aligned");
        fill(made, &ours, &mut theirs);
        let mut bytes = ours.bytes.clone();
        fill(made, &ours, &mut bytes);
        if let Some(n) = (0..bytes.len()).find(|&n| bytes[n] != theirs[n]) {
            let line = ours.offsets.iter().rposition(|&offset| offset <= n).expect("a line");
            let (from, to) = (ours.offsets[line], (n + 16).min(bytes.len()));
            panic!(
                "{name}, byte {n}, {:?}:\nours   {:02x?}\ntheirs {:02x?}",
                made.program.lines[line],
                &bytes[from..to],
                &theirs[from..to]
            );
        }
        // What is relocated is the distance to the tables, and nothing else.
        let mut places: Vec<_> = section
            .relocations()
            .map(|(offset, _)| (offset - section.address()) as usize)
            .filter(|offset| (at..at + bytes.len()).contains(offset))
            .map(|offset| offset - at)
            .collect();
        places.sort_unstable();
        assert_eq!(places, ours.tables, "{name}");
    }
}

/// Alternative encodings, as a linker and the assemblers are free in them: distances that a linker
/// fills in, and what fills gaps before an alignment. Each must be what it claims to be.
fn fill(made: &Made, ours: &Assembled, bytes: &mut [u8]) {
    for &at in &ours.tables {
        bytes[at..at + 4].fill(0);
    }
    for (n, line) in made.program.lines.iter().enumerate() {
        if matches!(line, Line::Align(_)) {
            let gap = &mut bytes[ours.offsets[n]..ours.offsets[n + 1]];
            let decoder = iced_x86::Decoder::new(64, gap, iced_x86::DecoderOptions::NONE);
            for inst in decoder {
                let nothing = inst.mnemonic() == iced_x86::Mnemonic::Nop;
                assert!(nothing, "{}: a gap is filled with {inst}", made.record.name);
            }
            gap.fill(0x90);
        }
    }
}
