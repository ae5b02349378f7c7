//! A second decoder, GNU's, beside ours: for every instruction of every kernel.

use proof::machine::Isa;
use std::process::Command;

/// An instruction as both write it: without names, and with targets as plain hexadecimal numbers.
fn plain(text: &str) -> String {
    let text = text.split('<').next().unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(",0x", ",")
}

#[test]
fn slow_a_second_decoder_reads_the_same_instructions() {
    for (image, bits) in super::images().iter().zip(["", "", "64"]) {
        let code: Vec<u8> =
            image.kernels.values().flat_map(|kernel| image.code(kernel)).copied().collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &code).unwrap();
        let machine = if bits == "64" { "hppa2.0w" } else { "hppa2.0" };
        let out = super::run(
            Command::new(format!("hppa{bits}-linux-gnu-objdump"))
                .args(["-D", "-z", "-b", "binary", "-EB", "-m", machine, "--no-show-raw-insn"])
                .arg(file.path()),
        );
        let out = String::from_utf8(out).unwrap();
        let mut gnu = out.lines().filter_map(|line| line.split_once(":\t"));
        let ours = Isa::Hppa.decode_all(&code, 0).unwrap();
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
}
