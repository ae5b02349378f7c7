//! libdes' functions on one block, with its schedules.

use super::blocks::crypt;
use super::kernel::{Call, Kernel, Proof, array, run};
use super::schedules::{Layout, Subkey, libdes_words, subkeys};
use crate::Result;
use crate::bits::{Bit, Bits};
use crate::domain::Domain;
use crate::induction::expect;
use crate::memory::Value;
use cipherloom_spec::des;

/// What names of functions may end with.
const FEATURES: [&str; 2] = ["_bmi2", "_gfni"];

/// The subkeys of a key in the order of decryption.
fn reversed(keys: &[Subkey]) -> Vec<Subkey> {
    keys.iter().rev().copied().collect()
}

/// L and R after 16 rounds of a block that is R, L: what is between IP and its inverse.
fn rounds(bits: &mut Bits, block: &[Bit], keys: &[Subkey]) -> Vec<Bit> {
    let (r, l): ([Bit; 32], [Bit; 32]) = (array(&block[..32]), array(&block[32..]));
    let halves: [Bit; 64] = bits.specify(|symbol| {
        let keys: Vec<_> = keys.iter().map(|key| key.map(symbol)).collect();
        let (l, r) = des::rounds(l.map(symbol), r.map(symbol), keys.iter());
        // L16 is the first word, R16 the second.
        std::array::from_fn(|n| if n < 32 { l[n] } else { r[n - 32] })
    });
    halves.to_vec()
}

/// `(des | tdes)_(encrypt | decrypt)_LAYOUT_bare`: what is between IP and its inverse.
pub(super) fn prove_bare(
    kernel: &Kernel<'_>,
    layout: Layout,
    passes: usize,
    is_encryption: bool,
) -> Result<Proof> {
    let mut machine = kernel.machine::<Bits>();
    let bits = &mut machine.domain;
    let keys = subkeys(bits, passes);
    let halves = bits.inputs(64);
    let mut call = Call::<Bits>::new();
    let region = call.in_place("halves", layout.word(), layout.halves(&halves));
    let schedule = layout.schedule(bits, &keys);
    call.input("schedule", layout.word(), schedule);
    let order = if is_encryption { keys } else { reversed(&keys) };
    let result = order.chunks(16).fold(halves, |halves, keys| {
        let swapped = [&halves[32..], &halves[..32]].concat();
        let halves = rounds(bits, &swapped, keys);
        [&halves[32..], &halves[..32]].concat()
    });
    let state = run(&mut machine, kernel, &call)?;
    expect(&machine.domain, &state.memory.regions[region], &layout.halves(&result))?;
    let does = format!(
        "halves, L0 and R0, {}, become R16 and L16 after each pass;\n\
        \x20        schedule has the subkeys, {}",
        layout.halves_have(),
        layout.has()
    );
    Ok(Proof { statement: call.statement(kernel, false, &does), leaks: machine.leaks })
}

pub(super) fn prove(kernel: &Kernel<'_>) -> Result<Proof> {
    // What a feature is used for is the same.
    let name = kernel.name();
    let name = FEATURES.iter().find_map(|feature| name.strip_suffix(feature)).unwrap_or(name);
    let passes = if name.ends_with('3') { 3 } else { 1 };
    let mut machine = kernel.machine::<Bits>();
    let mut statement = String::new();
    for is_encryption in [true, false] {
        let bits = &mut machine.domain;
        let keys: Vec<Vec<Subkey>> = (0..passes).map(|_| subkeys(bits, 1)).collect();
        let data = bits.inputs(64);
        let mut call = Call::<Bits>::new();
        let region = call.in_place("data", 4, data.clone());
        for (name, keys) in ["ks1", "ks2", "ks3"].into_iter().zip(&keys) {
            call.input(name, 4, libdes_words(keys));
        }
        if passes == 1 {
            let zero = Value::Cells(bits.cells(0, 64).into());
            call.arguments.push(if is_encryption { Value::NotZero } else { zero });
        }
        let (result, does) = match (name, is_encryption) {
            ("des_encrypt1", true) => {
                (crypt(bits, &data, &keys[0]), "enc other than 0: data becomes DES of data by ks1")
            }
            ("des_encrypt1", false) => (
                crypt(bits, &data, &reversed(&keys[0])),
                "enc = 0: data becomes the block of which DES by ks1 is data",
            ),
            ("des_encrypt2", true) => (
                rounds(bits, &data, &keys[0]),
                "enc other than 0: data, R0 L0, becomes L16 R16 by ks1",
            ),
            ("des_encrypt2", false) => (
                rounds(bits, &data, &reversed(&keys[0])),
                "enc = 0: data, R0 L0, becomes L16 R16 by ks1's subkeys from K16 on",
            ),
            ("des_encrypt3", true) => (
                crypt(
                    bits,
                    &data,
                    &[keys[0].clone(), reversed(&keys[1]), keys[2].clone()].concat(),
                ),
                "data becomes TDEA's encryption of data by ks1, ks2, ks3",
            ),
            ("des_decrypt3", true) => {
                let order = [reversed(&keys[2]), keys[1].clone(), reversed(&keys[0])].concat();
                let does = "data becomes TDEA's decryption of data by ks1, ks2, ks3";
                (crypt(bits, &data, &order), does)
            }
            _ => continue,
        };
        let state = run(&mut machine, kernel, &call)?;
        expect(&machine.domain, &state.memory.regions[region], &result)?;
        statement.push_str(&call.statement(kernel, false, does));
    }
    Ok(Proof { statement, leaks: machine.leaks })
}
