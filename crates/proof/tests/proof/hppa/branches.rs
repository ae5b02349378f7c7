//! Branches and what stands behind them, beside an emulator.

use super::cosimulation::{are, random_word};
use super::emulator::{self, Case, SLOT};
use loom::isa::hppa::conventions::HPPA;
use proof::bits::Bits;
use proof::bytes::Bytes;
use proof::domain::Domain;
use proof::image::Image;
use proof::machine::hppa::WHOLE;
use proof::machine::{Isa, Machine, State};
use proof::memory::{Memory, Value};

/// Each branch, between instructions that tell of themselves in r6.
const BRANCHES: [&str; 5] = [
    "addib,<> -1,%r5,1f",
    "cmpib,*=,n 0,%r5,1f",
    "cmpib,*<> 0,%r5,1f",
    "cmpclr,*<> %r5,%r7,%r0",
    "cmpclr,*<> %r5,%r0,%r0",
];

/// Code that leads to its last instruction, on whatever way.
fn image(branch: &str) -> Image {
    let text = format!(
        "\t.level 2.0\n\t.text\n\t.export code,entry\n\t.type code,@function\ncode:\n\t{branch}\n\
         \tldo 1(%r6),%r6\n\tldo 2(%r6),%r6\n1:\tldo 4(%r6),%r6\n\tnop\n\tnop\n\tnop\n\tnop\n\
         \t.size code,.-code\n"
    );
    super::assembled(&HPPA, &text)
}

/// What the prover makes of the registers.
fn run<D: Domain>(image: &Image, registers: &[u64; 32]) -> (D, State<D>) {
    let covered = Isa::Hppa.covered();
    let code = image.kernels.values().next().unwrap();
    let mut machine = Machine::<D>::new(image, code.clone(), &covered);
    let memory = Memory::new(D::UNKNOWN, 8 / D::BITS);
    let mut state = State::call(image.convention, code.start, memory, &[]);
    for n in (1..30).chain([31]) {
        state.registers[n] = Value::Cells(machine.domain.cells(registers[n], 64).into());
    }
    state.registers[WHOLE..].fill(Value::NotZero);
    machine.run(&mut state, &[code.end - 4]).unwrap();
    (machine.domain, state)
}

fn compare<D: Domain>(image: &Image, before: &[u64; 32], after: &[u64; 32]) {
    let (domain, state) = run::<D>(image, before);
    for n in (1..30).chain([31]) {
        let Value::Cells(cells) = &state.registers[n] else { panic!("register {n}") };
        assert!(are(&domain, cells, &after[n].to_le_bytes()), "register {n}: not {:x}", after[n]);
    }
}

#[test]
fn branches_do_what_the_emulator_does() {
    let mut random = fastrand::Rng::with_seed(1);
    for branch in BRANCHES {
        let image = image(branch);
        let code = image.code(image.kernels.values().next().unwrap());
        let words: [u32; SLOT] =
            std::array::from_fn(|n| u32::from_be_bytes(*code[4 * n..].first_chunk().unwrap()));
        let cases: Vec<Case> = (0..64)
            .map(|_| {
                let mut registers: [u64; 32] = std::array::from_fn(|_| random_word(&mut random));
                // Numbers of which nothing is left, or nothing in the lower half.
                registers[5] = match random.u8(..8) {
                    0 => 0,
                    1 => 1,
                    2 => 1 << 32 | 1,
                    3 => 1 << 32,
                    4 => registers[7],
                    5 => registers[7] ^ 1 << 63,
                    _ => registers[5],
                };
                registers[0] = 0;
                Case { words, registers, memory: None }
            })
            .collect();
        for (case, after) in cases.iter().zip(emulator::run(&cases)) {
            compare::<Bits>(&image, &case.registers, &after.registers);
            compare::<Bytes>(&image, &case.registers, &after.registers);
        }
    }
}
