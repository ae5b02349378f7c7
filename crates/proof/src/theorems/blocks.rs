//! Kernels for groups of blocks under one key, and for chains: by tables, or in registers.

use super::kernel::{Call, Kernel, Proof, array, standard_order};
use super::libdes;
use super::schedules::{Layout, Subkey, subkeys, sum};
use crate::Result;
use crate::bits::{Bit, Bits};
use crate::domain::Substitution;
use crate::induction::{self, AtEnd, Group};
use cipherloom_spec::des;

/// A block after passes of DES with these subkeys, all in the order in which they are used.
pub(super) fn crypt(bits: &mut Bits, block: &[Bit], keys: &[Subkey]) -> Vec<Bit> {
    let block: [Bit; 64] = array(&standard_order(block));
    let block = bits.specify(|symbol| {
        keys.chunks(16).fold(block.map(symbol), |block, keys| {
            let keys: Vec<_> = keys.iter().map(|key| key.map(symbol)).collect();
            des::compute(&block, keys.iter())
        })
    });
    standard_order(&block)
}

/// `(des | tdes)_(encrypt | decrypt)_LAYOUT[_xN][_chain][_bare][_FEATURE]`
pub(super) fn prove(kernel: &Kernel<'_>, words: &[&str]) -> Result<Proof> {
    let passes = if words[0] == "tdes" { 3 } else { 1 };
    let is_encryption = words[1] == "encrypt";
    let layout = Layout::of(words.get(2).copied().unwrap_or_default())?;
    let is_constant = matches!(words[2], "reg128" | "reg256" | "reg512" | "sum512" | "pack512");
    let mut blocks = 1;
    let mut is_chain = false;
    for word in &words[3..] {
        match *word {
            "bare" => return libdes::prove_bare(kernel, layout, passes, is_encryption),
            "chain" => is_chain = true,
            "bswap" | "bmi2" | "gfni" | "avx2" | "vbmi" => {}
            "x2" | "x3" | "x4" | "x8" | "x16" | "x32" => {
                blocks = word[1..].parse().map_err(|_| "no number")?;
            }
            _ => return Err(format!("no theorem says what {word} means")),
        }
    }
    let mut machine = kernel.machine::<Bits>();
    let bits = &mut machine.domain;
    let keys = subkeys(bits, passes);
    let data = bits.inputs(64 * blocks);
    let before = bits.inputs(64);
    let mut call = Call::<Bits>::new();
    let region = call.in_place("data", 1, data.clone());
    call.count();
    let schedule = layout.schedule(bits, &keys);
    call.input("schedule", layout.word(), schedule);
    let mut used = keys;
    if !is_encryption {
        used.reverse();
    }
    let mut result = Vec::new();
    for block in data.chunks(64) {
        let block = if is_chain { sum(bits, block, &before) } else { block.to_vec() };
        result.extend(crypt(bits, &block, &used));
    }
    let mut carried = Substitution::default();
    let mut at_end = Vec::new();
    if is_chain {
        let region = call.in_place("before", 1, before.clone());
        carried.cells.extend(before.iter().copied().zip(result.iter().copied()));
        at_end.push(AtEnd { region, none: before, some: result.clone() });
    }
    let state = call.state(kernel, &mut machine.domain);
    let group = Group { data: region, result, carried, at_end };
    induction::prove(&mut machine, state, &group)?;
    let cipher = if passes == 1 { "DES" } else { "three passes of DES in a row" };
    let order = if is_encryption { "K1 on" } else { "the last on, back to K1" };
    let input = if is_chain { "b XOR the block before, c; before = the last c" } else { "b" };
    let does = format!(
        "each block b of data becomes {cipher} of {input}, with subkeys from {order};\n\
         \x20        schedule has these subkeys, {}",
        layout.has()
    );
    let statement = call.statement(kernel, is_constant, &does);
    Ok(Proof { statement, leaks: machine.leaks })
}
