//! A second decoder, GNU's, beside ours: for every instruction of every kernel.

use crate::cosimulation::bits;
use crate::{emitted, program, unproved};
use iced_x86::{Decoder, DecoderOptions, Formatter, GasFormatter};
use proof::image::Image;
use std::process::Command;

/// An instruction as both write it: spaces, hexadecimal numbers and what GNU leaves out are as here.
fn plain(text: &str) -> String {
    let text = text.split(['#', '<']).next().unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut plain = String::new();
    for part in words.join(" ").split_inclusive([',', ' ', '(', ')', '$', '-', ':']) {
        let (number, end) = part.split_at(part.trim_end_matches([',', ' ', '(', ')', '-']).len());
        match number.strip_prefix("0x").map(|hex| u64::from_str_radix(hex, 16)) {
            Some(Ok(number)) => plain.push_str(&number.to_string()),
            _ => plain.push_str(number),
        }
        plain.push_str(end);
    }
    // GNU shows a displacement of 0 and no count of 1, ours a comma without an index; nops have prefixes.
    let plain =
        plain.replace("$1,", "").replace(" 0(", " (").replace(":0(", ":(").replace(",0(", ",(");
    let plain = plain.replace(",)", ")");
    plain.strip_prefix("cs ").map(str::to_owned).unwrap_or(plain)
}

#[test]
fn a_second_decoder_reads_the_same_instructions() {
    read_the_same(&program::image(), "i386:x86-64");
}

/// Of those that are proved and not shipped.
#[test]
fn slow_a_second_decoder_reads_the_same_instructions_of_others() {
    read_the_same(unproved::of_x86_64(), "i386:x86-64");
}

#[test]
fn a_second_decoder_reads_the_same_instructions_of_32_bits() {
    read_the_same(emitted::of_32_bits(), "i386");
    read_the_same(emitted::position_independent(), "i386");
}

#[test]
fn a_second_decoder_reads_the_same_instructions_of_16_bits() {
    for image in emitted::of_real_mode() {
        read_the_same(image, "i8086");
    }
}

fn read_the_same(image: &Image, machine: &str) {
    let bits = bits(image.isa);
    let code: Vec<u8> =
        image.kernels.values().flat_map(|kernel| image.code(kernel)).copied().collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, &code).unwrap();
    let out = Command::new("objdump")
        .args(["-D", "-z", "-b", "binary", "-m", machine, "--no-show-raw-insn", "-w"])
        .arg(file.path())
        .output();
    let out = String::from_utf8(out.expect("objdump of GNU's binutils").stdout).unwrap();
    let mut gnu = out.lines().filter_map(|line| line.split_once(":\t"));
    let mut formatter = GasFormatter::new();
    let options = formatter.options_mut();
    options.set_uppercase_hex(false);
    options.set_rip_relative_addresses(true);
    options.set_always_show_scale(true);
    let (mut instructions, mut wrong) = (0, Vec::new());
    for i in Decoder::with_ip(bits, &code, 0, DecoderOptions::NONE) {
        let mut ours = String::new();
        formatter.format(&i, &mut ours);
        let (at, theirs) = gnu.next().expect("another instruction");
        let at = u64::from_str_radix(at.trim(), 16).unwrap();
        assert_eq!(at, i.ip(), "the instruction before has another length");
        instructions += 1;
        if plain(&ours) != plain(theirs) {
            wrong.push(format!("{} | {}", plain(&ours), plain(theirs)));
        }
    }
    assert!(gnu.next().is_none(), "another length");
    println!("{instructions} instructions");
    wrong.sort();
    wrong.dedup_by_key(|line| line.split(' ').next().unwrap().to_owned());
    assert!(wrong.is_empty(), "{} differ: {wrong:#?}", wrong.len());
}
