//! What operations on vectors mean, by the interpreter; and which kernels are constant time.

use loom::ciphers::Strategy;
use loom::ir::{
    Access, Address, Builder, Bytes, Defect, Endian, Extent, Fault, Kernel, Memory, Op, Scalar,
    Table, Type, Value, fold_steps, interpret, unroll, verify,
};
use loom::variant::KernelVariant;

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
        let address = Address { base: from, offset, index: None };
        let value = b.op(ty, Op::Broadcast { address, bytes });
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
fn an_inserted_byte_is_one_of_the_lowest_sixteen() {
    let insert = |from, into, at, offset| {
        let address = Address { base: from, offset, index: None };
        Op::InsertByte { into, at, address }
    };
    for width in WIDTHS.into_iter().filter(|width| *width >= 128) {
        let result = run(width, |b, from, ty| {
            let x = b.load(from, 0, ty, Endian::Native);
            b.op(ty, insert(from, x, 5, 17))
        });
        let kept = (0..16u8).map(|n| if n == 5 { 17 } else { n });
        let zeros = std::iter::repeat_n(0, usize::from(width) / 8 - 16);
        assert_eq!(result, kept.chain(zeros).collect::<Vec<_>>());
    }
    let mut b = Builder::new("test", "A test.");
    let from = b.pointer("from", Access::Read, Extent::Fixed(64), "bytes");
    let vector = b.load(from, 0, Type::Vector(128), Endian::Native);
    let value = b.op(Type::Vector(128), insert(from, vector, 16, 0));
    assert_eq!(verify(&b.finish()), Err(Defect::Types(value)));
}

/// What an operation on bytes makes of bytes 0, 1, 2, ... and of those numbers times 37.
fn of_bytes(width: u16, op: Bytes) -> Vec<u8> {
    run(width, |b, from, ty| {
        let numbers = (0..64u8).map(|n| u64::from(n.wrapping_mul(37))).collect();
        let (name, doc) = ("numbers".to_owned(), "numbers".to_owned());
        let table = b.table(Table { name, doc, entry_bytes: 1, entries: numbers });
        b.table_set("numbers");
        let x = b.load(from, 0, ty, Endian::Native);
        let y = b.constants(table, 0, ty);
        b.bytes(op, x, y)
    })
}

#[test]
fn operations_on_bytes_do_what_they_say() {
    let number = |n: usize| (n as u8).wrapping_mul(37);
    for width in WIDTHS {
        let length = usize::from(width) / 8;
        let all = |f: &dyn Fn(usize) -> u8| (0..length).map(f).collect::<Vec<_>>();
        // The first operand's byte n is n.
        assert_eq!(of_bytes(width, Bytes::Pick), all(&number));
        assert_eq!(
            of_bytes(width, Bytes::Matrix),
            all(&|n| (0..8).fold(0, |byte, i| {
                let row = number(n / 8 * 8 + 7 - i);
                byte | ((row & n as u8).count_ones() as u8 & 1) << i
            }))
        );
        let distance = |part: usize| {
            let of = |n: usize| (i64::from(number(n)) - n as i64).abs();
            (8 * part..8 * part + 8).map(of).sum::<i64>()
        };
        let expected: Vec<u8> =
            (0..length / 8).flat_map(|part| distance(part).to_le_bytes()).collect();
        assert_eq!(of_bytes(width, Bytes::Distance), expected);
        let sign = |n: usize| match number(n) as i8 {
            0 => 0,
            1.. => n as u8,
            _ => (n as u8).wrapping_neg(),
        };
        assert_eq!(of_bytes(width, Bytes::Sign), all(&sign));
        assert_eq!(of_bytes(width, Bytes::Sum), all(&|n| number(n).wrapping_add(n as u8)));
        // The two are equal where n times 36 is a multiple of 256.
        assert_eq!(of_bytes(width, Bytes::Equal), all(&|n| if n % 64 == 0 { 0xff } else { 0 }));
        let next = |n: usize| if n + 8 < length { number(n + 8) } else { (n + 8 - length) as u8 };
        assert_eq!(of_bytes(width, Bytes::Next), all(&next));
        if width == 64 {
            continue;
        }
        let shuffle = |n: usize| match number(n) {
            0x80.. => 0,
            index => (n / 16 * 16) as u8 + index % 16,
        };
        assert_eq!(of_bytes(width, Bytes::Shuffle), all(&shuffle));
        let evens = |n: usize| {
            let from = [0, 8, 0, 8][n % 16 / 4] + n % 4 + n / 16 * 16;
            if n % 16 < 8 { from as u8 } else { number(from) }
        };
        assert_eq!(of_bytes(width, Bytes::Evens), all(&evens));
        let interleaved = [
            (Bytes::Interleave, 1, 0),
            (Bytes::InterleavePairs, 2, 0),
            (Bytes::InterleaveWords, 4, 0),
            (Bytes::InterleaveParts, 8, 0),
            (Bytes::UpperPairs, 2, 8),
            (Bytes::UpperWords, 4, 8),
            (Bytes::UpperParts, 8, 8),
        ];
        for (op, size, first) in interleaved {
            let interleaved = |n: usize| {
                let among = n % 16 / (2 * size) * size + n % size;
                let place = [n / size % 2, n / 16 * 16 + first + among];
                if place[0] == 0 { place[1] as u8 } else { number(place[1]) }
            };
            assert_eq!(of_bytes(width, op), all(&interleaved));
        }
        let half = length / 2;
        let halves = |n: usize| if n < half { (n + half) as u8 } else { number(n - half) };
        assert_eq!(of_bytes(width, Bytes::Halves), all(&halves));
        let low_halves = |n: usize| if n < half { n as u8 } else { number(n - half) };
        assert_eq!(of_bytes(width, Bytes::LowHalves), all(&low_halves));
        let next = |n: usize| if n % 16 < 8 { number(n + 8) } else { (n - 8) as u8 };
        assert_eq!(of_bytes(width, Bytes::NextWithin), all(&next));
    }
}

#[test]
fn words_go_to_vectors_and_back_with_zeros_above() {
    for width in WIDTHS {
        let length = usize::from(width) / 8;
        let there = |word: Type| {
            run(width, |b, from, ty| {
                let word = b.load(from, 1, word, Endian::Native);
                b.resize(word, ty)
            })
        };
        let of = |count: usize| [(1..=count as u8).collect(), vec![0; length - count]].concat();
        assert_eq!(there(Type::W32), of(4));
        assert_eq!(there(Type::W64), of(8));
        for bytes in [4, 8] {
            let loaded = run(width, |b, from, ty| b.load_low(from, 1, bytes, ty));
            assert_eq!(loaded, of(usize::from(bytes)));
        }
        for (word, count) in [(Type::W32, 4), (Type::W64, 8)] {
            let back = run(width, |b, from, ty| {
                let vector = b.load(from, 0, ty, Endian::Native);
                let vector = b.shr(vector, 8);
                let word = b.resize(vector, word);
                b.resize(word, ty)
            });
            let last = if count == 8 { 0 } else { 4 };
            assert_eq!(back[..count], [of(count)[..count - 1].to_vec(), vec![last]].concat());
            assert_eq!(back[count..], vec![0; length - count]);
        }
    }
    let mut b = Builder::new("test", "Two vectors.");
    let from = b.pointer("from", Access::Read, Extent::Fixed(16), "bytes");
    let vector = b.load(from, 0, Type::Vector(128), Endian::Native);
    let value = b.op(Type::Vector(64), Op::Resize(vector));
    assert_eq!(verify(&b.finish()), Err(Defect::Types(value)));
}

#[test]
fn bytes_are_selected_where_others_are_equal() {
    for width in WIDTHS {
        let result = run(width, |b, from, ty| {
            let x = b.load(from, 0, ty, Endian::Native);
            let some = b.mask(x, 0x03ff_05ff_ff00_ff00);
            let not = b.not(x);
            b.select_bytes([x, some], not, x)
        });
        let mask = [0, 0xff, 0, 0xff, 0xff, 5, 0xff, 3];
        let byte = |n: u8| if n & mask[usize::from(n % 8)] == n { !n } else { n };
        let expected: Vec<u8> = (0..(width / 8) as u8).map(byte).collect();
        assert_eq!(result, expected);
    }
}

#[test]
fn bytes_are_picked_from_two_vectors() {
    for width in WIDTHS {
        let length = usize::from(width) / 8;
        let result = run(width, |b, from, ty| {
            let x = b.load(from, 0, ty, Endian::Native);
            let index = b.shl(x, 1);
            let high = b.not(x);
            b.pick_two(index, [x, high])
        });
        let expected: Vec<u8> = (0..length)
            .map(|n| match 2 * n {
                index if index < length => index as u8,
                index => !((index - length) as u8),
            })
            .collect();
        assert_eq!(result, expected);
    }
}

#[test]
fn what_has_no_meaning_in_a_width_is_a_defect_and_entries_end_with_their_table() {
    let kernel = |ty: Type, op: Option<Bytes>, first: u64| {
        let mut b = Builder::new("test", "A test.");
        let (name, doc) = ("t".to_owned(), "zeros".to_owned());
        let table = b.table(Table { name, doc, entry_bytes: 2, entries: vec![0; 32] });
        b.table_set("t");
        let x = b.constants(table, first, ty);
        let value = op.map_or(x, |op| b.op(ty, Op::Bytes(op, [x, x])));
        (b.finish(), value)
    };
    let part = Type::Vector(64);
    for op in [
        Bytes::Shuffle,
        Bytes::Evens,
        Bytes::Halves,
        Bytes::Interleave,
        Bytes::InterleavePairs,
        Bytes::InterleaveWords,
        Bytes::InterleaveParts,
        Bytes::UpperPairs,
        Bytes::UpperWords,
        Bytes::UpperParts,
    ] {
        let (kernel, value) = kernel(part, Some(op), 0);
        assert_eq!(verify(&kernel), Err(Defect::Types(value)));
        assert_eq!(interpret(&kernel, &[], &mut []), Err(Fault::Operand(value)));
    }
    let (word, value) = kernel(Type::W64, Some(Bytes::Pick), 0);
    assert_eq!(verify(&word), Err(Defect::Types(value)));
    for (first, fault) in [(16, false), (17, true), (u64::MAX, true)] {
        let (kernel, value) = kernel(Type::Vector(256), None, first);
        let expected = if fault { Err(Fault::Index(value)) } else { Ok(()) };
        assert_eq!(interpret(&kernel, &[], &mut []), expected);
    }
}

#[test]
fn kernels_are_constant_time_but_for_those_that_look_up_in_memory() {
    for strategy in Strategy::all() {
        let kernel = strategy.kernel();
        assert_eq!(kernel.is_constant_time(), !strategy.looks_up_in_memory(), "{}", kernel.name);
    }
}

/// Written out, with steps folded into displacements, libdes' function is the same in both directions: what
/// is done eight times or not at all becomes what is done once or not at all.
#[test]
fn what_is_written_out_means_the_same() {
    let kernel = "x86/des_encrypt1".parse::<KernelVariant>().unwrap().strategy.kernel();
    let written = fold_steps(&unroll(&kernel, 2000, &|comment, time| format!("{comment} {time}")));
    assert_eq!(verify(&written), Ok(()), "{written}");
    assert!(written.to_string().contains("odd round 7"), "{written}");
    let run = |kernel: &Kernel, encrypt| {
        let schedule = (0..128u32).map(|n| (n * 37 % 251) as u8).collect();
        let mut memory = [Memory { bytes: b"a block.".to_vec() }, Memory { bytes: schedule }];
        let arguments = [Scalar::Region(0), Scalar::Region(1), Scalar::Word(encrypt)];
        interpret(kernel, &arguments, &mut memory).unwrap();
        memory[0].bytes.clone()
    };
    for encrypt in [0, 1, 7] {
        assert_eq!(run(&written, encrypt), run(&kernel, encrypt), "{encrypt}");
    }
    assert_ne!(run(&kernel, 0), run(&kernel, 1));
}
