//! `loom calibrate`: what it measures is what its table says, and all of it is in the table. No test here
//! depends on a time.

use std::collections::HashSet;

use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind, Register};

use crate::{loom, refused};
use loom::calibrate::{Finding, Question, set};
use loom::isa::x86::costs::SchedulingClass;
use loom::isa::x86::{X86_64, features};
use loom::isa::{Features, registry};

/// A processor that has everything.
fn all() -> Features {
    features::ALL.iter().fold(Features::NONE, |all, one| all.or(one.set))
}

/// The instructions of a loop, without its end.
fn body(bytes: &[u8]) -> Vec<Instruction> {
    let decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
    let all: Vec<_> = decoder.into_iter().collect();
    let is_back =
        |inst: &&Instruction| inst.is_jcc_short_or_near() && inst.near_branch64() < inst.ip();
    let back = all.iter().find(is_back).expect("a loop");
    let inside = |inst: &&Instruction| (back.near_branch64()..back.ip()).contains(&inst.ip());
    let mut body: Vec<_> = all.iter().filter(inside).copied().collect();
    body.pop().expect("what counts");
    body
}

/// The mnemonic, as it is written.
fn mnemonic(inst: &Instruction) -> String {
    format!("{:?}", inst.mnemonic()).to_lowercase()
}

#[test]
fn every_scheduling_class_has_a_probe() {
    let set = set(&X86_64, all()).expect("probes");
    let measured: HashSet<_> =
        set.probes.iter().filter_map(|probe| probe.classes.last().copied()).collect();
    for class in SchedulingClass::ALL {
        assert!(measured.contains(&class.class()), "{class:?}: no probe");
        assert!(set.classes.contains(&(class.class(), format!("{class:?}"))));
    }
    let names: HashSet<_> = set.probes.iter().map(|probe| probe.name).collect();
    assert_eq!(names.len(), set.probes.len(), "a name twice");
}

#[test]
fn a_probe_is_what_its_name_says() {
    let set = set(&X86_64, all()).expect("probes");
    let mut wrong = Vec::new();
    for probe in set.probes.iter().chain(&set.waking) {
        let flood = probe.loops.last().expect("a throughput");
        assert_eq!(flood.question, Question::Throughput, "{}", probe.name);
        let body = body(&flood.bytes);
        let texts: Vec<_> = probe.name.split(" + ").collect();
        assert_eq!(body.len(), flood.copies * texts.len(), "{}", probe.name);
        for (n, inst) in body.iter().enumerate() {
            let said = differences(inst, texts[n % texts.len()]);
            wrong.extend(said.map(|what| format!("{}: {inst}: {what}", probe.name)));
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What an instruction is and a text does not say, or the other way round.
fn differences(inst: &Instruction, text: &str) -> impl Iterator<Item = &'static str> {
    let (word, operands) = text.split_once(' ').unwrap_or((text, ""));
    let says = |word: &str| operands.split([' ', ',', '*']).any(|one| one == word);
    let kinds: Vec<_> = inst.op_kinds().collect();
    let is_register = |n: &u32| inst.op_kind(*n) == OpKind::Register;
    let registers: Vec<_> =
        (0..inst.op_count()).filter(is_register).map(|n| inst.op_register(n)).collect();
    let any = |is: fn(Register) -> bool| registers.iter().any(|register| is(*register));
    let constants = [OpKind::Immediate32, OpKind::Immediate8to64, OpKind::Immediate32to64];
    let high = [Register::AH, Register::BH, Register::CH, Register::DH];
    let full: Vec<_> = registers.iter().map(|register| register.full_register()).collect();
    let loads_or_stores = ["mem", "index", "repeated", "bytes"].into_iter().any(says);
    // Where a name says it, it is there; what tells forms apart is said wherever it is there.
    let only_if = [
        ("xmm", any(Register::is_xmm)),
        ("r64", any(Register::is_gpr64)),
        ("r32", any(Register::is_gpr32)),
        ("r16", any(Register::is_gpr16)),
        ("r8", any(Register::is_gpr8)),
        ("imm", constants.iter().any(|kind| kinds.contains(kind))),
        ("index", inst.memory_index() != Register::None),
    ];
    let just_if = [
        ("ymm", says("ymm"), any(Register::is_ymm)),
        ("zmm", says("zmm"), any(Register::is_zmm)),
        ("repeated", says("repeated"), inst.is_broadcast()),
        ("itself", says("itself"), full.len() > 1 && full == vec![full[0]; full.len()]),
        ("ah", says("ah"), registers.iter().any(|register| high.contains(register))),
        ("memory", loads_or_stores, kinds.contains(&OpKind::Memory)),
    ];
    let is_movzx = word == "movzx" && full.len() == 2;
    let place = (is_movzx && says("place") != (full[0] == full[1])).then_some("in place");
    let mnemonic = (mnemonic(inst) != word).then_some("mnemonic");
    let only_if = only_if.map(|(word, is)| (says(word) && !is).then_some(word));
    let just_if = just_if.map(|(word, said, is)| {
        // What lies over its source has one register, too, and is no form of its own but for `movzx`.
        (said != is && !(is_movzx && word == "itself")).then_some(word)
    });
    [place, mnemonic].into_iter().chain(only_if).chain(just_if).flatten()
}

/// In a chain each copy reads what the one before wrote.
#[test]
fn a_latency_is_measured_of_a_chain() {
    let set = set(&X86_64, all()).expect("probes");
    let mut chains = 0;
    for probe in &set.probes {
        for one in &probe.loops {
            let Question::Latency(_) = one.question else { continue };
            chains += 1;
            let body = body(&one.bytes);
            let each = body.len() / one.copies;
            assert_eq!(body.len() % one.copies, 0, "{}", probe.name);
            let mut factory = iced_x86::InstructionInfoFactory::new();
            let mut uses = |inst: &Instruction, writes: bool| -> HashSet<Register> {
                let info = factory.info(inst);
                let wanted = |access| match access {
                    iced_x86::OpAccess::ReadWrite
                    | iced_x86::OpAccess::ReadCondWrite
                    | iced_x86::OpAccess::CondWrite => true,
                    iced_x86::OpAccess::Write => writes,
                    _ => !writes,
                };
                let registers = info.used_registers().iter();
                let registers = registers.filter(|one| wanted(one.access()));
                registers.map(|one| one.register().full_register()).collect()
            };
            let copies: Vec<_> = body.chunks(each).collect();
            for pair in copies.windows(2) {
                let result = uses(pair[0].last().expect("instructions"), true);
                let read: HashSet<_> = pair[1].iter().flat_map(|inst| uses(inst, false)).collect();
                assert!(!result.is_disjoint(&read), "{}: no chain", probe.name);
            }
        }
    }
    assert!(chains > 60, "only {chains} chains");
}

#[test]
fn what_is_measured_takes_time() {
    let target = registry::plain();
    let Some(here) = (target.here)() else { return };
    let set = set(target, here).expect("probes");
    let cpu = target.costs[0];
    let findings = Finding::all(target, &set, cpu).expect("executable memory");
    let names: Vec<_> = findings.iter().map(|finding| finding.name).collect();
    assert_eq!(names, set.probes.iter().map(|probe| probe.name).collect::<Vec<_>>());
    for finding in &findings {
        for measured in finding.latency.iter().chain([&finding.throughput]) {
            assert!(measured.figure.cycles > 0.0 && measured.figure.spread >= 0.0, "{finding:?}");
            assert!(measured.model.is_none_or(|model| model > 0.0), "{finding:?}");
        }
    }
    // A file of a model is one row for each class, in whichever order they were measured.
    let text = loom::calibrate::source(target, &set, cpu, &findings, "a test", "today");
    let text = text.expect("executable memory");
    for class in SchedulingClass::ALL {
        assert_eq!(text.matches(&format!("row(SchedulingClass::{class:?}, ")).count(), 1, "{text}");
    }
    assert!(text.contains("on today, on\n//! a test."));
}

#[test]
fn the_command_prints_a_row_for_every_probe() {
    let target = registry::plain();
    let Some(here) = (target.here)() else { return };
    let output = loom(&["calibrate", "--costs", "golden-cove"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{text}");
    let set = set(target, here).expect("probes");
    for probe in &set.probes {
        assert!(text.lines().any(|line| line.starts_with(&format!("{}  ", probe.name))), "{text}");
    }
    for work in &set.waking {
        let rows = text.lines().filter(|line| line.starts_with(&format!("{}  ", work.name)));
        assert!(rows.count() >= 1, "{text}");
    }
    refused(&["calibrate", "--costs", "z80"], 2);
    refused(&["calibrate", "--costs", "pentium"], 2);
    refused(&["calibrate", "--costs", "generic", "--write"], 2);
}
