//! The kernels of the library, and the figures of earlier code beside them.

use cipherloom_measure::Columns;
use serde::Serialize;

use loom::exec::Processor;
use loom::isa::frame::Abi;
use loom::isa::{Features, registry};
use loom::stats::baselines::{self, Baseline};

use super::super::error::Result;
use super::row::{Row, Rows};
use super::tables::{LEGEND, figure, optional, table};

/// All that is printed.
#[derive(Serialize)]
pub(super) struct Report {
    kernels: Vec<Row>,
    baselines: Vec<Beside>,
    gain_of_tuning: Gain,
}

/// A figure of earlier code beside ours.
#[derive(Serialize)]
struct Beside {
    what: &'static str,
    from: &'static str,
    cycles: f64,
    instructions: Option<u32>,
    kernel: String,
    our_cycles: Option<f64>,
    our_instructions: f64,
}

/// What tuning gained over the order before it.
#[derive(Serialize)]
struct Gain {
    /// libdes on a Pentium, 1997.
    by_hand: f64,
    kernel: String,
    /// Of the tuned file, if there is one.
    by_loom: Option<f64>,
}

impl Report {
    /// The report on these kernels.
    ///
    /// # Errors
    /// As [`Rows::row`].
    pub(super) fn new(kernels: Vec<Row>, rows: &Rows<'_>) -> Result<Self> {
        // Where the code was for another processor, no kernel of the library is beside it.
        let beside = |baseline: &Baseline| {
            let ours = baseline.ours(rows.here.features);
            let there = ours.target != registry::plain();
            let there = there.then(|| rows.row(&ours)).transpose()?;
            Ok(beside(baseline, &rows.here, there.as_ref().map_or(&*kernels, std::slice::from_ref)))
        };
        let first = baselines::ALL[0].ours(rows.here.features);
        let tuned = rows.store.load(&first, Abi::usual(first.target), rows.processor)?;
        Ok(Self {
            baselines: baselines::ALL.iter().map(beside).collect::<Result<_>>()?,
            gain_of_tuning: Gain {
                by_hand: baselines::GAIN,
                kernel: first.name(),
                by_loom: tuned.map(|tuned| tuned.measured.gain),
            },
            kernels,
        })
    }

    /// All of it in columns.
    pub(super) fn text(&self) -> String {
        let heading = [
            "earlier code",
            "by",
            "ours",
            "cycles",
            "instructions",
            "our cycles",
            "our instructions",
            "times as fast",
        ];
        let mut columns = Columns::new(3, heading);
        for row in &self.baselines {
            columns.row([
                row.what.to_owned(),
                row.from.to_owned(),
                row.kernel.clone(),
                figure(row.cycles),
                row.instructions.map_or("-".to_owned(), |n| n.to_string()),
                optional(row.our_cycles),
                figure(row.our_instructions),
                optional(row.our_cycles.map(|ours| row.cycles / ours)),
            ]);
        }
        let Gain { by_hand, kernel, by_loom } = &self.gain_of_tuning;
        let ours = by_loom.map_or("not tuned yet".to_owned(), |gain| format!("{gain:.3}"));
        format!(
            "{}\n{LEGEND}The bounds are those of the costs of {}.\n\n{columns}\n\
             Gain over the untuned order: {by_hand} by hand (libdes, Pentium, 1997); {kernel}: {ours}.\n\
             `loom stats rc4_apply_s8 --loop` prints the loop beside the 14 instructions.\n",
            table(&self.kernels),
            self.kernels.first().and_then(|row| row.bounds.first()).map_or("", |model| model.costs),
        )
    }
}

fn beside(baselines: &Baseline, here: &Processor, kernels: &[Row]) -> Beside {
    let variant = baselines.ours(here.features);
    let plain = baselines.ours(Features::NONE).name();
    let find = |name: &str| kernels.iter().find(|row| row.kernel == name);
    let ours =
        find(&variant.name()).or_else(|| find(&plain)).expect("kernels of the baselines ship");
    Beside {
        what: baselines.what,
        from: baselines.from,
        cycles: baselines.cycles,
        instructions: baselines.instructions,
        kernel: match variant.target == registry::plain() {
            true => ours.kernel.clone(),
            false => variant.to_string(),
        },
        our_cycles: ours.cycles,
        our_instructions: ours.instructions,
    }
}
