//! The kernels of each instruction set.

use crate::{aarch64, emitted, hppa, program};
use loom::emit::{Unit, text};
use loom::isa::frame::Abi;
use loom::isa::hppa::conventions::{HPPA, HPPA_PIC, HPPA64};
use loom::isa::x86::conventions::{CDECL, CDECL_PIC, FAR16, NEAR16};
use proof::image::{Image, name_of};
use proved::{Entry, Hash};

/// The manifests that are committed.
pub(super) const X86_64: &str = include_str!("../../../../proved/x86_64.toml");
pub(super) const AARCH64: &str = include_str!("../../../../proved/aarch64.toml");

/// A kernel.
pub(super) struct Listed {
    pub(super) symbol: String,
    /// What the record calls it.
    pub(super) key: String,
    /// The hash of what it is.
    pub(super) hash: String,
    /// What its changes follow from.
    pub(super) seed: u64,
}

/// A file of kernels.
pub(super) struct Source {
    /// Reads it.
    pub(super) image: Box<dyn Fn() -> Image + Sync>,
    pub(super) kernels: Vec<Listed>,
}

/// The kernels of an instruction set.
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) sources: Vec<Source>,
}

/// Makes kernels of an instruction set, of names that are wanted.
pub(super) type Make = fn(fn(&str) -> bool) -> Set;

/// All of them, to be made one after the other.
pub(super) const ALL: [(&str, Make); 5] = [
    ("x86_64", x86_64),
    ("aarch64", aarch64),
    ("x86_32", x86_32),
    ("x86_16", x86_16),
    ("hppa", hppa),
];

fn seed(hex: &str) -> u64 {
    u64::from_str_radix(&hex[..16], 16).unwrap()
}

/// Those of the library, of which a manifest has hashes.
fn library(image: fn() -> Image, manifest: &str, is_wanted: fn(&str) -> bool) -> Source {
    let wanted = image().kernels.into_keys().filter(|symbol| is_wanted(name_of(symbol)));
    let listed = wanted.map(|symbol| {
        let entry = Entry::find(manifest, &symbol).unwrap();
        let (key, seed) = (name_of(&symbol).to_owned(), seed(&symbol));
        Listed { key, hash: entry.get("bytes").unwrap().into(), seed, symbol }
    });
    Source { kernels: listed.collect(), image: Box::new(image) }
}

/// Those that loom emits. Of these the hash is that of their text with its tables, which does not depend on where they
/// lie; two conventions may have one in common.
fn of_loom(
    abi: &'static Abi,
    format: &str,
    units: &[Unit],
    image: impl Fn() -> Image + Sync + 'static,
) -> Source {
    let format = abi.target.format(format).expect("a format");
    let listed = units.iter().map(|unit| {
        let text = text(format, std::slice::from_ref(unit), "");
        let comment = [";", "#"];
        let lines = text.lines().map(str::trim_start);
        let lines = lines.filter(|line| !comment.iter().any(|comment| line.starts_with(comment)));
        let hash = Hash::of(lines.collect::<Vec<_>>().join("\n").as_bytes()).to_string();
        let (name, seed) = (&unit.record.name, seed(&hash));
        Listed { symbol: format!("_{name}"), key: format!("{}.{name}", abi.name), hash, seed }
    });
    Source { kernels: listed.collect(), image: Box::new(image) }
}

pub(super) fn x86_64(is_wanted: fn(&str) -> bool) -> Set {
    Set { name: "x86_64", sources: vec![library(program::image, X86_64, is_wanted)] }
}

pub(super) fn aarch64(is_wanted: fn(&str) -> bool) -> Set {
    Set { name: "aarch64", sources: vec![library(aarch64::image, AARCH64, is_wanted)] }
}

pub(super) fn x86_32(is_wanted: fn(&str) -> bool) -> Set {
    let source = |abi: &'static Abi| {
        let units = emitted::units(abi, is_wanted);
        let object = emitted::written(abi, "elf", &units);
        of_loom(abi, "elf-att", &units, move || emitted::opened(abi, &object))
    };
    Set { name: "x86_32", sources: vec![source(&CDECL), source(&CDECL_PIC)] }
}

/// Of real mode: all do not fit into one segment.
pub(super) fn x86_16(is_wanted: fn(&str) -> bool) -> Set {
    let source = |(abi, cipher): (&'static Abi, &'static str)| {
        let units = emitted::units(abi, |name| is_wanted(name) && name.starts_with(cipher));
        let text = String::from_utf8(emitted::written(abi, "elf-att", &units)).unwrap();
        of_loom(abi, "elf-att", &units, move || emitted::by_gnu(abi, "--32", &text))
    };
    let sources = [(&NEAR16, "des"), (&NEAR16, "tdes"), (&FAR16, "des"), (&FAR16, "tdes")];
    Set { name: "x86_16", sources: sources.into_iter().map(source).collect() }
}

pub(super) fn hppa(is_wanted: fn(&str) -> bool) -> Set {
    let source = |abi: &'static Abi| {
        let units = emitted::units(abi, is_wanted);
        let text = String::from_utf8(emitted::written(abi, "gnu-hppa", &units)).unwrap();
        of_loom(abi, "gnu-hppa", &units, move || hppa::assembled(abi, &text))
    };
    Set { name: "hppa", sources: vec![source(&HPPA), source(&HPPA_PIC), source(&HPPA64)] }
}
