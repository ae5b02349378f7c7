//! DES and Triple-DES, a block or a few at a time: what a half looks like, what a round does, what a kernel does
//! with blocks.
//!
//! | file | subject |
//! |---|---|
//! | `layout.rs` | how a half lies in registers, by name |
//! | `layout_ops.rs` | a layout at work: the tables, permutations and f that go with it |
//! | `positions.rs` | where the groups of E lie in a half of 64 bits |
//! | `expanded.rs` | 64-bit halves, E-expanded: strategies `table` and `spaced` (8 look-ups), `paired` (4) |
//! | `dense.rs` | other pairs, cut out by an extract instruction; IP and IP⁻¹ by look-ups |
//! | `moves.rs` | IP and E of these by moving bits under masks (BMI2) |
//! | `matrices.rs` | IP and its inverse by products with matrices of bits (GFNI) |
//! | `exchange.rs` | IP of 32-bit halves by exchanges of bits |
//! | `rotated.rs` | 32-bit halves, rotated: strategy `table` for small tables and small registers |
//! | `registers/` | halves in vectors, look-ups inside registers: constant time |
//! | `rounds.rs` | passes of sixteen rounds, over one block or several interleaved |
//! | `kernels.rs` | whole kernels: blocks in place, chains, the rounds without IP and IP⁻¹ |
//! | `libdes.rs` | the functions of libdes that were assembly |
//! | `schedule.rs` | the subkeys in the order in which a kernel reads them |
//! | `bitslice/` | a family of its own: many blocks, a bit of each in one vector |

pub mod bitslice;
mod dense;
mod exchange;
mod expanded;
mod kernels;
mod layout;
mod layout_ops;
pub mod libdes;
mod matrices;
mod moves;
mod positions;
mod registers;
mod rotated;
mod rounds;
mod schedule;

pub use kernels::{Config, Task};
pub use layout::{Layout, Permute};
pub(super) use rounds::{EVEN_ROUND, ODD_ROUND};
pub use schedule::{Passes, schedule};

/// Which way a block goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}
