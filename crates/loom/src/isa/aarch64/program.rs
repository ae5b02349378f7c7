//! From allocated code to a whole function: entry and exit, loops, code out of line.

use super::inst::{AArch64, Inst};
use super::operand::{At, Mem, Width};
use super::reg::{SCRATCH, STACK};
use super::{GENERAL, VECTORS, WORDS};
use crate::isa::frame::Abi;
use crate::isa::program::{Allocated, LabelKind, Line, Location, Out, Program};
use crate::isa::{Isa, Reg, RegSet, Slot};

/// An instruction of a finished kernel: one of the processor's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are those of the form in each variant's line")]
pub enum Step {
    /// One of those before allocation that is one instruction; spills and reloads are loads and stores
    /// by now.
    Inst(Inst),
    /// `stp`, `str`: one or two registers of a class to the stack at so many bytes; `moves`: the stack
    /// pointer is lowered by so many before, and they lie where it points to.
    Save { registers: [Option<u8>; 2], at: u32, moves: bool },
    /// `ldp`, `ldr`: back; `moves`: the stack pointer is raised after.
    Restore { registers: [Option<u8>; 2], at: u32, moves: bool },
    /// `stp`, `str`: zeros over 16 or 8 bytes of the stack.
    Wipe { bytes: u8, at: u32 },
    /// `cmp`.
    Compare { width: Width, a: u8, b: u8 },
    /// `csel`: if what was compared is equal the first, else the second.
    Select { dst: u8, then: u8, otherwise: u8 },
    /// `b.eq`: to a label, if what was compared is equal.
    IfEqual(usize),
    /// `cbz`: to a label, if a register is zero.
    IfZero(u8, usize),
    /// `cbnz`: to a label, if it is not.
    Again(u8, usize),
    /// `b`: to a label.
    Branch(usize),
    /// `hint #34`, which is `bti c`.
    Landing,
    /// `nop`: before what is aligned.
    Nop,
    /// `ret`.
    Return,
}

/// Alignment of the top of a loop: what processors fetch at a time.
pub(super) const TOP: u32 = 16;

/// How far from the stack pointer two registers can be stored at once.
const PAIRS: u32 = 504;

/// Makes a program of allocated code.
///
/// # Panics
/// If the code still has virtual registers, which allocation rules out.
pub(super) fn finish(isa: AArch64, allocated: &Allocated<Inst>, abi: &Abi) -> Program<AArch64> {
    let [words, vectors] = [WORDS, VECTORS].map(|class| allocated.slots.count(class));
    let mut writer = Writer {
        isa,
        lines: Vec::new(),
        cold: Vec::new(),
        labels: Vec::new(),
        words_at: 16 * vectors,
    };
    let counts = allocated.lines.iter().any(|line| match line {
        Out::Begin(_, place, _) | Out::End(place) => matches!(place, Location::Slot(_)),
        _ => false,
    });
    let pairs = pairs(allocated.written.and(abi.saved));
    let saved = 16 * pairs.len() as u32;
    let slots = (writer.words_at + 8 * words).next_multiple_of(abi.stack_alignment);
    if saved + slots > 0 {
        writer.comment("save what the caller wants back");
    }
    for (n, &registers) in pairs.iter().enumerate() {
        let at = if n == 0 { saved } else { 16 * n as u32 };
        writer.push(Step::Save { registers, at, moves: n == 0 });
    }
    writer.stack(-i64::from(slots));
    let mut open = Vec::new();
    for line in &allocated.lines {
        match line {
            Out::Inst(inst, _) => writer.inst(inst),
            Out::Comment(text) => writer.comment(text),
            Out::Begin(_, count, _) => {
                let (top, after) = (writer.label(LabelKind::Again), writer.label(LabelKind::Done));
                let count = writer.count(*count);
                writer.push(Step::IfZero(count, after));
                writer.lines.extend([Line::Align(TOP), Line::Label(top)]);
                open.push((top, after));
            }
            Out::End(place) => {
                let (top, after) = open.pop().expect("a loop is open");
                let register = writer.count(*place);
                let (dst, width) = (Reg::Physical(register), Width::Double);
                writer.push(Step::Inst(Inst::SumImm { width, dst, a: dst, imm: -1 }));
                if let Location::Slot(slot) = place {
                    writer.inst(&isa.spill(*slot, dst));
                }
                writer.push(Step::Again(register, top));
                writer.lines.push(Line::Label(after));
            }
        }
    }
    // Spill slots held secrets.
    let used = writer.words_at + 8 * words;
    if used > 0 {
        writer.comment("wipe what was kept on the stack");
    }
    let mut at = 0;
    while at < used {
        let bytes = if used - at >= 16 && at <= PAIRS { 16 } else { 8 };
        writer.push(Step::Wipe { bytes, at });
        at += u32::from(bytes);
    }
    if saved + slots > 0 {
        writer.comment("restore it");
    }
    writer.stack(slots.into());
    for (n, &registers) in pairs.iter().enumerate().rev() {
        let at = if n == 0 { saved } else { 16 * n as u32 };
        writer.push(Step::Restore { registers, at, moves: n == 0 });
    }
    writer.push(Step::Return);
    if !writer.cold.is_empty() {
        writer.comment("rarely taken");
        writer.lines.append(&mut writer.cold);
    }
    Program {
        isa,
        lines: writer.lines,
        labels: writer.labels,
        stack: saved + slots,
        scratch: if counts { RegSet::one(SCRATCH) } else { RegSet::EMPTY },
        each: None,
    }
}

/// Registers in pairs, of which each goes by one instruction: of one class, and next to each other, as
/// Windows' unwind information has no other.
fn pairs(registers: RegSet) -> Vec<[Option<u8>; 2]> {
    let mut pairs: Vec<[Option<u8>; 2]> = Vec::new();
    for register in registers.iter() {
        match pairs.last_mut() {
            Some([Some(first), second @ None])
                if *first + 1 == register
                    && GENERAL.contains(*first) == GENERAL.contains(register) =>
            {
                *second = Some(register);
            }
            _ => pairs.push([Some(register), None]),
        }
    }
    pairs
}

struct Writer {
    isa: AArch64,
    lines: Vec<Line<Step>>,
    /// What stands out of line, behind the return.
    cold: Vec<Line<Step>>,
    labels: Vec<LabelKind>,
    /// Where slots for words begin, above those for vectors.
    words_at: u32,
}

impl Writer {
    fn push(&mut self, step: Step) {
        self.lines.push(Line::Inst(step));
    }

    fn comment(&mut self, text: &str) {
        self.lines.push(Line::Comment(text.to_owned()));
    }

    fn label(&mut self, kind: LabelKind) -> usize {
        self.labels.push(kind);
        self.labels.len()
    }

    /// Moves the stack pointer.
    fn stack(&mut self, by: i64) {
        let stack = Reg::Physical(STACK);
        let sign = by.signum() as i32;
        let size = by.unsigned_abs() as i32;
        for part in [size & 0xfff, size & !0xfff] {
            if part > 0 {
                let (width, imm) = (Width::Double, sign * part);
                self.push(Step::Inst(Inst::SumImm { width, dst: stack, a: stack, imm }));
            }
        }
    }

    /// Where a slot is, and its bytes.
    fn slot(&self, slot: Slot) -> (Mem, u8) {
        let (at, bytes) = match slot.class {
            VECTORS => (16 * slot.number, 16),
            _ => (self.words_at + 8 * slot.number, 8),
        };
        let base = Reg::Physical(STACK);
        (Mem { base, at: At::Disp(at as i32), ordered: None }, bytes)
    }

    /// The register that counts: if it lies in a slot, the one for moments.
    fn count(&mut self, place: Location) -> u8 {
        match place {
            Location::Register(register) => register,
            Location::Slot(slot) => {
                self.inst(&self.isa.reload(Reg::Physical(SCRATCH), slot));
                SCRATCH
            }
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match *inst {
            // Where source and result came to share a register, there is nothing to do.
            Inst::Copy { width: Width::Double, dst, src } if dst == src => {}
            Inst::Spill { slot, src } => {
                let (mem, bytes) = self.slot(slot);
                self.push(Step::Inst(match slot.class {
                    VECTORS => Inst::StoreVector { bytes, mem, src },
                    _ => Inst::Store { bytes, mem, src },
                }));
            }
            Inst::Reload { dst, slot } => {
                let (mem, bytes) = self.slot(slot);
                self.push(Step::Inst(match slot.class {
                    VECTORS => Inst::LoadVector { bytes, dst, mem },
                    _ => Inst::Load { bytes, dst, mem },
                }));
            }
            Inst::SelectEq { compared, dst, otherwise, a, b, then } => {
                let [dst, otherwise, then] = [dst, otherwise, then].map(Reg::number);
                self.push(Step::Compare { width: compared, a: a.number(), b: b.number() });
                self.push(Step::Select { dst, then, otherwise });
            }
            Inst::BranchEq { compared, dst, a, b, then, .. } => {
                self.rarely(compared, [a, b], Inst::Copy { width: Width::Double, dst, src: then });
            }
            Inst::BranchLoad { compared, dst, a, b, bytes, mem, .. } => {
                self.rarely(compared, [a, b], Inst::Load { bytes, dst, mem });
            }
            _ => self.push(Step::Inst(inst.clone())),
        }
    }

    /// An instruction out of line, for where two words are equal.
    fn rarely(&mut self, compared: Width, [a, b]: [Reg; 2], inst: Inst) {
        let (rare, back) = (self.label(LabelKind::Rare), self.label(LabelKind::Back));
        self.push(Step::Compare { width: compared, a: a.number(), b: b.number() });
        self.push(Step::IfEqual(rare));
        self.lines.push(Line::Label(back));
        self.cold.push(Line::Label(rare));
        self.cold.push(Line::Inst(Step::Inst(inst)));
        self.cold.push(Line::Inst(Step::Branch(back)));
    }
}
