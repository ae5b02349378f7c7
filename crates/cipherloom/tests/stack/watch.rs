//! The rule: what a call leaves on its stack is told by what is public.
//!
//! A call is done several times with the same public values (lengths, IVs, ciphertexts) at the same
//! addresses, and with other secrets (keys, and whatever follows from them and is not public). The
//! stack must be the same afterwards, byte by byte: then nothing in it depends on a secret in any
//! form. With the same secrets it must be the same, too, or the comparison would say nothing.
//!
//! Where a public value cannot be the same in all runs (a tag, the block with the padding), it may
//! be left: a place with a difference is right if each run has its own such value just there, some
//! bytes of which may be overwritten by what is the same in all runs.

use std::collections::BTreeSet;
use std::fmt::{Debug, Write as _};

use cipherloom_testkit::stack::{Residue, Stack};

/// Bytes of the stack: more than any call needs.
const STACK: usize = 128 << 10;

/// How many sets of secrets a call is done with.
pub(crate) const RUNS: usize = 3;

/// Bytes of a public value by which it is known when others of it are overwritten: as many in each run
/// are no chance.
const OVERWRITTEN: usize = 4;

/// Calls and what was found in their stacks.
pub(crate) struct Watch {
    stack: Stack,
    calls: usize,
    found: Vec<String>,
}

/// What one run had, beside what is the same in all.
#[derive(Clone, Default)]
pub(crate) struct Run {
    /// Values of eight bytes that are public.
    pub(crate) public: Vec<[u8; 8]>,
    /// Secrets with their names, only for what is said when they are found.
    pub(crate) secret: Vec<(&'static str, Vec<u8>)>,
}

impl Watch {
    pub(crate) fn new() -> Self {
        // What is done once must be over.
        assert!(cipherloom::self_test().all(|(_, result)| result.is_ok()));
        Self { stack: Stack::new(STACK), calls: 0, found: Vec::new() }
    }

    /// Does a call with each set of secrets, whose number `call` gets; it prepares what is needed and
    /// runs the call on the stack.
    pub(crate) fn watch(
        &mut self,
        what: &dyn Debug,
        mut call: impl FnMut(&mut Stack, usize) -> (Residue, Run),
    ) {
        // All in one loop: the frames above the call, to which addresses lead, are the same.
        let mut runs = Vec::new();
        for n in 0..=RUNS {
            runs.push(call(&mut self.stack, n % RUNS));
        }
        let again = runs.pop().map(|(residue, _)| residue);
        let runs: [(Residue, Run); RUNS] = runs.try_into().ok().expect("as many as were done");
        assert!(again.as_ref() == Some(&runs[0].0), "{what:?}: not the same with the same secrets");
        self.calls += 1;
        let places = differences(&runs);
        if !places.is_empty() {
            self.found.push(told(what, &runs, &places));
        }
    }

    /// How many calls there were, and in how many something was found.
    pub(crate) fn count(&self) -> (usize, usize) {
        (self.calls, self.found.len())
    }

    /// # Panics
    /// If something was found.
    pub(crate) fn must_be_clean(&self) {
        let (calls, found) = self.count();
        assert!(calls > 0, "nothing was watched");
        let some: String = self.found.iter().take(20).map(String::as_str).collect();
        assert!(self.found.is_empty(), "{found} of {calls} calls leave secrets:\n{some}");
    }
}

/// Places at which the stacks differ and must not.
fn differences(runs: &[(Residue, Run); RUNS]) -> BTreeSet<usize> {
    let [(first, _), others @ ..] = runs;
    let mut places = BTreeSet::new();
    for from in (0..first.below.len()).step_by(8) {
        let word = from..from + 8;
        if others.iter().any(|(other, _)| other.below[word.clone()] != first.below[word.clone()]) {
            let differs =
                |at: &usize| others.iter().any(|(other, _)| other.below[*at] != first.below[*at]);
            places.extend(word.filter(differs));
        }
    }
    let public = runs.iter().map(|(_, run)| run.public.len()).min().unwrap_or(0);
    if public == 0 {
        return places;
    }
    for at in places.clone() {
        for from in at.saturating_sub(7)..=at.min(first.below.len() - 8) {
            // How many bytes are each run's own; none if one differs and is not.
            let own = |n: usize, back: bool| {
                (0..8).try_fold(0, |own, i| {
                    let at = from + i;
                    let is_own = runs.iter().all(|(residue, run)| {
                        residue.below[at] == run.public[n][if back { 7 - i } else { i }]
                    });
                    (is_own || !places.contains(&at)).then_some(own + usize::from(is_own))
                })
            };
            let is_own = |n, back| own(n, back) >= Some(OVERWRITTEN);
            if (0..public).any(|n| is_own(n, false) || is_own(n, true)) {
                places.retain(|at| !(from..from + 8).contains(at));
            }
        }
    }
    places
}

/// A few of the places in words: how deep, and what each run has there.
fn told(what: &dyn Debug, runs: &[(Residue, Run); RUNS], places: &BTreeSet<usize>) -> String {
    let words: BTreeSet<usize> = places.iter().map(|at| at / 8 * 8).collect();
    let mut text = format!("{what:?}: {} words\n", words.len());
    for &at in words.iter().take(6) {
        let depth = runs[0].0.below.len() - at;
        let _ = write!(text, "    {depth} below:");
        for (residue, run) in runs {
            let word = &residue.below[at..at + 8];
            let _ = write!(text, " {}{}", hex::encode(word), name(word, run));
        }
        text.push('\n');
    }
    text
}

/// What of the secrets a word is.
fn name(word: &[u8], run: &Run) -> String {
    let back: Vec<u8> = word.iter().rev().copied().collect();
    let is = |secret: &[u8]| secret.windows(8).any(|bytes| bytes == word || bytes == back);
    let found = run.secret.iter().find(|(_, secret)| is(secret));
    found.map_or(String::new(), |(name, _)| format!(" ({name})"))
}
