//! What was measured of each probe, beside the model.

use std::io;

use super::code::{Question, Set};
use super::timing::{Figure, Timer};
use crate::isa::Target;
use crate::isa::costs::{Class, Cpu};
use crate::isa::probe::Chain;

/// By how much a figure may be off before it says another thing than the model: in parts of the model's,
/// and in cycles.
const OFF: [f64; 2] = [0.12, 0.12];

/// A figure beside the model's.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Cycles.
    pub figure: Figure,
    /// Cycles by the model; none where models say nothing.
    pub model: Option<f64>,
}

impl Measured {
    /// Whether they differ by more than measuring explains.
    #[must_use]
    pub fn differs(&self) -> bool {
        let [part, cycles] = OFF;
        let off = |model: f64| (self.figure.cycles - model).abs() > cycles.max(part * model);
        self.model.is_some_and(off)
    }

    /// Whether samples disagree.
    #[must_use]
    pub fn is_unsure(&self) -> bool {
        self.figure.is_unsure()
    }
}

/// What was measured of a probe.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The probe.
    pub name: &'static str,
    /// The scheduling classes of its instructions; models' rows are of the last one.
    pub classes: Vec<Class>,
    /// From each source to the result, in cycles; none if it has none.
    pub latency: Vec<Measured>,
    /// From one to the next that does not wait for it, in cycles.
    pub throughput: Measured,
}

impl Finding {
    /// Measures all probes of a set.
    ///
    /// # Errors
    /// If the system gives no executable memory.
    pub fn all(target: &'static Target, set: &Set, cpu: &Cpu) -> io::Result<Vec<Self>> {
        let loops: Vec<_> = set.probes.iter().flat_map(|probe| &probe.loops).collect();
        let mut figures = Timer::new(target).time(&loops)?.into_iter();
        let findings = set.probes.iter().map(|probe| {
            let (mut latency, mut throughput) = (Vec::new(), None);
            for (one, figure) in probe.loops.iter().zip(&mut figures) {
                let is_latency = matches!(one.question, Question::Latency(_));
                let says = !(is_latency && probe.chain == Chain::Memory);
                let model = says.then(|| one.predicted(cpu));
                let measured = Measured { figure, model };
                if is_latency { latency.push(measured) } else { throughput = Some(measured) }
            }
            let throughput = throughput?;
            Some(Self { name: probe.name, classes: probe.classes.clone(), latency, throughput })
        });
        Ok(findings.flatten().collect())
    }

    /// The scheduling class that it is about.
    #[must_use]
    pub fn class(&self) -> Option<Class> {
        self.classes.last().copied()
    }

    /// Whether anything differs from the model.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.latency.iter().chain([&self.throughput]).any(Measured::differs)
    }
}
