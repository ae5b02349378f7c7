//! RC4 with S in memory: key set-up, and keystreams for every count of groups.

use super::kernel::{Call, Kernel, Proof};
use crate::Result;
use crate::bytes::{Bytes, Stream, Term};
use crate::domain::{Domain, Substitution};
use crate::induction::{self, AtEnd, Group, expect};
use crate::machine::{Machine, State, Stop};
use crate::memory::{ARGUMENTS, BOTH, READ, Region, STACK, Value, WRITE};
use iced_x86::{Decoder, DecoderOptions};
use std::rc::Rc;

/// Bytes of a state: S, then i and j in 4 bytes each.
const STATE: usize = 256 + 8;
/// Bytes of a group.
const GROUP: usize = 8;
/// Within how many steps of the key set-up a loop comes back to its head.
const STEPS: usize = 8;

/// How many states a kernel has: `xN`, or one.
fn states(words: &[&str]) -> Result<usize> {
    match words {
        [_, _, "s8"] => Ok(1),
        [_, _, "s8", "x2"] => Ok(2),
        [_, _, "s8", "x3"] => Ok(3),
        [_, _, "s8", "x4"] => Ok(4),
        _ => Err("no theorem says what it is to do".into()),
    }
}

/// The region of states with these streams; i and j are the caller's to see. S has no cells.
fn region(bytes: &mut Bytes, streams: &[Stream], access: crate::memory::Access) -> Region<Term> {
    let zero = bytes.constant(0);
    let mut cells = Vec::new();
    for stream in streams {
        cells.extend([Term::UNKNOWN; 256]);
        cells.extend([stream.i, zero, zero, zero, stream.j, zero, zero, zero]);
    }
    let mut region = Region::new("state", access, cells, 1);
    region.arrays = (0..).step_by(STATE).zip(streams).map(|(at, stream)| (at, stream.s)).collect();
    region
}

/// `rc4_apply_s8`: data XOR keystream. `rc4_keystreams_s8_xN`: keystreams, whose states have one i.
pub(super) fn prove_keystream(kernel: &Kernel<'_>, words: &[&str]) -> Result<Proof> {
    let count = states(words)?;
    let is_xor = words[1] == "apply";
    let mut machine = kernel.machine::<Bytes>();
    let bytes = &mut machine.domain;
    let i = bytes.input();
    let streams: Vec<Stream> =
        (0..count).map(|_| Stream { s: bytes.array(), i, j: bytes.input() }).collect();
    let mut call = Call::<Bytes>::new();
    let states = region(bytes, &streams, BOTH);
    let before = states.cells.to_vec();
    let states = call.region(states);
    let data: Vec<Term> = match is_xor {
        true => (0..GROUP * count).map(|_| bytes.input()).collect(),
        false => vec![Term::UNKNOWN; GROUP * count],
    };
    let access = if is_xor { BOTH } else { WRITE };
    let name = if is_xor { "data" } else { "out" };
    let data_region = call.region(Region::new(name, access, data.clone(), 1));
    call.count();
    // One group, by the specification.
    let mut after = streams.clone();
    let mut result = Vec::new();
    for (n, stream) in after.iter_mut().enumerate() {
        for k in 0..GROUP {
            let byte = bytes.prga(stream);
            result.push(if is_xor { bytes.xor(byte, data[GROUP * n + k]) } else { byte });
        }
    }
    let mut carried = Substitution::default();
    for (stream, after) in streams.iter().zip(&after) {
        carried.cells.extend([(stream.i, after.i), (stream.j, after.j)]);
        carried.arrays.insert(stream.s, after.s);
    }
    let some = region(bytes, &after, BOTH).cells.to_vec();
    let at_end = vec![AtEnd { region: states, none: before, some }];
    let state = call.state(kernel);
    let group = Group { data: data_region, result, carried, at_end };
    let stack = induction::prove(&mut machine, state, &group)?;
    let does = if is_xor {
        "data becomes data XOR the next bytes of the PRGA; state has S, i, j behind them"
    } else {
        "out becomes, in groups of 8 bytes by turns, the next bytes of each PRGA; states, which\n\
         \x20        have one i, have S, i, j behind them"
    };
    let statement = call.statement(kernel, false, does);
    Ok(Proof { statement, stack, steps: machine.steps, leaks: machine.leaks })
}

/// `rc4_setup_s8[_xN]`: S of each key.
///
/// Where a loop begins again, S is what the specification has after a number of steps. Then both get a
/// new S, of which nothing is known, and so does j: what holds for any S and j holds for these.
pub(super) fn prove_setup(kernel: &Kernel<'_>, words: &[&str]) -> Result<Proof> {
    let count = states(words)?;
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
    let mut states = region(bytes, &blank, BOTH);
    states.cells = Rc::new(vec![Term::UNKNOWN; STATE * count]);
    let states = call.region(states);
    call.region(Region::new("keys", READ, keys.clone(), 1));
    let heads = loop_heads(kernel);
    let mut state = call.state(kernel);
    let mut done = 0;
    while let Stop::Reached = run(&mut machine, &mut state, &heads)? {
        if let Some((steps, now)) = matching(&mut machine.domain, &state, &streams, &keys, done)? {
            done += steps;
            streams = now;
            // At the beginning S is known, and kernels may use that S[0] = 0.
            if steps > 0 && done < 256 {
                forget(&mut machine.domain, &mut state, &mut streams)?;
            }
        }
    }
    let stack = machine.check_return(&state)?;
    let bytes = &mut machine.domain;
    while done < 256 {
        step(bytes, &mut streams, &keys, done);
        done += 1;
    }
    let wanted: Vec<Stream> =
        streams.iter().map(|stream| Stream { i: zero, j: zero, ..*stream }).collect();
    let wanted = region(bytes, &wanted, BOTH);
    let got = &state.memory.regions[states];
    for ((_, x), (_, y)) in got.arrays.iter().zip(&wanted.arrays) {
        if !bytes.same_arrays(*x, *y) {
            return Err("S is not what the KSA makes of the key".into());
        }
    }
    expect(bytes, got, &wanted.cells)?;
    let does = "each state becomes S by the KSA of its key of 256 bytes, which the caller repeats, and\n\
        \x20        i = j = 0";
    let statement = call.statement(kernel, false, does);
    Ok(Proof { statement, stack, steps: machine.steps, leaks: machine.leaks })
}

fn run(machine: &mut Machine<'_, Bytes>, state: &mut State<Bytes>, heads: &[u64]) -> Result<Stop> {
    match machine.run(state, heads)? {
        Stop::Branch { .. } => Err("a branch on a count".into()),
        stop => Ok(stop),
    }
}

/// Where jumps back lead.
fn loop_heads(kernel: &Kernel<'_>) -> Vec<u64> {
    let code = kernel.code();
    let bytes = kernel.image.code(&code);
    let all = Decoder::with_ip(64, bytes, code.start, DecoderOptions::NONE);
    let jumps = all.into_iter().filter(|i| i.is_jcc_short_or_near());
    jumps.filter(|i| i.near_branch_target() < i.ip()).map(|i| i.near_branch_target()).collect()
}

/// A step of the specification for each state.
fn step(bytes: &mut Bytes, streams: &mut [Stream], keys: &[Term], done: usize) {
    for (n, stream) in streams.iter_mut().enumerate() {
        bytes.ksa_step(stream, keys[256 * n + done]);
    }
}

/// After how many more steps the specification has the S that memory has, and what it has then.
fn matching(
    bytes: &mut Bytes,
    state: &State<Bytes>,
    streams: &[Stream],
    keys: &[Term],
    done: usize,
) -> Result<Option<(usize, Vec<Stream>)>> {
    let arrays = &state.memory.regions[ARGUMENTS].arrays;
    let mut now = streams.to_vec();
    for steps in 0..=STEPS.min(256 - done) {
        if steps > 0 {
            step(bytes, &mut now, keys, done + steps - 1);
        }
        let mut pairs = arrays.iter().zip(&now);
        if pairs.all(|((_, array), stream)| bytes.same_arrays(*array, stream.s)) {
            return Ok(Some((steps, now)));
        }
    }
    Ok(None)
}

/// Puts a new S and a new j in place of those of the specification and of memory, and of all that a
/// register or the stack has of them.
fn forget(bytes: &mut Bytes, state: &mut State<Bytes>, streams: &mut [Stream]) -> Result<()> {
    let mut places = Vec::new();
    for (n, stream) in streams.iter_mut().enumerate() {
        let s = bytes.array();
        for k in 0..=255 {
            let index = bytes.constant(k);
            let before = bytes.read(stream.s, index);
            if bytes.known(before).is_none() {
                places.push((before, bytes.read(s, index)));
            }
        }
        if bytes.known(stream.j).is_none() {
            let j = Domain::input(bytes);
            places.push((stream.j, j));
            stream.j = j;
        }
        stream.s = s;
        state.memory.regions[ARGUMENTS].arrays[n].1 = s;
    }
    let replace = |cell: &mut Term| {
        if let Some((_, place)) = places.iter().find(|(before, _)| before == cell) {
            *cell = *place;
        }
    };
    for value in &mut state.registers {
        if let Value::Cells(cells) = value {
            let mut now = cells.to_vec();
            now.iter_mut().for_each(replace);
            *value = Value::Cells(now.into());
        }
    }
    Rc::make_mut(&mut state.memory.regions[STACK].cells).iter_mut().for_each(replace);
    Ok(())
}
