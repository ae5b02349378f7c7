//! RC4, with S in memory or in vectors: key set-up, and keystreams for every count of groups.

use super::heads;
use super::kernel::{Call, Kernel, Proof};
use crate::Result;
use crate::bytes::{Bytes, Stream, Term};
use crate::domain::{Domain, Substitution};
use crate::induction::{self, AtEnd, Group, expect, expect_arrays};
use crate::machine::{State, Stop};
use crate::memory::{ARGUMENTS, Access, BOTH, READ, Region, STACK, Value, WRITE};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Bytes of i and j, behind S.
const COUNTERS: usize = 8;
/// Bytes of a group.
const GROUP: usize = 8;
/// Within how many steps of the key set-up a loop comes back to its head.
const STEPS: usize = 8;

/// How a kernel has its states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// In memory, each as S, i and j.
    Memory {
        /// How many.
        states: usize,
        /// Bytes of an element of S.
        element: usize,
    },
    /// One, in vectors: S from S\[i\] on, then 8 times j - i, and 8 times -i.
    Registers,
}

impl Layout {
    fn of(words: &[&str]) -> Result<Self> {
        const WORDS: [&[&str]; 5] = [&[], &["x1"], &["x2"], &["x3"], &["x4"]];
        let (element, states) = match words {
            [_, _, "reg256" | "reg512", _] => return Ok(Self::Registers),
            [_, _, "s8", states @ ..] => (1, states.strip_suffix(&["avx2"]).unwrap_or(states)),
            [_, _, "s32", states @ ..] => (4, states),
            _ => return Err("no theorem says what it is to do".into()),
        };
        let states = WORDS.iter().position(|of| *of == states).ok_or("so many states")?;
        Ok(Self::Memory { states: states.max(1), element })
    }

    fn states(self) -> usize {
        if let Self::Memory { states, .. } = self { states } else { 1 }
    }

    /// The region of states with these streams. In memory S is an array, which has no cells, and i and j are
    /// the caller's to see.
    fn region(self, bytes: &mut Bytes, streams: &[Stream], access: Access) -> Region<Term> {
        let zero = bytes.constant(0);
        let mut cells = Vec::new();
        let element = if let Self::Memory { element, .. } = self { element } else { 1 };
        for stream in streams {
            if self == Self::Registers {
                cells.extend(elements(bytes, stream.s, stream.i));
                cells.extend([bytes.combine(stream.j, stream.i, 255); 8]);
                cells.extend([bytes.combine(zero, stream.i, 255); 8]);
            } else {
                cells.extend(vec![Term::UNKNOWN; 256 * element]);
                cells.extend([stream.i, zero, zero, zero, stream.j, zero, zero, zero]);
            }
        }
        let mut region = Region::new("state", access, cells, 1);
        if self != Self::Registers {
            let arrays = (0..).step_by(256 * element + COUNTERS).zip(streams);
            (region.element, region.word) = (element as i64, (4, 4));
            region.arrays = arrays.map(|(at, stream)| (at, stream.s)).collect();
        }
        region
    }

    /// Lets vectors look up in S.
    fn show(self, bytes: &mut Bytes, stream: &Stream, start: Term) {
        if self == Self::Registers {
            bytes.list(stream.s, start);
        }
    }
}

/// The elements of an array, from an index on.
pub(super) fn elements(bytes: &mut Bytes, array: u32, start: Term) -> Vec<Term> {
    let all = (0..=255).map(|n| {
        let n = bytes.constant(n);
        let index = bytes.combine(start, n, 1);
        bytes.read(array, index)
    });
    all.collect()
}

/// Layouts of S, with the conventions in which streams are given an i that is a multiple of 8.
pub const WHOLE: [(&str, &str); 3] = [("s8", "aapcs64"), ("s32", "sysv64"), ("s32", "win64")];

/// `rc4_apply_(s8 | s32 | regN)`: data XOR keystream. `rc4_keystreams_(s8 | s32)_xN`: keystreams, whose states have one i.
pub(super) fn prove_keystream(kernel: &Kernel<'_>, words: &[&str]) -> Result<Proof> {
    let layout = Layout::of(words)?;
    let (count, is_xor) = (layout.states(), words[1] == "apply");
    let is_whole = WHOLE.contains(&(words[2], kernel.image.convention.name));
    let factor = if is_whole { GROUP } else { 1 };
    let mut machine = kernel.machine::<Bytes>();
    let bytes = &mut machine.domain;
    let (number, zero) = (bytes.input(), bytes.constant(0));
    let i = bytes.combine(zero, number, factor as u8);
    let streams: Vec<Stream> =
        (0..count).map(|_| Stream { s: bytes.array(), i, j: bytes.input() }).collect();
    let mut call = Call::<Bytes>::new();
    let states = layout.region(bytes, &streams, BOTH);
    let before = states.cells.to_vec();
    let states = call.region(states);
    let given = (0..GROUP * count).map(|_| if is_xor { bytes.input() } else { Term::UNKNOWN });
    let data: Vec<Term> = given.collect();
    let (access, name) = if is_xor { (BOTH, "data") } else { (WRITE, "out") };
    let data_region = call.region(Region::new(name, access, data.clone(), 1));
    call.count();
    // One group, by the specification.
    let (mut after, mut result) = (streams.clone(), Vec::new());
    for (n, stream) in after.iter_mut().enumerate() {
        for k in 0..GROUP {
            layout.show(bytes, stream, i);
            let byte = bytes.prga(stream);
            layout.show(bytes, stream, i);
            result.push(if is_xor { bytes.xor(byte, data[GROUP * n + k]) } else { byte });
        }
    }
    let mut carried = Substitution::default();
    let groups = bytes.constant((GROUP / factor) as u8);
    carried.cells.insert(number, bytes.combine(number, groups, 1));
    for (stream, after) in streams.iter().zip(&after) {
        carried.cells.insert(stream.j, after.j);
        carried.arrays.insert(stream.s, after.s);
    }
    let some = layout.region(bytes, &after, BOTH).cells.to_vec();
    let at_end = vec![AtEnd { region: states, none: before, some }];
    let state = call.state(kernel, &mut machine.domain);
    let group = Group { data: data_region, result, carried, at_end };
    induction::prove(&mut machine, state, &group)?;
    let does = if layout == Layout::Registers {
        "data becomes data XOR the next bytes of the PRGA; state has S from S[i] on, j - i and -i,\n\
         \x20        the latter 8 times each, before and behind them"
    } else if is_xor {
        "data becomes data XOR the next bytes of the PRGA; state has S, i, j behind them"
    } else {
        "out becomes, in groups of 8 bytes by turns, the next bytes of each PRGA; states, which\n\
         \x20        have one i, have S, i, j behind them"
    };
    let does = [if is_whole { "if i is a multiple of 8, " } else { "" }, does].concat();
    let statement = call.statement(kernel, layout == Layout::Registers, &does);
    Ok(Proof { statement, leaks: machine.leaks })
}

/// `rc4_setup_(s8[_xN] | regN)`: S of each key.
///
/// Where a loop begins again, S is what the specification has after a number of steps. Then both get a
/// new S, of which nothing is known, and so does j: what holds for any S and j holds for these.
pub(super) fn prove_setup(kernel: &Kernel<'_>, words: &[&str]) -> Result<Proof> {
    let layout = Layout::of(words)?;
    let count = layout.states();
    let mut machine = kernel.machine::<Bytes>();
    let bytes = &mut machine.domain;
    let keys: Vec<Term> = (0..256 * count).map(|_| bytes.input()).collect();
    let zero = bytes.constant(0);
    let mut streams = Vec::new();
    let mut blank = Vec::new();
    for _ in 0..count {
        let s = bytes.array();
        blank.push(Stream { s, i: zero, j: zero });
        let numbers = (0..=255).map(|n| bytes.constant(n)).collect::<Vec<_>>();
        let s = numbers.into_iter().try_fold(s, |s, n| bytes.write(s, n, n))?;
        streams.push(Stream { s, i: zero, j: zero });
    }
    let mut call = Call::<Bytes>::new();
    let access = if layout == Layout::Registers { WRITE } else { BOTH };
    let mut states = layout.region(bytes, &blank, access);
    Rc::make_mut(&mut states.cells).fill(Term::UNKNOWN);
    let states = call.region(states);
    call.region(Region::new("keys", READ, keys.clone(), 1));
    let heads = heads::loop_heads(kernel)?;
    let mut state = call.state(kernel, &mut machine.domain);
    let mut done = 0;
    loop {
        // What the specification has after the next steps; vectors may look up in it.
        let mut ahead = vec![streams.clone()];
        for n in done..256.min(done + STEPS) {
            let mut next = ahead[n - done].clone();
            layout.show(&mut machine.domain, &next[0], zero);
            step(&mut machine.domain, &mut next, &keys, n);
            ahead.push(next);
        }
        match machine.run(&mut state, &heads)? {
            Stop::Reached => {}
            Stop::Return => break,
            Stop::Branch { .. } => return Err("a branch on a count".into()),
        }
        if let Some(steps) = heads::steps(&mut machine.domain, &state, &ahead) {
            (done, streams) = (done + steps, ahead.swap_remove(steps));
            // At the beginning S is known, and kernels may use that S[0] = 0.
            if steps > 0 && done < 256 {
                forget(&mut machine.domain, &mut state, &mut streams)?;
            }
        } else if done > 0 {
            return Err("a loop begins with another S than the KSA has".into());
        }
    }
    if done + STEPS < 256 {
        return Err("a return before the last steps".into());
    }
    machine.check_return(&state)?;
    let bytes = &mut machine.domain;
    (done..256).for_each(|n| step(bytes, &mut streams, &keys, n));
    let wanted: Vec<Stream> =
        streams.iter().map(|stream| Stream { i: zero, j: zero, ..*stream }).collect();
    let wanted = layout.region(bytes, &wanted, BOTH);
    let got = &state.memory.regions[states];
    expect_arrays(bytes, got, &wanted, None)?;
    expect(bytes, got, &wanted.cells)?;
    let does = "each state becomes S by the KSA of its key of 256 bytes, which the caller repeats, and\n\
        \x20        i = j = 0";
    let statement = call.statement(kernel, layout == Layout::Registers, does);
    Ok(Proof { statement, leaks: machine.leaks })
}

/// A step of the specification for each state.
fn step(bytes: &mut Bytes, streams: &mut [Stream], keys: &[Term], done: usize) {
    for (n, stream) in streams.iter_mut().enumerate() {
        bytes.ksa_step(stream, keys[256 * n + done]);
    }
}

/// Puts a new S and a new j in place of those of the specification and of memory, and of all that a
/// register or the stack has of them.
fn forget(bytes: &mut Bytes, state: &mut State<Bytes>, streams: &mut [Stream]) -> Result<()> {
    let zero = bytes.constant(0);
    let mut places: FxHashMap<Term, Term> = FxHashMap::default();
    for (n, stream) in streams.iter_mut().enumerate() {
        let s = bytes.array();
        let pairs = [stream.s, s].map(|s| elements(bytes, s, zero));
        let pairs = pairs[0].iter().zip(&pairs[1]);
        places.extend(pairs.filter(|(before, _)| bytes.known(**before).is_none()));
        if bytes.known(stream.j).is_none() {
            let j = Domain::input(bytes);
            let apart = [stream.j, j].map(|j| bytes.combine(j, stream.i, 255));
            places.extend([(stream.j, j), (apart[0], apart[1])]);
            stream.j = j;
        }
        if let Some((_, array)) = state.memory.regions[ARGUMENTS].arrays.get_mut(n) {
            if !bytes.same_arrays(*array, stream.s) {
                return Err("memory has another S than the specification".into());
            }
            *array = s;
        }
        stream.s = s;
    }
    let replaced = |cell: &Term| places.get(cell).copied().unwrap_or(*cell);
    for value in &mut state.registers {
        if let Value::Cells(cells) = value {
            *value = Value::Cells(cells.iter().map(replaced).collect());
        } else if matches!(value, Value::Indexed(..)) {
            *value = Value::Unknown;
        }
    }
    let replace = |cell: &mut Term| *cell = replaced(cell);
    state.vectors.iter_mut().for_each(|vector| Rc::make_mut(vector).iter_mut().for_each(replace));
    let stack = &mut state.memory.regions[STACK];
    stack.values.retain(|_, value| !matches!(value, Value::Indexed(..)));
    Rc::make_mut(&mut stack.cells).iter_mut().for_each(replace);
    Ok(())
}
