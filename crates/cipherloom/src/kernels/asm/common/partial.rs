//! Fewer blocks than lanes, an eighth of the lanes at a time: what is idle is not touched, and only
//! the last of these pieces may need blocks from elsewhere.

use super::blocks::{Blocks, Copies};

/// Slices of a state from one on that are one of each row, and what lies between.
const ROWS: usize = 57;

/// Takes blocks to rows, `P` at a time; what follows in the last piece counts as zeros.
#[inline]
pub(super) fn to_rows<V, const P: usize>(
    by: impl Copies,
    blocks: &[[u8; 8]],
    state: &mut [V; 64],
    piece: impl Fn(&[[u8; 8]; P], &mut [V; ROWS]),
) {
    let (whole, rest) = blocks.as_chunks();
    let mut scratch = Blocks::new();
    // Copied long before it is read: a processor waits for stores that a load does not match.
    let last = (!rest.is_empty()).then(|| scratch.begin(by, rest));
    for (n, blocks) in whole.iter().enumerate() {
        piece(blocks, rows_mut(state, n));
    }
    if let Some(last) = last {
        piece(last, rows_mut(state, whole.len()));
    }
}

/// Puts blocks together from rows, or has them XORed with what comes of these.
#[inline]
pub(super) fn to_blocks<V, const P: usize>(
    by: impl Copies,
    state: &[V; 64],
    blocks: &mut [[u8; 8]],
    piece: impl Fn(&[V; ROWS], &mut [[u8; 8]; P]),
) {
    let (whole, rest) = blocks.as_chunks_mut();
    let count = whole.len();
    let (most, one) = whole.split_at_mut(count.saturating_sub(1));
    for (n, blocks) in most.iter_mut().enumerate() {
        piece(rows(state, n), blocks);
    }
    // Copied neither at once, when a processor would wait for what a mode has just moved about in
    // these blocks, nor right before it is read.
    let mut scratch = Blocks::new();
    let last = (!rest.is_empty()).then(|| scratch.begin(by, rest));
    for blocks in one {
        piece(rows(state, count - 1), blocks);
    }
    if let Some(last) = last {
        piece(rows(state, count), last);
        by.take(rest, last);
    }
}

/// What a piece becomes: pieces stand in descending order.
///
/// # Panics
/// If there is no such piece.
#[inline]
fn rows<V>(state: &[V; 64], piece: usize) -> &[V; ROWS] {
    state[7 - piece..].first_chunk().expect("one slice of each row")
}

#[inline]
fn rows_mut<V>(state: &mut [V; 64], piece: usize) -> &mut [V; ROWS] {
    state[7 - piece..].first_chunk_mut().expect("one slice of each row")
}
