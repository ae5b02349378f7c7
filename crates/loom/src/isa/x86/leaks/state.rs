//! What is known between two instructions.

use std::collections::HashMap;

use iced_x86::{Instruction, Mnemonic, OpKind, Register, UsedMemory};

use crate::ir::Param;
use crate::isa::frame::Abi;
use crate::isa::x86::Mode;
use crate::isa::x86::gpr::RSP;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    /// A register, whole.
    Register(Register),
    /// The flags, all of them.
    Flags,
    /// The stack, by its distance from the return address.
    Stack(i64),
}

impl Holder {
    pub(super) fn register(register: Register) -> Self {
        Self::Register(register.full_register())
    }
}

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Points {
    /// Constant tables.
    Tables,
    /// The memory of a parameter, by its number.
    Param(usize),
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// Whether it tells of a secret.
    pub(super) secret: bool,
    /// Where it points to, if it is known to be a pointer.
    pub(super) points: Option<Points>,
}

impl Value {
    pub(super) const PUBLIC: Self = Self { secret: false, points: None };
    const UNKNOWN: Self = Self { secret: true, points: None };

    fn join(self, other: Self) -> Self {
        let points = self.points.filter(|_| self.points == other.points);
        Self { secret: self.secret || other.secret, points }
    }
}

/// What is known of all places; of those that are not here, nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    values: HashMap<Holder, Value>,
    /// The stack pointer's distance from the return address: zero or below.
    stack: i64,
}

impl State {
    pub(super) fn at_entry(params: &[Param], abi: &Abi) -> Self {
        let mut values = HashMap::new();
        let general = |number: u8| Holder::Register(Register::RAX + u32::from(number));
        // What the caller has in registers is pushed and popped, and no business of ours.
        for number in abi.saved.iter().filter(|&number| number < 16 && number != RSP) {
            values.insert(general(number), Value::PUBLIC);
        }
        let word = i64::from(Mode::of(abi.target).bytes());
        for (n, param) in params.iter().enumerate() {
            let points = param.memory.map(|_| Points::Param(n));
            let place = match abi.arguments.get(n) {
                Some(&register) => general(register),
                None => Holder::Stack(word * (1 + n as i64)),
            };
            values.insert(place, Value { secret: false, points });
        }
        Self { values, stack: 0 }
    }

    /// What is known where two ways meet.
    ///
    /// # Panics
    /// If they come with two stacks.
    pub(super) fn join(&self, other: &Self) -> Self {
        assert_eq!(self.stack, other.stack, "two ways to a place with two stacks");
        let both = self.values.iter().filter_map(|(place, value)| {
            other.values.get(place).map(|other| (*place, value.join(*other)))
        });
        Self { values: both.collect(), stack: self.stack }
    }

    pub(super) fn get(&self, place: Holder) -> Value {
        match place {
            Holder::Register(Register::RSP) => Value::PUBLIC,
            // 32-bit code reads them with each access to memory; nobody here writes them.
            Holder::Register(register) if register.is_segment_register() => Value::PUBLIC,
            _ => self.values.get(&place).copied().unwrap_or(Value::UNKNOWN),
        }
    }

    pub(super) fn set(&mut self, place: Holder, value: Value) {
        self.values.insert(place, value);
    }

    /// The place of an access to the stack.
    pub(super) fn stack_place(&self, memory: &UsedMemory) -> Option<Holder> {
        let plain = is_stack(memory.base()) && memory.index() == Register::None;
        plain.then(|| Holder::Stack(self.stack + memory.displacement() as i64))
    }

    /// The same for a memory operand.
    pub(super) fn operand_place(&self, inst: &Instruction) -> Option<Holder> {
        let plain = is_stack(inst.memory_base()) && inst.memory_index() == Register::None;
        plain.then(|| Holder::Stack(self.stack + inst.memory_displacement64() as i64))
    }

    /// The place that an instruction writes on the stack, after the stack pointer has moved.
    pub(super) fn written_place(&self, inst: &Instruction, memory: &UsedMemory) -> Option<Holder> {
        match inst.mnemonic() {
            Mnemonic::Push => Some(Holder::Stack(self.stack)),
            _ => self.stack_place(memory),
        }
    }

    /// What a pop brings.
    pub(super) fn popped(&self, inst: &Instruction) -> Option<Value> {
        (inst.mnemonic() == Mnemonic::Pop).then(|| self.get(Holder::Stack(self.stack)))
    }

    /// Moves the stack pointer as an instruction does.
    ///
    /// # Panics
    /// If it does so in a way that kernels do not.
    pub(super) fn move_stack(&mut self, inst: &Instruction) {
        let to_stack = inst.op_count() > 0
            && inst.op0_kind() == OpKind::Register
            && is_stack(inst.op0_register());
        match inst.mnemonic() {
            Mnemonic::Sub if to_stack => self.stack -= inst.immediate(1) as i64,
            Mnemonic::Add if to_stack => self.stack += inst.immediate(1) as i64,
            Mnemonic::Cmp | Mnemonic::Test => {}
            _ if to_stack => panic!("the stack pointer moves by {inst}"),
            _ => self.stack += i64::from(inst.stack_pointer_increment()),
        }
    }
}

/// Whether a register is the stack pointer, of either mode.
fn is_stack(register: Register) -> bool {
    register.full_register() == Register::RSP
}

/// Whether the result is the same whatever the sources hold.
pub(super) fn is_constant(inst: &Instruction) -> bool {
    let same = |a: u32, b: u32| {
        inst.op_kind(a) == OpKind::Register
            && inst.op_kind(b) == OpKind::Register
            && inst.op_register(a) == inst.op_register(b)
    };
    match inst.mnemonic() {
        Mnemonic::Xor | Mnemonic::Sub | Mnemonic::Pxor | Mnemonic::Pcmpeqd => same(0, 1),
        Mnemonic::Vpxor | Mnemonic::Vpxord | Mnemonic::Vpxorq | Mnemonic::Vpcmpeqd => same(1, 2),
        Mnemonic::Vpternlogd | Mnemonic::Vpternlogq => matches!(inst.immediate8(), 0 | 0xff),
        _ => false,
    }
}
