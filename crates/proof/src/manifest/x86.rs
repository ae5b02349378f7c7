//! Kernels for x86-64: a distance is the displacement of an instruction, counted from behind it.

use super::content::{Content, table_at};
use crate::Result;
use crate::image::Image;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Formatter, GasFormatter, Instruction, Mnemonic, Register,
};
use proved::Hash;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

pub(super) fn content<'a>(image: &'a Image, kernel: &Range<u64>) -> Result<Content<'a>> {
    let (code, start) = (image.code(kernel), kernel.start);
    let mut decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
    let (mut all, mut places) = (Vec::new(), Vec::new());
    while decoder.can_decode() {
        let i = decoder.decode();
        if i.memory_base() == Register::RIP {
            let offsets = decoder.get_constant_offsets(&i);
            places.push((i.ip() - start) as usize + offsets.displacement_offset());
        }
        if i.mnemonic() != Mnemonic::Nop {
            all.push(i);
        }
    }
    let (stream, tables) = stream(image, &all)?;
    let names: Vec<String> = places.iter().map(ToString::to_string).collect();
    let hash = move |table| Hash::of_kernel(code, start, places.iter().copied(), table);
    let places = format!("places = \"{}\"", names.join(" "));
    Ok(Content { stream, tables, places, hash: Box::new(hash) })
}

/// The stream of a kernel, and the tables that it names.
fn stream<'a>(image: &'a Image, all: &[Instruction]) -> Result<(String, BTreeSet<&'a str>)> {
    let mut formatter = GasFormatter::new();
    let (mut text, mut tables) = (String::new(), BTreeSet::new());
    for i in all {
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
