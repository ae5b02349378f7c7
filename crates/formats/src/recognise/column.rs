//! A column: a value in each line.

use std::cmp::Reverse;

use super::guess::{self, Guess};
use super::reading::Start;

use crate::preset::{Sign, Text};

/// A line of a text in lines is at least so long; columns of short values have shorter ones.
const LINE: usize = 60;

/// Lines of a column that are looked at.
const LOOKED_AT: usize = 32;

/// The whole lines of a text that is a value in each line, and no value that was broken into lines.
pub(super) fn lines(start: Start<'_>) -> Option<&[u8]> {
    let end = match start.is_cut() {
        true => start.bytes.iter().rposition(|&byte| byte == b'\n')?,
        false => start.bytes.len(),
    };
    let text = &start.bytes[..end];
    if std::str::from_utf8(text).map_or(true, |text| text.contains('\0')) {
        return None;
    }
    let lines: Vec<&[u8]> = text.trim_ascii().split(|&byte| byte == b'\n').collect();
    let [first, middle @ .., last] = &lines[..] else { return None };
    let first_guess = |text: &[u8]| guess::guesses(Start::whole(text)).into_iter().next();
    let is_sure = |text: &[u8]| first_guess(text).is_some_and(|guess| guess.sign == Sign::Magic);
    let are_sure = is_sure(first) && is_sure(middle.first().unwrap_or(last));
    // Cut at a line, it may be cut within a group.
    let joined = guess::guesses(Start { bytes: text, len: start.len }).into_iter().next();
    // Such as a private key in PEM, or base64 in short lines. What a wrapper stands around is one line.
    let is_one = joined
        .as_ref()
        .is_some_and(|guess| guess.sign == Sign::Magic && !matches!(guess.text, Text::Wrapped(..)));
    let is_even = first.len() >= LINE && middle.iter().all(|line| line.len() == first.len());
    let is_broken = is_one || is_even && (joined.is_some() || first_guess(text).is_some());
    let is_column = are_sure || !is_broken;
    is_column.then_some(text)
}

/// Of the first lines: what most of them surely are comes first, then what most may be.
pub(super) fn guesses(column: &[u8]) -> Vec<Guess> {
    let mut known: Vec<([usize; 2], Guess)> = Vec::new();
    let lines = column.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    for guess in lines
        .filter(|line| !line.is_empty())
        .take(LOOKED_AT)
        .flat_map(|line| guess::guesses(Start::whole(line)))
    {
        let is_sure = guess.sign == Sign::Magic;
        match known.iter_mut().find(|(_, other)| guess.is_same(other)) {
            Some((counts, _)) => *counts = [counts[0] + usize::from(is_sure), counts[1] + 1],
            None => known.push(([usize::from(is_sure), 1], guess)),
        }
    }
    // Of the same number, as found.
    known.sort_by_key(|(counts, _)| Reverse(*counts));
    known.into_iter().map(|(_, guess)| guess).collect()
}
