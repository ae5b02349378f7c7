//! Kernels in columns.

use cipherloom_measure::Columns;

use super::row::{Model, Row};

/// The text for kernels that were named.
pub(super) fn named(kernels: &[Row]) -> String {
    let mut text = table(kernels).to_string();
    if kernels.iter().any(|row| row.bounds.len() > 1) {
        let heading = ["kernel", "costs", "latency", "chain", "ports", "width", "bound"];
        let mut columns = Columns::new(2, heading);
        for row in kernels {
            for model in &row.bounds {
                let mut cells = vec![row.kernel.clone(), model.costs.to_owned()];
                cells.extend(model.cells());
                columns.row(cells);
            }
        }
        text += &format!("\n{columns}");
    }
    let predicted: Vec<_> =
        kernels.iter().filter_map(|row| Some((row, row.predicted.as_ref()?))).collect();
    if !predicted.is_empty() {
        let heading = [
            "kernel",
            "costs",
            "predicted",
            "unordered",
            "prefixes",
            "bus",
            "earlier",
            "ours/earlier",
        ];
        let mut columns = Columns::new(2, heading);
        for (row, model) in &predicted {
            let earlier = model.earlier.as_ref().map(|earlier| earlier.cycles);
            columns.row([
                row.kernel.clone(),
                model.costs.to_owned(),
                figure(model.cycles),
                figure(model.unordered),
                figure(model.prefixes),
                optional(model.bus),
                optional(earlier),
                optional(earlier.map(|earlier| model.cycles / earlier)),
            ]);
        }
        text += &format!("\n{columns}");
        let known = predicted.iter().filter_map(|(_, model)| model.earlier.as_ref());
        for earlier in known {
            text += &format!("\nEarlier: {}.\n", earlier.what);
        }
    }
    for (name, text_of_loop) in
        kernels.iter().filter_map(|row| Some((&row.kernel, row.innermost.as_ref()?)))
    {
        text += &format!("\nThe innermost loop of {name}:\n\n{text_of_loop}");
    }
    text + "\n" + LEGEND
}

/// What the columns say.
pub(super) const LEGEND: &str = "\
Instructions, loads, stores and cycles are per block, byte or key; code and tables are bytes.
Latency: one unit of work alone, from first to last. Chain, ports and width: what a further piece
adds to the longest chain of results, takes of the ports, takes of the operations begun a cycle.
Bound: the highest of these three, below which no order of instructions can get in a long run.
Predicted: the sum of all clocks where instructions are done in order, if caches hit; for the best plan
found by that sum. Unordered: of the same instructions in the order of the description. Prefixes: of
instructions, a block. Bus: clocks for which the bus is busy with code and data, where there is no cache.
";

impl Model {
    fn cells(&self) -> [String; 5] {
        [self.latency, self.chain, self.ports, self.width, self.bound].map(figure)
    }
}

/// A figure with as many digits as say something.
pub(super) fn figure(x: f64) -> String {
    if x < 20.0 { format!("{x:.2}") } else { format!("{x:.1}") }
}

pub(super) fn optional(x: Option<f64>) -> String {
    x.map_or("-".to_owned(), figure)
}

/// A row for each kernel.
pub(super) fn table(kernels: &[Row]) -> Columns {
    let heading = [
        "kernel",
        "per",
        "instructions",
        "loads",
        "stores",
        "code",
        "tables",
        "bound",
        "cycles here",
    ];
    let mut columns = Columns::new(2, heading);
    for row in kernels {
        columns.row([
            row.kernel.clone(),
            row.per.to_owned(),
            figure(row.instructions),
            figure(row.loads),
            figure(row.stores),
            row.code_bytes.to_string(),
            row.table_bytes.to_string(),
            optional(row.bounds.first().map(|model| model.bound)),
            optional(row.cycles),
        ]);
    }
    columns
}
