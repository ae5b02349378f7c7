//! Kernels for AArch64: the encoder's bytes, run by an emulator, compared with the interpreter and with the
//! specification; and held against assemblers' bytes.

mod armasm;
mod assemblers;
mod models;
mod predictions;
mod program;
mod random;
mod unwind;

use std::io::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::sync::OnceLock;

use cipherloom_testkit::rng::of_name;
use loom::ciphers::Strategy;
use loom::ciphers::des::Task;
use loom::exec::inputs;
use loom::ir::interpret;
use loom::isa::aarch64::conventions::AAPCS64;
use loom::isa::aarch64::{AARCH64, AArch64, features};
use loom::isa::{Choices, Features, Sums};
use loom::pipeline::{Compiled, Options};
use loom::schedule::Order;
use loom::variant::{KernelVariant, feature_sets};
use program::{Case, Image, SIGILL, build, call, emulate};

use crate::folder::Folder;
use crate::specified::Specified;

/// A strategy, and what it was made of in one of several ways.
struct Made {
    variant: KernelVariant,
    kernel: Compiled<AArch64>,
}

/// Every kernel that there can be, in one of several ways each; made once.
fn kernels() -> &'static [Made] {
    static KERNELS: OnceLock<Vec<Made>> = OnceLock::new();
    KERNELS.get_or_init(make)
}

fn make() -> Vec<Made> {
    let sets = |strategy: &Strategy| feature_sets(&AARCH64, strategy).iter().copied();
    let all = Strategy::all().into_iter();
    let all = all.flat_map(|strategy| sets(&strategy).map(move |set| (strategy, set)));
    let make = |(strategy, features): (Strategy, Features)| {
        let variant = KernelVariant { target: &AARCH64, strategy, features };
        let untuned = variant.untuned();
        let n = of_name(&variant.name());
        let order = Order { window: 64, seed: n, noise: 2, ..Order::default() };
        let choices = Choices { sums: Sums::dealt(3), branch: false, ahead: 2, ..untuned.choices };
        let plan = match n % 4 {
            0 => untuned,
            1 => Options { choices, order: None, ..untuned },
            2 => Options { unroll: 600, hoist: 6, ..untuned },
            _ => Options { order: Some(order), hoist: 9, ..untuned },
        };
        let made = variant.compile(&AAPCS64, &plan);
        let mut kernel: Compiled<AArch64> =
            made.unwrap_or_else(|wrong| panic!("{}: {wrong}", variant.name()));
        // Ways to compute the same have one name.
        let features = features.names().into_iter().map(|name| format!("_{name}"));
        kernel.record.name = strategy.name() + &features.collect::<String>();
        Made { variant, kernel }
    };
    all.map(make).collect()
}

/// Calls of a kernel with random input; what comes back is the interpreter's.
fn interpreted(image: &mut Image, Made { variant, kernel }: &Made) -> [Case; 3] {
    let description = variant.strategy.kernel();
    let at = image.add(kernel);
    [0, 1, 3].map(|count| {
        let (scalars, before) = inputs(&variant.strategy, &description, count);
        let mut after = before.clone();
        interpret(&description, &scalars, &mut after).expect("what the interpreter can run");
        Case::new(at, kernel, &scalars, &before, &after)
    })
}

/// Every kernel gives what the interpreter gives, leaves alone what it may not touch, and gives back the
/// registers that a caller wants back.
#[test]
fn every_kernel_runs() {
    let folder = Folder::new();
    let program = build(&folder);
    let (new, old): (Vec<&Made>, _) =
        kernels().iter().partition(|made| made.variant.features.include(features::SHA3));
    assert!(old.len() > 100 && !new.is_empty(), "{} and {} kernels", old.len(), new.len());
    let mut ran = 0;
    for (processor, kernels) in [("cortex-a72", &old), ("neoverse-n1", &old), ("max", &new)] {
        let mut image = Image::default();
        let cases: Vec<Case> =
            kernels.iter().copied().flat_map(|made| interpreted(&mut image, made)).collect();
        call(&program, processor, &image, &cases);
        ran += cases.len();
        // A processor without an extension dies of each kernel that has its instructions.
        if processor == "max" {
            let idle = emulate(&program, "cortex-a72", &image, &[]);
            assert!(idle.status.success(), "without a kernel: {:?}", idle.status);
        }
    }
    // Past the test harness, as the table of all other pairs.
    let line = format!(
        "kernels for AArch64: {}, {} of them with sha3, all run by an emulator, {ran} calls\n",
        old.len() + new.len(),
        new.len()
    );
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written");
}

/// What has `eor3` or `bcax` is an illegal instruction where there is no FEAT_SHA3.
#[test]
fn an_extension_is_one() {
    let folder = Folder::new();
    let program = build(&folder);
    let rounds = |made: &&Made| made.kernel.record.name == "des_bitslice128_sha3";
    let made = kernels().iter().find(rounds).expect("a kernel with eor3");
    let mut image = Image::default();
    let cases = interpreted(&mut image, made);
    call(&program, "max", &image, &cases);
    let old = emulate(&program, "cortex-a72", &image, &cases);
    assert_eq!(old.status.signal(), Some(SIGILL), "{:?}", old.status);
}

/// DES and Triple-DES are those of the specification: blocks and chains of CBC.
#[test]
fn blocks_and_chains_are_those_of_the_specification() {
    let folder = Folder::new();
    let program = build(&folder);
    let mut image = Image::default();
    let mut cases = Vec::new();
    for made in kernels() {
        if let Strategy::Des(config) = made.variant.strategy
            && config.task != Task::Bare
        {
            let Specified { scalars, before, after } = Specified::new(&config);
            let at = image.add(&made.kernel);
            cases.push(Case::new(at, &made.kernel, &scalars, &before, &after));
        }
    }
    assert!(cases.len() > 40, "{} kernels", cases.len());
    for processor in ["cortex-a72", "neoverse-n1"] {
        call(&program, processor, &image, &cases);
    }
}
