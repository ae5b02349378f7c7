//! The kernels that loom emits for other programs than the library: each is proved, from an object file.

use loom::ciphers::des::{Layout, schedule};
use loom::emit::{Unit, file};
use loom::isa::frame::Abi;
use loom::isa::x86::conventions::{CDECL, CDECL_PIC, FAR16, NEAR16, WIN64};
use loom::library::Recipe;
use loom::tune::{GENERIC, Store};
use loom::variant::KernelVariant;
use proof::bits::{Bit, Bits};
use proof::image::Image;
use proof::link::open;
use proof::report::prove_all;
use proof::theorems::Lanes;
use proof::theorems::schedules;
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// Kernels of an instruction set by a calling convention, as `loom emit` makes them, of names that are wanted.
pub(crate) fn units(abi: &'static Abi, is_wanted: impl Fn(&str) -> bool) -> Vec<Unit> {
    let store = Store::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../loom/tuned"));
    let unit = |variant: &KernelVariant| -> Result<Unit, Box<dyn Error>> {
        let recipe = Recipe::find::<Box<dyn Error>>(&store, variant, abi, GENERIC)?;
        Ok(Unit::new(&*variant.make(abi, &recipe.plan)?, recipe.how))
    };
    let mut variants = KernelVariant::all(abi.target);
    variants.retain(|variant| is_wanted(&variant.name()));
    variants.iter().map(|variant| unit(variant).unwrap()).collect()
}

/// The same as a file.
pub(crate) fn emit(abi: &'static Abi, format: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<u8> {
    written(abi, format, &units(abi, is_wanted))
}

/// Kernels as a file.
pub(crate) fn written(abi: &'static Abi, format: &str, units: &[Unit]) -> Vec<u8> {
    file(abi.target.format(format).expect("a format"), units, "").unwrap()
}

/// All of them, from an object file.
pub(crate) fn emitted(abi: &'static Abi) -> Image {
    emitted_if(abi, |_| true)
}

/// Those of names that are wanted.
pub(crate) fn emitted_if(abi: &'static Abi, is_wanted: impl Fn(&str) -> bool) -> Image {
    opened(abi, &emit(abi, "elf", is_wanted))
}

/// The kernels of an object file.
pub(crate) fn opened(abi: &Abi, bytes: &[u8]) -> Image {
    let made = tempfile::tempdir().unwrap();
    let object = made.path().join("kernels.o");
    std::fs::write(&object, bytes).unwrap();
    called(open(object.to_str().unwrap()).unwrap(), abi)
}

/// A kernel of 32 bits with its text changed.
pub(crate) fn changed(name: &str, change: impl Fn(&str) -> String) -> Image {
    assembled(&CDECL, "--32", |other| other == name, change)
}

/// Kernels with their text changed, from the object file that GNU's assembler makes of it.
pub(crate) fn assembled(
    abi: &'static Abi,
    bits: &str,
    is_wanted: impl Fn(&str) -> bool,
    change: impl Fn(&str) -> String,
) -> Image {
    let text = String::from_utf8(emit(abi, "elf-att", is_wanted)).unwrap();
    by_gnu(abi, bits, &change(&text))
}

/// The kernels of a text, by GNU's assembler.
pub(crate) fn by_gnu(abi: &Abi, bits: &str, text: &str) -> Image {
    let made = tempfile::tempdir().unwrap();
    let (source, object) = (made.path().join("kernel.s"), made.path().join("kernel.o"));
    std::fs::write(&source, text).unwrap();
    let done = Command::new("as").args([bits, "-o"]).arg(&object).arg(&source).status();
    assert!(done.expect("GNU's assembler").success());
    called(open(object.to_str().unwrap()).unwrap(), abi)
}

/// An image whose kernels are called by a convention, if the prover tells it from others.
pub(crate) fn called(mut image: Image, abi: &Abi) -> Image {
    let own = image.isa.conventions().iter().find(|convention| convention.name == abi.name);
    image.convention = own.unwrap_or(image.convention);
    image
}

/// Those of real mode, called near and far. All do not fit into one segment: DES and Triple-DES are apart.
pub(crate) fn of_real_mode() -> &'static [Image; 4] {
    static IMAGES: OnceLock<[Image; 4]> = OnceLock::new();
    let made = |abi: &'static Abi, prefix: &str| {
        assembled(abi, "--32", |name| name.starts_with(prefix), str::to_owned)
    };
    IMAGES.get_or_init(|| {
        [made(&NEAR16, "des"), made(&NEAR16, "tdes"), made(&FAR16, "des"), made(&FAR16, "tdes")]
    })
}

/// Those of 32-bit x86 for programs that lie where they were linked.
pub(crate) fn of_32_bits() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| emitted(&CDECL))
}

/// Those that lie anywhere.
pub(crate) fn position_independent() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| emitted(&CDECL_PIC))
}

/// What the library ships, as called by Windows.
pub(crate) fn of_windows() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| emitted_if(&WIN64, |name| is_shipped(&WIN64, name)))
}

/// Whether the library has a kernel of this name for a convention's instruction set.
pub(crate) fn is_shipped(abi: &Abi, name: &str) -> bool {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cipherloom/kernels");
    library.join(abi.target.name.replace('-', "_")).join(name).with_extension("s").exists()
}

pub(crate) fn are_proved(image: &Image, all: usize) {
    let proofs = prove_all(image, &image.isa.covered(), Lanes::First);
    let refused = proofs.iter().filter_map(|(symbol, proof)| Some((symbol, proof.as_ref().err()?)));
    let refused: Vec<_> = refused.collect();
    assert!(refused.is_empty(), "{refused:#?}");
    assert_eq!(proofs.len(), all, "kernels");
    println!("{all} kernels proved");
}

/// Schedules as loom has them for tests and for users, beside those of the statements. They are affine functions of
/// the key, so no key bit set and each alone are all keys.
#[test]
fn schedules_that_loom_makes_are_those_of_the_statements() {
    for key in std::iter::once(0).chain((0..64).map(|bit| 1u64 << bit)) {
        let key = key.to_be_bytes();
        let subkeys = cipherloom_spec::des::ks(key).map(|key| key.map(Bit::constant));
        let backwards: Vec<_> = subkeys.iter().rev().copied().collect();
        let ede = [&subkeys[..], &backwards, &subkeys].concat();
        for (layout, of) in [
            (Layout::Rotated, schedules::Layout::Rotated),
            (Layout::Bytes, schedules::Layout::Bytes),
            (Layout::Pairs, schedules::Layout::Pairs),
            (Layout::Dense, schedules::Layout::Dense),
        ] {
            for (keys, stated) in [
                (&[(key, false)][..], &subkeys[..]),
                (&[(key, false), (key, true), (key, false)], &ede),
            ] {
                let words = schedule(layout, keys).into_iter();
                let made = words.flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 1));
                let stated = of.schedule(&mut Bits::default(), stated).into_iter();
                let stated = stated.map(|bit| bit.known().unwrap());
                assert!(made.eq(stated), "{of:?}, {key:x?}");
            }
        }
    }
}

#[test]
fn slow_every_kernel_of_32_bits_is_proved() {
    are_proved(of_32_bits(), 124);
}

#[test]
fn rare_every_kernel_of_windows_is_proved() {
    are_proved(of_windows(), 151);
}

#[test]
fn slow_every_position_independent_kernel_of_32_bits_is_proved() {
    are_proved(position_independent(), 124);
}

#[test]
fn every_kernel_of_real_mode_is_proved() {
    for image in of_real_mode() {
        are_proved(image, 6);
    }
}

/// A frame of more than a page, without what touches its pages.
#[test]
fn slow_who_skips_a_page_of_the_stack_is_refused() {
    const TOUCH: &str = "(%rsp)";
    let name = "tdes_decrypt_reg256_x2_avx2";
    let image = |is_kept: bool| {
        assembled(
            &WIN64,
            "--64",
            |other| other == name,
            |text| {
                let touches = |line: &str| line.contains("movl") && line.ends_with(TOUCH);
                assert!(text.lines().any(touches));
                let lines = text.lines().filter(|line| is_kept || !touches(line));
                lines.map(|line| format!("{line}\n")).collect()
            },
        )
    };
    let proof = |image: &Image| {
        let proofs = prove_all(image, &image.isa.covered(), Lanes::First);
        proofs.into_values().next().expect("a kernel")
    };
    proof(&image(true)).unwrap();
    let error = proof(&image(false)).unwrap_err();
    assert!(error.contains("beyond its next page"), "{error}");
}
