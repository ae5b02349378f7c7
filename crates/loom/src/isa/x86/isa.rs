//! x86 as the shared steps see it.

use iced_x86::{Instruction, Mnemonic, Register};

use super::clocks::Steps;
use super::costs::InOrderClass;
use super::encode::finish;
use super::inst::{Alu, Inst, Shift};
use super::kind::kind;
use super::lower::lower;
use super::operand::{Source, VectorSource, Visitor, Width};
use super::probes::probes;
use super::text::listing;
use super::vector::{self, Bitwise, Set};
use super::{
    GENERAL, LEGACY, Mode, VECTOR_0, VECTORS_16, VECTORS_32, WITH_HIGH_BYTE, X86, gpr, timing,
};
use crate::ir::{Kernel, Param};
use crate::isa::costs::{Class, IssueClass};
use crate::isa::frame::Abi;
use crate::isa::lower::Lowered;
use crate::isa::probe::Probes;
use crate::isa::program::{Allocated, Program};
use crate::isa::text::Listing;
use crate::isa::timing::{Cost, Flow, InOrderSums};
use crate::isa::{Choices, Effect, Features, Isa, Reg, RegClass, RegSet, Role, Slot, Target};

/// The registers of a class.
const fn of_class(class: u8) -> RegSet {
    X86::CLASSES[class as usize].registers
}

impl Isa for X86 {
    type Inst = Inst;
    type Step = Instruction;

    const CLASSES: &'static [RegClass] = &[
        RegClass { registers: GENERAL, lent: gpr::RAX, far_from_memory: false },
        RegClass { registers: VECTORS_32, lent: VECTOR_0, far_from_memory: true },
    ];

    fn new(target: &'static Target, features: Features) -> Self {
        let mode = Mode::of(target);
        Self { mode, features: mode.complete(features) }
    }

    /// All but the stack pointer, and vectors that the caller wants back (Windows' `xmm6` to `xmm15`).
    fn usable(&self, abi: &Abi) -> RegSet {
        // A saved register for words can be pushed, one for vectors is left alone.
        self.mode.registers(self.features).without(abi.saved.without(GENERAL))
    }

    fn lower(&self, kernel: &Kernel, abi: &Abi, choices: &Choices) -> Lowered<Inst> {
        lower(*self, kernel, abi, choices)
    }

    fn finish(
        &self,
        allocated: &Allocated<Inst>,
        _: &Lowered<Inst>,
        abi: &Abi,
        params: &[Param],
    ) -> Program<Self> {
        finish(*self, allocated, abi, params)
    }

    fn visit(&self, inst: &mut Inst, visit: Visitor<'_>) {
        use Role::{Apart, Define, Tied, Use};
        let (address, low) = (self.mode.address_registers(), self.mode.with_low_byte());
        match inst {
            Inst::Alu { width, dst, a, b, .. } => {
                let named = if *width == Width::Byte { low } else { GENERAL };
                visit(a, Tied, named);
                visit(dst, Define, named);
                b.visit(named, address, visit);
            }
            Inst::Shift { dst, a, .. } | Inst::Not { dst, a, .. } | Inst::Bswap { dst, a, .. } => {
                visit(a, Tied, GENERAL);
                visit(dst, Define, GENERAL);
            }
            Inst::Rorx { dst, a, .. } => {
                visit(a, Use, GENERAL);
                visit(dst, Define, GENERAL);
            }
            Inst::Shrx { dst, a, by } => {
                visit(a, Use, GENERAL);
                visit(by, Use, GENERAL);
                visit(dst, Define, GENERAL);
            }
            Inst::AndNot { dst, a, b } => {
                visit(a, Use, GENERAL);
                visit(b, Use, GENERAL);
                visit(dst, Define, GENERAL);
            }
            Inst::Bits { dst, a, mask, .. } => {
                visit(a, Use, GENERAL);
                mask.visit(GENERAL, address, visit);
                visit(dst, Define, GENERAL);
            }
            Inst::Imm { dst, .. }
            | Inst::Zero { dst }
            | Inst::Tables { dst }
            | Inst::Argument { dst, .. } => visit(dst, Define, GENERAL),
            Inst::Spill { slot, src } => visit(src, Use, of_class(slot.class)),
            Inst::Reload { dst, slot } => visit(dst, Define, of_class(slot.class)),
            Inst::Copy { dst, src, .. } => {
                let vector = |reg: &Reg| matches!(reg, Reg::Physical(n) if *n >= VECTOR_0);
                let named = if vector(dst) || vector(src) { VECTORS_32 } else { GENERAL };
                visit(src, Use, named);
                visit(dst, Define, named);
            }
            Inst::MoveByte { dst, a, src, high } => {
                // Beside `ah` and its like no prefix can stand, which others' lowest bytes need.
                let named = if *high { WITH_HIGH_BYTE } else { low };
                visit(a, Tied, named);
                visit(dst, Define, named);
                visit(src, Use, named);
            }
            Inst::LowByte { dst, src, apart, .. } => {
                visit(src, if *apart { Apart } else { Use }, low);
                visit(dst, Define, GENERAL);
            }
            Inst::LowWord { dst, src } => {
                visit(src, Use, GENERAL);
                visit(dst, Define, GENERAL);
            }
            Inst::HighByte { dst, src } => {
                visit(src, Use, WITH_HIGH_BYTE);
                visit(dst, Define, LEGACY);
            }
            Inst::Load { dst, mem, .. } | Inst::Lea { dst, mem } => {
                mem.visit(address, visit);
                visit(dst, Define, GENERAL);
            }
            Inst::Store { bytes, mem, src } => {
                mem.visit(address, visit);
                visit(src, Use, if *bytes == 1 { low } else { GENERAL });
            }
            Inst::SelectEq { dst, otherwise, a, b, then, .. } => {
                visit(otherwise, Tied, GENERAL);
                visit(dst, Define, GENERAL);
                [a, b, then].into_iter().for_each(|reg| visit(reg, Use, GENERAL));
            }
            Inst::BranchLoad { dst, otherwise, a, b, mem, .. } => {
                visit(otherwise, Tied, GENERAL);
                visit(dst, Define, GENERAL);
                [a, b].into_iter().for_each(|reg| visit(reg, Use, GENERAL));
                mem.visit(address, visit);
            }
            Inst::Bitwise { shape, dst, a, b, .. } | Inst::Bytes { shape, dst, a, b, .. } => {
                let named = shape.registers();
                if shape.set == Set::Sse2 {
                    visit(a, Tied, named);
                    visit(dst, Define, named);
                    b.visit(*shape, visit);
                } else {
                    visit(a, Use, named);
                    b.visit(*shape, visit);
                    visit(dst, Define, named);
                }
            }
            Inst::Ternary { shape, dst, a, b, c, .. }
            | Inst::PickTwo { shape, dst, index: a, low: b, high: c } => {
                visit(a, Tied, shape.registers());
                visit(dst, Define, shape.registers());
                visit(b, Use, shape.registers());
                c.visit(*shape, visit);
            }
            Inst::SelectBytes { shape, dst, a, b, then, otherwise } => {
                let named = shape.registers();
                [a, b, then, otherwise].into_iter().for_each(|reg| visit(reg, Use, named));
                visit(dst, Define, named);
            }
            Inst::ShiftParts { shape, dst, a, .. } => {
                visit(a, if shape.set == Set::Sse2 { Tied } else { Use }, shape.registers());
                visit(dst, Define, shape.registers());
            }
            Inst::LoadVector { shape, dst, mem } | Inst::Repeat { shape, dst, mem, .. } => {
                mem.visit(address, visit);
                visit(dst, Define, shape.registers());
            }
            Inst::StoreVector { shape, mem, src } => {
                mem.visit(address, visit);
                visit(src, Use, shape.registers());
            }
            Inst::Splat { shape, dst, src, .. } => {
                visit(src, Use, GENERAL);
                visit(dst, Define, shape.registers());
            }
            Inst::Ones { shape, dst } => visit(dst, Define, shape.registers()),
            // Assemblers do not agree on an encoding for the other registers.
            Inst::StoreLow { mem, src, .. } => {
                mem.visit(address, visit);
                visit(src, Use, VECTORS_16);
            }
            Inst::InsertByte { dst, a, mem, .. } => {
                visit(a, Use, VECTORS_16);
                mem.visit(address, visit);
                visit(dst, Define, VECTORS_16);
            }
            Inst::LoadLow { mem, dst, .. } => {
                mem.visit(address, visit);
                visit(dst, Define, VECTORS_16);
            }
            Inst::ToVector { dst, src, .. } => {
                visit(src, Use, GENERAL);
                visit(dst, Define, VECTORS_16);
            }
            Inst::FromVector { dst, src, .. } => {
                visit(src, Use, VECTORS_16);
                visit(dst, Define, GENERAL);
            }
        }
    }

    fn below_stack(step: &Instruction) -> u32 {
        let displacement = (step.memory_displacement64() as u32).cast_signed();
        match step.memory_base() {
            Register::RSP | Register::ESP | Register::SP if displacement < 0 => {
                displacement.unsigned_abs()
            }
            _ => 0,
        }
    }

    fn lowers_stack(step: &Instruction) -> (u32, Option<u32>) {
        let pushed = step.stack_pointer_increment();
        let by_constant = matches!(step.mnemonic(), Mnemonic::Sub)
            && step.op0_register().full_register() == Register::RSP;
        let displacement = (step.memory_displacement64() as u32).cast_signed();
        match step.memory_base().full_register() {
            _ if by_constant => (step.immediate(1) as u32, None),
            _ if pushed < 0 => (pushed.unsigned_abs(), Some(0)),
            Register::RSP => (0, u32::try_from(displacement).ok()),
            _ => (0, None),
        }
    }

    fn flow(program: &Program<Self>) -> Vec<(usize, Flow)> {
        timing::flow(program)
    }

    fn costs(program: &Program<Self>) -> Vec<Option<Cost>> {
        timing::costs(program)
    }

    fn code_bytes(program: &Program<Self>) -> usize {
        Self::bytes(program, None).expect("tables in reach").len()
    }

    fn bytes(program: &Program<Self>, places: Option<(u64, u64)>) -> Result<Vec<u8>, String> {
        let (at, tables) = places.unwrap_or((0, program.isa.mode.tables()));
        program.bytes(at, tables).map_err(|error| error.to_string())
    }

    fn land(program: &mut Program<Self>) {
        program.land();
    }

    fn listing(program: &Program<Self>, kernel: &Kernel, abi: &Abi) -> Listing {
        listing(program, kernel, abi)
    }

    fn in_order(program: &Program<Self>) -> Option<Box<dyn InOrderSums>> {
        Some(Box::new(Steps::of(program)))
    }

    fn probes() -> Option<Probes<Inst>> {
        Some(probes())
    }

    fn exchanged(&self, inst: &Inst) -> Vec<Inst> {
        match *inst {
            Inst::Alu { op, width, dst, a, b: Source::Reg(b) } => {
                vec![Inst::Alu { op, width, dst, a: b, b: Source::Reg(a) }]
            }
            Inst::Bitwise { op, shape, dst, a, b: VectorSource::Reg(b) }
                if op != Bitwise::AndNot =>
            {
                vec![Inst::Bitwise { op, shape, dst, a: b, b: VectorSource::Reg(a) }]
            }
            Inst::Bytes { op, shape, dst, a, b: VectorSource::Reg(b) } if op.is_symmetric() => {
                vec![Inst::Bytes { op, shape, dst, a: b, b: VectorSource::Reg(a) }]
            }
            Inst::Ternary { table, shape, dst, a, b, c } => {
                let table = vector::exchanged(table, [1, 0, 2]);
                let mut others = vec![Inst::Ternary { table, shape, dst, a: b, b: a, c }];
                if let (VectorSource::Reg(last), Inst::Ternary { table, .. }) = (c, inst) {
                    let table = vector::exchanged(*table, [2, 1, 0]);
                    let c = VectorSource::Reg(a);
                    others.push(Inst::Ternary { table, shape, dst, a: last, b, c });
                }
                others
            }
            _ => Vec::new(),
        }
    }

    fn prefers(&self, inst: &Inst) -> Option<(Reg, RegSet)> {
        match inst {
            Inst::LowByte { src, free: true, .. } => Some((*src, self.mode.with_free_byte())),
            _ => None,
        }
    }

    fn effect(&self, inst: &Inst) -> Effect {
        match inst {
            Inst::Load { bytes, mem, .. } | Inst::BranchLoad { bytes, mem, .. } => {
                mem.effect((*bytes).into(), Effect::Read)
            }
            Inst::Store { bytes, mem, .. } => mem.effect((*bytes).into(), Effect::Write),
            Inst::LoadVector { shape, mem, .. } => mem.effect(shape.bits / 8, Effect::Read),
            Inst::StoreVector { shape, mem, .. } => mem.effect(shape.bits / 8, Effect::Write),
            Inst::StoreLow { mem, .. } => mem.effect(8, Effect::Write),
            Inst::LoadLow { bytes, mem, .. } => mem.effect((*bytes).into(), Effect::Read),
            Inst::InsertByte { mem, .. } => mem.effect(1, Effect::Read),
            _ => Effect::None,
        }
    }

    fn addresses(&self, inst: &Inst) -> Vec<Reg> {
        match inst {
            Inst::Alu { b: Source::Mem(mem), .. }
            | Inst::Bits { mask: Source::Mem(mem), .. }
            | Inst::Load { mem, .. }
            | Inst::Store { mem, .. }
            | Inst::InsertByte { mem, .. }
            | Inst::Lea { mem, .. } => mem.registers(),
            _ => Vec::new(),
        }
    }

    fn cost(&self, inst: &Inst) -> (Class, bool) {
        let (kind, loads) = kind(inst);
        (kind.class(), loads)
    }

    fn issue(&self, inst: &Inst) -> Option<IssueClass> {
        let form = match inst {
            Inst::Alu { op: Alu::Xor, b: Source::Mem(_), .. } => InOrderClass::XorLoad,
            Inst::Alu { b: Source::Mem(_), .. } => InOrderClass::AluLoad,
            Inst::Alu { .. } | Inst::Zero { .. } => InOrderClass::Alu,
            Inst::Shift { op: Shift::Rotate, by: 1, .. } => InOrderClass::RotateOne,
            Inst::Shift { op: Shift::Rotate, .. } => InOrderClass::Rotate,
            Inst::Shift { by: 1, .. } => InOrderClass::ShiftOne,
            Inst::Shift { .. } => InOrderClass::Shift,
            Inst::Not { .. } => InOrderClass::Not,
            Inst::Bswap { .. } => InOrderClass::Swap,
            Inst::Imm { .. } | Inst::Copy { .. } | Inst::MoveByte { .. } | Inst::Tables { .. } => {
                InOrderClass::Move
            }
            Inst::Load { bytes: 1 | 2, .. } => InOrderClass::ExtendLoad,
            Inst::Load { .. } | Inst::Reload { .. } | Inst::Argument { .. } => InOrderClass::Load,
            Inst::Store { .. } | Inst::Spill { .. } => InOrderClass::Store,
            Inst::LowByte { .. } | Inst::HighByte { .. } | Inst::LowWord { .. } => {
                InOrderClass::Extend
            }
            Inst::Lea { .. } => InOrderClass::Address,
            Inst::SelectEq { .. } | Inst::BranchLoad { .. } => InOrderClass::Branch,
            _ => return None,
        };
        Some(form.class())
    }

    fn writes_part(&self, inst: &Inst) -> bool {
        match inst {
            Inst::MoveByte { .. } => true,
            Inst::Alu { width, .. } | Inst::Shift { width, .. } => {
                matches!(width, Width::Byte | Width::Word)
            }
            _ => false,
        }
    }

    fn copy(&self, to: Reg, from: Reg) -> Inst {
        Inst::Copy { width: self.mode.width(), dst: to, src: from }
    }

    fn spill(&self, slot: Slot, from: Reg) -> Inst {
        Inst::Spill { slot, src: from }
    }

    fn slot(&self, inst: &Inst) -> Option<Slot> {
        match inst {
            Inst::Spill { slot, .. } | Inst::Reload { slot, .. } => Some(*slot),
            _ => None,
        }
    }

    fn reload(&self, to: Reg, slot: Slot) -> Inst {
        Inst::Reload { dst: to, slot }
    }
}
