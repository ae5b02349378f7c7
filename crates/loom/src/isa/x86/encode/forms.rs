//! Of several encodings of one instruction, the one that assemblers choose.
//!
//! Assemblers agree with each other: between two registers the form that could write memory, one
//! byte for a shift by one, the accumulator's own form with a constant. Kernels keep to it, so that
//! a text gives the same bytes as the encoder in every assembler.

use iced_x86::{Code, Instruction, OpKind, Register};

use crate::isa::x86::Mode;

/// The same instruction in the form that assemblers choose.
pub(super) fn usual(mode: Mode, mut inst: Instruction) -> Instruction {
    let registers =
        inst.op_count() == 2 && (0..2).all(|operand| inst.op_kind(operand) == OpKind::Register);
    let code = match inst.code() {
        // In 64-bit code the short form is a prefix.
        Code::Dec_rm32 if !mode.is_64() && inst.op0_kind() == OpKind::Register => Code::Dec_r32,
        code if registers => between_registers(code),
        code @ (Code::Shl_rm64_imm8
        | Code::Shl_rm32_imm8
        | Code::Shr_rm64_imm8
        | Code::Shr_rm32_imm8
        | Code::Sar_rm64_imm8
        | Code::Sar_rm32_imm8
        | Code::Rol_rm64_imm8
        | Code::Rol_rm32_imm8
        | Code::Ror_rm64_imm8
        | Code::Ror_rm32_imm8)
            if inst.immediate8() == 1 =>
        {
            by_one(code)
        }
        code if matches!(inst.op0_register(), Register::RAX | Register::EAX | Register::AL)
            && inst.op0_kind() == OpKind::Register =>
        {
            accumulator(code)
        }
        code => code,
    };
    inst.set_code(code);
    inst
}

fn between_registers(code: Code) -> Code {
    match code {
        Code::Mov_r64_rm64 => Code::Mov_rm64_r64,
        Code::Mov_r32_rm32 => Code::Mov_rm32_r32,
        Code::Mov_r8_rm8 => Code::Mov_rm8_r8,
        Code::Xor_r64_rm64 => Code::Xor_rm64_r64,
        Code::Xor_r32_rm32 => Code::Xor_rm32_r32,
        Code::And_r64_rm64 => Code::And_rm64_r64,
        Code::And_r32_rm32 => Code::And_rm32_r32,
        Code::Or_r64_rm64 => Code::Or_rm64_r64,
        Code::Or_r32_rm32 => Code::Or_rm32_r32,
        Code::Add_r64_rm64 => Code::Add_rm64_r64,
        Code::Add_r32_rm32 => Code::Add_rm32_r32,
        Code::Add_r8_rm8 => Code::Add_rm8_r8,
        Code::Sub_r64_rm64 => Code::Sub_rm64_r64,
        Code::Sub_r32_rm32 => Code::Sub_rm32_r32,
        Code::Sub_r8_rm8 => Code::Sub_rm8_r8,
        Code::Cmp_r64_rm64 => Code::Cmp_rm64_r64,
        Code::Cmp_r32_rm32 => Code::Cmp_rm32_r32,
        Code::Cmp_r8_rm8 => Code::Cmp_rm8_r8,
        code => code,
    }
}

fn by_one(code: Code) -> Code {
    match code {
        Code::Shl_rm64_imm8 => Code::Shl_rm64_1,
        Code::Shl_rm32_imm8 => Code::Shl_rm32_1,
        Code::Shr_rm64_imm8 => Code::Shr_rm64_1,
        Code::Shr_rm32_imm8 => Code::Shr_rm32_1,
        Code::Sar_rm64_imm8 => Code::Sar_rm64_1,
        Code::Sar_rm32_imm8 => Code::Sar_rm32_1,
        Code::Rol_rm64_imm8 => Code::Rol_rm64_1,
        Code::Rol_rm32_imm8 => Code::Rol_rm32_1,
        Code::Ror_rm64_imm8 => Code::Ror_rm64_1,
        Code::Ror_rm32_imm8 => Code::Ror_rm32_1,
        code => code,
    }
}

fn accumulator(code: Code) -> Code {
    match code {
        Code::Xor_rm64_imm32 => Code::Xor_RAX_imm32,
        Code::Xor_rm32_imm32 => Code::Xor_EAX_imm32,
        Code::And_rm64_imm32 => Code::And_RAX_imm32,
        Code::And_rm32_imm32 => Code::And_EAX_imm32,
        Code::Or_rm64_imm32 => Code::Or_RAX_imm32,
        Code::Or_rm32_imm32 => Code::Or_EAX_imm32,
        Code::Add_rm64_imm32 => Code::Add_RAX_imm32,
        Code::Add_rm32_imm32 => Code::Add_EAX_imm32,
        Code::Add_rm8_imm8 => Code::Add_AL_imm8,
        Code::Sub_rm64_imm32 => Code::Sub_RAX_imm32,
        Code::Sub_rm32_imm32 => Code::Sub_EAX_imm32,
        Code::Sub_rm8_imm8 => Code::Sub_AL_imm8,
        Code::Cmp_rm64_imm32 => Code::Cmp_RAX_imm32,
        Code::Cmp_rm32_imm32 => Code::Cmp_EAX_imm32,
        Code::Cmp_rm8_imm8 => Code::Cmp_AL_imm8,
        Code::Test_rm64_imm32 => Code::Test_RAX_imm32,
        Code::Test_rm32_imm32 => Code::Test_EAX_imm32,
        Code::Test_rm8_imm8 => Code::Test_AL_imm8,
        code => code,
    }
}
