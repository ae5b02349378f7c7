//! The clocks of a line on a processor that does instructions in order, one at a time or two that pair:
//! an exact sum of what its costs say.
//!
//! Caches hit, and branches are foreseen as far as the processor foresees any.

mod step;
#[cfg(test)]
mod tests;

use iced_x86::{Encoder, InstructionInfoFactory};

use super::X86;
use super::costs::InOrderClass;
use crate::isa::costs::{Bus, InOrder};
use crate::isa::program::{Line, Program};
use crate::isa::timing::InOrderSums;
use step::Step;

/// The instructions of a program, by its lines; none for lines that are no instructions.
pub(super) struct Steps(Vec<Option<Step>>);

impl InOrderSums for Steps {
    fn clocks(&self, lines: &[usize], costs: &InOrder) -> u32 {
        clocks(lines, &self.0, costs)
    }

    fn prefixes(&self, lines: &[usize]) -> u32 {
        lines.iter().filter_map(|&line| self.0[line].as_ref()).map(|step| step.prefixes).sum()
    }

    fn bus(&self, lines: &[usize], costs: &Bus) -> f64 {
        bus(lines, &self.0, costs)
    }
}

/// Registers.
const REGISTERS: usize = 16;

impl Steps {
    /// # Panics
    /// If there are instructions that old processors do not have.
    pub(super) fn of(program: &Program<X86>) -> Self {
        let mut factory = InstructionInfoFactory::new();
        let mut encoder = Encoder::new(program.isa.mode.bits());
        let mut steps: Vec<Option<Step>> = program
            .lines
            .iter()
            .map(|line| match line {
                Line::Inst(inst) => Some(Step::new(inst, &mut factory, &mut encoder)),
                Line::Label(_) | Line::Align(_) | Line::Comment(_) => None,
            })
            .collect();
        let mut next = None;
        for (n, step) in steps.iter_mut().enumerate().rev() {
            if let Some(step) = step {
                step.next = next;
                next = Some(n);
            }
        }
        Self(steps)
    }
}

/// When a register was written last, in clocks.
#[derive(Clone, Copy, Default)]
struct Ready {
    at: u32,
    /// Whether what was written is a part of it.
    part: bool,
}

/// The clocks of the lines, in the order in which they are done.
fn clocks(lines: &[usize], steps: &[Option<Step>], costs: &InOrder) -> u32 {
    let mut ready = [Ready::default(); REGISTERS];
    let mut now = 0;
    let mut rest = lines.iter().filter_map(|&line| Some((line, steps[line].as_ref()?))).peekable();
    while let Some((_, first)) = rest.next() {
        let begin = start(first, now, &ready, costs);
        let taken = |step: &Step, next: Option<usize>| {
            matches!(step.form, InOrderClass::Branch | InOrderClass::Jump)
                && next.is_some()
                && next != step.next
        };
        let after = rest.peek().map(|(line, _)| *line);
        let own = length(first, costs) + if taken(first, after) { costs.taken.clocks } else { 0 };
        let mut end = begin + own;
        put(first, end, &mut ready);
        let row = costs.of(first.form.class());
        let pairs = |second: &Step| {
            row.pairing.with(costs.of(second.form.class()).pairing)
                && !(first.both || second.both || second.prefixes > 0 || second.escaped)
                && !second.waits_for(first)
        };
        if let Some((_, second)) = rest.next_if(|(_, second)| pairs(second)) {
            // It shares no register with the first one, so what that wrote does not matter.
            let start = start(second, begin, &ready, costs);
            let after = rest.peek().map(|(line, _)| *line);
            let more = if taken(second, after) { costs.taken.clocks } else { 0 };
            let length = length(second, costs) + more;
            // Of two that read and write memory one does after the other what it can.
            let both = [first.form, second.form];
            let crowded = both.contains(&InOrderClass::AluStore)
                && both.iter().all(|form| {
                    matches!(
                        form,
                        InOrderClass::AluStore | InOrderClass::AluLoad | InOrderClass::XorLoad
                    )
                });
            end = if crowded { start + own + length - 1 } else { end.max(start + length) };
            put(second, end, &mut ready);
        }
        now = end;
    }
    now
}

/// The clocks for which the bus is busy with the lines, code and data, where there is no cache.
fn bus(lines: &[usize], steps: &[Option<Step>], costs: &Bus) -> f64 {
    let steps = lines.iter().filter_map(|&line| steps[line].as_ref());
    let each = |step: &Step| {
        let accesses = match step.form {
            InOrderClass::Load
            | InOrderClass::AluLoad
            | InOrderClass::XorLoad
            | InOrderClass::ExtendLoad
            | InOrderClass::Store => 1,
            InOrderClass::Push | InOrderClass::Pop | InOrderClass::Return => 1,
            InOrderClass::AluStore => 2,
            _ => 0,
        };
        f64::from(step.bytes) / f64::from(costs.bytes) + f64::from(accesses)
    };
    steps.map(each).sum::<f64>() * f64::from(costs.access)
}

/// When an instruction can begin.
fn start(step: &Step, now: u32, ready: &[Ready; REGISTERS], costs: &InOrder) -> u32 {
    let partial = |at: Ready| if at.part { costs.partial.clocks } else { 0 };
    let address = step.address.iter().map(|&register| {
        let at = ready[register];
        // What was written before the first clock is long there.
        if at.at == 0 { 0 } else { at.at + costs.address.clocks + partial(at) }
    });
    let whole = step.reads.iter().filter(|(_, whole)| *whole).map(|&(register, _)| {
        let at = ready[register];
        at.at + partial(at)
    });
    address.chain(whole).fold(now, u32::max)
}

fn length(step: &Step, costs: &InOrder) -> u32 {
    costs.of(step.form.class()).clocks
        + if step.indexed { costs.index.clocks } else { 0 }
        + if step.scaled { costs.scaled.clocks } else { 0 }
        + costs.prefix.clocks * step.prefixes
        + if step.escaped { costs.escape.clocks } else { 0 }
        + if step.both { costs.constant_and_displacement.clocks } else { 0 }
}

fn put(step: &Step, end: u32, ready: &mut [Ready; REGISTERS]) {
    for &(register, whole) in &step.writes {
        ready[register] = Ready { at: end, part: !whole };
    }
}
