//! Object modules of 16-bit C, seen as [`Image`]s: Intel's, as far as kernels need it, and those of
//! `ld86`, which links them.

use std::collections::HashMap;

use crate::assembler::{AS86, File, LD86};
use crate::image::{Field, Image, Section};

fn word(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes")))
}

fn dword(bytes: &[u8], at: usize) -> usize {
    word(bytes, at) | word(bytes, at + 2) << 16
}

/// An offset of two bytes, or of four in the records of 32 bits, whose numbers are odd.
fn offset(kind: u8, bytes: &[u8], at: &mut usize) -> usize {
    let long = kind % 2 == 1;
    let offset = if long { dword(bytes, *at) } else { word(bytes, *at) };
    *at += if long { 4 } else { 2 };
    offset
}

/// Intel's object modules ("Relocatable Object Module Format" 1.1): one segment, whose fields are
/// relative to it. A record is its kind, its length, and ends with what makes the sum of its bytes 0.
pub(crate) fn omf(bytes: &[u8]) -> Image {
    let mut image = Image {
        sections: vec![Section { bytes: Vec::new(), fields: Vec::new() }],
        names: HashMap::new(),
        before: "_",
    };
    let (mut at, mut data, mut ended) = (0, 0, false);
    while at < bytes.len() {
        let kind = bytes[at];
        let record = &bytes[at..at + 3 + word(bytes, at + 1)];
        let sum = record.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
        assert_eq!(sum, 0, "the sum of a record");
        let content = &record[3..record.len() - 1];
        at += record.len();
        let section = &mut image.sections[0];
        match kind {
            // The module, remarks, names of segments and groups.
            0x80 | 0x88 | 0x96 => {}
            // A segment: its attributes, with 16 bits and within 64 KB, then its length.
            0x98 => {
                assert!(section.bytes.is_empty() && content[0] & 3 == 0, "one segment of 16 bits");
                section.bytes = vec![0; word(content, 1)];
            }
            // Public names of group 0 and segment 1.
            0x90 | 0x91 => {
                assert_eq!(content[..2], [0, 1], "a name of the segment");
                let mut at = 2;
                while at < content.len() {
                    let end = at + 1 + usize::from(content[at]);
                    let name = String::from_utf8(content[at + 1..end].to_vec()).expect("a name");
                    at = end;
                    let place = offset(kind, content, &mut at);
                    // The type, which nobody has.
                    at += 1;
                    image.names.insert(name, (0, place));
                }
            }
            0xa0 | 0xa1 => {
                assert_eq!(content[0], 1, "data of the segment");
                let mut at = 1;
                data = offset(kind, content, &mut at);
                section.bytes[data..data + content.len() - at].copy_from_slice(&content[at..]);
            }
            0x9c | 0x9d => fixups(kind, content, data, section),
            0x8a | 0x8b => ended = true,
            other => panic!("a record of kind {other:#x}"),
        }
    }
    assert!(ended, "the module's end");
    image
}

/// Fields of the data before, each an offset from the start of the segment.
fn fixups(kind: u8, content: &[u8], data: usize, section: &mut Section) {
    let mut at = 0;
    while at < content.len() {
        let locate = u16::from_be_bytes([content[at], content[at + 1]]);
        // A fixup, of a segment's own offsets, of two bytes or four.
        assert_eq!(locate >> 14, 0b11, "{locate:#x} is no fixup by segment");
        let location = locate >> 10 & 15;
        assert!([1, 5, 9, 13].contains(&location), "a field of kind {location}");
        let place = data + usize::from(locate & 0x3ff);
        // Frame and target: that of the target, or of a segment; segment 1.
        let how = content[at + 2];
        at += 3;
        if how & 0xf0 == 0 {
            assert_eq!(content[at], 1, "the frame is the segment");
            at += 1;
        }
        assert_eq!(content[at], 1, "the target is the segment");
        at += 1;
        if how & 4 == 0 {
            offset(kind, content, &mut at);
        }
        section.fields.push(Field { at: place, relative: false, to: (0, 0) });
    }
}

/// Modules of `ld86`, by what it makes of them: at two addresses, with words before them that say where
/// the names are.
pub(crate) fn as86(bytes: &[u8]) -> Image {
    let module = File::with("module.o", bytes);
    // Names follow each other, each ended by a zero; that of the tables is nobody else's.
    let names: Vec<_> = bytes
        .split(|byte| *byte == 0)
        .filter_map(|name| std::str::from_utf8(name).ok())
        .filter(|name| name.starts_with('_') && !name.contains('.') && !name.ends_with("_tables"))
        .collect();
    let words: String =
        names.iter().map(|name| format!(" import {name}\n .word {name}\n")).collect();
    // What follows begins at a multiple of 16 bytes.
    let behind = (2 * names.len()).next_multiple_of(16);
    let gap = " .word 0\n".repeat(behind / 2 - names.len());
    let source = File::with("start.s", format!("entry start\n.text\nstart:\n{words}{gap}"));
    let start = File::new("start.o");
    AS86.run(&["-o", start.path(), source.path()]);
    let linked = |address: &str| {
        let program = File::new("program");
        LD86.run(&["-d", "-T", address, "-o", program.path(), start.path(), module.path()]);
        program.read()
    };
    let [program, above] = ["0", "0x1000"].map(linked);
    let places: Vec<_> =
        names.iter().enumerate().map(|(n, name)| (*name, word(&program, 2 * n))).collect();
    let names = places.into_iter().map(|(name, place)| (name.to_owned(), (0, place))).collect();
    // 0x1000 more is another second byte.
    let moved = (behind..program.len()).filter(|&n| program[n] != above[n]);
    let fields = moved.map(|n| Field { at: n - 1, relative: false, to: (0, 0) }).collect();
    Image { sections: vec![Section { bytes: program, fields }], names, before: "_" }
}
