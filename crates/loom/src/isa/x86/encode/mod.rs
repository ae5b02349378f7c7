//! From allocated code to the processor's own instructions: entry and exit, loops, code out of
//! line.
//!
//! `words.rs`, `vectors.rs` and `bytes.rs` have the instructions one by one, `codes.rs` their encodings,
//! `forms.rs` which of several assemblers choose.

mod bytes;
mod codes;
mod forms;
mod vectors;
mod words;

use iced_x86::{Code, CodeSize, IcedError, Instruction, MemoryOperand, Register};

use super::gpr::{RAX, RSP};
use super::inst::Inst;
use super::operand::Width;
use super::segments::{self, DS, ES, FS};
use super::vector::Shape;
use super::{Mode, VECTORS, WORDS, X86};
use crate::ir::Param;
use crate::isa::frame::Abi;
use crate::isa::program::{Allocated, LabelKind, Line, Location, Out, Program};
use crate::isa::{Reg, RegSet, Slot, Slots};

pub(super) use bytes::exists;
use forms::usual;

/// Alignment of the top of a loop: what processors fetch at a time. (In 32-bit code none: the
/// long no-operations that would fill the gap are no instructions of the first processors.)
pub(super) const TOP: u32 = 32;

/// Bytes of a segment, and of the offset below it in a pointer.
const SEGMENT: u32 = 2;

/// What pushes and what pops a segment register.
fn segment_codes(segment: u8) -> [Code; 2] {
    match segment {
        DS => [Code::Pushw_DS, Code::Popw_DS],
        ES => [Code::Pushw_ES, Code::Popw_ES],
        FS => [Code::Pushw_FS, Code::Popw_FS],
        _ => [Code::Pushw_GS, Code::Popw_GS],
    }
}

/// Makes a program of allocated code of a kernel with these parameters.
///
/// # Panics
/// If the code still has virtual registers, which allocation rules out.
pub(super) fn finish(
    isa: X86,
    allocated: &Allocated<Inst>,
    abi: &Abi,
    params: &[Param],
) -> Program<X86> {
    let mode = isa.mode;
    let word = mode.bytes();
    let pushed: Vec<u8> = allocated.written.and(abi.saved).iter().collect();
    let far: Vec<_> = abi.far(params).collect();
    let saved = word * pushed.len() as u32 + SEGMENT * far.len() as u32;
    let shape = widest(allocated);
    let vector = shape.map_or(0, |shape| u32::from(shape.bits / 8));
    let [words, vectors] = [WORDS, VECTORS].map(|class| allocated.slots.count(class));
    // Vectors lie above the words, at multiples of their size where the caller has its stack pointer at one: else most
    // of those of 512 bits would lie in two lines of the cache.
    let vectors_at = (word * words).next_multiple_of(if vectors > 0 { vector } else { word });
    let bytes = vectors_at + vector * vectors;
    let moved = match vectors {
        0 => bytes.next_multiple_of(2 * word),
        // The return address and what was pushed lie above.
        _ => {
            let above = word + saved;
            (above + bytes).next_multiple_of(vector) - above
        }
    };
    let mut writer = Writer {
        mode,
        lines: Vec::new(),
        cold: Vec::new(),
        labels: Vec::new(),
        arguments_at: i64::from(moved + saved),
        abi,
        params,
        vectors_at: i64::from(vectors_at),
        shape,
    };
    let asks = |line: &Out<Inst>| matches!(line, Out::Inst(Inst::Tables { .. }, _));
    let asked = if abi.position_independent && allocated.lines.iter().any(asks) { word } else { 0 };
    if mode == Mode::Real {
        let comment =
            "the stack is reached by all of esp, whose upper half is nobody's in real mode";
        writer.lines.push(Line::Comment(comment.to_owned()));
        writer.push(Instruction::with2(Code::Movzx_r32_rm16, Register::ESP, Register::SP));
    }
    if saved > 0 || moved > 0 {
        writer.lines.push(Line::Comment("save what the caller wants back".to_owned()));
    }
    for &register in &pushed {
        let push = mode.code(Code::Push_r32, Code::Push_r64);
        writer.push(Instruction::with1(push, mode.register(register)));
    }
    for &(_, segment) in &far {
        let [push, _] = segment_codes(segment);
        writer.push(Instruction::with1(push, Mode::segment(segment)));
    }
    if moved > 0 {
        writer.lower(moved);
    }
    if !far.is_empty() {
        let name = |&(param, segment): &(usize, u8)| {
            format!("{} by {}", params[param].name, segments::name(segment))
        };
        let names: Vec<_> = far.iter().map(name).collect();
        writer.lines.push(Line::Comment(format!("segments: {}", names.join(", "))));
    }
    for &(param, segment) in &far {
        let above = writer.argument(param, SEGMENT);
        writer.push(Instruction::with2(Code::Mov_Sreg_rm16, Mode::segment(segment), above));
    }
    let mut open = Vec::new();
    for line in &allocated.lines {
        match line {
            Out::Inst(inst, _) => writer.inst(inst),
            Out::Comment(text) => writer.lines.push(Line::Comment(text.clone())),
            Out::Begin(_, count, _) => {
                let (top, after) = (writer.label(LabelKind::Again), writer.label(LabelKind::Done));
                writer.skip_if_zero(*count, after);
                if mode == Mode::Bits64 {
                    writer.lines.push(Line::Align(TOP));
                }
                writer.lines.push(Line::Label(top));
                open.push((top, after));
            }
            Out::End(count) => {
                let (top, after) = open.pop().expect("a loop is open");
                writer.count_down(*count, top);
                writer.lines.push(Line::Label(after));
            }
        }
    }
    writer.wipe(allocated.slots);
    writer.leave_vectors();
    if saved > 0 || moved > 0 {
        writer.lines.push(Line::Comment("restore it".to_owned()));
    }
    if moved > 0 {
        let imm8 = mode.code(Code::Add_rm32_imm8, Code::Add_rm64_imm8);
        writer.stack(imm8, mode.code(Code::Add_rm32_imm32, Code::Add_rm64_imm32), moved);
    }
    for &(_, segment) in far.iter().rev() {
        let [_, pop] = segment_codes(segment);
        writer.push(Instruction::with1(pop, Mode::segment(segment)));
    }
    for &register in pushed.iter().rev() {
        let pop = mode.code(Code::Pop_r32, Code::Pop_r64);
        writer.push(Instruction::with1(pop, mode.register(register)));
    }
    let back = match far.is_empty() {
        true => mode.code(Code::Retnd, Code::Retnq),
        false => Code::Retfw,
    };
    writer.push(Ok(Instruction::with(back)));
    if !writer.cold.is_empty() {
        writer.lines.push(Line::Comment("rarely taken".to_owned()));
        writer.lines.append(&mut writer.cold);
    }
    let stack = saved + moved + asked;
    Program {
        isa,
        lines: writer.lines,
        labels: writer.labels,
        stack,
        scratch: RegSet::EMPTY,
        each: None,
    }
}

/// The shape of the vectors in a kernel, the widest if there are several.
fn widest(allocated: &Allocated<Inst>) -> Option<Shape> {
    let shapes = allocated.lines.iter().filter_map(|line| match line {
        Out::Inst(inst, _) => inst.shape(),
        _ => None,
    });
    shapes.max_by_key(|shape| (shape.bits, *shape))
}

pub(super) fn line(mode: Mode, inst: Result<Instruction, IcedError>) -> Line<Instruction> {
    let mut inst = usual(mode, inst.expect("a form of instruction that exists"));
    if mode == Mode::Real {
        // Texts leave out segments that mean nothing, which they do in 64-bit code.
        inst.set_code_size(CodeSize::Code16);
    }
    Line::Inst(inst)
}

struct Writer<'a> {
    mode: Mode,
    lines: Vec<Line<Instruction>>,
    /// What stands out of line, behind the return.
    cold: Vec<Line<Instruction>>,
    labels: Vec<LabelKind>,
    /// The stack pointer on entry, from the stack pointer.
    arguments_at: i64,
    abi: &'a Abi,
    params: &'a [Param],
    /// The lowest slot for vectors, from the stack pointer; those for words lie below.
    vectors_at: i64,
    /// The shape of vectors.
    shape: Option<Shape>,
}

fn named(reg: Reg, width: Width) -> Register {
    let number = u32::from(reg.number());
    match width {
        Width::Qword => Register::RAX + number,
        Width::Dword => Register::EAX + number,
        Width::Word => Register::AX + number,
        // AL CL DL BL, then AH CH DH BH, then SPL BPL SIL DIL, R8L...
        Width::Byte if number < 4 => Register::AL + number,
        Width::Byte => Register::SPL + (number - 4),
    }
}

impl Writer<'_> {
    fn label(&mut self, kind: LabelKind) -> usize {
        self.labels.push(kind);
        self.labels.len()
    }

    fn push(&mut self, inst: Result<Instruction, IcedError>) {
        self.lines.push(line(self.mode, inst));
    }

    /// Moves the stack pointer.
    fn stack(&mut self, imm8: Code, imm32: Code, by: u32) {
        let code = if by < 128 { imm8 } else { imm32 };
        self.push(Instruction::with2(code, self.mode.register(RSP), by as i32));
    }

    /// Lowers the stack pointer, and touches each page on the way down where the convention wants it.
    fn lower(&mut self, by: u32) {
        let imm8 = self.mode.code(Code::Sub_rm32_imm8, Code::Sub_rm64_imm8);
        let imm32 = self.mode.code(Code::Sub_rm32_imm32, Code::Sub_rm64_imm32);
        let mut left = by;
        while let Some(page) = self.abi.page.filter(|&page| left > page) {
            self.stack(imm8, imm32, page);
            let here = self.mode.at(self.mode.register(RSP), 0);
            self.push(Instruction::with2(Code::Mov_rm32_imm32, here, 0));
            left -= page;
        }
        self.stack(imm8, imm32, left);
    }

    fn slot(&self, slot: Slot) -> MemoryOperand {
        let number = i64::from(slot.number);
        let disp = match (slot.class, self.shape) {
            (VECTORS, Some(shape)) => self.vectors_at + i64::from(shape.bits / 8) * number,
            _ => i64::from(self.mode.bytes()) * number,
        };
        self.mode.at(self.mode.register(RSP), disp)
    }

    /// A place so many bytes above the start of an argument on the stack.
    fn argument(&self, number: usize, above: u32) -> MemoryOperand {
        let at = self.abi.argument_at(self.params, number) + above;
        self.mode.at(self.mode.register(RSP), self.arguments_at + i64::from(at))
    }

    fn skip_if_zero(&mut self, count: Location, after: usize) {
        match count {
            Location::Register(register) => {
                let register = self.mode.register(register);
                let test = self.mode.code(Code::Test_rm32_r32, Code::Test_rm64_r64);
                self.push(Instruction::with2(test, register, register));
            }
            Location::Slot(slot) => {
                let slot = self.slot(slot);
                let compare = self.mode.code(Code::Cmp_rm32_imm8, Code::Cmp_rm64_imm8);
                self.push(Instruction::with2(compare, slot, 0));
            }
        }
        self.branch(Code::Je_rel32_32, Code::Je_rel32_64, after);
    }

    fn count_down(&mut self, count: Location, top: usize) {
        let dec = self.mode.code(Code::Dec_rm32, Code::Dec_rm64);
        match count {
            Location::Register(register) => {
                self.push(Instruction::with1(dec, self.mode.register(register)));
            }
            Location::Slot(slot) => {
                let slot = self.slot(slot);
                self.push(Instruction::with1(dec, slot));
            }
        }
        self.branch(Code::Jne_rel32_32, Code::Jne_rel32_64, top);
    }

    fn branch(&mut self, bits32: Code, bits64: Code, to: usize) {
        self.push(Instruction::with_branch(self.mode.code(bits32, bits64), to as u64));
    }

    /// Spill slots held secrets.
    fn wipe(&mut self, slots: Slots) {
        if !slots.is_empty() {
            self.lines.push(Line::Comment("wipe what was kept on the stack".to_owned()));
        }
        let words = slots.count(WORDS);
        if words > 0 {
            self.push(Instruction::with2(Code::Xor_r32_rm32, Register::EAX, Register::EAX));
        }
        for number in 0..words {
            let slot = self.slot(Slot { class: WORDS, number });
            let store = self.mode.code(Code::Mov_rm32_r32, Code::Mov_rm64_r64);
            self.push(Instruction::with2(store, slot, self.mode.register(RAX)));
        }
        self.wipe_vectors(slots.count(VECTORS));
    }
}
