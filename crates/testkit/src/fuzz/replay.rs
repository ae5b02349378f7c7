//! Ordinary tests run a fuzz target for a moment: its stored corpus, then changes to it.

use std::path::PathBuf;

use crate::rng::Rng;

/// How many random changes each target's corpus gets: a second's, of most targets.
const CHANGES: usize = 2_000;

/// Runs `body` on every file of `fuzz/corpus/<target>`, and then on random changes to them, which follow from a
/// fixed seed.
///
/// # Panics
/// If the corpus is missing, or `body` panics; the input is then printed as hexadecimal digits.
pub fn replay(target: &str, body: impl Fn(&[u8]) + std::panic::RefUnwindSafe) {
    let corpus = read(target);
    for (name, input) in &corpus {
        run(target, name, input, &body);
    }
    let mut rng = Rng::new(1);
    for _ in 0..CHANGES {
        let (name, input) = rng.choose(&corpus).clone();
        let other = &rng.choose(&corpus).1.clone();
        let input = change(&mut rng, input, other);
        run(target, &format!("a change to {name}"), &input, &body);
    }
    println!("{target}: {} stored inputs and {CHANGES} changes", corpus.len());
}

fn run(
    target: &str,
    name: &str,
    input: &[u8],
    body: &(impl Fn(&[u8]) + std::panic::RefUnwindSafe),
) {
    if let Err(panic) = std::panic::catch_unwind(|| body(input)) {
        eprintln!("fuzz target {target} failed on {name}: {}", hex::encode(input));
        std::panic::resume_unwind(panic);
    }
}

/// The stored inputs with their file names, in the order of these.
fn read(target: &str) -> Vec<(String, Vec<u8>)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");
    let folder = PathBuf::from(root).join(target);
    let entries = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let mut corpus: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
            let bytes = std::fs::read(&path)
                .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
            (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    corpus.sort();
    assert!(!corpus.is_empty(), "{} is empty", folder.display());
    corpus
}

/// One to four changes: a byte or bit is another, bytes come or go, two inputs are joined.
fn change(rng: &mut Rng, mut input: Vec<u8>, other: &[u8]) -> Vec<u8> {
    for _ in 0..rng.number(1..=4) {
        let place = rng.number(0..=input.len());
        match rng.number(0..=5) {
            0 if place < input.len() => input[place] = rng.array::<1>()[0],
            1 if place < input.len() => input[place] ^= 1 << rng.number(0..=7),
            2 => input.truncate(place),
            3 => {
                let new = rng.number(1..=20);
                input.splice(place..place, rng.bytes(new));
            }
            4 => {
                let end = (place + rng.number(1..=20)).min(input.len());
                input.drain(place..end);
            }
            _ => {
                let from = rng.number(0..=other.len());
                input.truncate(place);
                input.extend_from_slice(&other[from..]);
            }
        }
    }
    input.truncate(10_000);
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_many_and_bounded() {
        let mut rng = Rng::new(5);
        let input = rng.bytes(50);
        let changed: std::collections::HashSet<Vec<u8>> =
            (0..200).map(|_| change(&mut rng, input.clone(), b"another")).collect();
        assert!(changed.len() > 150, "only {}", changed.len());
        assert!(change(&mut rng, vec![0; 20_000], &[1; 20_000]).len() <= 10_000);
    }

    #[test]
    #[should_panic(expected = "cannot read")]
    fn a_missing_corpus_is_an_error() {
        replay("no such target", |_| {});
    }
}
