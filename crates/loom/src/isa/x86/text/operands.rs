//! Instructions as words: what the dialects have in common.

use iced_x86::{
    Formatter, FormatterOperandOptions, FormatterOptionsProvider, Instruction, Mnemonic,
    NumberBase, NumberFormattingOptions, OpKind, Register, SymbolResolver, SymbolResult,
};

use crate::isa::text::{Inst, Refers};
use crate::isa::x86::TABLES;

/// What a dialect calls the things that instructions refer to.
pub(super) struct Names {
    /// The label of a branch.
    pub(super) branch: String,
    /// The tables.
    pub(super) tables: String,
    /// Whether a table's constant is named, and numbers have signs; otherwise values are printed.
    pub(super) constants: bool,
    /// Whether a name and a number together may stand beside two registers: NASM exchanges these then, where neither
    /// is scaled.
    pub(super) sums: bool,
}

struct Resolver {
    refers: Refers,
    names: Names,
}

impl SymbolResolver for Resolver {
    fn symbol(
        &mut self,
        inst: &Instruction,
        _operand: u32,
        operand: Option<u32>,
        address: u64,
        _size: u32,
    ) -> Option<SymbolResult<'_>> {
        let kind = operand.map(|operand| inst.op_kind(operand));
        let memory = kind == Some(OpKind::Memory);
        match &self.refers {
            Refers::Branch(..) => {
                Some(SymbolResult::with_string(address, self.names.branch.clone()))
            }
            Refers::Distance(_) if memory => {
                Some(SymbolResult::with_string(TABLES, self.names.tables.clone()))
            }
            Refers::Tables if memory || kind == Some(OpKind::Immediate32) => {
                Some(SymbolResult::with_string(TABLES, self.names.tables.clone()))
            }
            Refers::TableAt { constant, at } if memory => {
                let tables = &self.names.tables;
                let place = if self.names.constants {
                    format!("{tables}+{constant}")
                } else {
                    format!("{tables}+{}", at - TABLES)
                };
                Some(SymbolResult::with_string(*at, place))
            }
            Refers::Table { at, .. }
                if address != *at
                    && !self.names.sums
                    && inst.memory_index() != Register::None
                    && inst.memory_index_scale() == 1 =>
            {
                None
            }
            Refers::Table { constant, at } if memory && self.names.constants => {
                Some(SymbolResult::with_string(*at, constant.clone()))
            }
            _ => None,
        }
    }
}

/// Displacements and distances of shifts are read in tens, masks in sixteens.
struct Numbers {
    /// Whether what is added may be negative; else it is a large number.
    signed: bool,
}

impl FormatterOptionsProvider for Numbers {
    fn operand_options(
        &mut self,
        inst: &Instruction,
        _operand: u32,
        operand: Option<u32>,
        _options: &mut FormatterOperandOptions,
        numbers: &mut NumberFormattingOptions<'_>,
    ) {
        let byte = operand.is_some_and(|operand| {
            matches!(inst.op_kind(operand), OpKind::Memory | OpKind::Immediate8)
        });
        let stack = matches!(inst.op0_register(), Register::RSP | Register::ESP);
        let added = matches!(inst.mnemonic(), Mnemonic::Add | Mnemonic::Sub) && self.signed;
        if added {
            numbers.signed_number = true;
        }
        if byte || stack || added {
            numbers.number_base = NumberBase::Decimal;
            numbers.prefix = "";
            numbers.suffix = "";
        }
    }
}

/// Mnemonic and operands, by a formatter that gets a resolver and a source of options.
pub(super) fn instruction<F: Formatter>(
    inst: &Inst,
    names: Names,
    formatter: impl FnOnce(Box<dyn SymbolResolver>, Box<dyn FormatterOptionsProvider>) -> F,
) -> (String, String) {
    let numbers = Numbers { signed: names.constants };
    let resolver = Resolver { refers: inst.refers.clone(), names };
    let mut formatter = formatter(Box::new(resolver), Box::new(numbers));
    let options = formatter.options_mut();
    options.set_uppercase_hex(false);
    options.set_small_hex_numbers_in_decimal(true);
    options.set_add_leading_zero_to_hex_numbers(true);
    options.set_first_operand_char_index(0);
    options.set_space_after_operand_separator(true);
    let (mut mnemonic, mut operands) = (String::new(), String::new());
    formatter.format_mnemonic(inst.of(), &mut mnemonic);
    formatter.format_all_operands(inst.of(), &mut operands);
    (mnemonic, operands)
}
