//! Random kernels on words and on vectors, against the interpreter's results.

use loom::ir::{
    Access, Address, Builder, Bytes, Endian, Extent, Kernel, Memory, Op, SELECT, Scalar, Table,
    Type, Value, interpret, verify,
};
use loom::isa::aarch64::conventions::AAPCS64;
use loom::isa::aarch64::{AARCH64, AArch64, features};
use loom::isa::{Choices, Features, Sums};
use loom::pipeline::{Options, compile};
use loom::schedule::Order;
use loom::tune::Random;

use super::program::{Case, Image, build, call};
use crate::folder::Folder;

/// Bytes of memory that a kernel reads, and that it reads and writes.
const MEMORY: u32 = 512;

/// What operations are tried on.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Words(Type),
    Vectors,
}

/// Anything of a list.
fn any<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[random.below(all.len())]
}

/// A constant: random, or one of few bits in a row, over and over.
fn number(random: &mut Random) -> u64 {
    let size = any(random, &[8u32, 16, 32, 64]);
    let part = u64::MAX >> (64 - 1 - random.below(size as usize - 1) as u32);
    let part = (0..64 / size).fold(0, |sum, n| sum | part << (n * size));
    let all =
        [random.bits(), part.rotate_left(random.below(64) as u32), random.bits() >> 52, !0 << 12];
    any(random, &all)
}

/// One more value made of others.
fn word(b: &mut Builder, ty: Type, random: &mut Random, values: &[Value], at: [Value; 3]) -> Value {
    let [input, state, small] = at;
    let bits = if ty == Type::W32 { 32 } else { 64 };
    let (x, y) = (any(random, values), any(random, values));
    let by = random.below(bits) as u8;
    let size = bits as i32 / 8;
    let place = random.below(MEMORY as usize / 8 - 1) as i32 * 8 + random.below(2) as i32;
    match random.below(20) {
        0 => b.and(x, y),
        1 => b.or(x, y),
        2 => b.and_not(x, y),
        3 => b.not(x),
        4 => b.shl(x, by),
        5 => b.shr(x, by),
        6 => b.rotl(x, by),
        7 => b.add(x, y),
        8 => {
            let number = b.constant(ty, number(random));
            any(random, &[Builder::and, Builder::or, Builder::xor, Builder::add])(b, x, number)
        }
        9 => {
            let field = b.field(x, by, 1 + random.below(bits - usize::from(by)) as u8);
            b.xor(field, y)
        }
        10 => b.swap_bytes(x),
        11 => {
            let other = if ty == Type::W32 { Type::W64 } else { Type::W32 };
            let resized = b.resize(x, other);
            let turned = b.rotl(resized, 5);
            b.resize(turned, ty)
        }
        12 => {
            let endian = any(random, &[Endian::Big, Endian::Little, Endian::Native]);
            b.load(input, place, ty, endian)
        }
        13 => {
            b.store_ordered(x, state, place);
            b.load_ordered(state, place / 2, ty)
        }
        14 => {
            let scale = any(random, &[1, 2, 4, 8]);
            let offset = any(random, &[0, 0, 1, 8, 200]);
            let address = Address { base: input, offset, index: Some((small, scale)) };
            let bytes = any(random, &[1, 2, size as u8]);
            let load = Op::Load { address, bytes, endian: Endian::Little, ordered: false };
            let loaded = b.op(ty, load);
            b.xor(loaded, y)
        }
        15 => {
            let (a, c) = (b.field(x, 0, 1), b.field(y, 0, 1));
            let rare = by & 1 == 0;
            b.op(ty, Op::SelectEq { a, b: c, then: x, otherwise: y, rare })
        }
        16 => {
            let moved = any(random, &[b.shl(x, by), b.shr(x, by), b.rotl(x, by)]);
            any(random, &[Builder::and, Builder::or, Builder::xor, Builder::add, Builder::and_not])(
                b, y, moved,
            )
        }
        17 => {
            let bytes = any(random, &[1, 2, size as u8]);
            let address = Address { base: state, offset: place, index: None };
            let endian = Endian::Little;
            b.op(ty, Op::Store { value: x, address, bytes, endian, ordered: true });
            b.xor(x, y)
        }
        18 => {
            // A sum of a sum, each modulo a power of two.
            let bits = any(random, &[8, 8, 5, 16]);
            let sum = b.add(x, y);
            let sum = b.field(sum, 0, bits);
            let again = b.add(sum, any(random, values));
            b.field(again, 0, any(random, &[8, 8, 5]))
        }
        _ => {
            let z = any(random, values);
            let sum = b.xor(x, y);
            b.xor(sum, z)
        }
    }
}

/// One more vector made of others.
fn vector(b: &mut Builder, random: &mut Random, values: &[Value], at: [Value; 3]) -> Value {
    let ty = Type::Vector(128);
    let [input, state, _] = at;
    let (x, y) = (any(random, values), any(random, values));
    let by = random.below(64) as u8;
    let place = random.below(MEMORY as usize / 16 - 1) as i32 * 16 + random.below(2) as i32;
    let ops = [
        Bytes::Evens,
        Bytes::Interleave,
        Bytes::InterleaveWords,
        Bytes::Halves,
        Bytes::LowHalves,
        Bytes::Next,
        Bytes::NextWithin,
        Bytes::Sum,
        Bytes::Equal,
        Bytes::Move,
        Bytes::Pairs,
    ];
    match random.below(24) {
        0 => b.and(x, y),
        1 => b.or(x, y),
        2 => b.and_not(x, y),
        3 => b.not(x),
        4 => b.shl(x, by),
        5 => b.shr(x, by),
        6 => b.load(input, place, ty, Endian::Native),
        7 => b.constant(ty, number(random)),
        8 => {
            b.store_ordered(x, state, place);
            b.load_ordered(state, place / 2, ty)
        }
        9 => b.broadcast(input, place, any(random, &[4, 8]), ty),
        10 => b.load_low(input, place, any(random, &[4, 8]), ty),
        11 => {
            let address = Address { base: state, offset: place, index: None };
            let endian = Endian::Native;
            b.op(ty, Op::Store { value: x, address, bytes: 8, endian, ordered: true });
            b.xor(x, y)
        }
        12 => {
            let low = b.resize(x, any(random, &[Type::W32, Type::W64]));
            let turned = b.rotl(low, 3);
            let back = b.resize(turned, ty);
            b.xor(back, y)
        }
        13 | 14 => b.bytes(any(random, &ops), x, y),
        16 => b.ternary(SELECT, [x, y, any(random, values)]),
        17 => {
            let not = b.not(y);
            b.or(x, not)
        }
        18 | 19 => {
            // Every second part of each, or nearly.
            let by = any(random, &[2, 4, 8, 16, 32]);
            let lower = b.constant(ty, u64::MAX / ((1 << any(random, &[4, by, by])) + 1));
            match random.below(2) {
                0 => {
                    let up = b.shl(y, by);
                    b.ternary(SELECT, [lower, x, up])
                }
                _ => {
                    let down = b.shr(x, by);
                    b.ternary(SELECT, [lower, down, y])
                }
            }
        }
        22 | 23 => {
            // Numbers below 64 and others; among the tables some twice, and some that were looked up before.
            let index = b.mask(x, any(random, &[0x3f3f_3f3f_3f3f_3f3f, 0x1f3f_7fff_0f1f_3f7f]));
            let tables: Vec<_> =
                (0..1 + random.below(4)).map(|_| values[random.below(values.len())]).collect();
            b.pick_from(index, &tables)
        }
        15 => {
            let some = b.and_not(x, y);
            b.xor(some, any(random, values))
        }
        _ => {
            let sum = b.xor(x, y);
            b.xor(any(random, values), sum)
        }
    }
}

/// A kernel of random operations, of which `live` values are wanted at the end: many need slots.
fn kernel(kind: Kind, live: usize, random: &mut Random) -> Kernel {
    let mut b = Builder::new("random", "Random operations.");
    let entries = (0..64).map(|_| random.bits()).collect();
    let (name, doc) = ("numbers".to_owned(), "random numbers".to_owned());
    let table = b.table(Table { name, doc, entry_bytes: 8, entries });
    b.table_set("random_tables");
    let extent = Extent::Fixed(MEMORY);
    let input = b.pointer("input", Access::Read, extent, "what is read");
    let state = b.pointer("state", Access::ReadWrite, extent, "what is read and written");
    let (ty, half) = match kind {
        Kind::Words(ty) => (ty, b.word("half", Type::W32, "a word of 32 bits")),
        Kind::Vectors => (Type::Vector(128), b.word("half", Type::W32, "a word of 32 bits")),
    };
    let count = b.word("count", Type::W64, "how often");
    let first = b.load_ordered(state, 0, ty);
    let other = b.load(input, 16, ty, Endian::Native);
    let after = b.repeat(count, &[first, other, state], |b, carried| {
        let state = carried[2];
        let mut values = carried[..2].to_vec();
        let some = b.load(input, 8, Type::W64, Endian::Native);
        let small = b.field(some, 3, 5);
        let at = [input, state, small];
        for n in 0..3 * live {
            let value = match (kind, n % 9) {
                (Kind::Words(_), 4) => {
                    let index = b.field(some, n as u8 % 50, 6);
                    let entry = b.lookup(table, index, Type::W64);
                    let entry = if ty == Type::W32 { b.resize(entry, ty) } else { entry };
                    b.xor(entry, any(random, &values))
                }
                (Kind::Vectors, 4) => b.constants(table, 2 * random.below(20) as u64, ty),
                (_, 5) => {
                    let given = b.resize(half, ty);
                    b.xor(given, any(random, &values))
                }
                (Kind::Words(ty), _) => word(b, ty, random, &values, at),
                (Kind::Vectors, _) => vector(b, random, &values, at),
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
    b.store_ordered(after[0], after[2], 16);
    b.store_ordered(after[1], after[2], 32);
    b.finish()
}

/// Kernels in several ways, each called no time, once and three times.
fn cases(kind: Kind, features: Features, image: &mut Image, random: &mut Random) -> Vec<Case> {
    let mut cases = Vec::new();
    for n in 0..40 {
        let kernel = kernel(kind, 4 + 2 * n, random);
        verify(&kernel).unwrap_or_else(|defect| panic!("{defect:?}\n{kernel}"));
        let order = Order { window: 40, seed: n as u64, noise: 30, ..Order::default() };
        let choices = Choices {
            branch: n % 3 == 0,
            sums: Sums::dealt(1 + n as u8 % 4),
            ..Choices::default()
        };
        let options = Options::untuned(AARCH64.costs[n % AARCH64.costs.len()], features);
        let options = Options { order: (n % 2 == 1).then_some(order), choices, ..options };
        let made = compile::<AArch64>(&kernel, &AAPCS64, &options);
        let made = made.unwrap_or_else(|wrong| panic!("{wrong}\n{kernel}"));
        let at = image.add(&made);
        for count in [0, 1, 3] {
            let mut fill = || Memory { bytes: (0..MEMORY).map(|_| random.bits() as u8).collect() };
            let before = [fill(), fill()];
            let mut after = before.clone();
            let word = random.bits() >> 32;
            let scalars =
                [Scalar::Region(0), Scalar::Region(1), Scalar::Word(word), Scalar::Word(count)];
            interpret(&kernel, &scalars, &mut after).expect("what the interpreter can run");
            let mut case = Case::new(at, &made, &scalars, &before, &after);
            case.what = format!("{n} of {kind:?}, {count} times\n{kernel}");
            cases.push(case);
        }
    }
    cases
}

#[test]
fn random_kernels_are_the_interpreter_s() {
    let folder = Folder::new();
    let program = build(&folder);
    let mut random = Random::new(1);
    let mut image = Image::default();
    let mut all = Vec::new();
    for ty in [Type::W64, Type::W32] {
        all.extend(cases(Kind::Words(ty), Features::NONE, &mut image, &mut random));
    }
    all.extend(cases(Kind::Vectors, Features::NONE, &mut image, &mut random));
    for processor in ["cortex-a72", "neoverse-n1"] {
        call(&program, processor, &image, &all);
    }
    let mut image = Image::default();
    let new = cases(Kind::Vectors, features::SHA3, &mut image, &mut random);
    call(&program, "max", &image, &new);
    println!("{} calls of random kernels", all.len() + new.len());
}
