//! Registers, their classes, and slots on the stack for what they have no room for.

/// A register that an instruction names: virtual before allocation, the processor's after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reg {
    /// A value; its number is unlimited.
    Virtual(u32),
    /// The processor's, by a number that says its class, too.
    Physical(u8),
}

impl Reg {
    /// The number of a processor's register.
    ///
    /// # Panics
    /// If it is a value that has none yet.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Physical(register) => register,
            Self::Virtual(n) => panic!("value {n} has no register"),
        }
    }
}

/// Registers, as bits: bit n is register n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegSet(pub u128);

impl RegSet {
    /// No register.
    pub const EMPTY: Self = Self(0);

    /// How many registers of all classes an instruction set can have.
    pub const MOST: usize = u128::BITS as usize;

    /// So many registers.
    #[must_use]
    pub const fn of(registers: &[u8]) -> Self {
        let mut bits = 0;
        let mut n = 0;
        while n < registers.len() {
            bits |= 1 << registers[n];
            n += 1;
        }
        Self(bits)
    }

    /// One register.
    #[must_use]
    pub const fn one(register: u8) -> Self {
        Self(1 << register)
    }

    /// Whether it holds `register`.
    #[must_use]
    pub const fn contains(self, register: u8) -> bool {
        self.0 >> register & 1 == 1
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this one only.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Its registers, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let lowest = (left != 0).then(|| left.trailing_zeros() as u8)?;
            left &= left - 1;
            Some(lowest)
        })
    }
}

/// A class of registers: where a value of one kind can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegClass {
    /// Its registers.
    pub registers: RegSet,
    /// A register that is lent for a moment and given back.
    pub lent: u8,
    /// Whether memory is far for it: of values that change places in a circle one steps aside into an
    /// idle register, if there is one, and not into a slot; and a loop leaves a quarter of its
    /// registers to its body.
    pub far_from_memory: bool,
}

/// A place on the stack for what registers have no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// The class of what it holds, by its number in the instruction set's list.
    pub class: u8,
    /// Its number among those of the class.
    pub number: u32,
}

/// How many slots there are of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slots([u32; Self::CLASSES]);

impl Slots {
    /// How many classes an instruction set can have.
    const CLASSES: usize = 4;

    /// One more.
    pub fn one_more(&mut self, class: u8) -> Slot {
        let count = &mut self.0[usize::from(class)];
        *count += 1;
        Slot { class, number: *count - 1 }
    }

    /// How many there are of a class.
    #[must_use]
    pub const fn count(self, class: u8) -> u32 {
        self.0[class as usize]
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// How an instruction uses a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It reads it.
    Use,
    /// It reads it, and no result lies over it.
    Apart,
    /// It writes it, after all its reads.
    Define,
    /// It reads it and writes its result there: two values in one register. The value written is
    /// the next operand, a `Define`.
    Tied,
}

/// A register operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Which register.
    pub reg: Reg,
    /// How it is used.
    pub role: Role,
    /// Which registers the instruction can name here.
    pub allowed: RegSet,
}
