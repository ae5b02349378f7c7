//! Post-RA scheduling: allocated code in another order, for a processor that does instructions in order: what allocation
//! added is ordered with the rest, and registers are where they are.
//!
//! The code that it was made from is put into the same order, so that the checker can compare the two
//! as before.

use std::collections::HashMap;

use super::flat::{Flat, Listing};
use crate::isa::costs::InOrder;
use crate::isa::program::Out;
use crate::isa::{Effect, Isa, Node, Reg, Role, Slot};
use crate::schedule::beam::{Problem, search};
use crate::schedule::{Order, each_line, sequence, wishes};

/// How far ahead an instruction may go: registers bound it already.
const WINDOW: u16 = 64;

/// Puts the code and what was allocated from it into the order that the costs want.
///
/// # Panics
/// If there is an instruction that such a processor does not have.
pub fn post_ra_schedule<T: Isa>(
    isa: T,
    code: &mut Vec<Node<T::Inst>>,
    lines: &mut Vec<Out<T::Inst>>,
    costs: &InOrder,
    order: &Order,
) {
    let order = Order { window: WINDOW, ..*order };
    // The instructions of the code are numbered from 0 on.
    let listing = Listing::new(isa, code);
    let places = instructions(&listing);
    let numbers: HashMap<usize, usize> = places.iter().copied().zip(0..).collect();
    let mut ordered = Vec::new();
    let mut numbered = Vec::new();
    let mut rest = lines.as_slice();
    while !rest.is_empty() {
        let ends = |line: &Out<T::Inst>| matches!(line, Out::Begin(..) | Out::End(_));
        let (line, after) = rest.split_at(rest.iter().position(ends).unwrap_or(rest.len()));
        straight(isa, line, costs, &order, &mut ordered);
        ordered.extend(after.first().cloned());
        rest = after.get(1..).unwrap_or(&[]);
    }
    for line in &ordered {
        if let Out::Inst(_, Some(place)) = line {
            numbered.push(numbers[place]);
        }
    }
    let mut before = 0;
    *code = each_line(code, &mut |line: &[_]| {
        let first = before;
        before += line.len();
        numbered[first..before].iter().map(|number| number - first).collect()
    });
    let mut places = instructions(&Listing::new(isa, code)).into_iter();
    for line in &mut ordered {
        if let Out::Inst(_, Some(place)) = line {
            *place = places.next().expect("as many as before");
        }
    }
    *lines = ordered;
}

/// Where the instructions of a listing are.
fn instructions<I>(listing: &Listing<I>) -> Vec<usize> {
    let is_one = |at: &usize| matches!(listing.lines[*at], Flat::Inst(_));
    (0..listing.lines.len()).filter(is_one).collect()
}

/// One straight line; comments stay before what they stood before.
fn straight<T: Isa>(
    isa: T,
    line: &[Out<T::Inst>],
    costs: &InOrder,
    order: &Order,
    ordered: &mut Vec<Out<T::Inst>>,
) {
    // What is written for each instruction: the comments before it, and itself.
    let mut texts = Vec::new();
    let mut insts = Vec::new();
    let mut text = Vec::new();
    for out in line {
        text.push(out.clone());
        if let Out::Inst(inst, _) = out {
            texts.push(std::mem::take(&mut text));
            insts.push(inst);
        }
    }
    let clocks: Vec<_> = insts
        .iter()
        .map(|inst| costs.of(isa.issue(inst).expect("an instruction of this processor")))
        .collect();
    let followers = followers(isa, &insts, costs);
    let sequence = match order.beam {
        0 => sequence(&clocks, &followers, order),
        width => {
            let (_, heights) = wishes(&followers, order);
            search(&Problem::new(&clocks, &followers, &heights), width.into())
        }
    };
    for n in sequence {
        ordered.append(&mut texts[n]);
    }
    ordered.append(&mut text);
}

/// Where allocated instructions leave values for others.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Register(Reg),
    Slot(Slot),
    /// All memory of which the order matters.
    Memory,
}

/// For each instruction, those that must come after it, and how many clocks later.
fn followers<T: Isa>(isa: T, line: &[&T::Inst], costs: &InOrder) -> Vec<Vec<(usize, u32)>> {
    let mut followers = vec![Vec::new(); line.len()];
    let mut writer: HashMap<Holder, usize> = HashMap::new();
    let mut readers: HashMap<Holder, Vec<usize>> = HashMap::new();
    for (n, inst) in line.iter().enumerate() {
        let addresses = isa.addresses(inst);
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for operand in isa.operands(inst) {
            let holder = Holder::Register(operand.reg);
            if operand.role == Role::Define {
                writes.push(holder);
            } else {
                reads.push((holder, addresses.contains(&operand.reg)));
            }
        }
        if let Some(slot) = isa.slot(inst) {
            // A reload defines a register, a spill none.
            match writes.is_empty() {
                true => writes.push(Holder::Slot(slot)),
                false => reads.push((Holder::Slot(slot), false)),
            }
        }
        match isa.effect(inst) {
            Effect::None => {}
            Effect::Read(_) => reads.push((Holder::Memory, false)),
            Effect::Write(_) => writes.push(Holder::Memory),
        }
        for (holder, address) in &reads {
            if let Some(&from) = writer.get(holder) {
                let part = isa.writes_part(line[from]) && !isa.writes_part(inst);
                let clocks = costs.of(isa.issue(line[from]).expect("its form is known")).clocks
                    + if *address { costs.address.clocks } else { 0 }
                    + if part { costs.partial.clocks } else { 0 };
                followers[from].push((n, clocks));
            }
        }
        for holder in &writes {
            if let Some(&from) = writer.get(holder) {
                // Two results in one register do not pair.
                followers[from].push((n, 1));
            }
            for &from in readers.get(holder).into_iter().flatten() {
                if from != n {
                    followers[from].push((n, 0));
                }
            }
        }
        for (holder, _) in reads {
            readers.entry(holder).or_default().push(n);
        }
        for holder in writes {
            writer.insert(holder, n);
            // Of those that read what was there before, only this one may come after.
            readers.insert(holder, Vec::new());
        }
    }
    followers
}
