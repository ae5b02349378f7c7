//! The report as pictures: a bar per library, a panel per row of work, a column per cipher; and curves
//! over all sizes, a panel per cipher.

use cipherloom_measure::chart::{Bar, BarPanel, Bars, COLOURS, Curve, CurvePanel, Curves, Ink};

use crate::participants::{Kind, OPENSSL};
use crate::report::{Outcome, Report, RowReport};
use crate::rows::{Cipher, size};
use crate::sizes::SweepReport;

const OURS: &str = COLOURS[0];
const PEERS: &str = "#999999";
const PLAIN: &str = "#d9d9d9";

/// Whose curves stand in a picture of hot and cold.
const HOT_AND_COLD: [&str; 2] = ["cipherloom", OPENSSL];

/// The rows as bars.
pub(crate) fn rows(report: &Report) -> String {
    let columns = Cipher::ALL.map(|cipher| report.rows(cipher).into_iter().map(panel).collect());
    let legend = [(OURS, "Cipherloom"), (PEERS, "other libraries"), (PLAIN, "plain C of ours")];
    Bars {
        title: format!("Cipherloom and peers on {}, {}", report.processor.label(), report.date),
        note: format!(
            "{}, shorter is faster; {}; of a library with several interfaces the fastest; a line \
             spans the processes; a cut bar is longer",
            report.costs_in,
            report.pace.note()
        ),
        legend: legend.map(|(colour, what)| (colour, what.to_owned())).into(),
        columns: columns.into_iter().filter(|column: &Vec<_>| !column.is_empty()).collect(),
    }
    .draw()
}

fn panel(row: &RowReport) -> BarPanel {
    let bar = |outcome: &Outcome| Bar {
        name: outcome.library.into(),
        value: outcome.cost,
        range: [outcome.lowest, outcome.highest],
        colour: match outcome.kind {
            Kind::Ours | Kind::Backend => OURS,
            Kind::Peer => PEERS,
            Kind::Plain => PLAIN,
        },
    };
    let title = format!("{}, per {}", row.row.title(), row.row.unit.name());
    BarPanel { title, bars: fastest(row).into_iter().map(bar).collect() }
}

/// The fastest of each library, in the order of the report.
fn fastest(row: &RowReport) -> Vec<&Outcome> {
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

/// The sweeps as curves.
pub(crate) fn sizes(report: &Report) -> String {
    let panel =
        |sweep: &&SweepReport| CurvePanel { title: sweep.title.clone(), curves: curves(sweep) };
    Curves {
        title: format!("Messages of every size, {}", report.date),
        note: format!(
            "lower is faster; {}; one message under one key, one core of {}",
            report.pace.note(),
            report.processor.label()
        ),
        axes: ["length of the message".into(), format!("{} per block", report.costs_in)],
        marks: marks(report),
        panels: report.curves().iter().map(panel).collect(),
    }
    .draw()
}

fn curves(sweep: &SweepReport) -> Vec<Curve> {
    let curve = |library: &'static str| Curve {
        name: library.into(),
        ink: Ink::Colour,
        points: points(sweep, library),
    };
    sweep.libraries().into_iter().map(curve).collect()
}

/// What a library takes for a block of each size: of several interfaces the fastest.
fn points(sweep: &SweepReport, library: &str) -> Vec<(f64, f64)> {
    let best = sweep.sizes.iter().filter_map(|size| Some((size.bytes, size.best(library)?)));
    best.map(|(bytes, best)| (bytes as f64, best.cost)).collect()
}

/// Sweeps of two reports, hot and cold, as curves: ours and OpenSSL's.
pub(crate) fn hot_and_cold(reports: &[Report; 2]) -> String {
    let [hot, _] = reports;
    let panel = |(n, sweep): (usize, &&SweepReport)| CurvePanel {
        title: sweep.title.clone(),
        curves: HOT_AND_COLD
            .iter()
            .flat_map(|&library| {
                reports.iter().map(move |report| Curve {
                    name: format!("{library}, {}", report.pace.name()),
                    ink: Ink::Colour,
                    points: points(report.curves()[n], library),
                })
            })
            .collect(),
    };
    Curves {
        title: format!("Messages of every size, hot and cold, {}", hot.date),
        note: format!(
            "lower is faster; cold: after 2 ms of other work; one message under one key, one core of {}",
            hot.processor.label()
        ),
        axes: ["length of the message".into(), format!("{} per block", hot.costs_in)],
        marks: marks(hot),
        panels: hot.curves().iter().enumerate().map(panel).collect(),
    }
    .draw()
}

/// The powers of two.
fn marks(report: &Report) -> Vec<(f64, String)> {
    let curves = report.curves();
    let sizes = curves.first().map_or(&[][..], |sweep| &sweep.sizes);
    let powers = sizes.iter().filter(|size| size.blocks.is_power_of_two());
    powers.map(|row| (row.bytes as f64, size(row.bytes))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pace::Pace;
    use crate::report::tests::example;

    #[test]
    fn every_library_has_one_bar_in_every_panel() {
        let report = example();
        let svg = rows(&report);
        assert_eq!(svg.matches("<g ").count(), report.rows.len());
        for row in &report.rows {
            let bars = fastest(row);
            let ours = bars.iter().filter(|bar| bar.kind == Kind::Ours).count();
            assert_eq!((ours, bars[0].kind), (1, Kind::Ours));
            for bar in &bars {
                assert_eq!(bars.iter().filter(|other| other.library == bar.library).count(), 1);
            }
        }
    }

    #[test]
    fn hot_and_cold_stand_beside_each_other() {
        let mut reports = [example(), example()];
        reports[0].pace = Pace::Hot;
        reports[1].pace = Pace::Cold;
        let panels = reports[0].curves().len();
        let svg = hot_and_cold(&reports);
        assert_eq!(svg.matches("<polyline ").count(), 4 * panels);
        for name in ["cipherloom, hot", "cipherloom, cold", "OpenSSL, hot", "OpenSSL, cold"] {
            assert_eq!(svg.matches(&format!(">{name}<")).count(), panels, "{name}");
        }
    }

    #[test]
    fn every_library_has_a_curve_with_all_sizes_and_a_name() {
        let report = example();
        let svg = sizes(&report);
        let curves: usize = report.curves().iter().map(|sweep| sweep.libraries().len()).sum();
        assert_eq!(svg.matches("<polyline ").count(), curves);
        assert_eq!(svg.matches("<g ").count(), report.curves().len());
        for line in svg.lines().filter(|line| line.starts_with("<polyline")) {
            assert_eq!(line.matches(',').count(), crate::sweep::sizes().len());
        }
        for library in report.sweeps[0].libraries() {
            let has = |sweep: &&&SweepReport| sweep.libraries().contains(&library);
            let panels = report.curves().iter().filter(has).count();
            assert_eq!(svg.matches(&format!(">{library}<")).count(), panels);
        }
        assert!(report.sweeps[0].libraries().len() <= COLOURS.len(), "a colour each");
    }
}
