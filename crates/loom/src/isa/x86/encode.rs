//! From allocated code to the processor's own instructions: entry and exit, loops, code out of
//! line.

use iced_x86::{Code, CodeSize, IcedError, Instruction, MemoryOperand, Register};

use super::assemble::TABLES;
use super::forms::usual;
use super::gpr::{RAX, RSP};
use super::inst::{Alu, Inst, Shift, Source, Width};
use super::segments::{self, DS, ES, FS};
use super::vector::Shape;
use super::{Mode, VECTOR_0, VECTORS, WORDS, X86};
use crate::ir::Param;
use crate::isa::frame::Abi;
use crate::isa::program::{Allocated, LabelKind, Line, Out, Place, Program};
use crate::isa::{Reg, RegSet, Slot, Slots};

/// Alignment of the top of a repetition: what processors fetch at a time. (In 32-bit code none: the
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
    // Vectors lie above the words, as well aligned as the stack pointer allows.
    let vectors_at = (word * words).next_multiple_of(if vectors > 0 { 16 } else { word });
    let bytes = vectors_at + vector * vectors;
    // Small spills live in the red zone, where there is one: no stack pointer to move.
    let moved = match bytes > abi.red_zone {
        // The return address and what was pushed lie above.
        true if vectors > 0 => {
            let above = word + saved;
            (above + bytes).next_multiple_of(16) - above
        }
        true => bytes.next_multiple_of(2 * word),
        false => 0,
    };
    let slots_at = if moved > 0 { 0 } else { -i64::from(bytes) };
    let mut writer = Writer {
        mode,
        lines: Vec::new(),
        cold: Vec::new(),
        labels: Vec::new(),
        slots_at,
        arguments_at: i64::from(moved + saved),
        abi,
        params,
        vectors_at: slots_at + i64::from(vectors_at),
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
        let imm8 = mode.code(Code::Sub_rm32_imm8, Code::Sub_rm64_imm8);
        writer.stack(imm8, mode.code(Code::Sub_rm32_imm32, Code::Sub_rm64_imm32), moved);
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
                let (top, after) = open.pop().expect("a repetition is open");
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
    let below = if moved > 0 { moved } else { bytes };
    let stack = saved + below + asked;
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

pub(super) struct Writer<'a> {
    pub(super) mode: Mode,
    pub(super) lines: Vec<Line<Instruction>>,
    /// What stands out of line, behind the return.
    cold: Vec<Line<Instruction>>,
    labels: Vec<LabelKind>,
    /// The lowest slot, from the stack pointer.
    slots_at: i64,
    /// The stack pointer on entry, from the stack pointer.
    arguments_at: i64,
    abi: &'a Abi,
    params: &'a [Param],
    /// The same of slots for vectors.
    vectors_at: i64,
    /// The shape of vectors.
    pub(super) shape: Option<Shape>,
}

pub(super) fn physical(reg: Reg) -> u8 {
    match reg {
        Reg::Physical(register) => register,
        Reg::Virtual(n) => panic!("value {n} has no register"),
    }
}

pub(super) fn named(reg: Reg, width: Width) -> Register {
    let number = u32::from(physical(reg));
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

    pub(super) fn push(&mut self, inst: Result<Instruction, IcedError>) {
        self.lines.push(line(self.mode, inst));
    }

    /// Moves the stack pointer.
    fn stack(&mut self, imm8: Code, imm32: Code, by: u32) {
        let code = if by < 128 { imm8 } else { imm32 };
        self.push(Instruction::with2(code, self.mode.register(RSP), by as i32));
    }

    pub(super) fn slot(&self, slot: Slot) -> MemoryOperand {
        let number = i64::from(slot.number);
        let disp = match (slot.class, self.shape) {
            (VECTORS, Some(shape)) => self.vectors_at + i64::from(shape.bits / 8) * number,
            _ => self.slots_at + i64::from(self.mode.bytes()) * number,
        };
        self.mode.at(self.mode.register(RSP), disp)
    }

    /// A place so many bytes above the start of an argument on the stack.
    fn argument(&self, number: usize, above: u32) -> MemoryOperand {
        let at = self.abi.argument_at(self.params, number) + above;
        self.mode.at(self.mode.register(RSP), self.arguments_at + i64::from(at))
    }

    fn skip_if_zero(&mut self, count: Place, after: usize) {
        match count {
            Place::Register(register) => {
                let register = self.mode.register(register);
                let test = self.mode.code(Code::Test_rm32_r32, Code::Test_rm64_r64);
                self.push(Instruction::with2(test, register, register));
            }
            Place::Slot(slot) => {
                let slot = self.slot(slot);
                let compare = self.mode.code(Code::Cmp_rm32_imm8, Code::Cmp_rm64_imm8);
                self.push(Instruction::with2(compare, slot, 0));
            }
        }
        self.branch(Code::Je_rel32_32, Code::Je_rel32_64, after);
    }

    fn count_down(&mut self, count: Place, top: usize) {
        let dec = self.mode.code(Code::Dec_rm32, Code::Dec_rm64);
        match count {
            Place::Register(register) => {
                self.push(Instruction::with1(dec, self.mode.register(register)));
            }
            Place::Slot(slot) => {
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

    fn inst(&mut self, inst: &Inst) {
        match *inst {
            Inst::Alu { op, width, dst, b, .. } => self.alu(op, width, dst, &b),
            Inst::Shift { op, width, dst, by, .. } => {
                let code = match (op, width) {
                    (Shift::Left, Width::Qword) => Code::Shl_rm64_imm8,
                    (Shift::Left, _) => Code::Shl_rm32_imm8,
                    (Shift::Right, Width::Qword) => Code::Shr_rm64_imm8,
                    (Shift::Right, _) => Code::Shr_rm32_imm8,
                    (Shift::Rotate, Width::Word) => Code::Rol_rm16_imm8,
                    (Shift::Rotate, Width::Qword) => Code::Rol_rm64_imm8,
                    (Shift::Rotate, _) => Code::Rol_rm32_imm8,
                };
                self.push(Instruction::with2(code, named(dst, width), u32::from(by)));
            }
            Inst::Not { width, dst, .. } => {
                let code = if width == Width::Qword { Code::Not_rm64 } else { Code::Not_rm32 };
                self.push(Instruction::with1(code, named(dst, width)));
            }
            Inst::Bswap { width, dst, .. } => {
                let code = if width == Width::Qword { Code::Bswap_r64 } else { Code::Bswap_r32 };
                self.push(Instruction::with1(code, named(dst, width)));
            }
            Inst::Shrx { dst, a, by } => {
                let [dst, a, by] = [dst, a, by].map(|reg| named(reg, Width::Qword));
                self.push(Instruction::with3(Code::VEX_Shrx_r64_rm64_r64, dst, a, by));
            }
            Inst::Rorx { width, dst, a, by } => {
                let code = match width {
                    Width::Qword => Code::VEX_Rorx_r64_rm64_imm8,
                    _ => Code::VEX_Rorx_r32_rm32_imm8,
                };
                let (dst, a) = (named(dst, width), named(a, width));
                self.push(Instruction::with3(code, dst, a, u32::from(by)));
            }
            Inst::Bits { apart, dst, a, ref mask } => {
                let code = match apart {
                    true => Code::VEX_Pdep_r64_r64_rm64,
                    false => Code::VEX_Pext_r64_r64_rm64,
                };
                let (dst, a) = (named(dst, Width::Qword), named(a, Width::Qword));
                self.push(match mask {
                    Source::Reg(mask) => {
                        Instruction::with3(code, dst, a, named(*mask, Width::Qword))
                    }
                    Source::Mem(mem) => Instruction::with3(code, dst, a, self.mode.memory(mem)),
                    Source::Imm(_) => panic!("a mask is a register or in memory"),
                });
            }
            Inst::Imm { dst, value } => self.push(match (u32::try_from(value), value as i64) {
                (Ok(value), _) => {
                    Instruction::with2(Code::Mov_r32_imm32, named(dst, Width::Dword), value)
                }
                (_, signed) if i32::try_from(signed).is_ok() => Instruction::with2(
                    Code::Mov_rm64_imm32,
                    named(dst, Width::Qword),
                    signed as i32,
                ),
                _ => Instruction::with2(Code::Mov_r64_imm64, named(dst, Width::Qword), value),
            }),
            Inst::Copy { dst: Reg::Physical(to), src: Reg::Physical(from), .. }
                if to >= VECTOR_0 =>
            {
                self.copy_vector(to, from);
            }
            Inst::Spill { slot: slot @ Slot { class: VECTORS, .. }, src } => {
                self.spill_vector(slot, src);
            }
            Inst::Reload { dst, slot: slot @ Slot { class: VECTORS, .. } } => {
                self.reload_vector(dst, slot);
            }
            // Allocation gave both the same register.
            Inst::Copy { width, dst, src } if dst == src && width == self.mode.width() => {}
            Inst::Copy { width, dst, src } => {
                let code = match width {
                    Width::Qword => Code::Mov_r64_rm64,
                    _ => Code::Mov_r32_rm32,
                };
                self.push(Instruction::with2(code, named(dst, width), named(src, width)));
            }
            Inst::Load { bytes, dst, ref mem } => {
                let (code, width) = match bytes {
                    1 => (Code::Movzx_r32_rm8, Width::Dword),
                    2 => (Code::Movzx_r32_rm16, Width::Dword),
                    4 => (Code::Mov_r32_rm32, Width::Dword),
                    _ => (Code::Mov_r64_rm64, Width::Qword),
                };
                self.push(Instruction::with2(code, named(dst, width), self.mode.memory(mem)));
            }
            Inst::Store { bytes, ref mem, src } => {
                let (code, register) = match bytes {
                    1 => (Code::Mov_rm8_r8, named(src, Width::Byte)),
                    2 => (Code::Mov_rm16_r16, Register::AX + u32::from(physical(src))),
                    4 => (Code::Mov_rm32_r32, named(src, Width::Dword)),
                    _ => (Code::Mov_rm64_r64, named(src, Width::Qword)),
                };
                self.push(Instruction::with2(code, self.mode.memory(mem), register));
            }
            Inst::Zero { dst } => {
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with2(Code::Xor_r32_rm32, dst, dst));
            }
            Inst::MoveByte { dst, src, high, .. } => {
                let src = match high {
                    true => Register::AH + u32::from(physical(src)),
                    false => named(src, Width::Byte),
                };
                let dst = named(dst, Width::Byte);
                self.push(Instruction::with2(Code::Mov_r8_rm8, dst, src));
            }
            Inst::LowByte { dst, src } => {
                let (dst, src) = (named(dst, Width::Dword), named(src, Width::Byte));
                self.push(Instruction::with2(Code::Movzx_r32_rm8, dst, src));
            }
            Inst::HighByte { dst, src } => {
                let src = Register::AH + u32::from(physical(src));
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with2(Code::Movzx_r32_rm8, dst, src));
            }
            Inst::LowWord { dst, src } => {
                let src = Register::AX + u32::from(physical(src));
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with2(Code::Movzx_r32_rm16, dst, src));
            }
            Inst::Lea { dst, ref mem } => {
                let lea = self.mode.code(Code::Lea_r32_m, Code::Lea_r64_m);
                let dst = named(dst, self.mode.width());
                self.push(Instruction::with2(lea, dst, self.mode.memory(mem)));
            }
            Inst::Tables { dst } if self.abi.position_independent => {
                // A shadow stack takes no part in it: a call of distance 0 pushes nothing there (Intel's
                // manual, volume 2, the operation of CALL).
                let here = self.label(LabelKind::Here);
                self.push(Instruction::with_branch(Code::Call_rel32_32, here as u64));
                self.lines.push(Line::Label(here));
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with1(Code::Pop_r32, dst));
                let place = MemoryOperand::with_base_displ_size(dst, TABLES as i64, 4);
                self.push(Instruction::with2(Code::Lea_r32_m, dst, place));
            }
            Inst::Tables { dst } if !self.mode.is_64() => {
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with2(Code::Mov_r32_imm32, dst, TABLES as u32));
            }
            Inst::Argument { number, dst } => {
                let place = self.argument(usize::from(number), 0);
                let load = match self.mode {
                    Mode::Real => Code::Movzx_r32_rm16,
                    _ => self.mode.code(Code::Mov_r32_rm32, Code::Mov_r64_rm64),
                };
                self.push(Instruction::with2(load, named(dst, self.mode.width()), place));
            }
            Inst::Tables { dst } => {
                let place = MemoryOperand::with_base_displ(Register::RIP, TABLES as i64);
                self.push(Instruction::with2(Code::Lea_r64_m, named(dst, Width::Qword), place));
            }
            Inst::SelectEq { width, dst, a, b, then, branch, .. } => {
                let (compare, copy, select) = match width {
                    Width::Qword => (Code::Cmp_r64_rm64, Code::Mov_r64_rm64, Code::Cmove_r64_rm64),
                    _ => (Code::Cmp_r32_rm32, Code::Mov_r32_rm32, Code::Cmove_r32_rm32),
                };
                self.push(Instruction::with2(compare, named(a, width), named(b, width)));
                let (dst, then) = (named(dst, width), named(then, width));
                if !branch {
                    self.push(Instruction::with2(select, dst, then));
                    return;
                }
                let (there, back) = (self.label(LabelKind::Rare), self.label(LabelKind::Back));
                self.branch(Code::Je_rel32_32, Code::Je_rel32_64, there);
                self.lines.push(Line::Label(back));
                let jump = self.mode.code(Code::Jmp_rel32_32, Code::Jmp_rel32_64);
                let fix = [
                    Instruction::with2(copy, dst, then),
                    Instruction::with_branch(jump, back as u64),
                ];
                self.cold.push(Line::Label(there));
                self.cold.extend(fix.map(|inst| line(self.mode, inst)));
            }
            Inst::Spill { slot, src } => {
                let store = self.mode.code(Code::Mov_rm32_r32, Code::Mov_rm64_r64);
                let slot = self.slot(slot);
                self.push(Instruction::with2(store, slot, named(src, self.mode.width())));
            }
            Inst::Reload { dst, slot } => {
                let load = self.mode.code(Code::Mov_r32_rm32, Code::Mov_r64_rm64);
                let slot = self.slot(slot);
                self.push(Instruction::with2(load, named(dst, self.mode.width()), slot));
            }
            ref vector => self.vector(vector),
        }
    }

    fn alu(&mut self, op: Alu, width: Width, dst: Reg, b: &Source) {
        let to = named(dst, width);
        let (register, imm8, imm32) = match (op, width) {
            (Alu::Xor, Width::Qword) => {
                (Code::Xor_r64_rm64, Code::Xor_rm64_imm8, Code::Xor_rm64_imm32)
            }
            (_, Width::Word) => panic!("arithmetic of 16 bits is wanted by nobody"),
            (Alu::Xor, _) => (Code::Xor_r32_rm32, Code::Xor_rm32_imm8, Code::Xor_rm32_imm32),
            (Alu::And, Width::Qword) => {
                (Code::And_r64_rm64, Code::And_rm64_imm8, Code::And_rm64_imm32)
            }
            (Alu::And, _) => (Code::And_r32_rm32, Code::And_rm32_imm8, Code::And_rm32_imm32),
            (Alu::Or, Width::Qword) => (Code::Or_r64_rm64, Code::Or_rm64_imm8, Code::Or_rm64_imm32),
            (Alu::Or, _) => (Code::Or_r32_rm32, Code::Or_rm32_imm8, Code::Or_rm32_imm32),
            (Alu::Add, Width::Qword) => {
                (Code::Add_r64_rm64, Code::Add_rm64_imm8, Code::Add_rm64_imm32)
            }
            (Alu::Add, Width::Byte) => (Code::Add_r8_rm8, Code::Add_rm8_imm8, Code::Add_rm8_imm8),
            (Alu::Add, Width::Dword) => {
                (Code::Add_r32_rm32, Code::Add_rm32_imm8, Code::Add_rm32_imm32)
            }
        };
        self.push(match b {
            Source::Reg(b) => Instruction::with2(register, to, named(*b, width)),
            Source::Mem(mem) => Instruction::with2(register, to, self.mode.memory(mem)),
            Source::Imm(imm) if i8::try_from(*imm).is_ok() => Instruction::with2(imm8, to, *imm),
            Source::Imm(imm) => Instruction::with2(imm32, to, *imm),
        });
    }
}
