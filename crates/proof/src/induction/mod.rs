//! Loops over groups of blocks, for every count, by induction.
//!
//! A *general* state describes what is at the head of the loop before any group: inputs stand in it for
//! what changes from group to group. Two things are checked: the state before the first group is an
//! instance of it, and so is the state after a group that begins with it. How a general state was found
//! does not matter (`search.rs`).

mod search;

use crate::Result;
use crate::domain::{Domain, Substitution};
use crate::machine::{Machine, State, Stop};
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
    let saved = stack
        .values
        .iter()
        .map(|(at, value)| (value, now.values.get(at).unwrap_or(&Value::NotZero)));
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
    let mut pairs = region.cells.iter().zip(cells).enumerate();
    let Some((n, (got, wanted))) = pairs.find(|(_, (got, wanted))| got != wanted) else {
        return Ok(());
    };
    let (got, wanted) = (domain.show(*got), domain.show(*wanted));
    let (name, byte) = (region.name, n * D::BITS / 8);
    Err(format!("{name} is not what it should be, from byte {byte} on: {got} instead of {wanted}"))
}

/// Refuses arguments that changed, but for the data and arrays.
fn expect_unchanged<D: Domain>(
    domain: &D,
    before: &State<D>,
    state: &State<D>,
    data: usize,
) -> Result<()> {
    for number in (ARGUMENTS..before.memory.regions.len()).filter(|number| *number != data) {
        expect(domain, &state.memory.regions[number], &before.memory.regions[number].cells)?;
    }
    Ok(())
}

/// Refuses arrays that are not those before, with what they became after a group if there was one.
fn expect_arrays<D: Domain>(
    domain: &mut D,
    before: &State<D>,
    state: &State<D>,
    carried: Option<&Substitution<D::Cell>>,
) -> Result<()> {
    let regions = before.memory.regions.iter().zip(&state.memory.regions);
    for (region, now) in regions {
        for ((_, array), (_, now)) in region.arrays.iter().zip(&now.arrays) {
            let wanted = carried.and_then(|carried| carried.arrays.get(array)).unwrap_or(array);
            if !domain.same_arrays(*wanted, *now) {
                return Err(format!("an array of {} is not what it should be", region.name));
            }
        }
    }
    Ok(())
}

/// Runs from `address` to the return, and checks what is left.
fn finish<D: Domain>(
    machine: &mut Machine<'_, D>,
    mut state: State<D>,
    address: u64,
) -> Result<(State<D>, i64)> {
    state.next = address;
    let Stop::Return = machine.run(&mut state, &[])? else {
        return Err("a branch on the count behind the loop".into());
    };
    let stack = machine.check_return(&state)?;
    Ok((state, stack))
}

/// Proves what a kernel does that is called with a pointer to groups and their count. `state` is the call.
/// How many bytes of the stack it writes.
///
/// # Errors
/// If it is not proved.
pub fn prove<D: Domain>(
    machine: &mut Machine<'_, D>,
    mut state: State<D>,
    group: &Group<D::Cell>,
) -> Result<i64> {
    let data = group.data;
    let call = state.clone();
    let bytes = call.memory.regions[data].size;
    // Until the count is known to be more than 0, there is no data.
    state.memory.regions[data].size = 0;
    let Stop::Branch { behind: 0, zero, more } = machine.run(&mut state, &[])? else {
        return Err("no branch on the count at the beginning".into());
    };
    expect_unchanged(&machine.domain, &call, &state, usize::MAX)?;
    expect_arrays(&mut machine.domain, &call, &state, None)?;
    let (none, _) = finish(machine, state.clone(), zero)?;
    expect_arrays(&mut machine.domain, &call, &none, None)?;
    let mut none_at_end = call.clone();
    for end in &group.at_end {
        none_at_end.memory.regions[end.region].cells = Rc::new(end.none.clone());
    }
    expect_unchanged(&machine.domain, &none_at_end, &none, usize::MAX)?;

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
    expect_unchanged(&machine.domain, &call, &first, usize::MAX)?;
    expect_arrays(&mut machine.domain, &call, &first, None)?;

    // After a group, its data are gone.
    let mut carried = group.carried.clone();
    for &cell in call.memory.regions[data].cells.iter() {
        carried.cells.insert(cell, D::UNKNOWN);
    }
    let General { state: general, fresh } = search::generalise(machine, &first, group, &carried)?;
    let mut values = Substitution::default();
    values.cells.extend(fresh.iter().map(|(cell, (n, k))| (*cell, first.vectors[*n][*k])));
    let step = Step { data, groups: 0, bytes };
    if !is_instance(&mut machine.domain, &general, &first, &values, step) {
        return Err("the first group does not begin with the general state".into());
    }
    expect_unchanged(&machine.domain, &call, &general, usize::MAX)?;
    expect_arrays(&mut machine.domain, &call, &general, None)?;
    let mut after = general.clone();
    match machine.run(&mut after, &[])? {
        Stop::Branch { behind: 1, zero, more } if (zero, more) == (exit, head) => {}
        _ => return Err("another group ends elsewhere".into()),
    }
    let mut values = carried;
    values.cells.extend(fresh.iter().map(|(cell, (n, k))| (*cell, after.vectors[*n][*k])));
    if !is_instance(&mut machine.domain, &general, &after, &values, Step { groups: 1, ..step }) {
        return Err("a group does not end with the general state".into());
    }
    expect_unchanged(&machine.domain, &call, &after, data)?;
    expect_arrays(&mut machine.domain, &call, &after, Some(&group.carried))?;
    expect(&machine.domain, &after.memory.regions[data], &group.result)?;

    let (end, stack) = finish(machine, after, exit)?;
    let mut at_end = call;
    for end in &group.at_end {
        at_end.memory.regions[end.region].cells = Rc::new(end.some.clone());
    }
    expect_unchanged(&machine.domain, &at_end, &end, data)?;
    expect_arrays(&mut machine.domain, &at_end, &end, Some(&group.carried))?;
    expect(&machine.domain, &end.memory.regions[data], &group.result)?;
    Ok(stack)
}
