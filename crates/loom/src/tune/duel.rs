//! Two candidates measured in alternation: which is faster, and how sure that is.

use super::clock::median;
use super::{Subject, Work};

/// Samples of two subjects, in pairs taken right after each other.
#[derive(Clone, Debug, Default)]
pub struct Duel {
    first: Vec<f64>,
    second: Vec<f64>,
    /// The first's part of the second's cycles, pair by pair.
    ratios: Vec<f64>,
}

impl Duel {
    /// Measures so many pairs. Who goes first changes from pair to pair.
    pub fn new(first: &Subject, second: &Subject, work: &mut Work, pairs: usize) -> Self {
        let mut duel = Self::default();
        for pair in 0..pairs {
            let (a, b);
            if pair % 2 == 0 {
                a = first.cycles(work);
                b = second.cycles(work);
            } else {
                b = second.cycles(work);
                a = first.cycles(work);
            }
            duel.first.push(a);
            duel.second.push(b);
            duel.ratios.push(a / b);
        }
        duel.ratios.sort_by(f64::total_cmp);
        duel
    }

    /// Median cycles of the first.
    #[must_use]
    pub fn first(&self) -> f64 {
        median(&mut self.first.clone())
    }

    /// Median cycles of the second.
    #[must_use]
    pub fn second(&self) -> f64 {
        median(&mut self.second.clone())
    }

    /// The median of the first's part of the second's cycles.
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

/// Median cycles of each of several subjects, measured in so many rounds of one sample each; who
/// goes first moves on from round to round.
#[must_use]
pub fn side_by_side(subjects: &[&Subject], work: &mut Work, rounds: usize) -> Vec<f64> {
    let mut samples = vec![Vec::with_capacity(rounds); subjects.len()];
    for round in 0..rounds {
        for n in 0..subjects.len() {
            let n = (n + round) % subjects.len();
            samples[n].push(subjects[n].cycles(work));
        }
    }
    samples.iter_mut().map(|samples| median(samples)).collect()
}
