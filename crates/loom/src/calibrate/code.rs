//! From a probe to loops of machine code.
//!
//! A loop does a probe over and over. For a latency each copy waits for the one before, through one of the
//! registers that go in; what else is written over comes from a copy of a register that stays. For a
//! throughput no copy waits for another: the results go round through as many registers as there are.
//! Two probes in turns show whether they share a port.

use std::collections::{BTreeMap, HashMap};

use crate::isa::costs::{Class, Cpu};
use crate::isa::frame::Abi;
use crate::isa::lower::Lowered;
use crate::isa::probe::{Chain, POINTER, Probe};
use crate::isa::program::{Allocated, Location, Out};
use crate::isa::registry::{self, WithIsa};
use crate::isa::timing::{Cost, Flow};
use crate::isa::{Features, Isa, Reg, RegSet, Role, Slots, Target};
use crate::stats::Bounds;

/// Instructions of a loop, about: so many that its end does not count, so few that they stay decoded.
const INSTRUCTIONS: usize = 128;

/// What a loop is to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// How long a result takes from a source, by the source's number.
    Latency(usize),
    /// How often it can be done.
    Throughput,
}

/// A probe in a loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// What it tells.
    pub question: Question,
    /// How often the probe is done each time.
    pub copies: usize,
    /// The machine code of a function of a pointer and a count.
    pub bytes: Vec<u8>,
    /// What the function's lines cost, and which of them are the loop.
    costs: Vec<Option<Cost>>,
    body: Vec<usize>,
}

/// A probe without its instruction set.
#[derive(Clone, Debug)]
pub struct Coded {
    /// Its name.
    pub name: &'static str,
    /// What the processor must have.
    pub needs: Features,
    /// How it waits for the one before.
    pub chain: Chain,
    /// The scheduling classes of its instructions, loads and stores without one of their own included.
    pub classes: Vec<Class>,
    /// Its loops; that for the throughput last.
    pub loops: Vec<Loop>,
}

/// All probes of an instruction set.
#[derive(Clone, Debug)]
pub struct Set {
    /// What is measured.
    pub probes: Vec<Coded>,
    /// Work after which units that slept are awake.
    pub waking: Vec<Coded>,
    /// The scheduling classes with their names.
    pub classes: Vec<(Class, String)>,
    /// The folder of its cost models, from the repository's root.
    pub folder: &'static str,
}

/// The probes of a target for a processor that has certain features; none if there are none for its
/// instruction set.
#[must_use]
pub fn set(target: &'static Target, features: Features) -> Option<Set> {
    struct Gather(&'static Target, Features);
    impl WithIsa for Gather {
        type Out = Option<Set>;

        fn with<T: Isa>(self) -> Self::Out {
            let probes = T::probes()?;
            let coder = Coder { isa: T::new(self.0, self.1), abi: Abi::usual(self.0) };
            let here = |probe: &&Probe<T::Inst>| self.1.include(probe.needs);
            let coded = |probes: &[Probe<T::Inst>]| {
                probes.iter().filter(here).map(|probe| coder.coded(probe)).collect()
            };
            Some(Set {
                probes: coded(&probes.all),
                waking: coded(&probes.waking),
                classes: probes.classes,
                folder: probes.folder,
            })
        }
    }
    registry::with(target, Gather(target, features))
}

/// The loop that does two probes of a target in turns, by their names; none if there are no such.
#[must_use]
pub(super) fn in_turns(
    target: &'static Target,
    features: Features,
    names: [&str; 2],
) -> Option<Loop> {
    struct Join<'a>(&'static Target, Features, [&'a str; 2]);
    impl WithIsa for Join<'_> {
        type Out = Option<Loop>;

        fn with<T: Isa>(self) -> Self::Out {
            let probes = T::probes()?;
            let find = |name| probes.all.iter().find(|probe| probe.name == name);
            let [first, second] = [find(self.2[0])?, find(self.2[1])?];
            let coder = Coder { isa: T::new(self.0, self.1), abi: Abi::usual(self.0) };
            let both = coder.joined(first, second);
            let roles = Roles::of(coder.isa, &both.code[0]);
            coder.in_a_loop(&both, &roles, Question::Throughput)
        }
    }
    registry::with(target, Join(target, features, names))
}

impl Loop {
    /// Cycles a copy, by a cost model.
    #[must_use]
    pub fn predicted(&self, cpu: &Cpu) -> f64 {
        Bounds::of_loop(&self.body, &self.costs, cpu).highest() / self.copies as f64
    }
}

/// How the registers of a probe depend on each other.
#[derive(Default)]
struct Roles {
    /// What an instruction can name there, of all that name it.
    allowed: BTreeMap<Reg, RegSet>,
    /// What goes in, in order.
    sources: Vec<Reg>,
    /// What is written, in order; the last one is the result.
    written: Vec<Reg>,
    /// Sources, and what is written over them.
    over: Vec<(Reg, Reg)>,
}

impl Roles {
    fn of<T: Isa>(isa: T, code: &[T::Inst]) -> Self {
        let mut roles = Self::default();
        for inst in code {
            let operands = isa.operands(inst);
            for (n, operand) in operands.iter().enumerate().filter(|(_, one)| one.reg != POINTER) {
                let reg = operand.reg;
                let allowed = roles.allowed.entry(reg).or_insert(operand.allowed);
                *allowed = allowed.and(operand.allowed);
                match operand.role {
                    Role::Define => roles.written.push(reg),
                    _ if roles.written.contains(&reg) || roles.sources.contains(&reg) => {}
                    _ => roles.sources.push(reg),
                }
                if operand.role == Role::Tied {
                    roles.over.push((reg, operands[n + 1].reg));
                }
            }
        }
        roles
    }
}

struct Coder<T> {
    isa: T,
    abi: &'static Abi,
}

impl<T: Isa> Coder<T> {
    fn coded(&self, probe: &Probe<T::Inst>) -> Coded {
        let roles = Roles::of(self.isa, &probe.code[0]);
        let sources = match (probe.chain, roles.written.last()) {
            (Chain::None, _) | (_, None) => 0,
            _ => roles.sources.len(),
        };
        let latencies = (0..sources).map(Question::Latency);
        let loops = latencies.chain([Question::Throughput]);
        let loops: Vec<_> =
            loops.filter_map(|question| self.in_a_loop(probe, &roles, question)).collect();
        let classes = loops.last().map_or(Vec::new(), |flood| {
            let each = flood.body.len() / flood.copies;
            let costs = flood.body[..each].iter().filter_map(|&line| flood.costs[line].as_ref());
            let class = |cost: &Cost| match cost.class {
                Some(class) => class,
                None if cost.stores => Class::STORE,
                None => Class::LOAD,
            };
            costs.map(class).collect()
        });
        let Probe { name, needs, chain, .. } = *probe;
        Coded { name, needs, chain, classes, loops }
    }

    /// One probe behind another, on registers of its own.
    fn joined(&self, first: &Probe<T::Inst>, second: &Probe<T::Inst>) -> Probe<T::Inst> {
        const FURTHER: u32 = 1 << 16;
        let other = |inst: &T::Inst| {
            let registers = self.isa.operands(inst).into_iter().map(|one| match one.reg {
                Reg::Virtual(number) if one.reg != POINTER => Reg::Virtual(number + FURTHER),
                same => same,
            });
            self.isa.rename(inst, &registers.collect::<Vec<_>>())
        };
        let code = first.code[0].iter().cloned().chain(second.code[0].iter().map(other)).collect();
        // What has registers for vectors fills them as it uses them.
        let widest = if first.needs.include(second.needs) { first } else { second };
        Probe { code: vec![code], fill: widest.fill, chain: Chain::Sources, ..*first }
    }

    /// The loop that answers a question; none if no register can be both source and result.
    fn in_a_loop(&self, probe: &Probe<T::Inst>, roles: &Roles, question: Question) -> Option<Loop> {
        let [pointer, count, ..] = *self.abi.arguments else { return None };
        let mut free = self.isa.usable(self.abi).without(RegSet::of(&[pointer, count]));
        let result = roles.written.last().copied();
        let is_over =
            |source: Reg| result.is_some_and(|result| roles.over.contains(&(source, result)));
        let in_place = probe.chain == Chain::InPlace;
        // The source that changes from copy to copy, or those that the result lies over.
        let moves = |source: Reg| match question {
            Question::Latency(n) => roles.sources[n] == source,
            Question::Throughput => is_over(source) || in_place,
        };
        let mut fixed: HashMap<Reg, u8> = HashMap::from([(POINTER, pointer)]);
        let stay = roles.sources.iter().filter(|source| !moves(**source));
        let temporary = roles.written.iter().filter(|written| Some(**written) != result);
        for reg in stay.chain(temporary) {
            let register = free.and(roles.allowed[reg]).iter().last()?;
            free = free.without(RegSet::one(register));
            fixed.insert(*reg, register);
        }
        let mut ring: Vec<u8> = Vec::new();
        if let Some(result) = result {
            let moving = roles.sources.iter().filter(|source| moves(**source));
            let allowed =
                moving.fold(roles.allowed[&result], |all, reg| all.and(roles.allowed[reg]));
            ring.extend(free.and(allowed).iter());
            if let Question::Latency(n) = question {
                ring.truncate(if in_place || is_over(roles.sources[n]) { 1 } else { 2 });
            }
            if ring.is_empty() {
                return None;
            }
        }
        let turns = ring.len().max(1);
        let copies = (INSTRUCTIONS / probe.code[0].len()).next_multiple_of(turns);
        let mut body = Vec::new();
        for copy in 0..copies {
            // Where the copy before left its result, and where this one does.
            let at = |copy: usize| ring.get(copy % turns).copied();
            let [from, to] = match question {
                Question::Latency(_) => [at(copy), at(copy + 1)],
                Question::Throughput => [at(copy), at(copy)],
            };
            let place = |reg: Reg| match fixed.get(&reg).copied() {
                None if Some(reg) == result => to.expect("a ring"),
                None => from.expect("a ring"),
                Some(register) => register,
            };
            for inst in &probe.code[copy % probe.code.len()] {
                self.put(inst, &place, &mut body);
            }
        }
        let used: Vec<u8> = ring.iter().chain(fixed.values()).copied().collect();
        let fill = used.iter().filter(|register| **register != pointer).map(|&register| {
            self.on(&(probe.fill)(Reg::Physical(register)), &|reg| match reg {
                Reg::Physical(register) => register,
                Reg::Virtual(_) => pointer,
            })
        });
        let written = RegSet::of(&used).or(RegSet::one(count));
        Some(self.function(question, copies, fill.collect(), body, count, written))
    }

    /// An instruction on the processor's registers.
    fn on(&self, inst: &T::Inst, place: &dyn Fn(Reg) -> u8) -> T::Inst {
        let registers = self.isa.operands(inst).into_iter();
        let registers: Vec<_> = registers.map(|one| Reg::Physical(place(one.reg))).collect();
        self.isa.rename(inst, &registers)
    }

    /// The same, behind copies of what it writes over and is wanted later.
    fn put(&self, inst: &T::Inst, place: &dyn Fn(Reg) -> u8, body: &mut Vec<T::Inst>) {
        let operands = self.isa.operands(inst);
        let mut registers: Vec<_> =
            operands.iter().map(|one| Reg::Physical(place(one.reg))).collect();
        for n in 0..operands.len() {
            if operands[n].role == Role::Tied && registers[n] != registers[n + 1] {
                body.push(self.isa.copy(registers[n + 1], registers[n]));
                registers[n] = registers[n + 1];
            }
        }
        body.push(self.isa.rename(inst, &registers));
    }

    fn function(
        &self,
        question: Question,
        copies: usize,
        fill: Vec<T::Inst>,
        body: Vec<T::Inst>,
        count: u8,
        written: RegSet,
    ) -> Loop {
        let inst = |inst| Out::Inst(inst, None);
        let place = Location::Register(count);
        let mut lines: Vec<Out<T::Inst>> = fill.into_iter().map(inst).collect();
        lines.push(Out::Begin(Reg::Physical(count), place, Vec::new()));
        lines.extend(body.into_iter().map(inst));
        lines.push(Out::End(place));
        let allocated = Allocated { lines, slots: Slots::default(), written, spill_cost: 0 };
        let lowered = Lowered {
            params: Vec::new(),
            code: Vec::new(),
            aligns: Vec::new(),
            trips: HashMap::new(),
        };
        let program = self.isa.finish(&allocated, &lowered, self.abi, &[]);
        let bytes = T::bytes(&program, None).expect("code without tables");
        let flow = T::flow(&program);
        let top = flow.iter().position(|(_, flow)| matches!(flow, Flow::Top(_)));
        let end = flow.iter().position(|(_, flow)| matches!(flow, Flow::Again(_)));
        let (top, end) = (top.expect("a loop"), end.expect("its end"));
        let body = flow[top + 1..=end].iter().map(|(line, _)| *line).collect();
        Loop { question, copies, bytes, costs: T::costs(&program), body }
    }
}
