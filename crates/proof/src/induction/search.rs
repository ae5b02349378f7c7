//! The search for a general state: what does not fit after a group is forgotten, until all fits.
//!
//! Bits of vectors, which may lie on the stack, are not forgotten one by one: often nothing is known of
//! each, and yet some of them add up to a known value. These are affine relations over GF(2) (Karr,
//! "Affine relationships among variables of a program", 1976). Those that hold after a group are the kernel
//! of what the others come to.

use super::{Group, Step, fit};
use crate::Result;
use crate::domain::{Domain, Logic, Substitution};
use crate::machine::{Machine, State, Stop};
use crate::memory::{STACK, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How often it may run a group.
const PASSES: usize = 20;

/// A cell of a vector: the number of the vector, and that of the cell. The stack has the number behind the last.
type Position = (usize, usize);

/// The cells of a vector, or of the stack.
fn cells<D: Domain>(state: &State<D>, n: usize) -> &Rc<Vec<D::Cell>> {
    state.vectors.get(n).unwrap_or(&state.memory.regions[STACK].cells)
}

fn cells_mut<D: Domain>(state: &mut State<D>, n: usize) -> &mut Vec<D::Cell> {
    let State { vectors, memory, .. } = state;
    Rc::make_mut(vectors.get_mut(n).unwrap_or(&mut memory.regions[STACK].cells))
}

/// Inputs of a general state, each with what stands there in another.
pub(super) fn values<D: Domain>(
    fresh: &[(D::Cell, Position)],
    state: &State<D>,
) -> impl Iterator<Item = (D::Cell, D::Cell)> {
    fresh.iter().map(|&(cell, (n, k))| (cell, cells(state, n)[k]))
}

/// A general state, and inputs in it with where they stand.
pub(super) struct General<D: Domain> {
    pub(super) state: State<D>,
    pub(super) fresh: Vec<(D::Cell, Position)>,
}

/// Cells of vectors that add up to a value.
#[derive(Clone)]
struct Relation<C> {
    members: Vec<u64>,
    sum: C,
}

impl<C> Relation<C> {
    fn has(&self, n: usize) -> bool {
        self.members[n / 64] >> (n % 64) & 1 == 1
    }

    fn first(&self) -> Option<usize> {
        let word = self.members.iter().position(|&word| word != 0)?;
        Some(64 * word + self.members[word].trailing_zeros() as usize)
    }
}

struct Relations<D: Domain> {
    positions: Vec<Position>,
    known: FxHashSet<Position>,
    relations: Vec<Relation<D::Cell>>,
}

fn add<D: Domain>(domain: &mut D, x: D::Cell, y: D::Cell) -> D::Cell {
    domain.logic(Logic::Xor, x, y).unwrap_or(D::UNKNOWN)
}

fn add_relation<D: Domain>(domain: &mut D, to: &mut Relation<D::Cell>, other: &Relation<D::Cell>) {
    to.members.iter_mut().zip(&other.members).for_each(|(x, y)| *x ^= y);
    to.sum = add(domain, to.sum, other.sum);
}

pub(super) fn generalise<D: Domain>(
    machine: &mut Machine<'_, D>,
    first: &State<D>,
    group: &Group<D::Cell>,
    carried: &Substitution<D::Cell>,
) -> Result<General<D>> {
    let bytes = first.memory.regions[group.data].size;
    let step = Step { data: group.data, groups: 1, bytes };
    let mut general = first.clone();
    general.flag = crate::machine::Flag::Unknown;
    let mut relations =
        Relations { positions: Vec::new(), known: FxHashSet::default(), relations: Vec::new() };
    let mut fresh = Vec::new();
    for _ in 0..PASSES {
        let mut after = general.clone();
        let Stop::Branch { behind: 1, .. } = machine.run(&mut after, &[])? else {
            return Err("no branch on the count at the end of a group".into());
        };
        let domain = &mut machine.domain;
        let mut is_changed = forget(domain, &mut general, &after, carried, step);
        is_changed |= relations.forget_data(domain, &mut general, &after, carried);
        relations.add_changed(domain, first, &general, &after, carried);
        if let Some(inputs) = relations.reduce(domain, &mut general, &after, carried) {
            fresh = inputs;
            is_changed = true;
        }
        if !is_changed {
            return Ok(General { state: general, fresh });
        }
    }
    Err("no general state was found".into())
}

/// Forgets what does not fit in general registers and on the stack.
fn forget<D: Domain>(
    domain: &mut D,
    general: &mut State<D>,
    after: &State<D>,
    carried: &Substitution<D::Cell>,
    step: Step,
) -> bool {
    let mut is_changed = general.wide != (general.wide || after.wide);
    general.wide |= after.wide;
    for (value, now) in general.registers.iter_mut().zip(&after.registers) {
        if !step.fits(domain, value, now, carried) {
            *value = Value::Unknown;
            is_changed = true;
        }
    }
    let now = &after.memory.regions[STACK];
    let stack = &mut general.memory.regions[STACK];
    let before = stack.values.len();
    stack.values.retain(|at, value| {
        now.values.get(at).is_some_and(|now| step.fits(domain, value, now, carried))
    });
    is_changed | (stack.values.len() != before)
}

impl<D: Domain> Relations<D> {
    /// Forgets what lies on the stack, was never known to add up to anything, and has been overwritten or was made
    /// of data: there may be much of it.
    fn forget_data(
        &self,
        domain: &mut D,
        general: &mut State<D>,
        after: &State<D>,
        carried: &Substitution<D::Cell>,
    ) -> bool {
        let stack = general.vectors.len();
        let mut is_changed = false;
        for (k, cell) in cells_mut(general, stack).iter_mut().enumerate() {
            let is_forgotten = *cell != D::UNKNOWN
                && !self.known.contains(&(stack, k))
                && (cells(after, stack)[k] == D::UNKNOWN
                    || domain.substitute(*cell, carried) == D::UNKNOWN);
            if is_forgotten {
                *cell = D::UNKNOWN;
                is_changed = true;
            }
        }
        is_changed
    }

    /// Takes in the cells of vectors that do not fit.
    fn add_changed(
        &mut self,
        domain: &mut D,
        first: &State<D>,
        general: &State<D>,
        after: &State<D>,
        carried: &Substitution<D::Cell>,
    ) {
        let before = self.positions.len();
        for n in 0..=general.vectors.len() {
            for (k, &cell) in cells(general, n).iter().enumerate() {
                if cell != D::UNKNOWN
                    && !self.known.contains(&(n, k))
                    && !fit(domain, &[cell], &[cells(after, n)[k]], carried)
                {
                    self.positions.push((n, k));
                    self.known.insert((n, k));
                }
            }
        }
        let words = self.positions.len().div_ceil(64);
        for relation in &mut self.relations {
            relation.members.resize(words, 0);
        }
        for at in before..self.positions.len() {
            let mut members = vec![0; words];
            members[at / 64] |= 1 << (at % 64);
            let (n, k) = self.positions[at];
            self.relations.push(Relation { members, sum: cells(first, n)[k] });
        }
    }

    /// Leaves the relations that hold after a group, and puts into the general state what they say.
    /// `None` if all held.
    fn reduce(
        &mut self,
        domain: &mut D,
        general: &mut State<D>,
        after: &State<D>,
        carried: &Substitution<D::Cell>,
    ) -> Option<Vec<(D::Cell, Position)>> {
        let mut errors = Vec::with_capacity(self.relations.len());
        for relation in &self.relations {
            let mut error = domain.substitute(relation.sum, carried);
            for (n, (vector, cell)) in self.positions.iter().enumerate() {
                if relation.has(n) {
                    error = add(domain, error, cells(after, *vector)[*cell]);
                }
            }
            errors.push(error);
        }
        if errors.iter().all(|&error| domain.known(error) == Some(0)) {
            return None;
        }
        let relations = kernel(domain, std::mem::take(&mut self.relations), errors);
        self.relations = echelon(domain, relations);
        let firsts: FxHashSet<usize> = self.relations.iter().filter_map(Relation::first).collect();
        let mut fresh = Vec::new();
        let mut values = vec![D::UNKNOWN; self.positions.len()];
        for (n, value) in values.iter_mut().enumerate().filter(|(n, _)| !firsts.contains(n)) {
            *value = domain.input();
            fresh.push((*value, self.positions[n]));
        }
        for relation in &self.relations {
            let Some(first) = relation.first() else { continue };
            let mut value = relation.sum;
            for n in (first + 1..self.positions.len()).filter(|&n| relation.has(n)) {
                value = add(domain, value, values[n]);
            }
            values[first] = value;
        }
        for ((vector, cell), value) in self.positions.iter().zip(values) {
            cells_mut(general, *vector)[*cell] = value;
        }
        Some(fresh)
    }
}

/// The sums of relations whose errors add up to 0.
fn kernel<D: Domain>(
    domain: &mut D,
    relations: Vec<Relation<D::Cell>>,
    errors: Vec<D::Cell>,
) -> Vec<Relation<D::Cell>> {
    let mut rows: FxHashMap<u32, (D::Cell, Relation<D::Cell>)> = FxHashMap::default();
    let mut one: Option<Relation<D::Cell>> = None;
    let mut kernel = Vec::new();
    for (mut relation, mut error) in relations.into_iter().zip(errors) {
        if error == D::UNKNOWN {
            continue;
        }
        while let Some(leader) = domain.leader(error) {
            let Some((other, row)) = rows.get(&leader) else {
                rows.insert(leader, (error, relation.clone()));
                break;
            };
            let (other, row) = (*other, row.clone());
            add_relation(domain, &mut relation, &row);
            error = add(domain, error, other);
        }
        match (domain.known(error), &one) {
            (Some(0), _) => kernel.push(relation),
            (Some(_), Some(one)) => {
                let one = one.clone();
                add_relation(domain, &mut relation, &one);
                kernel.push(relation);
            }
            (Some(_), None) => one = Some(relation),
            (None, _) => {}
        }
    }
    kernel
}

/// Relations in reduced echelon form, by their first member.
fn echelon<D: Domain>(domain: &mut D, relations: Vec<Relation<D::Cell>>) -> Vec<Relation<D::Cell>> {
    let mut rows: Vec<(usize, Relation<D::Cell>)> = Vec::new();
    for mut relation in relations {
        for (first, row) in &rows {
            if relation.has(*first) {
                add_relation(domain, &mut relation, row);
            }
        }
        let Some(first) = relation.first() else { continue };
        for (_, row) in rows.iter_mut().filter(|(_, row)| row.has(first)) {
            add_relation(domain, row, &relation);
        }
        rows.push((first, relation));
    }
    rows.into_iter().map(|(_, row)| row).collect()
}
