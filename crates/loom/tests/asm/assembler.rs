//! Real assemblers, run on what we emit; what they make of it, beside the encoder's bytes.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::image::Image;
use loom::isa::Target;
use loom::isa::program::Line;
use loom::isa::x86::{Assembled, Mode, X86, X86_32, X86_REAL};
use loom::pipeline::Compiled;

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

/// A program.
pub(crate) struct Tool {
    /// Under which names it is looked for.
    pub(crate) names: &'static [&'static str],
    /// Debian's package that has it, or from which it is built.
    pub(crate) package: &'static str,
}

pub(crate) const CC: Tool = Tool { names: &["cc"], package: "gcc" };
pub(crate) const AS: Tool = Tool { names: &["as"], package: "binutils" };
pub(crate) const LD: Tool = Tool { names: &["ld"], package: "binutils" };
pub(crate) const READELF: Tool = Tool { names: &["readelf"], package: "binutils" };
pub(crate) const MINGW_AS: Tool =
    Tool { names: &["x86_64-w64-mingw32-as"], package: "binutils-mingw-w64-x86-64" };
pub(crate) const MINGW_LD: Tool =
    Tool { names: &["x86_64-w64-mingw32-ld"], package: "binutils-mingw-w64-x86-64" };
pub(crate) const NASM: Tool = Tool { names: &["nasm"], package: "nasm" };
pub(crate) const YASM: Tool = Tool { names: &["yasm"], package: "yasm" };
/// GNU as for DOS.
pub(crate) const DJGPP_AS: Tool =
    Tool { names: &["i586-pc-msdosdjgpp-as"], package: "binutils-djgpp" };
pub(crate) const AS86: Tool = Tool { names: &["as86"], package: "bin86" };
pub(crate) const LD86: Tool = Tool { names: &["ld86"], package: "bin86" };
const OLDER: &str = "binutils-source";
/// GNU as for a.out.
pub(crate) const OUT_AS: Tool = Tool {
    names: &[concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/bin/i386-unknown-bsd-as")],
    package: OLDER,
};
pub(crate) const SOLARIS_AS: Tool = Tool {
    names: &[concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/bin/i386-pc-solaris2.11-as")],
    package: OLDER,
};
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
            "{} is not here: it is had from the package {} (cargo xtask setup)",
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

/// YASM's `-Werror` fails without a warning; what it says is one.
fn yasm(format: &str, source: &File, object: &File) {
    let said = YASM.run(&["-f", format, "-o", object.path(), source.path()]);
    assert!(said.is_empty(), "yasm -f {format}: {said}");
}

/// The same for GNU's syntax.
fn yasm_gas(format: &str, source: &File, object: &File) {
    let said = YASM.run(&["-p", "gas", "-f", format, "-o", object.path(), source.path()]);
    assert!(said.is_empty(), "yasm -p gas -f {format}: {said}");
}

/// One of the GNU binutils' assemblers, with its options.
fn gnu(program: &Tool, options: &[&str], source: &File, object: &File) {
    let files = ["--fatal-warnings", "-o", object.path(), source.path()];
    program.run(&[options, &files].concat());
}

/// The C preprocessor first.
fn preprocessed(define: &str, program: &Tool, options: &[&str], source: &File, object: &File) {
    let text = File::new("preprocessed.s");
    CC.run(&["-E", "-P", "-x", "c", define, "-o", text.path(), source.path()]);
    gnu(program, options, &text, object);
}

/// The assemblers of a format, each with its name.
pub(crate) fn assemblers(
    target: &'static Target,
    format: &str,
) -> &'static [(&'static str, Assemble)] {
    if target == &X86_32 {
        assemblers_32(format)
    } else if target == &X86_REAL {
        assemblers_16(format)
    } else {
        assemblers_64(format)
    }
}

fn assemblers_16(format: &str) -> &'static [(&'static str, Assemble)] {
    match format {
        "com-nasm" => &[("NASM", |source, object| {
            // As a part of a program it tells nobody its names, which are wanted here.
            let text = String::from_utf8(source.read()).expect("text");
            let labels = text.lines().filter_map(|line| line.strip_suffix(':'));
            let own = labels.filter(|label| !label.starts_with('.') && !label.contains(' '));
            let globals: String = own.map(|label| format!("global {label}\n")).collect();
            nasm("elf32", &File::with("named.asm", globals + &text), object);
        })],
        "omf-nasm" => &[("NASM", |source, object| nasm("obj", source, object))],
        "as86-nasm" => &[("NASM", |source, object| nasm("as86", source, object))],
        "elf-att" | "elf-intel" => {
            &[("GNU as", |source, object| gnu(&AS, &["--32"], source, object))]
        }
        other => panic!("which assembler takes {other} for real mode? Name it here"),
    }
}

fn assemblers_32(format: &str) -> &'static [(&'static str, Assemble)] {
    match format {
        "elf-att" => &[
            ("GNU as", |source, object| gnu(&AS, &["--32"], source, object)),
            ("llvm-mc", |source, object| llvm("i386-linux-gnu", source, object)),
        ],
        "elf-intel" => &[("GNU as", |source, object| gnu(&AS, &["--32"], source, object))],
        "elf-nasm" => &[("NASM", |source, object| nasm("elf32", source, object))],
        "elf-yasm" => &[("YASM", |source, object| yasm("elf32", source, object))],
        "elf-att-yasm" => &[("YASM -p gas", |source, object| yasm_gas("elf32", source, object))],
        "go32-nasm" => &[("NASM", |source, object| nasm("coff", source, object))],
        "go32-att" => &[("GNU as for DJGPP", |source, object| gnu(&DJGPP_AS, &[], source, object))],
        "sol-att" => {
            &[("GNU as for Solaris", |source, object| gnu(&SOLARIS_AS, &["--32"], source, object))]
        }
        "aout-att" | "bsdi-att" => {
            &[("GNU as for BSD", |source, object| gnu(&OUT_AS, &[], source, object))]
        }
        "aout-nasm" => &[
            ("NASM -f aout", |source, object| nasm("aout", source, object)),
            ("NASM -f aoutb", |source, object| nasm("aoutb", source, object)),
        ],
        "cpp-att" => &[
            ("cc -E -DELF, GNU as", |source, object| {
                preprocessed("-DELF", &AS, &["--32"], source, object);
            }),
            ("cc -E -DSOL, GNU as for Solaris", |source, object| {
                preprocessed("-DSOL", &SOLARIS_AS, &["--32"], source, object);
            }),
            ("cc -E -DOUT, GNU as for BSD", |source, object| {
                preprocessed("-DOUT", &OUT_AS, &[], source, object);
            }),
            ("cc -E -DBSDI, GNU as for BSD", |source, object| {
                preprocessed("-DBSDI", &OUT_AS, &[], source, object);
            }),
        ],
        "coff-att" => &[
            ("GNU as for Windows", |source, object| gnu(&MINGW_AS, &["--32"], source, object)),
            ("llvm-mc", |source, object| llvm("i386-pc-windows-msvc", source, object)),
        ],
        "coff-intel" => {
            &[("GNU as for Windows", |source, object| gnu(&MINGW_AS, &["--32"], source, object))]
        }
        "coff-nasm" => &[("NASM", |source, object| nasm("win32", source, object))],
        "coff-yasm" => &[("YASM", |source, object| yasm("win32", source, object))],
        "coff-masm" => &[("llvm-ml", |source, object| {
            LLVM_ML.run(&["-m32", "/nologo", "/WX", "/c", "/Fo", object.path(), source.path()]);
        })],
        "macho-att" | "macho-intel" => {
            &[("llvm-mc", |source, object| llvm("i386-apple-darwin", source, object))]
        }
        "macho-nasm" => &[("NASM", |source, object| nasm("macho32", source, object))],
        "macho-yasm" => &[("YASM", |source, object| yasm("macho32", source, object))],
        other => panic!("which assembler takes {other} for 32 bits? Name it here"),
    }
}

fn assemblers_64(format: &str) -> &'static [(&'static str, Assemble)] {
    match format {
        "elf-att" => &[
            ("GNU as", |source, object| gnu(&AS, &["--64"], source, object)),
            ("llvm-mc", |source, object| llvm("x86_64-linux-gnu", source, object)),
        ],
        "elf-intel" => &[("GNU as", |source, object| gnu(&AS, &["--64"], source, object))],
        "elf-nasm" => &[("NASM", |source, object| nasm("elf64", source, object))],
        "elf-yasm" => &[("YASM", |source, object| yasm("elf64", source, object))],
        "elf-att-yasm" => &[("YASM -p gas", |source, object| yasm_gas("elf64", source, object))],
        "sol-att" => {
            &[("GNU as for Solaris", |source, object| gnu(&SOLARIS_AS, &["--64"], source, object))]
        }
        "coff-att" => &[
            ("GNU as for Windows", |source, object| gnu(&MINGW_AS, &[], source, object)),
            ("llvm-mc", |source, object| llvm("x86_64-pc-windows-msvc", source, object)),
        ],
        "coff-intel" => {
            &[("GNU as for Windows", |source, object| gnu(&MINGW_AS, &[], source, object))]
        }
        "coff-nasm" => &[("NASM", |source, object| nasm("win64", source, object))],
        "coff-yasm" => &[("YASM", |source, object| yasm("win64", source, object))],
        "coff-masm" => &[("llvm-ml", |source, object| {
            LLVM_ML.run(&["-m64", "/nologo", "/WX", "/c", "/Fo", object.path(), source.path()]);
        })],
        "macho-att" | "macho-intel" => {
            &[("llvm-mc", |source, object| llvm("x86_64-apple-darwin", source, object))]
        }
        "macho-nasm" => &[("NASM", |source, object| nasm("macho64", source, object))],
        "macho-yasm" => &[("YASM", |source, object| yasm("macho64", source, object))],
        other => panic!("which assembler takes {other} for 64 bits? Name it here"),
    }
}

/// Asserts that the functions of an object file are the encoder's bytes; `symbol` says what it calls
/// a kernel.
pub(crate) fn compare(image: &Image, made: &[&Compiled<X86>], symbol: impl Fn(&str) -> String) {
    for made in made {
        let name = symbol(&made.record.name);
        let &(section, at) = image.names.get(&name).unwrap_or_else(|| panic!("no symbol {name}"));
        let section = &image.sections[section];
        let ours = made
            .program
            .assemble(0, made.program.isa.mode.tables())
            .expect("code that can be encoded");
        let mut theirs = section.bytes[at..][..ours.bytes.len()].to_vec();
        let alignment = if made.program.isa.mode == Mode::Real { 16 } else { 64 };
        assert_eq!(at % alignment, 0, "{name} is not aligned");
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
        // What is relocated is what refers to the tables, and nothing else.
        let mut places: Vec<_> = section
            .fields
            .iter()
            .map(|field| field.at)
            .filter(|place| (at..at + bytes.len()).contains(place))
            .map(|place| place - at)
            .collect();
        places.sort_unstable();
        let named = if made.record.abi.position_independent { &[][..] } else { &ours.tables };
        assert_eq!(places, named, "{name}");
    }
}

/// Alternative encodings, as a linker and the assemblers are free in them: distances that a linker
/// fills in, and what fills gaps before an alignment. Each must be what it claims to be. In real mode,
/// where many instructions have several prefixes, GNU as has these in another order.
fn fill(made: &Compiled<X86>, ours: &Assembled, bytes: &mut [u8]) {
    for &at in &ours.tables {
        bytes[at..at + made.program.isa.mode.field()].fill(0);
    }
    for (n, line) in made.program.lines.iter().enumerate() {
        if made.program.isa.mode == Mode::Real {
            const PREFIXES: [u8; 8] = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67];
            let inst = &mut bytes[ours.offsets[n]..ours.offsets[n + 1]];
            let prefixes = inst.iter().take_while(|byte| PREFIXES.contains(byte)).count();
            inst[..prefixes].sort_unstable();
        }
        if matches!(line, Line::Align(_)) {
            let gap = &mut bytes[ours.offsets[n]..ours.offsets[n + 1]];
            let bits = made.program.isa.mode.bits();
            let decoder = iced_x86::Decoder::new(bits, gap, iced_x86::DecoderOptions::NONE);
            for inst in decoder {
                let nothing = inst.mnemonic() == iced_x86::Mnemonic::Nop || is_copy(&inst);
                assert!(nothing, "{}: a gap is filled with {inst}", made.record.name);
            }
            gap.fill(0x90);
        }
    }
}

/// Before there were long no-operations: a register becomes what it is.
fn is_copy(inst: &iced_x86::Instruction) -> bool {
    let register = inst.op0_register();
    match inst.mnemonic() {
        iced_x86::Mnemonic::Lea => {
            let plain = inst.memory_base() == register && inst.memory_displacement64() == 0;
            plain && inst.memory_index() == iced_x86::Register::None
        }
        iced_x86::Mnemonic::Mov => inst.op1_register() == register,
        _ => false,
    }
}
