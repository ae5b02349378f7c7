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
