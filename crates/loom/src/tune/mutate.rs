//! Plans at random: any one, or one that differs a little from another.

use cipherloom_circuits::Random;

use crate::isa::{Choices, Extract, Sums, Target};
use crate::pipeline::Options;
use crate::schedule::Order;
use crate::variant::KernelVariant;

/// How far ahead of the description an instruction may go: from nowhere to everywhere.
const WINDOWS: [u16; 12] = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128];
/// How many steps ahead an entry is loaded.
const AHEAD: [u8; 3] = [1, 2, 3];
/// How many cycles priorities are changed by.
const NOISES: [u8; 8] = [0, 0, 1, 2, 3, 5, 9, 17];

/// Any plan for a variant.
#[must_use]
pub fn any(variant: &KernelVariant, random: &mut Random) -> Options {
    let costs = random.pick(variant.target.costs);
    let mut plan = Options::untuned(costs, variant.features);
    // Named one by one, so that a new choice is not forgotten here.
    let Choices { extract, sums, memory_operands, branch, byte_sums, ahead } = &mut plan.choices;
    *extract = extracted(random);
    *sums = match random.below(Sums::MOST + 1) as u8 {
        0 => Sums::as_they_come(),
        many => Sums::dealt(many),
    };
    if random.one_in(2) {
        for at in (1..Sums::LOOKUPS).rev() {
            *sums = sums.exchanged(at, random.below(at + 1));
        }
    }
    if random.one_in(2) {
        let many = 2 + random.below(Sums::MOST - 1);
        for at in 0..Sums::LOOKUPS {
            *sums = sums.moved(at, random.below(many));
        }
    }
    *memory_operands = !random.one_in(4);
    *branch = !random.one_in(4);
    *byte_sums = random.one_in(2);
    *ahead = random.pick(&AHEAD);
    plan.order = (!random.one_in(3)).then(|| order(random));
    plan
}

/// A way with a name, or any way for each byte.
fn extracted(random: &mut Random) -> Extract {
    let named = random.pick(&Extract::ALL);
    if random.one_in(2) {
        return named;
    }
    let any = |extract: Extract, byte| extract.with(byte, random.pick(Extract::ways(byte)));
    (0..Extract::BYTES).fold(named, any)
}

fn order(random: &mut Random) -> Order {
    let (window, noise) = (random.pick(&WINDOWS), random.pick(&NOISES));
    Order { window, seed: seed(random), noise, beam: 0 }
}

/// Short ones are easier to read in a file.
fn seed(random: &mut Random) -> u64 {
    random.bits() >> 40
}

/// A plan of a target that differs from another in one thing, or now and then in a few. It makes code of so
/// many instructions.
#[must_use]
pub fn neighbour(
    target: &Target,
    plan: &Options,
    instructions: usize,
    random: &mut Random,
) -> Options {
    let mut next = plan.clone();
    loop {
        if random.one_in(4) {
            step(target, &mut next, random);
        } else {
            perturb(&mut next, instructions, random);
        }
        if next != *plan && !random.one_in(3) {
            return next;
        }
    }
}

/// Moves one instruction, or lets it be where it was at first.
fn perturb(plan: &mut Options, instructions: usize, random: &mut Random) {
    let moved = plan.perturbation.moved();
    if !moved.is_empty() && random.one_in(6) {
        plan.perturbation.set(random.pick(&moved), 0);
        return;
    }
    let far = random.pick(&[1, 2, 3, 4, 6, 8, 12, 20, 30]);
    let places = if random.one_in(2) { far } else { -far };
    plan.perturbation.set(random.below(instructions.max(1)) as u32, places);
}

/// Changes one thing that concerns all instructions.
fn step(target: &Target, plan: &mut Options, random: &mut Random) {
    let choices = &mut plan.choices;
    match random.below(21) {
        0 => choices.extract = extracted(random),
        1 => choices.memory_operands ^= true,
        2 => choices.branch ^= true,
        3 => choices.byte_sums ^= true,
        19 => choices.ahead = random.pick(&AHEAD),
        4 => plan.costs = random.pick(target.costs),
        5 => plan.order = if plan.order.is_some() { None } else { Some(order(random)) },
        6..=8 => {
            let (a, b) = (random.below(Sums::LOOKUPS), random.below(Sums::LOOKUPS));
            choices.sums = choices.sums.exchanged(a, b);
        }
        9..=11 => {
            let (at, sum) = (random.below(Sums::LOOKUPS), random.below(Sums::MOST));
            choices.sums = choices.sums.moved(at, sum);
        }
        12..=15 => {
            let byte = random.below(Extract::BYTES);
            choices.extract = choices.extract.with(byte, random.pick(Extract::ways(byte)));
        }
        change => match &mut plan.order {
            Some(order) if change == 16 => order.window = random.pick(&WINDOWS),
            Some(order) if change == 17 => order.noise = random.pick(&NOISES),
            Some(order) => order.seed = seed(random),
            None => {}
        },
    }
}
