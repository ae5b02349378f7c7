//! Single instructions moved a little, one by one: what a search in small steps needs.

use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::dependencies::{each_line, followers};
use crate::isa::{Isa, Node};

/// How far instructions move: by the number of each in the code, loops' bodies once, and
/// the places by which it goes later, or earlier if negative. As text: `12:-3 45:2`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Perturbation(BTreeMap<u32, i16>);

impl Perturbation {
    /// Whether nothing moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The numbers of the instructions that move.
    #[must_use]
    pub fn moved(&self) -> Vec<u32> {
        self.0.keys().copied().collect()
    }

    /// Moves an instruction by so many places from where it was at first; by none to leave it.
    pub fn set(&mut self, instruction: u32, places: i16) {
        match places {
            0 => self.0.remove(&instruction),
            _ => self.0.insert(instruction, places),
        };
    }
}

impl fmt::Display for Perturbation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = self.0.iter().map(|(at, places)| format!("{at}:{places}")).collect();
        f.write_str(&texts.join(" "))
    }
}

impl From<Perturbation> for String {
    fn from(changes: Perturbation) -> Self {
        changes.to_string()
    }
}

impl TryFrom<String> for Perturbation {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Perturbation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let one = |word: &str| {
            let (at, places) = word.split_once(':')?;
            Some((at.parse().ok()?, places.parse().ok()?))
        };
        text.split_whitespace()
            .map(|word| one(word).ok_or_else(|| format!("`{word}` is not of the form 12:-3")))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// The same code with some instructions moved, as far as what they depend on lets them.
#[must_use]
pub fn perturb<T: Isa>(
    isa: T,
    code: &[Node<T::Inst>],
    changes: &Perturbation,
) -> Vec<Node<T::Inst>> {
    let mut before = 0;
    each_line(code, &mut |line| {
        let followers = followers(isa, line, &|_, _, _| 0);
        let mut waits = vec![0u32; line.len()];
        for (to, _) in followers.iter().flatten() {
            waits[*to] += 1;
        }
        // Halves of places: what moves goes past what stands where it wants to be.
        let wish = |n: usize| {
            let places = changes.0.get(&(before + n as u32)).map_or(0, |&places| i64::from(places));
            2 * (n as i64 + places) + places.signum()
        };
        let first = |n: usize| std::cmp::Reverse((wish(n), n));
        let mut ready: BinaryHeap<_> =
            (0..line.len()).filter(|&n| waits[n] == 0).map(first).collect();
        let mut sequence = Vec::with_capacity(line.len());
        while let Some(std::cmp::Reverse((_, n))) = ready.pop() {
            sequence.push(n);
            for (to, _) in &followers[n] {
                waits[*to] -= 1;
                if waits[*to] == 0 {
                    ready.push(first(*to));
                }
            }
        }
        before += line.len() as u32;
        sequence
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for text in ["", "12:-3", "0:5 12:-3 45:2"] {
            assert_eq!(text.parse::<Perturbation>().unwrap().to_string(), text);
        }
        assert!("12".parse::<Perturbation>().is_err());
    }
}
