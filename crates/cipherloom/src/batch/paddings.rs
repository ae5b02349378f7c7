//! Paddings of decrypted records: judged when a record ends, taken off when those around it have ended.
//!
//! A wrong padding must cost what a right one costs (see `verdict.rs`). So all records are written
//! once more, as zeros or as they are; a window of them at a time, while they are in a cache.

use super::source::{Outcome, Source};
use crate::kernels::bitslice::MOST_LANES;
use crate::padding::Padding;
use crate::verdict::Verdict;

/// Fewest records of a window: so many that lanes hardly wait for the last ones.
const RECORDS: usize = 4 * MOST_LANES;
/// Fewest bytes of a window, which the second cache of every processor holds.
const BYTES: usize = 256 << 10;

/// The verdict on a record that is not empty, as a result until [`take_off`] makes the final one of it:
/// whether it was wiped already, if it had to be; whether the padding is wrong; how many bytes of the
/// last block are its own.
///
/// (What is public stands lowest, where no carry of an addition can reach it: memcheck takes care.)
#[inline]
pub(super) fn pending(verdict: Verdict, is_done: bool) -> Outcome {
    Ok(usize::from(is_done) | usize::from(verdict.wrong()) << 1 | verdict.own() << 2)
}

/// How many of the next records make a window.
pub(super) fn window(source: &Source<'_, '_>) -> usize {
    let (mut records, mut bytes) = (0, 0usize);
    for len in source.lengths() {
        if records >= RECORDS && bytes >= BYTES {
            break;
        }
        records += 1;
        bytes = bytes.saturating_add(len);
    }
    records
}

/// Wipes records whose padding is wrong, and says of the others how long they are.
pub(super) fn take_off(padding: Padding, mut records: Source<'_, '_>, results: &mut [Outcome]) {
    for result in results {
        let item = records.next();
        if let (Some(Ok(item)), &mut Ok(code)) = (item, &mut *result)
            && item.len > 0
        {
            let verdict = Verdict::new((code >> 2) as u8, (code >> 1) as u8);
            if code & 1 == 0 {
                padding.apply(verdict, &mut item.data[..item.len]);
            }
            *result = verdict.result(Ok((item.len - 8).wrapping_add(verdict.own())));
        }
    }
}
