//! Plans: any one makes code that gives the interpreter's answers, and so does every one that is
//! committed or found.

use loom::isa::x86::X86_64;
use std::path::Path;
use std::time::Duration;

use loom::exec::{Answers, Processor, Subject};
use loom::isa::x86::conventions::{SYSV64, WIN64};
use loom::pipeline::Options;
use loom::stats::Stats;
use loom::tune::{Random, Store, mutate, search};
use loom::variant::KernelVariant;

/// Makes a variant, which runs the allocation checker, and compares it with the interpreter if
/// this processor can run it.
fn is_right(variant: &KernelVariant, answers: &Answers, plan: &Options) {
    let made =
        variant.make(&SYSV64, plan).unwrap_or_else(|wrong| panic!("{variant}: {wrong}, {plan:?}"));
    let stats = Stats::new(variant, &*made);
    for (cpu, bounds) in &stats.bounds {
        // No processor here starts ten instructions in a cycle.
        let within = stats.instructions / 10.0..=stats.instructions * 10.0;
        assert!(within.contains(&bounds.highest()), "{variant}, {}, {plan:?}", cpu.name);
    }
    if Processor::detect().has(variant.features) {
        let subject = Subject::new(&*made).expect("executable memory");
        assert!(subject.answers(answers), "{variant}, {plan:?}");
    }
}

#[test]
fn any_plan_makes_a_right_kernel() {
    make_by_any_plan(1);
}

#[test]
fn rare_more_plans_make_right_kernels() {
    make_by_any_plan(4);
}

/// Of each kernel as many plans.
fn make_by_any_plan(plans: usize) {
    let here = Processor::detect();
    let (mut random, mut not_run) = (Random::new(20_261_121), 0);
    for variant in KernelVariant::all(&X86_64) {
        let answers = Answers::new(&variant.strategy).expect("a description");
        let mut plan = mutate::any(&variant, &mut random);
        for n in 0..plans {
            plan = match n {
                0 => plan,
                1 => mutate::neighbour(variant.target, &plan, 100, &mut random),
                _ => mutate::any(&variant, &mut random),
            };
            // Any window, not only those that the search tries.
            if let Some(order) = &mut plan.order {
                order.window = 1 + random.below(300) as u16;
            }
            is_right(&variant, &answers, &plan);
        }
        not_run += usize::from(!here.has(variant.features));
    }
    if not_run > 0 {
        println!("made and checked, but not run here for want of features: {not_run} kernels");
    }
}

#[test]
fn every_tuned_file_makes_a_right_kernel() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tuned");
    let store = Store::new(&root);
    let mut files = 0;
    let processors = std::fs::read_dir(root.join("x86-64")).into_iter().flatten();
    for processor in processors.map(|entry| entry.unwrap()) {
        let folder = processor.file_name().into_string().unwrap();
        for file in std::fs::read_dir(processor.path()).unwrap() {
            let file = file.unwrap().file_name().into_string().unwrap();
            let name = file.strip_suffix(".toml").unwrap_or_else(|| panic!("{folder}/{file}"));
            let variant: KernelVariant =
                name.parse().unwrap_or_else(|wrong| panic!("{folder}: {wrong}"));
            let tuned = store.load(&variant, &folder).unwrap().expect("the file that was listed");
            let answers = Answers::new(&variant.strategy).expect("a description");
            is_right(&variant, &answers, &tuned.plan);
            variant.make(&WIN64, &tuned.plan).expect("the other calling convention");
            assert_eq!(
                std::fs::read_to_string(store.path(&variant, &folder)).unwrap(),
                tuned.text(),
                "{folder}/{file} is not as `loom tune` writes it"
            );
            files += 1;
        }
    }
    println!("{files} tuned files");
}

#[test]
fn a_search_returns_what_it_began_with_or_a_right_kernel() {
    let variant: KernelVariant = "des_encrypt_table64_chain".parse().unwrap();
    let answers = Answers::new(&variant.strategy).expect("a description");
    let start = mutate::any(&variant, &mut Random::new(5));
    let nothing = search(&variant, &start, 1, Duration::ZERO, false, |_| {}).unwrap();
    assert_eq!(nothing.plan, start);
    assert_eq!(nothing.progress.candidates, 0);
    // As long as it takes on a busy machine.
    for seconds in (1..).map(|turn| 1 << turn) {
        let (mut reports, budget) = (0, Duration::from_secs(seconds));
        let found = search(&variant, &start, 1, budget, true, |_| reports += 1).unwrap();
        assert_eq!(reports, found.progress.candidates);
        is_right(&variant, &answers, &found.plan);
        if found.progress.candidates > 10 {
            break;
        }
    }
}
