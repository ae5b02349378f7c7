//! What was proved, as hashes: a file can be compared with it in no time.
//!
//! A kernel's *stream* is its instructions without those that do nothing, with branches by the number of
//! the instruction they lead to, and addresses of tables by name: it does not depend on the assembler, nor
//! on where a linker puts it.

use crate::Result;
use crate::image::{Image, name_of};
use crate::isa::Isa;
use crate::theorems::Proof;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Formatter, GasFormatter, Instruction, Mnemonic, Register,
};
use proved::{Entry, Hash};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

const NO_MANIFEST: &str = "there are manifests of x86-64's kernels alone";

/// The table that an address lies in, and where in it.
fn table_at(image: &Image, address: u64) -> Result<(&str, u64)> {
    let mut tables = image.tables.iter();
    let (symbol, table) =
        tables.find(|(_, table)| table.contains(&address)).ok_or("an address in no table")?;
    Ok((symbol, address - table.start))
}

/// The stream of a kernel, and the tables that it names.
fn stream<'a>(image: &'a Image, kernel: &Range<u64>) -> Result<(String, BTreeSet<&'a str>)> {
    let all = Decoder::with_ip(64, image.code(kernel), kernel.start, DecoderOptions::NONE);
    let all: Vec<Instruction> = all.into_iter().filter(|i| i.mnemonic() != Mnemonic::Nop).collect();
    let mut formatter = GasFormatter::new();
    let (mut text, mut tables) = (String::new(), BTreeSet::new());
    for i in &all {
        match i.flow_control() {
            FlowControl::Next | FlowControl::Return => {
                let mut i = *i;
                if i.memory_base() == Register::RIP {
                    let (symbol, offset) = table_at(image, i.memory_displacement64())?;
                    tables.insert(symbol);
                    let _ = write!(text, "{symbol}+{offset} ");
                    i.set_memory_displacement64(0);
                    i.set_next_ip(0);
                }
                formatter.format(&i, &mut text);
            }
            _ => {
                // A target may be behind instructions that do nothing.
                let place = all.partition_point(|other| other.ip() < i.near_branch_target());
                let _ = write!(text, "{:?} {place}", i.mnemonic());
            }
        }
        text.push('\n');
    }
    Ok((text, tables))
}

/// The hash of a kernel's stream, that of the tables it names, and their names.
fn hashes<'a>(image: &'a Image, kernel: &Range<u64>) -> Result<(Hash, Hash, BTreeSet<&'a str>)> {
    let (text, names) = stream(image, kernel)?;
    let tables: Result<Vec<_>> = names
        .iter()
        .map(|symbol| {
            let table = &image.tables[*symbol];
            Ok((*symbol, image.table(table.start, table.end - table.start)?))
        })
        .collect();
    Ok((Hash::of(text.as_bytes()), Hash::of_tables(tables?.into_iter()), names))
}

/// The lines that say of a kernel's bytes what they are in memory: its table, where the distances to it are, and
/// the hash.
fn bytes(image: &Image, kernel: &Range<u64>, tables: &BTreeSet<&str>) -> Result<String> {
    let code = image.code(kernel);
    let mut decoder = Decoder::with_ip(64, code, kernel.start, DecoderOptions::NONE);
    let mut places = Vec::new();
    while decoder.can_decode() {
        let i = decoder.decode();
        if i.memory_base() == Register::RIP {
            let offsets = decoder.get_constant_offsets(&i);
            places.push((i.ip() - kernel.start) as usize + offsets.displacement_offset());
        }
    }
    let mut text = String::new();
    let table = match tables.iter().collect::<Vec<_>>()[..] {
        [] => 0,
        [symbol] => {
            let places: Vec<String> = places.iter().map(ToString::to_string).collect();
            let _ = write!(text, "table = \"{symbol}\"\nplaces = \"{}\"\n", places.join(" "));
            image.tables[*symbol].start
        }
        _ => return Err("a manifest has room for one table a kernel".into()),
    };
    let hash = Hash::of_kernel(code, kernel.start, places.into_iter(), table);
    let _ = writeln!(text, "bytes = \"{}\"", hash.ok_or("a distance outside the kernel")?);
    Ok(text)
}

/// The manifest of what was proved.
///
/// # Errors
/// If a kernel is not proved, or refers to what is no table.
pub fn write(
    image: &Image,
    proofs: &BTreeMap<String, Result<Proof>>,
    coverage: &str,
) -> Result<String> {
    if image.isa != Isa::X86_64 {
        return Err(NO_MANIFEST.into());
    }
    let mut text = String::from(
        "# What was proved: `cargo xtask prove` writes and compares it (docs/PROOF.md).\n\n",
    );
    let _ = writeln!(text, "coverage = \"{}\"", Hash::of(coverage.as_bytes()));
    let mut kernels: Vec<_> = proofs.iter().collect();
    kernels.sort_by_key(|(symbol, _)| name_of(symbol));
    for (symbol, proof) in kernels {
        let proof = proof.as_ref().map_err(|reason| format!("{}: {reason}", name_of(symbol)))?;
        let kernel = &image.kernels[symbol];
        let (stream, tables, names) = hashes(image, kernel)?;
        let statement = Hash::of(proof.statement.as_bytes());
        let _ = write!(
            text,
            "\n[{}]\nsymbol = \"{symbol}\"\nstream = \"{stream}\"\ntables = \"{tables}\"\n\
             statement = \"{statement}\"\n{}",
            name_of(symbol),
            bytes(image, kernel, &names)?
        );
    }
    Ok(text)
}

/// How a kernel stands to a manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is the code that was proved, with its tables.
    Proved,
    /// Why it is not.
    Not(String),
}

/// Compares the kernels of a file with a manifest, by `HASH_NAME`. Nothing is proved.
pub fn compare(image: &Image, manifest: &str) -> BTreeMap<String, Standing> {
    let stand = |symbol: &String, kernel: &Range<u64>| -> Result<()> {
        if image.isa != Isa::X86_64 {
            return Err(NO_MANIFEST.into());
        }
        let entry = Entry::find(manifest, symbol)?;
        let (stream, tables, _) = hashes(image, kernel)?;
        for (what, hash) in [("stream", stream), ("tables", tables)] {
            if !entry.has(what, hash) {
                return Err(format!("another {what} than the one that was proved"));
            }
        }
        Ok(())
    };
    let kernels = image.kernels.iter().map(|(symbol, kernel)| {
        let standing = stand(symbol, kernel).map_or_else(Standing::Not, |()| Standing::Proved);
        (symbol.clone(), standing)
    });
    kernels.collect()
}
