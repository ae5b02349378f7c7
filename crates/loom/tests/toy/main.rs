//! An instruction set from a folder: a made-up machine runs DES by tables.
//!
//! It is the example of `docs/add-an-isa.md`, and shows that the shared steps know no processor.

mod inst;
mod lower;
mod machine;

use cipherloom_spec::BlockCipher;
use cipherloom_spec::des::Des;
use cipherloom_spec::tdea::Tdea;
use inst::{ABI, COSTS, TARGET, Toy};
use loom::ciphers::des::{Config, Direction, Layout, Passes, Permute, Task, schedule};
use loom::isa::Features;
use loom::pipeline::{Compiled, Options, compile};
use loom::schedule::Order;

const KEYS: [[u8; 8]; 3] = [
    [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef],
    [0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01],
    [0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23],
];

/// In several ways: the order of the description, ordered, and with rounds written out.
fn ways() -> [Options; 3] {
    let plain = Options::untuned(&COSTS, Features::NONE);
    let ordered = Options { order: Some(Order::default()), ..plain.clone() };
    [plain, ordered.clone(), Options { unroll: 2000, ..ordered }]
}

/// Runs a kernel on blocks under the machine's own interpreter; what came of them.
fn run(compiled: &Compiled<Toy>, blocks: &[[u8; 8]], words: &[u64], count: usize) -> Vec<u8> {
    let schedule: Vec<u8> = words.iter().copied().flat_map(u64::to_le_bytes).collect();
    let mut memory = vec![blocks.concat(), schedule.clone()];
    let arguments = [machine::address(0), count as u64, machine::address(1)];
    machine::run(compiled, &arguments, &mut memory);
    assert_eq!(memory[1], schedule, "subkeys are only read");
    memory.swap_remove(0)
}

#[test]
fn des_by_tables_is_the_specification_s() {
    let blocks: Vec<[u8; 8]> = (0..6u8).map(|n| [n, 7, n ^ 0x5a, 1, 2, 250 - n, 4, 9]).collect();
    let [a, b, c] = KEYS;
    let mut compiled = 0;
    for layout in [Layout::Bytes, Layout::Pairs, Layout::Rotated] {
        for (passes, direction) in [
            (Passes::One, Direction::Encrypt),
            (Passes::One, Direction::Decrypt),
            (Passes::Three, Direction::Encrypt),
        ] {
            for interleaved in [1, 2] {
                let (keys, cipher): (_, Box<dyn BlockCipher>) = match passes {
                    Passes::One => (vec![(a, false)], Box::new(Des::new(a))),
                    Passes::Three => {
                        let keys = vec![(a, false), (b, true), (c, false)];
                        (keys, Box::new(Tdea::option1(a, b, c)))
                    }
                };
                let expected: Vec<u8> = blocks
                    .iter()
                    .flat_map(|&block| match direction {
                        Direction::Encrypt => cipher.encrypt(block),
                        Direction::Decrypt => cipher.decrypt(block),
                    })
                    .collect();
                let task = Task::Blocks(interleaved);
                let permute = Permute::Shifts;
                let variant = Config { layout, passes, direction, task, permute };
                if !Config::all().contains(&variant) {
                    continue;
                }
                for options in ways() {
                    let made = compile::<Toy>(&variant.kernel(), &ABI, &options);
                    let made = made.unwrap_or_else(|wrong| panic!("{}: {wrong}", variant.name()));
                    let count = blocks.len() / usize::from(interleaved);
                    let found = run(&made, &blocks, &schedule(layout, &keys), count);
                    assert_eq!(found, expected, "{}, {options:?}", variant.name());
                    assert!(run(&made, &[], &schedule(layout, &keys), 0).is_empty());
                    compiled += 1;
                }
            }
        }
    }
    assert!(compiled >= 27, "{compiled} kernels");
}

#[test]
fn what_it_has_not_it_refuses() {
    let vectors = Config {
        layout: Layout::Registers256,
        passes: Passes::One,
        direction: Direction::Encrypt,
        task: Task::Blocks(1),
        permute: Permute::Shifts,
    };
    let asked = loom::ciphers::Strategy::Des(vectors).requirements();
    assert_eq!((TARGET.serves)(&asked), Err("has vectors, which the machine has not"));
}
