//! The best plan by a cost model: for processors that are not at hand.
//!
//! Every way of taking bytes, with and without repetitions, in several orders; then single changes to
//! the best of them, as often as is asked for. The same question always has the same answer.

use super::mutate::neighbour;
use super::random::Random;
use crate::edition::Edition;
use crate::schedule::Order;
use crate::stats;
use crate::target::abi::Abi;
use crate::target::cpu::Cpu;
use crate::target::x86::{Choices, Extract, Plan, Sums};

/// Windows of list scheduling that are tried.
const WINDOWS: [u16; 7] = [3, 5, 8, 12, 16, 24, 48];
/// Repetitions are kept, or the rounds of a pass are written out.
const UNROLLS: [u64; 2] = [0, 2000];
/// Ways of taking bytes that differ where there is no BMI2.
const EXTRACTS: [Extract; 4] =
    [Extract::HighBytes, Extract::LowBytes, Extract::Offsets, Extract::MoveBytes];
/// Into how many sums look-ups are XORed, and whether as memory operands.
const SUMS: [(u8, bool); 4] = [(1, false), (1, true), (2, false), (2, true)];
/// Where the random changes begin.
const SEED: u64 = 1997;

/// What a plan costs by a model: predicted cycles a piece of work, or the bound where instructions are
/// not done in order.
fn cost(edition: &Edition, plan: &Plan, cpu: &Cpu) -> Option<(f64, usize)> {
    let made = edition.make(Abi::usual(edition.architecture), plan).ok()?;
    let instructions = made.program.instructions();
    let cycles = stats::predicted(edition, &made, cpu);
    Some((cycles.unwrap_or_else(|| stats::bound(edition, &made, cpu)), instructions))
}

/// The cheapest plan that is found for an edition by the costs of `cpu`, with its cycles; `steps` random
/// changes are tried at the end.
///
/// # Panics
/// If the processor has not all instructions of the edition: [`stats::has`] says so.
#[must_use]
pub fn by_model(edition: &Edition, cpu: &'static Cpu, steps: usize) -> (Plan, f64) {
    let plain = Plan { cpu, ..Plan::untuned(edition.features) };
    let mut best = (plain.clone(), f64::INFINITY, 0);
    let consider = |plan: Plan, best: &mut (Plan, f64, usize)| {
        if let Some((cycles, instructions)) = cost(edition, &plan, cpu)
            && cycles < best.1
        {
            *best = (plan, cycles, instructions);
        }
    };
    consider(plain.clone(), &mut best);
    // Without tables there are no indices to take in several ways, and no sums of look-ups.
    let with_tables = usize::from(!edition.strategy.kernel().tables.is_empty());
    let extracts = &EXTRACTS[..[1, EXTRACTS.len()][with_tables]];
    let sums = &SUMS[..[2, SUMS.len()][with_tables]];
    for unroll in UNROLLS {
        for &extract in extracts {
            for &(sums, memory_operands) in sums {
                let choices = Choices {
                    extract,
                    sums: Sums::dealt(sums),
                    memory_operands,
                    ..Choices::default()
                };
                consider(Plan { choices, unroll, ..plain.clone() }, &mut best);
                for window in WINDOWS {
                    let order = Some(Order { window, ..Order::default() });
                    consider(Plan { choices, unroll, order, ..plain.clone() }, &mut best);
                }
            }
        }
    }
    let mut random = Random::new(SEED);
    for _ in 0..steps {
        let next = Plan { cpu, ..neighbour(&best.0, best.2, &mut random) };
        consider(next, &mut best);
    }
    (best.0, best.1)
}
