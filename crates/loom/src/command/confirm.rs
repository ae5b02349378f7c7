//! Plans measured side by side in several fresh processes, as where a process finds its memory
//! can matter more than the plan.

use cipherloom_measure::median;
use loom::isa::frame::Abi;
use loom::pipeline::Options;
use loom::variant::KernelVariant;

use super::error::Result;
use super::measure::Question;

/// What the processes measured.
pub(crate) struct Confirmation {
    /// Median cycles of each plan, process by process.
    cycles: Vec<Vec<f64>>,
    /// The core's clock.
    pub(crate) ghz: f64,
}

impl Confirmation {
    /// Measures in so many processes, one after the other, so many samples of each plan.
    ///
    /// # Errors
    /// As [`Question::ask`].
    pub(crate) fn new(
        variant: &KernelVariant,
        abi: &Abi,
        plans: &[&Options],
        processes: usize,
        samples: usize,
    ) -> Result<Self> {
        let plans = plans.iter().map(|plan| (*plan).clone()).collect();
        let question = Question {
            kernel: variant.to_string(),
            convention: abi.name.to_owned(),
            plans,
            samples,
        };
        let answers: Vec<_> = (0..processes).map(|_| question.ask()).collect::<Result<_>>()?;
        let ghz = median(answers.iter().map(|answer| answer.ghz));
        Ok(Self { cycles: answers.into_iter().map(|answer| answer.cycles).collect(), ghz })
    }

    /// A plan's cycles in each process.
    pub(crate) fn each(&self, plan: usize) -> Vec<f64> {
        self.cycles.iter().map(|process| process[plan]).collect()
    }

    /// The same in the middle process.
    pub(crate) fn middle(&self, plan: usize) -> f64 {
        median(self.each(plan))
    }

    /// The same in the slowest one.
    pub(crate) fn worst(&self, plan: usize) -> f64 {
        self.each(plan).into_iter().fold(0.0, f64::max)
    }

    /// How many times as fast as another a plan is.
    pub(crate) fn gain(&self, plan: usize, over: usize) -> f64 {
        median(self.cycles.iter().map(|each| each[over] / each[plan]))
    }
}
