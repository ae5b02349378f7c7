//! Which kernels ship for AArch64.

use super::group::{Group, all};
use crate::ciphers::Strategy;
use crate::isa::aarch64::AARCH64;
use crate::isa::aarch64::features::{ONCE, SHA3};
use crate::isa::{Features, Target};

static TARGET: &Target = &AARCH64;

/// DES for a chain, a block, and two woven: three and four at a time have too few registers, and by every cost
/// model take longer than two.
const TABLES: [&str; 10] = [
    "des_encrypt_table64_chain",
    "tdes_encrypt_table64_chain",
    "des_encrypt_table64",
    "des_decrypt_table64",
    "des_encrypt_table64_x2",
    "des_decrypt_table64_x2",
    "tdes_encrypt_table64",
    "tdes_decrypt_table64",
    "tdes_encrypt_table64_x2",
    "tdes_decrypt_table64_x2",
];

/// The same by look-ups inside registers.
const IN_REGISTERS: [&str; 10] = [
    "des_encrypt_reg128_chain",
    "tdes_encrypt_reg128_chain",
    "des_encrypt_reg128",
    "des_decrypt_reg128",
    "des_encrypt_reg128_x2",
    "des_decrypt_reg128_x2",
    "tdes_encrypt_reg128",
    "tdes_decrypt_reg128",
    "tdes_encrypt_reg128_x2",
    "tdes_decrypt_reg128_x2",
];

const RC4: [&str; 6] = [
    "rc4_apply_s8",
    "rc4_keystreams_s8_x2",
    "rc4_keystreams_s8_x3",
    "rc4_keystreams_s8_x4",
    "rc4_setup_s8",
    "rc4_setup_s8_x4",
];

/// Kernels for programs that hold libdes' words and schedules.
const LIBDES: [&str; 4] = ["des_encrypt1", "des_encrypt2", "des_encrypt3", "des_decrypt3"];

/// Blocks, keys and counters to slices and back. (`eor3` and `bcax` would save less than a tenth of some.)
const TRANSPOSES: [&str; 7] = [
    "bitslice128_piece_in",
    "bitslice128_rows_in",
    "bitslice128_rows_out",
    "bitslice128_piece_out",
    "bitslice128_piece_out_xor",
    "bitslice128_keys",
    "bitslice128_counters",
];

/// The rounds in bit slices, with a key per lane; one key for all is in every lane.
const ROUNDS: [&str; 2] = ["des_bitslice128_lanes", "tdes_bitslice128_lanes"];

/// The same with masks of one key, where there are operations of three inputs. Without these they gain a twentieth
/// on some processors.
const ONE_KEY: [&str; 2] = ["des_bitslice128", "tdes_bitslice128"];

/// All of them, in the order of the generated Rust.
pub(super) fn groups() -> Vec<Group> {
    let none = |_: &Strategy| vec![Features::NONE];
    let sha3 = |_: &Strategy| vec![SHA3];
    let both = |_: &Strategy| vec![Features::NONE, SHA3];
    let named =
        |names: &[&str], sets: &dyn Fn(&Strategy) -> Vec<Features>| all(TARGET, names, sets);
    vec![
        Group::new(named(&TABLES, &none), false, [4096, 8192]),
        Group::new(named(&RC4, &none), false, [0, 0]),
        Group::new(named(&LIBDES, &none), false, [1, 8192]),
        Group::new(named(&IN_REGISTERS, &none), true, [1, 4095]),
        Group::new(named(&TRANSPOSES, &none), true, [0, 0]),
        Group::new(named(&ROUNDS, &both), true, [0, 0]),
        // Where these operations begin once a cycle, fewer of them make a block a tenth cheaper.
        Group { vendors: &[("arm", ONCE)], ..Group::new(named(&ONE_KEY, &sha3), true, [0, 0]) },
    ]
}
