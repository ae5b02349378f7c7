//! Bit slices: every lane of every kernel.

use std::collections::HashMap;

use cipherloom_spec::BlockCipher;
use cipherloom_spec::tdea::Tdea;
use loom::ciphers::Strategy;
use loom::ciphers::des::Passes;
use loom::ciphers::des::bitslice::{
    Gates, Masks, Task, low_slices, mask_bytes, masks, slice_bytes, windows,
};

use super::known::{self, Block, Known};
use super::machine::{Argument, Machine, here};

/// The kernels of one width.
struct Family {
    lanes: u16,
    machines: HashMap<Task, Machine>,
}

/// Both widths.
fn families() -> Vec<Family> {
    let mut all: Vec<Family> = Vec::new();
    for machine in here(|variant| matches!(variant.strategy, Strategy::Bitslice(_))) {
        let Strategy::Bitslice(variant) = machine.variant.strategy else {
            panic!("{} is wanted by nobody", machine.variant)
        };
        if all.last().is_none_or(|family| family.lanes != variant.lanes) {
            all.push(Family { lanes: variant.lanes, machines: HashMap::new() });
        }
        let family = all.last_mut().expect("one was pushed");
        assert!(family.machines.insert(variant.task, machine).is_none());
    }
    for family in &all {
        assert_eq!(family.machines.len(), 11, "{} lanes", family.lanes);
    }
    assert!(!all.is_empty());
    all
}

impl Family {
    fn slices(&self, n: usize) -> Vec<u8> {
        vec![0xa5; n * slice_bytes(self.lanes) as usize]
    }

    /// A mask for each bit.
    fn masks(&self, bits: &[bool]) -> Vec<u8> {
        let mask = |&bit: &bool| vec![if bit { 0xff } else { 0 }; mask_bytes(self.lanes) as usize];
        bits.iter().flat_map(mask).collect()
    }

    fn call<const N: usize>(&self, task: Task, memory: [&mut Vec<u8>; N]) {
        self.machines[&task].call(memory.map(Argument::Memory), 1);
    }

    /// The place of a piece's rows in the state, in bytes.
    fn rows(&self, piece: usize) -> std::ops::Range<usize> {
        let slice = slice_bytes(self.lanes) as usize;
        (7 - piece) * slice..(64 - piece) * slice
    }

    /// Blocks, one a lane, to halves.
    fn enter(&self, blocks: &[Block], enter: &[bool]) -> (Vec<u8>, Vec<u8>) {
        let mut state = self.slices(64);
        for (n, piece) in blocks.chunks(usize::from(self.lanes) / 8).enumerate() {
            let mut rows = state[self.rows(n)].to_vec();
            self.call(Task::PieceIn, [&mut piece.concat(), &mut rows]);
            state[self.rows(n)].copy_from_slice(&rows);
        }
        self.call(Task::RowsIn, [&mut self.masks(enter), &mut state]);
        let y = state.split_off(state.len() / 2);
        (state, y)
    }

    /// Halves to blocks; also XORed into what is there.
    fn leave(&self, x: &[u8], y: &[u8], leave: &[bool]) -> Vec<Block> {
        let mut state = [x, y].concat();
        let mut blocks = vec![0xa5; 8 * usize::from(self.lanes)];
        let mut xored: Vec<u8> = (0..blocks.len()).map(|n| (37 * n) as u8).collect();
        let before = xored.clone();
        self.call(Task::RowsOut, [&mut state, &mut self.masks(leave)]);
        for (task, blocks) in [(Task::PieceOut, &mut blocks), (Task::PieceOutXor, &mut xored)] {
            for (n, piece) in blocks.chunks_mut(usize::from(self.lanes)).enumerate() {
                let mut done = piece.to_vec();
                self.call(task, [&mut state[self.rows(n)].to_vec(), &mut done]);
                piece.copy_from_slice(&done);
            }
        }
        let xor = before.iter().zip(&xored).map(|(a, b)| a ^ b);
        assert!(xor.eq(blocks.iter().copied()), "{} lanes, out and XOR", self.lanes);
        blocks.chunks_exact(8).map(|block| block.try_into().expect("eight bytes")).collect()
    }

    /// A bundle's blocks, one a lane.
    fn one_key(&self, keys: &[(Block, bool)], blocks: &[Block]) -> Vec<Block> {
        let Masks { enter, rounds, leave } = masks(Gates::Two, keys);
        let (mut x, mut y) = self.enter(blocks, &enter);
        let passes = passes(keys.len());
        self.call(Task::Rounds(passes), [&mut x, &mut y, &mut self.masks(&rounds)]);
        self.leave(&x, &y, &leave)
    }

    /// A block and keys of its own for each lane, in the order of application.
    fn keys_per_lane(&self, keys: &[(Vec<Block>, bool)], blocks: &[Block]) -> Vec<Block> {
        let none = [false; 32];
        let (mut x, mut y) = self.enter(blocks, &none);
        let mut slices = Vec::new();
        for (keys, _) in keys {
            let mut of_key = self.slices(112);
            self.call(Task::Keys, [&mut keys.concat(), &mut of_key]);
            slices.append(&mut of_key);
        }
        let order: Vec<_> = (0..).zip(keys).map(|(n, &(_, back))| (n, back)).collect();
        let windows = windows(self.lanes, &order);
        let mut windows: Vec<u8> =
            windows.into_iter().flat_map(|window| window.to_le_bytes()[..4].to_vec()).collect();
        let task = Task::Lanes(passes(keys.len()));
        self.call(task, [&mut x, &mut y, &mut slices, &mut windows]);
        self.leave(&x, &y, &none)
    }
}

const fn passes(keys: usize) -> Passes {
    if keys == 1 { Passes::One } else { Passes::Three }
}

/// Keys in the order of application, and whether it is a decryption.
fn orders([a, b, c]: [Block; 3]) -> Vec<(Vec<(Block, bool)>, bool)> {
    let mut orders = vec![
        (vec![(a, false), (b, true), (c, false)], false),
        (vec![(c, true), (b, false), (a, true)], true),
    ];
    if a == b && b == c {
        orders.extend([(vec![(a, false)], false), (vec![(a, true)], true)]);
    }
    orders
}

#[test]
fn slow_lanes_with_one_key_are_the_published_blocks() {
    let all = known::all();
    let mut compared = 0;
    for family in families() {
        for known in all.chunk_by(|a, b| a.keys == b.keys) {
            let keys @ [a, b, c] = known[0].keys;
            let cipher = Tdea::option1(a, b, c);
            for part in known.chunks(family.lanes.into()) {
                for (order, back) in orders(keys) {
                    // Lanes that are left get blocks of which the specification says what becomes.
                    let filling =
                        |n: usize| (n as u64).wrapping_mul(0x0123_4567_89ab_cdef).to_be_bytes();
                    let pair = |n: usize| {
                        let input = part.get(n).map_or_else(|| filling(n), |known| known.input);
                        (input, cipher.encrypt(input))
                    };
                    let pairs = (0..family.lanes.into()).map(pair);
                    let (inputs, outputs): (Vec<_>, Vec<_>) =
                        if back { pairs.map(|(p, c)| (c, p)).unzip() } else { pairs.unzip() };
                    let done = family.one_key(&order, &inputs);
                    assert!(done == outputs, "{} lanes, {}", family.lanes, part[0].place);
                    // What was published, not only what the specification says.
                    let published = part.iter().zip(&done);
                    assert!(back || published.into_iter().all(|(known, block)| known.is(*block)));
                    compared += done.len();
                }
            }
        }
    }
    println!("{compared} lanes");
}

#[test]
fn lanes_with_keys_of_their_own_are_the_published_blocks() {
    let all = known::all();
    let mut compared = 0;
    let single: Vec<&Known> =
        all.iter().filter(|known| known.keys[1..] == known.keys[..2]).collect();
    for family in families() {
        let lanes = usize::from(family.lanes);
        for (known, passes) in [(all.iter().collect(), 3), (single.clone(), 1)] {
            // Each vector in many lanes, beside many others.
            for first in (0..known.len()).step_by(lanes / 2 + 1) {
                let part: Vec<&Known> =
                    (0..lanes).map(|n| known[(first + n) % known.len()]).collect();
                let inputs: Vec<_> = part.iter().map(|known| known.input).collect();
                let keys = |n: usize| part.iter().map(|known| known.keys[n]).collect::<Vec<_>>();
                let order: Vec<_> = (0..passes).map(|n| (keys(n), n == 1)).collect();
                let outputs = family.keys_per_lane(&order, &inputs);
                for (known, output) in part.iter().zip(&outputs) {
                    assert!(known.is(*output), "{lanes} lanes, {}", known.place);
                }
                // And back, from what came out, of which a mode may know a part only.
                let order: Vec<_> = (0..passes).rev().map(|n| (keys(n), n != 1)).collect();
                assert!(family.keys_per_lane(&order, &outputs) == inputs, "{lanes} lanes, back");
                compared += 2 * lanes;
            }
        }
    }
    println!("{compared} lanes");
}

#[test]
fn counters_are_those_of_their_lanes() {
    for family in families() {
        let lanes = u64::from(family.lanes);
        let low: Vec<u8> =
            low_slices(family.lanes).concat().into_iter().flat_map(u64::to_le_bytes).collect();
        for base in [0, 1 << 32, 0x0123_4567_89ab_cdef, u64::MAX].map(|n| n - n % lanes) {
            let bits = cipherloom_spec::bits::of_block(base.to_be_bytes());
            let mut state = family.slices(64);
            let mut high = family.masks(&bits);
            family.call(Task::Counters, [&mut low.clone(), &mut high, &mut state]);
            let y = state.split_off(state.len() / 2);
            // What leaves is exchanged, as behind the rounds.
            let blocks = family.leave(&y, &state, &[false; 32]);
            let counters: Vec<_> = (0..lanes).map(|n| (base + n).to_be_bytes()).collect();
            assert!(blocks == counters, "{lanes} lanes at {base:#x}");
        }
    }
}
