//! What the registers point to and where the stack is, line by line: read from the finished
//! instructions themselves, so that names and unwind information say what the code does.

use std::collections::HashMap;

use iced_x86::{Code, Instruction, InstructionInfoFactory, OpAccess, OpKind, Register};

use crate::ir::Param;
use crate::isa::frame::Abi;
use crate::isa::program::{Line, Program};
use crate::isa::text::Frame;
use crate::isa::x86::{Mode, TABLES, X86, is_call, names_tables};

/// What a register or a place on the stack points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    /// So many bytes behind the tables' label.
    Tables(i64),
    /// Somewhere in the memory of the parameter of this number.
    Param(usize),
}

/// What is known of a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// What it did to the stack.
    pub(super) frame: Vec<Frame>,
    /// What the base of its memory operand points to; of a load of an argument, that argument.
    pub(super) base: Option<Pointer>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Register(Register),
    /// By its depth below the return address.
    Stack(i64),
}

/// What is known between two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    mode: Mode,
    depth: u32,
    /// Registers that were pushed, and the depth then.
    pushed: Vec<(u8, u32)>,
    pointers: HashMap<Place, Pointer>,
}

impl State {
    /// What is known where two ways meet.
    fn meet(&mut self, other: &Self) {
        assert_eq!(self.depth, other.depth, "two ways to a label with two stacks");
        self.pointers.retain(|place, pointer| other.pointers.get(place) == Some(pointer));
    }

    /// The place of an operand that can hold a pointer.
    fn place(&self, inst: &Instruction, operand: u32) -> Option<Place> {
        match inst.op_kind(operand) {
            OpKind::Register => Some(Place::Register(inst.op_register(operand).full_register())),
            OpKind::Memory if inst.memory_base().full_register() == Register::RSP => {
                let above = inst.memory_displacement64() as i64;
                Some(Place::Stack(i64::from(self.depth) - above))
            }
            _ => None,
        }
    }

    fn get(&self, place: Option<Place>) -> Option<Pointer> {
        self.pointers.get(&place?).copied()
    }

    /// The argument that an instruction loads from above the return address.
    fn argument(&self, inst: &Instruction) -> Option<Pointer> {
        let place = self.is_copy(inst.code()).then(|| self.place(inst, 1))??;
        matches!(place, Place::Stack(depth) if depth < 0).then(|| self.get(Some(place)))?
    }

    /// Whether an instruction moves words.
    fn is_copy(&self, code: Code) -> bool {
        match self.mode {
            // Arguments have 16 bits.
            Mode::Real if code == Code::Movzx_r32_rm16 => true,
            Mode::Real | Mode::Bits32 => {
                matches!(code, Code::Mov_r32_rm32 | Code::Mov_rm32_r32)
            }
            Mode::Bits64 => matches!(code, Code::Mov_r64_rm64 | Code::Mov_rm64_r64),
        }
    }

    /// Whether an instruction adds a constant to a word.
    fn is_advance(&self, code: Code) -> bool {
        match self.mode {
            Mode::Real | Mode::Bits32 => {
                matches!(code, Code::Add_rm32_imm8 | Code::Add_rm32_imm32 | Code::Add_EAX_imm32)
            }
            Mode::Bits64 => {
                matches!(code, Code::Add_rm64_imm8 | Code::Add_rm64_imm32 | Code::Add_RAX_imm32)
            }
        }
    }

    fn step(&mut self, inst: &Instruction, info: &mut InstructionInfoFactory) -> Vec<Frame> {
        // What the result points to, before anything is overwritten.
        let result = match inst.code() {
            code if self.is_copy(code) => self.get(self.place(inst, 1)),
            Code::Lea_r64_m if inst.is_ip_rel_memory_operand() => {
                Some(Pointer::Tables(inst.memory_displacement64().wrapping_sub(TABLES) as i64))
            }
            // From where the code is, of which nothing else is known.
            Code::Lea_r32_m if names_tables(inst) => {
                Some(Pointer::Tables(inst.memory_displacement64().wrapping_sub(TABLES) as i64))
            }
            Code::Lea_r64_m | Code::Lea_r32_m if inst.memory_index() == Register::None => {
                let base = self.get(Some(Place::Register(inst.memory_base().full_register())));
                base.map(|base| base.advanced(inst.memory_displacement64() as i64))
            }
            code if self.is_advance(code) => {
                let base = self.get(self.place(inst, 0));
                base.map(|base| base.advanced(inst.immediate(1) as i64))
            }
            _ => None,
        };
        let target = self.place(inst, 0);
        for used in info.info(inst).used_registers() {
            let written = !matches!(used.access(), OpAccess::Read | OpAccess::CondRead);
            if written {
                self.pointers.remove(&Place::Register(used.register().full_register()));
            }
        }
        if let (Some(place), Some(pointer)) = (target, result) {
            self.pointers.insert(place, pointer);
        } else if let Some(place @ Place::Stack(_)) = target {
            self.pointers.remove(&place);
        }
        self.stack(inst)
    }

    fn stack(&mut self, inst: &Instruction) -> Vec<Frame> {
        let by = inst.stack_pointer_increment();
        let word = self.mode.bytes();
        let register = inst.op0_register().number() as u8;
        match inst.code() {
            Code::Push_r64 | Code::Push_r32 => {
                self.depth += word;
                self.pushed.push((register, self.depth));
                vec![Frame::Pushed { register, depth: self.depth }]
            }
            // What a call left is nobody's register.
            Code::Pop_r32 if self.pushed.iter().all(|&(_, depth)| depth != self.depth) => {
                self.depth -= word;
                vec![Frame::Raised { depth: self.depth }]
            }
            Code::Pop_r64 | Code::Pop_r32 => {
                self.depth -= word;
                self.pushed.retain(|(pushed, _)| *pushed != register);
                vec![Frame::Popped { register, depth: self.depth }]
            }
            _ if is_call(inst) => {
                self.depth += word;
                vec![Frame::Lowered { by: word, depth: self.depth }]
            }
            // Segment registers have no numbers of their own.
            Code::Pushw_DS | Code::Pushw_ES | Code::Pushw_FS | Code::Pushw_GS => {
                self.depth += 2;
                vec![Frame::Lowered { by: 2, depth: self.depth }]
            }
            Code::Popw_DS | Code::Popw_ES | Code::Popw_FS | Code::Popw_GS => {
                self.depth -= 2;
                vec![Frame::Raised { depth: self.depth }]
            }
            // Real mode's way to clear its upper half.
            Code::Movzx_r32_rm16 => Vec::new(),
            code if inst.op0_register().full_register() == Register::RSP => {
                let by = inst.immediate(1) as u32;
                if matches!(
                    code,
                    Code::Sub_rm64_imm8
                        | Code::Sub_rm64_imm32
                        | Code::Sub_rm32_imm8
                        | Code::Sub_rm32_imm32
                ) {
                    self.depth += by;
                    vec![Frame::Lowered { by, depth: self.depth }]
                } else {
                    self.depth -= by;
                    vec![Frame::Raised { depth: self.depth }]
                }
            }
            _ => {
                debug_assert!(by == 0 || is_return(inst), "{inst} moves the stack");
                Vec::new()
            }
        }
    }
}

fn is_return(inst: &Instruction) -> bool {
    matches!(inst.code(), Code::Retnq | Code::Retnd | Code::Retnw | Code::Retfw)
}

impl Pointer {
    fn advanced(self, by: i64) -> Self {
        match self {
            Self::Tables(at) => Self::Tables(at + by),
            Self::Param(n) => Self::Param(n),
        }
    }
}

/// What is known of each line of a program with these parameters.
pub(super) fn trace(program: &Program<X86>, abi: &Abi, params: &[Param]) -> Vec<Seen> {
    let mut labels = HashMap::new();
    loop {
        let before = labels.clone();
        let seen = pass(program, abi, params, &mut labels);
        if labels == before {
            return seen;
        }
    }
}

/// One pass over all lines; adds what is known at each label.
fn pass(
    program: &Program<X86>,
    abi: &Abi,
    params: &[Param],
    labels: &mut HashMap<u64, State>,
) -> Vec<Seen> {
    fn come(labels: &mut HashMap<u64, State>, label: u64, state: &State) {
        labels.entry(label).and_modify(|known| known.meet(state)).or_insert_with(|| state.clone());
    }
    let mut info = InstructionInfoFactory::new();
    let arguments = abi.arguments.iter().enumerate().map(|(n, &register)| {
        (Place::Register(Register::RAX + u32::from(register)), Pointer::Param(n))
    });
    // Arguments on the stack lie above the return address.
    let above = (0..if abi.arguments.is_empty() { params.len() } else { 0 })
        .map(|n| (Place::Stack(-i64::from(abi.argument_at(params, n))), Pointer::Param(n)));
    let pointers = arguments.chain(above).collect();
    let entry = State { mode: program.isa.mode, depth: 0, pushed: Vec::new(), pointers };
    let mut state = Some(entry);
    // The frame where the lines before went elsewhere.
    let mut left = (0, Vec::new());
    let mut seen = Vec::with_capacity(program.lines.len());
    for line in &program.lines {
        let mut now = Seen::default();
        match line {
            Line::Label(label) => {
                if let Some(state) = &state {
                    come(labels, *label as u64, state);
                } else if let Some(known) = labels.get(&(*label as u64)) {
                    let (depth, pushed) = (known.depth, known.pushed.clone());
                    if left != (depth, pushed.clone()) {
                        now.frame.push(Frame::Again { depth, pushed });
                    }
                }
                state = labels.get(&(*label as u64)).cloned();
            }
            Line::Inst(inst) => {
                if let Some(known) = &mut state {
                    let base = inst.memory_base().full_register();
                    let argument = || known.argument(inst);
                    now.base = known.get(Some(Place::Register(base))).or_else(argument);
                    now.frame = known.step(inst, &mut info);
                    let branch = inst.is_jcc_short_or_near() || inst.is_jmp_short_or_near();
                    if branch {
                        come(labels, inst.near_branch64(), known);
                    }
                    if inst.is_jmp_short_or_near() || is_return(inst) {
                        left = (known.depth, known.pushed.clone());
                        state = None;
                    }
                }
            }
            Line::Align(_) | Line::Comment(_) => {}
        }
        seen.push(now);
    }
    mark_entry(&mut seen);
    seen
}

/// The entry is done behind its last push or lowering of the stack, if there is one.
fn mark_entry(seen: &mut [Seen]) {
    let grows =
        |seen: &Seen| matches!(seen.frame[..], [Frame::Pushed { .. } | Frame::Lowered { .. }]);
    if let Some(last) = seen.iter().rposition(grows) {
        seen[last].frame.push(Frame::Entered);
    }
}
