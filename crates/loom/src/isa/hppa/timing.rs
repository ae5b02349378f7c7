//! What a call of a kernel for PA-RISC does, and what each of its instructions reads, writes, costs.

use super::costs::SchedulingClass;
use super::{Hppa, Inst, Step, reg};
use crate::isa::costs::Class;
use crate::isa::program::{LabelKind, Line, Program};
use crate::isa::timing::{Cost, Flow, Resource};
use crate::isa::{Isa, Reg, Role as Use};

/// What stands in a delay slot is done before the branch leads away.
pub(super) fn flow(program: &Program<Hppa>) -> Vec<(usize, Flow)> {
    let mut steps = Vec::new();
    let mut lines = program.lines.iter().enumerate();
    while let Some((n, line)) = lines.next() {
        let flow = flow_of(program, n);
        if matches!(line, Line::Inst(Step::Again(..) | Step::AgainUnlessZero(..) | Step::Return)) {
            let (slot, _) = lines.next().expect("a delay slot");
            steps.push((slot, Flow::Do));
        }
        steps.extend(flow.map(|flow| (n, flow)));
    }
    steps
}

fn flow_of(program: &Program<Hppa>, n: usize) -> Option<Flow> {
    let is_top = |label: usize| program.labels[label - 1] == LabelKind::Again;
    // Only a branch that stands before a top leads around it.
    let before_top = matches!(program.lines.get(n + 1), Some(Line::Label(_)));
    Some(match &program.lines[n] {
        Line::Comment(_) | Line::Align(_) => return None,
        Line::Label(label) if is_top(*label) => Flow::Top(*label),
        Line::Label(label) => Flow::Label(*label),
        Line::Inst(Step::Again(_, label) | Step::AgainUnlessZero(_, label)) => Flow::Again(*label),
        Line::Inst(Step::Branch(label)) if is_top(*label) => Flow::Again(*label),
        Line::Inst(Step::IfZero(_, label) | Step::Branch(label)) if before_top => {
            Flow::Around(*label)
        }
        Line::Inst(Step::Return) => Flow::Return,
        Line::Inst(_) => Flow::Do,
    })
}

/// Bytes of code.
pub(super) fn code_bytes(program: &Program<Hppa>) -> usize {
    let count = |line: &Line<Step>| match line {
        Line::Inst(Step::Inst(inst)) => inst.count(),
        Line::Inst(_) => 1,
        Line::Label(_) | Line::Align(_) | Line::Comment(_) => 0,
    };
    4 * program.lines.iter().map(count).sum::<u64>() as usize
}

/// The costs of a program's lines; none for those that are no instructions.
pub(super) fn costs(program: &Program<Hppa>) -> Vec<Option<Cost>> {
    let mut slots = Vec::new();
    let mut cost = |line: &Line<Step>| match line {
        Line::Inst(step) => Some(of(step, &mut slots)),
        Line::Label(_) | Line::Align(_) | Line::Comment(_) => None,
    };
    program.lines.iter().map(&mut cost).collect()
}

fn of(step: &Step, slots: &mut Vec<i64>) -> Cost {
    let mut cost = Cost { class: Some(SchedulingClass::Select.class()), ..Cost::default() };
    match step {
        Step::Inst(inst) => {
            let (class, _) = Hppa.cost(inst);
            cost.loads = class == Class::LOAD;
            cost.stores = class == Class::STORE;
            cost.class = Some(class).filter(|_| !cost.loads && !cost.stores);
            for operand in Hppa.operands(inst) {
                let Reg::Physical(register) = operand.reg else { continue };
                let place = Resource::register(register);
                match operand.role {
                    // Zero is there, and moving the stack pointer is nobody's wait.
                    _ if register == reg::ZERO || register == reg::STACK => {}
                    Use::Define => cost.writes.push(place),
                    Use::Use | Use::Tied if cost.loads => cost.address.push(place),
                    Use::Use | Use::Apart | Use::Tied => cost.reads.push(place),
                }
            }
            match inst {
                Inst::Load { base: Reg::Physical(reg::STACK), disp, .. } => {
                    cost.reads.push(Resource::slot(i64::from(*disp), slots));
                }
                Inst::Store { base: Reg::Physical(reg::STACK), disp, .. } => {
                    cost.writes.push(Resource::slot(i64::from(*disp), slots));
                }
                // The place is further on at once, whenever the value comes.
                Inst::StoreAdvance { src: Reg::Physical(src), .. } => {
                    cost.reads.retain(|place| *place != Resource::register(*src));
                }
                _ => {}
            }
        }
        Step::Leave(..) => (cost.class, cost.loads) = (None, true),
        Step::Again(count, _) => {
            cost.reads.push(Resource::register(*count));
            cost.writes.push(Resource::register(*count));
        }
        Step::IfZero(count, _) | Step::UnlessZero(count, _) | Step::AgainUnlessZero(count, _) => {
            cost.reads.push(Resource::register(*count));
        }
        Step::Branch(_) | Step::Return | Step::Nop => {}
    }
    cost
}
