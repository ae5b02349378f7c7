//! `loom emit`: files in every format.

use crate::{loom, nowhere, said};

#[test]
fn emit_writes_each_format_for_each_calling_convention() {
    let list = said(&["emit", "--list"]);
    let formats = list.lines().skip(1).take_while(|line| !line.is_empty());
    let mut texts = Vec::new();
    for line in formats {
        let words: Vec<_> = line.split_whitespace().collect();
        let (format, set) = (words[0], words[1]);
        let others = words[2..].iter().position(|word| !word.ends_with(',')).expect("a last one");
        let (cpu, kernel) = match set {
            "pa-risc-2.0" => ("pa8000", "rc4_setup_s8"),
            "x86-real" => ("386-real", "des_encrypt_table32_bare"),
            _ => (set, "rc4_setup_s8"),
        };
        for abi in words[2..=2 + others].iter().map(|abi| abi.trim_end_matches(',')) {
            let output = loom(&["emit", kernel, "--cpu", cpu, "--format", format, "--abi", abi]);
            assert!(output.status.success(), "{set} {format} {abi}");
            // The calling conventions of 32 bits differ in names only, which are the container's.
            // Where there is nothing to align inside, YASM's text may be NASM's; without tables, that
            // of one container another one's.
            let alike = matches!(
                (format, abi),
                ("elf" | "macho", "win32" | "cdecl-pic") | ("coff", "cdecl" | "cdecl-pic")
            ) || set == "x86"
                && matches!(format, "coff-yasm" | "macho-yasm" | "go32-nasm");
            let new = !texts.contains(&output.stdout);
            assert!(new != alike, "{set} {format} {abi} is like another, or is not");
            texts.push(output.stdout);
        }
    }
    assert!(texts.len() > 2 * 22);
}

#[test]
fn slow_emit_knows_processors() {
    let emitted = |cpu| said(&["emit", "des_encrypt_table32", "--cpu", cpu]);
    let swaps = |cpu| emitted(cpu).contains("bswap");
    assert_eq!(["386", "486", "pentium", "pentiumpro"].map(swaps), [false, true, true, true]);
    assert!(emitted("x86").contains("rorx"));
    let hppa = said(&["emit", "des_encrypt_paired12", "--cpu", "pa8000"]);
    assert!(["ldd,s", "extrd,u", "; round 5"].iter().all(|text| hppa.contains(text)));
    let wide = said(&["emit", "des_encrypt_paired12", "--cpu", "pa8000", "--abi", "hppa64"]);
    assert!(["2.0w", "mfia", "cmpib,*<>"].iter().all(|text| wide.contains(text)));
    let list = said(&["emit", "--list"]);
    for model in loom::isa::registry::models() {
        assert!(list.contains(&format!("\n{} ", model.name)), "{}", model.name);
    }
}

/// `--cet` adds a landing pad, the note and a line of the header; without it nothing speaks of them.
#[test]
fn emit_makes_kernels_for_cet() {
    for (kernel, pad) in [("rc4_setup_s8", "endbr64"), ("x86/rc4_setup_s8", "endbr32")] {
        let (with, without) = (said(&["emit", kernel, "--cet"]), said(&["emit", kernel]));
        assert!(with.contains(&format!(":\n        .cfi_startproc\n        {pad}\n")), "{with}");
        assert!(with.contains(&format!("# Entry       {pad}, ")), "{with}");
        assert!(with.contains("\n        .section .note.gnu.property,\"a\",@note\n"), "{with}");
        assert!(!["endbr", "property", "# Entry"].iter().any(|word| without.contains(word)));
        let object = loom(&["emit", kernel, "--cet", "--format", "elf"]).stdout;
        assert!(object.windows(18).any(|bytes| bytes == b".note.gnu.property"));
    }
    for cpu in ["pentiumpro", "pentium4", "x86"] {
        assert!(said(&["emit", "des_encrypt_table32", "--cet", "--cpu", cpu]).contains("endbr32"));
    }
}

#[test]
fn emit_puts_several_kernels_and_their_tables_once_into_a_file() {
    let folder = nowhere();
    let file = folder.path().join("des.s");
    let path = file.to_str().unwrap();
    let kernels = ["des_encrypt_table64", "des_decrypt_table64"];
    let options = ["--features", "bmi2", "--prefix", "my_", "--output", path];
    assert_eq!(said(&[&["emit"], &kernels[..], &options].concat()), "");
    let text = std::fs::read_to_string(&file).unwrap();
    for name in ["my_des_encrypt_table64_bmi2:", "my_des_decrypt_table64_bmi2:"] {
        assert_eq!(text.matches(&format!("\n{name}\n")).count(), 1, "{name}");
    }
    assert_eq!(text.matches("\nmy_des_table64_tables:\n").count(), 1);
    // What was there is replaced.
    said(&["emit", "rc4_setup_s8", "-o", path]);
    assert!(std::fs::read_to_string(&file).unwrap().contains("rc4_setup_s8"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}
