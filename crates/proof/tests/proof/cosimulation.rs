//! What the prover says of instructions, beside the processor: every form that occurs in a kernel, with
//! every immediate of one byte, on random states.
//!
//! `coverage/x86_64.txt`, `coverage/x86_32.txt` and `coverage/x86_16.txt` have all forms that may occur; the prover refuses others.

use crate::processor::{self, Registers, Slot};
use crate::processor_16::{self, RealSlot};
use crate::processor_32::NarrowSlot;
use crate::{emitted, program, unproved};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
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
const CONTROL: [&str; 19] = [
    "Je_rel8_64 target",
    "Je_rel32_64 target",
    "Jne_rel8_64 target",
    "Jne_rel32_64 target",
    "Jmp_rel8_64 target",
    "Jmp_rel32_64 target",
    "Retnq",
    "Je_rel8_32 target",
    "Je_rel32_32 target",
    "Jne_rel8_32 target",
    "Jne_rel32_32 target",
    "Jmp_rel8_32 target",
    "Jmp_rel32_32 target",
    "Call_rel32_32 target",
    "Retnd",
    "Je_rel16 target",
    "Jne_rel16 target",
    "Retnw",
    "Retfw",
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
const TOP: i64 = RETURN - 2040;

/// Where an instruction runs.
enum Processor {
    /// In code of 64 bits.
    Wide(Slot),
    /// In code of 32 bits.
    Narrow(NarrowSlot),
    /// In code of 16 bits.
    Real(RealSlot),
}

impl Processor {
    /// For code of an instruction set; `None` if this processor lacks what it takes.
    fn new(isa: Isa) -> Option<Self> {
        match isa {
            Isa::X86_32 => NarrowSlot::new().map(Self::Narrow),
            Isa::X86_16 => Some(Self::Real(RealSlot::new())),
            _ => Slot::new().map(Self::Wide),
        }
    }

    fn isa(&self) -> Isa {
        match self {
            Self::Wide(_) => Isa::X86_64,
            Self::Narrow(_) => Isa::X86_32,
            Self::Real(_) => Isa::X86_16,
        }
    }

    /// How many vectors there are, and words of 64 bits in each that are looked at.
    fn vectors(&self) -> (usize, usize) {
        match self {
            Self::Real(_) => (0, 0),
            Self::Narrow(_) => (8, 4),
            Self::Wide(_) if processor::has_wide() => (32, 8),
            Self::Wide(_) => (16, 4),
        }
    }

    /// Where the segments of the stack and of memory begin that an instruction reaches.
    fn bases(&self, i: &Instruction) -> [u64; 2] {
        let is_code = matches!(i.memory_segment(), Register::CS | Register::SS);
        let data = if is_code { processor_16::PAGE } else { processor_16::DATA };
        match self {
            Self::Real(_) => [processor_16::PAGE as u64, data as u64],
            _ => [0, 0],
        }
    }

    /// What of a general register there is.
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.isa().convention().word)
    }

    /// # Safety
    /// As of the slots'.
    #[allow(unsafe_code, reason = "runs machine code")]
    unsafe fn run(&mut self, instruction: &[u8], registers: &mut Registers) {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Wide(slot) => slot.run(instruction, registers),
                Self::Narrow(slot) => slot.run(instruction, registers),
                Self::Real(slot) => slot.run(instruction, registers),
            }
        }
    }
}

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
    stack: [u8; RETURN as usize + 8],
    memory: [u8; MEMORY],
}

/// It, where addresses of 32 bits reach it.
struct Low(&'static mut Shared);

impl Low {
    #[allow(unsafe_code, reason = "maps memory")]
    fn new(processor: &Processor) -> Self {
        if let Processor::Real(_) = processor {
            // SAFETY: memory of the processor's own, which is zeroed and stays as long as it does.
            return Self(unsafe { &mut *(processor_16::DATA as *mut Shared) });
        }
        // SAFETY: a new mapping, which is zeroed and stays, of a type that may be zeros.
        let shared = unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_32BIT;
            let at = libc::mmap(std::ptr::null_mut(), size_of::<Shared>(), access, kind, -1, 0);
            assert_ne!(at, libc::MAP_FAILED);
            &mut *at.cast::<Shared>()
        };
        Self(shared)
    }
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
fn start(
    i: &Instruction,
    processor: &Processor,
    shared: &Shared,
    random: &mut fastrand::Rng,
) -> (Registers, Pointers) {
    let (mask, [stack_base, base]) = (processor.mask(), processor.bases(i));
    let is_real = processor.isa() == Isa::X86_16;
    let mut general: [u64; 16] = std::array::from_fn(|_| random_word(random));
    let mut vectors: [[u64; 8]; 32] =
        std::array::from_fn(|_| std::array::from_fn(|_| random_word(random)));
    if random.u8(..4) == 0 {
        // Equal numbers, too.
        general = [general[0]; 16];
        vectors = [vectors[0]; 32];
    }
    general.iter_mut().for_each(|word| *word &= mask);
    let has_memory = i.op_kinds().any(|kind| kind == OpKind::Memory);
    let pointer = has_memory.then(|| i.memory_base().full_register().number());
    let pointer = pointer.filter(|pointer| *pointer != RSP);
    if has_memory && i.memory_index() != Register::None {
        general[i.memory_index().full_register().number()] &= 255;
    }
    // Sometimes anywhere: what the prover lets be there, the processor must.
    let apart = if random.u8(..4) == 0 { random.i64(0..64) } else { 0 };
    // Selectors on the stack do not overlap.
    let apart = if is_real { apart & !1 } else { apart };
    if let Some(pointer) = pointer {
        general[pointer] = (&raw const shared.memory) as u64 + (MIDDLE + apart) as u64 - base;
    }
    general[RSP] = (&raw const shared.stack) as u64 + (TOP + apart) as u64 - stack_base;
    if is_real {
        if i.op0_register() == Register::ESP && i.mnemonic() == Mnemonic::Movzx {
            general[RSP] |= u64::from(random.u16(..)) << 16;
        }
        general[8..14].fill(processor_16::OTHER.into());
        general[9] = processor_16::CODE.into();
        general[10] = processor_16::STACK.into();
        if let Register::DS | Register::ES | Register::FS = i.memory_segment() {
            general[8 + i.memory_segment().number()] = processor_16::MEMORY.into();
        }
    }
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
    isa: Isa,
    entry: u64,
    from: &Registers,
    pointers: &Pointers,
    memory: Memory<D::Cell>,
) -> State<D> {
    let mut state = State::call(isa.convention(), entry, memory, &[]);
    for (n, value) in state.registers.iter_mut().enumerate() {
        *value = match n {
            RSP => Value::Pointer(STACK, TOP + pointers.apart),
            8.. if isa == Isa::X86_16 => Value::Cells(domain.cells(from.general[n], 16).into()),
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
    (vectors, words): (usize, usize),
    [stack_base, base]: [u64; 2],
    state: &State<D>,
    to: &Registers,
    before: &Shared,
    shared: &Shared,
) -> Vec<String> {
    let mut found = Vec::new();
    for (n, value_of) in state.registers.iter().enumerate() {
        let value = match value_of {
            Value::Pointer(STACK, offset) => {
                Some((&raw const shared.stack) as u64 + *offset as u64 - stack_base)
            }
            Value::Pointer(_, offset) => {
                Some((&raw const shared.memory) as u64 + *offset as u64 - base)
            }
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
    for (n, vector) in state.vectors.iter().enumerate().take(vectors) {
        for (k, cells) in vector.chunks(64 / D::BITS).enumerate().take(words) {
            if domain.number(cells) != Some(to.vectors[n][k]) {
                found.push(format!("vector {n}, word {k}: not {:x}", to.vectors[n][k]));
            }
        }
    }
    let mask: Option<Vec<u64>> =
        state.vectors[K1].chunks(8 / D::BITS).map(|cells| domain.number(cells)).collect();
    if words == 8 && mask != Some(of_mask(to.mask).map(u64::from).to_vec()) {
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
            let is_value =
                region.values.keys().any(|at| (*at..at + region.word.0).contains(&(n as i64)));
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
    processor: &mut Processor,
    (before, memory): (&Shared, &Memory<D::Cell>),
    shared: &mut Shared,
    i: &Instruction,
    random: &mut fastrand::Rng,
) -> Result<Vec<String>, String> {
    shared.clone_from(before);
    let (mut registers, pointers) = start(i, processor, shared, random);
    let isa = processor.isa();
    let mut state = model(&mut machine.domain, isa, i.ip(), &registers, &pointers, memory.clone());
    if isa == Isa::X86_16 {
        state.wide = i.op0_register() == Register::ESP && i.mnemonic() == Mnemonic::Movzx;
        let of = |n: usize| match &state.registers[n] {
            Value::Cells(cells) => cells.clone(),
            value => panic!("a segment that is {value:?}"),
        };
        let segment = i.memory_segment().is_segment_register().then(|| i.memory_segment().number());
        let (stack, memory) = (of(10), of(8 + segment.unwrap_or(3)));
        state.memory.regions[STACK].segment = stack;
        state.memory.regions[ARGUMENTS].segment = memory;
    }
    let is_zero = random.bool();
    registers.flags |= u64::from(is_zero) << 6;
    state.flag = Flag::Zero(is_zero);
    machine.run_one(&mut state)?;
    let at = (i.ip() - machine.code.start) as usize;
    let bytes = &image.code(&machine.code)[at..at + i.len()];
    // SAFETY: the prover has seen that it touches nothing but `shared`, which is writable.
    #[allow(unsafe_code, reason = "runs machine code")]
    unsafe {
        processor.run(bytes, &mut registers);
    }
    let vectors = processor.vectors();
    Ok(differences(
        &machine.domain,
        vectors,
        processor.bases(i),
        &state,
        &registers,
        before,
        std::hint::black_box(shared),
    ))
}

/// Whether this processor has what an instruction needs.
fn can_run(i: &Instruction) -> bool {
    use iced_x86::CpuidFeature::*;
    i.cpuid_features().iter().all(|feature| match feature {
        BMI1 => std::arch::is_x86_feature_detected!("bmi1"),
        BMI2 => std::arch::is_x86_feature_detected!("bmi2"),
        SSSE3 => std::arch::is_x86_feature_detected!("ssse3"),
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

/// What instructions without prefixes are taken for.
pub(crate) fn bits(isa: Isa) -> u32 {
    if isa == Isa::X86_16 { 16 } else { 8 * isa.convention().word as u32 }
}

/// An instruction of a kernel, which lies at some addresses of an image.
type Instance<'a> = (&'a Image, Range<u64>, Instruction);

/// Some instructions of each form.
fn instances<'a>(images: &[&'a Image]) -> BTreeMap<String, Vec<Instance<'a>>> {
    let mut forms: BTreeMap<String, Vec<Instance<'a>>> = BTreeMap::new();
    let kernels = images.iter().flat_map(|image| image.kernels.values().map(move |at| (image, at)));
    for (image, kernel) in kernels {
        let bits = bits(image.isa);
        for i in Decoder::with_ip(bits, image.code(kernel), kernel.start, DecoderOptions::NONE) {
            let instances = forms.entry(form(&i)).or_default();
            let is_memory = i.op_kinds().any(|kind| kind == OpKind::Memory);
            let displacement = i.memory_displacement64() as i64;
            let displacement =
                if bits == 32 { i64::from(displacement as i32) } else { displacement };
            // Code of 32 bits has addresses of tables in it, without a base or beside it.
            let has_base = i.memory_base() != Register::None;
            let is_near = !is_memory || displacement.unsigned_abs() < REACH && has_base;
            if instances.len() < INSTANCES && is_near {
                instances.push((image, kernel.clone(), i));
            }
        }
    }
    forms
}

/// Runs instructions of one form in many states: how many states, or what is wrong.
fn check<D: Domain>(
    instances: &[Instance<'_>],
    processor: &mut Processor,
    shared: &mut Shared,
    random: &mut fastrand::Rng,
) -> Result<usize, String> {
    let covered = processor.isa().covered();
    let (mut states, mut refused) = (0, String::from("no instance of it"));
    for (image, kernel, i) in instances {
        let mut machine = Machine::<D>::new(image, kernel.clone(), &covered);
        let mut before = shared.clone();
        before.stack.iter_mut().for_each(|byte| *byte = random.u8(..));
        if i.op0_register().is_segment_register() {
            let selectors = [processor_16::MEMORY, processor_16::OTHER];
            for word in before.stack.chunks_exact_mut(2) {
                word.copy_from_slice(&selectors[random.usize(..2)].to_le_bytes());
            }
        }
        before.memory.iter_mut().for_each(|byte| *byte = random.u8(..));
        let memory = memory(&mut machine.domain, &before);
        for _ in 0..STATES {
            match compare(image, &mut machine, processor, (&before, &memory), shared, i, random) {
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
    every_form(&[&program::image(), emitted::of_windows(), unproved::of_x86_64()]);
}

#[test]
fn slow_every_form_of_32_bits_does_what_the_processor_does() {
    every_form(&[emitted::of_32_bits(), emitted::position_independent()]);
}

#[test]
fn slow_every_form_of_16_bits_does_what_the_processor_does() {
    every_form(&emitted::of_real_mode().each_ref());
}

/// Of images of one instruction set.
fn every_form(images: &[&Image]) {
    let isa = images[0].isa;
    let Some(mut processor) = Processor::new(isa) else {
        println!("not run: co-simulation, for which this processor needs AVX");
        return;
    };
    let shared = Low::new(&processor).0;
    let mut random = fastrand::Rng::with_seed(1);
    let instances = instances(images);
    let (mut forms, mut runs, mut wrong) = (0, 0, Vec::new());
    for form in isa.covered() {
        let Some(instances) = instances.get(&form) else {
            wrong.push(format!("{form} is covered, and occurs nowhere"));
            continue;
        };
        if CONTROL.contains(&&*form) || form == ADDRESS {
            continue;
        }
        let can_run = instances.first().is_none_or(|(_, _, i)| can_run(i));
        if !can_run {
            println!("not run: {form}, which this processor has not");
            continue;
        }
        // Bits refuse some, and bytes much: what one of them does is as the processor does it.
        let of_bits = check::<Bits>(instances, &mut processor, shared, &mut random);
        let of_bytes = check::<Bytes>(instances, &mut processor, shared, &mut random);
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
