//! Kernels as machine code, called here, against the interpreter's results.
#![allow(unsafe_code, reason = "calls the kernels")]

use cipherloom_testkit::rng::of_name;
use loom::ciphers::Strategy;
use loom::exec::{CallBuffers, Jit, Processor, inputs};
use loom::ir::{Kernel, Memory, Scalar, interpret};
use loom::isa::frame::Abi;
use loom::isa::x86::X86;
use loom::isa::x86::conventions::{CDECL, SYSV64};
use loom::isa::x86::costs::GENERIC;
use loom::isa::{Choices, Extract, Features, Sums};
use loom::pipeline::{Options, compile};
use loom::schedule::Order;
use loom::variant::feature_sets;

/// The ways in which a kernel can be made here.
fn choices(abi: &Abi, strategy: &Strategy, here: &Processor) -> Vec<(Features, Choices)> {
    let mut all = Vec::new();
    for &features in feature_sets(abi.target, strategy) {
        if !here.has(features) {
            println!("not run here: {} with {}", strategy.name(), features.names().join(", "));
            continue;
        }
        for extract in Extract::ALL {
            for sums in [1, 2, 3].map(Sums::dealt) {
                for bits in 0..8 {
                    let choices = Choices {
                        extract,
                        sums,
                        memory_operands: bits & 1 == 0,
                        branch: bits & 2 == 0,
                        byte_sums: bits & 4 == 0,
                        ahead: 1 + bits as u8 % 3,
                    };
                    all.push((features, choices));
                }
            }
        }
    }
    all
}

/// One call: what goes in and, by the interpreter, what comes out.
struct Case {
    scalars: Vec<Scalar>,
    before: Vec<Memory>,
    after: Vec<Memory>,
}

fn cases(strategy: &Strategy, kernel: &Kernel) -> Vec<Case> {
    [0, 1, 3]
        .map(|count| {
            let (scalars, before) = inputs(strategy, kernel, count);
            let mut after = before.clone();
            interpret(kernel, &scalars, &mut after).unwrap();
            Case { scalars, before, after }
        })
        .into()
}

fn compare(
    abi: &'static Abi,
    kernel: &Kernel,
    cases: &[Case],
    features: Features,
    choices: &Choices,
    order: Option<&Order>,
) {
    let options =
        Options { choices: *choices, order: order.copied(), ..Options::untuned(GENERIC, features) };
    let made = compile::<X86>(kernel, abi, &options)
        .unwrap_or_else(|wrong| panic!("{}, {choices:?}: {wrong}", kernel.name));
    let jit = Jit::new(&made).unwrap();
    for Case { scalars, before, after } in cases {
        let mut memory = CallBuffers::of(before);
        let mut arguments = [0; 4];
        for (argument, scalar) in arguments.iter_mut().zip(scalars) {
            *argument = match *scalar {
                Scalar::Word(word) => word as usize,
                Scalar::Region(region) => memory.address(region),
            };
        }
        // SAFETY: the interpreter has just shown that the kernel stays within these regions.
        unsafe { jit.call(arguments, 1) };
        assert!(
            memory.memory() == *after,
            "{}, {features:?}, {choices:?}, {scalars:?}",
            kernel.name
        );
    }
}

fn every_kernel_is_the_interpreter_s(abi: &'static Abi) {
    let mut ran = 0;
    let here = Processor::detect();
    for strategy in Strategy::all() {
        let kernel = strategy.kernel();
        let n = of_name(&kernel.name);
        let cases = cases(&strategy, &kernel);
        let choices = choices(abi, &strategy, &here);
        // A few ways for each kernel, others for others: all of them over all kernels.
        for m in 0..3 {
            let way = (n as usize).wrapping_add(17 * m) % choices.len().max(1);
            let Some((features, choices)) = choices.get(way) else {
                continue;
            };
            // The order of the description, the scheduler's, and a random one.
            let random = Order { window: 60, seed: n | 1, noise: 40, ..Order::default() };
            let order = [None, Some(Order::default()), Some(random)][m];
            let kernel = strategy.kernel_ahead(choices.ahead);
            compare(abi, &kernel, &cases, *features, choices, order.as_ref());
            ran += 1;
        }
    }
    println!("{}: {ran} ways of kernels ran", abi.name);
    assert!(ran > 50, "{}: {ran} ways of kernels are not all", abi.name);
}

#[test]
fn every_kernel_in_every_way_is_the_interpreter_s() {
    every_kernel_is_the_interpreter_s(&SYSV64);
}

/// In this very process: Linux lets a program change to 32-bit code and back.
#[cfg(target_os = "linux")]
#[test]
fn every_kernel_of_32_bits_in_every_way_is_the_interpreter_s() {
    every_kernel_is_the_interpreter_s(&CDECL);
}
