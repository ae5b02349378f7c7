//! Kernels for processors of the past: made by their cost models, and run here.

use loom::exec::{Answers, Subject};
use loom::isa::frame::Abi;
use loom::isa::x86::conventions::{CDECL, WIN32};
use loom::isa::x86::costs::OLD;
use loom::isa::x86::{X86_32, X86_REAL};
use loom::isa::{Choices, Extract};
use loom::pipeline::Options;
use loom::schedule::{Order, Perturbation};
use loom::stats::{Fetched, fetched, has, predicted};
use loom::tune::by_model;
use loom::variant::KernelVariant;

/// Kernels for processors, in two ways of taking bytes, ordered for them: what the checker accepts, this processor
/// runs with the interpreter's answers. One processor for each kernel, others for others.
#[test]
fn slow_kernels_ordered_for_an_old_processor_each_are_right() {
    order_for_old_processors(20, |kernel, cpu| kernel % OLD.len() == cpu);
}

/// The same, every kernel for every processor.
#[test]
fn rare_kernels_ordered_for_old_processors_are_right() {
    order_for_old_processors(50, |_, _| true);
}

fn order_for_old_processors(least: usize, is_made: impl Fn(usize, usize) -> bool) {
    let mut count = 0;
    for (kernel, variant) in KernelVariant::all(&X86_32).into_iter().enumerate() {
        let answers = Answers::new(&variant.strategy).expect("a description");
        let here = OLD.into_iter().enumerate().filter(|(n, _)| is_made(kernel, *n));
        for (n, cpu) in here.filter(|(_, cpu)| has(cpu, &variant).is_ok()) {
            let ways = [
                (Extract::MOVE_BYTES, 0, 8),
                (Extract::OFFSETS, 0, 24),
                (Extract::MOVE_BYTES, 2000, 40),
                (Extract::HIGH_BYTES, 2000, 3),
            ];
            // Every other one for every other processor.
            for (extract, unroll, window) in ways.into_iter().skip(n % 2).step_by(2) {
                let choices =
                    Choices { extract, memory_operands: unroll == 0, ..Choices::default() };
                let order = Some(Order { window, seed: 7, noise: 2, beam: 4 * (n as u16 % 2) });
                let plain = Options { choices, unroll, ..Options::untuned(cpu, variant.features) };
                let plan = Options { order, ..plain };
                let made = variant.make(&CDECL, &plan).unwrap_or_else(|wrong| panic!("{wrong}"));
                let subject = Subject::new(&*made).expect("executable memory");
                assert!(subject.answers(&answers), "{variant}, {}: {plan:?}", cpu.name);
                variant.make(&WIN32, &plan).expect("the other calling convention");
                count += 1;
            }
        }
    }
    println!("{count} kernels");
    assert!(count > least);
}

/// The best plan of a model is the same each time, right, within 2 KB of tables, faster than what is not
/// ordered, and near to what people wrote by hand or better.
#[test]
fn rare_the_best_plan_of_a_model_is_right_and_faster() {
    let bswap = "x86/des_encrypt_table32_bswap";
    for (cpu, name, most) in [
        ("386", "x86/des_encrypt_table32", 1720.0),
        ("486", bswap, 690.0),
        // libdes took 356 clocks there (1997), with its permutations, too.
        ("pentium", bswap, 356.0),
        // The function itself, with its call and both directions.
        ("pentium", "x86/des_encrypt1", 400.0),
        ("pentiumpro", bswap, f64::INFINITY),
    ] {
        let cpu = OLD.into_iter().find(|old| old.name == cpu).unwrap();
        let variant: KernelVariant = name.parse().unwrap();
        let (plan, cycles) = by_model(&variant, &CDECL, cpu, 20);
        if name == bswap && cpu.name == "pentium" {
            assert_eq!((plan.clone(), cycles), by_model(&variant, &CDECL, cpu, 20));
        }
        assert!(cycles < most, "{}: {cycles}", cpu.name);
        let made = variant.make(&CDECL, &plan).unwrap();
        assert!(made.record().table_bytes <= 2048);
        let answers = Answers::new(&variant.strategy).expect("a description");
        assert!(Subject::new(&*made).expect("executable memory").answers(&answers));
        if cpu.in_order().is_some() {
            assert_eq!(predicted(&variant, &*made, cpu), Some(cycles));
            let unordered = Options { order: None, perturbation: Perturbation::default(), ..plan };
            let unordered = variant.make(&CDECL, &unordered).unwrap();
            let before = predicted(&variant, &*unordered, cpu).unwrap();
            assert!(cycles <= before, "{}: {cycles}, {before} unordered", cpu.name);
            println!("{}: {cycles} cycles, {before} unordered", cpu.name);
        }
    }
}

/// In real mode the plan that kernels have without a search is nearly the best that the costs of the 386 know;
/// all its prefixes and fetches are counted; tables have 2 KB.
#[test]
fn slow_real_mode_has_the_plan_of_the_386() {
    let cpu = OLD[0];
    for (name, most) in [("", 1800.0), ("_chain", 1800.0), ("_bare", 1640.0)] {
        let variant: KernelVariant = format!("x86-real/des_encrypt_table32{name}").parse().unwrap();
        let plan = variant.untuned();
        assert_eq!(plan.costs.name, "386");
        for abi in Abi::of(&X86_REAL) {
            let (_, best) = by_model(&variant, abi, cpu, 0);
            let made = variant.make(abi, &plan).unwrap();
            assert!(made.record().table_bytes <= 2048);
            let cycles = predicted(&variant, &*made, cpu).unwrap();
            let Fetched { prefixes, bus } = fetched(&variant, &*made, cpu).unwrap();
            let bus = bus.expect("a processor without a cache");
            println!("{variant}, {}: {cycles} clocks, {prefixes} prefixes, bus {bus}", abi.name);
            assert!(cycles < most, "{variant}: {cycles}");
            assert!(prefixes > 16.0 * 30.0 && bus < cycles, "{variant}: {prefixes}, {bus}");
            assert!(cycles <= best * 1.02, "{variant}: {cycles}, best {best}");
        }
    }
}

#[test]
fn costs_say_nothing_of_what_a_processor_has_not() {
    for name in ["des_encrypt_table64", "x86/des_encrypt_table32_bmi2"] {
        let variant: KernelVariant = name.parse().unwrap();
        assert!(OLD.iter().all(|cpu| has(cpu, &variant).is_err()), "{name}");
    }
    let bswap: KernelVariant = "x86/des_encrypt_table32_bswap".parse().unwrap();
    let error = has(OLD[0], &bswap).unwrap_err().to_string();
    assert!(error.contains("386 has not"), "{error}");
}
