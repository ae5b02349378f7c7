//! The rounds of DES in bit slices, with one key or a key per lane.

use super::bitslice::Slices;
use super::kernel::{Call, Kernel, Lanes, Proof, array, run};
use super::schedules::{Inverted, Order, Subkey, merged, slice_masks, subkeys, sum, windows};
use crate::Result;
use crate::bits::{Bit, Bits};
use crate::domain::Domain;
use crate::induction::expect;
use crate::memory::{ARGUMENTS, BOTH, READ, Region};
use cipherloom_spec::des;
use std::ops::Range;

/// How many lanes are followed at once where all are: more need more memory, fewer more time.
const BATCH: usize = 32;

/// L and R after passes of 16 rounds each: halves change places between passes.
fn rounds(bits: &mut Bits, l: &[Bit], r: &[Bit], keys: &[Subkey]) -> (Vec<Bit>, Vec<Bit>) {
    let (l, r): ([Bit; 32], [Bit; 32]) = (array(l), array(r));
    let halves: [Bit; 64] = bits.specify(|symbol| {
        let mut halves = (r.map(symbol), l.map(symbol));
        for keys in keys.chunks(16) {
            let keys: Vec<_> = keys.iter().map(|key| key.map(symbol)).collect();
            let (r, l) = halves;
            halves = des::rounds(l, r, keys.iter());
        }
        std::array::from_fn(|n| if n < 32 { halves.0[n] } else { halves.1[n - 32] })
    });
    (halves[..32].to_vec(), halves[32..].to_vec())
}

/// The slices x and y, of which nothing is known.
fn unknown(slices: Slices) -> [Vec<Bit>; 2] {
    [(); 2].map(|()| vec![Bit::UNKNOWN; 32 * slices.lanes])
}

/// Puts 32 bits into a lane.
fn set_lane(slices: &mut [Bit], lanes: usize, lane: usize, bits: &[Bit]) {
    for (n, &bit) in bits.iter().enumerate() {
        slices[n * lanes + lane] = bit;
    }
}

/// `(des | tdes)_bitsliceN[_lanes][_FEATURE]`
pub(super) fn prove(kernel: &Kernel<'_>, words: &[&str]) -> Result<Proof> {
    let slices = Slices::of(words[1])?;
    let passes = if words[0] == "tdes" { 3 } else { 1 };
    let has_own_keys = words.contains(&"lanes");
    let inverted = Inverted::by(words);
    let all: Vec<Range<usize>> = match kernel.lanes {
        Lanes::First => vec![0..1; 1],
        Lanes::All => (0..slices.lanes).step_by(BATCH).map(|lane| lane..lane + BATCH).collect(),
    };
    let mut proof = Err("no lanes".into());
    let orders = if has_own_keys { Order::all(passes) } else { &[Order::ENCRYPTION] };
    let pairs = all.into_iter().flat_map(|lanes| orders.iter().map(move |o| (lanes.clone(), *o)));
    for (followed, order) in pairs {
        proof = Ok(if has_own_keys {
            with_own_keys(kernel, slices, passes, followed, order)
        } else {
            with_one_key(kernel, slices, passes, inverted, followed)
        }?);
    }
    proof
}

/// A call whose first arguments are x and y.
fn call(slices: Slices, start: [Vec<Bit>; 2]) -> Call<Bits> {
    let mut call = Call::new();
    for (name, half) in ["x", "y"].into_iter().zip(start) {
        call.region(Region::new(name, BOTH, half, 8).aligned(slices.bytes()));
    }
    call
}

/// Runs the kernel with what is known of some lanes, and checks what becomes of x and y.
fn finish(
    kernel: &Kernel<'_>,
    slices: Slices,
    mut machine: crate::machine::Machine<'_, Bits>,
    call: &mut Call<Bits>,
    wanted: &[Vec<Bit>; 2],
    does: &str,
) -> Result<Proof> {
    call.memory.partial = true;
    machine.slice = (kernel.lanes == Lanes::First).then(|| slices.bytes() as i64);
    let state = run(&mut machine, kernel, call)?;
    let regions = &state.memory.regions;
    expect(&machine.domain, &regions[ARGUMENTS], &wanted[0])?;
    expect(&machine.domain, &regions[ARGUMENTS + 1], &wanted[1])?;
    let statement = call.statement(kernel, true, does);
    Ok(Proof { statement, leaks: machine.leaks })
}

/// One key in all lanes. Y has the bits of K1 in it that R's bits meet first in E; X comes back with those of
/// the last subkey. In all subkeys the bits are inverted for which a circuit wants that.
fn with_one_key(
    kernel: &Kernel<'_>,
    slices: Slices,
    passes: usize,
    inverted: Inverted,
    followed: Range<usize>,
) -> Result<Proof> {
    let mut machine = kernel.machine::<Bits>();
    let bits = &mut machine.domain;
    let lanes = slices.lanes;
    let keys = subkeys(bits, passes);
    let inner = inverted.keys(&keys);
    let (mut start, mut wanted) = (unknown(slices), unknown(slices));
    for n in followed {
        let (l, y) = (bits.inputs(32), bits.inputs(32));
        let r = sum(bits, &y, &merged(&inner[0]));
        set_lane(&mut start[0], lanes, n, &l);
        set_lane(&mut start[1], lanes, n, &y);
        let (l, r) = rounds(bits, &l, &r, &keys);
        let l = sum(bits, &l, &merged(&inner[16 * passes - 1]));
        set_lane(&mut wanted[0], lanes, n, &l);
        set_lane(&mut wanted[1], lanes, n, &r);
    }
    let masks = slice_masks(bits, &inner, inverted.outputs);
    let mut call = call(slices, start);
    let masks = Region::new("masks", READ, slices.masks(&masks), 8);
    call.region(masks.aligned(slices.mask_bytes()));
    let does = "in each lane x, y are L and R + (K1 where R's bits meet it first in E), and become,\n\
        \x20        after passes of 16 rounds, L + (the last subkey's) and R; masks have all subkeys,\n\
        \x20        and in all of them the bits are inverted that S-boxes take inverted";
    finish(kernel, slices, machine, &mut call, &wanted, does)
}

/// A key in each lane: C and D in slices, and where in them each round's window begins.
fn with_own_keys(
    kernel: &Kernel<'_>,
    slices: Slices,
    passes: usize,
    followed: Range<usize>,
    order: Order,
) -> Result<Proof> {
    let mut machine = kernel.machine::<Bits>();
    let bits = &mut machine.domain;
    let lanes = slices.lanes;
    let mut key_slices = vec![Bit::UNKNOWN; 112 * passes * lanes];
    let (mut start, mut wanted) = (unknown(slices), unknown(slices));
    for n in followed {
        let mut keys: Vec<Subkey> = Vec::new();
        for pass in 0..passes {
            let cd: [Bit; 56] = array(&bits.inputs(56));
            for slice in 0..112 {
                let place = (112 * pass + slice) * lanes + n;
                key_slices[place] = cd[slice / 56 * 28 + slice % 28];
            }
            keys.extend(des::subkeys(&cd));
        }
        order.apply(&mut keys);
        let (l, r) = (bits.inputs(32), bits.inputs(32));
        set_lane(&mut start[0], lanes, n, &l);
        set_lane(&mut start[1], lanes, n, &r);
        let (l, r) = rounds(bits, &l, &r, &keys);
        set_lane(&mut wanted[0], lanes, n, &l);
        set_lane(&mut wanted[1], lanes, n, &r);
    }
    let windows = windows(passes, slices.bytes(), order);
    let word = kernel.image.convention.word;
    let windows = windows.into_iter().flat_map(|window| bits.cells(window, 8 * word)).collect();
    let mut call = call(slices, start);
    let keys = Region::new("keys", READ, key_slices, 8);
    call.region(keys.aligned(slices.bytes()));
    call.input("windows", word as i64, windows);
    let does = "in each lane x, y are L and R, and become those after 16 rounds a pass with the\n\
        \x20        lane's own key (EDE: the second pass backwards; EEE), or from the last round to the first;\n\
        \x20        keys has C0 C0 D0 D0 of each, windows where each round's C and D begin, in that order";
    finish(kernel, slices, machine, &mut call, &wanted, does)
}
