//! Blocks, keys and counters to bit slices and back: every lane.

use super::kernel::{Call, Kernel, Proof, array, run, standard_order};
use super::schedules::{lane, sum};
use crate::Result;
use crate::bits::{Bit, Bits};
use crate::induction::expect;
use crate::machine::Machine;
use crate::memory::{BOTH, READ, Region, WRITE};
use cipherloom_spec::des;
use cipherloom_spec::tables::IP;

/// Bit slices of so many lanes.
#[derive(Clone, Copy)]
pub(super) struct Slices {
    pub(super) lanes: usize,
}

impl Slices {
    /// Those of a kernel called `bitsliceN`, perhaps with something before.
    pub(super) fn of(word: &str) -> Result<Self> {
        match word.strip_prefix("bitslice") {
            Some("128") => Ok(Self { lanes: 128 }),
            Some("256") => Ok(Self { lanes: 256 }),
            Some("512") => Ok(Self { lanes: 512 }),
            _ => Err("no theorem for slices of this width".into()),
        }
    }

    /// Bytes of a slice.
    pub(super) fn bytes(self) -> usize {
        self.lanes / 8
    }

    /// The lane of a block.
    fn lane(self, block: usize) -> usize {
        lane(self.lanes, block)
    }

    /// Masks in memory: each a whole slice where there are 128 lanes, else 32 bits.
    pub(super) fn masks(self, masks: &[Bit]) -> Vec<Bit> {
        let width = if self.lanes == 128 { 128 } else { 32 };
        masks.iter().flat_map(|&mask| std::iter::repeat_n(mask, width)).collect()
    }

    /// The alignment of masks in memory.
    pub(super) fn mask_bytes(self) -> usize {
        if self.lanes == 128 { 16 } else { 4 }
    }

    /// The slices that hold an eighth of the lanes: those of a group of 8 blocks in each 64.
    fn part(self, n: usize) -> std::ops::Range<usize> {
        (7 - n) * self.lanes..(64 - n) * self.lanes
    }
}

/// Runs a kernel that is called like this: what a region becomes, and what is proved if it is as it should be.
fn becomes(
    machine: &mut Machine<'_, Bits>,
    kernel: &Kernel<'_>,
    call: &Call<Bits>,
    region: usize,
    does: &str,
) -> Result<(Vec<Bit>, Proof)> {
    machine.code = kernel.code();
    let state = run(machine, kernel, call)?;
    let statement = call.statement(kernel, true, does);
    let proof = Proof { statement, leaks: machine.leaks };
    Ok((state.memory.regions[region].cells.to_vec(), proof))
}

/// Refuses bits that are not these.
fn expect_bits(machine: &Machine<'_, Bits>, got: Vec<Bit>, wanted: &[Bit]) -> Result<()> {
    expect(&machine.domain, &Region::new("result", WRITE, got, 8), wanted)
}

/// `bitsliceN_(piece_in | rows_in | rows_out | piece_out[_xor] | keys | counters)[_FEATURE]`
pub(super) fn prove(kernel: &Kernel<'_>, words: &[&str]) -> Result<Proof> {
    let slices = Slices::of(words[0])?;
    let feature = words.iter().find(|word| word.starts_with("avx") || **word == "sse2");
    let feature = feature.map_or(String::new(), |feature| format!("_{feature}"));
    let other = |name: &str| kernel.other(&format!("{}_{name}{feature}", words[0]));
    match words[1] {
        "piece" if words[2] == "in" => into_slices(kernel, slices, kernel, &other("rows_in")?),
        "rows" if words[2] == "in" => into_slices(kernel, slices, &other("piece_in")?, kernel),
        "rows" => out_of_slices(kernel, slices, kernel, &other("piece_out")?, false),
        "piece" => {
            let is_xor = words.contains(&"xor");
            out_of_slices(kernel, slices, &other("rows_out")?, kernel, is_xor)
        }
        "keys" => keys(kernel, slices),
        "counters" => counters(kernel, slices),
        _ => Err("no theorem says what it is to do".into()),
    }
}

/// Eight calls of `piece_in`, then `rows_in`: IP of each block, with masks added to R.
fn into_slices(
    kernel: &Kernel<'_>,
    slices: Slices,
    piece: &Kernel<'_>,
    rows: &Kernel<'_>,
) -> Result<Proof> {
    let lanes = slices.lanes;
    let mut machine = kernel.machine::<Bits>();
    let blocks = machine.domain.inputs(64 * lanes);
    let enter = machine.domain.inputs(32);
    let mut state = vec![Bit::UNKNOWN; 64 * lanes];
    let mut proof = None;
    for n in 0..8 {
        let mut call = Call::<Bits>::new();
        call.input("blocks", 1, blocks[8 * lanes * n..8 * lanes * (n + 1)].to_vec());
        let cells = state[slices.part(n)].to_vec();
        let region = call.region(Region::new("rows", WRITE, cells, 8).aligned(slices.bytes()));
        let does = "rows have blocks such that, after eight calls, rows_in completes IP";
        let (cells, of_piece) = becomes(&mut machine, piece, &call, region, does)?;
        state[slices.part(n)].copy_from_slice(&cells);
        proof = Some(of_piece);
    }
    let mut call = Call::<Bits>::new();
    let masks = Region::new("enter", READ, slices.masks(&enter), 8);
    call.region(masks.aligned(slices.mask_bytes()));
    let region = call.region(Region::new("state", BOTH, state, 8).aligned(slices.bytes()));
    let does =
        "state, with blocks put there by eight calls of piece_in, becomes L0, then R0 + enter";
    let (state, of_rows) = becomes(&mut machine, rows, &call, region, does)?;
    let mut wanted = vec![Bit::UNKNOWN; 64 * lanes];
    for block in 0..lanes {
        let permuted = des::ip::<Bit>(&array(&standard_order(&blocks[64 * block..][..64])));
        let r = sum(&mut machine.domain, &permuted[32..], &enter);
        for n in 0..32 {
            wanted[n * lanes + slices.lane(block)] = permuted[n];
            wanted[(32 + n) * lanes + slices.lane(block)] = r[n];
        }
    }
    expect_bits(&machine, state, &wanted)?;
    Ok(proof.filter(|_| kernel.symbol == piece.symbol).unwrap_or(of_rows))
}

/// `rows_out`, then eight calls of `piece_out`: the inverse of IP of the preoutput, perhaps XORed into what
/// was there.
fn out_of_slices(
    kernel: &Kernel<'_>,
    slices: Slices,
    rows: &Kernel<'_>,
    piece: &Kernel<'_>,
    is_xor: bool,
) -> Result<Proof> {
    let lanes = slices.lanes;
    let mut machine = kernel.machine::<Bits>();
    let state = machine.domain.inputs(64 * lanes);
    let leave = machine.domain.inputs(32);
    let mut call = Call::<Bits>::new();
    let cells = Region::new("state", BOTH, state.clone(), 8).aligned(slices.bytes());
    let region = call.region(cells);
    let masks = Region::new("leave", READ, slices.masks(&leave), 8);
    call.region(masks.aligned(slices.mask_bytes()));
    let does = "state, L16 + leave and R16, becomes what eight calls of piece_out make blocks of";
    let (state_out, mut proof) = becomes(&mut machine, rows, &call, region, does)?;
    let old =
        if is_xor { machine.domain.inputs(64 * lanes) } else { vec![Bit::UNKNOWN; 64 * lanes] };
    let (access, does) = if is_xor {
        (BOTH, "rows, made by rows_out, are XORed into an eighth of the blocks")
    } else {
        (WRITE, "rows, made by rows_out, become an eighth of the blocks")
    };
    let mut blocks = Vec::new();
    for n in 0..8 {
        let mut call = Call::<Bits>::new();
        let cells = Region::new("rows", READ, state_out[slices.part(n)].to_vec(), 8);
        call.region(cells.aligned(slices.bytes()));
        let cells = old[8 * lanes * n..8 * lanes * (n + 1)].to_vec();
        let region = call.region(Region::new("blocks", access, cells, 8));
        let (cells, of_piece) = becomes(&mut machine, piece, &call, region, does)?;
        blocks.extend(cells);
        if kernel.symbol == piece.symbol {
            proof = of_piece;
        }
    }
    let mut wanted = Vec::new();
    for block in 0..lanes {
        let of_lane = |n: usize| state[n * lanes + slices.lane(block)];
        let l: Vec<Bit> = (0..32).map(of_lane).collect();
        let l = sum(&mut machine.domain, &l, &leave);
        // The preoutput is R16 L16.
        let preoutput: Vec<Bit> = (32..64).map(of_lane).chain(l).collect();
        wanted.extend(standard_order(&des::ip_inv::<Bit>(&array(&preoutput))));
    }
    if is_xor {
        wanted = sum(&mut machine.domain, &wanted, &old);
    }
    expect_bits(&machine, blocks, &wanted)?;
    Ok(proof)
}

/// Keys to slices of C0, C0, D0, D0.
fn keys(kernel: &Kernel<'_>, slices: Slices) -> Result<Proof> {
    let lanes = slices.lanes;
    let mut machine = kernel.machine::<Bits>();
    let keys = machine.domain.inputs(64 * lanes);
    let mut call = Call::<Bits>::new();
    call.input("keys", 1, keys.clone());
    // It keeps intermediate results there.
    let mut wanted = vec![Bit::UNKNOWN; 112 * lanes];
    let cells = Region::new("slices", BOTH, wanted.clone(), 8).aligned(slices.bytes());
    let region = call.region(cells);
    let does = "slices become C0 C0 D0 D0 of the keys, one key a lane";
    let (state, proof) = becomes(&mut machine, kernel, &call, region, does)?;
    for key in 0..lanes {
        let cd = des::pc1::<Bit>(&array(&standard_order(&keys[64 * key..][..64])));
        for n in 0..112 {
            wanted[n * lanes + slices.lane(key)] = cd[n / 56 * 28 + n % 28];
        }
    }
    expect_bits(&machine, state, &wanted)?;
    Ok(proof)
}

/// Counters to slices: the low bits differ from lane to lane, the high ones do not.
fn counters(kernel: &Kernel<'_>, slices: Slices) -> Result<Proof> {
    let lanes = slices.lanes;
    let own = lanes.ilog2() as usize;
    let mut machine = kernel.machine::<Bits>();
    let low = machine.domain.inputs(own * lanes);
    let high = machine.domain.inputs(64);
    let mut call = Call::<Bits>::new();
    call.region(Region::new("low", READ, low.clone(), 8).aligned(slices.bytes()));
    let cells = Region::new("high", READ, slices.masks(&high), 8);
    call.region(cells.aligned(slices.mask_bytes()));
    let unknown = vec![Bit::UNKNOWN; 64 * lanes];
    let region = call.region(Region::new("state", WRITE, unknown, 8).aligned(slices.bytes()));
    let does = "state becomes IP of blocks: each is high XOR its lane's low bits, the lowest first";
    let (state, proof) = becomes(&mut machine, kernel, &call, region, does)?;
    let mut wanted = Vec::new();
    for bit in IP {
        for lane in 0..lanes {
            let high = high[bit - 1];
            wanted.push(if bit > 64 - own {
                machine.domain.xor(high, low[(64 - bit) * lanes + lane])
            } else {
                high
            });
        }
    }
    expect_bits(&machine, state, &wanted)?;
    Ok(proof)
}
