//! Constant time, by two checks that share nothing: of descriptions and of machine code.

use loom::isa::Target;
use loom::isa::aarch64::conventions::AAPCS64;
use loom::isa::aarch64::{self, AARCH64};
use loom::isa::frame::Abi;
use loom::isa::leak::What;
use loom::isa::x86::leaks::leaks;
use loom::isa::x86::{X86, X86_32, X86_64};
use loom::variant::KernelVariant;

/// Checks every kernel of an instruction set; how many are clean and how many are not.
fn checked(target: &'static Target) -> (usize, usize) {
    let (mut clean, mut leaking) = (0, 0);
    for variant in KernelVariant::all(target) {
        for abi in Abi::of(target) {
            let made = variant.compile::<X86>(abi, &variant.untuned()).unwrap();
            let code = made.program.bytes(0, 0x10_0000).unwrap();
            let leaks = leaks(&code, &made.record.params, abi);
            if made.record.constant_time {
                let first = leaks.first().map(ToString::to_string);
                assert_eq!(first, None, "{variant}, {}", abi.name);
                clean += 1;
            } else {
                assert!(!leaks.is_empty(), "{variant}, {}: where is the leak?", abi.name);
                leaking += 1;
            }
        }
    }
    let leaks = "with leaks that their records tell of";
    println!("{target}: {clean} kernels without a leak, {leaking} {leaks}");
    (clean, leaking)
}

/// The same for AArch64, whose analysis is another.
#[test]
fn machine_code_of_aarch64_leaks_where_its_description_does() {
    let (mut clean, mut leaking) = (0, 0);
    for variant in KernelVariant::all(&AARCH64) {
        let made = variant.make(&AAPCS64, &variant.untuned()).unwrap();
        let code = made.bytes(Some((0, 0x10_0000))).unwrap();
        let leaks = aarch64::leaks::leaks(&code, &made.record().params, &AAPCS64);
        if made.record().constant_time {
            let first = leaks.first().map(ToString::to_string);
            assert_eq!(first, None, "{variant}");
            clean += 1;
        } else {
            assert!(!leaks.is_empty(), "{variant}: where is the leak?");
            assert!(leaks.iter().all(|leak| leak.what != What::Unknown), "{variant}");
            leaking += 1;
        }
    }
    println!(
        "AArch64: {clean} kernels without a leak, {leaking} with leaks that their records tell of"
    );
    assert!(clean > 40 && leaking > 40);
}

#[test]
fn machine_code_leaks_where_its_description_does() {
    let (clean, leaking) = checked(&X86_64);
    assert!(clean > 80 && leaking > 80);
}

#[test]
fn machine_code_of_32_bits_leaks_where_its_description_does() {
    let (clean, leaking) = checked(&X86_32);
    // Every kernel of bit slices in both widths, by both conventions.
    assert!(clean >= 2 * 9 * 2 && leaking > 40);
}
