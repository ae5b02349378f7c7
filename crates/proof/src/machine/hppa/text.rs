//! How instructions read, as GNU's disassembler writes them; and their forms.

use crate::machine::fields::hppa::{Address, Alu, Instruction, Op};
use std::fmt::{self, Display, Formatter};

/// A register.
struct Register(usize);

impl Display for Register {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            2 => f.write_str("rp"),
            27 => f.write_str("dp"),
            28 => f.write_str("ret0"),
            29 => f.write_str("ret1"),
            30 => f.write_str("sp"),
            number => write!(f, "r{number}"),
        }
    }
}

/// A number with its sign before it.
struct Signed(i64);

impl Display for Signed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{:x}", self.0.unsigned_abs())
    }
}

/// What stands behind a mnemonic for an address, and the address.
fn place(base: usize, address: Address) -> (&'static str, String) {
    let base = Register(base);
    match address {
        Address::Offset(by) => ("", format!("{}({base})", Signed(by))),
        Address::After(by) => (",ma", format!("{}({base})", Signed(by))),
        Address::Before(by) => (",mb", format!("{}({base})", Signed(by))),
        Address::Index(index, false) => ("", format!("{}({base})", Register(index))),
        Address::Index(index, true) => (",s", format!("{}({base})", Register(index))),
    }
}

fn letter(bytes: usize) -> char {
    match bytes {
        1 => 'b',
        4 => 'w',
        _ => 'd',
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let r = Register;
        match self.op {
            Op::Alu { alu: Alu::Or, t: 0, x: 0, y: 0 } => f.write_str("nop"),
            Op::Alu { alu: Alu::Or, t, x, y: 0 } => write!(f, "copy {},{}", r(x), r(t)),
            Op::Alu { alu, t, x, y } => {
                let name = match alu {
                    Alu::And => "and",
                    Alu::Or => "or",
                    Alu::Xor => "xor",
                    Alu::Add => "add,l",
                };
                write!(f, "{name} {},{},{}", r(x), r(y), r(t))
            }
            Op::ShiftAdd { by, t, x, y } => {
                write!(f, "shladd,l {},{by},{},{}", r(x), r(y), r(t))
            }
            Op::Offset { t, base: 0, by } => write!(f, "ldi {},{}", Signed(by), r(t)),
            Op::Offset { t, base, by } => write!(f, "ldo {}({}),{}", Signed(by), r(base), r(t)),
            Op::High { t, value } => write!(f, "ldil L%{},{}", Signed(value), r(t)),
            Op::Extract { t, x, last, bits } => {
                write!(f, "extrd,u,* {},{last},{bits},{}", r(x), r(t))
            }
            Op::Deposit { clears, t, x, last, bits } => {
                let z = if clears { ",z" } else { "" };
                write!(f, "depd{z},* {},{last},{bits},{}", r(x), r(t))
            }
            Op::Turn { t, x, by } => write!(f, "shrpd,* {0},{0},{by},{1}", r(x), r(t)),
            Op::Halfwords { t, x, order: [a, b, c, d] } => {
                write!(f, "permh,{a}{b}{c}{d} {},{}", r(x), r(t))
            }
            Op::ShiftHalfwords { left, t, x, by } => {
                let name = if left { "hshl" } else { "hshr,u" };
                write!(f, "{name} {},{by},{}", r(x), r(t))
            }
            Op::Here { t } => write!(f, "mfia {}", r(t)),
            Op::Load { bytes, t, base, address } => {
                let (how, place) = place(base, address);
                write!(f, "ld{}{how} {place},{}", letter(bytes), r(t))
            }
            Op::Store { bytes, x, base, address } => {
                let (how, place) = place(base, address);
                write!(f, "st{}{how} {},{place}", letter(bytes), r(x))
            }
            Op::SkipUnlessEqual { x, y } => write!(f, "cmpclr,*<> {},{},r0", r(x), r(y)),
            Op::IfZero { x, target } => write!(f, "cmpib,*=,n 0,{},{target:x}", r(x)),
            Op::Again { x, target } => write!(f, "addib,<> -1,{},{target:x}", r(x)),
            Op::UnlessZero { x, target } => write!(f, "cmpib,*<> 0,{},{target:x}", r(x)),
            Op::Return => f.write_str("bve (rp)"),
        }
    }
}

impl Instruction {
    /// Its form: its text, without the numbers of registers, offsets, other numbers that are added, and targets.
    pub fn form(&self) -> String {
        let text = self.to_string();
        let name = text.split(' ').next().unwrap_or_default();
        match self.op {
            Op::Alu { t: 0, .. } => text,
            Op::Alu { y: 0, .. } => format!("{name} R,R"),
            Op::Alu { .. } => format!("{name} R,R,R"),
            Op::ShiftAdd { by, .. } => format!("{name} R,{by},R,R"),
            Op::Offset { base: 0, .. } => format!("{name} n,R"),
            Op::Offset { .. } => format!("{name} n(R),R"),
            Op::High { .. } => format!("{name} L%n,R"),
            Op::Extract { last, bits, .. } | Op::Deposit { last, bits, .. } => {
                format!("{name} R,{last},{bits},R")
            }
            Op::Turn { by, .. } => format!("{name} R,R,{by},R"),
            Op::Halfwords { .. } => format!("{name} R,R"),
            Op::ShiftHalfwords { by, .. } => format!("{name} R,{by},R"),
            Op::Here { .. } => format!("{name} R"),
            Op::Load { address: Address::Index(..), .. } => format!("{name} R(R),R"),
            Op::Load { .. } => format!("{name} n(R),R"),
            Op::Store { .. } => format!("{name} R,n(R)"),
            Op::SkipUnlessEqual { .. } => format!("{name} R,R,r0"),
            Op::IfZero { .. } | Op::UnlessZero { .. } => format!("{name} 0,R,target"),
            Op::Again { .. } => format!("{name} -1,R,target"),
            Op::Return => text,
        }
    }
}
