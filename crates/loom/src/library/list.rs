//! Which kernels ship.

use crate::ciphers::Strategy;
use crate::ciphers::des::bitslice::{Config, Task};
use crate::isa::{Features, registry};
use crate::record::Record;
use crate::variant::{KernelVariant, feature_sets};

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

/// Kernels that have nothing to rotate: BMI2 makes no difference.
const BASELINE: [&str; 6] = [
    "rc4_apply_s8",
    "rc4_keystreams_s8_x2",
    "rc4_keystreams_s8_x3",
    "rc4_keystreams_s8_x4",
    "rc4_setup_s8",
    "rc4_setup_s8_x4",
];

/// Kernels for programs that hold libdes' words and schedules. (With BMI2 and tables of 8 KB they are
/// a twenty-fifth faster, which is not worth four more.)
const LIBDES: [&str; 4] = ["des_encrypt1", "des_encrypt2", "des_encrypt3", "des_decrypt3"];

/// Kernels with look-ups inside registers: RC4, and of DES one block, and several interleaved. (In 256
/// bits four blocks are a sixth faster than two and fill the cache of instructions with Triple-DES.)
const IN_REGISTERS: [&str; 28] = [
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
    KernelVariant::all(registry::plain()).into_iter().filter(|variant| match variant.strategy {
        Strategy::Bitslice(Config { lanes, task, .. }) => {
            lanes > 128 || lanes == 128 && !matches!(task, Task::Rounds(_))
        }
        _ => false,
    })
}

/// Kernels that ship together, and what the library relies on in all of them. (What they touch is in
/// the types of their functions: there the compiler sees to it.)
pub(super) struct Group {
    pub(super) variants: Vec<KernelVariant>,
    /// Whether no address and no branch depends on a secret: what their backend says.
    constant_time: bool,
    /// Fewest and most bytes of tables.
    table_bytes: [usize; 2],
}

/// Most bytes of the stack that a kernel may take: the library wipes what is below a call.
const MOST_STACK: u32 = 4096;

impl Group {
    /// # Panics
    /// If a kernel is not what the library relies on.
    pub(super) fn check(&self, record: &Record) {
        let Record { name, constant_time, table_bytes, stack_bytes, .. } = record;
        let [fewest, most] = &self.table_bytes;
        let asked = self.constant_time;
        assert_eq!(
            *constant_time, asked,
            "{name}: constant time is not what its group in `groups` has"
        );
        assert!(
            (fewest..=most).contains(&table_bytes),
            "{name}: {table_bytes} bytes of tables are not what its group in `groups` has"
        );
        assert!(*stack_bytes <= MOST_STACK, "{name}: {stack_bytes} bytes of the stack");
    }
}

/// All of them, in the order of the generated Rust.
pub(super) fn groups() -> [Group; 5] {
    let all = |names: &[&str], sets: &dyn Fn(&Strategy) -> Vec<Features>| {
        let strategies = names.iter().map(|name| {
            Strategy::by_name(name)
                .unwrap_or_else(|| panic!("no strategy {name}: does `Strategy::all` have it?"))
        });
        let variants = strategies.flat_map(|strategy| {
            let sets = sets(&strategy).into_iter();
            sets.map(move |features| KernelVariant::new(strategy, features))
        });
        variants.collect()
    };
    let none = |_: &Strategy| vec![Features::NONE];
    let every = |strategy: &Strategy| feature_sets(registry::plain(), strategy).to_vec();
    [
        Group { variants: all(&BOTH, &every), constant_time: false, table_bytes: [4096, 8192] },
        Group { variants: all(&BASELINE, &none), constant_time: false, table_bytes: [0, 0] },
        Group { variants: all(&LIBDES, &none), constant_time: false, table_bytes: [1, 4095] },
        Group { variants: all(&IN_REGISTERS, &every), constant_time: true, table_bytes: [1, 4095] },
        Group { variants: sliced().collect(), constant_time: true, table_bytes: [0, 0] },
    ]
}

/// The kernels that ship, in the order of the generated Rust.
///
/// # Panics
/// If a list names a kernel that does not exist.
#[must_use]
pub fn variants() -> Vec<KernelVariant> {
    groups().into_iter().flat_map(|group| group.variants).collect()
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
            let sets = feature_sets(registry::plain(), &strategy).iter();
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
