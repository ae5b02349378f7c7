//! The checker of allocation finds every deliberate corruption.

use loom::allocate::{Allocated, Budget, Out, Place, allocate, check};
use loom::ciphers::{des, rc4};
use loom::ir::Kernel;
use loom::target::abi::SYSV64;
use loom::target::x86::{Choices, Features, GENERAL, Inst, Lowered, X86_64, lower};
use loom::target::{Isa, Reg, Slot};

fn kernels() -> [Kernel; 3] {
    let des = des::Variant {
        layout: des::Layout::Bytes,
        passes: des::Passes::One,
        direction: des::Direction::Encrypt,
        frame: des::Frame::Chain,
        permute: des::Permute::Shifts,
    };
    let rc4 =
        |task| rc4::Variant { entry: rc4::Entry::Byte, task, word: rc4::Word::Bits64 }.kernel();
    [des.kernel(), rc4(rc4::Task::Apply), rc4(rc4::Task::Setup(2))]
}

fn allocated(kernel: &Kernel) -> (Lowered, Allocated<Inst>) {
    let lowered = lower(kernel, &SYSV64, Features::NONE, &Choices::default());
    // Few homes, so that there are spills to corrupt.
    let budget = Budget { registers: GENERAL, homes: 5 };
    let result = allocate::<X86_64>(&lowered.code, &lowered.params, &SYSV64, budget);
    (lowered, result)
}

fn is_right(lowered: &Lowered, lines: &[Out<Inst>]) -> bool {
    check::<X86_64>(&lowered.code, &lowered.params, &SYSV64, GENERAL, lines).is_ok()
}

fn another(slot: Slot) -> Slot {
    Slot { number: slot.number + 1, ..slot }
}

/// Every way to change one line: another register in one operand, another slot, nothing at all.
fn corruptions(line: &Out<Inst>) -> Vec<Option<Out<Inst>>> {
    let mut all = vec![None];
    match line {
        Out::Inst(inst, origin) => {
            let registers: Vec<Reg> =
                X86_64::operands(inst).iter().map(|operand| operand.reg).collect();
            for n in 0..registers.len() {
                let mut changed = registers.clone();
                if let Reg::Physical(register) = changed[n] {
                    changed[n] = Reg::Physical((register + 1) % 16);
                }
                all.push(Some(Out::Inst(X86_64::rename(inst, &changed), *origin)));
            }
            match inst {
                Inst::Spill { slot, src } => {
                    all.push(Some(Out::Inst(X86_64::spill(another(*slot), *src), None)));
                }
                Inst::Reload { dst, slot } => {
                    all.push(Some(Out::Inst(X86_64::reload(*dst, another(*slot)), None)));
                }
                _ => {}
            }
        }
        Out::Begin(count, place, homes) => {
            all.clear();
            for n in 0..homes.len() {
                let mut changed = homes.clone();
                changed[n].1 = match changed[n].1 {
                    Place::Register(register) => Place::Register((register + 1) % 16),
                    Place::Slot(slot) => Place::Slot(another(slot)),
                };
                all.push(Some(Out::Begin(*count, *place, changed)));
            }
        }
        Out::End(place) => {
            all = vec![Some(Out::End(match place {
                Place::Register(register) => Place::Register((register + 1) % 16),
                Place::Slot(slot) => Place::Slot(another(*slot)),
            }))];
        }
        Out::Remark(_) => all.clear(),
    }
    all
}

#[test]
fn every_corruption_is_found() {
    let (mut tried, mut missed) = (0, 0);
    for kernel in kernels() {
        let (lowered, result) = allocated(&kernel);
        assert!(is_right(&lowered, &result.lines), "{}", kernel.name);
        for (n, line) in result.lines.iter().enumerate() {
            for corruption in corruptions(line) {
                let mut lines = result.lines.clone();
                let text = format!("{corruption:?}");
                match corruption {
                    Some(changed) => lines[n] = changed,
                    None => {
                        lines.remove(n);
                    }
                }
                tried += 1;
                // A copy that is left out may have copied what was there already.
                let harmless = matches!(line, Out::Inst(Inst::Copy { .. }, None)) && text == "None";
                if is_right(&lowered, &lines) {
                    assert!(harmless, "{}, line {n}: {line:?} as {text}", kernel.name);
                    missed += 1;
                }
            }
        }
    }
    assert!(tried > 1_500 && missed < tried / 100, "{tried} corruptions, {missed} harmless");
}

#[test]
fn exchanged_instructions_are_found() {
    for kernel in kernels() {
        let (lowered, result) = allocated(&kernel);
        for n in 1..result.lines.len() {
            let both = matches!(
                (&result.lines[n - 1], &result.lines[n]),
                (Out::Inst(_, Some(_)), Out::Inst(_, Some(_)))
            );
            if both {
                let mut lines = result.lines.clone();
                lines.swap(n - 1, n);
                assert!(!is_right(&lowered, &lines), "{}, line {n}", kernel.name);
            }
        }
    }
}
