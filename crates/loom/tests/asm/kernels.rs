//! Kernels for tests, each made in one of several ways.

use std::sync::OnceLock;

use cipherloom_testkit::rng::of_name;
use loom::ciphers::Strategy;
use loom::emit::Unit;
use loom::isa::frame::Abi;
use loom::isa::x86::costs::GENERIC;
use loom::isa::x86::{X86, X86_REAL};
use loom::isa::{Choices, Extract, Features};
use loom::pipeline::{Compiled, Options, compile};
use loom::variant::{KernelVariant, feature_sets};

/// What can be made for an ABI's instruction set.
pub(crate) fn strategies(abi: &Abi) -> Vec<Strategy> {
    let made = |strategy: &Strategy| {
        // Without tables there is nothing that a position could mean.
        let differs = !abi.position_independent || !strategy.kernel().tables.is_empty();
        differs && !feature_sets(abi.target, strategy).is_empty()
    };
    Strategy::all().into_iter().filter(made).collect()
}

/// Every kernel, made in one way or another: BMI2 and its lack, each way to take bytes, rounds written
/// out. Made once.
pub(crate) fn kernels(abi: &'static Abi) -> &'static [Compiled<X86>] {
    static SYSV64: OnceLock<Vec<Compiled<X86>>> = OnceLock::new();
    static WIN64: OnceLock<Vec<Compiled<X86>>> = OnceLock::new();
    static CDECL: OnceLock<Vec<Compiled<X86>>> = OnceLock::new();
    static CDECL_PIC: OnceLock<Vec<Compiled<X86>>> = OnceLock::new();
    static WIN32: OnceLock<Vec<Compiled<X86>>> = OnceLock::new();
    static NEAR16: OnceLock<Vec<Compiled<X86>>> = OnceLock::new();
    static FAR16: OnceLock<Vec<Compiled<X86>>> = OnceLock::new();
    let made = match abi.name {
        "sysv64" => &SYSV64,
        "win64" => &WIN64,
        "cdecl" => &CDECL,
        "cdecl-pic" => &CDECL_PIC,
        "win32" => &WIN32,
        "near16" => &NEAR16,
        "far16" => &FAR16,
        other => panic!("no place for kernels of {other}"),
    };
    made.get_or_init(|| {
        let plan = |strategy: &Strategy| {
            if abi.target == &X86_REAL {
                // As in the programs that an emulator runs.
                return KernelVariant::on(abi.target, *strategy, Features::NONE).untuned();
            }
            let n = of_name(&strategy.name()) as usize;
            let sets = feature_sets(abi.target, strategy);
            let mut plan = Options::untuned(GENERIC, sets[n % sets.len()]);
            let extract = Extract::ALL[n / 2 % Extract::ALL.len()];
            plan.choices = Choices { extract, branch: !(n / 64).is_multiple_of(3), ..plan.choices };
            if extract == Extract::MOVE_BYTES && (n / 256).is_multiple_of(2) {
                // As for processors of the past.
                plan.unroll = 2000;
            }
            plan
        };
        let make = |strategy: Strategy| {
            compile(&strategy.kernel(), abi, &plan(&strategy))
                .unwrap_or_else(|wrong| panic!("{wrong}"))
        };
        strategies(abi).into_iter().map(make).collect()
    })
}

/// The same, to be printed.
pub(crate) fn units(made: &[Compiled<X86>]) -> Vec<Unit> {
    made.iter().map(|made| Unit::new(made, ["in a test"])).collect()
}
