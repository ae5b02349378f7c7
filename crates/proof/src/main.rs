//! The command `prove`: the kernels of a linked file or a static library, against the standards.

use proof::Result;
use proof::image::name_of;
use proof::link::open;
use proof::machine::Instruction;
use proof::manifest::{self, Standing};
use proof::report::prove_all;
use proof::theorems::Lanes;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Instant;

const HELP: &str = "\
prove [--full] [--statements] FILE   prove every kernel of a linked file; --full follows all lanes
prove ... --only=WORD FILE           prove those whose names have a word in them
prove ... --abi=win64 FILE           prove kernels that are called as Windows does, in an object file
prove --manifest [--full] FILE       prove, and print the manifest of what was proved
prove --compare MANIFEST FILE        say which kernels are those of a manifest, by their hashes
prove --forms FILE                   print the forms of all instructions: the list for co-simulation

FILE is a program, a shared or a static library: ELF, Windows' PE or macOS' Mach-O, for x86-64 or AArch64; or
an object file in ELF with nothing but what `loom emit` makes, for 32-bit x86, PA-RISC
and real mode (--abi=near16, --abi=far16) as well.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["--forms", file] => forms(file),
        ["--compare", manifest, file] => compare(manifest, file),
        [.., file] if !file.starts_with('-') => {
            let options = &arguments[..arguments.len() - 1];
            let known = ["--full", "--statements", "--manifest"];
            let valued = ["--only=", "--abi="];
            let is_known = |option: &&str| {
                known.contains(option) || valued.iter().any(|of| option.starts_with(of))
            };
            if options.iter().all(is_known) {
                prove(options, file)
            } else {
                Err(format!("which command?\n\n{HELP}"))
            }
        }
        _ => Err(format!("which file?\n\n{HELP}")),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("prove: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether every kernel is proved.
fn prove(options: &[&str], file: &str) -> Result<bool> {
    let start = Instant::now();
    let mut image = open(file)?;
    for word in options.iter().filter_map(|option| option.strip_prefix("--only=")) {
        image.kernels.retain(|symbol, _| symbol.contains(word));
    }
    for name in options.iter().filter_map(|option| option.strip_prefix("--abi=")) {
        let mut all = image.isa.conventions().iter();
        image.convention = all.find(|convention| convention.name == name).ok_or_else(|| {
            let names: Vec<&str> = image.isa.conventions().iter().map(|of| of.name).collect();
            format!("no convention `{name}`; there is {}", names.join(", "))
        })?;
    }
    let lanes = if options.contains(&"--full") { Lanes::All } else { Lanes::First };
    let proofs = prove_all(&image, &image.isa.covered(), lanes);
    if options.contains(&"--manifest") {
        print!("{}", manifest::write(&image, &proofs, image.isa.coverage())?);
        return Ok(true);
    }
    let mut proved = 0;
    for (symbol, proof) in &proofs {
        let name = name_of(symbol);
        match proof {
            Ok(proof) => {
                proved += 1;
                if options.contains(&"--statements") {
                    println!("{}", proof.statement);
                }
            }
            Err(reason) => println!("REFUSED: {name}: {reason}"),
        }
    }
    if !image.is_elf {
        println!("unwind information is looked at in ELF files only");
    }
    let lanes = if lanes == Lanes::All { "all lanes" } else { "one lane of rounds" };
    println!(
        "{proved} of {} kernels proved ({lanes}); {:.1} s",
        proofs.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(proved == proofs.len())
}

fn compare(manifest: &str, file: &str) -> Result<bool> {
    let text = std::fs::read_to_string(manifest).map_err(|error| format!("{manifest}: {error}"))?;
    let standings = manifest::compare(&open(file)?, &text);
    let mut proved = 0;
    for (symbol, standing) in &standings {
        match standing {
            Standing::Proved => proved += 1,
            Standing::Not(reason) => println!("{}: {reason}", name_of(symbol)),
        }
    }
    println!("{proved} of {} kernels are the code that was proved", standings.len());
    Ok(proved == standings.len())
}

fn forms(file: &str) -> Result<bool> {
    let image = open(file)?;
    let mut forms = BTreeSet::new();
    for kernel in image.kernels.values() {
        let code = image.isa.decode_all(image.code(kernel), kernel.start)?;
        forms.extend(code.iter().map(Instruction::form));
    }
    forms.iter().for_each(|form| println!("{form}"));
    Ok(true)
}
