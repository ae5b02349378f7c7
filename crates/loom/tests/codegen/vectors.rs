//! Random kernels on vectors as machine code, called here, against the interpreter's results.
#![allow(unsafe_code, reason = "calls the kernels")]

use loom::exec::{CallBuffers, Jit, Processor};
use loom::ir::{
    Access, Address, Builder, Bytes, Extent, Kernel, Memory, Op, Scalar, Table, Type, Value,
    interpret, verify,
};
use loom::isa::frame::Abi;
use loom::isa::x86::X86_64;
use loom::isa::x86::conventions::{CDECL, SYSV64};
use loom::isa::x86::costs::GENERIC;
use loom::isa::x86::{X86, features};
use loom::isa::{Choices, Features, Isa};
use loom::pipeline::{Options, compile};
use loom::schedule::Order;
use loom::tune::Random;

/// Vectors in memory that a kernel reads, and that it reads and writes.
const VECTORS: i32 = 16;

/// The operations on bytes that a processor has.
fn on_bytes(bits: u16, features: Features) -> Vec<Bytes> {
    let interleaved = [
        Bytes::InterleavePairs,
        Bytes::InterleaveWords,
        Bytes::InterleaveParts,
        Bytes::UpperPairs,
        Bytes::UpperWords,
        Bytes::UpperParts,
    ];
    let within = [&interleaved[..], &[Bytes::Interleave, Bytes::Sum, Bytes::Equal]].concat();
    let both = [Bytes::Shuffle, Bytes::Distance, Bytes::Evens, Bytes::NextWithin, Bytes::Sum];
    let narrow = [Bytes::Sign, Bytes::Halves, Bytes::LowHalves, Bytes::Equal];
    let narrow = [&both[..], &narrow, &interleaved].concat();
    let wide = [&both[..], &[Bytes::Next]].concat();
    match (bits, features) {
        (128, Features::NONE | features::SSE2) => within,
        (128, features::GFNI) => [&within[..], &[Bytes::Shuffle, Bytes::Matrix]].concat(),
        (256, features::AVX2) => narrow,
        (256 | 512, features::AVX512) => wide,
        (256 | 512, features::VBMI) => [&wide[..], &[Bytes::Pick, Bytes::Matrix]].concat(),
        _ => Vec::new(),
    }
}

/// A kernel of random operations, of which `live` values are wanted at the end: many need slots.
/// `word` is what an index and a count have.
fn kernel(bits: u16, word: Type, features: Features, live: usize, random: &mut Random) -> Kernel {
    let ty = Type::Vector(bits);
    let (ternary, broadcast) = (
        features.include(features::AVX512),
        features.include(features::AVX2) || features.include(features::AVX512),
    );
    let on_bytes = on_bytes(bits, features);
    let bytes = i32::from(bits / 8);
    let mut b = Builder::new("random", "Random operations.");
    let entries = (0..128).map(|_| random.bits() >> 56).collect();
    let (name, doc) = ("numbers".to_owned(), "random bytes".to_owned());
    let table = b.table(Table { name, doc, entry_bytes: 1, entries });
    b.table_set("random_tables");
    let extent = Extent::Fixed((VECTORS * bytes) as u32);
    let input = b.pointer("input", Access::Read, extent, "vectors");
    b.aligned(input, 64);
    let state = b.pointer("state", Access::ReadWrite, extent, "vectors");
    let shifts = b.pointer("places", Access::Read, Extent::Fixed(64), "where to read");
    let count = b.word("count", word, "how often");
    let first = b.load_ordered(state, 0, ty);
    let other = b.load(input, bytes, ty, loom::ir::Endian::Native);
    let after = b.repeat(count, &[first, other, state], |b, carried| {
        let state = carried[2];
        let mut values = carried[..2].to_vec();
        let index = b.load(shifts, 8, word, loom::ir::Endian::Native);
        for n in 0..3 * live {
            let any = |random: &mut Random, values: &[Value]| values[random.below(values.len())];
            let (x, y, z) = (any(random, &values), any(random, &values), any(random, &values));
            let at = random.below(VECTORS as usize) as i32 * bytes;
            let by = random.below(64) as u8;
            let value = match random.below(22) {
                0 => b.and(x, y),
                1 => b.or(x, y),
                2 => b.and_not(x, y),
                3 => b.not(x),
                4 => b.shl(x, by),
                5 => b.shr(x, by),
                6 => b.load(input, at, ty, loom::ir::Endian::Native),
                7 => b.load_ordered(state, at, ty),
                8 => b.constant(ty, if by < 8 { u64::MAX } else { random.bits() }),
                9 if broadcast => {
                    let size = if by < 32 { 4 } else { 8 };
                    let word = b.broadcast(input, 4 * i32::from(by % 60), size, ty);
                    if by & 1 == 0 { b.xor(word, x) } else { word }
                }
                10 if ternary => b.ternary(random.bits() as u8, [x, y, z]),
                11 if ternary => {
                    let word = b.broadcast(input, 8 * i32::from(by % 30), 8, ty);
                    b.ternary(random.bits() as u8, [x, word, z])
                }
                12 => {
                    let address = Address { base: input, offset: 0, index: Some((index, 8)) };
                    let (bytes, endian) = (bytes as u8, loom::ir::Endian::Native);
                    let loaded = b.op(ty, Op::Load { address, bytes, endian, ordered: false });
                    b.xor(loaded, y)
                }
                13 | 14 if !on_bytes.is_empty() => {
                    let op = on_bytes[random.below(on_bytes.len())];
                    b.bytes(op, x, y)
                }
                // Entries of a table, often as an operand.
                15 if !on_bytes.is_empty() => {
                    let first = b.constant(word, u64::from(by));
                    let entries = b.lookup(table, first, ty);
                    let op = on_bytes[random.below(on_bytes.len())];
                    if by & 1 == 0 { b.bytes(op, x, entries) } else { b.and(entries, z) }
                }
                16 if features.include(features::VBMI) => b.pick_two(x, [y, z]),
                17 => {
                    let address = Address { base: state, offset: at + 8, index: None };
                    let endian = loom::ir::Endian::Native;
                    b.op(ty, Op::Store { value: x, address, bytes: 8, endian, ordered: true });
                    b.xor(x, z)
                }
                18 => {
                    // Words of the mode go to vectors and back.
                    let low = b.resize(x, word);
                    let high = b.load(input, at, word, loom::ir::Endian::Native);
                    let sum = b.add(low, high);
                    let back = b.resize(sum, ty);
                    b.xor(back, y)
                }
                19 => {
                    let half = b.resize(x, Type::W32);
                    let half = b.rotl(half, 3);
                    b.resize(half, ty)
                }
                20 => {
                    let size = if by < 32 { 4 } else { 8 };
                    let low = b.load_low(input, at + i32::from(by % 9), size, ty);
                    b.xor(low, z)
                }
                21 if ternary => {
                    // Of random bytes few are equal: some of these are, others are not.
                    let some = b.and(x, y);
                    b.select_bytes([x, some], z, y)
                }
                _ => {
                    b.store_ordered(x, state, at);
                    b.xor(x, y)
                }
            };
            values.push(value);
            if n % 5 == 4 && values.len() > live {
                values.remove(random.below(values.len()));
            }
        }
        let sum = b.xor_all(&values);
        b.store_ordered(sum, state, 0);
        vec![sum, values[0], state]
    });
    b.store_ordered(after[0], after[2], bytes);
    b.store_ordered(after[1], after[2], 2 * bytes);
    b.finish()
}

fn compare(
    abi: &'static Abi,
    kernel: &Kernel,
    features: Features,
    order: Option<Order>,
    random: &mut Random,
) {
    verify(kernel).unwrap();
    let options = Options { order, ..Options::untuned(GENERIC, features) };
    let made = compile::<X86>(kernel, abi, &options).unwrap();
    let jit = Jit::new(&made).unwrap();
    for count in [0, 1, 3] {
        let mut fill = |n: usize| (0..n).map(|_| random.bits() as u8).collect::<Vec<u8>>();
        let bytes = |n: usize| kernel.params[n].memory.unwrap().1.bytes(0);
        let mut places = vec![0; 64];
        places[8] = 8;
        let before = [fill(bytes(0)), fill(bytes(1)), places].map(|bytes| Memory { bytes });
        let mut after = before.clone();
        let scalars =
            [Scalar::Region(0), Scalar::Region(1), Scalar::Region(2), Scalar::Word(count)];
        interpret(kernel, &scalars, &mut after).unwrap();
        let mut memory = CallBuffers::of(&before);
        let [a, b, c] = [0, 1, 2].map(|region| memory.address(region));
        // SAFETY: the interpreter has just shown that the kernel stays within these regions.
        unsafe { jit.call([a, b, c, count as usize], 1) };
        assert!(memory.memory() == after, "{}, {features:?}, {order:?}\n{kernel}", abi.name);
    }
}

/// For each set of features, vectors of some widths.
fn random_kernels_are_the_interpreter_s(
    abi: &'static Abi,
    word: Type,
    wanted: &[(Features, &[u16])],
) {
    let here = Processor::detect();
    let mut random = Random::new(1);
    let mut ran = 0;
    for &(features, widths) in wanted {
        if !here.has(features) {
            println!("not run here: {}, {:?}", abi.name, features.names());
            continue;
        }
        for (&bits, n) in widths.iter().flat_map(|bits| (0..40).map(move |n| (bits, n))) {
            let kernel = kernel(bits, word, features, 4 + 2 * n, &mut random);
            let order = (n % 2 == 1).then_some(Order {
                window: 40,
                seed: n as u64,
                noise: 30,
                ..Order::default()
            });
            compare(abi, &kernel, features, order, &mut random);
            ran += 1;
        }
    }
    println!("{}: {ran} random kernels ran", abi.name);
    assert!(ran >= 40, "{}: this processor has nothing that is wanted", abi.name);
}

#[test]
fn random_kernels_of_64_bits_are_the_interpreter_s() {
    let wanted: [(_, &[u16]); 5] = [
        (Features::NONE, &[128]),
        (features::GFNI, &[128]),
        (features::AVX2, &[256]),
        (features::AVX512, &[128, 256, 512]),
        (features::VBMI, &[256, 512]),
    ];
    random_kernels_are_the_interpreter_s(&SYSV64, Type::W64, &wanted);
}

/// In this very process: Linux lets a program change to 32-bit code and back.
#[cfg(target_os = "linux")]
#[test]
fn random_kernels_of_32_bits_are_the_interpreter_s() {
    let wanted: [(_, &[u16]); 3] =
        [(features::SSE2, &[128]), (features::GFNI, &[128]), (features::AVX2, &[256])];
    random_kernels_are_the_interpreter_s(&CDECL, Type::W32, &wanted);
}

/// A kernel that does one thing to bytes of a vector.
fn one(op: Bytes, bits: u16) -> Kernel {
    let mut b = Builder::new("one", "One operation.");
    let extent = Extent::Fixed(u32::from(bits / 8));
    let data = b.pointer("data", Access::ReadWrite, extent, "a vector");
    let x = b.load(data, 0, Type::Vector(bits), loom::ir::Endian::Native);
    let y = b.bytes(op, x, x);
    b.store(y, data, 0, loom::ir::Endian::Native);
    b.finish()
}

fn lowered(kernel: &Kernel, features: Features) {
    let isa = X86::new(&X86_64, features);
    let _ = isa.lower(kernel, &SYSV64, &Choices::default());
}

#[test]
#[should_panic(
    expected = r#"no `pick` on vectors of 512 bits with ["bswap", "cmov", "sse2", "avx512"]"#
)]
fn bytes_are_not_picked_without_vbmi() {
    lowered(&one(Bytes::Pick, 512), features::AVX512);
}

#[test]
#[should_panic(
    expected = r#"no `sign` on vectors of 512 bits with ["bswap", "cmov", "sse2", "vbmi"]"#
)]
fn an_instruction_that_avx512_dropped_is_refused() {
    lowered(&one(Bytes::Sign, 512), features::VBMI);
}

#[test]
#[should_panic(expected = r#"no `shuffle` on vectors of 128 bits with ["bswap", "cmov", "sse2"]"#)]
fn bytes_are_not_shuffled_by_sse2() {
    lowered(&one(Bytes::Shuffle, 128), Features::NONE);
}
