//! x86-64: its instructions, and how the IR becomes them.
//!
//! | file | subject |
//! |---|---|
//! | `inst.rs` | the instructions that kernels are made of |
//! | `facts.rs` | what is known of each value of a description |
//! | `choices.rs` | what lowering may do in several ways |
//! | `lower.rs` | from operations to instructions |
//! | `encode.rs`, `forms.rs` | entry, exit, loops and bytes, in the forms that assemblers choose |
//! | `make.rs` | all steps one after the other, by a plan |

mod choices;
mod encode;
mod facts;
mod forms;
mod inst;
mod lower;
mod make;

pub use choices::{Choices, Extract, Sums};
pub use encode::{Assembled, ENTRY, Line, Program, Role, TABLES, program};
pub use inst::{Alu, Inst, Mem, Shift, Source, Width, X86_64, kind};
pub use lower::{Lowered, lower};
pub use make::{Made, Plan, make};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::RegSet;

/// Numbers of the general registers, as the processor encodes them.
pub mod gpr {
    /// `rax`, return value.
    pub const RAX: u8 = 0;
    /// `rcx`.
    pub const RCX: u8 = 1;
    /// `rdx`.
    pub const RDX: u8 = 2;
    /// `rbx`.
    pub const RBX: u8 = 3;
    /// `rsp`, the stack.
    pub const RSP: u8 = 4;
    /// `rbp`.
    pub const RBP: u8 = 5;
    /// `rsi`.
    pub const RSI: u8 = 6;
    /// `rdi`.
    pub const RDI: u8 = 7;
}

/// All general registers but the stack pointer.
pub const GENERAL: RegSet = RegSet(0xffff & !(1 << gpr::RSP));
/// Registers whose second byte has a name: `ah`, `ch`, `dh`, `bh`.
pub const WITH_HIGH_BYTE: RegSet = RegSet(0b1111);
/// Registers that an instruction without a REX prefix can name, which one with `ah` must be.
pub const LEGACY: RegSet = RegSet(0b1110_1111);

/// Extensions that a kernel may need, beyond x86-64's baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features {
    /// BMI2: `rorx`.
    pub bmi2: bool,
}

impl Features {
    /// Every set of them, the baseline first.
    pub const ALL: [Self; 2] = [Self { bmi2: false }, Self { bmi2: true }];

    /// With one more, by its name; none if it is unknown.
    #[must_use]
    pub fn with(self, name: &str) -> Option<Self> {
        match name {
            "bmi2" => Some(Self { bmi2: true }),
            _ => None,
        }
    }

    /// The names of those that are set.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        if self.bmi2 { vec!["bmi2"] } else { Vec::new() }
    }
}

impl Serialize for Features {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.names().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Features {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let known = Self::ALL.into_iter().find(|features| features.names() == names);
        known.ok_or_else(|| serde::de::Error::custom(format!("unknown features {names:?}")))
    }
}
