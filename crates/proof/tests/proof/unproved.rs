//! Kernels that loom makes for x86-64 and AArch64 and the library does not ship. Those that are not proved stand by
//! name, with the reason, in `unproved.txt`; all others are proved.

use crate::emitted::{emitted_if, is_shipped};
use loom::isa::aarch64::conventions::AAPCS64;
use loom::isa::frame::Abi;
use loom::isa::x86::conventions::SYSV64;
use proof::image::{Image, name_of};
use proof::report::prove_all;
use proof::theorems::Lanes;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A line of each: the instruction set, the name, a colon, and the reason.
const LIST: &str = include_str!("../unproved.txt");

/// What the reasons are in the prover's words.
const REASONS: [(&str, &str); 6] = [
    ("no theorem speaks of 64 lanes", "no theorem for slices of this width"),
    ("no theorem speaks of RC4 for these features", "so many states"),
    ("no theorem speaks of GFNI", "no theorem says what gfni means"),
    ("a form that is not co-simulated", "is not covered by co-simulation"),
    ("an instruction that is not decoded", "no instruction that the prover knows"),
    ("sums that grow too long", "too many instructions, or sums that grow without end"),
];

fn lines() -> impl Iterator<Item = &'static str> {
    LIST.lines().filter(|line| !line.starts_with('#'))
}

/// The kernels of an instruction set on the list, with what the prover says.
fn listed(abi: &Abi) -> BTreeMap<&'static str, &'static str> {
    let own = lines().filter_map(|line| line.strip_prefix(abi.target.name)?.strip_prefix(' '));
    let own = own.map(|line| line.split_once(": ").expect("a name and a reason"));
    let words = own.map(|(name, reason)| {
        let known = REASONS.iter().find(|(of, _)| *of == reason);
        (name, known.unwrap_or_else(|| panic!("{name}: {reason}?")).1)
    });
    words.collect()
}

/// Kernels that are proved and not shipped, whose forms are co-simulated with those of the library's.
fn proved(abi: &'static Abi) -> Image {
    let refused = listed(abi);
    emitted_if(abi, |name| !is_shipped(abi, name) && !refused.contains_key(name))
}

/// Those of x86-64.
pub(crate) fn of_x86_64() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| proved(&SYSV64))
}

/// Those of AArch64.
pub(crate) fn of_aarch64() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| proved(&AAPCS64))
}

/// What the statements of others speak of is there, too.
const PIECES: &str = "bitslice128_";

/// All are proved but those on the list, which are refused for their reasons.
fn is_exact(abi: &'static Abi, all: usize, refused: usize) {
    let image = emitted_if(abi, |name| !is_shipped(abi, name) || name.starts_with(PIECES));
    let mut listed = listed(abi);
    let own = image.kernels.keys().filter(|symbol| !is_shipped(abi, name_of(symbol))).count();
    assert_eq!((own, listed.len()), (all, refused), "docs/SOUNDNESS.md has these");
    let mut wrong = Vec::new();
    for (symbol, proof) in prove_all(&image, &image.isa.covered(), Lanes::First) {
        let name = name_of(&symbol);
        match (proof, listed.remove(name)) {
            (Ok(_), None) => {}
            (Ok(_), Some(_)) => wrong.push(format!("{name} is proved, and on the list")),
            (Err(error), Some(words)) if error.contains(words) => {}
            (Err(error), _) => wrong.push(format!("{} {name}: {error}", abi.target.name)),
        }
    }
    wrong.extend(listed.keys().map(|name| format!("{name} is on the list, and not made")));
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    println!("{} of {all} proved", all - refused);
}

#[test]
fn rare_what_is_not_proved_of_x86_64_is_listed() {
    is_exact(&SYSV64, 249, 37);
}

#[test]
fn rare_what_is_not_proved_of_aarch64_is_listed() {
    is_exact(&AAPCS64, 124, 50);
}

#[test]
fn the_list_is_in_order() {
    let lines: Vec<&str> = lines().collect();
    assert!(lines.len() > 1 && lines.is_sorted(), "{lines:#?}");
    let listed = listed(&SYSV64).len() + listed(&AAPCS64).len();
    assert_eq!(
        lines.len(),
        listed,
        "a line of another instruction set, or one that is there twice"
    );
}
