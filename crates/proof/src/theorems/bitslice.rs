//! Blocks, keys and counters to bit slices and back: every lane.

use super::kernel::{Call, Kernel, Proof, array, run, standard_order};
use super::schedules::{lane, sum};
use crate::Result;
use crate::bits::{Bit, Bits};
use crate::induction::expect;
use crate::machine::Machine;
use crate::memory::{Region, WRITE};
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

/// Runs a kernel, and gives what a region becomes.
fn becomes(
    machine: &mut Machine<'_, Bits>,
    kernel: &Kernel<'_>,
    call: &Call<Bits>,
    region: usize,
) -> Result<(Vec<Bit>, i64)> {
    machine.code = kernel.code();
    let (state, stack) = run(machine, kernel, call)?;
    Ok((state.memory.regions[region].cells.to_vec(), stack))
}

/// `bitsliceN_(piece_in | rows_in | rows_out | piece_out[_xor] | keys | counters)[_FEATURE]`
pub(super) fn prove(kernel: &Kernel<'_>, words: &[&str]) -> Result<Proof> {
    let slices = Slices::of(words[0])?;
    let feature = words.iter().find(|word| word.starts_with("avx"));
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

fn proof(machine: &Machine<'_, Bits>, statement: String, stack: i64) -> Proof {
    Proof { statement, stack, steps: machine.steps, leaks: machine.leaks }
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
    let mut statements = [String::new(), String::new()];
    let mut deepest = [0; 2];
    for n in 0..8 {
        let mut call = Call::<Bits>::new();
        call.input("blocks", blocks[8 * lanes * n..8 * lanes * (n + 1)].to_vec());
        let cells = state[slices.part(n)].to_vec();
        let region = call.region(Region::new("rows", WRITE, cells, 8).aligned(slices.bytes()));
        let (cells, stack) = becomes(&mut machine, piece, &call, region)?;
        state[slices.part(n)].copy_from_slice(&cells);
        let does = "rows have blocks such that, after eight calls, rows_in completes IP";
        statements[0] = call.statement(piece, true, does);
        deepest[0] = stack;
    }
    let mut call = Call::<Bits>::new();
    let masks = Region::new("enter", crate::memory::READ, slices.masks(&enter), 8);
    call.region(masks.aligned(slices.mask_bytes()));
    let cells = Region::new("state", crate::memory::BOTH, state, 8).aligned(slices.bytes());
    let region = call.region(cells);
    let does =
        "state, with blocks put there by eight calls of piece_in, becomes L0, then R0 + enter";
    statements[1] = call.statement(rows, true, does);
    machine.code = rows.code();
    let (after, stack) = run(&mut machine, rows, &call)?;
    deepest[1] = stack;
    let mut wanted = vec![Bit::UNKNOWN; 64 * lanes];
    for block in 0..lanes {
        let permuted = des::ip::<Bit>(&array(&standard_order(&blocks[64 * block..][..64])));
        let r = sum(&mut machine.domain, &permuted[32..], &enter);
        for n in 0..32 {
            wanted[n * lanes + slices.lane(block)] = permuted[n];
            wanted[(32 + n) * lanes + slices.lane(block)] = r[n];
        }
    }
    expect(&machine.domain, &after.memory.regions[region], &wanted)?;
    let own = usize::from(kernel.symbol == rows.symbol);
    Ok(proof(&machine, std::mem::take(&mut statements[own]), deepest[own]))
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
    let cells = Region::new("state", crate::memory::BOTH, state.clone(), 8);
    let region = call.region(cells.aligned(slices.bytes()));
    let masks = Region::new("leave", crate::memory::READ, slices.masks(&leave), 8);
    call.region(masks.aligned(slices.mask_bytes()));
    let does = "state, L16 + leave and R16, becomes what eight calls of piece_out make blocks of";
    let mut statements = [call.statement(rows, true, does), String::new()];
    let (state_out, stack) = becomes(&mut machine, rows, &call, region)?;
    let mut deepest = [stack, 0];
    let old =
        if is_xor { machine.domain.inputs(64 * lanes) } else { vec![Bit::UNKNOWN; 64 * lanes] };
    let mut blocks = Vec::new();
    for n in 0..8 {
        let mut call = Call::<Bits>::new();
        let cells = Region::new("rows", crate::memory::READ, state_out[slices.part(n)].to_vec(), 8);
        call.region(cells.aligned(slices.bytes()));
        let cells = old[8 * lanes * n..8 * lanes * (n + 1)].to_vec();
        let access = if is_xor { crate::memory::BOTH } else { WRITE };
        let region = call.region(Region::new("blocks", access, cells, 8));
        let (cells, stack) = becomes(&mut machine, piece, &call, region)?;
        blocks.extend(cells);
        let does = if is_xor {
            "rows, made by rows_out, are XORed into an eighth of the blocks"
        } else {
            "rows, made by rows_out, become an eighth of the blocks"
        };
        statements[1] = call.statement(piece, true, does);
        deepest[1] = stack;
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
    expect(&machine.domain, &Region::new("blocks", WRITE, blocks, 8), &wanted)?;
    let own = usize::from(kernel.symbol == piece.symbol);
    Ok(proof(&machine, std::mem::take(&mut statements[own]), deepest[own]))
}

/// Keys to slices of C0, C0, D0, D0.
fn keys(kernel: &Kernel<'_>, slices: Slices) -> Result<Proof> {
    let lanes = slices.lanes;
    let mut machine = kernel.machine::<Bits>();
    let keys = machine.domain.inputs(64 * lanes);
    let mut call = Call::<Bits>::new();
    call.input("keys", keys.clone());
    let unknown = vec![Bit::UNKNOWN; 112 * lanes];
    // It keeps intermediate results there.
    let cells = Region::new("slices", crate::memory::BOTH, unknown, 8).aligned(slices.bytes());
    let region = call.region(cells);
    let does = "slices become C0 C0 D0 D0 of the keys, one key a lane";
    let statement = call.statement(kernel, true, does);
    let (state, stack) = run(&mut machine, kernel, &call)?;
    let mut wanted = vec![Bit::UNKNOWN; 112 * lanes];
    for key in 0..lanes {
        let cd = des::pc1::<Bit>(&array(&standard_order(&keys[64 * key..][..64])));
        for n in 0..112 {
            wanted[n * lanes + slices.lane(key)] = cd[n / 56 * 28 + n % 28];
        }
    }
    expect(&machine.domain, &state.memory.regions[region], &wanted)?;
    Ok(proof(&machine, statement, stack))
}

/// Counters to slices: the low bits differ from lane to lane, the high ones do not.
fn counters(kernel: &Kernel<'_>, slices: Slices) -> Result<Proof> {
    let lanes = slices.lanes;
    let own = lanes.ilog2() as usize;
    let mut machine = kernel.machine::<Bits>();
    let low = machine.domain.inputs(own * lanes);
    let high = machine.domain.inputs(64);
    let mut call = Call::<Bits>::new();
    let cells = Region::new("low", crate::memory::READ, low.clone(), 8);
    call.region(cells.aligned(slices.bytes()));
    let cells = Region::new("high", crate::memory::READ, slices.masks(&high), 8);
    call.region(cells.aligned(slices.mask_bytes()));
    let unknown = vec![Bit::UNKNOWN; 64 * lanes];
    let cells = Region::new("state", WRITE, unknown, 8).aligned(slices.bytes());
    let region = call.region(cells);
    let does = "state becomes IP of blocks: each is high XOR its lane's low bits, the lowest first";
    let statement = call.statement(kernel, true, does);
    let (state, stack) = run(&mut machine, kernel, &call)?;
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
    expect(&machine.domain, &state.memory.regions[region], &wanted)?;
    Ok(proof(&machine, statement, stack))
}
