//! The report as a picture: a bar per library, a panel per row of work, a column per cipher.

use std::fmt::Write;

use crate::distribution::Distribution;
use crate::participants::Kind;
use crate::report::{Outcome, Report, RowReport};
use crate::rows::Cipher;
use crate::svg::{BLUE as OURS, head, start, text};
use crate::table::significant;

/// A panel's width, and the parts of it: names, bars, numbers.
const PANEL: f64 = 330.0;
const NAMES: f64 = 78.0;
const BARS: f64 = 180.0;
/// A bar's height with the gap below it, and without.
const STEP: f64 = 14.0;
const BAR: f64 = 10.0;
/// Room above the bars of a panel, for its title.
const ABOVE: f64 = 24.0;
/// Room above all panels.
const HEAD: f64 = 64.0;
const MARGIN: f64 = 14.0;

const PEERS: &str = "#999999";
const PLAIN: &str = "#d9d9d9";

/// The report as SVG.
pub(crate) fn draw(report: &Report) -> String {
    let columns: Vec<Vec<&RowReport>> = Cipher::ALL
        .map(|cipher| report.rows(cipher))
        .into_iter()
        .filter(|rows| !rows.is_empty())
        .collect();
    let width = 2.0 * MARGIN + columns.len() as f64 * PANEL;
    let column_heights = columns.iter().map(|rows| rows.iter().map(|row| height(row)).sum());
    let height_of_all = HEAD + column_heights.fold(0.0, f64::max) + MARGIN;
    let mut svg = start(width, height_of_all);
    let title = format!("Cipherloom and peers on {}, {}", report.processor.label(), report.date);
    let note = format!(
        "{}, shorter is faster; of a library with several interfaces the fastest; a line spans the \
         processes; a cut bar is longer",
        report.costs_in
    );
    head(&mut svg, MARGIN, &title, &note);
    for (column, rows) in columns.iter().enumerate() {
        let x = MARGIN + column as f64 * PANEL;
        let mut y = HEAD;
        for row in rows {
            let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
            panel(&mut svg, row);
            svg.push_str("</g>\n");
            y += height(row);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The fastest of each library, in the order of the report.
fn bars(row: &RowReport) -> Vec<&Outcome> {
    let mut bars: Vec<&Outcome> = Vec::new();
    for outcome in row.results.iter().filter(|outcome| outcome.kind != Kind::Backend) {
        match bars.iter_mut().find(|bar| bar.library == outcome.library) {
            Some(bar) if outcome.cost < bar.cost => *bar = outcome,
            Some(_) => {}
            None => bars.push(outcome),
        }
    }
    bars
}

/// A panel's height, with the gap below it.
fn height(row: &RowReport) -> f64 {
    ABOVE + bars(row).len() as f64 * STEP + 10.0
}

/// The cost whose bar has the full length: the highest, unless it would leave no room for the rest.
fn scale(bars: &[&Outcome]) -> f64 {
    let highest = Distribution::new(bars.iter().map(|bar| bar.highest).collect());
    highest.map_or(1.0, |highest| highest.highest.min(4.0 * highest.median))
}

fn panel(svg: &mut String, row: &RowReport) {
    let title = format!("{}, per {}", row.row.title(), row.row.unit.name());
    text(svg, (0.0, 14.0), "font-size=\"11\" font-weight=\"bold\"", &title);
    let bars = bars(row);
    let full = scale(&bars);
    for (n, bar) in bars.iter().enumerate() {
        let y = ABOVE + n as f64 * STEP;
        let x = |cost: f64| NAMES + (cost / full).min(1.0) * BARS;
        let fill = match bar.kind {
            Kind::Ours | Kind::Backend => OURS,
            Kind::Peer => PEERS,
            Kind::Plain => PLAIN,
        };
        text(svg, (NAMES - 4.0, y + BAR - 1.5), "text-anchor=\"end\"", bar.library);
        let _ = writeln!(
            svg,
            "<rect x=\"{NAMES}\" y=\"{y}\" width=\"{:.1}\" height=\"{BAR}\" fill=\"{fill}\"/>",
            x(bar.cost) - NAMES
        );
        if bar.highest > full {
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {}l6 {}\" stroke=\"#ffffff\" stroke-width=\"3\"/>",
                NAMES + BARS - 20.0,
                y + BAR + 1.0,
                -BAR - 2.0
            );
        } else if row.processes > 1 {
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {}H{:.1}\" stroke=\"#000000\"/>",
                x(bar.lowest),
                y + BAR / 2.0,
                x(bar.highest)
            );
        }
        text(svg, (x(bar.highest) + 4.0, y + BAR - 1.5), "", &significant(bar.cost));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example;

    #[test]
    fn every_library_has_one_bar_in_every_panel() {
        let report = example();
        let svg = draw(&report);
        assert_eq!(svg.matches("<g ").count(), report.rows.len());
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        for row in &report.rows {
            let bars = bars(row);
            let ours = bars.iter().filter(|bar| bar.kind == Kind::Ours).count();
            assert_eq!((ours, bars[0].kind), (1, Kind::Ours));
            for bar in &bars {
                assert_eq!(bars.iter().filter(|other| other.library == bar.library).count(), 1);
            }
        }
    }
}
