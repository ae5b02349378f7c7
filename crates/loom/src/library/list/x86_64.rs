//! Which kernels ship for x86-64.

use super::group::{Group, all};
use crate::ciphers::Strategy;
use crate::ciphers::des::bitslice::{Config, Task};
use crate::isa::x86::{X86_64, features};
use crate::isa::{Features, Target};
use crate::variant::{KernelVariant, feature_sets};

static TARGET: &Target = &X86_64;

/// Kernels that gain from BMI2, and ship with and without it.
const BOTH: [&str; 18] = [
    "des_encrypt_table64_chain",
    "tdes_encrypt_table64_chain",
    "des_encrypt_table64",
    "des_decrypt_table64",
    "des_encrypt_table64_x2",
    "des_decrypt_table64_x2",
    "des_encrypt_table64_x3",
    "des_decrypt_table64_x3",
    "des_encrypt_table64_x4",
    "des_decrypt_table64_x4",
    "tdes_encrypt_table64",
    "tdes_decrypt_table64",
    "tdes_encrypt_table64_x2",
    "tdes_decrypt_table64_x2",
    "tdes_encrypt_table64_x3",
    "tdes_decrypt_table64_x3",
    "tdes_encrypt_table64_x4",
    "tdes_decrypt_table64_x4",
];

/// Kernels that gain from GFNI: chains, and blocks one by one. (Only Intel's processors do chains by `spaced64`, so the
/// plans of these are for them.)
const BY_MATRICES: [&str; 8] = [
    "des_encrypt_table64_chain",
    "tdes_encrypt_table64_chain",
    "des_encrypt_spaced64_chain",
    "tdes_encrypt_spaced64_chain",
    "des_encrypt_table64",
    "des_decrypt_table64",
    "tdes_encrypt_table64",
    "tdes_decrypt_table64",
];

/// Kernels that have nothing to rotate: BMI2 makes no difference.
const BASELINE: [&str; 12] = [
    "rc4_apply_s8",
    "rc4_keystreams_s8_x2",
    "rc4_keystreams_s8_x3",
    "rc4_keystreams_s8_x4",
    "rc4_setup_s8",
    "rc4_setup_s8_x4",
    "rc4_apply_s32",
    "rc4_keystreams_s32_x2",
    "rc4_keystreams_s32_x3",
    "rc4_keystreams_s32_x4",
    "rc4_setup_s32",
    "rc4_setup_s32_x4",
];

/// Kernels that put bytes of keystream together in a vector where the processor has AVX2.
const INSERTING: [&str; 4] =
    ["rc4_apply_s8", "rc4_keystreams_s8_x2", "rc4_keystreams_s8_x3", "rc4_keystreams_s8_x4"];

/// Kernels for programs that hold libdes' words and schedules. (With BMI2 and tables of 8 KB they are
/// a twenty-fifth faster, which is not worth four more.)
const LIBDES: [&str; 4] = ["des_encrypt1", "des_encrypt2", "des_encrypt3", "des_decrypt3"];

/// Kernels with look-ups inside registers: RC4, and of DES one block, several interleaved or in one vector. (In 512 bits
/// Intel's processors do one block, or a chain, by `sum512`, others by `reg512`. In 256
/// bits four blocks are a sixth faster than two and fill the cache of instructions with Triple-DES.)
const IN_REGISTERS: [&str; 46] = [
    "des_encrypt_reg512_chain",
    "tdes_encrypt_reg512_chain",
    "des_encrypt_reg512",
    "des_decrypt_reg512",
    "des_encrypt_reg512_x4",
    "des_decrypt_reg512_x4",
    "des_encrypt_reg512_x8",
    "des_decrypt_reg512_x8",
    "tdes_encrypt_reg512",
    "tdes_decrypt_reg512",
    "tdes_encrypt_reg512_x4",
    "tdes_decrypt_reg512_x4",
    "tdes_encrypt_reg512_x8",
    "tdes_decrypt_reg512_x8",
    "des_encrypt_sum512_chain",
    "tdes_encrypt_sum512_chain",
    "des_encrypt_sum512",
    "des_decrypt_sum512",
    "tdes_encrypt_sum512",
    "tdes_decrypt_sum512",
    "des_encrypt_pack512_x8",
    "des_decrypt_pack512_x8",
    "des_encrypt_pack512_x16",
    "des_decrypt_pack512_x16",
    "des_encrypt_pack512_x32",
    "des_decrypt_pack512_x32",
    "tdes_encrypt_pack512_x8",
    "tdes_decrypt_pack512_x8",
    "tdes_encrypt_pack512_x16",
    "tdes_decrypt_pack512_x16",
    "tdes_encrypt_pack512_x32",
    "tdes_decrypt_pack512_x32",
    "des_encrypt_reg256_chain",
    "tdes_encrypt_reg256_chain",
    "des_encrypt_reg256",
    "des_decrypt_reg256",
    "des_encrypt_reg256_x2",
    "des_decrypt_reg256_x2",
    "tdes_encrypt_reg256",
    "tdes_decrypt_reg256",
    "tdes_encrypt_reg256_x2",
    "tdes_decrypt_reg256_x2",
    "rc4_apply_reg512",
    "rc4_setup_reg512",
    "rc4_apply_reg256",
    "rc4_setup_reg256",
];

/// Bit slices of every width that only vectors have: in general registers the library's own Rust is
/// as good. Without AVX2 a mask takes as much room as a slice, and one key merged into the halves
/// is no faster than one that stands in every lane, which is made sooner.
fn sliced() -> impl Iterator<Item = KernelVariant> {
    KernelVariant::all(TARGET).into_iter().filter(|variant| match variant.strategy {
        Strategy::Bitslice(Config { lanes, task, .. }) => {
            lanes > 128 || lanes == 128 && !matches!(task, Task::Rounds(_))
        }
        _ => false,
    })
}

/// All of them, in the order of the generated Rust.
pub(super) fn groups() -> Vec<Group> {
    let none = |_: &Strategy| vec![Features::NONE];
    let every = |strategy: &Strategy| feature_sets(TARGET, strategy).to_vec();
    let gfni = |_: &Strategy| vec![features::GFNI];
    let avx2 = |_: &Strategy| vec![features::AVX2];
    let named =
        |names: &[&str], sets: &dyn Fn(&Strategy) -> Vec<Features>| all(TARGET, names, sets);
    vec![
        Group::new(named(&BOTH, &every), false, [4096, 8192]),
        Group::new(named(&BY_MATRICES, &gfni), false, [4096, 32_768]),
        Group::new(named(&BASELINE, &none), false, [0, 0]),
        Group::new(named(&INSERTING, &avx2), false, [0, 0]),
        Group::new(named(&LIBDES, &none), false, [1, 4095]),
        Group::new(named(&IN_REGISTERS, &every), true, [1, 4095]),
        Group::new(sliced().collect(), true, [0, 0]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::frame::Abi;

    /// What a variant is in machine code.
    fn bytes(variant: KernelVariant) -> Vec<u8> {
        let made = variant.make(Abi::usual(variant.target), &variant.untuned()).unwrap();
        made.bytes(None).unwrap()
    }

    #[test]
    fn bmi2_makes_a_difference_where_the_list_says_so() {
        let both = |name: &str| {
            let strategy = Strategy::by_name(name).unwrap();
            let sets = feature_sets(TARGET, &strategy).iter();
            sets.map(|set| bytes(KernelVariant::new(strategy, *set))).collect::<Vec<_>>()
        };
        for name in BOTH {
            let [without, with] = &both(name)[..] else { panic!("{name} has one form") };
            assert_ne!(without, with, "{name} belongs into BASELINE");
        }
        for name in BASELINE {
            let [without, with] = &both(name)[..] else { panic!("{name} has one form") };
            assert!(without == with, "{name} belongs into BOTH");
        }
    }
}
