//! What a series of samples says: median, quartiles, extremes.

/// What a series of samples says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// Number of samples.
    pub samples: usize,
    /// The lowest sample.
    pub lowest: f64,
    /// A quarter of the samples are not above this.
    pub lower_quartile: f64,
    /// Half of the samples are not above this.
    pub median: f64,
    /// Three quarters of the samples are not above this.
    pub upper_quartile: f64,
    /// The highest sample.
    pub highest: f64,
}

impl Distribution {
    /// Sorts the samples and reads the marks off; `None` if there are no samples.
    #[must_use]
    pub fn new(samples: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut samples: Vec<f64> = samples.into_iter().collect();
        samples.sort_by(f64::total_cmp);
        let last = samples.len().checked_sub(1)?;
        // The sample nearest to the mark: no value that was never measured.
        let mark = |quarters: usize| samples[(last * quarters + 2) / 4];
        Some(Self {
            samples: samples.len(),
            lowest: mark(0),
            lower_quartile: mark(1),
            median: mark(2),
            upper_quartile: mark(3),
            highest: mark(4),
        })
    }

    /// Half the distance between the quartiles, in percent of the median.
    #[must_use]
    pub fn spread_percent(&self) -> f64 {
        (self.upper_quartile - self.lower_quartile) / 2.0 / self.median * 100.0
    }
}

/// The middle one of some figures; of an even number the upper of the two.
///
/// # Panics
/// If there are none.
#[must_use]
pub fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    Distribution::new(figures).expect("there are figures").median
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_samples_in_order() {
        let samples = vec![5.0, 1.0, 4.0, 2.0, 3.0];
        let marks = Distribution::new(samples).unwrap();
        assert_eq!(
            marks,
            Distribution {
                samples: 5,
                lowest: 1.0,
                lower_quartile: 2.0,
                median: 3.0,
                upper_quartile: 4.0,
                highest: 5.0
            }
        );
        assert!((marks.spread_percent() - 100.0 / 3.0).abs() < 1e-9);
        assert_eq!(Distribution::new([]), None);
        assert_eq!(median([4.0, 1.0, 3.0, 2.0]).to_string(), "3");
        assert!(Distribution::new(vec![7.0]).unwrap().spread_percent().abs() < 1e-9);
    }
}
