//! The command `loom`, run as a user runs it.

use std::process::{Command, Output, Stdio};

use loom::isa::registry;
use loom::isa::x86::conventions::SYSV64;
use loom::library;
use loom::tune::{Measured, Search, Store, Tuned, code_hash};
use loom::variant::KernelVariant;
use serde_json::Value;

fn loom(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_loom")).args(arguments).output();
    output.expect("the command starts")
}

/// Standard output of a run that succeeds and has nothing to remark.
fn said(arguments: &[&str]) -> String {
    let output = loom(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// The line on standard error of a run that fails with an exit code.
fn refused(arguments: &[&str], code: i32) -> String {
    let output = loom(arguments);
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!(lines.len(), 1, "{arguments:?}: {errors}");
    assert!(lines[0].starts_with("loom: "), "{errors}");
    lines[0].to_owned()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&said(arguments)).expect("JSON")
}

/// A directory without tuned files, so that those of the tree make no difference.
fn nowhere() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

#[test]
fn list_names_every_kernel_once() {
    let folder = nowhere();
    let tuned = folder.path().to_str().unwrap();
    let text = said(&["list", "--tuned", tuned]);
    let names: Vec<_> = text.lines().skip(1).map(|line| line.split(' ').next().unwrap()).collect();
    let all = registry::targets().flat_map(KernelVariant::all);
    let all: Vec<_> = all.map(|variant| variant.to_string()).collect();
    assert_eq!(names, all);
    let rows = json(&["list", "--shipped", "--json", "--tuned", tuned]);
    assert_eq!(rows.as_array().unwrap().len(), library::variants().len());
    let chain = json(&["list", "des_encrypt_table64_chain", "--json", "--tuned", tuned]);
    assert_eq!(chain[0]["per"], "block");
    assert_eq!(chain[0]["shipped"], true);
    assert_eq!(chain[0]["tuned"], false);
    assert_eq!(chain[0]["params"][0]["bytes_per_count"], 8);
    assert_eq!(chain[0]["params"][3]["access"], "read and write");
}

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
fn emit_knows_processors() {
    let emitted = |cpu| said(&["emit", "des_encrypt_table32", "--cpu", cpu]);
    let swaps = |cpu| emitted(cpu).contains("bswap");
    assert_eq!(["386", "486", "pentium", "pentiumpro"].map(swaps), [false, true, true, true]);
    assert!(emitted("x86").contains("rorx"));
    let hppa = said(&["emit", "des_encrypt_paired12", "--cpu", "pa8000"]);
    assert!(["ldd,s", "extrd,u", "; round 5"].iter().all(|text| hppa.contains(text)));
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

#[test]
fn stats_counts_the_loop_that_emit_prints() {
    let rows = json(&["stats", "rc4_apply_s8", "--loop", "--no-run", "--json"]);
    let row = &rows[0];
    let text = row["loop"].as_str().unwrap();
    let is_instruction = |line: &&str| line.starts_with("        ");
    let instructions = text.lines().filter(is_instruction).count();
    assert_eq!(row["instructions"].as_f64().unwrap(), instructions as f64 / 8.0);
    assert!(row.get("cycles").is_none());
    let bounds = row["bounds"].as_array().unwrap();
    assert_eq!(bounds.len(), loom::isa::x86::costs::ALL.len());
    for bound in bounds {
        // RC4 stores twice a byte and loads three times; no processor here does that in less.
        let highest = bound["bound"].as_f64().unwrap();
        assert!((1.0..8.0).contains(&highest), "{bound}");
        assert!(bound["latency"].as_f64() > bound["chain"].as_f64(), "{bound}");
    }
}

#[test]
fn stats_puts_the_heritage_beside_ours() {
    let report = json(&["stats", "--no-run", "--json"]);
    let baselines = report["baselines"].as_array().unwrap();
    let cycles: Vec<_> = baselines.iter().map(|row| row["cycles"].as_f64().unwrap()).collect();
    assert_eq!(cycles, [1303.0, 356.0, 192.0, 471.0, 7.2]);
    assert_eq!(baselines[4]["kernel"], "rc4_apply_s8");
    assert_eq!(baselines[4]["instructions"], 14);
    // HP's code beside ours for the same processor, not beside that for x86.
    assert_eq!(baselines[2]["kernel"], "pa-risc-2.0/des_encrypt_paired12_chain");
    assert!(baselines[2]["our_instructions"].as_f64() <= baselines[2]["instructions"].as_f64());
    assert_eq!(baselines[3]["kernel"], "pa-risc-2.0/tdes_encrypt_paired12_chain");
    assert_eq!(report["kernels"].as_array().unwrap().len(), library::variants().len());
    let text = said(&["stats", "--no-run"]);
    assert!(text.contains("281,000 blocks/s at 100 MHz"), "{text}");
}

#[test]
fn a_chain_waits_for_every_round() {
    // Sixteen rounds, each of an extraction, a load and two sums at the least.
    for (kernel, rounds) in
        [("des_encrypt_table64_chain", 16.0), ("tdes_encrypt_table64_chain", 48.0)]
    {
        let rows = json(&["stats", kernel, "--no-run", "--costs", "skylake", "--json"]);
        let bounds = &rows[0]["bounds"][0];
        let chain = bounds["chain"].as_f64().unwrap();
        assert!((8.0 * rounds..16.0 * rounds).contains(&chain), "{kernel}: {chain}");
        assert_eq!(bounds["bound"], bounds["chain"]);
    }
}

#[test]
fn old_processors_are_held_against_what_was_written_for_them() {
    for (cpu, name, earlier) in [
        ("486", "x86/des_encrypt_table32_bswap", 1303.0),
        ("pentium", "x86/des_encrypt_table32_bswap", 356.0),
    ] {
        let rows = json(&["stats", name, "--no-run", "--costs", cpu, "--json"]);
        let row = &rows[0];
        let predicted = &row["predicted"];
        assert_eq!(predicted["earlier"]["cycles"].as_f64(), Some(earlier), "{row}");
        assert!(predicted["cycles"].as_f64() < predicted["unordered"].as_f64(), "{row}");
        assert!(row["table_bytes"].as_u64().unwrap() <= 2048, "{row}");
    }
    let wrong = loom(&["stats", "des_encrypt_table64", "--costs", "pentium"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("pentium has not"));
    // What was tuned on a processor of today is not taken for one of the past.
    let function = said(&["emit", "des_encrypt1", "--cpu", "pentium"]);
    assert!(function.contains("best plan by the costs of pentium"), "{function}");
    let text = said(&["emit", "des_encrypt_table32", "--cpu", "pentium"]);
    assert!(text.contains("best plan by the costs of pentium"), "{text}");
}

#[test]
fn circuits_lists_what_is_committed() {
    let rows = json(&["circuits", "list", "--json"]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 3 * 8);
    for rows in rows.chunks(8) {
        let sum = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
        assert!(sum("gates") < sum("published"), "{rows:?}");
    }
    let text = said(&["circuits", "list", "--set", "lut3"]);
    assert_eq!(text.lines().count(), 1 + 8 + 1, "{text}");
    let check = said(&["circuits", "check"]);
    assert_eq!(check.matches("are right for all inputs").count(), 3, "{check}");
}

#[test]
fn circuits_search_keeps_what_is_better_and_goes_on_from_it() {
    let folder = nowhere();
    let directory = folder.path().to_str().unwrap();
    let search = |moves: &str, seed: &str| {
        let options = ["--sbox", "4", "--moves", moves, "--seed", seed, "--circuits", directory];
        let output = loom(&[&["circuits", "search", "--set", "lut3"], &options[..]].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let file = folder.path().join("lut3/S4.txt");
    let gates = || -> usize {
        let text = std::fs::read_to_string(&file).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("gates ")).unwrap();
        line.parse().unwrap()
    };
    let first = search("65536", "1");
    let one = gates();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\nseed 1\nfound by a search from the tables"), "{text}");
    let second = search("200000", "2");
    assert!(gates() < one, "{second}");
    assert!(second.contains(&format!("from a circuit of {one} gates of lut3")), "{second}");
    // The same search in an empty store finds the same.
    std::fs::remove_file(&file).unwrap();
    assert_eq!(search("65536", "1"), first);
    assert_eq!(gates(), one);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    // Nothing is left beside it.
    assert_eq!(std::fs::read_dir(folder.path().join("lut3")).unwrap().count(), 1);

    // A file that someone changed is refused, and not written over.
    let broken = text.replacen("out ", "out ~", 1).replace("~~", "");
    std::fs::write(&file, &broken).unwrap();
    for action in
        [&["check"][..], &["list"], &["search", "--set", "lut3", "--sbox", "4", "--moves", "9"]]
    {
        let line = refused(&[&["circuits", "--circuits", directory], action].concat(), 1);
        let expected = if action[0] == "check" { "S1.txt is missing" } else { "not S4: wrong for" };
        assert!(line.contains(expected), "{line}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
}

#[test]
fn bad_usage_is_one_line_and_exit_code_2() {
    for (arguments, expected) in [
        (&["circuits"][..], "no command given"),
        (&["circuits", "search"], "--set"),
        (&["circuits", "search", "--set", "nand"], "plain, select or lut3"),
        (&["circuits", "search", "--set", "lut3", "--sbox", "9"], "from 1 to 8"),
        (&["circuits", "search", "--set", "lut3", "--time", "soon"], "no time like"),
        (&["circuits", "search", "--set", "lut3", "--threads", "0"], "threads"),
        (&["emit", "rc4"], "no kernel `rc4`; `loom list` names them"),
        (&["emit", "rc4_setup_s8", "--format", "gas"], "no format `gas`"),
        (&["emit", "rc4_setup_s8", "--abi", "cdecl"], "sysv64 or win64"),
        (&["emit", "rc4_setup_s8", "--cpu", "386", "--abi", "win64"], "cdecl-pic or win32"),
        (
            &["emit", "x86/des_encrypt1", "--format", "coff-masm", "--abi", "cdecl-pic"],
            "no distances between two labels",
        ),
        (&["emit", "rc4_setup_s8", "--format", "aout-att"], "code of 32 bits only"),
        (&["emit", "rc4_setup_s8", "--format", "bsdi-att"], "BSD/OS had programs of 32 bits only"),
        (&["emit", "rc4_setup_s8", "--format", "cpp-att"], "two are a.out"),
        (&["emit", "rc4_setup_s8", "--cpu", "386", "--format", "aout-yasm"], "writes no a.out"),
        (
            &["emit", "bitslice256_rows_in_avx512", "--format", "elf-yasm"],
            "no `elf-yasm`: `bitslice256_rows_in_avx512` needs avx512, which YASM does not know",
        ),
        (&["emit", "des_encrypt_table64", "--cpu", "386"], "words of 64 bits"),
        (&["emit", "rc4_setup_s8", "--cpu", "386-real"], "not made for real mode"),
        (
            &["emit", "des_encrypt_table32", "--cpu", "386-real", "--format", "elf"],
            "left to assemblers",
        ),
        (&["emit", "des_encrypt_table32", "--cpu", "386-real", "--format", "macho-att"], "16 bits"),
        (&["emit", "des_encrypt_table32_bmi2", "--cpu", "386"], "needs bmi2"),
        (&["emit", "rc4_setup_s8", "--cpu", "z80"], "no processor `z80`"),
        (&["emit", "rc4_setup_s8", "x86/rc4_apply_s8"], "one file"),
        (&["emit", "rc4_setup_s8", "--features", "mmx"], "no feature `mmx`; there is bmi2"),
        (&["emit", "rc4_setup_s8", "--prefix", "a b"], "cannot stand in a symbol"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "coff-att"], "/CETCOMPAT"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "coff"], "/CETCOMPAT"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "macho-nasm"], "macOS does not use CET"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "sol-att"], "GNU's linker"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "elf-yasm"], "sections of the type `note`"),
        (&["emit", "x86/rc4_setup_s8", "--cet", "--format", "aout-att"], "only ELF has a note"),
        (&["emit", "x86/des_encrypt1", "--cet", "--format", "go32-nasm"], "only ELF has a note"),
        (&["emit", "des_encrypt_table32", "--cet", "--cpu", "pentium"], "before the Pentium Pro"),
        (&["emit", "des_encrypt_table32", "--cet", "--cpu", "386-real"], "real mode has no CET"),
        (&["emit", "rc4_setup_s8", "--cet", "--cpu", "pa8000"], "a matter of x86"),
        (&["emit"], "KERNEL"),
        (&["stats", "rc4"], "no kernel `rc4`"),
        (&["stats", "--costs", "z80"], "there is generic, skylake"),
        (&["tune"], "KERNEL"),
        (&["tune", "rc4_apply_s8", "--processes", "0"], "processes"),
        (&["check", "--root", "/"], "not in Cipherloom's source tree"),
        (&["weave"], "see --help"),
        (&[], "no command given"),
    ] {
        let line = refused(arguments, 2);
        assert!(line.contains(expected), "{arguments:?}: {line}");
    }
}

#[test]
fn failures_are_one_line_and_exit_code_1() {
    let line = refused(&["emit", "rc4_setup_s8", "--output", "/no/such/folder/x.s"], 1);
    assert!(line.contains("cannot write /no/such/folder/x.s: no such file or directory"), "{line}");
    let folder = nowhere();
    let store = Store::new(folder.path());
    let path = store.path(&"rc4_setup_s8".parse().unwrap(), "generic");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "kernel = \"rc4_setup_s8\"\n").unwrap();
    let line = refused(&["emit", "rc4_setup_s8", "--tuned", folder.path().to_str().unwrap()], 1);
    assert!(line.contains("rc4_setup_s8.toml: line 1"), "{line}");
}

#[test]
fn help_is_printed_and_a_reader_that_leaves_is_no_failure() {
    for command in ["list", "emit", "stats", "tune", "check"] {
        assert!(said(&[command, "--help"]).contains("Usage: loom"), "{command}");
        assert!(said(&["--help"]).contains(&format!("\n  {command} ")), "{command}");
    }
    assert!(!said(&["--help"]).contains("measure"), "what is not for people");
    let mut child = Command::new(env!("CARGO_BIN_EXE_loom"))
        .args(["emit", "tdes_encrypt_table64_x4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}

/// A source tree with nothing in it but what `check` looks at.
fn tree() -> tempfile::TempDir {
    let root = nowhere();
    let mark = root.path().join("crates/loom/Cargo.toml");
    std::fs::create_dir_all(mark.parent().unwrap()).unwrap();
    std::fs::write(mark, "").unwrap();
    root
}

#[test]
fn check_finds_what_differs_and_repairs_it() {
    let tree = tree();
    let root = tree.path().to_str().unwrap();
    let check = ["check", "--root", root];
    let write = ["check", "--write", "--root", root];
    assert!(loom(&check).status.code() == Some(1), "everything is missing");
    let written = said(&write);
    assert_eq!(
        written,
        said(&["check", "--write", "--root", self::tree().path().to_str().unwrap()])
    );
    assert!(said(&check).ends_with("generated files are as loom makes them\n"));

    let kernel = "crates/cipherloom/kernels/x86_64/rc4_apply_s8.s";
    let rust = "crates/cipherloom/src/kernels/asm/x86_64/generated.rs";
    let extra = "crates/cipherloom/kernels/x86_64/rc5.s";
    let at = |path: &str| tree.path().join(path);
    let before = std::fs::read(at(kernel)).unwrap();
    let mut changed = before.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    std::fs::write(at(kernel), changed).unwrap();
    std::fs::remove_file(at(rust)).unwrap();
    std::fs::write(at(extra), "").unwrap();
    let output = loom(&check);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!(
            "{kernel}: is not what loom makes\n{rust}: is missing\n{extra}: is made by nothing\n"
        )
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("check --write"));

    said(&write);
    assert_eq!(std::fs::read(at(kernel)).unwrap(), before);
    assert!(at(rust).exists() && !at(extra).exists());
    said(&check);
}

/// A tuned file as the search would write it.
fn tuned(variant: &KernelVariant) -> Tuned {
    let plan = variant.untuned();
    let made = variant.make(&SYSV64, &plan).unwrap();
    let measured = Measured {
        processor: "a processor".to_owned(),
        ghz: 3.0,
        per: "byte".to_owned(),
        cycles: 3.0,
        worst: 3.0,
        untuned: 3.0,
        gain: 1.0,
        processes: 1,
        samples: 1,
    };
    Tuned {
        kernel: variant.name(),
        description: made.record().description.clone(),
        code: code_hash(&*made),
        plan,
        measured,
        search: Search { seed: 7, seconds: 100, candidates: 1000 },
    }
}

#[test]
fn check_makes_kernels_by_their_tuned_files_and_says_which_are_out_of_date() {
    let tree = tree();
    let root = tree.path().to_str().unwrap();
    said(&["check", "--write", "--root", root]);
    let store = Store::new(tree.path().join("crates/loom/tuned"));
    let variant: KernelVariant = "rc4_apply_s8".parse().unwrap();
    let mut tuned = tuned(&variant);
    tuned.plan.choices.branch = false;
    store.save(&variant, "generic", &tuned).unwrap();
    let output = loom(&["check", "--root", root]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "crates/cipherloom/kernels/x86_64/rc4_apply_s8.s: is not what loom makes\n\
         crates/cipherloom/src/kernels/asm/x86_64/generated.rs: is not what loom makes\n\
         crates/loom/src/tune/generic.rs: is not what loom makes\n"
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("rc4_apply_s8.toml: its plan makes other code"), "{errors}");
    tuned.description = "0".to_owned();
    store.save(&variant, "generic", &tuned).unwrap();
    let errors = loom(&["check", "--write", "--root", root]).stderr;
    assert!(String::from_utf8_lossy(&errors).contains("description has changed"));
    let text = std::fs::read_to_string(
        tree.path().join("crates/cipherloom/kernels/x86_64/rc4_apply_s8.s"),
    );
    let text = text.unwrap();
    assert!(text.contains("branch = false") && text.contains("cmov"), "made by the tuned plan");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn tune_goes_on_from_its_file_and_keeps_what_is_right() {
    let folder = nowhere();
    let variant: KernelVariant = "rc4_apply_s8".parse().unwrap();
    let store = Store::new(folder.path());
    let run = || {
        let tuned = folder.path().to_str().unwrap();
        let result = json(&[
            "tune",
            "rc4_apply_s8",
            "--seconds",
            "1",
            "--processes",
            "2",
            "--cpu",
            "here",
            "--tuned",
            tuned,
            "--json",
        ]);
        result[0].clone()
    };
    let first = run();
    assert_eq!(first["from"], "the untuned plan");
    assert_eq!(first["each"].as_array().unwrap().len(), 2);
    assert!(first["cycles"].as_f64().unwrap() > 0.5 && first["gain"].as_f64().unwrap() > 0.5);
    let begun = tuned(&variant);
    store.save(&variant, "here", &begun).unwrap();
    let second = run();
    assert_eq!(second["from"], "its own file");
    let found = store.load(&variant, "here").unwrap().unwrap();
    if second["written"].is_null() {
        assert_eq!(found, begun);
    } else {
        assert_eq!(found.search.seconds, begun.search.seconds + 1);
        assert!(found.search.candidates > begun.search.candidates);
        let made = variant.make(&SYSV64, &found.plan).unwrap();
        assert_eq!(found.code, code_hash(&*made), "the file's plan makes what was measured");
    }
    assert!(store.load(&variant, "generic").unwrap().is_none());
}
