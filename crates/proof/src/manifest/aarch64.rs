//! Kernels for AArch64: an address is in two instructions, `adrp` and an `add`.

use super::content::{Content, table_at};
use crate::Result;
use crate::image::Image;
use crate::isa::Isa;
use crate::machine::Instruction;
use crate::machine::aarch64::Instruction as Word;
use proved::Hash;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

/// An address: where its page is made, where the rest is added, and what it is.
struct Pair {
    page: u64,
    rest: u64,
    address: u64,
}

pub(super) fn content<'a>(image: &'a Image, kernel: &Range<u64>) -> Result<Content<'a>> {
    let (code, start) = (image.code(kernel), kernel.start);
    let all = Isa::AArch64.decode_all(code, start)?;
    let words = all.iter().filter_map(|i| match i {
        Instruction::AArch64(i) if !i.is_nothing() => Some(*i),
        _ => None,
    });
    let all: Vec<Word> = words.collect();
    let pairs = pairs(&all)?;
    let (stream, tables) = stream(image, &all, &pairs)?;
    let places: Vec<(usize, usize)> = pairs
        .iter()
        .map(|pair| ((pair.page - start) as usize, (pair.rest - start) as usize))
        .collect();
    let names: Vec<String> = places.iter().map(|(page, rest)| format!("{page}+{rest}")).collect();
    let hash = move |table| Hash::of_words(code, start, places.iter().copied(), table);
    let places = format!("pairs = \"{}\"", names.join(" "));
    Ok(Content { stream, tables, places, hash: Box::new(hash) })
}

/// Addresses that a kernel makes. Pages of which nothing is made would count by where they lie.
fn pairs(all: &[Word]) -> Result<Vec<Pair>> {
    let mut pages = [None; 32];
    let (mut pairs, mut made) = (Vec::new(), BTreeSet::new());
    for i in all {
        if let Some((register, page)) = i.page() {
            pages[register] = Some((i.address, page));
            made.insert(i.address);
        } else if let Some((to, from, above)) = i.sum()
            && let Some((at, page)) = pages[from]
        {
            pairs.push(Pair { page: at, rest: i.address, address: page + above });
            if to == from {
                pages[from] = None;
            }
        }
    }
    let used: BTreeSet<u64> = pairs.iter().map(|pair| pair.page).collect();
    if used == made { Ok(pairs) } else { Err("a page of which no address is made".into()) }
}

/// The stream of a kernel, and the tables that it names.
fn stream<'a>(
    image: &'a Image,
    all: &[Word],
    pairs: &[Pair],
) -> Result<(String, BTreeSet<&'a str>)> {
    let (mut text, mut tables) = (String::new(), BTreeSet::new());
    for i in all {
        let shown = i.to_string();
        // The last operand is where a page or another instruction is, or what is above a page.
        let (before, _) = shown.rsplit_once(' ').unwrap_or((&shown, ""));
        if let Some(target) = i.target() {
            let place = all.partition_point(|other| other.address < target);
            let _ = write!(text, "{before} {place}");
        } else if i.page().is_some() {
            let _ = write!(text, "{before} page");
        } else if let Some(pair) = pairs.iter().find(|pair| pair.rest == i.address) {
            let (symbol, offset) = table_at(image, pair.address)?;
            tables.insert(symbol);
            let _ = write!(text, "{before} {symbol}+{offset}");
        } else {
            text.push_str(&shown);
        }
        text.push('\n');
    }
    Ok((text, tables))
}
