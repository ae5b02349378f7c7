//! Plans: any one makes code that gives the interpreter's answers, and so does every one that is
//! committed or found.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loom::exec::{Answers, Processor, Subject};
use loom::isa::frame::Abi;
use loom::isa::registry;
use loom::isa::x86::X86_64;
use loom::isa::x86::conventions::SYSV64;
use loom::pipeline::Options;
use loom::stats::Stats;
use loom::tune::{Random, Store, mutate, search};
use loom::variant::KernelVariant;

/// Makes a variant, which runs the allocation checker, and compares it with the interpreter if
/// this processor can run it.
fn is_right(variant: &KernelVariant, abi: &'static Abi, answers: &Answers, plan: &Options) {
    let made =
        variant.make(abi, plan).unwrap_or_else(|wrong| panic!("{variant}: {wrong}, {plan:?}"));
    let stats = Stats::new(variant, &*made);
    for (cpu, bounds) in &stats.bounds {
        // No processor here starts more than eight operations in a cycle, of which a comparison and its branch are one.
        let within = stats.instructions / 16.0..=stats.instructions * 16.0;
        let bound = bounds.highest();
        assert!(
            within.contains(&bound),
            "{variant}, {}: {bound} of {within:?}, {plan:?}",
            cpu.name
        );
    }
    if Processor::detect().runs(variant) && abi.is_called_as(Abi::usual(abi.target)) {
        let subject = Subject::new(&*made).expect("executable memory");
        assert!(subject.answers(answers), "{variant}, {plan:?}");
    }
}

#[test]
fn slow_any_plan_makes_a_right_kernel() {
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
            is_right(&variant, &SYSV64, &answers, &plan);
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
    let files = files(&root);
    let processors: BTreeSet<_> = files.iter().map(|file| part(&root, file, 1)).collect();
    let mut read = Vec::new();
    for target in registry::targets() {
        for (variant, abi) in KernelVariant::all(target)
            .iter()
            .flat_map(|variant| Abi::of(target).map(move |abi| (variant, abi)))
        {
            for processor in &processors {
                let Some(tuned) = store.load(variant, abi, processor).unwrap() else { continue };
                let path = store.path(variant, abi, processor);
                let text = std::fs::read_to_string(&path).unwrap();
                assert_eq!(text, tuned.text(), "{path:?} is not as `loom tune` writes it");
                let answers = Answers::new(&variant.strategy).expect("a description");
                is_right(variant, abi, &answers, &tuned.plan);
                // Where a convention has no plan of its own, it takes the usual one's.
                for other in Abi::of(target).filter(|_| *abi == *Abi::usual(target)) {
                    variant.make(other, &tuned.plan).expect("another calling convention");
                }
                read.push(path);
            }
        }
    }
    read.sort();
    assert_eq!(read, files, "each file is of a kernel, a convention and a processor");
    println!("{} tuned files", files.len());
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<_> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    all.sort();
    all
}

/// A part of a file's path below a folder.
fn part(root: &Path, file: &Path, number: usize) -> String {
    let part = file.strip_prefix(root).unwrap().components().nth(number).unwrap();
    part.as_os_str().to_str().unwrap().to_owned()
}

#[test]
fn slow_a_search_returns_what_it_began_with_or_a_right_kernel() {
    let variant: KernelVariant = "des_encrypt_table64_chain".parse().unwrap();
    let answers = Answers::new(&variant.strategy).expect("a description");
    let start = mutate::any(&variant, &mut Random::new(5));
    let nothing = search(&variant, &SYSV64, &start, 1, Duration::ZERO, false, |_| {}).unwrap();
    assert_eq!(nothing.plan, start);
    assert_eq!(nothing.progress.candidates, 0);
    // As long as it takes on a busy machine.
    for seconds in (1..).map(|turn| 1 << turn) {
        let (mut reports, budget) = (0, Duration::from_secs(seconds));
        let found = search(&variant, &SYSV64, &start, 1, budget, true, |_| reports += 1).unwrap();
        assert_eq!(reports, found.progress.candidates);
        is_right(&variant, &SYSV64, &answers, &found.plan);
        if found.progress.candidates > 10 {
            break;
        }
    }
}
