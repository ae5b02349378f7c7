//! The kernels for PA-RISC, as loom emits them: the prover on them, what it says of instructions beside an emulator,
//! and what it must refuse.

mod branches;
mod cosimulation;
mod decoder;
mod emulator;
mod kernels;
mod refusals;

pub(crate) use emulator::emulator;

use crate::emitted;
use loom::isa::frame::Abi;
use loom::isa::hppa::conventions::{HPPA, HPPA_PIC, HPPA64};
use proof::image::Image;
use proof::link::open;
use std::process::Command;
use std::sync::OnceLock;

/// Runs a tool of GNU's for PA-RISC.
fn run(command: &mut Command) -> Vec<u8> {
    let done = command.output().unwrap_or_else(|error| {
        panic!(
            "{command:?}: {error}: install binutils-hppa-linux-gnu and binutils-hppa64-linux-gnu"
        )
    });
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    done.stdout
}

/// The kernels of a text.
pub(crate) fn assembled(abi: &Abi, text: &str) -> Image {
    let made = tempfile::tempdir().unwrap();
    let (source, object) = (made.path().join("kernels.s"), made.path().join("kernels.o"));
    std::fs::write(&source, text).unwrap();
    let assembler = if abi.pointer == 8 { "hppa64-linux-gnu-as" } else { "hppa-linux-gnu-as" };
    run(Command::new(assembler).arg("--fatal-warnings").arg("-o").arg(&object).arg(&source));
    emitted::called(open(object.to_str().unwrap()).unwrap(), abi)
}

/// A kernel with its text changed.
fn changed(abi: &'static Abi, name: &str, change: impl Fn(&str) -> String) -> Image {
    let text = emitted::emit(abi, "gnu-hppa", |other| other == name);
    assembled(abi, &change(&String::from_utf8(text).unwrap()))
}

/// Some kernels.
fn some(abi: &'static Abi, is_wanted: impl Fn(&str) -> bool) -> Image {
    assembled(abi, &String::from_utf8(emitted::emit(abi, "gnu-hppa", is_wanted)).unwrap())
}

/// All kernels: of 32 bits, of 32 bits for shared libraries, of 64 bits.
fn images() -> &'static [Image; 3] {
    static IMAGES: OnceLock<[Image; 3]> = OnceLock::new();
    IMAGES.get_or_init(|| [&HPPA, &HPPA_PIC, &HPPA64].map(|abi| some(abi, |_| true)))
}
