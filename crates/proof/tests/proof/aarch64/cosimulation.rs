//! What the prover says of instructions, beside an emulator: every form that occurs in a kernel, on random
//! states. `coverage/aarch64.txt` has all forms that may occur; the prover refuses others.

use super::emulator::{self, After, BYTES, Case, MEMORY, Registers};
use crate::unproved;
use proof::bits::Bits;
use proof::bytes::Bytes;
use proof::domain::Domain;
use proof::image::Image;
use proof::machine::{Flag, Instruction, Isa, Machine, State};
use proof::memory::{ARGUMENTS, BOTH, Memory, RETURN, Region, STACK, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

/// What has no registers to compare: where it leads, and an address in the file.
const CONTROL: [&str; 6] =
    ["b target", "b.eq target", "cbz X, target", "cbnz X, target", "ret", "adrp X, page"];

const STATES: usize = 4;
const INSTANCES: usize = 16;
/// Where the prover's stack begins: sp is a multiple of 16 at the return address. Of it only the uppermost bytes
/// are there, `SHOWN` of them.
const LOW: u64 = HIGH - RETURN as u64;
const SHOWN: usize = 4088;
/// Where its other memory begins, and where pointers lead in it.
const HIGH: u64 = MEMORY + 4096;
const MIDDLE: i64 = 8192;
/// Where on the stack sp leads.
const TOP: i64 = RETURN - 2048;
/// Offsets that stay in memory.
const REACH: i64 = 4096;
const SP: usize = 31;
/// Of the zero flag among the flags.
const ZERO: u32 = 30;

fn random_word(random: &mut fastrand::Rng) -> u64 {
    match random.u8(..5) {
        0 => random.u64(..) & 0xff,
        1 => random.u64(..) & 0xffff_ffff,
        2 => random.u64(..) & random.u64(..) & random.u64(..),
        3 => random.u64(..) & 0x0f0f_0f0f_0f0f_0f0f,
        _ => random.u64(..),
    }
}

/// The base, the index and the offset of the address in an instruction's text.
fn address(text: &str) -> Option<(usize, Option<usize>, i64)> {
    let (_, inside) = text.split_once('[')?;
    let number = |word: &str| word.trim_matches(['x', ' ', ']', '!']).parse().ok();
    let mut words = inside.split(", ");
    let base = words.next().and_then(number).unwrap_or(SP);
    let second = words.next().unwrap_or("");
    let offset = second.strip_prefix('#').map(|by| by.trim_matches([']', '!']).parse().unwrap());
    Some((base, if offset.is_none() { number(second) } else { None }, offset.unwrap_or(0)))
}

/// An instruction in a kernel, and a state that it finds.
struct Instance<'a> {
    image: &'a Image,
    kernel: Range<u64>,
    at: u64,
    text: String,
    pointer: Option<usize>,
    case: Case,
}

fn start<'a>(place: &Place<'a>, random: &mut fastrand::Rng) -> Instance<'a> {
    let (image, kernel, at, i) = place;
    let mut general: [u64; 32] = std::array::from_fn(|_| random_word(random));
    let mut vectors: [[u64; 2]; 32] =
        std::array::from_fn(|_| std::array::from_fn(|_| random_word(random)));
    if random.u8(..4) == 0 {
        // Equal numbers, too.
        general = [general[0]; 32];
        vectors = [vectors[0]; 32];
    }
    let text = i.to_string();
    let address = address(&text);
    let pointer = address.map(|(base, ..)| base).filter(|base| *base != SP);
    if let Some((_, Some(index), _)) = address {
        general[index] &= 255;
    }
    if let Some(pointer) = pointer {
        general[pointer] = HIGH + MIDDLE as u64;
    }
    general[SP] = LOW + TOP as u64;
    let flags = u64::from(random.bool()) << ZERO;
    let memory = address.map(|_| (0..BYTES).map(|_| random.u8(..)).collect());
    let code = image.code(kernel);
    let word = code[(*at - kernel.start) as usize..].first_chunk().unwrap();
    let registers = Registers { general, flags, vectors };
    let case = Case { word: u32::from_le_bytes(*word), registers, memory };
    Instance { image, kernel: kernel.clone(), at: *at, text, pointer, case }
}

fn model<D: Domain>(domain: &mut D, instance: &Instance<'_>) -> State<D> {
    let per_byte = 8 / D::BITS;
    let mut memory = Memory::<D::Cell>::new(D::UNKNOWN, per_byte);
    if let Some(bytes) = &instance.case.memory {
        let (low, high) = (&bytes[4096 - SHOWN..4096], &bytes[4096..]);
        let from = (RETURN as usize - SHOWN) * per_byte;
        Rc::make_mut(&mut memory.regions[STACK].cells)[from..].copy_from_slice(&domain.bytes(low));
        let cells = domain.bytes(high);
        memory.regions.push(Region::new("memory", BOTH, cells, per_byte));
    }
    let mut state = State::call(Isa::AArch64.convention(), instance.at, memory, &[]);
    let Registers { general, flags, vectors } = &instance.case.registers;
    for (n, value) in state.registers.iter_mut().enumerate() {
        *value = match n {
            SP => Value::Pointer(STACK, TOP),
            _ if Some(n) == instance.pointer => Value::Pointer(ARGUMENTS, MIDDLE),
            0..SP => Value::Cells(domain.cells(general[n], 64).into()),
            _ => Value::Unknown,
        };
    }
    for (vector, words) in state.vectors.iter_mut().zip(vectors) {
        *vector = Rc::new(words.iter().flat_map(|&word| domain.cells(word, 64)).collect());
    }
    state.flag = Flag::Zero(flags >> ZERO & 1 == 1);
    state
}

/// Whether cells are those of some bytes. What is not known may be anything: of a sum, bytes know the lowest
/// alone.
fn are<D: Domain>(domain: &D, cells: &[D::Cell], bytes: &[u8]) -> bool {
    cells.chunks(8 / D::BITS).zip(bytes).all(|(cells, &byte)| {
        let is_unknown = D::BITS == 8 && cells.contains(&D::UNKNOWN);
        is_unknown || domain.number(cells) == Some(byte.into())
    })
}

/// What an instruction does by the prover, and where that is not what the emulator has: or why it refuses.
fn compare<D: Domain>(
    covered: &BTreeSet<String>,
    instance: &Instance<'_>,
    after: &After,
) -> Result<(), String> {
    let mut machine = Machine::<D>::new(instance.image, instance.kernel.clone(), covered);
    let mut state = model(&mut machine.domain, instance);
    machine.run_one(&mut state)?;
    let domain = &machine.domain;
    let mut found = Vec::new();
    for (n, value) in state.registers.iter().enumerate().take(32) {
        let word = after.registers.general[n];
        let is_right = match value {
            Value::Pointer(STACK, offset) => LOW.wrapping_add_signed(*offset) == word,
            Value::Pointer(_, offset) => HIGH.wrapping_add_signed(*offset) == word,
            Value::Cells(cells) => {
                cells.len() * D::BITS == 64 && are(domain, cells, &word.to_le_bytes())
            }
            _ => false,
        };
        if !is_right {
            found.push(format!("register {n}: {value:x?}, not {word:x}"));
        }
    }
    for (n, vector) in state.vectors.iter().enumerate() {
        let words = after.registers.vectors[n];
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        if vector.len() * D::BITS != 128 || !are(domain, vector, &bytes) {
            found.push(format!("vector {n}: not {words:x?}"));
        }
    }
    if state.flag != Flag::Zero(after.registers.flags >> ZERO & 1 == 1) {
        found.push(format!("flag: {:?}", state.flag));
    }
    if let Some(bytes) = &after.memory {
        let from = (RETURN as usize - SHOWN) * 8 / D::BITS;
        let low = &state.memory.regions[STACK].cells[from..];
        let low = are(domain, low, &bytes[4096 - SHOWN..4096]);
        let high = are(domain, &state.memory.regions[ARGUMENTS].cells, &bytes[4096..]);
        if !low || !high {
            found.push("memory".into());
        }
    }
    if found.is_empty() { Ok(()) } else { Err(format!("differs: {}", found.join(", "))) }
}

/// An instruction of a kernel, with the image, the kernel's addresses and its own.
type Place<'a> = (&'a Image, Range<u64>, u64, Instruction);

/// Some instructions of each form.
fn instances<'a>(images: &[&'a Image]) -> BTreeMap<String, Vec<Place<'a>>> {
    let mut forms: BTreeMap<String, Vec<Place<'a>>> = BTreeMap::new();
    let kernels = images.iter().flat_map(|image| image.kernels.values().map(move |at| (image, at)));
    for (image, kernel) in kernels {
        let all = Isa::AArch64.decode_all(image.code(kernel), kernel.start).unwrap();
        for (at, i) in (kernel.start..).step_by(4).zip(all) {
            let of_form = forms.entry(i.form()).or_default();
            let is_near = address(&i.to_string()).is_none_or(|(.., offset)| offset.abs() < REACH);
            let is_new = of_form.iter().all(|(.., other)| other.to_string() != i.to_string());
            if of_form.len() < INSTANCES && is_near && is_new {
                of_form.push((image, kernel.clone(), at, i));
            }
        }
    }
    forms
}

#[test]
fn slow_every_form_does_what_the_emulator_does() {
    let shipped = super::image();
    let mut random = fastrand::Rng::with_seed(1);
    let (forms, covered) = (instances(&[&shipped, unproved::of_aarch64()]), Isa::AArch64.covered());
    assert!(forms.keys().eq(&covered), "{:#?}", forms.keys());
    let mut all = Vec::new();
    for (form, instances) in forms.iter().filter(|(form, _)| !CONTROL.contains(&form.as_str())) {
        for place in instances {
            all.extend((0..STATES).map(|_| (form, start(place, &mut random))));
        }
    }
    let (forms, all): (Vec<&String>, Vec<Instance<'_>>) = all.into_iter().unzip();
    let cases: Vec<Case> = all
        .iter()
        .map(|instance| Case {
            word: instance.case.word,
            registers: instance.case.registers.clone(),
            memory: instance.case.memory.clone(),
        })
        .collect();
    let after = emulator::run(&cases);
    let (mut runs, mut of_form, mut wrong) = (0, BTreeMap::new(), Vec::new());
    for ((form, instance), after) in forms.into_iter().zip(&all).zip(&after) {
        let done = of_form.entry(form).or_insert(0);
        // Bits refuse some, and bytes much: what one of them does is as the emulator does it.
        for done_by in [
            compare::<Bits>(&covered, instance, after),
            compare::<Bytes>(&covered, instance, after),
        ] {
            match done_by {
                Ok(()) => {
                    *done += 1;
                    runs += 1;
                }
                Err(error) if error.contains("differs") => {
                    wrong.push(format!("`{}` {error}", instance.text));
                }
                Err(_) => {}
            }
        }
    }
    let idle: Vec<_> = of_form.iter().filter(|(_, done)| **done < STATES).collect();
    println!("{} forms in {runs} states", of_form.len());
    assert!(idle.is_empty(), "hardly run: {idle:?}");
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(10)]);
}
