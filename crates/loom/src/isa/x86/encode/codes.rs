//! The encodings of instructions for vectors.

use iced_x86::{Code, Register};

use crate::isa::x86::vector::{Set, Shape};

/// The last 16 registers have names in EVEX encodings only.
pub(super) fn is_high(register: Register) -> bool {
    register.number() >= 16
}

/// One instruction in its encodings: legacy (128 bits), VEX (256 bits), EVEX (128, 256, 512 bits).
pub(super) struct Codes {
    legacy: Code,
    pub(super) vex: Code,
    pub(super) evex: [Code; 3],
}

impl Codes {
    /// The shortest encoding for a shape: VEX where it has names for all registers.
    pub(super) fn of(&self, shape: Shape, registers: &[Register], repeats: bool) -> Code {
        match (shape.set, shape.bits) {
            (Set::Sse2, _) => self.legacy,
            (Set::Avx2, _) => self.vex,
            (_, 128) => self.evex[0],
            (_, 256) if !repeats && !registers.iter().any(|&register| is_high(register)) => {
                self.vex
            }
            (_, 256) => self.evex[1],
            _ => self.evex[2],
        }
    }
}

pub(super) const XOR: [Codes; 2] = logic(
    [Code::Pxor_xmm_xmmm128, Code::VEX_Vpxor_ymm_ymm_ymmm256],
    [
        Code::EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32,
        Code::EVEX_Vpxord_ymm_k1z_ymm_ymmm256b32,
        Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32,
    ],
    [
        Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64,
        Code::EVEX_Vpxorq_ymm_k1z_ymm_ymmm256b64,
        Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64,
    ],
);
pub(super) const AND: [Codes; 2] = logic(
    [Code::Pand_xmm_xmmm128, Code::VEX_Vpand_ymm_ymm_ymmm256],
    [
        Code::EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32,
        Code::EVEX_Vpandd_ymm_k1z_ymm_ymmm256b32,
        Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32,
    ],
    [
        Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64,
        Code::EVEX_Vpandq_ymm_k1z_ymm_ymmm256b64,
        Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64,
    ],
);
pub(super) const OR: [Codes; 2] = logic(
    [Code::Por_xmm_xmmm128, Code::VEX_Vpor_ymm_ymm_ymmm256],
    [
        Code::EVEX_Vpord_xmm_k1z_xmm_xmmm128b32,
        Code::EVEX_Vpord_ymm_k1z_ymm_ymmm256b32,
        Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32,
    ],
    [
        Code::EVEX_Vporq_xmm_k1z_xmm_xmmm128b64,
        Code::EVEX_Vporq_ymm_k1z_ymm_ymmm256b64,
        Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64,
    ],
);
pub(super) const AND_NOT: [Codes; 2] = logic(
    [Code::Pandn_xmm_xmmm128, Code::VEX_Vpandn_ymm_ymm_ymmm256],
    [
        Code::EVEX_Vpandnd_xmm_k1z_xmm_xmmm128b32,
        Code::EVEX_Vpandnd_ymm_k1z_ymm_ymmm256b32,
        Code::EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32,
    ],
    [
        Code::EVEX_Vpandnq_xmm_k1z_xmm_xmmm128b64,
        Code::EVEX_Vpandnq_ymm_k1z_ymm_ymmm256b64,
        Code::EVEX_Vpandnq_zmm_k1z_zmm_zmmm512b64,
    ],
);
/// Only EVEX: elements of 4 bytes, of 8 bytes.
pub(super) const TERNARY: [[Code; 3]; 2] = [
    [
        Code::EVEX_Vpternlogd_xmm_k1z_xmm_xmmm128b32_imm8,
        Code::EVEX_Vpternlogd_ymm_k1z_ymm_ymmm256b32_imm8,
        Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8,
    ],
    [
        Code::EVEX_Vpternlogq_xmm_k1z_xmm_xmmm128b64_imm8,
        Code::EVEX_Vpternlogq_ymm_k1z_ymm_ymmm256b64_imm8,
        Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8,
    ],
];
pub(super) const SHIFT_LEFT: Codes = Codes {
    legacy: Code::Psllq_xmm_imm8,
    vex: Code::VEX_Vpsllq_ymm_ymm_imm8,
    evex: [
        Code::EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8,
        Code::EVEX_Vpsllq_ymm_k1z_ymmm256b64_imm8,
        Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8,
    ],
};
pub(super) const SHIFT_RIGHT: Codes = Codes {
    legacy: Code::Psrlq_xmm_imm8,
    vex: Code::VEX_Vpsrlq_ymm_ymm_imm8,
    evex: [
        Code::EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8,
        Code::EVEX_Vpsrlq_ymm_k1z_ymmm256b64_imm8,
        Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8,
    ],
};
/// Loads, from any address, and copies between registers.
pub(super) const LOAD: Codes = Codes {
    legacy: Code::Movdqu_xmm_xmmm128,
    vex: Code::VEX_Vmovdqu_ymm_ymmm256,
    evex: [
        Code::EVEX_Vmovdqu64_xmm_k1z_xmmm128,
        Code::EVEX_Vmovdqu64_ymm_k1z_ymmm256,
        Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512,
    ],
};
pub(super) const STORE: Codes = Codes {
    legacy: Code::Movdqu_xmmm128_xmm,
    vex: Code::VEX_Vmovdqu_ymmm256_ymm,
    evex: [
        Code::EVEX_Vmovdqu64_xmmm128_k1z_xmm,
        Code::EVEX_Vmovdqu64_ymmm256_k1z_ymm,
        Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm,
    ],
};
pub(super) const COPY: Codes = Codes {
    legacy: Code::Movdqa_xmm_xmmm128,
    vex: Code::VEX_Vmovdqa_ymm_ymmm256,
    evex: [
        Code::EVEX_Vmovdqa64_xmm_k1z_xmmm128,
        Code::EVEX_Vmovdqa64_ymm_k1z_ymmm256,
        Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512,
    ],
};
/// There is none without AVX2.
pub(super) const REPEAT_4: Codes = Codes {
    legacy: Code::INVALID,
    vex: Code::VEX_Vpbroadcastd_ymm_xmmm32,
    evex: [
        Code::EVEX_Vpbroadcastd_xmm_k1z_xmmm32,
        Code::EVEX_Vpbroadcastd_ymm_k1z_xmmm32,
        Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32,
    ],
};
pub(super) const REPEAT_8: Codes = Codes {
    legacy: Code::INVALID,
    vex: Code::VEX_Vpbroadcastq_ymm_xmmm64,
    evex: [
        Code::EVEX_Vpbroadcastq_xmm_k1z_xmmm64,
        Code::EVEX_Vpbroadcastq_ymm_k1z_xmmm64,
        Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64,
    ],
};

/// The encodings of an operation, for elements of 4 and of 8 bytes: they differ where a word of
/// memory is repeated.
const fn logic([legacy, vex]: [Code; 2], four: [Code; 3], eight: [Code; 3]) -> [Codes; 2] {
    [Codes { legacy, vex, evex: four }, Codes { legacy, vex, evex: eight }]
}
