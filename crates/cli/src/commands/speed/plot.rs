//! The report as a picture: speed over message length, one panel per cipher and direction.

use cipherloom_measure::chart::{Curve, CurvePanel, Curves, Ink};

use super::benchmark::{MeasuredDirection, size};
use super::report::{CHOSEN, Report, Row};
use crate::errors::Result;
use crate::io::destination::Destination;
use crate::io::notes::Notes;
use crate::io::output::Style;

/// Draws the report and puts the picture in its place.
///
/// # Errors
/// The system's.
pub(crate) fn write(report: &Report, destination: Destination) -> Result<()> {
    let mut output = destination.open(Style::default())?;
    output.write(chart(report).draw().as_bytes())?;
    output.commit(&Notes::new(false)).map(drop)
}

fn chart(report: &Report) -> Curves {
    let panels = panels(report);
    let curves = panels.iter().flat_map(|panel| &panel.curves);
    let mut sizes: Vec<f64> =
        curves.flat_map(|curve| curve.points.iter().map(|point| point.0)).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    Curves {
        title: format!("{} on {}", report.program, report.processor.label()),
        note: "one thread, higher is faster; the pale band is what the library chooses".into(),
        axes: ["length of the message", "MB/s"].map(String::from),
        marks: sizes.into_iter().map(|bytes| (bytes, size(bytes as usize))).collect(),
        panels,
    }
}

/// Rows of one cipher and direction share a panel; the chosen backend is the first of them.
fn panels(report: &Report) -> Vec<CurvePanel> {
    let mut panels: Vec<CurvePanel> = Vec::new();
    for row in &report.rows {
        let title = title(&row.cipher, row.direction);
        let ink = if row.backend == CHOSEN { Ink::Band } else { Ink::Colour };
        let curve = Curve { name: row.backend.into(), ink, points: points(row) };
        match panels.iter_mut().find(|panel| panel.title == title) {
            Some(panel) => panel.curves.push(curve),
            None => panels.push(CurvePanel { title, curves: vec![curve] }),
        }
    }
    for panel in &mut panels {
        let pairs = report.comparison.iter().flat_map(|comparison| &comparison.pairs);
        let theirs: Vec<(f64, f64)> = pairs
            .filter(|pair| title(&pair.cipher, pair.direction) == panel.title)
            .map(|pair| (pair.bytes as f64, pair.openssl_mb_per_s))
            .collect();
        if !theirs.is_empty() {
            let name = "openssl speed".into();
            panel.curves.push(Curve { name, ink: Ink::Black, points: theirs });
        }
    }
    panels
}

fn title(cipher: &str, direction: MeasuredDirection) -> String {
    match direction {
        MeasuredDirection::Either => cipher.to_owned(),
        _ => format!("{cipher}, {}", direction.name()),
    }
}

fn points(row: &Row) -> Vec<(f64, f64)> {
    let messages = row.cells.iter().filter(|cell| cell.records.is_none());
    messages.filter_map(|cell| Some((cell.bytes as f64, cell.figure()?.mb_per_s))).collect()
}
