//! The checker of allocation finds every deliberate corruption.

use loom::allocate::{Budget, Out, Place, allocate, check};
use loom::ciphers::{des, rc4};
use loom::ir::Kernel;
use loom::isa::frame::Abi;
use loom::isa::hppa::conventions::HPPA;
use loom::isa::hppa::{self, Hppa};
use loom::isa::x86::conventions::SYSV64;
use loom::isa::x86::{self, Choices, Features, X86_64};
use loom::isa::{Code, Isa, Reg, RegSet, Role, Slot};

/// A kernel before and after allocation.
struct Subject<T: Isa> {
    name: String,
    code: Vec<Code<T::Inst>>,
    params: Vec<Reg>,
    abi: &'static Abi,
    registers: RegSet,
    lines: Vec<Out<T::Inst>>,
}

impl<T: Isa> Subject<T>
where
    T::Inst: PartialEq,
{
    fn new(
        kernel: &Kernel,
        code: Vec<Code<T::Inst>>,
        params: Vec<Reg>,
        abi: &'static Abi,
        registers: RegSet,
    ) -> Self {
        // Few homes, so that there are spills to corrupt.
        let budget = Budget { registers, homes: 5, thrifty: false };
        let lines = allocate::<T>(&code, &params, abi, budget).lines;
        Self { name: kernel.name.clone(), code, params, abi, registers, lines }
    }

    fn is_right(&self, lines: &[Out<T::Inst>]) -> bool {
        check::<T>(&self.code, &self.params, self.abi, self.registers, lines).is_ok()
    }

    /// Whether a line is one that allocation added and nobody needs: a copy of what was there
    /// already, a reload of what is reloaded again before it is read.
    fn is_idle(&self, line: usize) -> bool {
        let added = matches!(self.lines[line], Out::Inst(_, None));
        let mut without = self.lines.clone();
        without.remove(line);
        added && self.is_right(&without)
    }
}

fn chain(layout: des::Layout) -> Kernel {
    let (passes, direction) = (des::Passes::One, des::Direction::Encrypt);
    let (frame, permute) = (des::Frame::Chain, des::Permute::Shifts);
    des::Variant { layout, passes, direction, frame, permute }.kernel()
}

fn rc4(task: rc4::Task) -> Kernel {
    rc4::Variant { entry: rc4::Entry::Byte, task, word: rc4::Word::Bits64 }.kernel()
}

fn x86() -> Vec<Subject<X86_64>> {
    let kernels =
        [chain(des::Layout::Bytes), rc4(rc4::Task::Apply), rc4(rc4::Task::Setup(2))].into_iter();
    let subject = |kernel: Kernel| {
        let lowered = x86::lower(&kernel, &SYSV64, Features::NONE, &Choices::default());
        Subject::new(&kernel, lowered.code, lowered.params, &SYSV64, x86::GENERAL)
    };
    kernels.map(subject).collect()
}

fn hppa() -> Vec<Subject<Hppa>> {
    let kernels = [chain(des::Layout::Dense), rc4(rc4::Task::Apply)].into_iter();
    let subject = |kernel: Kernel| {
        let lowered = hppa::lower(&kernel, &HPPA);
        Subject::new(&kernel, lowered.code, lowered.params, &HPPA, hppa::GENERAL)
    };
    kernels.map(subject).collect()
}

/// The next register of the same class.
fn other<T: Isa>(register: u8) -> u8 {
    let class = T::class(register);
    let behind = class.iter().find(|&other| other > register);
    behind.or_else(|| class.iter().next()).expect("a class has registers")
}

fn another(slot: Slot) -> Slot {
    Slot { number: slot.number + 1, ..slot }
}

fn elsewhere<T: Isa>(place: Place) -> Place {
    match place {
        Place::Register(register) => Place::Register(other::<T>(register)),
        Place::Slot(slot) => Place::Slot(another(slot)),
    }
}

/// Every way to change one line: another register in one operand, another slot, nothing at all.
fn corruptions<T: Isa>(line: &Out<T::Inst>) -> Vec<Option<Out<T::Inst>>> {
    let mut all = vec![None];
    match line {
        Out::Inst(inst, origin) => {
            let operands = T::operands(inst);
            let registers: Vec<Reg> = operands.iter().map(|operand| operand.reg).collect();
            for n in 0..registers.len() {
                let mut changed = registers.clone();
                if let Reg::Physical(register) = changed[n] {
                    changed[n] = Reg::Physical(other::<T>(register));
                }
                all.push(Some(Out::Inst(T::rename(inst, &changed), *origin)));
            }
            if let Some(slot) = T::slot(inst) {
                let (reg, slot) = (operands[0].reg, another(slot));
                let spills = operands[0].role == Role::Use;
                let changed = if spills { T::spill(slot, reg) } else { T::reload(reg, slot) };
                all.push(Some(Out::Inst(changed, None)));
            }
        }
        Out::Begin(count, place, homes) => {
            all.clear();
            for n in 0..homes.len() {
                let mut changed = homes.clone();
                changed[n].1 = elsewhere::<T>(changed[n].1);
                all.push(Some(Out::Begin(*count, *place, changed)));
            }
        }
        Out::End(place) => all = vec![Some(Out::End(elsewhere::<T>(*place)))],
        Out::Remark(_) => all.clear(),
    }
    all
}

fn corrupt<T: Isa>(subjects: &[Subject<T>])
where
    T::Inst: PartialEq,
{
    let (mut tried, mut missed) = (0, 0);
    for subject in subjects {
        let name = &subject.name;
        assert!(subject.is_right(&subject.lines), "{name}");
        for (n, line) in subject.lines.iter().enumerate() {
            for corruption in corruptions::<T>(line) {
                let mut lines = subject.lines.clone();
                let text = format!("{corruption:?}");
                match corruption {
                    Some(changed) => lines[n] = changed,
                    None => {
                        lines.remove(n);
                    }
                }
                tried += 1;
                if subject.is_right(&lines) {
                    assert!(subject.is_idle(n), "{name}, line {n}: {line:?} as {text}");
                    missed += 1;
                }
            }
        }
    }
    assert!(tried > 1_000 && missed < tried / 100, "{tried} corruptions, {missed} harmless");
    println!("{tried} corruptions, {missed} harmless");
}

fn exchange<T: Isa>(subjects: &[Subject<T>])
where
    T::Inst: PartialEq,
{
    for subject in subjects {
        for n in 1..subject.lines.len() {
            let both = matches!(
                (&subject.lines[n - 1], &subject.lines[n]),
                (Out::Inst(_, Some(_)), Out::Inst(_, Some(_)))
            );
            if both {
                let mut lines = subject.lines.clone();
                lines.swap(n - 1, n);
                assert!(!subject.is_right(&lines), "{}, line {n}", subject.name);
            }
        }
    }
}

#[test]
fn every_corruption_is_found() {
    corrupt(&x86());
}

#[test]
fn every_corruption_is_found_on_pa_risc() {
    corrupt(&hppa());
}

#[test]
fn exchanged_instructions_are_found() {
    exchange(&x86());
    exchange(&hppa());
}
