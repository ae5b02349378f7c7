//! The program that calls kernels, and the emulator that runs it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::folder::Folder;
use loom::ciphers::Strategy;
use loom::emit::{Unit, text};
use loom::isa::hppa::Hppa;
use loom::isa::hppa::PA_RISC;
use loom::pipeline::Compiled;

/// The emulator: QEMU 8.2 or later, older ones have no 64-bit PA-RISC. `CIPHERLOOM_QEMU_HPPA` if set,
/// else that of `cargo xtask setup`, else the one of the path.
fn emulator() -> PathBuf {
    const OURS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/bin/qemu-hppa");
    match std::env::var_os("CIPHERLOOM_QEMU_HPPA") {
        Some(named) => named.into(),
        None if Path::new(OURS).exists() => OURS.into(),
        None => "qemu-hppa".into(),
    }
}

pub(super) fn run(command: &mut Command, what: &str) -> Output {
    let output = command.output();
    output.unwrap_or_else(|error| panic!("{command:?}: {error}: {what} (cargo xtask setup does)"))
}

/// What is computed, and a kernel that does.
pub(super) type Kernel = (Strategy, Compiled<Hppa>);

/// What a processor does with an instruction that it does not have.
pub(super) const SIGILL: i32 = 4;
/// And with an access to memory that nobody may touch.
pub(super) const SIGSEGV: i32 = 11;

/// The program that calls kernels: it reads cases and prints what they left in memory.
const CALLER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern const void *const kernels[];
typedef unsigned long long wide;
/* Calls a kernel with four arguments, every register filled before; how many it did not restore. */
unsigned checked_call(const void *kernel, const wide *arguments);
/* The same without a look at registers, in instructions that every processor has. */
unsigned plain_call(const void *kernel, const wide *arguments);

static unsigned number(void) {
    unsigned word;
    if (fread(&word, 4, 1, stdin) != 1) exit(2);
    return word;
}

int main(int arguments_given, char **) {
    unsigned (*call)(const void *, const wide *) = arguments_given > 1 ? plain_call : checked_call;
    for (unsigned cases = number(); cases; cases--) {
        unsigned kernel = number(), count = number(), bytes[4] = {0};
        wide arguments[4] = {0};
        unsigned char *regions[4] = {0};
        for (unsigned n = 0; n < count; n++) {
            unsigned is_region = number();
            wide above = (wide)number() << 32;
            unsigned size = number();
            arguments[n] = above | size;
            if (!is_region) continue;
            /* It ends where the next page, which nobody may touch, begins. */
            unsigned pages = (size + 4095) / 4096 * 4096;
            unsigned char *base = mmap(0, pages + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (base == MAP_FAILED) return 3;
            if (pages && mprotect(base + 4096, pages, PROT_READ | PROT_WRITE)) return 3;
            regions[n] = base + 4096 + pages - size;
            bytes[n] = size;
            if (bytes[n] && fread(regions[n], bytes[n], 1, stdin) != 1) return 2;
            arguments[n] = above | (unsigned)regions[n];
        }
        unsigned wrong = call(kernels[kernel], arguments);
        fwrite(&wrong, 4, 1, stdout);
        for (unsigned n = 0; n < count; n++)
            if (bytes[n]) fwrite(regions[n], bytes[n], 1, stdout);
    }
    return 0;
}
"#;

/// The entry by which it calls kernels at these places: registers that a function gives back get 64 bits
/// that it must give back.
fn entry(kernels: &[String]) -> String {
    let mut text =
        String::from("\t.level 2.0\n\t.section .rodata\n\t.align 4\n\t.globl kernels\nkernels:\n");
    for place in kernels {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\t.word {place}");
    }
    text +=
        "\t.text\n\t.export checked_call,entry\n\t.type checked_call,@function\nchecked_call:\n";
    text += "\t.proc\n\t.callinfo frame=256,calls,save_rp\n\t.entry\n";
    text += "\tstw %r2,-20(%r30)\n\tstd,ma %r3,256(%r30)\n\tstd %r27,-40(%r30)\n";
    let saved = 4..=18;
    let place = |register: i32| 8 * (register - 3) - 256;
    for register in saved.clone() {
        let _ = writeln!(text, "\tstd %r{register},{}(%r30)", place(register));
    }
    text += "\tcopy %r26,%r1\n\tcopy %r25,%r31\n\tstd %r30,-48(%r30)\n";
    for register in 3..=18 {
        let _ = writeln!(text, "\tldil L%{:#x},%r{register}", (register + 1) << 20 | 0x800);
        let _ = writeln!(text, "\tldo {register}(%r{register}),%r{register}");
        let _ = writeln!(text, "\tdepd %r{register},31,32,%r{register}");
    }
    for (n, register) in [26, 25, 24, 23].into_iter().enumerate() {
        let _ = writeln!(text, "\tldd {}(%r31),%r{register}", 8 * n);
    }
    text += "\tblr %r0,%r2\n\tbv,n %r0(%r1)\n";
    // Where the function comes back to.
    text += "\tldi 0,%r28\n";
    for register in 3..=18 {
        let _ = writeln!(text, "\tldil L%{:#x},%r29", (register + 1) << 20 | 0x800);
        let _ = writeln!(text, "\tldo {register}(%r29),%r29\n\tdepd %r29,31,32,%r29");
        let _ = writeln!(text, "\tcmpclr,*= %r29,%r{register},%r0\n\tldo 1(%r28),%r28");
    }
    for (register, at) in [(27, -40), (30, -48)] {
        let _ = writeln!(text, "\tldd {at}(%r30),%r29");
        let _ = writeln!(text, "\tcmpclr,*= %r29,%r{register},%r0\n\tldo 1(%r28),%r28");
    }
    for register in saved {
        let _ = writeln!(text, "\tldd {}(%r30),%r{register}", place(register));
    }
    text += "\tldw -276(%r30),%r2\n\tbv %r0(%r2)\n\tldd,mb -256(%r30),%r3\n\t.exit\n\t.procend\n";
    text += "\t.export plain_call,entry\n\t.type plain_call,@function\nplain_call:\n";
    text += "\t.proc\n\t.callinfo frame=64,calls,save_rp\n\t.entry\n";
    text += "\tstw %r2,-20(%r30)\n\tldo 64(%r30),%r30\n\tcopy %r26,%r1\n\tcopy %r25,%r31\n";
    for (n, register) in [26, 25, 24, 23].into_iter().enumerate() {
        let _ = writeln!(text, "\tldw {}(%r31),%r{register}", 8 * n + 4);
    }
    text += "\tblr %r0,%r2\n\tbv,n %r0(%r1)\n\tldw -84(%r30),%r2\n\tldi 0,%r28\n";
    text += "\tbv %r0(%r2)\n\tldo -64(%r30),%r30\n\t.exit\n\t.procend\n";
    text += "\t.section .note.GNU-stack,\"\",@progbits\n";
    text
}

/// Assembles and links kernels with their caller.
pub(super) fn build(folder: &Folder, kernels: &[Kernel]) -> PathBuf {
    let names: Vec<_> = kernels.iter().map(|(_, made)| made.record.name.clone()).collect();
    let source = folder.file("kernels.s", &source(kernels));
    link(folder, source, &names)
}

/// The same for kernels of 64-bit programs: their bytes, by that assembler, in a program of 32 bits.
pub(super) fn build_wide(folder: &Folder, kernels: &[Kernel]) -> PathBuf {
    let (bytes, places) = wide(folder, kernels);
    let places: Vec<_> = places.iter().map(|at| format!("wide+{at}")).collect();
    let bytes = bytes.iter().map(|byte| format!("\t.byte {byte}\n")).collect::<String>();
    let text = format!("\t.level 2.0\n\t.text\n\t.align 64\n\t.globl wide\nwide:\n{bytes}");
    let source = folder.file("kernels.s", &text);
    link(folder, source, &places)
}

fn source(kernels: &[Kernel]) -> String {
    let units: Vec<_> = kernels.iter().map(|(_, made)| Unit::new(made, ["in a test"])).collect();
    text(&PA_RISC.formats[0], &units, "")
}

fn link(folder: &Folder, kernels: PathBuf, places: &[String]) -> PathBuf {
    let sources =
        [kernels, folder.file("entry.s", &entry(places)), folder.file("caller.c", CALLER)];
    let program = folder.path().join("program");
    let mut gcc = Command::new("hppa-linux-gnu-gcc");
    gcc.args(["-O1", "-Wall", "-Werror", "-Wa,--fatal-warnings", "-static", "-o"]);
    gcc.arg(&program).args(sources);
    succeeds(&mut gcc, "install gcc-hppa-linux-gnu and libc6-dev-hppa-cross");
    program
}

/// What a program says that has to succeed.
fn succeeds(command: &mut Command, what: &str) -> String {
    let output = run(command, what);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Kernels of 64-bit programs as bytes, and where each begins.
pub(super) fn wide(folder: &Folder, kernels: &[Kernel]) -> (Vec<u8>, Vec<u64>) {
    let names: Vec<_> = kernels.iter().map(|(_, made)| made.record.name.as_str()).collect();
    assemble(folder, "wide", &source(kernels), &names)
}

/// The code of a 64-bit source, in which there is no address to be written, and where functions begin in it.
pub(super) fn assemble(
    folder: &Folder,
    file: &str,
    source: &str,
    functions: &[&str],
) -> (Vec<u8>, Vec<u64>) {
    const TOOLS: &str = "install binutils-hppa64-linux-gnu";
    let named = |extension: &str| folder.path().join(format!("{file}.{extension}"));
    let (object, bytes) = (named("o"), named("bin"));
    let tool = |name: &str| Command::new(format!("hppa64-linux-gnu-{name}"));
    let source = folder.file(&format!("{file}.s"), source);
    succeeds(tool("as").args(["--fatal-warnings", "-o"]).arg(&object).arg(source), TOOLS);
    let header = succeeds(tool("readelf").arg("-h").arg(&object), TOOLS);
    assert!(header.contains("ELF64") && header.contains("PA-RISC 2.0, trapnil, wide"), "{header}");
    let relocations = succeeds(tool("objdump").args(["-r", "-j", ".text"]).arg(&object), TOOLS);
    assert!(!relocations.contains("R_PARISC"), "{relocations}");
    // The linker makes it a shared library whose code a loader has nothing to write into.
    let mut linker = tool("ld");
    linker.args(["-shared", "-z", "text", "-o"]).arg(named("so")).arg(&object);
    succeeds(&mut linker, TOOLS);
    let symbols = succeeds(tool("nm").arg(&object), TOOLS);
    let place = |name: &&str| {
        let line = symbols.lines().find(|line| line.split_whitespace().nth(2) == Some(name));
        let line = line.unwrap_or_else(|| panic!("{name} is not in {symbols}"));
        let (at, rest) = line.split_once(' ').expect("an address");
        assert!(rest.starts_with("T "), "{line}");
        u64::from_str_radix(at, 16).expect("an address")
    };
    let places = functions.iter().map(place).collect();
    succeeds(tool("objcopy").args(["-O", "binary", "-j", ".text"]).arg(&object).arg(&bytes), TOOLS);
    (std::fs::read(bytes).expect("the assembler's bytes"), places)
}

/// Runs a program on an input, on a processor of the emulator's.
pub(super) fn emulate(program: &Path, processor: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(emulator());
    command.args(["-cpu", processor]).arg(program).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| {
        panic!("{command:?}: {error}: qemu-user 8.2 or later is not here (cargo xtask setup fetches it)")
    });
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // A program that died reads no more.
        scope.spawn(move || stdin.write_all(input).is_ok());
        child.wait_with_output().expect("the emulator's output")
    })
}
