//! Kernels that look up in tables: a block or a few at a time, chains, libdes' functions.

use cipherloom_spec::bits::{of_block, to_block};
use cipherloom_spec::des::{ip, ip_inv};
use cipherloom_testkit::rsp::{self, Mode};
use loom::ciphers::Strategy;
use loom::ciphers::des::libdes::{self, Function};
use loom::ciphers::des::{Config, Direction, Layout, Passes, Task, schedule};

use super::known::{self, Block, Known};
use super::machine::{Argument, Machine, here};

/// A schedule as it lies in memory.
fn subkeys(layout: Layout, keys: &[(Block, bool)]) -> Vec<u8> {
    schedule(layout, keys).into_iter().flat_map(u64::to_le_bytes).collect()
}

/// A bundle in order of encryption, by as many passes as a kernel has; none if it has too few.
fn bundle(passes: Passes, [a, b, c]: [Block; 3]) -> Option<Vec<(Block, bool)>> {
    match passes {
        Passes::One if a == b && b == c => Some(vec![(a, false)]),
        Passes::One => None,
        Passes::Three => Some(vec![(a, false), (b, true), (c, false)]),
    }
}

/// What goes in, and whether what comes out is right.
fn ways(direction: Direction, known: &Known) -> Option<(Block, impl Fn(Block) -> bool)> {
    let input = match direction {
        Direction::Encrypt => known.input,
        Direction::Decrypt => known.output,
    };
    // Whose output is not known in full has nothing to be decrypted.
    let given = direction == Direction::Encrypt || known.bits == 64;
    let right = move |output| match direction {
        Direction::Encrypt => known.is(output),
        Direction::Decrypt => output == known.input,
    };
    given.then_some((input, right))
}

fn blocks_of(bytes: &[u8]) -> Vec<Block> {
    bytes.chunks_exact(8).map(|block| block.try_into().expect("eight bytes")).collect()
}

/// A block as a kernel without IP and its inverse takes it: halves rotated left by three.
fn bare(block: Block) -> Vec<u8> {
    let halves = to_block(&ip(&of_block(block)));
    let words = halves.chunks_exact(4).map(|half| u32::from_be_bytes(half.try_into().unwrap()));
    words.flat_map(|half| half.rotate_left(3).to_le_bytes()).collect()
}

/// The block of which it made this.
fn whole(halves: &[u8]) -> Block {
    let words = halves.chunks_exact(4).map(|half| u32::from_le_bytes(half.try_into().unwrap()));
    let halves: Vec<u8> = words.flat_map(|half| half.rotate_right(3).to_be_bytes()).collect();
    to_block(&ip_inv(&of_block(halves.try_into().expect("two halves"))))
}

/// Calls a kernel with the blocks of one bundle.
fn apply(machine: &Machine, task: Task, schedule: &mut Vec<u8>, inputs: &[Block]) -> Vec<Block> {
    match task {
        Task::Blocks(interleaved) => {
            let interleaved = usize::from(interleaved);
            let count = inputs.len().div_ceil(interleaved);
            let mut data = inputs.concat();
            data.resize(8 * interleaved * count, 0xa5);
            let arguments =
                [Argument::Memory(&mut data), Argument::Word(count), Argument::Memory(schedule)];
            machine.call(arguments, 1);
            blocks_of(&data[..8 * inputs.len()])
        }
        Task::Chain => {
            // Each XORed with the result before it: what undoes that goes in.
            let link = |input: &Block| {
                let mut chain = vec![0x5c; 8];
                let mut data = input.map(|byte| byte ^ 0x5c).to_vec();
                let arguments = [
                    Argument::Memory(&mut data),
                    Argument::Word(1),
                    Argument::Memory(schedule),
                    Argument::Memory(&mut chain),
                ];
                machine.call(arguments, 1);
                assert_eq!(data, chain, "{}", machine.variant);
                Block::try_from(data).expect("a block")
            };
            inputs.iter().map(link).collect()
        }
        Task::Bare => {
            let one = |input: &Block| {
                let mut halves = bare(*input);
                machine.call([Argument::Memory(&mut halves), Argument::Memory(schedule)], 1);
                whole(&halves)
            };
            inputs.iter().map(one).collect()
        }
    }
}

fn tables() -> Vec<(Machine, Config)> {
    let all = here(|variant| matches!(variant.strategy, Strategy::Des(_)));
    let variant = |machine: Machine| match machine.variant.strategy {
        Strategy::Des(variant) => (machine, variant),
        other => panic!("{other:?} is wanted by nobody"),
    };
    all.into_iter().map(variant).collect()
}

#[test]
fn blocks_and_chains_are_the_published_ones() {
    let all = known::all();
    let mut compared = 0;
    let machines = tables();
    for (machine, variant) in &machines {
        for known in all.chunk_by(|a, b| a.keys == b.keys) {
            let Some(keys) = bundle(variant.passes, known[0].keys) else { continue };
            let mut schedule = subkeys(variant.layout, &keys);
            let (known, pairs): (Vec<_>, Vec<_>) = known
                .iter()
                .filter_map(|known| Some((known, ways(variant.direction, known)?)))
                .unzip();
            let inputs: Vec<Block> = pairs.iter().map(|(input, _)| *input).collect();
            let outputs = apply(machine, variant.task, &mut schedule, &inputs);
            for ((output, (_, right)), known) in outputs.into_iter().zip(&pairs).zip(known) {
                assert!(right(output), "{}: {}", machine.variant, known.place);
                compared += 1;
            }
        }
    }
    println!("{} kernels, {compared} blocks", machines.len());
    // Those with BMI2 may not run here.
    assert!(machines.len() >= 48);
}

/// Each outer round is a test of its own, of ten thousand blocks: these are shared out among kernels.
const fn share(task: Task) -> usize {
    match task {
        // A call for each block.
        Task::Chain => 80,
        _ => 16,
    }
}

#[test]
fn slow_monte_carlo_chains_are_the_published_ones() {
    let chains = rsp::monte_carlo();
    let mut rounds = 0;
    for (n, (machine, variant)) in tables().iter().enumerate() {
        let direction = match variant.direction {
            Direction::Encrypt => cipherloom::Direction::Encrypt,
            Direction::Decrypt => cipherloom::Direction::Decrypt,
        };
        let share = share(variant.task);
        let wanted = |vector: &&rsp::Vector| {
            vector.direction == direction && vector.count % share == n % share
        };
        for vector in chains.iter().filter(wanted) {
            let Some(keys) = bundle(variant.passes, vector.keys) else { continue };
            let mut schedule = subkeys(variant.layout, &keys);
            let (mut data, expected) = match variant.direction {
                Direction::Encrypt => (vector.plaintext.clone(), &vector.ciphertext),
                Direction::Decrypt => (vector.ciphertext.clone(), &vector.plaintext),
            };
            match (variant.task, vector.mode) {
                // Each block is made of the one before it.
                (Task::Blocks(1), Mode::Ecb) => {
                    let arguments = [
                        Argument::Memory(&mut data),
                        Argument::Word(1),
                        Argument::Memory(&mut schedule),
                    ];
                    machine.call(arguments, 10_000);
                }
                // The plaintext of each block is the ciphertext two blocks before.
                (Task::Chain, Mode::Cbc) if variant.direction == Direction::Encrypt => {
                    let mut chain = vector.iv.expect("CBC has one").to_vec();
                    let mut next = chain.clone();
                    for _ in 0..10_000 {
                        let before = chain.clone();
                        let arguments = [
                            Argument::Memory(&mut data),
                            Argument::Word(1),
                            Argument::Memory(&mut schedule),
                            Argument::Memory(&mut chain),
                        ];
                        machine.call(arguments, 1);
                        data = std::mem::replace(&mut next, chain.clone());
                        assert!(data == before, "the chain has the block before");
                    }
                    data = chain;
                }
                _ => continue,
            }
            assert_eq!(data, *expected, "{}: {}", machine.variant, vector.place);
            rounds += 1;
        }
    }
    println!("{rounds} outer rounds");
    assert!(rounds > 450, "{rounds} outer rounds");
}

/// A block between IP and its inverse in libdes' two words: a half's first bit is the lowest one, and R
/// is the first word.
fn between(block: Block) -> Vec<u8> {
    let halves = to_block(&ip(&of_block(block)));
    let (l, r) = halves.split_at(4);
    let word = |half: &[u8]| u32::from_be_bytes(half.try_into().unwrap()).reverse_bits();
    [word(r), word(l)].into_iter().flat_map(u32::to_le_bytes).collect()
}

fn from_between(words: &[u8]) -> Block {
    let (r, l) = words.split_at(4);
    let half = |word: &[u8]| u32::from_le_bytes(word.try_into().unwrap()).reverse_bits();
    let halves: Vec<u8> = [half(l), half(r)].into_iter().flat_map(u32::to_be_bytes).collect();
    to_block(&ip_inv(&of_block(halves.try_into().expect("two halves"))))
}

/// Calls one of libdes' functions with a block.
fn call(
    machine: &Machine,
    function: Function,
    direction: Direction,
    schedules: &mut [Vec<u8>; 3],
    input: Block,
) -> Block {
    let [ks1, ks2, ks3] = schedules;
    let mut data = match function {
        Function::Encrypt2 => between(input),
        _ => input.to_vec(),
    };
    match function {
        Function::Encrypt1 | Function::Encrypt2 => {
            let enc = usize::from(direction == Direction::Encrypt);
            let (data, ks) = (Argument::Memory(&mut data), Argument::Memory(ks1));
            machine.call([data, ks, Argument::Word(enc)], 1);
        }
        Function::Encrypt3 | Function::Decrypt3 => {
            let data = Argument::Memory(&mut data);
            machine.call(
                [data, Argument::Memory(ks1), Argument::Memory(ks2), Argument::Memory(ks3)],
                1,
            );
        }
    }
    match function {
        Function::Encrypt2 => from_between(&data),
        _ => data.try_into().expect("a block"),
    }
}

#[test]
fn functions_of_libdes_give_the_published_blocks() {
    let all = known::all();
    let machines = here(|variant| matches!(variant.strategy, Strategy::Libdes(_)));
    let mut compared = 0;
    for machine in &machines {
        let Strategy::Libdes(libdes::Config { function, .. }) = machine.variant.strategy else {
            panic!("{} is wanted by nobody", machine.variant)
        };
        let (passes, directions) = match function {
            Function::Encrypt1 | Function::Encrypt2 => {
                (Passes::One, &[Direction::Encrypt, Direction::Decrypt][..])
            }
            Function::Encrypt3 => (Passes::Three, &[Direction::Encrypt][..]),
            Function::Decrypt3 => (Passes::Three, &[Direction::Decrypt][..]),
        };
        for known in all.chunk_by(|a, b| a.keys == b.keys) {
            let keys = known[0].keys;
            if bundle(passes, keys).is_none() {
                continue;
            }
            let mut schedules = keys.map(|key| subkeys(Layout::Reversed, &[(key, false)]));
            for (known, &direction) in
                known.iter().flat_map(|known| directions.iter().map(move |way| (known, way)))
            {
                let Some((input, right)) = ways(direction, known) else { continue };
                let output = call(machine, function, direction, &mut schedules, input);
                assert!(right(output), "{}, {direction:?}: {}", machine.variant, known.place);
                compared += 1;
            }
        }
    }
    println!("{} functions, {compared} blocks", machines.len());
    assert!(machines.len() >= 4);
}
