//! Two kernels and a table in memory, and what was proved of them.
extern crate std;

use super::*;
use std::string::String;
use std::{format, vec};

const TABLE: &str = "0000_table";

/// A kernel's bytes and a table's in one piece of memory, with the distance between them at byte 3.
fn memory(kernel_at: usize, table_at: usize) -> (vec::Vec<u8>, [std::ops::Range<usize>; 2]) {
    let mut memory = vec![0; 256];
    let (kernel, table) = (kernel_at..kernel_at + 12, table_at..table_at + 16);
    memory[kernel.clone()]
        .copy_from_slice(&[0x48, 0x8d, 0x05, 0, 0, 0, 0, 0x90, 0x90, 0x90, 0x90, 0xc3]);
    memory[table.clone()].copy_from_slice(b"sixteen bytes of");
    // To byte 4 of the table, from behind the instruction.
    let distance = (table_at + 4) as i32 - (kernel_at + 7) as i32;
    memory[kernel_at + 3..kernel_at + 7].copy_from_slice(&distance.to_le_bytes());
    (memory, [kernel, table])
}

/// What a prover would write of it.
fn written() -> String {
    let (memory, [kernel, table]) = memory(10, 100);
    let hash = Hash::of_kernel(&memory[kernel], 10, [3].into_iter(), 100).unwrap();
    let tables = Hash::of_tables([(TABLE, &memory[table])].into_iter());
    let plain = Hash::of(b"\xc3");
    let none = Hash::of(b"");
    format!(
        "prover = \"me\"\n\n[other]\nsymbol = \"0_other\"\ntables = \"{none}\"\nbytes = \"{plain}\"\n\
         \n[kernel]\nsymbol = \"0_kernel\"\ntables = \"{tables}\"\ntable = \"{TABLE}\"\n\
         places = \"3\"\nbytes = \"{hash}\"\n"
    )
}

fn checked(change: impl FnOnce(&mut [u8])) -> Result<(), &'static str> {
    let (mut memory, [kernel, table]) = memory(33, 200);
    change(&mut memory);
    check(&written(), ("0_kernel", &memory[kernel]), [(TABLE, &memory[table])].into_iter())
}

#[test]
fn where_it_lies_does_not_matter() {
    assert_eq!(checked(|_| ()), Ok(()));
    assert_eq!(check(&written(), ("0_other", b"\xc3"), core::iter::empty()), Ok(()));
    assert_eq!(Entry::head(&written()).get("prover"), Some("me"));
}

#[test]
fn each_byte_matters() {
    for n in (33..45).chain(200..216) {
        let error = checked(|memory| memory[n] ^= 0x10).unwrap_err();
        assert_eq!(error.contains("table"), n >= 200, "{error}");
    }
    let error = check(&written(), ("0_other", b"\xc3\x90"), core::iter::empty()).unwrap_err();
    assert!(error.contains("bytes"), "{error}");
}

#[test]
fn what_is_missing_is_told() {
    let (memory, [kernel, _]) = memory(33, 200);
    let error = check(&written(), ("0_kernel", &memory[kernel]), core::iter::empty()).unwrap_err();
    assert!(error.contains("not there"), "{error}");
    let error = check(&written(), ("0_kernel", b"\xc3"), [(TABLE, &memory[..])].into_iter());
    assert!(error.unwrap_err().contains("bytes"));
    let error = check(&written(), ("0_unheard_of", b"\xc3"), core::iter::empty()).unwrap_err();
    assert!(error.contains("none of that name"), "{error}");
}

#[test]
fn the_hash_is_sha_256() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(format!("{}", Hash::of(b"")), empty);
}

/// A kernel for AArch64: `adrp x3`, something else, `add x5, x3`, `ret`; and where it and the table lie.
fn words(start: u64, address: u64) -> [u8; 16] {
    let pages = ((address & !0xfff).wrapping_sub(start & !0xfff) as i64 >> 12) as u32;
    let page = 0x9000_0003 | (pages & 3) << 29 | (pages >> 2 & 0x7_ffff) << 5;
    let rest = 0x9100_0065 | ((address & 0xfff) as u32) << 10;
    let mut code = [0; 16];
    for (to, word) in code.as_chunks_mut().0.iter_mut().zip([page, 0xd503_201f, rest, 0xd65f_03c0])
    {
        *to = u32::to_le_bytes(word);
    }
    code
}

#[test]
fn two_words_of_aarch64_are_one_address() {
    let pairs = || [(0, 8)].into_iter();
    let hash = |start, table: u64, offset| {
        Hash::of_words(&words(start, table + offset), start, pairs(), table)
    };
    let one = hash(0x1_0000, 0x8_0040, 0x20).unwrap();
    // Behind or before it, and where the page is another than the table's.
    for (start, table) in [(0x1_0ff0, 0x8_0040), (0x90_0000, 0x40), (0x1_0000, 0x8_0ff0)] {
        assert_eq!(hash(start, table, 0x20), Some(one), "{start:x} {table:x}");
    }
    assert_ne!(hash(0x1_0000, 0x8_0040, 0x24), Some(one));
    assert_ne!(hash(0x1_0000, 0x8_0040, 0x1020), Some(one));
    let mut other = words(0x1_0000, 0x8_0060);
    for byte in 0..16 {
        other[byte] ^= 0x10;
        assert_ne!(Hash::of_words(&other, 0x1_0000, pairs(), 0x8_0040), Some(one), "byte {byte}");
        other[byte] ^= 0x10;
    }
    assert_eq!(Hash::of_words(&other, 0x1_0000, [(0, 4)].into_iter(), 0x8_0040), None);
    assert_eq!(Hash::of_words(&other, 0x1_0000, [(4, 8)].into_iter(), 0x8_0040), None);
    assert_eq!(Hash::of_words(&other, 0x1_0000, [(0, 64)].into_iter(), 0x8_0040), None);
}
