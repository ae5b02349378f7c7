//! The report as text: aligned tables.

use std::fmt::Write;

use cipherloom_measure::{Columns, significant};

use super::benchmark::{Load, size};
use super::report::{Cell, Comparison, Figure, Found, Report};

/// The whole report.
pub(crate) fn render(report: &Report) -> String {
    let mut text = format!("{} on {}\n", report.program, report.processor.label());
    if !report.rows.is_empty() {
        text.push_str(
            "\nMB/s (10^6 bytes a second), one thread, median; ± is the row's widest spread\n\n",
        );
        text.push_str(&table(report, |figure| Some(figure.mb_per_s)));
        match report.cycles_unknown_because {
            None => {
                let clocks: Vec<f64> = figures(report).filter_map(|figure| figure.ghz).collect();
                let low = clocks.iter().copied().fold(f64::INFINITY, f64::min);
                let high = clocks.iter().copied().fold(0.0, f64::max);
                let _ = write!(
                    text,
                    "\nCore cycles per byte (core clock, measured alongside: {low:.2} to {high:.2} GHz)\n\n",
                );
                text.push_str(&table(report, |figure| figure.cycles_per_byte));
            }
            Some(why) => {
                let _ = writeln!(text, "\nNo cycles per byte: {why}.");
            }
        }
        text.push_str(&left_out(report));
    }
    if let Some(comparison) = &report.comparison {
        text.push_str(&compare(comparison));
    }
    text
}

fn figures(report: &Report) -> impl Iterator<Item = &Figure> {
    report.rows.iter().flat_map(|row| row.cells.iter().filter_map(Cell::figure))
}

/// One table: a row per row, a column per amount of work.
fn table(report: &Report, value: impl Fn(&Figure) -> Option<f64>) -> String {
    let mut loads: Vec<Load> = Vec::new();
    for load in report.rows.iter().flat_map(|row| row.cells.iter().map(Cell::load)) {
        if !loads.contains(&load) {
            loads.push(load);
        }
    }
    // A row without records must not push the records' column to the front.
    loads.sort_by_key(|load| matches!(load, Load::Records { .. }));
    let heading = ["cipher", "direction", "backend"].map(String::from).into_iter();
    let heading = heading.chain(loads.iter().map(|load| load.label())).chain(["±".into()]);
    let mut columns = Columns::new(3, heading);
    for row in &report.rows {
        let find = |load: &Load| row.cells.iter().find(|cell| cell.load() == *load);
        let mut cells = vec![row.cipher.clone(), row.direction.name().into(), row.backend.into()];
        cells.extend(loads.iter().map(|load| match find(load) {
            None => "-".into(),
            Some(cell) => cell.figure().and_then(&value).map_or("...".into(), significant),
        }));
        let spread = row.cells.iter().filter_map(Cell::figure).map(|figure| figure.spread_percent);
        cells.push(format!("{:.0}%", spread.fold(0.0, f64::max)));
        columns.row(cells);
    }
    columns.to_string()
}

/// What the dots stand for.
fn left_out(report: &Report) -> String {
    let mut text = String::new();
    for row in &report.rows {
        for cell in &row.cells {
            if let Found::LeftOut { left_out } = &cell.result {
                let (direction, load) = (row.direction.name(), cell.load().label());
                let _ = writeln!(
                    text,
                    "... {} {direction} {} {load}: {left_out}",
                    row.cipher, row.backend
                );
            }
        }
    }
    if text.is_empty() { text } else { format!("\nLeft out:\n{text}") }
}

fn compare(comparison: &Comparison) -> String {
    let mut text = format!("\n{}\n", comparison.note);
    if comparison.pairs.is_empty() {
        return text;
    }
    let heading = ["cipher", "direction", "bytes", "cipherloom", "openssl", "from..to", "ratio"];
    let mut columns = Columns::new(2, heading);
    for pair in &comparison.pairs {
        let [low, high] = pair.openssl_range;
        columns.row(vec![
            pair.cipher.clone(),
            pair.direction.name().into(),
            size(pair.bytes),
            significant(pair.cipherloom_mb_per_s),
            significant(pair.openssl_mb_per_s),
            format!("{}..{}", significant(low), significant(high)),
            format!("{:.2}", pair.ratio),
        ]);
    }
    let _ = write!(text, "\n{columns}");
    text
}
