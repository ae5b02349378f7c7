//! Order: what may come before what, and which of the orders that leaves is taken.
//!
//! | file | subject |
//! |---|---|
//! | `dependencies.rs` | straight lines, and which of their instructions must follow which |
//! | `order.rs` | what the tuner may vary, and how urgent each instruction is |
//! | `list.rs` | list scheduling by a processor's latencies and ports |
//! | `pipes.rs` | the same for one that does instructions in order, one at a time or two |
//! | `beam.rs` | a longer search for these |
//! | `perturb.rs` | single instructions moved, as the search found it good |
//!
//! Every order keeps what depends on each other, so all of them compute the same.

pub(crate) mod beam;
mod dependencies;
mod list;
mod order;
mod perturb;
mod pipes;

pub(crate) use dependencies::each_line;
pub use order::Order;
pub(crate) use order::wishes;
pub use perturb::{Perturbation, perturb};
pub(crate) use pipes::sequence;

use crate::isa::costs::Cpu;
use crate::isa::{Isa, Node};

/// The same code in a good order for `cpu`.
#[must_use]
pub fn schedule<T: Isa>(
    isa: T,
    code: &[Node<T::Inst>],
    cpu: &Cpu,
    order: &Order,
) -> Vec<Node<T::Inst>> {
    each_line(code, &mut |line| match cpu.in_order() {
        Some(costs) => pipes::straight(isa, line, costs, order),
        None => list::straight(isa, line, cpu, order),
    })
}
