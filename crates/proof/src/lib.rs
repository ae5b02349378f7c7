//! A prover: the machine code of a linked file computes what the standards say, for every key, every block
//! and every count.
//!
//! `docs/PROOF.md` explains the method, `docs/SOUNDNESS.md` what must be trusted.
//!
//! | module | subject | trusted |
//! |---|---|---|
//! | [`bits`], [`bytes`], [`domain`] | expressions in a normal form | yes |
//! | [`machine`] | what instructions do, and the calling convention | yes; co-simulated |
//! | [`memory`] | regions, and what may be done to them | yes |
//! | [`induction`] | loops; its search for invariants need not be | yes |
//! | [`image`] | linked files | yes |
//! | [`theorems`] | what each kernel is to do | read them |

#![forbid(unsafe_code)]

pub mod bits;
pub mod bytes;
pub mod domain;
pub mod image;
pub mod induction;
pub mod machine;
pub mod memory;
pub mod theorems;

/// What was found, or why it was refused.
pub type Result<T> = std::result::Result<T, String>;

/// The forms of all instructions of a file's kernels.
pub fn forms(image: &image::Image) -> std::collections::BTreeSet<String> {
    let mut forms = std::collections::BTreeSet::new();
    for kernel in image.kernels.values() {
        let code = image.code(kernel);
        let all = iced_x86::Decoder::with_ip(64, code, kernel.start, 0);
        forms.extend(all.into_iter().map(|i| machine::form(&i)));
    }
    forms
}
