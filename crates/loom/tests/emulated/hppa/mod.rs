//! Kernels for PA-RISC 2.0: assembled by GNU as, run by an emulator, compared with the interpreter.

mod machine;
mod program;

use loom::isa::hppa::PA_RISC;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folder::Folder;
use crate::specified::Specified;
use cipherloom_testkit::rng::of_name;
use loom::ciphers::des::{Config, Direction, Layout, Passes, Permute, Task};
use loom::ciphers::{Strategy, rc4};
use loom::emit::{Unit, text};
use loom::ir::{Memory, Param, Scalar, Type, interpret};
use loom::isa::frame::Abi;
use loom::isa::hppa::Hppa;
use loom::isa::hppa::conventions::{HPPA, HPPA_PIC, HPPA64};
use loom::variant::{KernelVariant, feature_sets};
use machine::{Argument, Call};
use program::{Kernel, SIGILL, SIGSEGV, assemble, build, build_wide, emulate, run, wide};

use loom::exec::inputs;
use loom::isa::Features;
use loom::pipeline::{Options, compile};
use loom::schedule::Order;

/// Whether there is a strategy on PA-RISC.
fn fits(strategy: &Strategy) -> bool {
    !feature_sets(&PA_RISC, strategy).is_empty()
}

/// A strategy on PA-RISC.
fn variant(strategy: Strategy) -> KernelVariant {
    KernelVariant { target: &PA_RISC, strategy, features: Features::NONE }
}

/// Kernels that there can be for 32-bit programs, each made in one of several ways, for a program or for a
/// shared library.
fn kernels() -> Vec<Kernel> {
    made(|n| if (n / 3).is_multiple_of(2) { &HPPA } else { &HPPA_PIC })
}

/// The same for 64-bit programs.
fn wide_kernels() -> Vec<Kernel> {
    made(|_| &HPPA64)
}

fn made(abi: impl Fn(u64) -> &'static Abi) -> Vec<Kernel> {
    let all = Strategy::all().into_iter().filter(fits);
    let make = |strategy: Strategy| {
        let untuned = variant(strategy).untuned();
        let n = of_name(&strategy.name());
        let order = Order { window: 64, seed: n, noise: 2, ..Order::default() };
        let plan = match n % 3 {
            0 => untuned,
            1 => Options { unroll: 0, hoist: 0, order: None, ..untuned },
            _ => Options { order: Some(order), hoist: 9, ..untuned },
        };
        let made = compile(&strategy.kernel(), abi(n), &plan);
        (strategy, made.unwrap_or_else(|wrong| panic!("{strategy:?}: {wrong}")))
    };
    all.map(make).collect()
}

fn single(layout: Layout, passes: Passes, task: Task) -> Config {
    Config { layout, passes, direction: Direction::Encrypt, task, permute: Permute::Shifts }
}

/// Memory as this processor has it, from the interpreter's, or back: words of the kernel's own have
/// their highest byte first.
fn exchanged(strategy: &Strategy, param: &str, memory: &Memory) -> Vec<u8> {
    let mut bytes = memory.bytes.clone();
    let reverse = |bytes: &mut [u8], size: usize| bytes.chunks_mut(size).for_each(<[u8]>::reverse);
    match (strategy, param) {
        (Strategy::Des(variant), "schedule" | "halves") => {
            reverse(&mut bytes, if variant.layout == Layout::Rotated { 4 } else { 8 });
        }
        (Strategy::Libdes(_), _) => reverse(&mut bytes, 4),
        (Strategy::Rc4(variant), "state" | "states") => {
            let size = usize::from(variant.entry.bytes());
            for state in bytes.chunks_mut(256 * size + 8) {
                let (s, indices) = state.split_at_mut(256 * size);
                reverse(s, size);
                reverse(indices, 4);
            }
        }
        _ => {}
    }
    bytes
}

/// A call of a kernel, and what must come back.
struct Case {
    what: String,
    /// The kernel's number.
    number: usize,
    /// What lies above a pointer in its register.
    above: u32,
    arguments: Vec<Argument>,
}

impl Case {
    /// A call of kernel number `n`, and the memory before and after it, as the interpreter has it.
    fn new(
        n: usize,
        (strategy, made): &Kernel,
        scalars: &[Scalar],
        before: &[Memory],
        after: &[Memory],
    ) -> Self {
        // What a caller leaves above an argument of 32 bits.
        const ANYTHING: u32 = 0xa5a5_5a5a;
        let abi = made.record.abi;
        let argument = |(param, scalar): (&Param, &Scalar)| match *scalar {
            Scalar::Word(value) if abi.argument == 8 && param.ty != Type::W32 => {
                Argument::Word(value)
            }
            Scalar::Word(value) => {
                Argument::Word(u64::from(ANYTHING) << 32 | u64::from(value as u32))
            }
            Scalar::Region(region) => Argument::Region(
                exchanged(strategy, &param.name, &before[region]),
                exchanged(strategy, &param.name, &after[region]),
            ),
        };
        Self {
            what: made.record.name.clone(),
            number: n,
            above: if abi.pointer == 8 { 0 } else { ANYTHING },
            arguments: made.record.params.iter().zip(scalars).map(argument).collect(),
        }
    }

    /// What the program reads.
    fn input(&self) -> Vec<u8> {
        let word = |word: usize| (word as u32).to_be_bytes();
        let mut input = [word(self.number), word(self.arguments.len())].concat();
        for argument in &self.arguments {
            match argument {
                Argument::Word(value) => {
                    input.extend([&word(0)[..], &value.to_be_bytes()].concat());
                }
                Argument::Region(before, _) => {
                    let head = [word(1), self.above.to_be_bytes(), word(before.len())];
                    input.extend([&head.concat(), before.as_slice()].concat());
                }
            }
        }
        input
    }

    /// What it must print.
    fn expected(&self) -> Vec<u8> {
        let mut expected = 0u32.to_be_bytes().to_vec();
        for argument in &self.arguments {
            if let Argument::Region(_, after) = argument {
                expected.extend(after);
            }
        }
        expected
    }

    /// Random input; what comes back is the interpreter's.
    fn interpreted(n: usize, kernel: &Kernel, count: usize) -> Self {
        let (strategy, description) = (&kernel.0, kernel.0.kernel());
        let (scalars, before) = inputs(strategy, &description, count);
        let mut after = before.clone();
        interpret(&description, &scalars, &mut after).expect("what the interpreter can run");
        Self::new(n, kernel, &scalars, &before, &after)
    }

    /// Blocks under keys; what comes back is the specification's.
    fn specified(n: usize, kernel: &Kernel, variant: &Config) -> Self {
        let Specified { scalars, before, after } = Specified::new(variant);
        Self::new(n, kernel, &scalars, &before, &after)
    }
}

/// Calls kernels, and looks at what came back; returns all that was printed.
fn call(program: &Path, arguments: &[&str], cases: &[Case]) -> Vec<u8> {
    let mut input = (cases.len() as u32).to_be_bytes().to_vec();
    cases.iter().for_each(|case| input.extend(case.input()));
    let output = emulate(program, "hppa64", arguments, &input);
    let mut rest = output.stdout.as_slice();
    for case in cases {
        let expected = case.expected();
        let (found, after) = rest.split_at(expected.len().min(rest.len()));
        assert!(found == expected, "{}: {:?}", case.what, output.status);
        rest = after;
    }
    assert!(rest.is_empty() && output.status.success(), "{:?}", output.status);
    output.stdout
}

/// Every kernel gives what the interpreter gives, leaves alone what it may not touch, and gives back
/// the registers that a caller wants back.
#[test]
fn every_kernel_runs() {
    let folder = Folder::new();
    let kernels = kernels();
    let program = build(&folder, &kernels);
    let numbered = kernels.iter().enumerate();
    let cases: Vec<Case> = numbered
        .flat_map(|(n, kernel)| [0, 1, 3].map(|count| Case::interpreted(n, kernel, count)))
        .collect();
    let printed = call(&program, &[], &cases);
    // Past the test harness, as the table of all other pairs.
    let line = format!(
        "pairs of kernel and dialect for PA-RISC: {} of gnu-hppa by GNU as, all of them run by an \
         emulator, {} calls\n",
        kernels.len(),
        cases.len()
    );
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written");
    // A processor of PA-RISC 1.1 runs the program, and dies of each kernel.
    let plain = ["plain"];
    assert!(call(&program, &plain, &cases) == printed, "called plainly");
    let idle = emulate(&program, "hppa", &plain, &0u32.to_be_bytes());
    assert!(idle.status.success(), "without a kernel: {:?}", idle.status);
    for case in cases.iter().step_by(3) {
        let old =
            emulate(&program, "hppa", &plain, &[&1u32.to_be_bytes(), &*case.input()].concat());
        assert_eq!(old.status.signal(), Some(SIGILL), "{}: {:?}", case.what, old.status);
        assert!(old.stdout.is_empty(), "{} came back", case.what);
    }
}

/// Every kernel for 64-bit programs, as their assembler makes it, gives what the interpreter gives in wide
/// mode, at addresses of more than 32 bits, leaves alone what it may not touch, and gives back all 64 bits
/// of the registers that a caller wants back.
#[test]
fn every_kernel_of_64_bit_programs_runs() {
    let folder = Folder::new();
    let kernels = wide_kernels();
    let (code, places) = wide(&folder, &kernels);
    let numbered = kernels.iter().enumerate();
    let cases =
        numbered.flat_map(|(n, kernel)| [0, 1, 3].map(|count| Case::interpreted(n, kernel, count)));
    let calls: Vec<_> = cases
        .map(|Case { what, number, arguments, .. }| Call { what, place: places[number], arguments })
        .collect();
    machine::call(&folder, &code, &calls).unwrap();
    let line = format!(
        "pairs of kernel and dialect for PA-RISC in wide mode: {} of gnu-hppa by GNU as, all of them run \
         by an emulator, {} calls\n",
        kernels.len(),
        calls.len()
    );
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written");
}

/// A function that copies 8 bytes, and others that break a rule: each of these is caught.
#[test]
fn the_machine_catches_what_is_wrong() {
    const COPY: &str = "ldd 0(%r26),%r28\n std %r28,0(%r25)";
    let functions = [
        ("right", COPY.to_owned(), ""),
        ("idle", "nop".to_owned(), "idle: memory"),
        ("narrow", format!("extrd,u %r26,63,32,%r26\n {COPY}"), "narrow: memory"),
        ("half", format!("{COPY}\n depd %r0,31,32,%r3"), "half: registers"),
        ("sunk", format!("{COPY}\n ldo 16(%r30),%r30"), "sunk: registers"),
        (
            "beside",
            format!("{COPY}\n std %r28,8(%r25)"),
            "something beside the regions was changed",
        ),
        ("lost", "bve,n (%r0)".to_owned(), "lost: registers"),
    ];
    for (name, body, wrong) in functions {
        let folder = Folder::new();
        let source = format!(
            " .level 2.0w\n .text\n .export {name},entry\n .type {name}, @function\n{name}:\n \
             {body}\n bve (%r2)\n nop\n"
        );
        let (code, places) = assemble(&folder, name, &source, &[name]);
        let (from, to) = (vec![0x5a; 8], vec![0; 8]);
        let arguments =
            vec![Argument::Region(from.clone(), from.clone()), Argument::Region(to, from)];
        let call = Call { what: name.to_owned(), place: places[0], arguments };
        let said = machine::call(&folder, &code, &[call]).err().unwrap_or_default();
        assert_eq!(said, wrong);
    }
}

/// A count of 2^32 is not one of zero: such a kernel, in a program of 32 bits, where its instructions mean
/// the same, goes on to the end of what it may touch.
#[test]
fn slow_counts_of_64_bit_programs_have_64_bits() {
    let folder = Folder::new();
    let kernels = wide_kernels();
    let program = build_wide(&folder, &kernels);
    let mut endless = 0;
    for (n, kernel) in kernels.iter().enumerate() {
        let (mut scalars, memory) = inputs(&kernel.0, &kernel.0.kernel(), 0);
        let params = kernel.1.record.params.iter().zip(&mut scalars);
        let mut counts =
            params.filter(|(param, _)| param.memory.is_none() && param.ty == Type::W64);
        let Some((_, count)) = counts.next() else { continue };
        *count = Scalar::Word(1 << 32);
        let case = Case::new(n, kernel, &scalars, &memory, &memory);
        let input = [&1u32.to_be_bytes(), &*case.input()].concat();
        let died = emulate(&program, "hppa64", &[], &input);
        assert_eq!(died.status.signal(), Some(SIGSEGV), "{}: {:?}", case.what, died.status);
        endless += 1;
    }
    assert!(endless > 0, "kernels have counts");
    println!("{endless} kernels");
}

/// DES and Triple-DES are those of the specification: blocks and chains of CBC.
#[test]
fn slow_blocks_and_chains_are_those_of_the_specification() {
    are_specified(kernels(), build);
    are_specified(wide_kernels(), build_wide);
}

fn are_specified(kernels: Vec<Kernel>, build: fn(&Folder, &[Kernel]) -> PathBuf) {
    let folder = Folder::new();
    let is_whole = |(strategy, _): &Kernel| matches!(strategy, Strategy::Des(variant) if variant.task != Task::Bare);
    let kernels: Vec<_> = kernels.into_iter().filter(is_whole).collect();
    let program = build(&folder, &kernels);
    let case = |(n, kernel): (usize, &Kernel)| {
        let Strategy::Des(variant) = &kernel.0 else { unreachable!("others were filtered out") };
        Case::specified(n, kernel, variant)
    };
    let cases: Vec<_> = kernels.iter().enumerate().map(case).collect();
    call(&program, &[], &cases);
    println!("{} kernels, 12 blocks each", cases.len());
}

#[test]
fn a_block_of_des_takes_fewer_instructions_than_in_2000() {
    // HP's own, for this processor (2000).
    const PUBLISHED: u64 = 270;
    for task in [Task::Blocks(1), Task::Chain] {
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let plain = single(Layout::Dense, Passes::One, task);
            let variant = variant(Strategy::Des(Config { direction, ..plain }));
            let each = variant
                .make(&HPPA, &variant.shortest(&HPPA).unwrap())
                .unwrap()
                .each()
                .expect("a count");
            println!("{}: {each} instructions a block", variant.name());
            assert!(each < PUBLISHED);
        }
    }
}

/// Kernels for shared libraries go into one without an address that a loader would have to write, which
/// those for programs do not.
#[test]
fn a_shared_library_of_kernels_needs_no_relocation_of_code() {
    let folder = Folder::new();
    let strategy = Strategy::Des(single(Layout::Dense, Passes::Three, Task::Chain));
    for (abi, fits) in [(&HPPA_PIC, true), (&HPPA, false)] {
        let made = compile::<Hppa>(&strategy.kernel(), abi, &variant(strategy).untuned()).unwrap();
        let unit = Unit::new(&made, ["in a test"]);
        let source = folder.file("k.s", &text(&PA_RISC.formats[0], &[unit], ""));
        let mut gcc = Command::new("hppa-linux-gnu-gcc");
        gcc.args(["-shared", "-nostdlib", "-Wl,-z,text", "-o"]).arg(folder.path().join("k.so"));
        let linked = run(gcc.arg(source), "install gcc-hppa-linux-gnu");
        let said = String::from_utf8_lossy(&linked.stderr);
        assert_eq!(linked.status.success(), fits, "{}: {said}", abi.name);
    }
}

/// The numbers that the count rests on are those of the assembled bytes.
#[test]
fn the_count_is_that_of_the_bytes() {
    let folder = Folder::new();
    let strategy = Strategy::Des(single(Layout::Dense, Passes::One, Task::Blocks(1)));
    let made = compile::<Hppa>(&strategy.kernel(), &HPPA, &variant(strategy).untuned()).unwrap();
    let source =
        folder.file("k.s", &text(&PA_RISC.formats[0], &[Unit::new(&made, ["in a test"])], ""));
    let object = folder.path().join("k.o");
    let mut gas = Command::new("hppa-linux-gnu-as");
    let built = run(gas.arg("-o").arg(&object).arg(&source), "install binutils-hppa-linux-gnu");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut dump = Command::new("hppa-linux-gnu-objdump");
    let listing = run(dump.arg("-d").arg(&object), "install binutils-hppa-linux-gnu");
    let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
    let address = |line: &str| u64::from_str_radix(line.trim().split(':').next()?, 16).ok();
    let back = listing.lines().find(|line| line.contains("addib")).expect("a loop");
    let from = address(back).expect("an address");
    let operands = back.split_whitespace().rev().nth(1).expect("where it leads");
    let top = operands.rsplit(',').next().expect("the last operand");
    let top = u64::from_str_radix(top, 16).expect("an address");
    // From the top to what stands in the branch's delay slot.
    assert_eq!(Some((from - top) / 4 + 2), made.program.each);
}

/// Memory of entries that are words must not depend on the order of bytes.
#[test]
fn what_there_is() {
    let of = |entry, task| {
        Strategy::Rc4(rc4::Config {
            entry,
            task,
            word: rc4::Word::Bits64,
            inserts: false,
            whole: false,
        })
    };
    assert!(fits(&of(rc4::Entry::Byte, rc4::Task::Apply)));
    let dense = |task| Strategy::Des(single(Layout::Dense, Passes::Three, task));
    assert!(fits(&dense(Task::Chain)) && fits(&dense(Task::Bare)));
    let vectors = Strategy::Des(single(Layout::Registers256, Passes::One, Task::Blocks(1)));
    assert!(!fits(&vectors));
}
