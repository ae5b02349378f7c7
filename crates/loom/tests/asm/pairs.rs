//! Pairs of a kernel and a dialect, by every calling convention: assembled by a real assembler of that
//! dialect, the same bytes as the encoder's, and run where the processor has what it needs. The table of
//! what was done is printed.

use loom::isa::x86::{X86_32, X86_64, X86_REAL};
use std::fmt::Write as _;
use std::io::Write as _;

use crate::assembler::{File, assemblers, compare};
use crate::image::Image;
use crate::kernels::{kernels, strategies, units};
use crate::run::{load, run};
use loom::ciphers::Strategy;
use loom::emit::{Unit, file, refusal, text};
use loom::isa::frame::Abi;
use loom::isa::text::Format;
use loom::isa::x86::{Mode, X86};
use loom::pipeline::Compiled;

/// A row of the table: the kernels of an ABI in a format, by one assembler.
struct Row {
    format: &'static str,
    abi: &'static Abi,
    by: &'static str,
    /// Kernels that have the encoder's bytes.
    same: usize,
    /// Those of them that this processor cannot run.
    not_run: usize,
    how: &'static str,
    /// Kernels that cannot be written in this format.
    refused: usize,
}

fn row(
    format: &'static str,
    abi: &'static Abi,
    by: &'static str,
    file: &File,
    kernels: &[(&Strategy, &Compiled<X86>)],
    refused: usize,
) -> Row {
    let made: Vec<_> = kernels.iter().map(|(_, made)| *made).collect();
    let image = Image::read(&file.read());
    compare(&image, &made, |name| image.symbol(name));
    let (not_run, how) = match Mode::of(abi.target) {
        Mode::Real => (made.len(), "the same bytes run under DOSBox: test `realmode`"),
        _ => {
            let (loaded, how) = load(file, abi.target);
            (run(&loaded, kernels, &format!("{format} by {by}, {}", abi.name)), how)
        }
    };
    Row { format, abi, by, same: made.len(), not_run, how, refused }
}

/// A format, by each of its assemblers, with the kernels that are to be tried.
fn rows(format: &'static Format, abi: &'static Abi, units: &[Unit], tried: Tried) -> Vec<Row> {
    let strategies = strategies(abi);
    let all = strategies.iter().zip(kernels(abi)).zip(units);
    let chosen = (0..).zip(all).filter(|(n, _)| tried.has(format, *n, strategies.len()));
    let chosen = chosen.map(|(_, one)| one);
    let count = chosen.clone().count();
    let (pairs, units): (Vec<_>, Vec<_>) = chosen
        .filter(|(_, unit)| refusal(format, &unit.record).is_none())
        .map(|(pair, unit)| (pair, unit.clone()))
        .unzip();
    let refused = count - units.len();
    if units.is_empty() {
        let (by, _) = assemblers(abi.target, format.name)[0];
        let how = "cannot be written";
        return vec![Row { format: format.name, abi, by, same: 0, not_run: 0, how, refused }];
    }
    let source = File::with("kernels.s", text(format, &units, ""));
    let programs = assemblers(abi.target, format.name).iter();
    let is_older = |by: &str| OLDER.iter().any(|older| by.ends_with(older));
    let done = programs.filter(|(by, _)| tried.every || !is_older(by)).map(|(by, assemble)| {
        let object = File::new("kernels.o");
        assemble(&source, &object);
        row(format.name, abi, by, &object, &pairs, refused)
    });
    done.collect()
}

/// Object files that are written without an assembler.
fn ours(abi: &'static Abi, units: &[Unit]) -> Vec<Row> {
    let strategies = strategies(abi);
    let pairs: Vec<_> = strategies.iter().zip(kernels(abi)).collect();
    let formats = abi.target.formats.iter().filter(|format| format.dialect().is_none());
    let written = formats.map(|format| {
        let bytes = file(format, units, "").expect("an object file");
        row(format.name, abi, "loom itself", &File::with("kernels.o", bytes), &pairs, 0)
    });
    written.collect()
}

/// The table, and how many pairs are in it.
fn table(rows: &[Row]) -> String {
    let mut table = format!(
        "{:<12} {:<8} {:<9} {:<32} {:>10} {:>5} {:>8} {:>7}  how they ran\n",
        "format", "set", "ABI", "assembled by", "same bytes", "ran", "not here", "refused"
    );
    for row in rows {
        let Row { format, abi, by, same, not_run, how, refused } = row;
        let set = abi.target.name;
        let ran = same - not_run;
        writeln!(
            table,
            "{format:<12} {set:<8} {:<9} {by:<32} {same:>10} {ran:>5} {not_run:>8} {refused:>7}  {how}",
            abi.name
        )
        .expect("a text grows");
    }
    // Who has several assemblers is one dialect.
    let mut seen = Vec::new();
    let mut pairs = [0; 3];
    for row in rows {
        let key = (row.format, row.abi.name);
        if !seen.contains(&key) {
            seen.push(key);
            let more = [row.same, row.same - row.not_run, row.refused];
            pairs.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
    let [same, ran, refused] = pairs;
    let assembled: usize = rows.iter().map(|row| row.same).sum();
    writeln!(
        table,
        "pairs of kernel and dialect under test here: {same} with the encoder's bytes, {ran} of them \
         run; {assembled} assembled, as some dialects have several assemblers; {refused} cannot be, \
         as YASM knows neither AVX-512 nor GFNI, and llvm-ml no distances"
    )
    .expect("a text grows");
    table
}

/// Which kernels are tried in a dialect.
#[derive(Clone, Copy)]
struct Tried {
    /// All of them, by all assemblers; else (`CIPHERLOOM_QUICK=1`) a few, others in each dialect, by those that are
    /// packages.
    every: bool,
}

impl Tried {
    /// Of how many kernels one is tried.
    const STEP: usize = 16;

    /// Whether the kernel `n` of `count` is among them.
    fn has(self, format: &Format, n: usize, count: usize) -> bool {
        let any = format.name.bytes().map(usize::from).sum::<usize>();
        self.every || n % Self::STEP == any % Self::STEP.min(count)
    }
}

/// Those that are built from sources.
const OLDER: [&str; 2] = ["GNU as for Solaris", "GNU as for BSD"];

#[test]
fn slow_pairs_of_kernel_and_dialect_are_assembled_and_run() {
    try_pairs(Tried { every: std::env::var_os("CIPHERLOOM_QUICK").is_none() });
}

fn try_pairs(tried: Tried) {
    let mut all = Vec::new();
    // PA-RISC's are run by an emulator, in a test of their own.
    let sets = [&X86_64, &X86_32, &X86_REAL];
    for abi in sets.into_iter().flat_map(Abi::of) {
        let units = &units(kernels(abi));
        let own = if !tried.every { Vec::new() } else { ours(abi, units) };
        let formats: Vec<_> = abi.target.texts().collect();
        let of_abi = std::thread::scope(|scope| {
            let threads: Vec<_> = formats
                .iter()
                .map(|format| scope.spawn(move || rows(format, abi, units, tried)))
                .collect();
            let joined = threads.into_iter().map(|thread| match thread.join() {
                Ok(rows) => rows,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.flatten().collect::<Vec<_>>()
        });
        all.extend(of_abi);
        all.extend(own);
    }
    for row in &all {
        // MASM refuses what would be position-independent, YASM some others.
        if (row.by, row.abi.position_independent) == ("llvm-ml", true) {
            assert_eq!(row.same, 0, "{}: then say so nowhere", row.format);
            continue;
        }
        assert!(row.refused == 0 || row.by.starts_with("YASM"), "{} refuses kernels", row.format);
        if !tried.every {
            assert!(row.same + row.refused > 0, "{}: no kernel", row.format);
            continue;
        }
        let real = Mode::of(row.abi.target) == Mode::Real;
        let least = if real { 12 } else { 21 };
        assert!(row.same >= least, "{}: only {} kernels", row.format, row.same);
        assert!(real || row.not_run < row.same, "{}: no kernel ran", row.format);
    }
    // Past the test harness, which would keep it back.
    std::io::stderr().write_all(table(&all).as_bytes()).expect("standard error can be written");
}
