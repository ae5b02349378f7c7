//! How instructions read, as GNU's disassembler writes them without aliases; and their forms.

use crate::machine::fields::aarch64::{Address, Bitwise, Direction, Instruction, Kind, Op, Turn};
use std::fmt::{self, Display, Formatter};

/// A general register: 31 is zero.
struct General(bool, usize);

impl Display for General {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let prefix = if self.0 { 'x' } else { 'w' };
        if self.1 == 31 { write!(f, "{prefix}zr") } else { write!(f, "{prefix}{}", self.1) }
    }
}

/// A general register: 31 is the pointer to the stack.
struct Base(bool, usize);

impl Display for Base {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.1, self.0) {
            (31, true) => f.write_str("sp"),
            (31, false) => f.write_str("wsp"),
            (number, wide) => General(wide, number).fmt(f),
        }
    }
}

/// What is loaded or stored.
struct Transferred(Kind, usize);

impl Display for Transferred {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Byte | Kind::Word => General(false, self.1).fmt(f),
            Kind::Double => General(true, self.1).fmt(f),
            Kind::Half => write!(f, "d{}", self.1),
            Kind::Vector => write!(f, "q{}", self.1),
        }
    }
}

/// An address with its base.
struct Place(usize, Address);

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let base = Base(true, self.0);
        match self.1 {
            Address::Offset(0) | Address::Unscaled(0) => write!(f, "[{base}]"),
            Address::Offset(by) | Address::Unscaled(by) => write!(f, "[{base}, #{by}]"),
            Address::Before(by) => write!(f, "[{base}, #{by}]!"),
            Address::After(by) => write!(f, "[{base}], #{by}"),
            Address::Index(index, 0) => write!(f, "[{base}, {}]", General(true, index)),
            Address::Index(index, by) => {
                write!(f, "[{base}, {}, lsl #{by}]", General(true, index))
            }
        }
    }
}

fn arrangement(element: usize) -> &'static str {
    match element {
        8 => "16b",
        16 => "8h",
        32 => "4s",
        _ => "2d",
    }
}

fn name(bitwise: Bitwise) -> &'static str {
    match bitwise {
        Bitwise::And => "and",
        Bitwise::Bic => "bic",
        Bitwise::Orr => "orr",
        Bitwise::Orn => "orn",
        Bitwise::Eor => "eor",
        Bitwise::Bsl => "bsl",
        Bitwise::Bit => "bit",
        Bitwise::Bif => "bif",
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.op {
            Op::Hint(number) => write!(f, "hint #{number:#x}"),
            Op::Return => write!(f, "ret"),
            Op::Branch(target) => write!(f, "b {target:x}"),
            Op::BranchEqual(target) => write!(f, "b.eq {target:x}"),
            Op::BranchZero { nonzero, rt, target } => {
                let name = if nonzero { "cbnz" } else { "cbz" };
                write!(f, "{name} {}, {target:x}", General(true, rt))
            }
            Op::Page { rd, page } => write!(f, "adrp {}, {page:x}", General(true, rd)),
            Op::AddImmediate { subtract, wide, rd, rn, value, high } => {
                let name = if subtract { "sub" } else { "add" };
                let by = if high { ", lsl #12" } else { "" };
                write!(f, "{name} {}, {}, #{value:#x}{by}", Base(wide, rd), Base(wide, rn))
            }
            Op::LogicImmediate { logic, wide, rd, rn, mask } => {
                let (rd, rn) = (Base(wide, rd), General(wide, rn));
                write!(f, "{} {rd}, {rn}, #{mask:#x}", name(logic))
            }
            Op::Move { keep, wide, rd, value, by } => {
                let name = if keep { "movk" } else { "movz" };
                write!(f, "{name} {}, #{value:#x}", General(wide, rd))?;
                if by > 0 { write!(f, ", lsl #{by}") } else { Ok(()) }
            }
            Op::Bits { wide, rd, rn, first, last } => {
                write!(f, "ubfm {}, {}, #{first}, #{last}", General(wide, rd), General(wide, rn))
            }
            Op::Extract { wide, rd, rn, rm, first } => {
                let [rd, rn, rm] = [rd, rn, rm].map(|register| General(wide, register));
                write!(f, "extr {rd}, {rn}, {rm}, #{first}")
            }
            Op::Logic { logic, wide, rd, rn, rm, turn, by } => {
                let [rd, rn, rm] = [rd, rn, rm].map(|register| General(wide, register));
                write!(f, "{} {rd}, {rn}, {rm}", name(logic))?;
                match turn {
                    Turn::Left if by == 0 => Ok(()),
                    Turn::Left => write!(f, ", lsl #{by}"),
                    Turn::Right => write!(f, ", lsr #{by}"),
                    Turn::Rotate => write!(f, ", ror #{by}"),
                }
            }
            Op::Add { wide, rd, rn, rm } => {
                let [rd, rn, rm] = [rd, rn, rm].map(|register| General(wide, register));
                write!(f, "add {rd}, {rn}, {rm}")
            }
            Op::Compare { rn, rm } => {
                write!(f, "subs wzr, {}, {}", General(false, rn), General(false, rm))
            }
            Op::Select { rd, rn, rm } => {
                let [rd, rn, rm] = [rd, rn, rm].map(|register| General(true, register));
                write!(f, "csel {rd}, {rn}, {rm}, eq")
            }
            Op::Transfer { direction, kind, rt, rn, address } => {
                let name = match (direction, kind, address) {
                    (Direction::Load, Kind::Byte, Address::Unscaled(_)) => "ldurb",
                    (Direction::Load, Kind::Byte, _) => "ldrb",
                    (Direction::Load, _, Address::Unscaled(_)) => "ldur",
                    (Direction::Load, ..) => "ldr",
                    (Direction::Store, Kind::Byte, Address::Unscaled(_)) => "sturb",
                    (Direction::Store, Kind::Byte, _) => "strb",
                    (Direction::Store, _, Address::Unscaled(_)) => "stur",
                    (Direction::Store, ..) => "str",
                };
                write!(f, "{name} {}, {}", Transferred(kind, rt), Place(rn, address))
            }
            Op::Pair { direction, kind, rt, second, rn, address } => {
                let name = if direction == Direction::Load { "ldp" } else { "stp" };
                let [rt, second] = [rt, second].map(|register| Transferred(kind, register));
                write!(f, "{name} {rt}, {second}, {}", Place(rn, address))
            }
            Op::Vectors { bitwise, rd, rn, rm } => {
                write!(f, "{} v{rd}.16b, v{rn}.16b, v{rm}.16b", name(bitwise))
            }
            Op::Eor3 { rd, rn, rm, ra } => {
                write!(f, "eor3 v{rd}.16b, v{rn}.16b, v{rm}.16b, v{ra}.16b")
            }
            Op::Bcax { rd, rn, rm, ra } => {
                write!(f, "bcax v{rd}.16b, v{rn}.16b, v{rm}.16b, v{ra}.16b")
            }
            Op::Not { rd, rn } => write!(f, "not v{rd}.16b, v{rn}.16b"),
            Op::Shift { left, insert, element, by, rd, rn } => {
                let name = match (left, insert) {
                    (true, false) => "shl",
                    (true, true) => "sli",
                    (false, false) => "ushr",
                    (false, true) => "sri",
                };
                let of = arrangement(element);
                write!(f, "{name} v{rd}.{of}, v{rn}.{of}, #{by}")
            }
            Op::Transpose { odd, element, rd, rn, rm } => {
                let (number, of) = (1 + u8::from(odd), arrangement(element));
                write!(f, "trn{number} v{rd}.{of}, v{rn}.{of}, v{rm}.{of}")
            }
            Op::Zip { element, rd, rn, rm } => {
                let of = arrangement(element);
                write!(f, "zip1 v{rd}.{of}, v{rn}.{of}, v{rm}.{of}")
            }
            Op::LookUp { count, rd, rn, rm } => {
                write!(f, "tbl v{rd}.16b, {{")?;
                let last = rn + count - 1;
                if count > 2 && last < 32 {
                    write!(f, "v{rn}.16b-v{last}.16b")?;
                } else {
                    for n in 0..count {
                        let comma = if n == 0 { "" } else { ", " };
                        write!(f, "{comma}v{}.16b", (rn + n) % 32)?;
                    }
                }
                write!(f, "}}, v{rm}.16b")
            }
            Op::ShiftBytes { rd, rn, rm } => write!(f, "ushl v{rd}.16b, v{rn}.16b, v{rm}.16b"),
            Op::AddPairs { rd, rn, rm } => write!(f, "addp v{rd}.16b, v{rn}.16b, v{rm}.16b"),
            Op::Duplicate { both: true, rd, rn } => {
                write!(f, "dup v{rd}.2d, {}", General(true, rn))
            }
            Op::Duplicate { rd, rn, .. } => write!(f, "fmov d{rd}, {}", General(true, rn)),
            Op::Lower { rd, rn } => write!(f, "fmov {}, d{rn}", General(true, rd)),
            Op::Constant { rd, value, bytes: true } => {
                write!(f, "movi v{rd}.16b, #{:#x}", value & 0xff)
            }
            Op::Constant { rd, value, .. } => write!(f, "movi v{rd}.2d, #{value:#x}"),
        }
    }
}

impl Instruction {
    /// Its form: its text, without the numbers of registers, what is added to addresses, and targets. Other
    /// immediates stay.
    pub fn form(&self) -> String {
        let text = match self.op {
            Op::Branch(_) => return "b target".into(),
            Op::BranchEqual(_) => return "b.eq target".into(),
            Op::BranchZero { nonzero: true, .. } => return "cbnz X, target".into(),
            Op::BranchZero { .. } => return "cbz X, target".into(),
            Op::Page { .. } => return "adrp X, page".into(),
            Op::LookUp { count, .. } => return format!("tbl V.16b, {count} V.16b, V.16b"),
            _ => self.to_string(),
        };
        // What is added to an address is where a linker put a table.
        let is_address =
            text.contains('[') || matches!(self.op, Op::AddImmediate { wide: true, .. });
        let mut form = String::new();
        for word in text.split_inclusive([' ', ',', '[', ']', '.', '!']) {
            let (word, end) =
                word.split_at(word.trim_end_matches([' ', ',', '[', ']', '.', '!']).len());
            let number = word.get(1..).is_some_and(|number| number.parse::<u8>().is_ok());
            match word.chars().next() {
                Some(kind @ ('x' | 'w' | 'v' | 'd' | 'q')) if number => {
                    form.push(kind.to_ascii_uppercase());
                }
                // A shift of an index stands behind its name.
                Some('#') if is_address && !form.ends_with("lsl ") => form.push_str("#n"),
                _ => form.push_str(word),
            }
            form.push_str(end);
        }
        form
    }
}
