//! DES and Triple-DES by look-ups inside registers, in constant time: from any number of blocks to
//! calls of kernels.

use super::blocks::{Blocks, Copies};
use super::generated;
use crate::kernels::cpu::processor::{Avx2, Vbmi, is_intel, vendor};
use crate::kernels::cpu::{Feature, Vendor};
use crate::kernels::{Direction, Key, Schedule, scrubbed, wipe};

/// The kernels with look-ups inside registers of one feature.
///
/// In 512 bits a vector has a part of eight blocks, and results are long in coming: two vectors of halves take 1.2 to 1.4 times
/// as long as one, and four 1.6 times (Zen 5; 2.0 to 2.3 times on Golden Cove). On Zen 5 eight blocks alone take less with a
/// vector each; on Zen 4 that takes half as long again. On Intel's the inputs of a block or a chain are sums: four fifths,
/// where a chain takes a tenth more on Zen 4 and Zen 5.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Registers {
    /// 256 bits.
    Avx2(Avx2),
    /// 512 bits.
    Vbmi(Vbmi),
}

/// Calls a kernel for the passes and the direction.
macro_rules! call {
    ($witness:ident, $schedule:expr, $direction:expr, $data:expr =>
     $des:ident, $des_back:ident, $tdes:ident, $tdes_back:ident) => {
        match ($schedule, $direction) {
            (Schedule::One(words), Direction::Encrypt) => generated::$des($witness, $data, words),
            (Schedule::One(words), Direction::Decrypt) => {
                generated::$des_back($witness, $data, words)
            }
            (Schedule::Three(words), Direction::Encrypt) => {
                generated::$tdes($witness, $data, words)
            }
            (Schedule::Three(words), Direction::Decrypt) => {
                generated::$tdes_back($witness, $data, words)
            }
        }
    };
}

impl Registers {
    /// Those that need a feature, if there are such and this processor has it.
    #[inline]
    pub(crate) fn of(feature: Feature) -> Option<Self> {
        match feature {
            Feature::Avx2 => Avx2::detect().map(Self::Avx2),
            Feature::Vbmi => Vbmi::detect().map(Self::Vbmi),
            _ => None,
        }
    }

    /// CBC encryption in place: `before` is the block before the first, and becomes the last one.
    pub(crate) fn encrypt_chain(self, key: &Key<'_>, before: &mut [u8; 8], blocks: &mut [[u8; 8]]) {
        let missing = self.missing(key, Direction::Encrypt);
        // The kernel's chain is without it, from its first result on.
        if let Some((_, others)) = blocks.split_first_mut() {
            add(missing, others);
            self.run_chain(key.schedule, before, blocks);
            add(missing, blocks);
            add(missing, core::slice::from_mut(before));
        }
    }

    fn run_chain(self, schedule: &Schedule, before: &mut [u8; 8], blocks: &mut [[u8; 8]]) {
        match (self, schedule) {
            (Self::Avx2(avx2), Schedule::One(words)) => {
                generated::des_encrypt_reg256_chain_avx2(avx2, blocks, words, before);
            }
            (Self::Avx2(avx2), Schedule::Three(words)) => {
                generated::tdes_encrypt_reg256_chain_avx2(avx2, blocks, words, before);
            }
            (Self::Vbmi(vbmi), Schedule::One(words)) if is_intel() => {
                generated::des_encrypt_sum512_chain_vbmi(vbmi, blocks, words, before);
            }
            (Self::Vbmi(vbmi), Schedule::Three(words)) if is_intel() => {
                generated::tdes_encrypt_sum512_chain_vbmi(vbmi, blocks, words, before);
            }
            (Self::Vbmi(vbmi), Schedule::One(words)) => {
                generated::des_encrypt_reg512_chain_vbmi(vbmi, blocks, words, before);
            }
            (Self::Vbmi(vbmi), Schedule::Three(words)) => {
                generated::tdes_encrypt_reg512_chain_vbmi(vbmi, blocks, words, before);
            }
        }
    }

    /// Independent blocks in place.
    pub(crate) fn crypt(self, key: &Key<'_>, direction: Direction, blocks: &mut [[u8; 8]]) {
        let schedule = key.schedule;
        match self {
            Self::Avx2(avx2) => {
                let (pairs, rest) = blocks.as_flattened_mut().as_chunks_mut();
                call!(avx2, schedule, direction, pairs =>
                    des_encrypt_reg256_x2_avx2, des_decrypt_reg256_x2_avx2,
                    tdes_encrypt_reg256_x2_avx2, tdes_decrypt_reg256_x2_avx2);
                self.one(schedule, direction, rest.as_chunks_mut().0);
            }
            Self::Vbmi(vbmi) => {
                let four = |groups: &mut [_]| {
                    call!(vbmi, schedule, direction, groups =>
                        des_encrypt_reg512_x4_vbmi, des_decrypt_reg512_x4_vbmi,
                        tdes_encrypt_reg512_x4_vbmi, tdes_decrypt_reg512_x4_vbmi);
                };
                let rest = packed(vbmi, schedule, direction, blocks);
                match rest.len() {
                    0 => {}
                    1 => self.one(schedule, direction, rest),
                    4 => four(rest.as_flattened_mut().as_chunks_mut().0),
                    _ => in_group::<_, 8>(vbmi, rest, four),
                }
            }
        }
        add(self.missing(key, direction), blocks);
    }

    /// How many blocks take no longer than so many: what is left of groups that [`packed`] fills is a group, too.
    pub(crate) fn filled(self, blocks: usize) -> usize {
        let rest = match self {
            Self::Avx2(_) => return blocks,
            Self::Vbmi(_) => blocks % 32,
        };
        let group = match rest {
            0 | 1 => rest,
            2..=4 => 4,
            5..=8 => 8,
            9..=16 => 16,
            _ if rest < from_of_32() => rest,
            _ => 32,
        };
        blocks - rest + group
    }

    /// One by one.
    fn one(self, schedule: &Schedule, direction: Direction, blocks: &mut [[u8; 8]]) {
        match self {
            Self::Avx2(avx2) => call!(avx2, schedule, direction, blocks =>
                des_encrypt_reg256_avx2, des_decrypt_reg256_avx2,
                tdes_encrypt_reg256_avx2, tdes_decrypt_reg256_avx2),
            Self::Vbmi(vbmi) if is_intel() => call!(vbmi, schedule, direction, blocks =>
                des_encrypt_sum512_vbmi, des_decrypt_sum512_vbmi,
                tdes_encrypt_sum512_vbmi, tdes_decrypt_sum512_vbmi),
            Self::Vbmi(vbmi) => call!(vbmi, schedule, direction, blocks =>
                des_encrypt_reg512_vbmi, des_decrypt_reg512_vbmi,
                tdes_encrypt_reg512_vbmi, tdes_decrypt_reg512_vbmi),
        }
    }

    /// What of DESX's whitening is missing in the results.
    ///
    /// The schedule has it. In the wide kernels' halves it is like a subkey; the narrow ones' halves
    /// have no subkeys in them, and there it is only in what the S-boxes take.
    fn missing(self, key: &Key<'_>, direction: Direction) -> Option<u64> {
        match self {
            Self::Vbmi(_) => None,
            Self::Avx2(_) => key.whitening(direction).map(|[before, after]| {
                // By IP, bits 1, 3, 5, 7 of each byte become R, the others L. What was added to
                // either leaves as part of the other.
                let exchanged = before >> 1 & ODD | (before & ODD) << 1;
                exchanged ^ after
            }),
        }
    }
}

/// From how many blocks on a rest has a group of 32: on Intel's processors sixteen and one take less.
fn from_of_32() -> usize {
    if is_intel() { 18 } else { 17 }
}

/// As many blocks at a time as share vectors, and of a rest all but at most four. Gives the others.
fn packed<'b>(
    vbmi: Vbmi,
    schedule: &Schedule,
    direction: Direction,
    blocks: &'b mut [[u8; 8]],
) -> &'b mut [[u8; 8]] {
    let rest = in_groups::<_, 32>(vbmi, blocks, from_of_32(), |groups| {
        call!(vbmi, schedule, direction, groups =>
            des_encrypt_pack512_x32_vbmi, des_decrypt_pack512_x32_vbmi,
            tdes_encrypt_pack512_x32_vbmi, tdes_decrypt_pack512_x32_vbmi);
    });
    let rest = in_groups::<_, 16>(vbmi, rest, 9, |groups| {
        call!(vbmi, schedule, direction, groups =>
            des_encrypt_pack512_x16_vbmi, des_decrypt_pack512_x16_vbmi,
            tdes_encrypt_pack512_x16_vbmi, tdes_decrypt_pack512_x16_vbmi);
    });
    in_groups::<_, 8>(vbmi, rest, 5, |groups| {
        if vendor() != Vendor::Amd {
            call!(vbmi, schedule, direction, groups =>
                des_encrypt_pack512_x8_vbmi, des_decrypt_pack512_x8_vbmi,
                tdes_encrypt_pack512_x8_vbmi, tdes_decrypt_pack512_x8_vbmi);
        } else {
            call!(vbmi, schedule, direction, groups =>
                des_encrypt_reg512_x8_vbmi, des_decrypt_reg512_x8_vbmi,
                tdes_encrypt_reg512_x8_vbmi, tdes_decrypt_reg512_x8_vbmi);
        }
    })
}

/// Groups of blocks, and a rest of `from` or more in a group that it does not fill. Gives the others.
fn in_groups<const N: usize, const BLOCKS: usize>(
    vbmi: Vbmi,
    blocks: &mut [[u8; 8]],
    from: usize,
    work: impl Fn(&mut [[u8; N]]),
) -> &mut [[u8; 8]] {
    let (groups, rest) = blocks.as_flattened_mut().as_chunks_mut();
    if !groups.is_empty() {
        work(groups);
    }
    let rest = rest.as_chunks_mut().0;
    if rest.len() < from {
        return rest;
    }
    in_group::<_, BLOCKS>(vbmi, rest, work);
    &mut []
}

/// The lower bit of each two.
const ODD: u64 = 0x5555_5555_5555_5555;

/// XORs a mask into every block.
fn add(mask: Option<u64>, blocks: &mut [[u8; 8]]) {
    if let Some(mask) = mask.map(u64::to_be_bytes) {
        for block in blocks {
            *block = (u64::from_ne_bytes(*block) ^ u64::from_ne_bytes(mask)).to_ne_bytes();
        }
    }
}

/// Calls `work` with a group of `N` bytes that begins with these blocks, in whole vectors of eight.
fn in_group<const N: usize, const BLOCKS: usize>(
    vbmi: Vbmi,
    blocks: &mut [[u8; 8]],
    work: impl FnOnce(&mut [[u8; N]]),
) {
    let in_vectors = || {
        let mut scratch = Blocks::<BLOCKS>::new();
        let group = scratch.begin(vbmi.avx512(), blocks);
        work(&mut group.as_flattened_mut().as_chunks_mut().0[..1]);
        vbmi.avx512().take(blocks, group);
        wipe(group);
    };
    // Where nothing is optimised, vectors are copied by way of the stack. Else to wipe it would take as long as two blocks.
    if cfg!(debug_assertions) { scrubbed(512, in_vectors) } else { in_vectors() }
}
