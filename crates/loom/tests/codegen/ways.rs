//! Ways in which bytes of words are taken: what a plan asks for is in the code.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use loom::ciphers::Strategy;
use loom::isa::program::Line;
use loom::isa::x86::conventions::SYSV64;
use loom::isa::x86::costs::GENERIC;
use loom::isa::x86::{X86, features};
use loom::isa::{Choices, Extract, Features};
use loom::pipeline::{Options, compile};

/// The instructions of a kernel with its bytes taken in some way.
fn made(name: &str, features: Features, extract: Extract) -> Vec<Instruction> {
    let kernel = Strategy::by_name(name).expect("a strategy").kernel();
    let choices = Choices { extract, ..Choices::default() };
    let options = Options { choices, ..Options::untuned(GENERIC, features) };
    let lines = compile::<X86>(&kernel, &SYSV64, &options).expect("code").program.lines;
    let instructions = lines.into_iter().filter_map(|line| match line {
        Line::Inst(inst) => Some(inst),
        _ => None,
    });
    instructions.collect()
}

/// The registers of which a lowest byte is taken, and those that get it.
fn bytes(instructions: &[Instruction]) -> Vec<[Register; 2]> {
    let is_byte = |inst: &&Instruction| {
        inst.mnemonic() == Mnemonic::Movzx
            && inst.op1_kind() == OpKind::Register
            && inst.op1_register().size() == 1
    };
    let registers = |inst: &Instruction| [inst.op1_register(), inst.op0_register()];
    let taken = instructions.iter().filter(is_byte).map(registers);
    taken.map(|both| both.map(Register::full_register)).collect()
}

#[test]
fn a_free_byte_is_taken_where_renaming_takes_it() {
    let is_free = |register: Register| register.number() % 8 < 4;
    for name in ["des_encrypt_table64_chain", "tdes_decrypt_table64"] {
        let free = bytes(&made(name, features::BMI2, Extract::FREE));
        let of_rounds = 4 * 7 * if name.starts_with('t') { 3 } else { 1 };
        assert!(free.len() >= of_rounds, "{name}: {free:?}");
        assert!(free.iter().all(|[from, to]| is_free(*from) && from != to), "{name}: {free:?}");
        let apart = bytes(&made(name, features::BMI2, Extract::APART));
        assert!(
            !apart.iter().all(|[from, _]| is_free(*from)),
            "{name} asks for nothing: {apart:?}"
        );
    }
}

#[test]
fn an_index_of_spaced_tables_is_cut_out_as_asked() {
    let count = |extract, mnemonic| {
        let code = made("des_encrypt_spaced64_chain", features::BMI2, extract);
        code.iter().filter(|inst| inst.mnemonic() == mnemonic).count()
    };
    // Three indices a round; two rounds in a loop, and the last two.
    let indices = 3 * 4;
    for extract in [Extract::APART, Extract::FREE] {
        assert_eq!(count(extract, Mnemonic::Andn), indices, "{extract}");
    }
    assert_eq!(count(Extract::LOW_BYTES, Mnemonic::Andn), 0);
    let [with, without] = [Extract::LOW_BYTES, Extract::FREE].map(|way| count(way, Mnemonic::And));
    assert_eq!(with, without + indices);
}
