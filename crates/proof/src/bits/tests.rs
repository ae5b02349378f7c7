//! The normal form beside brute force.

use super::space::Space;
use super::*;
use cipherloom_spec::des;

/// The value of a bit that is a function of inputs, by evaluating atoms one by one.
fn value(bits: &Bits, bit: Bit, inputs: &dyn Fn(u32) -> bool) -> bool {
    let atoms = bits.forms.atoms(bit.form()).iter();
    atoms.fold(bit.added() == 1, |sum, &atom| {
        sum ^ match &bits.functions[atom as usize] {
            None => inputs(atom),
            Some(function) => {
                let forms = &function.basis.forms[..function.basis.rank];
                let values = forms.iter().map(|&form| value(bits, Bit::of_form(form), inputs));
                let place =
                    values.enumerate().fold(0, |place, (n, bit)| place | u32::from(bit) << n);
                function.table >> place & 1 == 1
            }
        }
    })
}

/// Where bases are taken as they are, elimination finds the same.
#[test]
fn bases_together_are_what_elimination_finds() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut found = [0; 3];
    for _ in 0..300 {
        let mut bits = Bits::default();
        let mut nodes = bits.inputs(9);
        for _ in 0..30 {
            let three = std::array::from_fn(|_| nodes[random.usize(..nodes.len())]);
            let gate = bits.gate(random.u8(..), three);
            nodes.extend(Some(gate).filter(|gate| *gate != Bit::UNKNOWN));
        }
        for _ in 0..100 {
            let some: [Bit; 3] = std::array::from_fn(|_| nodes[random.usize(..nodes.len())]);
            let atoms = some.iter().flat_map(|bit| bits.forms.atoms(bit.form()));
            let mut atoms: Vec<u32> = atoms
                .copied()
                .filter(|atom| bits.functions[*atom as usize].is_some() && random.bool())
                .collect();
            atoms.sort_unstable();
            atoms.dedup();
            let Some(space) = bits.space_of_bases(&some, &atoms) else {
                found[0] += 1;
                continue;
            };
            found[1 + usize::from(space.is_some())] += 1;
            let other = bits.space_by_elimination(&some, &atoms);
            let parts = |space: Option<Space>| {
                space.map(|Space { basis, tables }| {
                    let rank = basis.rank;
                    (basis.forms[..rank].to_vec(), basis.leaders[..rank].to_vec(), tables)
                })
            };
            assert_eq!(parts(space), parts(other));
        }
    }
    assert!(found.iter().all(|&count| count > 1000), "{found:?}");
}

#[test]
fn random_circuits_are_what_their_normal_forms_say() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..300 {
        let mut bits = Bits::default();
        let inputs = bits.inputs(6);
        let mut nodes: Vec<Bit> = inputs.clone();
        let mut gates = Vec::new();
        for _ in 0..40 {
            let from: [usize; 3] = std::array::from_fn(|_| random.usize(..nodes.len()));
            let table = random.u8(..);
            let gate = bits.gate(table, from.map(|n| nodes[n]));
            assert_ne!(gate, Bit::UNKNOWN, "six inputs are a space of six dimensions");
            gates.push((table, from));
            nodes.push(gate);
        }
        let mut tables = vec![0u64; nodes.len()];
        for a in 0..64 {
            let mut values: Vec<bool> = (0..6).map(|n| a >> n & 1 == 1).collect();
            for (table, [x, y, z]) in &gates {
                let entry = [values[*x], values[*y], values[*z]].map(usize::from);
                values.push(table >> (4 * entry[0] + 2 * entry[1] + entry[2]) & 1 == 1);
            }
            for (n, &expected) in values.iter().enumerate() {
                assert_eq!(value(&bits, nodes[n], &|atom| a >> atom & 1 == 1), expected);
                tables[n] |= u64::from(expected) << a;
            }
        }
        // One form for each function, and another for each other.
        for x in 0..nodes.len() {
            for y in 0..x {
                assert_eq!(nodes[x] == nodes[y], tables[x] == tables[y], "nodes {x} and {y}");
            }
        }
    }
}

#[test]
fn sums_too_deep_to_be_simplified_are_right() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut not_simplified = 0;
    for _ in 0..100 {
        // As if every sum were the last that may nest: it is a form that is added and nothing more.
        let mut bits = Bits { nested: NESTED, ..Bits::default() };
        let mut nodes = bits.inputs(6);
        let mut values: Vec<u64> =
            (0..6).map(|n| (0..64).fold(0, |bits, a| bits | (a >> n & 1) << a)).collect();
        for _ in 0..40 {
            let [x, y, z] = std::array::from_fn(|_| random.usize(..nodes.len()));
            nodes.push(bits.gate(0x96, [nodes[x], nodes[y], nodes[z]]));
            values.push(values[x] ^ values[y] ^ values[z]);
            nodes.push(bits.gate(0x80, [nodes[x], nodes[y], nodes[z]]));
            values.push(values[x] & values[y] & values[z]);
        }
        for (n, &node) in nodes.iter().enumerate() {
            for a in 0..64 {
                let value = value(&bits, node, &|atom| a >> atom & 1 == 1);
                assert_eq!(value, values[n] >> a & 1 == 1, "node {n}");
            }
        }
        // One function may have two forms now; two functions never have one.
        for x in 0..nodes.len() {
            for y in 0..x {
                assert!(nodes[x] != nodes[y] || values[x] == values[y], "nodes {x} and {y}");
                not_simplified += u32::from(nodes[x] != nodes[y] && values[x] == values[y]);
            }
        }
        assert_eq!(bits.nested, NESTED);
    }
    assert!(not_simplified > 0, "no sum was too deep");
}

#[test]
fn an_s_box_by_another_circuit_is_the_same_bits() {
    // The circuit: a multiplexer for each of the 6 bits, over the table's constants.
    let mut bits = Bits::default();
    let sums = bits.inputs(12);
    let b: [Bit; 6] = std::array::from_fn(|n| bits.xor(sums[n], sums[n + 6]));
    let specified: [[Bit; 4]; 8] =
        std::array::from_fn(|n| bits.specify(|symbol| des::s(n + 1, b.map(symbol))));
    assert_eq!(bits.atoms(), 12 + 32, "each output is one atom");
    for (number, specified) in (1..).zip(specified) {
        for (n, expected) in specified.into_iter().enumerate() {
            let entry = |a: usize| des::s(number, std::array::from_fn(|k| a >> k & 1 == 1))[n];
            let mut level: Vec<Bit> = (0..64).map(|a| Bit::constant(entry(a))).collect();
            for select in b {
                let halves = level.chunks(2);
                level = halves.map(|pair| bits.gate(0xe4, [pair[1], pair[0], select])).collect();
            }
            assert_eq!(level, [expected], "S{number}, bit {n}");
        }
    }
}

#[test]
fn sums_cancel_and_unknown_stays_unknown() {
    let mut bits = Bits::default();
    let [x, y] = [bits.input(), bits.input()];
    let sum = bits.xor(x, y);
    assert_eq!(bits.xor(sum, y), x);
    assert_eq!(bits.xor(sum, Bit::UNKNOWN), Bit::UNKNOWN);
    assert_eq!(bits.and(Bit::ZERO, Bit::UNKNOWN), Bit::ZERO);
    assert_eq!(bits.or(Bit::ONE, Bit::UNKNOWN), Bit::ONE);
    assert_eq!(bits.and(x, Bit::UNKNOWN), Bit::UNKNOWN);
    assert_eq!(bits.gate(0x96, [Bit::UNKNOWN, Bit::UNKNOWN, x]), Bit::UNKNOWN);
    let not = x.complement();
    assert_eq!(bits.and(x, not), Bit::ZERO);
}

#[test]
fn a_substitution_goes_into_sums_alone() {
    let mut bits = Bits::default();
    let [x, y, z] = [bits.input(), bits.input(), bits.input()];
    let sum = bits.xor(x, y.complement());
    let places = FxHashMap::from_iter([(x, z)]);
    let expected = bits.xor(z, y).complement();
    assert_eq!(bits.substitute(sum, &places), expected);
    let product = bits.and(x, y);
    assert_eq!(bits.substitute(product, &places), Bit::UNKNOWN);
}

#[test]
fn a_function_of_twelve_bits_is_a_sum_of_two_or_none() {
    let mut random = fastrand::Rng::with_seed(3);
    let tables: [[u64; 64]; 2] =
        std::array::from_fn(|_| std::array::from_fn(|_| random.u64(..256)));
    let mut bits = Bits::default();
    let inputs = bits.inputs(12);
    let entry = |v: u64| tables[0][v as usize % 64] ^ tables[1][v as usize / 64];
    let whole = bits.function(&inputs, 8, |v| Ok(entry(v))).unwrap().unwrap();
    let parts = [0, 1].map(|n| {
        let part = bits.function(&inputs[6 * n..][..6], 8, |v| Ok(tables[n][v as usize]));
        part.unwrap().unwrap()
    });
    for (n, &bit) in whole.iter().enumerate() {
        assert_eq!(bit, bits.xor(parts[0][n], parts[1][n]));
    }
    for wrong in [0, 63, 64, 1000, 4095] {
        let changed = |v: u64| Ok(entry(v) ^ u64::from(v == wrong));
        assert_eq!(bits.function(&inputs, 8, changed).unwrap(), None);
    }
}
