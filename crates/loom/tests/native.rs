//! Kernels as machine code, called here, against the interpreter's results.
#![allow(unsafe_code, reason = "calls the kernels")]
#![cfg(target_arch = "x86_64")]

use loom::allocate::{Budget, allocate, check};
use loom::ciphers::Strategy;
use loom::edition::feature_sets;
use loom::ir::{Kernel, Memory, Scalar, interpret};
use loom::schedule::{Order, schedule};
use loom::target::abi::SYSV64;
use loom::target::cpu::Cpu;
use loom::target::x86_64::{
    Choices, Extract, Features, Lowered, Sums, X86_64, kind, lower, program, usable,
};
use loom::tune::{Arena, Jit, Processor, inputs};

/// The ways in which a kernel can be made here.
fn choices(strategy: &Strategy, here: &Processor) -> Vec<(Features, Choices)> {
    let mut all = Vec::new();
    for &features in feature_sets(strategy) {
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
                    };
                    all.push((features, choices));
                }
            }
        }
    }
    all
}

fn generic() -> Cpu {
    *Cpu::by_name("generic").unwrap()
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
    kernel: &Kernel,
    cases: &[Case],
    features: Features,
    choices: &Choices,
    order: Option<&Order>,
) {
    let Lowered { code, params, .. } = lower(kernel, features, choices);
    let code = match order {
        Some(order) => schedule::<X86_64>(&code, &generic(), order, &kind),
        None => code,
    };
    let registers = usable(&SYSV64, features);
    let budget = Budget { registers, homes: 15 };
    let allocated = allocate::<X86_64>(&code, &params, &SYSV64, budget);
    check::<X86_64>(&code, &params, &SYSV64, registers, &allocated.lines)
        .unwrap_or_else(|wrong| panic!("{}, {choices:?}: {wrong}", kernel.name));
    let jit = Jit::new(kernel, &program(&allocated, &SYSV64)).unwrap();
    for Case { scalars, before, after } in cases {
        let mut memory = Arena::of(before);
        let mut arguments = [0; 4];
        for (argument, scalar) in arguments.iter_mut().zip(scalars) {
            *argument = match *scalar {
                Scalar::Word(word) => word as usize,
                Scalar::Region(region) => memory.address(region),
            };
        }
        // SAFETY: the interpreter has just shown that the kernel stays within these regions.
        unsafe { jit.call(arguments) };
        assert!(
            memory.memory() == *after,
            "{}, {features:?}, {choices:?}, {scalars:?}",
            kernel.name
        );
    }
}

#[test]
fn every_kernel_in_every_way_is_the_interpreter_s() {
    let here = Processor::detect();
    for (n, strategy) in Strategy::all().into_iter().enumerate() {
        let kernel = strategy.kernel();
        let cases = cases(&strategy, &kernel);
        let choices = choices(&strategy, &here);
        // A few ways for each kernel, others for the next: all of them over all kernels.
        for m in 0..3 {
            let Some((features, choices)) = choices.get((5 * n + 17 * m) % choices.len().max(1))
            else {
                continue;
            };
            // The order of the description, the scheduler's, and a random one.
            let random = Order { window: 60, seed: n as u64 + 1, noise: 40 };
            let order = [None, Some(Order::default()), Some(random)][m];
            compare(&kernel, &cases, *features, choices, order.as_ref());
        }
    }
}
