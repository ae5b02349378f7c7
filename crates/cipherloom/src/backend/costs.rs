//! What kernels cost: a row of each backend, for DES and for Triple-DES.
//!
//! Costs are core cycles; only their ratios matter. `bench/README.md` says how they are read off,
//! `cipherloom speed --costs` prints them. They are measured for each maker of processors: AMD's on Zen 5, Zen 4 and
//! Zen 3, Intel's on a Xeon with AVX-512 (Golden Cove). Other makers' processors count as AMD's.
//!
//! Vectors of 512 bits differ most: Zen 4 does them in two halves (a group of 512 lanes takes 4,200 cycles
//! there and 2,200 on Zen 5, one of 256 lanes 2,300 and 1,800), Golden Cove has fewer ports for them (2,650
//! and 2,100). So the narrow kernels are for messages that fit into one group of theirs; behind a wide
//! group it is wide ones again.
//!
//! A row that is wrong by some costs a little speed around a cross-over, but where bit slices come too
//! late, a message takes longer than a longer one. So where modes or runs differ look-ups have the higher costs, and
//! slices the lower ones.
//!
//! What keys for all lanes cost (`keys`) is of small groups. What a batch costs beside (`lane`, `record`, `scheduler`) is of
//! records that are cut into pieces; chains, lane by lane, take longer. Intel's are those of one Xeon (Emerald Rapids) in
//! quiet minutes. Its scheduler with AVX-512 is that of the narrow lanes, where decisions fall; 512 records of one block show
//! twice as much. A group of its portable kernel's narrow lanes takes a quarter less than the table says, so that a chain in
//! constant time stays with SSE2's. Zen 3's are those of one EPYC (Milan); a key by AVX2 costs 240 less there than is
//! measured, so that slices begin where they take less (`cipherloom speed --crossover`). Zen 4's and Zen 5's were measured
//! lane by lane, before there were pieces; a fourth of what was the scheduler counts as keys there, as Zen 4's groups took so
//! much more, and Zen 5's were not measured apart. What a key of AMD's slices by AVX2 and AVX-512 costs on Zen 5 is 150 less
//! than was measured: a loop is gone since, which took 190 on a Xeon.
//!
//! AArch64's are predicted, not measured: cycles by loom's cost models (`loom stats`), as bounds and a tenth to a fourth
//! more: of Neoverse V1 and V2 for Arm's, of Neoverse N1 for those without FEAT_SHA3 (Cortex-A72 takes as long, but for
//! look-ups in registers, where it takes twice as long), of M1 for Apple's.

use crate::kernels::cpu::Vendor;

/// Something for each maker of processors.
pub(crate) enum By<T: 'static> {
    /// Makers of x86-64.
    X64 {
        /// AMD's since Zen 5, and those of other makers.
        amd: T,
        zen4: T,
        /// AMD's before Zen 4; nothing of what these cannot run.
        zen: Option<T>,
        intel: T,
    },
    /// Makers of AArch64.
    AArch64 {
        arm: T,
        /// Those without FEAT_SHA3; nothing of what these cannot run.
        older: Option<T>,
        apple: T,
    },
}

impl<T> By<T> {
    /// That of one maker.
    pub(crate) const fn of(&self, vendor: Vendor) -> &T {
        match (self, vendor) {
            (Self::X64 { intel, .. }, Vendor::Intel) => intel,
            (Self::X64 { zen4, .. }, Vendor::Zen4) => zen4,
            (Self::X64 { zen: Some(zen), .. }, Vendor::Zen) => zen,
            (Self::X64 { amd, .. }, _) => amd,
            (Self::AArch64 { apple, .. }, Vendor::Apple) => apple,
            (Self::AArch64 { older: Some(older), .. }, Vendor::OlderArm) => older,
            (Self::AArch64 { arm, .. }, _) => arm,
        }
    }
}

/// A backend that looks up, in tables or in registers.
#[derive(Clone, Copy)]
pub(crate) struct Tables {
    /// A block of a chain.
    pub(crate) chain: usize,
    /// A block among several independent ones.
    pub(crate) block: usize,
    /// A record of one block with a key of its own, key set-up and all.
    pub(crate) record: usize,
}

impl Tables {
    /// So many independent blocks, of which `together` (a power of two) are done at a time. What is left of groups of
    /// several takes as long as a group, five eighths of that if it is at most half of one, and half if at most a fourth; a
    /// single block takes as long as in a chain.
    pub(crate) const fn blocks(&self, blocks: usize, together: usize) -> usize {
        let rest = blocks & (together - 1);
        let group = self.block * together;
        let least = match rest {
            0 => 0,
            1 => self.chain,
            _ if rest <= together / 4 => group / 2,
            _ if rest <= together / 2 => group / 8 * 5,
            _ => group,
        };
        let cost = self.block.saturating_mul(blocks - rest).saturating_add(least);
        if cost < self.chain { self.chain } else { cost }
    }
}

/// A bit-sliced backend.
#[derive(Clone, Copy)]
pub(crate) struct Slices {
    pub(crate) wide: Width,
    pub(crate) narrow: Width,
    /// What a block in a lane costs beside the kernel: its way there and back.
    pub(crate) lane: usize,
    /// What a record costs more.
    pub(crate) record: usize,
    /// What a batch costs before its first record has a lane, unless that is a group.
    pub(crate) scheduler: usize,
}

impl Slices {
    /// What a call costs at least.
    #[inline]
    pub(crate) const fn least_call(&self) -> usize {
        let (wide, narrow) = (self.wide.key + self.wide.group, self.narrow.key + self.narrow.group);
        if wide < narrow { wide } else { narrow }
    }

    /// What a further piece of a record costs: 10 to 18 cycles on Zen 3, where a record takes 50.
    pub(crate) const fn piece(&self) -> usize {
        self.record / 4
    }

    /// What so many records, of so many blocks together, cost beside the kernels, their keys and the scheduler: in
    /// pieces or chains, or half of that in a group.
    pub(crate) const fn beside(&self, records: usize, blocks: usize, is_group: bool) -> usize {
        let blocks = blocks.saturating_mul(self.lane);
        let cost = blocks.saturating_add(records.saturating_mul(self.record));
        if is_group { cost / 2 } else { cost }
    }
}

/// A kernel of some width.
#[derive(Clone, Copy)]
pub(crate) struct Width {
    /// Setting up a call with one key for all lanes.
    pub(crate) key: usize,
    /// Setting up a call with a key for each lane.
    pub(crate) keys: usize,
    /// A block in each lane, used or not.
    pub(crate) group: usize,
}
