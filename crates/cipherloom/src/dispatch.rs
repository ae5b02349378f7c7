//! From a key and an amount of work to the kernel that does it.

use crate::backend::{Backend, Family, Policy};
use crate::error::Error;
use crate::kernels::{Direction, Shape, bitslice, table};
use crate::keys::{Algorithm, BlockKey};
use crate::selftest;

/// What the portable kernels cost, in cycles of the time-stamp counter of a Skylake server at
/// 2.5 GHz (`bench/README.md` says how it was measured). Only their ratios matter here.
struct Costs {
    /// The table kernel, for each of several independent blocks.
    table_block: usize,
    /// A bit-sliced call of up to 64 lanes.
    narrow_call: usize,
    /// One of up to 256 lanes.
    wide_call: usize,
}

const fn costs(shape: Shape) -> Costs {
    match shape {
        Shape::Single => Costs { table_block: 154, narrow_call: 5_070, wide_call: 9_200 },
        Shape::Ede | Shape::Eee => {
            Costs { table_block: 411, narrow_call: 11_860, wide_call: 20_500 }
        }
    }
}

/// How many of `blocks` independent blocks the bit-sliced kernel does best; the rest, fewer than
/// are worth a call of it, is left to the table kernel.
fn sliced(shape: Shape, blocks: usize) -> usize {
    let Costs { table_block, narrow_call, wide_call } = costs(shape);
    let rest = blocks % bitslice::LANES;
    let narrow = rest.min(bitslice::NARROW_LANES);
    let ways = [
        (0, rest * table_block),
        (narrow, narrow_call + (rest - narrow) * table_block),
        (rest, wide_call),
    ];
    let best = ways.into_iter().min_by_key(|(_, cost)| *cost).map_or(0, |(count, _)| count);
    blocks - rest + best
}

/// The fastest backend for `blocks` independent blocks; a short rest may be left to another.
pub(crate) fn fastest(shape: Shape, blocks: usize, policy: Policy) -> Backend {
    match policy {
        Policy::ConstantTime => Backend::Bitslice,
        Policy::Fastest if sliced(shape, blocks) > 0 => Backend::Bitslice,
        Policy::Fastest => Backend::Table,
    }
}

/// What one object may use: all that its policy allows, or one backend.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    policy: Policy,
    forced: Option<Backend>,
}

impl Choice {
    /// Constant time also ends the use of a forced backend that is not constant-time.
    pub(crate) fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
        self.forced = self.forced.filter(|&backend| self.allows(backend));
    }

    pub(crate) fn policy(self) -> Policy {
        self.policy
    }

    pub(crate) fn force(&mut self, backend: Backend, family: Family) -> Result<(), Error> {
        if backend.family() != family || !self.allows(backend) || !Backend::all().contains(&backend)
        {
            return Err(Error::Backend(backend));
        }
        self.forced = Some(backend);
        Ok(())
    }

    fn allows(self, backend: Backend) -> bool {
        self.policy == Policy::Fastest || backend.is_constant_time()
    }

    /// The forced backend or `wanted`; where that failed its self-test, another that is allowed.
    pub(crate) fn pick(self, wanted: Backend) -> Result<Backend, Error> {
        self.pick_among(wanted, Backend::all(), selftest::is_usable)
    }

    fn pick_among(
        self,
        wanted: Backend,
        all: &[Backend],
        is_usable: impl Fn(Backend) -> bool,
    ) -> Result<Backend, Error> {
        let first = self.forced.unwrap_or(wanted);
        if is_usable(first) {
            return Ok(first);
        }
        let others = all.iter().copied().filter(|&other| {
            self.forced.is_none() && other.family() == first.family() && self.allows(other)
        });
        others.into_iter().find(|&other| is_usable(other)).ok_or(Error::SelfTest)
    }
}

/// The kernel for blocks that depend on each other.
pub(crate) struct Chain<'a> {
    key: &'a BlockKey,
    backend: Backend,
}

impl<'a> Chain<'a> {
    pub(crate) fn new(key: &'a BlockKey) -> Result<Self, Error> {
        let wanted = fastest(key.passes.shape, 1, key.choice.policy());
        Ok(Self { key, backend: key.choice.pick(wanted)? })
    }

    /// Encrypts one block, read as a big-endian number.
    #[inline]
    pub(crate) fn encrypt(&self, block: u64) -> u64 {
        let [before, after] = self.key.whitening;
        after
            ^ match self.backend {
                Backend::Table => self.key.schedule.encrypt(block ^ before),
                _ => self.sliced(Direction::Encrypt, block ^ before),
            }
    }

    /// Decrypts one block, read as a big-endian number.
    #[inline]
    pub(crate) fn decrypt(&self, block: u64) -> u64 {
        let [before, after] = self.key.whitening;
        before
            ^ match self.backend {
                Backend::Table => self.key.schedule.decrypt(block ^ after),
                _ => self.sliced(Direction::Decrypt, block ^ after),
            }
    }

    /// CBC encryption of whole blocks in place; `chain` is the block before them, and becomes the
    /// last of them.
    pub(crate) fn cbc_encrypt(&self, chain: &mut u64, blocks: &mut [[u8; 8]]) {
        if self.backend == Backend::Table && self.key.algorithm != Algorithm::Desx {
            self.key.schedule.cbc_encrypt(chain, blocks);
            return;
        }
        for block in blocks {
            *chain = self.encrypt(*chain ^ u64::from_be_bytes(*block));
            *block = chain.to_be_bytes();
        }
    }

    /// One lane of 64: what constant time costs here.
    #[cold]
    fn sliced(&self, direction: Direction, block: u64) -> u64 {
        let mut blocks = [block.to_be_bytes()];
        bitslice::crypt_blocks(&self.key.passes, direction, &mut blocks);
        u64::from_be_bytes(blocks[0])
    }
}

/// The kernels for independent blocks: one for the bulk, one for a short tail.
pub(crate) struct Bulk<'a> {
    key: &'a BlockKey,
    many: Backend,
    few: Backend,
}

impl<'a> Bulk<'a> {
    pub(crate) fn new(key: &'a BlockKey, blocks: usize) -> Result<Self, Error> {
        let policy = key.choice.policy();
        let pick = |blocks| key.choice.pick(fastest(key.passes.shape, blocks, policy));
        Ok(Self { key, many: pick(blocks)?, few: pick(1)? })
    }

    /// Encrypts every block in place.
    pub(crate) fn encrypt(&self, blocks: &mut [[u8; 8]]) {
        let [before, after] = self.key.whitening;
        self.whiten(blocks, before);
        self.crypt(Direction::Encrypt, blocks);
        self.whiten(blocks, after);
    }

    /// Decrypts every block in place.
    pub(crate) fn decrypt(&self, blocks: &mut [[u8; 8]]) {
        let [before, after] = self.key.whitening;
        self.whiten(blocks, after);
        self.crypt(Direction::Decrypt, blocks);
        self.whiten(blocks, before);
    }

    fn crypt(&self, direction: Direction, blocks: &mut [[u8; 8]]) {
        let split =
            if self.many == self.few { 0 } else { sliced(self.key.passes.shape, blocks.len()) };
        let (bulk, tail) = blocks.split_at_mut(split);
        self.run(self.many, direction, bulk);
        self.run(self.few, direction, tail);
    }

    fn run(&self, backend: Backend, direction: Direction, blocks: &mut [[u8; 8]]) {
        let table: &table::Schedule = &self.key.schedule;
        match (backend, direction) {
            _ if blocks.is_empty() => {}
            (Backend::Table, Direction::Encrypt) => table.encrypt_blocks(blocks),
            (Backend::Table, Direction::Decrypt) => table.decrypt_blocks(blocks),
            _ => bitslice::crypt_blocks(&self.key.passes, direction, blocks),
        }
    }

    /// DESX's whitening; nothing for the other ciphers.
    fn whiten(&self, blocks: &mut [[u8; 8]], mask: u64) {
        if self.key.algorithm == Algorithm::Desx {
            for block in blocks {
                *block = (u64::from_be_bytes(*block) ^ mask).to_be_bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DES: [Backend; 2] = [Backend::Table, Backend::Bitslice];

    #[test]
    fn a_failed_backend_is_replaced_and_the_last_one_is_an_error() {
        let any = Choice::default();
        let only = |works: Backend| move |backend| backend == works;
        assert_eq!(any.pick_among(Backend::Table, &DES, only(Backend::Bitslice)), Ok(DES[1]));
        assert_eq!(any.pick_among(Backend::Bitslice, &DES, only(Backend::Table)), Ok(DES[0]));
        assert_eq!(any.pick_among(Backend::Table, &DES, |_| false), Err(Error::SelfTest));
    }

    #[test]
    fn constant_time_never_falls_back_to_tables() {
        let mut choice = Choice::default();
        choice.set_policy(Policy::ConstantTime);
        let table_only = |backend| backend == Backend::Table;
        assert_eq!(choice.pick_among(Backend::Bitslice, &DES, table_only), Err(Error::SelfTest));
        assert_eq!(
            choice.force(Backend::Table, Family::Des),
            Err(Error::Backend(Backend::Table)),
            "a table cannot be forced on a constant-time key",
        );
    }

    #[test]
    fn a_forced_backend_stands_alone() {
        let mut choice = Choice::default();
        choice.force(Backend::Table, Family::Des).unwrap();
        let sliced_only = |backend| backend == Backend::Bitslice;
        assert_eq!(choice.pick_among(Backend::Bitslice, &DES, sliced_only), Err(Error::SelfTest));
        choice.set_policy(Policy::ConstantTime);
        assert_eq!(choice.pick_among(Backend::Bitslice, &DES, sliced_only), Ok(Backend::Bitslice));
    }

    #[test]
    fn whole_wide_calls_are_always_sliced_and_a_short_rest_never() {
        for shape in [Shape::Single, Shape::Ede] {
            for n in 0..2_000 {
                let sliced = sliced(shape, n);
                assert!(sliced >= n / bitslice::LANES * bitslice::LANES && sliced <= n);
                assert!(n - sliced < bitslice::NARROW_LANES, "{n} blocks leave {}", n - sliced);
            }
            assert_eq!(sliced(shape, 8), 0);
            assert_eq!(sliced(shape, bitslice::NARROW_LANES), bitslice::NARROW_LANES);
        }
    }

    #[test]
    fn families_do_not_mix() {
        let mut choice = Choice::default();
        assert!(choice.force(Backend::Rc4Loop, Family::Des).is_err());
        assert!(choice.force(Backend::Table, Family::Rc4).is_err());
    }
}
