//! What operations on vectors mean, by the interpreter; and which kernels are constant time.

use loom::ciphers::Strategy;
use loom::ir::{
    Access, Builder, Defect, Endian, Extent, Fault, Memory, Op, Place, Scalar, Type, Value,
    interpret, verify,
};

const WIDTHS: [u16; 4] = [64, 128, 256, 512];

/// What `body` makes of 64 bytes 0, 1, 2, ... and a pointer to these.
fn run(width: u16, body: impl FnOnce(&mut Builder, Value, Type) -> Value) -> Vec<u8> {
    let mut b = Builder::new("test", "A test.");
    let from = b.pointer("from", Access::Read, Extent::Fixed(64), "bytes");
    let to = b.pointer("to", Access::Write, Extent::Fixed(64), "bytes");
    let ty = Type::Vector(width);
    let result = body(&mut b, from, ty);
    b.store(result, to, 0, Endian::Native);
    let kernel = b.finish();
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    let mut memory = [Memory { bytes: (0..64).collect() }, Memory { bytes: vec![0xee; 64] }];
    interpret(&kernel, &[Scalar::Region(0), Scalar::Region(1)], &mut memory).unwrap();
    let (result, rest) = memory[1].bytes.split_at(usize::from(width) / 8);
    assert!(rest.iter().all(|&byte| byte == 0xee), "behind the vector");
    result.to_vec()
}

#[test]
fn a_broadcast_is_its_word_over_and_over() {
    for width in WIDTHS {
        for bytes in [4, 8] {
            let result = run(width, |b, from, ty| b.broadcast(from, 5, bytes, ty));
            let expected: Vec<u8> = (5..5 + bytes).cycle().take(usize::from(width) / 8).collect();
            assert_eq!(result, expected);
        }
    }
}

#[test]
fn whole_vectors_are_loaded_shifted_by_parts_and_combined() {
    for width in WIDTHS {
        let part = |x: u64| x.to_le_bytes();
        let parts = |f: &dyn Fn(u64) -> u64| -> Vec<u8> {
            let word = |n: u64| u64::from_le_bytes(std::array::from_fn(|k| 8 * n as u8 + k as u8));
            (0..u64::from(width) / 64).flat_map(|n| part(f(word(n)))).collect()
        };
        let load = |b: &mut Builder, from, ty| b.load(from, 0, ty, Endian::Native);
        assert_eq!(run(width, load), parts(&|x| x));
        let shifted = run(width, |b, from, ty| {
            let x = load(b, from, ty);
            b.shl(x, 63)
        });
        assert_eq!(shifted, parts(&|x| x << 63));
        let combined = run(width, |b, from, ty| {
            let x = load(b, from, ty);
            let (y, z) = (b.shr(x, 9), b.constant(ty, 0x0f0f));
            b.ternary(0xca, [x, y, z])
        });
        assert_eq!(combined, parts(&|x| x & x >> 9 | !x & 0x0f0f));
        let combined = run(width, |b, from, ty| {
            let x = load(b, from, ty);
            let y = b.broadcast(from, 0, 8, ty);
            let y = b.not(y);
            b.and_not(x, y)
        });
        assert_eq!(combined, parts(&|x| x & 0x0706_0504_0302_0100));
    }
}

#[test]
fn a_broadcast_keeps_to_its_region_and_its_sizes() {
    let kernel = |bytes, offset, ty| {
        let mut b = Builder::new("test", "A test.");
        let from = b.pointer("from", Access::Read, Extent::Fixed(64), "bytes");
        let place = Place { base: from, offset, index: None };
        let value = b.op(ty, Op::Broadcast { place, bytes });
        (b.finish(), value)
    };
    let vector = Type::Vector(256);
    for (bytes, ty) in [(2, vector), (16, vector), (4, Type::W32), (8, Type::W64)] {
        let (kernel, value) = kernel(bytes, 0, ty);
        assert_eq!(verify(&kernel), Err(Defect::Types(value)));
    }
    let (kernel, value) = kernel(8, 57, vector);
    let mut memory = [Memory { bytes: vec![0; 64] }];
    let result = interpret(&kernel, &[Scalar::Region(0)], &mut memory);
    assert_eq!(result, Err(Fault::Access(value)));
}

#[test]
fn kernels_in_bit_slices_are_constant_time_and_those_by_tables_are_not() {
    for strategy in Strategy::all() {
        let kernel = strategy.kernel();
        let sliced = matches!(strategy, Strategy::Bitslice(_));
        assert_eq!(kernel.is_constant_time(), sliced, "{}", kernel.name);
    }
}
