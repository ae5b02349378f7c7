//! What the program in real mode is assembled of, beside its frame: kernels, and cases for them.

use loom::isa::x86::X86_REAL;
use std::fmt::Write as _;

use cipherloom_spec::BlockCipher;
use cipherloom_spec::des::{Des, ip};
use cipherloom_spec::tdea::Tdea;
use loom::ciphers::Strategy;
use loom::ciphers::des::{Config, Direction, Passes, Task, schedule};
use loom::emit::{Unit, text};
use loom::isa::frame::Abi;
use loom::isa::x86::X86;
use loom::isa::x86::conventions::{FAR16, NEAR16};
use loom::pipeline::Compiled;
use loom::variant::KernelVariant;

/// The hand-written part.
const FRAME: &str = include_str!("frame.asm");

/// For DOSBox: a 386 without a screen, which runs programs in the folder that is its disk. What each
/// prints is a file beside it, with a name in capitals.
pub(crate) fn machine(names: &[&str]) -> String {
    let run = |name: &&str| format!("{name}.com > {name}.txt\n");
    let runs: String = names.iter().map(run).collect();
    format!(
        "[sdl]\noutput=surface\n[mixer]\nnosound=true\n[cpu]\ncore=normal\ncputype=386\ncycles=max\n\
         [autoexec]\nmount c .\nc:\n{runs}exit\n"
    )
}

/// A program: the kernels of a cipher that are called in one way.
pub(crate) struct Program {
    /// Its name.
    pub(crate) name: &'static str,
    passes: Passes,
    /// How they are called.
    pub(crate) abi: &'static Abi,
}

/// The programs. A program has 64 KB, which all kernels together would fill.
pub(crate) const PROGRAMS: [Program; 4] = [
    Program { name: "desnear", passes: Passes::One, abi: &NEAR16 },
    Program { name: "desfar", passes: Passes::One, abi: &FAR16 },
    Program { name: "tdesnear", passes: Passes::Three, abi: &NEAR16 },
    Program { name: "tdesfar", passes: Passes::Three, abi: &FAR16 },
];

impl Program {
    /// Its kernels.
    pub(crate) fn kernels(&self) -> Vec<(Config, Compiled<X86>)> {
        let made = |kernel: &KernelVariant| {
            let Strategy::Des(variant) = kernel.strategy else { return None };
            let made = kernel.compile(self.abi, &kernel.untuned());
            let made = || made.unwrap_or_else(|wrong| panic!("{kernel}: {wrong}"));
            (variant.passes == self.passes).then(|| (variant, made()))
        };
        KernelVariant::all(&X86_REAL).iter().filter_map(made).collect()
    }

    /// Its text for NASM: the frame, these kernels, these cases.
    pub(crate) fn source(&self, kernels: &[(Config, Compiled<X86>)], cases: &[Case]) -> String {
        let how = ["by the costs of the 386, rounds written out"];
        let units: Vec<_> = kernels.iter().map(|(_, made)| Unit::new(made, how)).collect();
        let format = X86_REAL.format("com-nasm");
        let kernels = text(format.expect("a format of real mode"), &units, "");
        let far = if self.abi.segments.is_empty() { "" } else { "%define FAR\n" };
        format!("{far}{FRAME}\n{kernels}\n{}", data(cases))
    }
}

/// A call of a kernel.
pub(crate) struct Case {
    /// The kernel's name.
    pub(crate) name: String,
    /// The words of its schedule.
    schedule: Vec<u64>,
    /// Blocks, or halves as they lie in memory.
    input: Vec<u8>,
    /// What the specification makes of them.
    pub(crate) result: Vec<u8>,
    /// Of a chain the block before the first, and the last.
    around: Option<[[u8; 8]; 2]>,
    /// Whether something else is expected, so that the program must find the result wrong.
    pub(crate) spoilt: bool,
    /// How many blocks; 0 for halves.
    count: usize,
}

/// FIPS 81's first example, and the key of its Triple-DES sibling in SP 800-67.
const KEYS: [[u8; 8]; 3] = [
    [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef],
    [0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01],
    [0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23],
];
/// FIPS 81's first plaintext, "Now is t".
const NOW_IS_T: [u8; 8] = [0x4e, 0x6f, 0x77, 0x20, 0x69, 0x73, 0x20, 0x74];
/// The block before the first of a chain: FIPS 81's IV.
const IV: [u8; 8] = [0x12, 0x34, 0x56, 0x78, 0x90, 0xab, 0xcd, 0xef];

impl Case {
    /// A call of a kernel for some blocks under its keys, the first of three for DES.
    pub(crate) fn new(
        variant: &Config,
        made: &Compiled<X86>,
        keys: [[u8; 8]; 3],
        blocks: &[[u8; 8]],
    ) -> Self {
        let (keys, cipher): (_, Box<dyn BlockCipher>) = match variant.passes {
            Passes::One => (vec![(keys[0], false)], Box::new(Des::new(keys[0]))),
            Passes::Three => {
                let [a, b, c] = keys;
                (vec![(a, false), (b, true), (c, false)], Box::new(Tdea::option1(a, b, c)))
            }
        };
        let apply = |block: &[u8; 8]| match variant.direction {
            Direction::Encrypt => cipher.encrypt(*block),
            Direction::Decrypt => cipher.decrypt(*block),
        };
        let bare = variant.task == Task::Bare;
        let chain = variant.task == Task::Chain;
        let mut before = if chain { IV } else { [0; 8] };
        let result = |block: &[u8; 8]| {
            let result = apply(&std::array::from_fn(|n| block[n] ^ before[n]));
            if chain {
                before = result;
            }
            result
        };
        let results: Vec<[u8; 8]> = blocks.iter().map(result).collect();
        let lying = |blocks: &[[u8; 8]]| match bare {
            true => halves(&permuted(ip, &blocks[0])),
            false => blocks.concat(),
        };
        let result = match bare {
            // IP⁻¹ is left out: what stands before it.
            true => halves(&permuted(ip, &results[0])),
            false => results.concat(),
        };
        Self {
            name: made.record.name.clone(),
            schedule: schedule(variant.layout, &keys),
            input: lying(blocks),
            result,
            count: if bare { 0 } else { blocks.len() },
            around: chain.then_some([IV, before]),
            spoilt: false,
        }
    }

    /// Makes another result be expected; of a chain another last block.
    #[cfg_attr(not(test), expect(dead_code, reason = "the test does so"))]
    pub(crate) fn spoil(&mut self) {
        self.spoilt = true;
    }

    /// What is expected, and the last block of a chain.
    fn expected(&self) -> (Vec<u8>, Option<[u8; 8]>) {
        let (mut expected, mut last) = (self.result.clone(), self.around.map(|[_, last]| last));
        if self.spoilt {
            let other = last.as_mut().map_or(&mut expected[..], |last| &mut last[..]);
            other[7] ^= 1;
        }
        (expected, last)
    }
}

/// A permutation of the specification on bytes, whose highest bits come first.
fn permuted(by: impl Fn(&[bool; 64]) -> [bool; 64], block: &[u8; 8]) -> [u8; 8] {
    let bits = by(&std::array::from_fn(|n| block[n / 8] >> (7 - n % 8) & 1 == 1));
    std::array::from_fn(|n| (0..8).fold(0, |byte, bit| byte << 1 | u8::from(bits[8 * n + bit])))
}

/// The halves of a block as words in memory, each rotated as rounds want it.
fn halves(block: &[u8; 8]) -> Vec<u8> {
    let half = |at: usize| {
        u32::from_be_bytes(block[at..at + 4].try_into().expect("four bytes")).rotate_left(3)
    };
    [half(0), half(4)].into_iter().flat_map(u32::to_le_bytes).collect()
}

/// The cases of the program: a published one for each kernel, and one of random keys and blocks.
pub(crate) fn cases(kernels: &[(Config, Compiled<X86>)]) -> Vec<Case> {
    let mut x = 1977u64;
    let mut random = || {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x ^ x >> 32).to_be_bytes()
    };
    let mut cases = Vec::new();
    for (variant, made) in kernels {
        cases.push(Case::new(variant, made, KEYS, &[NOW_IS_T]));
        let keys = std::array::from_fn(|_| random());
        let blocks: [[u8; 8]; 5] = std::array::from_fn(|_| random());
        cases.push(Case::new(variant, made, keys, &blocks));
    }
    cases
}

/// The same as data for the frame: cases to check, and those whose speed is measured.
fn data(cases: &[Case]) -> String {
    let mut text = "; cases, by the specification\n".to_owned();
    let bytes = |text: &mut String, label: String, bytes: &[u8]| {
        let bytes: Vec<_> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
        let _ = writeln!(text, "{label}:");
        for line in bytes.chunks(8) {
            let _ = writeln!(text, "        db      {}", line.join(", "));
        }
    };
    for (n, case) in cases.iter().enumerate() {
        let _ = writeln!(text, "name_{n}:\n        db      \"{}: \", 0", case.name);
        let words: Vec<u8> = case.schedule.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes(&mut text, format!("schedule_{n}"), &words);
        bytes(&mut text, format!("input_{n}"), &case.input);
        let (expected, last) = case.expected();
        bytes(&mut text, format!("expected_{n}"), &expected);
        if let (Some([before, _]), Some(last)) = (case.around, last) {
            bytes(&mut text, format!("before_{n}"), &before);
            bytes(&mut text, format!("last_{n}"), &last);
        }
    }
    let row = |text: &mut String, (n, case): (usize, &Case)| {
        let Case { name, count, .. } = case;
        let around = match case.around {
            Some(_) => format!("before_{n}, last_{n}"),
            None => "0, 0".to_owned(),
        };
        let _ = writeln!(
            text,
            "        dw      {name}, name_{n}, schedule_{n}, {}, input_{n}, expected_{n}, {count}, {around}",
            8 * case.schedule.len()
        );
    };
    text += "cases:\n";
    cases.iter().enumerate().for_each(|case| row(&mut text, case));
    text += "        dw      0\nspeeds:\n";
    let several = cases.iter().enumerate().filter(|(_, case)| case.count > 1);
    several.for_each(|case| row(&mut text, case));
    text += "        dw      0\n";
    text
}
