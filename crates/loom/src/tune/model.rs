//! The best plan by a cost model: for processors that are not at hand.
//!
//! Every way of taking bytes, with and without loops, in several orders; then single changes to
//! the best of them, as often as is asked for. The same question always has the same answer.

use cipherloom_circuits::Random;

use super::mutate::neighbour;
use crate::isa::costs::Cpu;
use crate::isa::frame::Abi;
use crate::isa::{Choices, Extract, Sums};
use crate::pipeline::Options;
use crate::schedule::Order;
use crate::stats;
use crate::variant::KernelVariant;

/// Windows of list scheduling that are tried.
const WINDOWS: [u16; 8] = [1, 3, 5, 8, 12, 16, 24, 48];
/// Loops are kept, or the rounds of a pass are written out.
const UNROLLS: [u64; 2] = [0, 2000];
/// Ways of taking bytes that differ where there is no BMI2.
const EXTRACTS: [Extract; 4] =
    [Extract::HIGH_BYTES, Extract::LOW_BYTES, Extract::OFFSETS, Extract::MOVE_BYTES];
/// Into how many sums look-ups are XORed, and whether as memory operands.
const SUMS: [(u8, bool); 4] = [(1, false), (1, true), (2, false), (2, true)];
/// How many plans are kept, of which the best is searched for an order in several widths.
const KEPT: usize = 12;
/// These widths.
const BEAMS: [u16; 2] = [2, 8];
/// How far ahead an instruction may go before allocation, when the order after it is searched for.
const NARROW: [u16; 3] = [1, 2, u16::MAX];
/// Where the random changes begin.
const SEED: u64 = 1997;

/// What a plan costs by a model: predicted cycles a piece of work, or the bound where instructions are
/// not done in order; then, of plans that cost alike, what the bus has to do where there is no cache.
type Costs = (f64, f64);

/// What a plan costs, and its instructions.
fn cost(
    variant: &KernelVariant,
    abi: &'static Abi,
    plan: &Options,
    cpu: &Cpu,
) -> Option<(Costs, usize)> {
    let made = variant.make(abi, plan).ok()?;
    let instructions = made.instructions();
    let cycles = stats::predicted(variant, &*made, cpu);
    let cycles = cycles.unwrap_or_else(|| stats::bound(variant, &*made, cpu));
    let bus = stats::fetched(variant, &*made, cpu).and_then(|fetched| fetched.bus);
    Some(((cycles, bus.unwrap_or(0.0)), instructions))
}

/// The cheapest plan that is found for a variant and a calling convention by the costs of `cpu`, with its
/// cycles; `steps` random changes are tried at the end.
///
/// # Panics
/// If the processor has not all instructions of the variant: [`stats::has`] says so.
#[must_use]
pub fn by_model(
    variant: &KernelVariant,
    abi: &'static Abi,
    cpu: &'static Cpu,
    steps: usize,
) -> (Options, f64) {
    let plain = Options { costs: cpu, ..variant.untuned() };
    // What must be written out has no other way.
    let unrolls = if plain.unroll > 0 { &[plain.unroll][..] } else { &UNROLLS };
    let mut found = Found { variant, abi, cpu, plans: Vec::new() };
    found.consider(plain.clone());
    // Without tables there are no indices to take in several ways, and no sums of look-ups.
    let with_tables = usize::from(!variant.strategy.kernel().tables.is_empty());
    let extracts = &EXTRACTS[..[1, EXTRACTS.len()][with_tables]];
    let sums = &SUMS[..[2, SUMS.len()][with_tables]];
    for &unroll in unrolls {
        for &extract in extracts {
            for &(sums, memory_operands) in sums {
                let choices = Choices {
                    extract,
                    sums: Sums::dealt(sums),
                    memory_operands,
                    ..Choices::default()
                };
                found.consider(Options { choices, unroll, ..plain.clone() });
                for window in WINDOWS {
                    let order = Some(Order { window, ..Order::default() });
                    found.consider(Options { choices, unroll, order, ..plain.clone() });
                }
            }
        }
    }
    if cpu.in_order().is_some() {
        let best: Vec<Options> = found.plans.iter().map(|(.., plan)| plan.clone()).collect();
        for plan in best {
            for narrow in NARROW {
                let window = |order: &Order| order.window.min(narrow);
                for beam in BEAMS {
                    let order =
                        plan.order.map(|order| Order { beam, window: window(&order), ..order });
                    found.consider(Options { order, ..plan.clone() });
                }
            }
        }
    }
    let mut random = Random::new(SEED);
    for _ in 0..steps {
        let (_, instructions, best) = &found.plans[0];
        let next =
            Options { costs: cpu, ..neighbour(variant.target, best, *instructions, &mut random) };
        found.consider(next);
    }
    let ((cycles, _), _, plan) = found.plans.swap_remove(0);
    (plan, cycles)
}

/// The best plans so far.
struct Found<'a> {
    variant: &'a KernelVariant,
    abi: &'static Abi,
    cpu: &'a Cpu,
    /// With their costs and instructions, the best one first.
    plans: Vec<(Costs, usize, Options)>,
}

impl Found<'_> {
    fn consider(&mut self, plan: Options) {
        let Some((costs, instructions)) = cost(self.variant, self.abi, &plan, self.cpu) else {
            return;
        };
        // What came earlier stays before what is as good.
        if self.plans.iter().any(|(.., other)| *other == plan) {
            return;
        }
        let place = self.plans.partition_point(|(other, ..)| *other <= costs);
        self.plans.insert(place, (costs, instructions, plan));
        self.plans.truncate(KEPT);
    }
}
