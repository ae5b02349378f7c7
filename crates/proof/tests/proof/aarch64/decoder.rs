//! A second decoder, GNU's, beside ours: for every instruction of every kernel.

use crate::unproved;
use proof::image::Image;
use proof::machine::Isa;
use std::process::Command;

/// An instruction as both write it: without comments and names, and with targets as plain hexadecimal numbers.
fn plain(text: &str) -> String {
    let text = text.split("//").next().unwrap().split('<').next().unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    let last = words.last().copied().unwrap_or_default();
    let is_target = last.strip_prefix("0x").is_some();
    let text = words.join(" ");
    if is_target { text.replace(" 0x", " ") } else { text }
}

#[test]
fn a_second_decoder_reads_the_same_instructions() {
    read_the_same(&super::image());
}

/// Of those that are proved and not shipped.
#[test]
fn slow_a_second_decoder_reads_the_same_instructions_of_others() {
    read_the_same(unproved::of_aarch64());
}

fn read_the_same(image: &Image) {
    let code: Vec<u8> =
        image.kernels.values().flat_map(|kernel| image.code(kernel)).copied().collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &code).unwrap();
    let out = Command::new("aarch64-linux-gnu-objdump")
        .args(["-D", "-z", "-b", "binary", "-m", "aarch64", "-M", "no-aliases"])
        .arg("--no-show-raw-insn")
        .arg(file.path())
        .output();
    let out = String::from_utf8(out.expect("objdump for AArch64").stdout).unwrap();
    let mut gnu = out.lines().filter_map(|line| line.split_once(":\t"));
    let ours = Isa::AArch64.decode_all(&code, 0).unwrap();
    let mut wrong = Vec::new();
    for i in &ours {
        let (at, theirs) = gnu.next().expect("another instruction");
        let at = u64::from_str_radix(at.trim(), 16).unwrap();
        assert_eq!(at + 4, i.end());
        if plain(&i.to_string()) != plain(theirs) {
            wrong.push(format!("{} | {}", plain(&i.to_string()), plain(theirs)));
        }
    }
    assert!(gnu.next().is_none(), "another length");
    println!("{} instructions", ours.len());
    wrong.sort();
    wrong.dedup_by_key(|line| line.split(' ').next().unwrap().to_owned());
    assert!(wrong.is_empty(), "{} differ: {wrong:#?}", wrong.len());
}
