//! Two or more candidates measured by turns, so that what disturbs the machine disturbs all alike.

use crate::{Distribution, median};

/// Samples of two candidates, in pairs taken right after each other: which takes less, and how sure
/// that is.
#[derive(Clone, Debug)]
pub struct Paired {
    samples: [Vec<f64>; 2],
    /// The first's part of what the second takes, pair by pair, in ascending order.
    ratios: Vec<f64>,
}

impl Paired {
    /// Takes so many pairs. `begins` says of each which of the two goes first, 0 or 1; `sample` gives
    /// one sample of that one.
    ///
    /// # Panics
    /// If there are no pairs.
    pub fn new(
        pairs: usize,
        mut begins: impl FnMut(usize) -> usize,
        mut sample: impl FnMut(usize) -> f64,
    ) -> Self {
        assert!(pairs > 0, "there are pairs");
        let mut samples = [const { Vec::new() }; 2];
        for pair in 0..pairs {
            let first = begins(pair);
            for which in [first, 1 - first] {
                samples[which].push(sample(which));
            }
        }
        let mut ratios: Vec<f64> = samples[0].iter().zip(&samples[1]).map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        Self { samples, ratios }
    }

    /// The median of each.
    #[must_use]
    pub fn medians(&self) -> [f64; 2] {
        [0, 1].map(|which| median(self.samples[which].iter().copied()))
    }

    /// The median of the first's part of what the second takes.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.ratios[self.ratios.len() / 2]
    }

    /// A ratio below which the true median is, 99 times of 100, whatever the distribution: the
    /// order statistic that the binomial distribution gives.
    #[must_use]
    pub fn ratio_at_most(&self) -> f64 {
        let pairs = self.ratios.len() as f64;
        // 2.326 standard deviations, on one side; a pair is below the median or not.
        let at = pairs / 2.0 + 2.326 * pairs.sqrt() / 2.0;
        self.ratios[(at.ceil() as usize).min(self.ratios.len() - 1)]
    }
}

/// What each of several candidates takes, in so many rounds of one sample each; who goes first moves
/// on from round to round. Nothing if there are no rounds.
pub fn in_turns(
    candidates: usize,
    rounds: usize,
    mut sample: impl FnMut(usize) -> f64,
) -> Vec<Distribution> {
    let mut samples = vec![Vec::with_capacity(rounds); candidates];
    for round in 0..rounds {
        for n in 0..candidates {
            let n = (n + round) % candidates;
            samples[n].push(sample(n));
        }
    }
    samples.into_iter().filter_map(Distribution::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_compared_with_each_other() {
        // The machine gets slower all the time; the first still takes half of the second.
        let mut slower = 1.0;
        let mut order = Vec::new();
        let paired = Paired::new(
            100,
            |pair| pair % 2,
            |which| {
                order.push(which);
                slower *= 1.0001;
                slower * [1.0, 2.0][which]
            },
        );
        assert_eq!(order[..6], [0, 1, 1, 0, 0, 1]);
        assert!((paired.ratio() - 0.5).abs() < 1e-3, "{paired:?}");
        assert!(paired.ratio() <= paired.ratio_at_most() && paired.ratio_at_most() < 0.501);
        let [first, second] = paired.medians();
        assert!((first / second - 0.5).abs() < 1e-2);
    }

    #[test]
    fn certainty_wants_many_pairs() {
        let ratios = |pairs| {
            let mut n = 0.0;
            let paired = Paired::new(
                pairs,
                |_| 0,
                |which| {
                    if which == 0 {
                        n += 1.0;
                        n
                    } else {
                        1.0
                    }
                },
            );
            (paired.ratio(), paired.ratio_at_most())
        };
        // The 50th and the 62nd of 100, from 0 on; of few pairs the last.
        assert_eq!(ratios(100), (51.0, 63.0));
        assert_eq!(ratios(4), (3.0, 4.0));
    }

    #[test]
    fn everyone_begins_a_round_by_turns() {
        let mut order = Vec::new();
        let found = in_turns(3, 2, |n| {
            order.push(n);
            n as f64
        });
        assert_eq!(order, [0, 1, 2, 1, 2, 0]);
        assert_eq!(found.iter().map(|one| one.median).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
    }
}
