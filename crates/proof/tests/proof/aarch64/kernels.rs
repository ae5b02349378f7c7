//! Every kernel for AArch64 that the library ships is proved.

use proof::machine::Isa;
use proof::report::prove_all;
use proof::theorems::Lanes;

/// The Rust around the kernels: a row for each.
const GENERATED: &str = include_str!("../../../../cipherloom/src/kernels/asm/aarch64/generated.rs");

/// The manifest that is committed.
const MANIFEST: &str = include_str!("../../../../proved/aarch64.toml");

#[test]
fn slow_every_kernel_is_proved() {
    let image = super::image();
    assert_eq!(image.isa, Isa::AArch64);
    let listed = crate::kernels::rows(GENERATED);
    assert!(listed.len() > 30, "{listed:?}");
    assert!(image.kernels.keys().eq(listed.keys()), "{listed:?}");
    let proofs = prove_all(&image, &Isa::AArch64.covered(), Lanes::First);
    let refused: Vec<_> =
        proofs.iter().filter_map(|(symbol, proof)| Some((symbol, proof.as_ref().err()?))).collect();
    assert!(refused.is_empty(), "{refused:#?}");
    println!("{} kernels proved", proofs.len());
    crate::kernels::is_the_manifest_of(&image, &proofs, MANIFEST);
}
