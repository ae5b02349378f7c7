//! What a call of a kernel for AArch64 does, and what each of its instructions reads, writes, costs.

use super::costs::SchedulingClass;
use super::inst::{AArch64, Inst};
use super::kind::kind;
use super::operand::{At, Mem};
use super::program::Step;
use super::reg::STACK;
use crate::isa::costs::Class;
use crate::isa::program::{LabelKind, Line, Program};
use crate::isa::timing::{Cost, Flow, Resource};
use crate::isa::{Isa, Operand, Reg, Role};

/// The place of flags among registers.
const FLAGS: Resource = Resource::register(STACK);

/// The steps of a program; branches that are rarely taken are not.
pub(super) fn flow(program: &Program<AArch64>) -> Vec<(usize, Flow)> {
    let kind = |label: usize| program.labels[label - 1];
    let flow = |line: &Line<Step>| match line {
        Line::Label(label) if kind(*label) == LabelKind::Again => Some(Flow::Top(*label)),
        Line::Label(label) => Some(Flow::Label(*label)),
        Line::Inst(Step::Return) => Some(Flow::Return),
        Line::Inst(Step::Again(_, label)) => Some(Flow::Again(*label)),
        Line::Inst(Step::IfZero(_, label)) => Some(Flow::Around(*label)),
        Line::Inst(_) => Some(Flow::Do),
        Line::Align(_) | Line::Comment(_) => None,
    };
    let lines = program.lines.iter().enumerate();
    lines.filter_map(|(n, line)| flow(line).map(|flow| (n, flow))).collect()
}

/// The costs of a program's lines; none for those that are no instructions.
pub(super) fn costs(program: &Program<AArch64>) -> Vec<Option<Cost>> {
    let mut slots = Vec::new();
    let mut cost = |line: &Line<Step>| match line {
        Line::Inst(step) => Some(of(step, &mut slots)),
        Line::Label(_) | Line::Align(_) | Line::Comment(_) => None,
    };
    let mut costs: Vec<_> = program.lines.iter().map(&mut cost).collect();
    for (n, pair) in program.lines.windows(2).enumerate() {
        if let ([Line::Inst(Step::Compare { .. }), Line::Inst(Step::IfEqual(_))], Some(cost)) =
            (pair, &mut costs[n])
        {
            cost.fused = true;
        }
    }
    costs
}

fn of(step: &Step, slots: &mut Vec<i64>) -> Cost {
    let register = |number: &u8| Resource::register(*number);
    let select = Cost { class: Some(SchedulingClass::Select.class()), ..Cost::default() };
    match step {
        Step::Inst(inst) => instruction(inst, slots),
        Step::Save { registers, .. } => {
            let reads = registers.iter().flatten().map(register).collect();
            Cost { stores: true, reads, ..Cost::default() }
        }
        Step::Restore { registers, .. } => {
            let writes = registers.iter().flatten().map(register).collect();
            Cost { loads: true, writes, ..Cost::default() }
        }
        Step::Wipe { .. } => Cost { stores: true, ..Cost::default() },
        Step::Compare { a, b, .. } => {
            Cost { reads: vec![register(a), register(b)], writes: vec![FLAGS], ..select }
        }
        Step::Select { dst, then, otherwise, .. } => {
            let reads = vec![register(then), register(otherwise), FLAGS];
            Cost { reads, writes: vec![register(dst)], ..select }
        }
        Step::IfEqual(_) => Cost { reads: vec![FLAGS], ..branch() },
        Step::IfZero(count, _) | Step::Again(count, _) => {
            Cost { reads: vec![register(count)], ..branch() }
        }
        Step::Branch(_) | Step::Landing | Step::Nop | Step::Return => branch(),
    }
}

fn branch() -> Cost {
    Cost { class: Some(SchedulingClass::Branch.class()), ..Cost::default() }
}

fn instruction(inst: &Inst, slots: &mut Vec<i64>) -> Cost {
    let class = kind(inst).class();
    let (loads, stores) = (class == Class::LOAD, class == Class::STORE);
    let class = Some(class).filter(|_| !loads && !stores);
    let mut cost = Cost { class, loads, stores, ..Cost::default() };
    let addresses = match inst {
        Inst::Load { mem, .. } => addresses(mem),
        _ => Vec::new(),
    };
    for Operand { reg, role, .. } in AArch64::ANY.operands(inst) {
        let place = Resource::register(reg.number());
        match role {
            // Moving the stack pointer is nobody's wait.
            _ if reg == Reg::Physical(STACK) => {}
            Role::Define => cost.writes.push(place),
            Role::Use | Role::Apart | Role::Tied if addresses.contains(&reg) => {
                cost.address.push(place);
            }
            Role::Use | Role::Apart | Role::Tied => cost.reads.push(place),
        }
    }
    let stack = |mem: &Mem| match mem {
        Mem { base: Reg::Physical(STACK), at: At::Disp(disp), .. } => Some(i64::from(*disp)),
        _ => None,
    };
    match inst {
        Inst::Load { mem, .. } | Inst::LoadVector { mem, .. } => {
            cost.reads.extend(stack(mem).map(|disp| Resource::slot(disp, slots)));
        }
        Inst::Store { mem, .. } | Inst::StoreVector { mem, .. } => {
            cost.writes.extend(stack(mem).map(|disp| Resource::slot(disp, slots)));
        }
        _ => {}
    }
    cost
}

fn addresses(mem: &Mem) -> Vec<Reg> {
    let index = match mem.at {
        At::Index(index, _) => Some(index),
        At::Disp(_) => None,
    };
    [mem.base].into_iter().chain(index).collect()
}
