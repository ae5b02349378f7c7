//! A model of what was measured, and its file.
//!
//! How often an instruction can be done says how many ports can do it, not which ones. Where the model at
//! hand has as many, its ports stay. Where it has more, the ones that remain are found by probes of which it
//! knows the only port: done in turns with such a probe, an instruction takes as long as both together if
//! that port is its only one, too.

use std::collections::HashMap;
use std::io;

use super::code::{Set, in_turns};
use super::findings::Finding;
use super::timing::Timer;
use crate::isa::costs::{Class, Cpu, Row};
use crate::isa::{Features, Target};

/// From how many cycles on a port is taken for more than one.
const OCCUPIES: f64 = 1.25;

/// From which part of their sum on two that are done in turns share a port.
const SHARED: f64 = 0.9;

/// A row of a measured model.
struct MeasuredRow {
    row: Row,
    /// What was not measured of it, if anything.
    note: Option<&'static str>,
}

/// Operations a cycle that were seen to begin.
fn width(findings: &[Finding]) -> u32 {
    // One instruction an operation; those of several would need a model to count them.
    let single = findings.iter().filter(|one| one.classes.len() == 1);
    let most = single.map(|one| 1.0 / one.throughput.figure.cycles).fold(1.0, f64::max);
    most.round() as u32
}

/// The rows of a model in its order, as measured.
fn rows(cpu: &Cpu, findings: &[Finding], only_ports: &HashMap<Class, u16>) -> Vec<MeasuredRow> {
    let width = f64::from(width(findings));
    cpu.rows
        .iter()
        .map(|old| {
            let Some(lead) = findings.iter().find(|one| one.class() == Some(old.class)) else {
                return MeasuredRow { row: *old, note: Some("not measured") };
            };
            measured(cpu, old, lead, width, only_ports)
        })
        .collect()
}

fn measured(
    cpu: &Cpu,
    old: &Row,
    lead: &Finding,
    width: f64,
    only_ports: &HashMap<Class, u16>,
) -> MeasuredRow {
    let own = lead.classes.iter().filter(|class| **class == old.class).count() as f64;
    let others = lead.classes.iter().filter(|class| **class != old.class);
    let others: f64 = others.map(|class| f64::from(cpu.row(*class).latency)).sum();
    // A flood cannot be dense enough to hide that nothing takes no time.
    let cycles = |cycles: f64| if cycles < 0.6 { 0 } else { cycles.round() as u32 };
    let slowest = lead.latency.iter().map(|one| one.figure.cycles).reduce(f64::max);
    let latency = slowest.map_or(old.latency, |slowest| cycles((slowest - others) / own));
    let each = lead.throughput.figure.cycles / own;
    let times = if each > OCCUPIES { each.round() as u32 } else { 1 };
    let count = (1.0 / each).round().max(1.0) as u32;
    let known = old.ports.count_ones();
    // Of more than can begin in a cycle a flood shows no more than that.
    let full = 1.0 / each > width - 0.5;
    let (ports, note) = if latency == 0 {
        // What a port does takes a cycle at least: renaming does it.
        (0, None)
    } else if count == known || count < known && full {
        (old.ports, None)
    } else if let Some(port) = only_ports.get(&old.class).copied().filter(|_| count == 1) {
        (port, None)
    } else if count < known {
        (lowest(old.ports, count), Some("as many ports as were measured; which ones is not"))
    } else {
        (old.ports, Some("more ports were measured; which ones is not known"))
    };
    MeasuredRow { row: Row { class: old.class, latency, ports, times }, note }
}

/// The lowest ports of some.
fn lowest(ports: u16, count: u32) -> u16 {
    (0..count)
        .fold((0, ports), |(all, left), _| {
            (all | left & left.wrapping_neg(), left & left.wrapping_sub(1))
        })
        .0
}

/// The classes whose ports the model at hand does not explain, with the number of a finding of each.
fn unexplained(cpu: &Cpu, findings: &[Finding]) -> Vec<(Class, usize)> {
    let leads = cpu.rows.iter().filter_map(|row| {
        let lead = findings.iter().position(|one| one.class() == Some(row.class))?;
        let each = findings[lead].throughput.figure.cycles;
        let is_single = findings[lead].classes.len() == 1 && (1.0 / each).round() <= 1.0;
        (is_single && row.ports.count_ones() > 1).then_some((row.class, lead))
    });
    leads.collect()
}

/// Findings that show a port: the model knows one port for their class, and one in a cycle was measured.
fn witnesses(cpu: &Cpu, findings: &[Finding]) -> Vec<(u16, usize)> {
    let leads = cpu.rows.iter().filter(|row| row.ports.count_ones() == 1).filter_map(|row| {
        let lead = findings.iter().position(|one| one.classes == [row.class])?;
        let each = findings[lead].throughput.figure.cycles;
        (each.round() == 1.0 && each < OCCUPIES).then_some((row.ports, lead))
    });
    let mut witnesses: Vec<(u16, usize)> = leads.collect();
    witnesses.dedup_by_key(|(port, _)| *port);
    witnesses
}

/// The only port of each class that the model does not explain, as far as it can be found.
fn only_ports(
    target: &'static Target,
    features: Features,
    cpu: &Cpu,
    findings: &[Finding],
) -> io::Result<HashMap<Class, u16>> {
    let witnesses = witnesses(cpu, findings);
    let mut found = HashMap::new();
    for (class, lead) in unexplained(cpu, findings) {
        let (mut loops, mut apart) = (Vec::new(), Vec::new());
        for &(port, witness) in &witnesses {
            let both = [lead, witness].map(|n| &findings[n]);
            if let Some(one) = in_turns(target, features, both.map(|one| one.name)) {
                let sum: f64 = both.iter().map(|one| one.throughput.figure.cycles).sum();
                loops.push(one);
                apart.push((port, sum));
            }
        }
        let together = Timer::new(target).time(&loops.iter().collect::<Vec<_>>())?;
        let shared = together.iter().zip(&apart);
        let shared = shared.filter(|(figure, (_, sum))| figure.cycles > SHARED * sum);
        if let [(_, (port, _))] = shared.collect::<Vec<_>>().as_slice() {
            found.insert(class, *port);
        }
    }
    Ok(found)
}

/// A model's file, in the form of those in the folder of its instruction set: what was measured on a
/// processor, on a day.
///
/// # Errors
/// If the system gives no executable memory for what shows ports.
///
/// # Panics
/// If the target's programs do not run here, where nothing was measured.
pub fn source(
    target: &'static Target,
    set: &Set,
    cpu: &Cpu,
    findings: &[Finding],
    processor: &str,
    date: &str,
) -> io::Result<String> {
    let name = |class| {
        let found = set.classes.iter().find(|(one, _)| *one == class);
        found.map_or("?", |(_, name)| name)
    };
    let features = (target.here)().expect("what was measured here");
    let only_ports = only_ports(target, features, cpu, findings)?;
    let rows = rows(cpu, findings, &only_ports);
    let (doc, own, width, count) = (cpu.doc, cpu.name, width(findings), rows.len());
    let mut text = format!(
        "\
//! {doc}.
//!
//! Measured by `loom calibrate` on {date}, on
//! {processor}.
//!
//! `loom calibrate --costs {own} --write` makes this file again.
//! The ports are those of the model before, but where one was found by what it shares with others.

use super::class::{{SchedulingClass, row}};
use crate::isa::costs::{{Cpu, Pipeline, Row}};

pub(super) const CPU: Cpu = Cpu {{
    name: \"{own}\",
    doc: \"{doc}\",
    width: {width},
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
}};

const ROWS: [Row; {count}] = [
"
    );
    for MeasuredRow { row, note } in &rows {
        text += &note.map_or(String::new(), |note| format!("    // {note}.\n"));
        let Row { latency, ports, times, .. } = row;
        let more = if *times == 1 { String::new() } else { format!(".times({times})") };
        let class = name(row.class);
        text += &format!("    row(SchedulingClass::{class}, {latency}, 0b{ports:b}){more},\n");
    }
    Ok(text + "];\n")
}
