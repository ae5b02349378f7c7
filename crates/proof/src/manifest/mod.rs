//! What was proved, as hashes: a file can be compared with it in no time.
//!
//! A kernel's *stream* is its instructions without those that do nothing, with branches by the number of
//! the instruction they lead to, and addresses of tables by name: it does not depend on the assembler, nor
//! on where a linker puts it.

mod aarch64;
mod content;
mod x86;

use crate::Result;
use crate::image::{Image, name_of};
use crate::isa::Isa;
use crate::theorems::Proof;
use content::Content;
use proved::{Entry, Hash};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

fn content<'a>(image: &'a Image, kernel: &Range<u64>) -> Result<Content<'a>> {
    match image.isa {
        Isa::X86_64 => x86::content(image, kernel),
        Isa::X86_32 | Isa::X86_16 | Isa::Hppa => {
            Err("no manifest for kernels that the library has not".into())
        }
        Isa::AArch64 => aarch64::content(image, kernel),
    }
}

/// The hash of tables.
fn hash_of_tables(image: &Image, names: &BTreeSet<&str>) -> Result<Hash> {
    let tables: Result<Vec<_>> = names
        .iter()
        .map(|symbol| {
            let table = &image.tables[*symbol];
            Ok((*symbol, image.table(table.start, table.end - table.start)?))
        })
        .collect();
    Ok(Hash::of_tables(tables?.into_iter()))
}

/// The lines that say of a kernel's bytes what they are in memory: its table, where the distances to it are, and
/// the hash.
fn bytes(image: &Image, content: &Content<'_>) -> Result<String> {
    let (table, at) = match content.tables.iter().collect::<Vec<_>>()[..] {
        [] => (String::new(), 0),
        [symbol] => {
            let table = format!("table = \"{symbol}\"\n{}\n", content.places);
            (table, image.tables[*symbol].start)
        }
        _ => return Err("a manifest has room for one table a kernel".into()),
    };
    let hash = (content.hash)(at).ok_or("a distance outside the kernel")?;
    Ok(format!("{table}bytes = \"{hash}\"\n"))
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
    let _ = writeln!(text, "coverage = \"{}\"", Hash::of(coverage.as_bytes()));
    let mut kernels: Vec<_> = proofs.iter().collect();
    kernels.sort_by_key(|(symbol, _)| name_of(symbol));
    for (symbol, proof) in kernels {
        let proof = proof.as_ref().map_err(|reason| format!("{}: {reason}", name_of(symbol)))?;
        let kernel = &image.kernels[symbol];
        let content = content(image, kernel)?;
        let (stream, tables) =
            (Hash::of(content.stream.as_bytes()), hash_of_tables(image, &content.tables)?);
        let statement = Hash::of(proof.statement.as_bytes());
        let _ = write!(
            text,
            "\n[{}]\nsymbol = \"{symbol}\"\nstream = \"{stream}\"\ntables = \"{tables}\"\n\
             statement = \"{statement}\"\n{}",
            name_of(symbol),
            bytes(image, &content)?
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
        let entry = Entry::find(manifest, symbol)?;
        let content = content(image, kernel)?;
        let stream = Hash::of(content.stream.as_bytes());
        let tables = hash_of_tables(image, &content.tables)?;
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
