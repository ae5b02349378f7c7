//! Every DES strategy, as the interpreter runs it, against the specification.

use cipherloom_spec::BlockCipher;
use cipherloom_spec::des::Des;
use cipherloom_spec::tdea::{Tdea, TdeaEee};
use cipherloom_testkit::rng::Rng;
use loom::ciphers::Strategy;
use loom::ciphers::des::{Config, Direction, Layout, Task, schedule};
use loom::ir::{Memory, Scalar, interpret, verify};

/// A bundle in the kernels' form and the specification's cipher for it: DES, EDE and EEE.
type Bundle = Vec<([u8; 8], bool)>;

fn ciphers(rng: &mut Rng) -> Vec<(Bundle, Box<dyn BlockCipher>)> {
    let [a, b, c] = [rng.array(), rng.array(), rng.array()];
    vec![
        (vec![(a, false)], Box::new(Des::new(a))),
        (vec![(a, false), (b, true), (c, false)], Box::new(Tdea::option1(a, b, c))),
        (vec![(a, false), (b, false), (c, false)], Box::new(TdeaEee::eee3(a, b, c))),
    ]
}

fn apply(cipher: &dyn BlockCipher, direction: Direction, block: [u8; 8]) -> [u8; 8] {
    match direction {
        Direction::Encrypt => cipher.encrypt(block),
        Direction::Decrypt => cipher.decrypt(block),
    }
}

fn schedule_memory(layout: Layout, keys: &[([u8; 8], bool)]) -> Memory {
    let words = schedule(layout, keys);
    Memory { bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect() }
}

#[test]
fn every_kernel_is_well_formed_and_has_its_own_name() {
    let mut names = std::collections::BTreeSet::new();
    for variant in Config::all() {
        let kernel = variant.kernel();
        assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
        assert!(names.insert(kernel.name.clone()), "{} twice", kernel.name);
        assert_eq!(Strategy::by_name(&kernel.name), Some(Strategy::Des(variant)), "in no list");
    }
    assert_eq!(names.len(), 236);
}

#[test]
fn blocks_and_chains_are_those_of_the_specification() {
    let mut rng = Rng::new(1);
    let mut compared = 0;
    for variant in Config::all() {
        let kernel = variant.kernel();
        let group = match variant.task {
            Task::Blocks(n) => usize::from(n),
            Task::Chain => 1,
            Task::Bare => continue,
        };
        for (keys, cipher) in ciphers(&mut rng) {
            if keys.len() != variant.passes.count() {
                continue;
            }
            for count in 0..4 {
                let blocks: Vec<_> = (0..count * group).map(|_| rng.array()).collect();
                let before = rng.array();
                let mut memory = vec![
                    Memory { bytes: blocks.concat() },
                    schedule_memory(variant.layout, &keys),
                    Memory { bytes: before.to_vec() },
                ];
                let mut arguments =
                    vec![Scalar::Region(0), Scalar::Word(count as u64), Scalar::Region(1)];
                let mut chain = before;
                let mut expected = Vec::new();
                for block in blocks {
                    if variant.task == Task::Chain {
                        let xored = std::array::from_fn(|n| block[n] ^ chain[n]);
                        chain = apply(&*cipher, variant.direction, xored);
                        expected.push(chain);
                    } else {
                        expected.push(apply(&*cipher, variant.direction, block));
                    }
                }
                if variant.task == Task::Chain {
                    arguments.push(Scalar::Region(2));
                }
                interpret(&kernel, &arguments, &mut memory).unwrap();
                assert_eq!(memory[0].bytes, expected.concat(), "{} x {count}", kernel.name);
                assert_eq!(memory[2].bytes, chain, "{} x {count}", kernel.name);
                compared += expected.len();
            }
        }
    }
    // Directions, layouts and permutations, ciphers by number of passes, blocks a group, counts.
    // One layout has groups of eight, too; one has only such, of sixteen and of thirty-two; two others single blocks and
    // chains, and a third these with three permutations.
    let single = (1 + 1 + 3) * 2;
    assert_eq!(
        compared,
        2 * 3 * (8 * (1 + 2 + 3 + 4 + 1) + 8 + (8 + 16 + 32) + single) * (1 + 2 + 3)
    );
}

#[test]
fn the_rounds_alone_are_the_block_without_its_permutations() {
    use cipherloom_spec::bits;
    use cipherloom_spec::des::{ip, ip_inv};
    let mut rng = Rng::new(2);
    for variant in Config::all().into_iter().filter(|variant| variant.task == Task::Bare) {
        let kernel = variant.kernel();
        for (keys, cipher) in ciphers(&mut rng) {
            if keys.len() != variant.passes.count() || variant.layout != Layout::Rotated {
                continue;
            }
            // A block whose IP is the input; the kernel's halves are rotated left by three.
            let halves = rng.array();
            let block = bits::to_block(&ip_inv(&bits::of_block(halves)));
            let expected =
                bits::to_block(&ip(&bits::of_block(apply(&*cipher, variant.direction, block))));
            let rotate = |bytes: [u8; 8], by: u32| -> Vec<u8> {
                let half = |n: usize| u32::from_be_bytes(bytes[n..n + 4].try_into().unwrap());
                [half(0), half(4)].iter().flat_map(|h| h.rotate_left(by).to_le_bytes()).collect()
            };
            let mut memory =
                vec![Memory { bytes: rotate(halves, 3) }, schedule_memory(variant.layout, &keys)];
            interpret(&kernel, &[Scalar::Region(0), Scalar::Region(1)], &mut memory).unwrap();
            assert_eq!(memory[0].bytes, rotate(expected, 3), "{}", kernel.name);
        }
    }
}
