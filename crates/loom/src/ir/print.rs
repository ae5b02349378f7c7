//! A kernel as text, for people and for the hash in the header of what is made of it.

use std::fmt;

use super::{Address, Endian, Kernel, Op, Statement, Type, Value};

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::W32 => f.write_str("w32"),
            Self::W64 => f.write_str("w64"),
            Self::Vector(bits) => write!(f, "vec{bits}"),
            Self::Pointer => f.write_str("ptr"),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}", self.base)?;
        if let Some((index, scale)) = self.index {
            write!(f, " + {index}*{scale}")?;
        }
        if self.offset != 0 {
            write!(f, " + {}", self.offset)?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.doc.lines() {
            writeln!(f, "; {line}")?;
        }
        write!(f, "kernel {}(", self.name)?;
        for (n, param) in self.params.iter().enumerate() {
            let comma = if n == 0 { "" } else { ", " };
            write!(f, "{comma}{}: {} {}", param.value, param.ty, param.name)?;
            if param.mask != u64::MAX {
                write!(f, " within {:#x}", param.mask)?;
            }
            if param.align > 1 {
                write!(f, " aligned to {}", param.align)?;
            }
            if param.public {
                f.write_str(" public")?;
            }
        }
        writeln!(f, ")")?;
        for table in &self.tables {
            let (bytes, count) = (table.entry_bytes, table.entries.len());
            writeln!(f, "  table {}: {count} entries of {bytes} bytes; {}", table.name, table.doc)?;
        }
        self.statements(f, &self.body, 1)
    }
}

impl Kernel {
    fn statements(
        &self,
        f: &mut fmt::Formatter<'_>,
        statements: &[Statement],
        depth: usize,
    ) -> fmt::Result {
        let indent = "  ".repeat(depth);
        for statement in statements {
            match statement {
                Statement::Comment(text) => writeln!(f, "{indent}; {text}")?,
                Statement::Define(value, _, op @ Op::Store { .. }) => {
                    writeln!(f, "{indent}{}{:<width$}; {value}", self.text(op), "", width = 1)?;
                }
                Statement::Define(value, ty, op) => {
                    writeln!(f, "{indent}{value}: {ty} = {}", self.text(op))?;
                }
                Statement::Repeat(repeat) => {
                    write!(f, "{indent}repeat {}", repeat.count)?;
                    for carried in &repeat.carried {
                        write!(f, ", {} from {}", carried.inside, carried.first)?;
                    }
                    writeln!(f)?;
                    self.statements(f, &repeat.body, depth + 1)?;
                    for carried in &repeat.carried {
                        let (next, after) = (carried.next, carried.after);
                        writeln!(f, "{indent}  {} <- {next}; after: {after}", carried.inside)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn text(&self, op: &Op) -> String {
        let order = |ordered: &bool| if *ordered { " ordered" } else { "" };
        let endian = |endian: &Endian| match endian {
            Endian::Big => "be",
            Endian::Little => "le",
            Endian::Native => "ne",
        };
        match op {
            Op::Const(value) => format!("{value:#x}"),
            Op::Xor(a, b) => format!("{a} ^ {b}"),
            Op::And(a, b) => format!("{a} & {b}"),
            Op::Or(a, b) => format!("{a} | {b}"),
            Op::AndNot(a, b) => format!("{a} & ~{b}"),
            Op::Not(a) => format!("~{a}"),
            Op::Ternary(table, [a, b, c]) => format!("ternary {table:#04x} {a} {b} {c}"),
            Op::Add(a, b) => format!("{a} + {b}"),
            Op::Shl(a, by) => format!("{a} << {by}"),
            Op::Shr(a, by) => format!("{a} >> {by}"),
            Op::Compress(a, mask) => format!("compress {a} by {mask}"),
            Op::Expand(a, mask) => format!("expand {a} by {mask}"),
            Op::Rotl(a, by) => format!("{a} <<< {by}"),
            Op::Field { of, shift, bits } => format!("{of}.bits({shift}, {bits})"),
            Op::SwapBytes(a) => format!("swap_bytes {a}"),
            Op::Resize(a) => format!("resize {a}"),
            Op::SelectEq { a, b, then, otherwise, rare } => {
                let rare = if *rare { " (rare)" } else { "" };
                format!("if {a} = {b}{rare} then {then} else {otherwise}")
            }
            Op::Lookup(table, index) => format!("{}[{index}]", self.tables[table.0].name),
            Op::Load { address, bytes, endian: e, ordered } => {
                format!("load{bytes}.{}{} {address}", endian(e), order(ordered))
            }
            Op::Store { value, address, bytes, endian: e, ordered } => {
                format!("store{bytes}.{}{} {address}, {value}", endian(e), order(ordered))
            }
            Op::InsertByte { into, at, address } => format!("insert.{at} {into}, {address}"),
            Op::Bytes(op, [a, b]) => format!("{} {a} {b}", op.name()),
            Op::PickTwo([index, low, high]) => format!("pick {index} {low} {high}"),
            Op::PickFrom(inputs) => {
                let inputs: Vec<_> = inputs.iter().map(ToString::to_string).collect();
                format!("pick_from {}", inputs.join(" "))
            }
            Op::Broadcast { address, bytes } => format!("broadcast{bytes} {address}"),
            Op::Advance(pointer, by) => format!("{pointer} + {by} bytes"),
        }
    }
}
