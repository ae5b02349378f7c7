//! The checker of allocation finds every deliberate corruption.

use iced_x86::{Code, Instruction, Register};
use loom::allocate::{Budget, Wrong, allocate, check, check_stack};
use loom::ciphers::{des, rc4};
use loom::ir::Kernel;
use loom::isa::aarch64::conventions::AAPCS64;
use loom::isa::aarch64::costs;
use loom::isa::aarch64::{AARCH64, AArch64};
use loom::isa::frame::Abi;
use loom::isa::hppa::Hppa;
use loom::isa::hppa::conventions::HPPA;
use loom::isa::lower::Lowered;
use loom::isa::program::{Line, Location, Out};
use loom::isa::x86::X86;
use loom::isa::x86::X86_64;
use loom::isa::x86::conventions::SYSV64;
use loom::isa::x86::costs::GENERIC;
use loom::isa::{Choices, Features, Isa, Node, Reg, RegSet, Role, Slot};
use loom::pipeline::{Options, compile};

/// A kernel before and after allocation.
struct Subject<T: Isa> {
    isa: T,
    name: String,
    code: Vec<Node<T::Inst>>,
    params: Vec<Reg>,
    abi: &'static Abi,
    registers: RegSet,
    lines: Vec<Out<T::Inst>>,
}

impl<T: Isa> Subject<T> {
    fn new(isa: T, kernel: &Kernel, abi: &'static Abi) -> Self {
        let Lowered { code, params, .. } = isa.lower(kernel, abi, &Choices::default());
        let registers = T::CLASSES[0].registers;
        // Few registers around loops, so that there are spills to corrupt.
        let budget = Budget { registers, words: 5, prefer_spilled_victims: false };
        let lines = allocate(isa, &code, &params, abi, budget).lines;
        Self { isa, name: kernel.name.clone(), code, params, abi, registers, lines }
    }

    fn is_right(&self, lines: &[Out<T::Inst>]) -> bool {
        check(self.isa, &self.code, &self.params, self.abi, self.registers, lines).is_ok()
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
    let (task, permute) = (des::Task::Chain, des::Permute::Shifts);
    des::Config { layout, passes, direction, task, permute }.kernel()
}

fn rc4(task: rc4::Task) -> Kernel {
    rc4::Config {
        entry: rc4::Entry::Byte,
        task,
        word: rc4::Word::Bits64,
        inserts: false,
        whole: false,
    }
    .kernel(1)
}

fn x86() -> Vec<Subject<X86>> {
    let kernels = [chain(des::Layout::Bytes), rc4(rc4::Task::Apply), rc4(rc4::Task::Setup(2))];
    let isa = X86::new(&X86_64, Features::NONE);
    kernels.iter().map(|kernel| Subject::new(isa, kernel, &SYSV64)).collect()
}

fn hppa() -> Vec<Subject<Hppa>> {
    let kernels = [chain(des::Layout::Dense), rc4(rc4::Task::Apply)];
    kernels.iter().map(|kernel| Subject::new(Hppa, kernel, &HPPA)).collect()
}

fn aarch64() -> Vec<Subject<AArch64>> {
    let kernels = [chain(des::Layout::Bytes), rc4(rc4::Task::Apply)];
    let isa = AArch64::new(&AARCH64, Features::NONE);
    kernels.iter().map(|kernel| Subject::new(isa, kernel, &AAPCS64)).collect()
}

/// The next register of the same class.
fn other<T: Isa>(register: u8) -> u8 {
    let class = T::CLASSES.iter().find(|class| class.registers.contains(register));
    let class = class.expect("a register of a class").registers;
    let behind = class.iter().find(|&other| other > register);
    behind.or_else(|| class.iter().next()).expect("a class has registers")
}

fn another(slot: Slot) -> Slot {
    Slot { number: slot.number + 1, ..slot }
}

fn elsewhere<T: Isa>(place: Location) -> Location {
    match place {
        Location::Register(register) => Location::Register(other::<T>(register)),
        Location::Slot(slot) => Location::Slot(another(slot)),
    }
}

/// Every way to change one line: another register in one operand, another slot, nothing at all.
fn corruptions<T: Isa>(isa: T, line: &Out<T::Inst>) -> Vec<Option<Out<T::Inst>>> {
    let mut all = vec![None];
    match line {
        Out::Inst(inst, origin) => {
            let operands = isa.operands(inst);
            let registers: Vec<Reg> = operands.iter().map(|operand| operand.reg).collect();
            for n in 0..registers.len() {
                let mut changed = registers.clone();
                if let Reg::Physical(register) = changed[n] {
                    changed[n] = Reg::Physical(other::<T>(register));
                }
                all.push(Some(Out::Inst(isa.rename(inst, &changed), *origin)));
            }
            if let Some(slot) = isa.slot(inst) {
                let (reg, slot) = (operands[0].reg, another(slot));
                let spills = operands[0].role == Role::Use;
                let changed = if spills { isa.spill(slot, reg) } else { isa.reload(reg, slot) };
                all.push(Some(Out::Inst(changed, None)));
            }
        }
        Out::Begin(count, place, assigned) => {
            all.clear();
            for n in 0..assigned.len() {
                let mut changed = assigned.clone();
                changed[n].1 = elsewhere::<T>(changed[n].1);
                all.push(Some(Out::Begin(*count, *place, changed)));
            }
        }
        Out::End(place) => all = vec![Some(Out::End(elsewhere::<T>(*place)))],
        Out::Comment(_) => all.clear(),
    }
    all
}

fn corrupt<T: Isa>(subjects: &[Subject<T>]) {
    let (mut tried, mut missed) = (0, 0);
    for subject in subjects {
        let name = &subject.name;
        assert!(subject.is_right(&subject.lines), "{name}");
        for (n, line) in subject.lines.iter().enumerate() {
            for corruption in corruptions(subject.isa, line) {
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

fn exchange<T: Isa>(subjects: &[Subject<T>]) {
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
fn every_corruption_is_found_on_aarch64() {
    corrupt(&aarch64());
}

#[test]
fn exchanged_instructions_are_found() {
    exchange(&x86());
    exchange(&hppa());
    exchange(&aarch64());
}

/// Below the stack pointer a program may touch its convention's red zone, and nothing else.
#[test]
fn what_touches_the_stack_below_its_pointer_is_refused() {
    let options = Options::untuned(GENERIC, Features::NONE);
    let compiled = compile::<X86>(&chain(des::Layout::Bytes), &SYSV64, &options).expect("code");
    let mut program = compiled.program;
    assert_eq!(check_stack(&program, &SYSV64), Ok(()));
    let spilled = program
        .lines
        .iter()
        .position(|line| matches!(line, Line::Inst(inst) if inst.memory_base() == Register::RSP));
    let line = spilled.expect("a spill");
    let Line::Inst(inst) = &mut program.lines[line] else { unreachable!("an instruction") };
    inst.set_memory_displacement64(-16i64 as u64);
    assert_eq!(check_stack(&program, &SYSV64), Err(Wrong::Below { line, bytes: 16 }));
    for red_zone in [8, 16, 128] {
        let result = check_stack(&program, &Abi { red_zone, ..SYSV64 });
        assert_eq!(result.is_ok(), red_zone >= 16, "a red zone of {red_zone} bytes");
    }
}

/// Where a system adds pages to a stack one by one, a program touches each on its way down, or is refused.
#[test]
fn frames_larger_than_a_page_that_are_not_touched_are_refused() {
    static SMALL: Abi = Abi { page: Some(8), ..SYSV64 };
    let options = Options::untuned(GENERIC, Features::NONE);
    let program = |abi| {
        let compiled = compile::<X86>(&chain(des::Layout::Bytes), abi, &options).expect("code");
        compiled.program
    };
    let at_once = program(&SYSV64);
    assert_eq!(check_stack(&at_once, &SYSV64), Ok(()));
    let refused = check_stack(&at_once, &SMALL);
    assert!(matches!(refused, Err(Wrong::Untouched { bytes: 16.., .. })), "{refused:?}");
    let touched = program(&SMALL);
    assert_eq!(check_stack(&touched, &SMALL), Ok(()));
    assert_eq!(touched.stack, at_once.stack);
    let is_touch = |line: &Line<Instruction>| matches!(line, Line::Inst(inst) if inst.code() == Code::Mov_rm32_imm32);
    let touches: Vec<usize> =
        (0..touched.lines.len()).filter(|&n| is_touch(&touched.lines[n])).collect();
    assert!(!touches.is_empty());
    for line in touches {
        let mut without = touched.clone();
        without.lines.remove(line);
        assert_eq!(check_stack(&without, &SMALL), Err(Wrong::Untouched { line, bytes: 16 }));
    }
}

/// Programs for AArch64 touch no page on their way down: a frame that is larger is refused.
#[test]
fn frames_larger_than_a_page_are_refused_on_aarch64() {
    let options = Options::untuned(costs::ALL[0], Features::NONE);
    let kernel = chain(des::Layout::Bytes);
    let program = compile::<AArch64>(&kernel, &AAPCS64, &options).expect("code").program;
    assert_eq!(AAPCS64.page, Some(4096));
    for (page, is_right) in [(4096, true), (program.stack, true), (16, false)] {
        let result = check_stack(&program, &Abi { page: Some(page), ..AAPCS64 });
        assert_eq!(result.is_ok(), is_right, "pages of {page} bytes: {result:?}");
    }
}
