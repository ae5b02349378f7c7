//! What was proved, as hashes: a file can be compared with it in no time.
//!
//! A kernel's *stream* is its instructions without those that do nothing, with branches by the number of
//! the instruction they lead to, and addresses of tables by name: it does not depend on the assembler, nor
//! on where a linker puts it.

use crate::Result;
use crate::image::{Image, name_of};
use crate::theorems::Proof;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Formatter, GasFormatter, Instruction, Mnemonic, Register,
};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

fn hex(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

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

/// The hash of a kernel's stream, and that of the tables it names.
fn hashes(image: &Image, kernel: &Range<u64>) -> Result<(String, String)> {
    let (text, tables) = stream(image, kernel)?;
    let mut bytes = Vec::new();
    for symbol in tables {
        let table = &image.tables[symbol];
        bytes.extend_from_slice(symbol.as_bytes());
        bytes.extend_from_slice(image.table(table.start, table.end - table.start)?);
    }
    Ok((hex(text.as_bytes()), hex(&bytes)))
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
    let mut text = String::from(
        "# What was proved: `cargo xtask prove` writes and compares it (docs/PROOF.md).\n\n",
    );
    let _ = writeln!(text, "coverage = \"{}\"", hex(coverage.as_bytes()));
    let mut kernels: Vec<_> = proofs.iter().collect();
    kernels.sort_by_key(|(symbol, _)| name_of(symbol));
    for (symbol, proof) in kernels {
        let proof = proof.as_ref().map_err(|reason| format!("{}: {reason}", name_of(symbol)))?;
        let (stream, tables) = hashes(image, &image.kernels[symbol])?;
        let statement = hex(proof.statement.as_bytes());
        let _ = write!(
            text,
            "\n[{}]\nsymbol = \"{symbol}\"\nstream = \"{stream}\"\ntables = \"{tables}\"\n\
             statement = \"{statement}\"\n",
            name_of(symbol)
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
    let mut entries: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for entry in manifest.split("\n[").skip(1) {
        let pairs = entry.lines().filter_map(|line| {
            let (key, value) = line.split_once(" = ")?;
            Some((key, value.trim_matches('"')))
        });
        let pairs: BTreeMap<&str, &str> = pairs.collect();
        if let Some(symbol) = pairs.get("symbol") {
            entries.insert(symbol, pairs);
        }
    }
    let stand = |symbol: &String, kernel: &Range<u64>| -> Result<()> {
        let entry = entries.get(symbol.as_str()).ok_or("the manifest has none of that name")?;
        let (stream, tables) = hashes(image, kernel)?;
        for (what, hash) in [("stream", stream), ("tables", tables)] {
            if entry.get(what) != Some(&hash.as_str()) {
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
