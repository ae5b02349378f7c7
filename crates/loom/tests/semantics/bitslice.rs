//! DES in bit slices, as the interpreter runs it, against the specification, every lane.

use cipherloom_spec::BlockCipher;
use cipherloom_spec::bits::{of_block, to_block};
use cipherloom_spec::des::{Des, ip, ip_inv, pc1};
use cipherloom_spec::tdea::{Tdea, TdeaEee};
use cipherloom_testkit::rng::Rng;
use loom::ciphers::Word;
use loom::ciphers::des::Passes;
use loom::ciphers::des::bitslice::{
    self, Config, Gates, Masks, Task, low_slices, mask_bytes, slice_bytes, slice_of,
};
use loom::ir::{Kernel, Memory, Scalar, interpret, verify};

fn random_bits(rng: &mut Rng) -> [bool; 32] {
    let word = u32::from_le_bytes(rng.array());
    std::array::from_fn(|n| word >> n & 1 == 1)
}

fn random_blocks(rng: &mut Rng, n: u16) -> Vec<[u8; 8]> {
    (0..n).map(|_| rng.array()).collect()
}

/// Calls a kernel with pointers to these regions, in order.
fn call(kernel: &Kernel, memory: &mut [Memory]) {
    let arguments: Vec<_> = (0..memory.len()).map(Scalar::Region).collect();
    interpret(kernel, &arguments, memory).unwrap();
}

fn zeros(bytes: u32) -> Memory {
    Memory { bytes: vec![0; bytes as usize] }
}

/// Bytes to begin with that no result leaves as they are.
fn filled(bytes: u32) -> Memory {
    Memory { bytes: vec![0xa5; bytes as usize] }
}

fn bytes(blocks: &[[u8; 8]]) -> Memory {
    Memory { bytes: blocks.concat() }
}

/// Bit `lane` of slice `slice`, where lane is a number of a block.
///
/// Block c + v * lanes / 64 is bit v of part c: the one fact about lanes that tests know.
fn bit(slices: &Memory, lanes: u16, slice: usize, block: usize) -> bool {
    let (at, mask) = place(lanes, slice, block);
    slices.bytes[at] & mask != 0
}

fn place(lanes: u16, slice: usize, block: usize) -> (usize, u8) {
    let parts = usize::from(lanes) / 64;
    let (c, v) = (block % parts, block / parts);
    (slice * slice_bytes(lanes) as usize + 8 * c + v / 8, 1 << (v % 8))
}

/// The state of blocks, bit by bit: what `bits` makes of each block, in 64 slices.
fn sliced<const N: usize>(
    lanes: u16,
    blocks: &[[u8; 8]],
    bits: impl Fn(&[bool; 64]) -> [bool; N],
) -> Memory {
    let mut memory = zeros(N as u32 * slice_bytes(lanes));
    for (block, bytes) in blocks.iter().enumerate() {
        for (slice, set) in bits(&of_block(*bytes)).into_iter().enumerate() {
            if set {
                let (at, mask) = place(lanes, slice, block);
                memory.bytes[at] |= mask;
            }
        }
    }
    memory
}

/// The block in a lane of a state after the rounds: IP⁻¹ of Y and X.
fn block_of(state: &Memory, lanes: u16, block: usize) -> [u8; 8] {
    to_block(&ip_inv(&std::array::from_fn(|n| bit(state, lanes, (n + 32) % 64, block))))
}

fn of(task: Task) -> impl Iterator<Item = Config> {
    Config::all().into_iter().filter(move |variant| variant.task == task)
}

#[test]
fn every_kernel_is_well_formed_constant_time_and_has_its_own_name() {
    let mut names = std::collections::BTreeSet::new();
    for variant in Config::all() {
        let kernel = variant.kernel();
        assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
        assert_eq!(kernel.leaks(), [], "{}", kernel.name);
        assert!(names.insert(kernel.name.clone()), "{} twice", kernel.name);
        assert!(kernel.name.starts_with(&variant.plain_name()));
        // The same kernel by operations of three inputs, if it can be and is not.
        let three = Config { gates: Gates::Three, ..variant };
        let three = Some(three).filter(|three| *three != variant && Config::all().contains(three));
        assert_eq!(
            three.is_some(),
            variant.lanes == 256
                && variant.gates == Gates::Two
                && variant.word == Word::Bits64
                && variant.task != Task::Counters
        );
        assert!(three.is_none_or(|three| three.plain_name() == variant.plain_name()));
    }
}

/// The kernel of another task that goes with this one.
fn task(variant: Config, task: Task) -> Kernel {
    Config { task, ..variant }.kernel()
}

/// The place of a piece's rows in the state, in bytes.
fn rows(lanes: u16, piece: usize) -> std::ops::Range<usize> {
    let slice = slice_bytes(lanes) as usize;
    (7 - piece) * slice..(64 - piece) * slice
}

/// Takes blocks apart: all pieces, then rows.
fn enter_by(variant: Config, blocks: &[[u8; 8]], masks: Memory) -> Memory {
    let mut state = filled(64 * slice_bytes(variant.lanes));
    for (n, piece) in blocks.chunks(usize::from(variant.lanes) / 8).enumerate() {
        let range = rows(variant.lanes, n);
        let mut memory = [bytes(piece), Memory { bytes: state.bytes[range.clone()].to_vec() }];
        call(&task(variant, Task::PieceIn), &mut memory);
        assert!(memory[0] == bytes(piece), "{} wrote to blocks", variant.name());
        state.bytes[range].copy_from_slice(&memory[1].bytes);
    }
    let mut memory = [masks, state];
    call(&task(variant, Task::RowsIn), &mut memory);
    let [_, state] = memory;
    state
}

/// Puts blocks together from rows, or has what comes of these XORed into them.
fn leave_by(variant: Config, state: Memory, masks: Memory, blocks: &mut [[u8; 8]], xor: bool) {
    let mut memory = [state, masks];
    call(&task(variant, Task::RowsOut), &mut memory);
    let piece_out = task(variant, if xor { Task::PieceOutXor } else { Task::PieceOut });
    for (n, piece) in blocks.chunks_mut(usize::from(variant.lanes) / 8).enumerate() {
        let state = Memory { bytes: memory[0].bytes[rows(variant.lanes, n)].to_vec() };
        let mut memory = [state.clone(), bytes(piece)];
        call(&piece_out, &mut memory);
        assert!(memory[0] == state, "{} wrote to rows", piece_out.name);
        piece.as_flattened_mut().copy_from_slice(&memory[1].bytes);
    }
}

#[test]
fn blocks_become_slices_by_ip() {
    for variant in of(Task::RowsIn) {
        let mut rng = Rng::new(1);
        let blocks = random_blocks(&mut rng, variant.lanes);
        let bits = random_bits(&mut rng);
        let state = enter_by(variant, &blocks, masks(variant.lanes, &bits));
        let keyed = |block: &[bool; 64]| {
            let state = ip(block);
            std::array::from_fn::<_, 64, _>(|n| state[n] ^ (n >= 32 && bits[n % 32]))
        };
        assert!(state == sliced(variant.lanes, &blocks, keyed), "{}", variant.name());
    }
}

#[test]
fn slices_become_blocks_by_the_inverse_of_ip() {
    for variant in of(Task::RowsOut) {
        let (lanes, mut rng) = (variant.lanes, Rng::new(2));
        let blocks = random_blocks(&mut rng, lanes);
        let bits = random_bits(&mut rng);
        // The preoutput is R16 L16: Y, then X.
        let exchanged = |block: &[bool; 64]| {
            let state = ip(block);
            std::array::from_fn::<_, 64, _>(|n| state[(n + 32) % 64] ^ (n < 32 && bits[n % 32]))
        };
        let state = sliced(lanes, &blocks, exchanged);
        let mut found = random_blocks(&mut rng, lanes);
        let before = found.clone();
        leave_by(variant, state.clone(), masks(lanes, &bits), &mut found, false);
        assert!(found == blocks, "{}", variant.name());

        found.clone_from(&before);
        leave_by(variant, state, masks(lanes, &bits), &mut found, true);
        let expected = before.concat().into_iter().zip(blocks.concat()).map(|(a, b)| a ^ b);
        assert!(found.concat().into_iter().eq(expected), "{}, XORed", variant.name());
    }
}

#[test]
fn keys_become_slices_of_c_and_d() {
    for variant in of(Task::Keys) {
        let (lanes, mut rng) = (variant.lanes, Rng::new(3));
        let keys = random_blocks(&mut rng, lanes);
        let mut memory = [bytes(&keys), filled(112 * slice_bytes(lanes))];
        call(&variant.kernel(), &mut memory);
        let twice = |key: &[bool; 64]| {
            let cd = pc1(key);
            std::array::from_fn::<_, 112, _>(|n| cd[n / 56 * 28 + n % 28])
        };
        assert!(memory[1] == sliced(lanes, &keys, twice), "{}", variant.name());
    }
}

/// A mask for each bit, the highest first.
fn masks(lanes: u16, bits: &[bool]) -> Memory {
    let mask = |&bit| vec![if bit { 0xff } else { 0 }; mask_bytes(lanes) as usize];
    Memory { bytes: bits.iter().flat_map(mask).collect() }
}

#[test]
fn counters_are_the_slices_of_their_blocks() {
    for variant in of(Task::Counters) {
        let (lanes, mut rng) = (variant.lanes, Rng::new(4));
        let low = low_slices(lanes).concat().iter().flat_map(|part| part.to_le_bytes()).collect();
        let top = u64::MAX - u64::MAX % u64::from(lanes);
        for base in [0, u64::from_be_bytes(rng.array()) / u64::from(lanes) * u64::from(lanes), top]
        {
            let counters: Vec<_> =
                (0..u64::from(lanes)).map(|n| (base + n).to_be_bytes()).collect();
            // What is the same in all lanes: the highest bits, and masks for Y's.
            let (base_bits, enter) = (of_block(base.to_be_bytes()), random_bits(&mut rng));
            let into = |slice: i32| slice >= 32 && enter[slice as usize % 32];
            let high: [_; 64] =
                std::array::from_fn(|n| base_bits[n] ^ into(slice_of(n as i32 + 1)));
            let mut memory = [
                Memory { bytes: Vec::clone(&low) },
                masks(lanes, &high),
                filled(64 * slice_bytes(lanes)),
            ];
            call(&variant.kernel(), &mut memory);
            let keyed = |block: &[bool; 64]| {
                let state = ip(block);
                std::array::from_fn::<_, 64, _>(|n| state[n] ^ into(n as i32))
            };
            assert!(memory[2] == sliced(lanes, &counters, keyed), "{} at {base}", variant.name());
        }
    }
}

/// Ciphers by the numbers of their keys and their directions, in the order of application, with
/// what the specification makes of a block.
type Bundle = (Vec<(usize, bool)>, fn([[u8; 8]; 3], [u8; 8]) -> [u8; 8]);

fn bundles(passes: Passes) -> Vec<Bundle> {
    match passes {
        Passes::One => vec![
            (vec![(0, false)], |[key, ..], block| Des::new(key).encrypt(block)),
            (vec![(0, true)], |[key, ..], block| Des::new(key).decrypt(block)),
        ],
        Passes::Three => vec![
            (vec![(0, false), (1, true), (2, false)], |[a, b, c], block| {
                Tdea::option1(a, b, c).encrypt(block)
            }),
            (vec![(2, true), (1, false), (0, true)], |[a, b, c], block| {
                Tdea::option1(a, b, c).decrypt(block)
            }),
            (vec![(0, false), (1, false), (2, false)], |[a, b, c], block| {
                TdeaEee::eee3(a, b, c).encrypt(block)
            }),
            (vec![(2, true), (1, true), (0, true)], |[a, b, c], block| {
                TdeaEee::eee3(a, b, c).decrypt(block)
            }),
        ],
    }
}

/// The two halves of a state as regions of their own.
fn halves(state: &Memory) -> [Memory; 2] {
    let (x, y) = state.bytes.split_at(state.bytes.len() / 2);
    [x, y].map(|half| Memory { bytes: half.to_vec() })
}

fn blocks_of(halves: &[Memory], lanes: u16) -> Vec<[u8; 8]> {
    let state = Memory { bytes: [&halves[0].bytes[..], &halves[1].bytes].concat() };
    (0..usize::from(lanes)).map(|block| block_of(&state, lanes, block)).collect()
}

#[test]
fn rounds_with_one_key_are_the_specification_s() {
    for passes in [Passes::One, Passes::Three] {
        for variant in of(Task::Rounds(passes)) {
            let (lanes, kernel, mut rng) = (variant.lanes, variant.kernel(), Rng::new(5));
            for (order, expected) in bundles(passes) {
                let keys = [rng.array(), rng.array(), rng.array()];
                let blocks = random_blocks(&mut rng, lanes);
                let order: Vec<_> = order.iter().map(|&(n, back)| (keys[n], back)).collect();
                let Masks { enter, rounds, leave } = bitslice::masks(variant.gates, &order);
                let [x, y] = halves(&enter_by(variant, &blocks, masks(lanes, &enter)));
                let mut memory = [x, y, masks(lanes, &rounds)];
                call(&kernel, &mut memory);
                let state = Memory { bytes: [&memory[0].bytes[..], &memory[1].bytes].concat() };
                let mut found = blocks.clone();
                leave_by(variant, state, masks(lanes, &leave), &mut found, false);
                let expected: Vec<_> = blocks.iter().map(|&block| expected(keys, block)).collect();
                assert_eq!(found, expected, "{}", kernel.name);
            }
        }
    }
}

#[test]
fn rounds_with_a_key_per_lane_are_the_specification_s() {
    for passes in [Passes::One, Passes::Three] {
        for variant in of(Task::Lanes(passes)) {
            let (lanes, kernel, mut rng) = (variant.lanes, variant.kernel(), Rng::new(6));
            let sliced_keys = Config { task: Task::Keys, ..variant }.kernel();
            for (order, expected) in bundles(passes) {
                let keys: [_; 3] = std::array::from_fn(|_| random_blocks(&mut rng, lanes));
                let blocks = random_blocks(&mut rng, lanes);
                let slices = keys.iter().take(passes.count()).flat_map(|keys| {
                    let mut memory = [bytes(keys), filled(112 * slice_bytes(lanes))];
                    call(&sliced_keys, &mut memory);
                    memory[1].bytes.clone()
                });
                let order: Vec<_> = order.iter().map(|&(n, back)| (n as u16, back)).collect();
                let windows = bitslice::windows(lanes, &order);
                let windows = windows.iter().flat_map(|window| {
                    window.to_le_bytes()[..usize::from(variant.word.bytes())].to_vec()
                });
                let windows = windows.collect();
                let [x, y] = halves(&sliced(lanes, &blocks, ip));
                let slices = slices.collect();
                let mut memory = [x, y, Memory { bytes: slices }, Memory { bytes: windows }];
                call(&kernel, &mut memory);
                let key = |n: usize| [keys[0][n], keys[1][n], keys[2][n]];
                let blocks = blocks.iter().enumerate();
                let expected: Vec<_> = blocks.map(|(n, &block)| expected(key(n), block)).collect();
                assert_eq!(blocks_of(&memory, lanes), expected, "{}", kernel.name);
            }
        }
    }
}
