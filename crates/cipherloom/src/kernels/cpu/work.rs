//! Loops over blocks that may be compiled for wider vectors than all processors of a target have.

/// Blocks side by side, as many as there are rows of them in a square.
pub(crate) type Four = [[u8; 8]; 4];

/// What [`widely`](super::widely) does: `run` and all that it calls for a block are always inlined, as what
/// is not is compiled for all processors alone.
pub(crate) trait Work {
    fn run(self, vectors: impl Vectors);
}

/// What the compiler does not find by itself.
pub(crate) trait Vectors: Copy {
    /// Rows of four blocks become columns.
    fn turn(self, rows: [Four; 4]) -> [Four; 4];
}

/// Those that all processors have.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Vectors for Plain {
    #[inline(always)]
    fn turn(self, rows: [Four; 4]) -> [Four; 4] {
        core::array::from_fn(|column| rows.map(|row| row[column]))
    }
}
