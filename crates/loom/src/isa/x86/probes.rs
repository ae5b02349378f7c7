//! What `loom calibrate` measures of x86-64: every scheduling class, and forms inside one that may differ.

use super::VECTOR_0;
use super::costs::SchedulingClass;
use super::features::{AVX2, AVX512, BMI2, GFNI, VBMI};
use super::inst::{Alu, Inst, Shift};
use super::operand::{Base, Mem, Source, VectorSource, Width};
use super::vector::{Bitwise, Set, Shape};
use crate::ir::Bytes;
use crate::isa::probe::{Chain, POINTER, Probe, Probes};
use crate::isa::{Features, Reg};

const fn v(number: u32) -> Reg {
    Reg::Virtual(number)
}

/// The memory that probes have.
const fn at(disp: i32) -> Mem {
    Mem { base: Base::Reg(POINTER), index: None, disp, ordered: None, segment: None }
}

/// Where probes store, beyond what others load.
const STORED: i32 = 2048;
/// In how many places a probe loads in turns.
const PLACES: i32 = 8;

/// The same with an index that is always zero.
const fn indexed(index: Reg, scale: u8, disp: i32) -> Mem {
    Mem { index: Some((index, scale)), ..at(disp) }
}

const SSE2: Shape = Shape { set: Set::Sse2, bits: 128 };
const YMM: Shape = Shape { set: Set::Avx2, bits: 256 };
const YMM_512: Shape = Shape { set: Set::Avx512, bits: 256 };
const ZMM: Shape = Shape { set: Set::Avx512, bits: 512 };

/// Zeros into a register.
fn zeros(shape: Shape, dst: Reg) -> Inst {
    match dst {
        Reg::Physical(number) if number >= VECTOR_0 => Inst::LoadVector { shape, dst, mem: at(0) },
        _ => Inst::Load { bytes: 8, dst, mem: at(0) },
    }
}

/// A probe on general registers.
fn word(name: &'static str, needs: Features, code: Vec<Inst>) -> Probe<Inst> {
    let code = spread(code);
    Probe { name, needs, code, fill: |dst| zeros(SSE2, dst), chain: Chain::Sources }
}

/// A probe on vectors, which may use general registers, too.
fn vector(name: &'static str, shape: Shape, needs: Features, code: Vec<Inst>) -> Probe<Inst> {
    let fill: fn(Reg) -> Inst = match (shape.set, shape.bits) {
        (Set::Sse2, _) => |dst| zeros(SSE2, dst),
        (Set::Avx2, _) => |dst| zeros(YMM, dst),
        (Set::Avx512, 256) => |dst| zeros(YMM_512, dst),
        (Set::Avx512, _) => |dst| zeros(ZMM, dst),
    };
    let set = match shape.set {
        Set::Sse2 => Features::NONE,
        Set::Avx2 => AVX2,
        Set::Avx512 => AVX512,
    };
    Probe { name, needs: needs.or(set), code: spread(code), fill, chain: Chain::Sources }
}

/// The same instructions, with what they load in several places in turns: of places at one distance from
/// the beginning of their lines, some processors load fewer at a time.
fn spread(code: Vec<Inst>) -> Vec<Vec<Inst>> {
    let stores = |inst: &Inst| matches!(inst, Inst::Store { .. } | Inst::StoreVector { .. });
    if code.iter().any(stores) {
        return vec![code];
    }
    let moved = |place: i32| {
        let mut code = code.clone();
        for (mem, bytes) in code.iter_mut().filter_map(loaded_from) {
            mem.disp += place * 64 + place * bytes % 64;
        }
        code
    };
    (0..PLACES).map(moved).collect()
}

/// What an instruction loads: where, and how many bytes.
fn loaded_from(inst: &mut Inst) -> Option<(&mut Mem, i32)> {
    let shape = inst.shape();
    match inst {
        Inst::Alu { b: Source::Mem(mem), .. }
        | Inst::Bits { mask: Source::Mem(mem), .. }
        | Inst::Load { mem, .. }
        | Inst::InsertByte { mem, .. }
        | Inst::Repeat { mem, .. }
        | Inst::Bitwise { b: VectorSource::Repeat(mem, _), .. }
        | Inst::Ternary { c: VectorSource::Repeat(mem, _), .. } => Some((mem, 8)),
        Inst::LoadVector { mem, .. }
        | Inst::Bitwise { b: VectorSource::Mem(mem), .. }
        | Inst::Ternary { c: VectorSource::Mem(mem), .. }
        | Inst::Bytes { b: VectorSource::Mem(mem), .. }
        | Inst::PickTwo { high: VectorSource::Mem(mem), .. } => {
            Some((mem, i32::from(shape?.bits / 8)))
        }
        _ => None,
    }
}

/// Every copy loads from the same place.
fn in_one_place(mut probe: Probe<Inst>) -> Probe<Inst> {
    probe.code.truncate(1);
    probe
}

fn chained(chain: Chain, probe: Probe<Inst>) -> Probe<Inst> {
    Probe { chain, ..probe }
}

fn alu(op: Alu, width: Width, b: Source) -> Vec<Inst> {
    vec![Inst::Alu { op, width, dst: v(1), a: v(0), b }]
}

fn shift(op: Shift, width: Width) -> Vec<Inst> {
    vec![Inst::Shift { op, width, dst: v(1), a: v(0), by: 5 }]
}

fn load(bytes: u8, mem: Mem) -> Vec<Inst> {
    vec![Inst::Load { bytes, dst: v(1), mem }]
}

fn bitwise(shape: Shape, b: VectorSource) -> Vec<Inst> {
    vec![Inst::Bitwise { op: Bitwise::Xor, shape, dst: v(1), a: v(0), b }]
}

fn ternary(shape: Shape, c: VectorSource) -> Vec<Inst> {
    vec![Inst::Ternary { table: 0x96, shape, dst: v(1), a: v(0), b: v(2), c }]
}

fn bytes(op: Bytes, shape: Shape, b: VectorSource) -> Vec<Inst> {
    vec![Inst::Bytes { op, shape, dst: v(1), a: v(0), b }]
}

/// Halves that change places, where the next one waits for both: alone they are two chains, and Zen 3 takes longer one way
/// than the other.
fn exchanged() -> Vec<Inst> {
    let (between, b) = (v(3), VectorSource::Reg(v(2)));
    vec![
        Inst::Bitwise { op: Bitwise::Xor, shape: YMM, dst: between, a: v(0), b },
        Inst::Bytes {
            op: Bytes::Halves,
            shape: YMM,
            dst: v(1),
            a: between,
            b: VectorSource::Reg(between),
        },
    ]
}

fn pick_two(shape: Shape, high: VectorSource) -> Vec<Inst> {
    vec![Inst::PickTwo { shape, dst: v(1), index: v(0), low: v(2), high }]
}

fn select_bytes(shape: Shape) -> Inst {
    Inst::SelectBytes { shape, dst: v(1), a: v(0), b: v(2), then: v(3), otherwise: v(4) }
}

fn insert_byte() -> Inst {
    Inst::InsertByte { shape: YMM, dst: v(1), a: v(0), mem: at(64), at: 3 }
}

fn parts(shape: Shape) -> Vec<Inst> {
    vec![Inst::ShiftParts { left: true, shape, dst: v(1), a: v(0), by: 5 }]
}

/// A vector from an address that the one before led to.
fn loaded(shape: Shape) -> Vec<Inst> {
    let load = Inst::LoadVector { shape, dst: v(1), mem: indexed(v(0), 1, 0) };
    vec![load, from_vector(shape, v(2), v(1))]
}

fn from_vector(shape: Shape, dst: Reg, src: Reg) -> Inst {
    Inst::FromVector { width: Width::Qword, shape, dst, src }
}

fn to_vector(shape: Shape) -> Inst {
    Inst::ToVector { width: Width::Qword, shape, dst: v(1), src: v(0) }
}

fn splat(shape: Shape) -> Inst {
    Inst::Splat { bytes: 8, shape, dst: v(1), src: v(0) }
}

/// A compare of two values that are never equal, and what follows it.
fn select(branch: bool) -> Vec<Inst> {
    let (otherwise, a, then) = (v(0), v(2), v(3));
    let width = Width::Qword;
    vec![Inst::SelectEq { width, dst: v(1), otherwise, a, b: POINTER, then, branch }]
}

fn stored(shape: Shape) -> Vec<Inst> {
    vec![Inst::StoreVector { shape, mem: at(STORED), src: v(0) }]
}

fn forwarded(shape: Shape) -> Vec<Inst> {
    let load = Inst::LoadVector { shape, dst: v(1), mem: at(STORED) };
    stored(shape).into_iter().chain([load]).collect()
}

pub(super) fn probes() -> Probes<Inst> {
    let all = [words(), vectors(), wide(), moved_bytes(), memory()].concat();
    let classes = SchedulingClass::ALL.iter().map(|class| (class.class(), format!("{class:?}")));
    Probes {
        all,
        waking: waking(),
        classes: classes.collect(),
        folder: "crates/loom/src/isa/x86/costs",
    }
}

/// Arithmetic, shifts, copies, parts of words.
fn words() -> Vec<Probe<Inst>> {
    use Alu::{Add, And, Xor};
    use Source::{Imm, Reg as In};
    use Width::{Byte, Dword, Qword};
    let (none, dst, src, a) = (Features::NONE, v(1), v(0), v(0));
    let low = |apart| Inst::LowByte { dst, src, apart, free: false };
    let bits = |apart, mask| vec![Inst::Bits { apart, dst, a, mask }];
    vec![
        word("xor r64", none, alu(Xor, Qword, In(v(2)))),
        word("add r32", none, alu(Add, Dword, In(v(2)))),
        word("add r8", none, alu(Add, Byte, In(v(2)))),
        word("and r64, imm", none, alu(And, Qword, Imm(0x7e))),
        word("add r64, imm", none, alu(Add, Qword, Imm(8))),
        word("xor r64, mem", none, alu(Xor, Qword, Source::Mem(at(64)))),
        word("not r64", none, vec![Inst::Not { width: Qword, dst, a }]),
        word("mov r32, imm", none, vec![Inst::Imm { dst, value: 0x1234_5678 }]),
        word("xor r32, itself", none, vec![Inst::Zero { dst }]),
        word("shr r64", none, shift(Shift::Right, Qword)),
        word("shl r32", none, shift(Shift::Left, Dword)),
        word("rol r64", none, shift(Shift::Rotate, Qword)),
        word("rorx r64", BMI2, vec![Inst::Rorx { width: Qword, dst, a, by: 5 }]),
        word("rorx r32", BMI2, vec![Inst::Rorx { width: Dword, dst, a, by: 5 }]),
        word("shrx r64", BMI2, vec![Inst::Shrx { dst, a, by: v(2) }]),
        word("andn r32", BMI2, vec![Inst::AndNot { dst, a, b: v(2) }]),
        word("mov r64", none, vec![Inst::Copy { width: Qword, dst, src }]),
        word("mov r32", none, vec![Inst::Copy { width: Dword, dst, src }]),
        word("movzx r32, r8", none, vec![low(true)]),
        chained(Chain::InPlace, word("movzx r32, r8 in place", none, vec![low(false)])),
        word("movzx r32, r16", none, vec![Inst::LowWord { dst, src }]),
        chained(
            Chain::InPlace,
            word("movzx r32, r16 in place", none, vec![Inst::LowWord { dst, src }]),
        ),
        word("movzx r32, ah", none, vec![Inst::HighByte { dst, src }]),
        chained(
            Chain::InPlace,
            word("movzx r32, ah in place", none, vec![Inst::HighByte { dst, src }]),
        ),
        word("bswap r64", none, vec![Inst::Bswap { width: Qword, dst, a }]),
        word("bswap r32", none, vec![Inst::Bswap { width: Dword, dst, a }]),
        word("lea r64, base, index", none, vec![Inst::Lea { dst, mem: indexed(a, 1, 0) }]),
        word("lea r64, base, index*8, disp", none, vec![Inst::Lea { dst, mem: indexed(a, 8, 64) }]),
        word("pext r64", BMI2, bits(false, In(v(2)))),
        word("pext r64, mem", BMI2, bits(false, Source::Mem(at(64)))),
        word("pdep r64", BMI2, bits(true, In(v(2)))),
        word("cmp r64 + cmove r64", none, select(false)),
        chained(Chain::None, word("cmp r64 + je", none, select(true))),
    ]
}

/// Loads and stores, and what they do to each other.
fn memory() -> Vec<Probe<Inst>> {
    let none = Features::NONE;
    let store = |bytes| vec![Inst::Store { bytes, mem: at(STORED), src: v(0) }];
    let both = |stored, loaded, disp| {
        let store = Inst::Store { bytes: stored, mem: at(STORED), src: v(0) };
        vec![store, Inst::Load { bytes: loaded, dst: v(1), mem: at(disp) }]
    };
    vec![
        word("mov r64, index*8, disp", none, load(8, indexed(v(0), 8, 64))),
        word("mov r64, index", none, load(8, indexed(v(0), 1, 0))),
        in_one_place(word("mov r64, index in one place", none, load(8, indexed(v(0), 1, 0)))),
        word("mov r32, index*4, disp", none, load(4, indexed(v(0), 4, 64))),
        word("movzx r32, index, disp", none, load(1, indexed(v(0), 1, 64))),
        vector("vmovdqu ymm, index + vmovq r64", YMM, none, loaded(YMM)),
        vector("vmovdqu64 zmm, index + vmovq r64", ZMM, none, loaded(ZMM)),
        vector("movdqu xmm, mem", SSE2, none, vec![load_vector(SSE2)]),
        vector("vmovdqu ymm, mem", YMM, none, vec![load_vector(YMM)]),
        vector("vmovdqu64 zmm, mem", ZMM, none, vec![load_vector(ZMM)]),
        vector("vpbroadcastq ymm, mem", YMM, none, vec![repeat(YMM)]),
        vector("vpbroadcastq zmm, mem", ZMM, none, vec![repeat(ZMM)]),
        chained(Chain::None, word("mov mem, r64", none, store(8))),
        chained(Chain::None, word("mov mem, r8", none, store(1))),
        chained(Chain::None, vector("movdqu mem, xmm", SSE2, none, stored(SSE2))),
        chained(Chain::None, vector("vmovdqu mem, ymm", YMM, none, stored(YMM))),
        chained(Chain::None, vector("vmovdqu64 mem, zmm", ZMM, none, stored(ZMM))),
        chained(Chain::Memory, word("mov mem, r64 + mov r64, mem", none, both(8, 8, STORED))),
        chained(Chain::Memory, word("mov mem, r8 + movzx r32, mem", none, both(1, 1, STORED))),
        chained(
            Chain::Memory,
            word("mov mem, r64 + movzx r32, mem at byte 3", none, both(8, 1, STORED + 3)),
        ),
        chained(
            Chain::Memory,
            vector("movdqu mem, xmm + movdqu xmm, mem", SSE2, none, forwarded(SSE2)),
        ),
        chained(
            Chain::Memory,
            vector("vmovdqu mem, ymm + vmovdqu ymm, mem", YMM, none, forwarded(YMM)),
        ),
        chained(
            Chain::Memory,
            vector("vmovdqu64 mem, zmm + vmovdqu64 zmm, mem", ZMM, none, forwarded(ZMM)),
        ),
        chained(
            Chain::Memory,
            word("mov mem, r64 + mov r64, mem 128 bytes on", none, both(8, 8, STORED + 128)),
        ),
        chained(
            Chain::Memory,
            word("mov mem, r64 + mov r64, mem 4096 bytes on", none, both(8, 8, STORED + 4096)),
        ),
    ]
}

fn load_vector(shape: Shape) -> Inst {
    Inst::LoadVector { shape, dst: v(1), mem: at(0) }
}

fn repeat(shape: Shape) -> Inst {
    Inst::Repeat { bytes: 8, shape, dst: v(1), mem: at(0) }
}

/// Vectors of up to 256 bits, and words to vectors and back.
fn vectors() -> Vec<Probe<Inst>> {
    use VectorSource::{Mem, Reg, Repeat};
    let none = Features::NONE;
    vec![
        vector("vpxor ymm", YMM, none, bitwise(YMM, Reg(v(2)))),
        vector("pxor xmm", SSE2, none, bitwise(SSE2, Reg(v(2)))),
        vector("pxor xmm, mem", SSE2, none, bitwise(SSE2, Mem(at(64)))),
        vector("vpxor ymm, mem", YMM, none, bitwise(YMM, Mem(at(64)))),
        vector("vpxorq ymm, repeated", YMM_512, none, bitwise(YMM_512, Repeat(at(64), 8))),
        vector("vpcmpeqd ymm, itself", YMM, none, vec![Inst::Ones { shape: YMM, dst: v(1) }]),
        vector("vpsllq ymm", YMM, none, parts(YMM)),
        vector("psllq xmm", SSE2, none, parts(SSE2)),
        vector("vpternlogd ymm", YMM_512, none, ternary(YMM_512, Reg(v(3)))),
        vector("vpternlogd ymm, mem", YMM_512, none, ternary(YMM_512, Mem(at(64)))),
        vector("vpternlogq ymm, repeated", YMM_512, none, ternary(YMM_512, Repeat(at(64), 8))),
        vector(
            "vpbroadcastq zmm, r64 + vmovq r64, xmm",
            ZMM,
            none,
            vec![splat(ZMM), from_vector(ZMM, v(2), v(1))],
        ),
        vector(
            "vmovq xmm, r64 + vmovq r64, xmm",
            YMM,
            none,
            vec![to_vector(YMM), from_vector(YMM, v(2), v(1))],
        ),
        vector("vpbroadcastq zmm, r64", ZMM, none, vec![splat(ZMM)]),
        vector("vpbroadcastq ymm, r64", YMM_512, none, vec![splat(YMM_512)]),
        vector("vmovq xmm, r64", YMM, none, vec![to_vector(YMM)]),
        vector("vmovq r64, xmm", YMM, none, vec![from_vector(YMM, v(1), v(0))]),
    ]
}

/// Vectors of 512 bits.
fn wide() -> Vec<Probe<Inst>> {
    use VectorSource::{Mem, Reg, Repeat};
    let none = Features::NONE;
    vec![
        vector("vpxorq zmm", ZMM, none, bitwise(ZMM, Reg(v(2)))),
        vector("vpxorq zmm, mem", ZMM, none, bitwise(ZMM, Mem(at(64)))),
        vector("vpxorq zmm, repeated", ZMM, none, bitwise(ZMM, Repeat(at(64), 8))),
        vector("vpternlogd zmm", ZMM, none, ternary(ZMM, Reg(v(3)))),
        vector("vpternlogd zmm, mem", ZMM, none, ternary(ZMM, Mem(at(64)))),
        vector("vpternlogq zmm, repeated", ZMM, none, ternary(ZMM, Repeat(at(64), 8))),
        vector("vpsllq zmm", ZMM, none, parts(ZMM)),
    ]
}

/// Bytes moved and changed in vectors.
fn moved_bytes() -> Vec<Probe<Inst>> {
    use Bytes::{Distance, Evens, Halves, Interleave, Matrix, Pick, Shuffle, Sign};
    use VectorSource::{Mem, Reg};
    let none = Features::NONE;
    let (b, m) = (Reg(v(2)), Mem(at(64)));
    vec![
        vector("vpshufb ymm", YMM, none, bytes(Shuffle, YMM, b)),
        vector("vpshufb ymm, mem", YMM, none, bytes(Shuffle, YMM, m)),
        vector("vshufps ymm", YMM, none, bytes(Evens, YMM, b)),
        vector("punpcklbw xmm", SSE2, none, bytes(Interleave, SSE2, b)),
        vector("vpshufb zmm", ZMM, none, bytes(Shuffle, ZMM, b)),
        vector("vpshufb zmm, mem", ZMM, none, bytes(Shuffle, ZMM, m)),
        vector("vshufps zmm", ZMM, none, bytes(Evens, ZMM, b)),
        vector("vpxor ymm + vperm2i128 ymm", YMM, none, exchanged()),
        vector("vperm2i128 ymm", YMM, none, bytes(Halves, YMM, b)),
        vector("vpcmpeqb zmm + vpblendmb zmm", ZMM, none, vec![select_bytes(ZMM)]),
        vector("vpermb zmm", ZMM, VBMI, bytes(Pick, ZMM, b)),
        vector("vpermb zmm, mem", ZMM, VBMI, bytes(Pick, ZMM, m)),
        vector("vpermb ymm", YMM_512, VBMI, bytes(Pick, YMM_512, b)),
        vector("vpermi2b zmm", ZMM, VBMI, pick_two(ZMM, Reg(v(3)))),
        vector("vpermi2b zmm, mem", ZMM, VBMI, pick_two(ZMM, m)),
        vector("vpermi2b ymm", YMM_512, VBMI, pick_two(YMM_512, Reg(v(3)))),
        vector("vgf2p8affineqb zmm", ZMM, VBMI, bytes(Matrix, ZMM, b)),
        vector("vgf2p8affineqb ymm", YMM_512, VBMI, bytes(Matrix, YMM_512, b)),
        vector("gf2p8affineqb xmm", SSE2, GFNI, bytes(Matrix, SSE2, b)),
        vector("vpsadbw ymm", YMM, none, bytes(Distance, YMM, b)),
        vector("vpsadbw zmm", ZMM, none, bytes(Distance, ZMM, b)),
        vector("vpsignb ymm", YMM, none, bytes(Sign, YMM, b)),
        vector("vpinsrb xmm, mem", YMM, none, vec![insert_byte()]),
    ]
}

fn waking() -> Vec<Probe<Inst>> {
    let (none, b) = (Features::NONE, VectorSource::Reg(v(2)));
    vec![
        word("xor r64", none, alu(Alu::Xor, Width::Qword, Source::Reg(v(2)))),
        vector("pxor xmm", SSE2, none, bitwise(SSE2, b)),
        vector("vpxor ymm", YMM, none, bitwise(YMM, b)),
        vector("vpternlogd ymm", YMM_512, none, ternary(YMM_512, VectorSource::Reg(v(3)))),
        vector("vpternlogd zmm", ZMM, none, ternary(ZMM, VectorSource::Reg(v(3)))),
    ]
}
