//! Loops over groups of blocks, for every count, by induction.
//!
//! A *general* state describes what is at the head of the loop before any group: inputs stand in it for
//! what changes from group to group. Two things are checked: the state before the first group is an
//! instance of it, and so is the state after a group that begins with it. How a general state was found
//! does not matter (`search.rs`).

mod search;

use crate::Result;
use crate::domain::{Domain, Substitution};
use crate::machine::{Flag, Machine, State, Stop};
use crate::memory::{ARGUMENTS, Region, STACK, Value};
use search::General;
use std::rc::Rc;

/// What a loop is to do.
pub struct Group<C> {
    /// The region that the loop goes through.
    pub data: usize,
    /// What one group of it becomes.
    pub result: Vec<C>,
    /// The inputs that carry over from group to group, and what they are after one: a chaining value, or
    /// S, i and j.
    pub carried: Substitution<C>,
    /// What has changed when the kernel returns.
    pub at_end: Vec<AtEnd<C>>,
}

/// What has changed in a region when the kernel returns.
pub struct AtEnd<C> {
    /// The region.
    pub region: usize,
    /// Its cells, if there was no group.
    pub none: Vec<C>,
    /// Its cells after a group.
    pub some: Vec<C>,
}

/// How far a state is from the one before: the groups between, and the bytes of a group.
#[derive(Clone, Copy)]
struct Step {
    data: usize,
    groups: i64,
    bytes: i64,
}

impl Step {
    fn fits<D: Domain>(
        self,
        domain: &mut D,
        general: &Value<D::Cell>,
        value: &Value<D::Cell>,
        values: &Substitution<D::Cell>,
    ) -> bool {
        match (general, value) {
            (Value::Unknown, _) => true,
            (Value::Pointer(region, offset), Value::Pointer(other, now)) if region == other => {
                let bytes = if *region == self.data { self.groups * self.bytes } else { 0 };
                *now == offset + bytes
            }
            (Value::Count(behind), Value::Count(now)) => *now == behind + self.groups,
            (Value::Cells(x), Value::Cells(y)) => fit(domain, x, y, values),
            // Its index may have changed.
            (Value::Indexed(..), _) => false,
            (general, value) => general == value,
        }
    }
}

/// Whether cells are those of the general state, with values in place of inputs.
fn fit<D: Domain>(
    domain: &mut D,
    general: &[D::Cell],
    cells: &[D::Cell],
    values: &Substitution<D::Cell>,
) -> bool {
    let mut pairs = general.iter().zip(cells);
    pairs.all(|(&general, &cell)| {
        general == D::UNKNOWN || cell != D::UNKNOWN && domain.substitute(general, values) == cell
    })
}

/// Whether a state is an instance of the general one.
fn is_instance<D: Domain>(
    domain: &mut D,
    general: &State<D>,
    state: &State<D>,
    values: &Substitution<D::Cell>,
    step: Step,
) -> bool {
    let registers = general.registers.iter().zip(&state.registers);
    let mut vectors = general.vectors.iter().zip(&state.vectors);
    let (stack, now) = (&general.memory.regions[STACK], &state.memory.regions[STACK]);
    let found = |at: &i64| now.values.get(at).unwrap_or(&Value::NotZero);
    let saved = stack.values.iter().map(|(at, value)| (value, found(at)));
    registers.chain(saved).all(|(x, y)| step.fits(domain, x, y, values))
        && vectors.all(|(x, y)| fit(domain, x, y, values))
        && fit(domain, &stack.cells, &now.cells, values)
        && (general.wide || !state.wide)
}

/// Refuses a region whose cells are not these.
pub(crate) fn expect<D: Domain>(
    domain: &D,
    region: &Region<D::Cell>,
    cells: &[D::Cell],
) -> Result<()> {
    if region.cells.len() != cells.len() {
        return Err(format!("{} has another size than it should have", region.name));
    }
    let mut pairs = region.cells.iter().zip(cells).enumerate();
    let Some((n, (got, wanted))) = pairs.find(|(_, (got, wanted))| got != wanted) else {
        return Ok(());
    };
    let (got, wanted) = (domain.show(*got), domain.show(*wanted));
    let (name, byte) = (region.name, n * D::BITS / 8);
    Err(format!("{name} is not what it should be, from byte {byte} on: {got} instead of {wanted}"))
}

/// Refuses a region whose arrays are not those of another, or what they became after a group if there was one.
pub(crate) fn expect_arrays<D: Domain>(
    domain: &mut D,
    region: &Region<D::Cell>,
    wanted: &Region<D::Cell>,
    carried: Option<&Substitution<D::Cell>>,
) -> Result<()> {
    for ((_, array), (_, wanted)) in region.arrays.iter().zip(&wanted.arrays) {
        let wanted = carried.and_then(|carried| carried.arrays.get(wanted)).unwrap_or(wanted);
        if !domain.same_arrays(*wanted, *array) {
            return Err(format!("an array of {} is not what it should be", region.name));
        }
    }
    Ok(())
}

/// Refuses arguments that are not those before: cells, but for those of `data`, are the same, and arrays are, or
/// are what they became after a group if there was one.
fn expect_arguments<D: Domain>(
    domain: &mut D,
    before: &State<D>,
    state: &State<D>,
    data: Option<usize>,
    carried: Option<&Substitution<D::Cell>>,
) -> Result<()> {
    let regions = before.memory.regions.iter().zip(&state.memory.regions);
    for (number, (region, now)) in regions.enumerate().skip(ARGUMENTS) {
        if Some(number) != data {
            expect(domain, now, &region.cells)?;
        }
        expect_arrays(domain, now, region, carried)?;
    }
    Ok(())
}

/// Runs from `address` to the return, and checks what is left.
fn finish<D: Domain>(
    machine: &mut Machine<'_, D>,
    mut state: State<D>,
    address: u64,
) -> Result<State<D>> {
    state.next = address;
    let Stop::Return = machine.run(&mut state, &[])? else {
        return Err("a branch on the count behind the loop".into());
    };
    machine.check_return(&state)?;
    Ok(state)
}

/// Proves what a kernel does that is called with a pointer to groups and their count. `state` is the call.
///
/// # Errors
/// If it is not proved.
pub fn prove<D: Domain>(
    machine: &mut Machine<'_, D>,
    mut state: State<D>,
    group: &Group<D::Cell>,
) -> Result<()> {
    let data = group.data;
    let call = state.clone();
    let bytes = call.memory.regions[data].size;
    // Until the count is known to be more than 0, there is no data.
    state.memory.regions[data].size = 0;
    let Stop::Branch { behind: 0, zero, more } = machine.run(&mut state, &[])? else {
        return Err("no branch on the count at the beginning".into());
    };
    expect_arguments(&mut machine.domain, &call, &state, None, None)?;
    let none = finish(machine, state.clone(), zero)?;
    let at_end = |cells: fn(&AtEnd<D::Cell>) -> &Vec<D::Cell>| {
        let mut state = call.clone();
        for end in &group.at_end {
            state.memory.regions[end.region].cells = Rc::new(cells(end).clone());
        }
        state
    };
    expect_arguments(&mut machine.domain, &at_end(|end| &end.none), &none, None, None)?;

    // The first round shows where the loop begins, and where it ends.
    state.memory.regions[data].size = bytes;
    state.next = more;
    let Stop::Branch { behind: 1, zero: exit, more: head } =
        machine.run(&mut state.clone(), &[])?
    else {
        return Err("no branch on the count at the end of a group".into());
    };
    if state.next != head {
        let Stop::Reached = machine.run(&mut state, &[head])? else {
            return Err("the first group does not begin at the head of the loop".into());
        };
    }
    let first = state;
    expect_arguments(&mut machine.domain, &call, &first, None, None)?;

    // After a group, its data are gone.
    let mut carried = group.carried.clone();
    for &cell in call.memory.regions[data].cells.iter() {
        carried.cells.insert(cell, D::UNKNOWN);
    }
    let General { state: found, fresh } = search::generalise(machine, &first, group, &carried)?;
    // Of what was found only registers and what lies on the stack count.
    let mut memory = first.memory.clone();
    memory.regions[STACK].cells = found.memory.regions[STACK].cells.clone();
    memory.regions[STACK].values = found.memory.regions[STACK].values.clone();
    let general = State { memory, next: head, flag: Flag::Unknown, ..found };
    let mut values = Substitution::default();
    values.cells.extend(search::values(&fresh, &first));
    let step = Step { data, groups: 0, bytes };
    if !is_instance(&mut machine.domain, &general, &first, &values, step) {
        return Err("the first group does not begin with the general state".into());
    }
    let mut after = general.clone();
    match machine.run(&mut after, &[])? {
        Stop::Branch { behind: 1, zero, more } if (zero, more) == (exit, head) => {}
        _ => return Err("another group ends elsewhere".into()),
    }
    let mut values = carried;
    values.cells.extend(search::values(&fresh, &after));
    if !is_instance(&mut machine.domain, &general, &after, &values, Step { groups: 1, ..step }) {
        return Err("a group does not end with the general state".into());
    }
    let carried = Some(&group.carried);
    expect_arguments(&mut machine.domain, &call, &after, Some(data), carried)?;
    expect(&machine.domain, &after.memory.regions[data], &group.result)?;

    let end = finish(machine, after, exit)?;
    let wanted = at_end(|end| &end.some);
    expect_arguments(&mut machine.domain, &wanted, &end, Some(data), carried)?;
    expect(&machine.domain, &end.memory.regions[data], &group.result)
}
