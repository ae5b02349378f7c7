//! What may come before what: straight lines of code, and which of their instructions must follow which.

use std::collections::HashMap;

use crate::isa::{Effect, Isa, Node, Reg, Role, Span};

/// An instruction with the comments that stand before it.
pub(crate) type Commented<I> = (Vec<String>, I);

/// The same code with each straight line in another order.
pub(crate) fn each_line<I: Clone>(
    code: &[Node<I>],
    reorder: &mut impl FnMut(&[Commented<I>]) -> Vec<usize>,
) -> Vec<Node<I>> {
    let mut result = Vec::new();
    let mut line: Vec<Commented<I>> = Vec::new();
    let mut comments = Vec::new();
    let flush = |line: &mut Vec<Commented<I>>, result: &mut Vec<_>, reorder: &mut _| {
        put(std::mem::take(line), reorder, result);
    };
    for item in code {
        match item {
            Node::Inst(inst) => line.push((std::mem::take(&mut comments), inst.clone())),
            Node::Comment(text) => comments.push(text.clone()),
            Node::Loop(body) => {
                flush(&mut line, &mut result, reorder);
                result.extend(std::mem::take(&mut comments).into_iter().map(Node::Comment));
                let mut body = body.clone();
                body.body = each_line(&body.body, reorder);
                result.push(Node::Loop(body));
            }
        }
    }
    flush(&mut line, &mut result, reorder);
    result.extend(comments.into_iter().map(Node::Comment));
    result
}

fn put<I>(
    line: Vec<Commented<I>>,
    reorder: &mut impl FnMut(&[Commented<I>]) -> Vec<usize>,
    result: &mut Vec<Node<I>>,
) {
    let sequence = reorder(&line);
    let mut line: Vec<_> = line.into_iter().map(Some).collect();
    for n in sequence {
        let (comments, inst) = line[n].take().expect("each instruction is placed once");
        result.extend(comments.into_iter().map(Node::Comment));
        result.push(Node::Inst(inst));
    }
}

/// For each instruction, those that must come after it, and how many cycles later: `after` says so of
/// the two numbers and the register that the value is in; of what is handed on in memory, with none.
pub(super) fn followers<T: Isa>(
    isa: T,
    line: &[Commented<T::Inst>],
    after: &impl Fn(usize, usize, Option<Reg>) -> u32,
) -> Vec<Vec<(usize, u32)>> {
    let mut followers = vec![Vec::new(); line.len()];
    let mut defined: HashMap<Reg, usize> = HashMap::new();
    // Ordered accesses that something still may meet, with whether they write.
    let mut accesses: Vec<(usize, Span, bool)> = Vec::new();
    for (n, (_, inst)) in line.iter().enumerate() {
        for operand in isa.operands(inst) {
            if operand.role == Role::Define {
                defined.insert(operand.reg, n);
            } else if let Some(&from) = defined.get(&operand.reg) {
                followers[from].push((n, after(from, n, Some(operand.reg))));
            }
        }
        let (span, writes) = match isa.effect(inst) {
            Effect::None => continue,
            Effect::Read(span) => (span, false),
            Effect::Write(span) => (span, true),
        };
        for (from, other, wrote) in &accesses {
            if (writes || *wrote) && span.meets(other) {
                let cycles = if *wrote && !writes { after(*from, n, None) } else { 0 };
                followers[*from].push((n, cycles));
            }
        }
        // What a write covers is met through it from now on.
        accesses.retain(|(_, other, _)| !(writes && *other == span && span.at.is_some()));
        accesses.push((n, span, writes));
    }
    followers
}
