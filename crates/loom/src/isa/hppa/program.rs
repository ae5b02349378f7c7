//! From allocated code to a whole function: entry and exit, loops, and what goes into delay slots.

use std::collections::HashMap;

use super::WORDS;
use super::inst::{Hppa, Inst};
use super::reg::{SCRATCH, STACK, ZERO};
use crate::isa::frame::Abi;
use crate::isa::program::{Allocated, LabelKind, Line, Location, Out, Program};
use crate::isa::{Isa, Reg, RegSet, Slot};

/// An instruction of a finished kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// One of those before allocation; spills and reloads are loads and stores by now.
    Inst(Inst),
    /// `ldd,mb`: the stack pointer is lowered by so many bytes, and the register there is loaded.
    Leave(u8, i32),
    /// `cmpib,*=,n`: to a label, if a register is zero.
    IfZero(u8, usize),
    /// `addib,<>`: a register is one less; to a label, if its low 32 bits are not zero then. What follows is done
    /// either way.
    Again(u8, usize),
    /// `cmpib,*<>`: to a label, if a register is not zero. What follows is done either way.
    AgainUnlessZero(u8, usize),
    /// `b,n`: to a label.
    Branch(usize),
    /// `cmpib,*<>,n`: over the next one, which is a branch, if a register is not zero.
    UnlessZero(u8, usize),
    /// `bve`: return. What follows is done before.
    Return,
    /// `nop`.
    Nop,
}

/// How many instructions away a conditional branch may lead; the processor's limit is 2,047, and a
/// few may come between.
const REACH: usize = 2_000;

/// Makes a program of allocated code. `trips` says of loops of a constant count, by the register that
/// counted before allocation, how many times they go around.
///
/// # Panics
/// If the code still has virtual registers, which allocation rules out.
pub(super) fn finish(
    allocated: &Allocated<Inst>,
    trips: &HashMap<Reg, u64>,
    abi: &Abi,
) -> Program<Hppa> {
    let saved: Vec<u8> = allocated.written.and(abi.saved).iter().collect();
    let used = 8 * (saved.len() as u32 + allocated.slots.count(WORDS));
    let stack = used.next_multiple_of(abi.stack_alignment);
    let mut writer = Writer {
        lines: Vec::new(),
        labels: Vec::new(),
        slots_at: 8 * saved.len() as i32 - stack as i32,
        stack: stack as i32,
        weights: vec![1],
        counted: vec![0],
        each: None,
    };
    writer.enter(&saved);
    let mut open = Vec::new();
    for line in &allocated.lines {
        match line {
            Out::Inst(inst, _) => writer.inst(inst),
            Out::Comment(text) => writer.lines.push(Line::Comment(text.clone())),
            Out::Begin(count, place, _) => {
                let (top, done) = (writer.label(LabelKind::Again), writer.label(LabelKind::Done));
                let times = trips.get(count).copied();
                writer.begin(*place, top, done, times);
                open.push((top, done, writer.lines.len(), times.is_none()));
            }
            Out::End(count) => {
                let (top, done, from, counted) = open.pop().expect("a loop is open");
                writer.end(*count, [top, done, from], counted && abi.argument == 8);
                let inside = writer.counted.pop().expect("it was counted");
                writer.weights.pop();
                match writer.counted.last_mut() {
                    Some(_) if counted => writer.each = Some(writer.each.unwrap_or(0).max(inside)),
                    Some(outside) => *outside += inside,
                    None => {}
                }
            }
        }
    }
    if allocated.slots.count(WORDS) > 0 {
        writer.lines.push(Line::Comment("wipe what was kept on the stack".to_owned()));
    }
    for number in 0..allocated.slots.count(WORDS) {
        let slot = Slot { class: WORDS, number };
        writer.inst(&Hppa.spill(slot, Reg::Physical(ZERO)));
    }
    writer.leave(&saved);
    let whole = writer.counted[0];
    Program {
        isa: Hppa,
        scratch: scratch(&writer.lines),
        each: Some(writer.each.unwrap_or(whole)),
        lines: writer.lines,
        labels: writer.labels,
        stack,
    }
}

/// The register for moments, if it is used.
fn scratch(lines: &[Line<Step>]) -> RegSet {
    let names = |line: &Line<Step>| match line {
        Line::Inst(Step::Inst(inst)) => {
            Hppa.operands(inst).iter().any(|operand| operand.reg == Reg::Physical(SCRATCH))
        }
        _ => false,
    };
    if lines.iter().any(names) { RegSet::one(SCRATCH) } else { RegSet::EMPTY }
}

struct Writer {
    lines: Vec<Line<Step>>,
    labels: Vec<LabelKind>,
    /// Where the spill slots begin, from the stack pointer.
    slots_at: i32,
    stack: i32,
    /// How often each open body is done for one time of the one around it.
    weights: Vec<u64>,
    /// Instructions done so far in each open body, for one time of the one around it.
    counted: Vec<u64>,
    /// Instructions of the body whose count the caller gives.
    each: Option<u64>,
}

impl Writer {
    fn push(&mut self, step: Step) {
        let count = match &step {
            Step::Inst(inst) => inst.count(),
            _ => 1,
        };
        *self.counted.last_mut().expect("the function") +=
            count * self.weights.last().expect("one");
        self.lines.push(Line::Inst(step));
    }

    fn label(&mut self, kind: LabelKind) -> usize {
        self.labels.push(kind);
        self.labels.len()
    }

    fn slot(&self, slot: Slot) -> i32 {
        self.slots_at + 8 * slot.number as i32
    }

    fn inst(&mut self, inst: &Inst) {
        // Where source and result came to share a register, there is nothing to do.
        if matches!(inst, Inst::Copy { dst, src } if dst == src) {
            return;
        }
        let (base, bytes, ordered) = (Reg::Physical(STACK), 8, None);
        self.push(Step::Inst(match *inst {
            Inst::Spill { slot, src } => {
                Inst::Store { bytes, base, disp: self.slot(slot), src, ordered }
            }
            Inst::Reload { dst, slot } => {
                Inst::Load { bytes, dst, base, disp: self.slot(slot), ordered }
            }
            _ => inst.clone(),
        }));
    }

    fn enter(&mut self, saved: &[u8]) {
        let stack = Reg::Physical(STACK);
        if self.stack == 0 {
            return;
        }
        self.lines.push(Line::Comment("save what the caller wants back".to_owned()));
        let Some((first, rest)) = saved.split_first() else {
            return self.push(Step::Inst(Inst::AddImm { dst: stack, a: stack, imm: self.stack }));
        };
        let src = Reg::Physical(*first);
        let by = self.stack;
        self.push(Step::Inst(Inst::StoreAdvance { bytes: 8, next: stack, base: stack, by, src }));
        for (register, disp) in Self::places(rest, self.stack) {
            let src = Reg::Physical(register);
            self.push(Step::Inst(Inst::Store { bytes: 8, base: stack, disp, src, ordered: None }));
        }
    }

    /// Where saved registers lie, from the stack pointer; all but the first.
    fn places(rest: &[u8], stack: i32) -> impl DoubleEndedIterator<Item = (u8, i32)> {
        rest.iter().enumerate().map(move |(n, &register)| (register, 8 * (n as i32 + 1) - stack))
    }

    fn leave(&mut self, saved: &[u8]) {
        let stack = Reg::Physical(STACK);
        if self.stack > 0 {
            self.lines.push(Line::Comment("restore it".to_owned()));
        }
        if let Some((first, rest)) = saved.split_first() {
            for (register, disp) in Self::places(rest, self.stack).rev() {
                let dst = Reg::Physical(register);
                self.push(Step::Inst(Inst::Load {
                    bytes: 8,
                    dst,
                    base: stack,
                    disp,
                    ordered: None,
                }));
            }
            self.push(Step::Leave(*first, self.stack));
        } else if self.stack > 0 {
            self.push(Step::Inst(Inst::AddImm { dst: stack, a: stack, imm: -self.stack }));
        }
        self.before_last([Step::Return], |_| true);
    }

    /// Steps, the last of which is a branch, before the last instruction, which goes into its delay slot;
    /// before nothing, if that cannot be.
    fn before_last(&mut self, steps: impl IntoIterator<Item = Step>, can: impl Fn(&Inst) -> bool) {
        let fits = match self.lines.last() {
            Some(Line::Inst(Step::Inst(inst))) => inst.count() == 1 && can(inst),
            Some(Line::Inst(Step::Leave(..))) => true,
            _ => false,
        };
        if fits {
            let last = self.lines.pop().expect("it was looked at");
            steps.into_iter().for_each(|step| self.push(step));
            self.lines.push(last);
        } else {
            steps.into_iter().for_each(|step| self.push(step));
            self.push(Step::Nop);
        }
    }

    /// The register that counts, and the slot that it comes from and goes back to, if any.
    fn counter(&mut self, place: Location) -> (u8, Option<Slot>) {
        match place {
            Location::Register(register) => (register, None),
            Location::Slot(slot) => {
                self.inst(&Hppa.reload(Reg::Physical(SCRATCH), slot));
                (SCRATCH, Some(slot))
            }
        }
    }

    fn begin(&mut self, count: Location, top: usize, done: usize, times: Option<u64>) {
        if times.is_none() {
            let (register, _) = self.counter(count);
            self.push(Step::IfZero(register, done));
        }
        self.lines.push(Line::Label(top));
        let weight = self.weights.last().expect("the function");
        self.weights.push(times.map_or(1, |times| weight * times));
        self.counted.push(0);
    }

    /// The end of a loop. `wide`: its count may have more than 32 bits. `addib` looks at all 64 in wide
    /// mode only, where its conditions have other numbers: two instructions are the same in both.
    fn end(&mut self, count: Location, [top, done, from]: [usize; 3], wide: bool) {
        let is_step = |line: &&Line<Step>| matches!(line, Line::Inst(_));
        let far = self.lines[from..].iter().filter(is_step).count() > REACH;
        let (register, slot) = self.counter(count);
        let counts = Reg::Physical(register);
        let store = slot.map(|slot| Hppa.spill(slot, counts));
        let less = Step::Inst(Inst::AddImm { dst: counts, a: counts, imm: -1 });
        let again = match wide {
            true => vec![less.clone(), Step::AgainUnlessZero(register, top)],
            false => vec![Step::Again(register, top)],
        };
        match (far, store) {
            (false, None) => self.before_last(again, |inst| {
                Hppa.operands(inst).iter().all(|operand| operand.reg != counts)
            }),
            (false, Some(store)) => {
                again.into_iter().for_each(|step| self.push(step));
                self.inst(&store);
            }
            (true, store) => {
                self.push(less);
                store.iter().for_each(|store| self.inst(store));
                self.push(Step::IfZero(register, done));
                self.push(Step::Branch(top));
                self.far_skip(from, top, done);
            }
        }
        self.lines.push(Line::Label(done));
    }

    /// What goes around a loop that is this long goes as far.
    fn far_skip(&mut self, from: usize, top: usize, done: usize) {
        if let Some(Line::Inst(Step::IfZero(register, to))) = self.lines.get(from - 2)
            && *to == done
        {
            self.lines[from - 2] = Line::Inst(Step::UnlessZero(*register, top));
            self.lines.insert(from - 1, Line::Inst(Step::Branch(done)));
        }
    }
}
