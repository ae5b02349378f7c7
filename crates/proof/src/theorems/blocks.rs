//! Kernels for groups of blocks under one key, and for chains: by tables, or in registers.

use super::kernel::{Call, Kernel, Proof, array, standard_order};
use super::libdes;
use super::schedules::{Subkey, rotated_words, subkeys, sum, table_words};
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

/// `(des | tdes)_(encrypt | decrypt)_(table32 | table64 | reg128 | reg256 | reg512 | pack512)[_xN][_chain][_FEATURE]`
pub(super) fn prove(kernel: &Kernel<'_>, words: &[&str]) -> Result<Proof> {
    let passes = if words[0] == "tdes" { 3 } else { 1 };
    let is_encryption = words[1] == "encrypt";
    let is_constant = match words.get(2) {
        Some(&("table32" | "table64")) => false,
        Some(&("reg128" | "reg256" | "reg512" | "pack512")) => true,
        _ => return Err("no theorem says what it is to do".into()),
    };
    let mut blocks = 1;
    let mut is_chain = false;
    for word in &words[3..] {
        match *word {
            "bare" => return libdes::prove_bare(kernel, passes, is_encryption),
            "chain" => is_chain = true,
            "bswap" | "bmi2" | "avx2" | "vbmi" => {}
            "x2" | "x3" | "x4" | "x8" | "x16" => {
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
    let region = call.in_place("data", data.clone());
    call.count();
    let is_rotated = words[2] == "table32";
    let schedule = if is_rotated { rotated_words(&keys) } else { table_words(bits, &keys) };
    call.input("schedule", schedule);
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
        let region = call.in_place("before", before.clone());
        carried.cells.extend(before.iter().copied().zip(result.iter().copied()));
        at_end.push(AtEnd { region, none: before, some: result.clone() });
    }
    let state = call.state(kernel, &mut machine.domain);
    let group = Group { data: region, result, carried, at_end };
    induction::prove(&mut machine, state, &group)?;
    let cipher = if passes == 1 { "DES" } else { "three passes of DES in a row" };
    let order = if is_encryption { "K1 on" } else { "the last on, back to K1" };
    let input = if is_chain { "b XOR the block before, c; before = the last c" } else { "b" };
    let has = ["differences two rounds apart", "in two words, the second rotated by 4"];
    let has = has[usize::from(is_rotated)];
    let does = format!(
        "each block b of data becomes {cipher} of {input}, with subkeys from {order};\n\
         \x20        schedule has these subkeys, {has}, six bits a byte"
    );
    let statement = call.statement(kernel, is_constant, &does);
    Ok(Proof { statement, leaks: machine.leaks })
}
