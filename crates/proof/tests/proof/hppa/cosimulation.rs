//! What the prover says of instructions, beside an emulator: every form that occurs in a kernel, on random states.
//! `coverage/hppa.txt` has all forms that may occur; the prover refuses others. What jumps is in `branches.rs`.

use super::emulator::{self, After, BYTES, Case, MEMORY, NOTHING, SLOT};
use proof::bits::Bits;
use proof::bytes::Bytes;
use proof::domain::Domain;
use proof::image::Image;
use proof::machine::hppa::{SP, WHOLE};
use proof::machine::{Instruction, Isa, Machine, State};
use proof::memory::{ARGUMENTS, BOTH, Memory, RETURN, Region, STACK, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

/// Where they lead is looked at elsewhere, the return is read, and so is an address in the file.
const CONTROL: [&str; 6] = [
    "addib,<> -1,R,target",
    "bve (rp)",
    "cmpclr,*<> R,R,r0",
    "cmpib,*<> 0,R,target",
    "cmpib,*=,n 0,R,target",
    "mfia R",
];

const STATES: usize = 4;
const INSTANCES: usize = 16;
/// Of memory the first bytes are the stack from the caller's pointer on, upwards.
const SHOWN: usize = 4096;
/// Where its other memory begins, and where pointers lead in it.
const HIGH: u64 = MEMORY + SHOWN as u64;
const MIDDLE: i64 = 8192;
/// How far above the caller's pointer to the stack it is.
const ABOVE: i64 = 2048;
/// Offsets that stay in memory.
const REACH: i64 = 2048;

pub(super) fn random_word(random: &mut fastrand::Rng) -> u64 {
    match random.u8(..5) {
        0 => random.u64(..) & 0xff,
        1 => random.u64(..) & 0xffff_ffff,
        2 => random.u64(..) & random.u64(..) & random.u64(..),
        3 => random.u64(..) & 0x0f0f_0f0f_0f0f_0f0f,
        _ => random.u64(..),
    }
}

/// A register's number.
fn register(name: &str) -> Option<usize> {
    match name {
        "rp" => Some(2),
        "dp" => Some(27),
        "ret0" => Some(28),
        "ret1" => Some(29),
        "sp" => Some(SP),
        _ => name.strip_prefix('r')?.parse().ok(),
    }
}

/// The base, the index and the offset of the address in an instruction's text, if it is a load or a store.
fn address(text: &str) -> Option<(usize, Option<usize>, i64)> {
    let (name, operands) = text.split_once(' ')?;
    let is_transfer =
        ["ldb", "ldw", "ldd", "stb", "stw", "std"].iter().any(|of| name.starts_with(of));
    let (before, base) = operands.split_once('(').filter(|_| is_transfer)?;
    let by = before.rsplit(',').next()?;
    let base = register(base.split(')').next()?)?;
    match register(by) {
        Some(index) => Some((base, Some(index), 0)),
        None => Some((base, None, i64::from_str_radix(by, 16).ok()?)),
    }
}

/// An instruction in a kernel, and a state that it finds.
struct Instance<'a> {
    image: &'a Image,
    kernel: Range<u64>,
    at: u64,
    text: String,
    pointer: Option<usize>,
    /// Bytes of a word of memory.
    word: usize,
    case: Case,
}

fn start<'a>(
    (image, kernel, at, i): &(&'a Image, Range<u64>, u64, Instruction),
    random: &mut fastrand::Rng,
) -> Instance<'a> {
    let mut registers: [u64; 32] = std::array::from_fn(|_| random_word(random));
    if random.u8(..4) == 0 {
        // Equal numbers, too.
        registers = [registers[1]; 32];
    }
    registers[0] = 0;
    let text = i.to_string();
    let place = address(&text);
    let pointer = place.map(|(base, ..)| base).filter(|base| *base != SP);
    if let Some((_, Some(index), _)) = place {
        registers[index] &= 255;
    }
    // Above addresses of 32 bits there may be anything.
    let above = random.u64(..) << 32;
    if let Some(pointer) = pointer {
        registers[pointer] = above | (HIGH + MIDDLE as u64);
    }
    registers[SP] = above | (MEMORY + ABOVE as u64);
    let memory = place.map(|_| (0..BYTES).map(|_| random.u8(..)).collect());
    let code = image.code(kernel);
    let mut words = [NOTHING; SLOT];
    words[0] = u32::from_be_bytes(*code[(at - kernel.start) as usize..].first_chunk().unwrap());
    let case = Case { words, registers, memory };
    let word = [1, 4, 8][random.usize(..3)];
    Instance { image, kernel: kernel.clone(), at: *at, text, pointer, word, case }
}

/// Bytes with the lowest of each word first, or back.
fn exchanged(bytes: &[u8], word: usize) -> Vec<u8> {
    bytes.chunks(word).flat_map(|word| word.iter().rev()).copied().collect()
}

fn model<D: Domain>(domain: &mut D, instance: &Instance<'_>) -> State<D> {
    let per_byte = 8 / D::BITS;
    let mut memory = Memory::<D::Cell>::new(D::UNKNOWN, per_byte);
    if let Some(bytes) = &instance.case.memory {
        let stack = domain.bytes(&exchanged(&bytes[..SHOWN], SHOWN));
        let from = (RETURN as usize - SHOWN) * per_byte;
        Rc::make_mut(&mut memory.regions[STACK].cells)[from..].copy_from_slice(&stack);
        let cells = domain.bytes(&exchanged(&bytes[SHOWN..], instance.word));
        let word = (instance.word as i64, instance.word as i64);
        memory.regions.push(Region { word, ..Region::new("memory", BOTH, cells, per_byte) });
    }
    let mut state = State::call(instance.image.convention, instance.at, memory, &[]);
    for (n, value) in state.registers.iter_mut().enumerate() {
        *value = match n {
            SP => Value::Pointer(STACK, RETURN - ABOVE),
            _ if Some(n) == instance.pointer => Value::Pointer(ARGUMENTS, MIDDLE),
            0..WHOLE => Value::Cells(domain.cells(instance.case.registers[n], 64).into()),
            _ => Value::NotZero,
        };
    }
    state
}

/// Whether cells are those of some bytes. What is not known may be anything: of a sum, bytes know the lowest alone.
pub(super) fn are<D: Domain>(domain: &D, cells: &[D::Cell], bytes: &[u8]) -> bool {
    cells.len() * D::BITS == 8 * bytes.len()
        && cells.chunks(8 / D::BITS).zip(bytes).all(|(cells, &byte)| {
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
    if state.next != instance.at + 4 {
        found.push(format!("it leads to {:x}", state.next));
    }
    for (n, value) in state.registers.iter().enumerate().take(32).skip(1) {
        let word = after.registers[n];
        let is_right = match value {
            Value::Pointer(STACK, offset) => {
                MEMORY + (RETURN - offset) as u64 == word & 0xffff_ffff
            }
            Value::Pointer(_, offset) => HIGH + *offset as u64 == word & 0xffff_ffff,
            Value::Cells(cells) => are(domain, cells, &word.to_le_bytes()),
            _ => false,
        };
        if !is_right {
            found.push(format!("register {n}: {value:x?}, not {word:x}"));
        }
    }
    if let Some(bytes) = &after.memory {
        let from = (RETURN as usize - SHOWN) * 8 / D::BITS;
        let to = RETURN as usize * 8 / D::BITS;
        let stack = &state.memory.regions[STACK].cells[from..to];
        let memory = &state.memory.regions[ARGUMENTS].cells;
        if !are(domain, stack, &exchanged(&bytes[..SHOWN], SHOWN))
            || !are(domain, memory, &exchanged(&bytes[SHOWN..], instance.word))
        {
            found.push("memory".into());
        }
    }
    if found.is_empty() { Ok(()) } else { Err(format!("differs: {}", found.join(", "))) }
}

/// Some instructions of each form, with their kernels' addresses and their own.
type Instances = BTreeMap<String, Vec<(&'static Image, Range<u64>, u64, Instruction)>>;

fn instances() -> Instances {
    let mut forms = Instances::new();
    let images = super::images().iter();
    for (image, kernel) in
        images.flat_map(|image| image.kernels.values().map(move |at| (image, at)))
    {
        let all = Isa::Hppa.decode_all(image.code(kernel), kernel.start).unwrap();
        for (at, i) in (kernel.start..).step_by(4).zip(all) {
            let of_form = forms.entry(i.form()).or_default();
            let text = i.to_string();
            let is_near = address(&text).is_none_or(|(.., offset)| offset.abs() < REACH);
            let is_new = of_form.len() < INSTANCES
                && of_form.iter().all(|(.., other)| other.to_string() != text);
            if is_near && is_new {
                of_form.push((image, kernel.clone(), at, i));
            }
        }
    }
    forms
}

#[test]
fn rare_every_form_does_what_the_emulator_does() {
    let mut random = fastrand::Rng::with_seed(1);
    let (forms, covered) = (instances(), Isa::Hppa.covered());
    assert!(forms.keys().eq(&covered), "{:#?}", forms.keys());
    let mut all = Vec::new();
    for (form, instances) in forms.iter().filter(|(form, _)| !CONTROL.contains(&form.as_str())) {
        for instance in instances {
            all.extend((0..STATES).map(|_| (form, start(instance, &mut random))));
        }
    }
    let cases: Vec<Case> = all.iter().map(|(_, instance)| instance.case.clone()).collect();
    let after = emulator::run(&cases);
    let (mut runs, mut of_form, mut wrong) = (0, BTreeMap::new(), Vec::new());
    for ((form, instance), after) in all.iter().zip(&after) {
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
