//! The kernels for a piece of work.

use super::available::available;
use super::choice::Choice;
use super::few::Few;
use super::lookups::LookUps;
use super::planner::Planner;
use super::sliced::Sliced;
use crate::backend::{Backend, Policy};
use crate::error::Error;
use crate::kernels::Shape;
use crate::kernels::bitslice::Width;

/// The fastest backend for `blocks` independent blocks; a short rest may be left to another.
pub(crate) fn fastest(shape: Shape, blocks: usize, policy: Policy) -> Backend {
    let available = available();
    let (few, many) = (available.few(shape, policy), available.sliced());
    if Planner::new(available, few, many, shape).plan(blocks).is_sliced() {
        many
    } else {
        few.of(blocks)
    }
}

/// The kernels for some work, look-ups, lanes or both, as the one-byte identifiers of their backends.
/// They are looked up where they are used: copying them was slower, because processors wait where a
/// load does not match the stores before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernels {
    shape: Shape,
    few: Few,
    /// Which of these is for work of this size.
    picked: Backend,
    many: Backend,
}

impl Kernels {
    /// Of the backends that an object may use, those that work: for a little work only the first
    /// one is asked.
    #[inline(always)]
    pub(crate) fn pick(shape: Shape, choice: Choice, blocks: usize) -> Result<Self, Error> {
        let wanted =
            choice.forced.map_or_else(|| available().few(shape, choice.policy()), Few::only);
        let picked = choice.pick(wanted.of(blocks))?;
        let few = if picked == wanted.of(blocks) { wanted } else { Few::only(picked) };
        let is_enough = LookUps::of(picked).is_some() && blocks <= few.little;
        let many = if is_enough { picked } else { choice.pick(available().sliced())? };
        Ok(Self { shape, few, picked, many })
    }

    #[inline]
    pub(crate) fn look_ups(self) -> Option<LookUps> {
        LookUps::of(self.picked).or_else(|| LookUps::of(self.many))
    }

    #[inline]
    pub(crate) fn sliced(self) -> Option<Sliced> {
        Sliced::of(self.many).or_else(|| Sliced::of(self.picked))
    }

    /// The width of slices of which one group is best for all of so many blocks: sooner said than by a plan, which says the
    /// same.
    #[inline]
    pub(crate) fn group(self, sliced: Sliced, blocks: usize) -> Option<Width> {
        let is_one = self.few.little < blocks && blocks <= sliced.lanes(Width::Narrow);
        (is_one && self.many == available().sliced()).then_some(self.few.group)
    }

    #[inline]
    pub(crate) fn planner(self) -> Planner {
        Planner::new(available(), self.few, self.many, self.shape)
    }
}
