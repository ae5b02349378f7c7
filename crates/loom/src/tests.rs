//! All steps with the made-up machine, for which its registry line is enough: DES by tables is compiled
//! and runs, and the steps behind compiling know no processor.

use cipherloom_spec::BlockCipher;
use cipherloom_spec::des::Des;
use cipherloom_spec::tdea::Tdea;

use crate::ciphers::Strategy;
use crate::ciphers::des::{Config, Direction, Layout, Passes, Task, schedule};
use crate::isa::frame::Abi;
use crate::isa::toy::{TOY, Toy, machine};
use crate::pipeline::{Compiled, Options};
use crate::schedule::Order;
use crate::stats::Stats;
use crate::variant::KernelVariant;

const KEYS: [[u8; 8]; 3] = [
    [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef],
    [0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01],
    [0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23],
];

/// Kernels for one block or two, by tables of S-boxes, one or two at a time.
fn kernels() -> Vec<(KernelVariant, Config, u8)> {
    let few = |kernel: KernelVariant| match kernel.strategy {
        Strategy::Des(variant) => match (variant.layout, variant.task) {
            (Layout::Bytes | Layout::Pairs | Layout::Rotated, Task::Blocks(n @ 1..=2)) => {
                Some((kernel, variant, n))
            }
            _ => None,
        },
        other => panic!("the machine serves DES by tables only: {other:?}"),
    };
    KernelVariant::all(&TOY).into_iter().filter_map(few).collect()
}

/// In several ways: the order of the description, ordered, and with rounds written out.
fn ways(variant: &KernelVariant) -> [Options; 3] {
    let ordered = variant.untuned();
    let plain = Options { order: None, ..ordered.clone() };
    [plain, ordered.clone(), Options { unroll: 2000, order: Some(Order::default()), ..ordered }]
}

/// Runs a kernel on blocks under the machine's own interpreter; what came of them.
fn run(compiled: &Compiled<Toy>, blocks: &[[u8; 8]], words: &[u64], count: usize) -> Vec<u8> {
    let schedule: Vec<u8> = words.iter().copied().flat_map(u64::to_le_bytes).collect();
    let mut memory = vec![blocks.concat(), schedule.clone()];
    let arguments = [machine::address(0), count as u64, machine::address(1)];
    machine::run(&compiled.program, &compiled.kernel.tables, &arguments, &mut memory);
    assert_eq!(memory[1], schedule, "subkeys are only read");
    memory.swap_remove(0)
}

/// The keys of a kernel, and what the specification makes of blocks under them.
fn specified(variant: &Config, blocks: &[[u8; 8]]) -> (Vec<([u8; 8], bool)>, Vec<u8>) {
    let [a, b, c] = KEYS;
    let (keys, cipher): (_, Box<dyn BlockCipher>) = match variant.passes {
        Passes::One => (vec![(a, false)], Box::new(Des::new(a))),
        Passes::Three => {
            let keys = vec![(a, false), (b, true), (c, false)];
            (keys, Box::new(Tdea::option1(a, b, c)))
        }
    };
    let each = |&block: &[u8; 8]| match variant.direction {
        Direction::Encrypt => cipher.encrypt(block),
        Direction::Decrypt => cipher.decrypt(block),
    };
    (keys, blocks.iter().flat_map(each).collect())
}

#[test]
fn des_by_tables_is_the_specification_s() {
    let blocks: Vec<[u8; 8]> = (0..12u8).map(|n| [n, 7, n ^ 0x5a, 1, 2, 250 - n, 4, 9]).collect();
    let mut ran = 0;
    for (kernel, variant, interleaved) in kernels() {
        let (keys, expected) = specified(&variant, &blocks);
        let schedule = schedule(variant.layout, &keys);
        for options in ways(&kernel) {
            let made = kernel.compile::<Toy>(Abi::usual(&TOY), &options);
            let made = made.unwrap_or_else(|wrong| panic!("{kernel}: {wrong}"));
            let count = blocks.len() / usize::from(interleaved);
            assert_eq!(run(&made, &blocks, &schedule, count), expected, "{kernel}, {options:?}");
            assert!(run(&made, &[], &schedule, 0).is_empty());
            ran += 1;
        }
    }
    assert!(ran >= 27, "{ran} kernels");
}

#[test]
fn kernels_are_made_and_looked_at_as_any_target_s() {
    for (kernel, ..) in kernels() {
        let made = kernel.make(Abi::usual(&TOY), &kernel.untuned());
        let made = made.unwrap_or_else(|wrong| panic!("{kernel}: {wrong}"));
        assert_eq!(made.record().name, kernel.name());
        let stats = Stats::new(&kernel, &*made);
        assert!(stats.instructions > 100.0 && stats.code_bytes > 400, "{kernel}: {stats:?}");
        assert!(made.bytes(None).is_err(), "the machine has no encoder");
    }
}

#[test]
fn what_it_has_not_it_refuses() {
    let why = |name: &str| {
        let strategy = Strategy::by_name(name).expect("a strategy");
        (TOY.serves)(&strategy.requirements()).expect_err("a refusal")
    };
    assert_eq!(why("des_encrypt_reg256"), "has vectors, which the machine has not");
    assert_eq!(
        why("rc4_setup_s8"),
        "chooses between words, for which the machine has no instruction"
    );
}
