//! What the prover says of instructions, beside the processor: every form that occurs in a kernel, with
//! every immediate of one byte, on random states.
//!
//! `coverage/x86_64.txt` has all forms that may occur; the prover refuses others.

use crate::processor::{self, Registers, Slot};
use crate::program;
use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind, Register};
use proof::bits::Bits;
use proof::bytes::Bytes;
use proof::domain::Domain;
use proof::image::Image;
use proof::machine::{Flag, Isa, MASKS, Machine, RSP, State, form};
use proof::memory::{ARGUMENTS, BOTH, Memory, RETURN, Region, STACK, Value};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// What has no registers to compare: where it leads is decided by the zero flag, which is compared.
const CONTROL: [&str; 7] = [
    "Je_rel8_64 target",
    "Je_rel32_64 target",
    "Jne_rel8_64 target",
    "Jne_rel32_64 target",
    "Jmp_rel8_64 target",
    "Jmp_rel32_64 target",
    "Retnq",
];
/// An address in the file, which the prover has as it is.
const ADDRESS: &str = "Lea_r64_m register table";

const STATES: usize = 8;
const INSTANCES: usize = 4;
const MEMORY: usize = 1 << 14;
/// Where in memory pointers lead.
const MIDDLE: i64 = 1 << 13;
/// Displacements that stay in memory, with an index of one byte.
const REACH: u64 = 4352;
/// Where on the stack rsp leads.
const TOP: i64 = 2048;

/// The register k1.
const K1: usize = MASKS + 1;

/// A mask of bytes, as the prover has it.
fn of_mask(mask: u64) -> [u8; 64] {
    std::array::from_fn(|n| if mask >> n & 1 == 1 { 255 } else { 0 })
}

/// Memory that the processor and the prover both see.
#[repr(C, align(64))]
#[derive(Clone)]
struct Shared {
    stack: [u8; 4096],
    memory: [u8; MEMORY],
}

fn random_word(random: &mut fastrand::Rng) -> u64 {
    match random.u8(..5) {
        0 => random.u64(..) & 0xff,
        1 => random.u64(..) & 0xffff_ffff,
        2 => random.u64(..) & random.u64(..) & random.u64(..),
        3 => random.u64(..) & 0x0f0f_0f0f_0f0f_0f0f,
        _ => random.u64(..),
    }
}

/// Which register is a pointer into memory, if one is, and how far it and rsp are from where they lead else.
struct Pointers {
    register: Option<usize>,
    apart: i64,
}

/// A state of the processor for an instruction.
fn start(i: &Instruction, shared: &Shared, random: &mut fastrand::Rng) -> (Registers, Pointers) {
    let mut general: [u64; 16] = std::array::from_fn(|_| random_word(random));
    let mut vectors: [[u64; 8]; 32] =
        std::array::from_fn(|_| std::array::from_fn(|_| random_word(random)));
    if random.u8(..4) == 0 {
        // Equal numbers, too.
        general = [general[0]; 16];
        vectors = [vectors[0]; 32];
    }
    let has_memory = i.op_kinds().any(|kind| kind == OpKind::Memory);
    let pointer = has_memory.then(|| i.memory_base().full_register().number());
    let pointer = pointer.filter(|pointer| *pointer != RSP);
    if has_memory && i.memory_index() != Register::None {
        general[i.memory_index().full_register().number()] &= 255;
    }
    // Sometimes anywhere: what the prover lets be there, the processor must.
    let apart = if random.u8(..4) == 0 { random.i64(0..64) } else { 0 };
    if let Some(pointer) = pointer {
        general[pointer] = (&raw const shared.memory) as u64 + (MIDDLE + apart) as u64;
    }
    general[RSP] = (&raw const shared.stack) as u64 + (TOP + apart) as u64;
    (Registers::new(vectors, general, random.u64(..)), Pointers { register: pointer, apart })
}

/// Memory as the prover sees it.
fn memory<D: Domain>(domain: &mut D, shared: &Shared) -> Memory<D::Cell> {
    let per_byte = 8 / D::BITS;
    let mut memory = Memory::<D::Cell>::new(D::UNKNOWN, per_byte);
    memory.regions[STACK].cells = Rc::new(domain.bytes(&shared.stack[..RETURN as usize]));
    let cells = domain.bytes(&shared.memory);
    memory.regions.push(Region::new("memory", BOTH, cells, per_byte).aligned(64));
    memory
}

fn model<D: Domain>(
    domain: &mut D,
    entry: u64,
    from: &Registers,
    pointers: &Pointers,
    memory: Memory<D::Cell>,
) -> State<D> {
    let mut state = State::call(Isa::X86_64.convention(), entry, memory, &[]);
    for (n, value) in state.registers.iter_mut().enumerate() {
        *value = match n {
            RSP => Value::Pointer(STACK, TOP + pointers.apart),
            _ if Some(n) == pointers.register => Value::Pointer(ARGUMENTS, MIDDLE + pointers.apart),
            _ => Value::Cells(domain.cells(from.general[n], 64).into()),
        };
    }
    for (vector, words) in state.vectors.iter_mut().zip(&from.vectors) {
        *vector = Rc::new(words.iter().flat_map(|&word| domain.cells(word, 64)).collect());
    }
    state.vectors[K1] = Rc::new(domain.bytes(&of_mask(from.mask)));
    state
}

/// Where a state of the prover and the processor's differ.
fn differences<D: Domain>(
    domain: &D,
    state: &State<D>,
    to: &Registers,
    before: &Shared,
    shared: &Shared,
) -> Vec<String> {
    let mut found = Vec::new();
    for (n, value_of) in state.registers.iter().enumerate() {
        let value = match value_of {
            Value::Pointer(STACK, offset) => {
                Some((&raw const shared.stack) as u64 + *offset as u64)
            }
            Value::Pointer(_, offset) => Some((&raw const shared.memory) as u64 + *offset as u64),
            // Of a sum, bytes know the lowest alone.
            Value::Cells(cells) => {
                let known = cells.iter().take_while(|cell| **cell != D::UNKNOWN).count();
                let above = if known * D::BITS == 64 {
                    0
                } else {
                    to.general[n] >> (known * D::BITS) << (known * D::BITS)
                };
                domain.number(&cells[..known]).map(|number| number | above)
            }
            _ => None,
        };
        if value != Some(to.general[n]) && !matches!(value_of, Value::Unknown) {
            found.push(format!("register {n}: {value_of:x?}, not {:x}", to.general[n]));
        }
    }
    let wide = if processor::has_wide() { 8 } else { 4 };
    for (n, vector) in state.vectors.iter().enumerate().take(4 * wide) {
        for (k, cells) in vector.chunks(64 / D::BITS).enumerate().take(wide) {
            if domain.number(cells) != Some(to.vectors[n][k]) {
                found.push(format!("vector {n}, word {k}: not {:x}", to.vectors[n][k]));
            }
        }
    }
    let mask: Option<Vec<u64>> =
        state.vectors[K1].chunks(8 / D::BITS).map(|cells| domain.number(cells)).collect();
    if wide == 8 && mask != Some(of_mask(to.mask).map(u64::from).to_vec()) {
        found.push(format!("mask: {mask:x?}, not {:x}", to.mask));
    }
    let is_zero = to.flags >> 6 & 1 == 1;
    if let Flag::Zero(flag) = state.flag
        && flag != is_zero
    {
        found.push(format!("zero flag: {flag}"));
    }
    let regions = [
        (STACK, &before.stack[..RETURN as usize], &shared.stack[..RETURN as usize]),
        (ARGUMENTS, &before.memory[..], &shared.memory[..]),
    ];
    for (number, before, after) in regions {
        let region = &state.memory.regions[number];
        let mut expected = before.to_vec();
        let cells = region.cells.chunks(8 / D::BITS);
        for (n, (cells, byte)) in cells.zip(&mut expected).enumerate() {
            let is_value = region.values.keys().any(|at| (*at..at + 8).contains(&(n as i64)));
            if region.written[n] {
                let known = domain.number(cells).map(|number| number as u8);
                *byte = known.unwrap_or(if is_value { after[n] } else { !after[n] });
            }
        }
        if expected != after {
            found.push(region.name.into());
        }
    }
    found
}

/// Runs an instruction both ways: what differs, or why the prover refuses.
fn compare<D: Domain>(
    image: &Image,
    machine: &mut Machine<'_, D>,
    slot: &mut Slot,
    (before, memory): (&Shared, &Memory<D::Cell>),
    shared: &mut Shared,
    i: &Instruction,
    random: &mut fastrand::Rng,
) -> Result<Vec<String>, String> {
    shared.clone_from(before);
    let (mut registers, pointers) = start(i, shared, random);
    let mut state = model(&mut machine.domain, i.ip(), &registers, &pointers, memory.clone());
    let is_zero = random.bool();
    registers.flags |= u64::from(is_zero) << 6;
    state.flag = Flag::Zero(is_zero);
    machine.run_one(&mut state)?;
    let at = (i.ip() - machine.code.start) as usize;
    let bytes = &image.code(&machine.code)[at..at + i.len()];
    // SAFETY: the prover has seen that it touches nothing but `shared`, which is writable.
    #[allow(unsafe_code, reason = "runs machine code")]
    unsafe {
        slot.run(bytes, &mut registers);
    }
    Ok(differences(&machine.domain, &state, &registers, before, std::hint::black_box(shared)))
}

/// Whether this processor has what an instruction needs.
fn can_run(i: &Instruction) -> bool {
    use iced_x86::CpuidFeature::*;
    i.cpuid_features().iter().all(|feature| match feature {
        BMI2 => std::arch::is_x86_feature_detected!("bmi2"),
        AVX => std::arch::is_x86_feature_detected!("avx"),
        AVX2 => std::arch::is_x86_feature_detected!("avx2"),
        AVX512F => std::arch::is_x86_feature_detected!("avx512f"),
        AVX512VL => std::arch::is_x86_feature_detected!("avx512vl"),
        AVX512BW => std::arch::is_x86_feature_detected!("avx512bw"),
        AVX512_VBMI => std::arch::is_x86_feature_detected!("avx512vbmi"),
        GFNI => std::arch::is_x86_feature_detected!("gfni"),
        _ => true,
    })
}

/// Some instructions of each form, with their kernels' addresses.
fn instances(image: &Image) -> BTreeMap<String, Vec<(Range<u64>, Instruction)>> {
    let mut forms: BTreeMap<String, Vec<(Range<u64>, Instruction)>> = BTreeMap::new();
    for kernel in image.kernels.values() {
        for i in Decoder::with_ip(64, image.code(kernel), kernel.start, DecoderOptions::NONE) {
            let instances = forms.entry(form(&i)).or_default();
            let is_memory = i.op_kinds().any(|kind| kind == OpKind::Memory);
            let displacement = (i.memory_displacement64() as i64).unsigned_abs();
            let is_near = !is_memory || displacement < REACH;
            if instances.len() < INSTANCES && is_near {
                instances.push((kernel.clone(), i));
            }
        }
    }
    forms
}

/// Runs instructions of one form in many states: how many states, or what is wrong.
fn check<D: Domain>(
    image: &Image,
    instances: &[(Range<u64>, Instruction)],
    slot: &mut Slot,
    shared: &mut Shared,
    random: &mut fastrand::Rng,
) -> Result<usize, String> {
    let covered = proof::covered();
    let (mut states, mut refused) = (0, String::from("no instance of it"));
    for (kernel, i) in instances {
        let mut machine = Machine::<D>::new(image, kernel.clone(), &covered);
        let mut before = shared.clone();
        before.stack.iter_mut().for_each(|byte| *byte = random.u8(..));
        before.memory.iter_mut().for_each(|byte| *byte = random.u8(..));
        let memory = memory(&mut machine.domain, &before);
        for _ in 0..STATES {
            match compare(image, &mut machine, slot, (&before, &memory), shared, i, random) {
                Ok(found) if found.is_empty() => states += 1,
                Ok(found) => return Err(format!("`{i}` differs: {}", found.join(", "))),
                Err(error) => refused = format!("`{i}`: {error}"),
            }
        }
    }
    if states == 0 { Err(refused) } else { Ok(states) }
}

#[test]
fn slow_every_form_does_what_the_processor_does() {
    let image = program::image();
    let Some(mut slot) = Slot::new() else {
        println!("not run: co-simulation, for which this processor needs AVX");
        return;
    };
    let mut shared = Box::new(Shared { stack: [0; 4096], memory: [0; MEMORY] });
    let mut random = fastrand::Rng::with_seed(1);
    let instances = instances(&image);
    let (mut forms, mut runs, mut wrong) = (0, 0, Vec::new());
    for form in proof::covered() {
        let Some(instances) = instances.get(&form) else {
            wrong.push(format!("{form} is covered, and occurs nowhere"));
            continue;
        };
        if CONTROL.contains(&&*form) || form == ADDRESS {
            continue;
        }
        let can_run = instances.first().is_none_or(|(_, i)| can_run(i));
        if !can_run {
            println!("not run: {form}, which this processor has not");
            continue;
        }
        // Bits refuse some, and bytes much: what one of them does is as the processor does it.
        let of_bits = check::<Bits>(&image, instances, &mut slot, &mut shared, &mut random);
        let of_bytes = check::<Bytes>(&image, instances, &mut slot, &mut shared, &mut random);
        match (of_bits, of_bytes) {
            (Err(error), _) | (_, Err(error)) if error.contains("differs") => wrong.push(error),
            (Err(error), Err(_)) => wrong.push(format!("{form}: {error}")),
            (of_bits, of_bytes) => {
                forms += 1;
                runs += of_bits.unwrap_or(0) + of_bytes.unwrap_or(0);
            }
        }
    }
    println!("{forms} forms in {runs} states");
    assert!(wrong.is_empty(), "{} forms: {wrong:#?}", wrong.len());
}
