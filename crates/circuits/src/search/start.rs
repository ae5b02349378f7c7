//! Where a search begins: multiplexer trees, and truth tables taken apart.

use super::mask::Mask;
use super::network::{Maker, Network, Reference, inverse};
use super::table;
use crate::Random;
use crate::{GateSet, INPUTS, LANES, target};

/// A tree of multiplexers for each output, over truth tables of three inputs; the inputs in random
/// order. Gates of the set `Lut3`.
pub(super) fn trees<M: Mask>(sbox: usize, random: &mut Random) -> Network<M> {
    let mut maker = Maker::new();
    let mut order: [usize; INPUTS] = std::array::from_fn(|i| i);
    for i in (1..INPUTS).rev() {
        order.swap(i, random.below(i + 1));
    }
    let outputs = target(sbox).map(|lanes| {
        let node = |i: usize| Reference::Node(order[i] as u8, false);
        let mut level: Vec<Reference> = (0..8)
            .map(|leaf| {
                let table = (0..8).fold(0, |table, row| {
                    // Bit i of the path is the value of the i-th input in order, leftmost first.
                    let path = leaf << 3 | row;
                    let lane = (0..64).find(|lane| {
                        (0..INPUTS).all(|i| LANES[order[i]] >> lane & 1 == path >> (5 - i) & 1)
                    });
                    let lane = lane.expect("an input for every path");
                    table | ((lanes >> lane & 1) as u8) << row
                });
                maker.lut(table, [node(3), node(4), node(5)])
            })
            .collect();
        for by in [2, 1, 0] {
            let pairs = level.chunks_exact(2);
            level = pairs.map(|pair| maker.lut(0xca, [node(by), pair[1], pair[0]])).collect();
        }
        level[0]
    });
    maker.finish(outputs)
}

/// A network with each table of three operands taken apart into gates of two: f = x & d ^ f₀, with f₀
/// the function where x is zero, and d the difference to where it is one.
pub(super) fn expanded<M: Mask, N: Mask>(from: &Network<M>, set: GateSet) -> Network<N> {
    let mut maker = Maker::new();
    let mut map: Vec<Reference> = (0..INPUTS).map(|k| Reference::Node(k as u8, false)).collect();
    for k in INPUTS..from.nodes {
        let lut = from.lut(k);
        let operands = lut.operands.map(|x| map[usize::from(x)]);
        let whole = (0..3).all(|place| table::depends(lut.table, place));
        if !whole || set.has_tables() {
            map.push(maker.lut(lut.table, operands));
            continue;
        }
        // The operand that leaves the fewest gates.
        let cost = |place: usize| {
            let low = table::fixed(lut.table, place, false);
            let difference = low ^ table::fixed(lut.table, place, true);
            let gates = |table: u8| (0..3).filter(|&p| table::depends(table, p)).count() / 2;
            gates(low)
                + gates(difference)
                + usize::from(difference != 0xff)
                + usize::from(low != 0 && low != 0xff)
        };
        let place = (0..3).min_by_key(|&place| cost(place)).expect("three places");
        let low = table::fixed(lut.table, place, false);
        let difference = low ^ table::fixed(lut.table, place, true);
        let low = maker.lut(low, operands);
        let difference = maker.lut(difference, operands);
        let x = operands[place];
        let and = maker.lut(0xc0, [x, difference, x]);
        map.push(maker.lut(0x3c, [and, low, and]));
    }
    maker.finish(from.outputs.map(|(k, inverted)| inverse(map[usize::from(k)], inverted)))
}
