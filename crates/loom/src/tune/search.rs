//! From a plan to a better one: candidates at random, each against the best so far.

use std::collections::HashSet;
use std::fmt;
use std::time::{Duration, Instant};

use cipherloom_circuits::Random;
use cipherloom_measure::Paired;

use super::mutate;
use super::tuned::code_hash;
use super::work::Work;
use crate::exec::{Answers, Subject};
use crate::ir::Kernel;
use crate::isa::frame::Abi;
use crate::pipeline::{CompiledKernel, Options, compile_for};
use crate::stats;
use crate::variant::KernelVariant;

/// Pairs of samples by which most candidates are dismissed.
const GLANCE: usize = 6;
/// A candidate that takes more than this part of the best one's cycles at a glance is dismissed.
const HOPELESS: f64 = 1.01;
/// Pairs of samples of a closer look; two of them decide.
const LOOK: usize = 60;
/// What a candidate takes of the best one's cycles, with 99 % certainty, if it wins clearly.
const CLEARLY: f64 = 0.999;
/// By how much a plan that ships may be above the untuned plan's bound.
const SLACK: f64 = 1.01;
/// In which part of the budget half of the candidates are any plan; later one of ten is.
const BROAD: f64 = 0.3;

/// How the search stands.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Time that was used.
    pub elapsed: Duration,
    /// Candidates that were made.
    pub candidates: u64,
    /// How many of them became the best.
    pub wins: u64,
    /// Cycles a piece that the best one took when it was last measured.
    pub cycles: f64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best plan; the first one if nothing was better.
    pub plan: Options,
    /// How the search ended.
    pub progress: Progress,
}

/// Why a search ends early. Each but the last is an error in loom.
#[derive(Debug)]
pub enum Stop {
    /// The description cannot be interpreted.
    Description(crate::ir::Fault),
    /// The allocation of a candidate is wrong.
    Allocation(Box<Options>, crate::allocate::Wrong),
    /// A candidate gives wrong answers.
    Answers(Box<Options>),
    /// The system gives no executable memory.
    Memory(std::io::Error),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Description(fault) => write!(f, "the description is wrong: {fault:?}"),
            Self::Allocation(plan, wrong) => write!(f, "{wrong}, made by {plan:?}"),
            Self::Answers(plan) => write!(f, "wrong answers of a kernel made by {plan:?}"),
            Self::Memory(error) => write!(f, "no executable memory: {error}"),
        }
    }
}

impl std::error::Error for Stop {}

/// A plan with what it makes.
struct Candidate {
    plan: Options,
    /// In straight lines, before allocation adds to them.
    instructions: usize,
    subject: Subject,
}

/// What every candidate of one search is made of and held against.
struct Ground {
    variant: KernelVariant,
    abi: &'static Abi,
    kernel: Kernel,
    answers: Answers,
    /// Machine code that was tried.
    seen: HashSet<String>,
    /// What a plan that ships may ask of the generic processor, in cycles by its cost model.
    limit: Option<f64>,
}

impl Ground {
    fn make(&self, plan: &Options) -> Result<Box<dyn CompiledKernel>, Stop> {
        compile_for(&self.kernel, self.abi, plan)
            .map_err(|wrong| Stop::Allocation(Box::new(plan.clone()), wrong))
    }

    /// What a plan asks of the processor that stands for many, by its costs.
    fn bound(&self, made: &dyn CompiledKernel) -> f64 {
        stats::bound(&self.variant, made, self.variant.target.costs[0])
    }

    /// A candidate that gives right answers; none if the same code was tried before.
    fn candidate(&mut self, plan: Options) -> Result<Option<Candidate>, Stop> {
        let made = self.make(&plan)?;
        let is_new = self.seen.insert(code_hash(&*made));
        if !is_new || self.limit.is_some_and(|limit| self.bound(&*made) > limit) {
            return Ok(None);
        }
        let subject = Subject::new(&*made).map_err(Stop::Memory)?;
        if !subject.answers(&self.answers) {
            return Err(Stop::Answers(Box::new(plan)));
        }
        let instructions = made.lowered_instructions();
        Ok(Some(Candidate { plan, instructions, subject }))
    }
}

/// Searches for so long, from `start` on, for a calling convention whose functions are called here. `seed` decides which candidates are tried, as far as
/// measurements do not. This processor must have the variant's features.
///
/// With `everywhere`, no candidate may ask more of the generic processor, by its cost model, than
/// the untuned plan does: what is free on a wide processor is not on a narrow one.
///
/// # Errors
/// [`Stop`].
///
/// # Panics
/// Never: the first candidate has not been tried before.
pub fn search(
    variant: &KernelVariant,
    abi: &'static Abi,
    start: &Options,
    seed: u64,
    budget: Duration,
    everywhere: bool,
    mut report: impl FnMut(&Progress),
) -> Result<Found, Stop> {
    let began = Instant::now();
    let mut random = Random::new(seed);
    let mut ground = Ground {
        variant: *variant,
        abi,
        kernel: variant.strategy.kernel(),
        answers: Answers::new(&variant.strategy).map_err(Stop::Description)?,
        seen: HashSet::new(),
        limit: None,
    };
    let mut best = ground.candidate(start.clone())?.expect("nothing was tried before");
    if everywhere {
        let untuned = ground.make(&variant.untuned())?;
        ground.limit = Some(ground.bound(&*untuned) * SLACK);
    }
    let mut work = Work::new(&variant.strategy, &ground.kernel).calibrated(&best.subject);
    let [cycles, _] = compare([&best, &best], &mut work, GLANCE).medians();
    let mut progress = Progress { elapsed: began.elapsed(), candidates: 0, wins: 0, cycles };
    while progress.elapsed < budget {
        let spent = progress.elapsed.as_secs_f64() / budget.as_secs_f64();
        let plan = if random.one_in(if spent < BROAD { 2 } else { 10 }) {
            mutate::any(variant, &mut random)
        } else {
            mutate::neighbour(variant.target, &best.plan, best.instructions, &mut random)
        };
        progress.candidates += 1;
        if let Some(candidate) = ground.candidate(plan)?
            && let Some(cycles) = wins(&candidate, &best, &mut work)
        {
            best = candidate;
            progress.wins += 1;
            progress.cycles = cycles;
        }
        progress.elapsed = began.elapsed();
        report(&progress);
    }
    Ok(Found { plan: best.plan, progress })
}

/// The candidate's cycles, if it clearly needs fewer than the best one, twice.
fn wins(candidate: &Candidate, best: &Candidate, work: &mut Work) -> Option<f64> {
    let mut look = |pairs| compare([candidate, best], work, pairs);
    if look(GLANCE).ratio() > HOPELESS {
        return None;
    }
    let first = look(LOOK);
    let wins = |pairs: &Paired| pairs.ratio_at_most() < CLEARLY;
    (wins(&first) && wins(&look(LOOK))).then(|| first.medians()[0])
}

/// So many samples of each; who goes first changes from pair to pair.
fn compare(both: [&Candidate; 2], work: &mut Work, pairs: usize) -> Paired {
    Paired::new(pairs, |pair| pair % 2, |which| work.cycles(&both[which].subject))
}
