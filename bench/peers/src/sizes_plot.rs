//! Sweeps as a picture: cycles per block over the size, both in powers, a panel per cipher.

use std::fmt::Write;

use crate::report::Report;
use crate::rows::size;
use crate::sizes::SweepReport;
use crate::svg::{BLUE, GREEN, ORANGE, PURPLE, YELLOW, head, start, text};
use crate::table::significant;

/// A panel's axes: their lengths, and room for what stands around them.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 96.0;
const ABOVE: f64 = 26.0;
const BELOW: f64 = 46.0;
/// Room above all panels.
const HEAD: f64 = 58.0;
const MARGIN: f64 = 14.0;
/// The least distance between two names.
const LINE: f64 = 12.0;

/// Colours of libraries, in the order in which they appear.
const COLOURS: [&str; 5] = [BLUE, ORANGE, GREEN, PURPLE, YELLOW];

/// A library's curve: sizes in bytes and costs.
struct Curve {
    library: &'static str,
    colour: &'static str,
    points: Vec<(f64, f64)>,
}

/// The sweeps as SVG.
pub(crate) fn draw(report: &Report) -> String {
    let panel = LEFT + WIDTH + RIGHT;
    let width = 2.0 * MARGIN + report.sweeps.len() as f64 * panel;
    let mut svg = start(width, HEAD + ABOVE + HEIGHT + BELOW);
    let title = format!("CBC decryption of messages of every size, {}", report.date);
    let note = format!(
        "{} per block, lower is faster; one message under one key, one core of {}",
        report.costs_in,
        report.processor.label()
    );
    head(&mut svg, MARGIN, &title, &note);
    for (n, sweep) in report.sweeps.iter().enumerate() {
        let (x, y) = (MARGIN + n as f64 * panel + LEFT, HEAD + ABOVE);
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
        draw_panel(&mut svg, sweep);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Of a library with several interfaces the fastest, at each size.
fn curves(sweep: &SweepReport) -> Vec<Curve> {
    let curve = |(n, library): (usize, &'static str)| {
        let points = sweep.sizes.iter().filter_map(|size| {
            let best = size.best(library)?;
            Some((size.bytes as f64, best.cost))
        });
        Curve { library, colour: COLOURS[n % COLOURS.len()], points: points.collect() }
    };
    sweep.libraries().into_iter().enumerate().map(curve).collect()
}

/// An axis in powers: from which value to which.
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// Where a value stands: 0 at the start, 1 at the end.
    fn place(&self, value: f64) -> f64 {
        (value / self.from).ln() / (self.to / self.from).ln()
    }
}

/// 1, 2 and 5 times powers of ten that hold all of `values` between them.
fn marks(values: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let highest = values.fold(0.0, f64::max);
    let steps = || (-3..=9).flat_map(|n| [1.0, 2.0, 5.0].map(|step| step * 10f64.powi(n)));
    let from = steps().filter(|&mark| mark <= lowest).fold(0.0, f64::max);
    let to = steps().filter(|&mark| mark >= highest && mark > from).fold(f64::INFINITY, f64::min);
    steps().filter(|&mark| (from..=to).contains(&mark)).collect()
}

fn draw_panel(svg: &mut String, sweep: &SweepReport) {
    let curves = curves(sweep);
    let all = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let marks = marks(all().map(|(_, cost)| cost));
    let bytes = || sweep.sizes.iter().map(|size| size.bytes as f64);
    let (Some(&from), Some(&to)) = (marks.first(), marks.last()) else { return };
    let costs = Axis { from, to };
    let sizes =
        Axis { from: bytes().fold(f64::INFINITY, f64::min), to: bytes().fold(0.0, f64::max) };
    let x = |bytes: f64| WIDTH * sizes.place(bytes);
    let y = |cost: f64| HEIGHT * (1.0 - costs.place(cost));

    text(svg, (0.0, -10.0), "font-size=\"12\" font-weight=\"bold\"", sweep.cipher.name());
    for &mark in &marks {
        let at = y(mark);
        let _ = writeln!(svg, "<path d=\"M0 {at:.1}h{WIDTH}\" stroke=\"#e3e3e3\"/>");
        let label = if mark < 1.0 { significant(mark) } else { mark.to_string() };
        text(svg, (-6.0, at + 3.5), "text-anchor=\"end\"", &label);
    }
    let powers = sweep.sizes.iter().filter(|size| size.blocks.is_power_of_two());
    for bytes in powers.map(|size| size.bytes) {
        let at = x(bytes as f64);
        let _ = writeln!(svg, "<path d=\"M{at:.1} {HEIGHT}v4\" stroke=\"#000000\"/>");
        if bytes == 8 || bytes.trailing_zeros() % 2 == 0 {
            text(svg, (at, HEIGHT + 16.0), "text-anchor=\"middle\"", &size(bytes));
        }
    }
    text(svg, (WIDTH / 2.0, HEIGHT + 34.0), "text-anchor=\"middle\"", "size of the message");
    let _ = writeln!(svg, "<path d=\"M0 0V{HEIGHT}H{WIDTH}\" fill=\"none\" stroke=\"#000000\"/>");

    // Ours is drawn last, above the others.
    for curve in curves.iter().rev() {
        let points: Vec<String> = curve
            .points
            .iter()
            .map(|&(bytes, cost)| format!("{:.1},{:.1}", x(bytes), y(cost)))
            .collect();
        let thickness = if curve.colour == BLUE { 2.5 } else { 1.5 };
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{thickness}\" \
             stroke-linejoin=\"round\"/>",
            points.join(" "),
            curve.colour
        );
    }
    names(svg, &curves, y);
}

/// Each name at the end of its curve, or as near as others leave room.
fn names(svg: &mut String, curves: &[Curve], y: impl Fn(f64) -> f64) {
    let mut ends: Vec<(&Curve, f64)> =
        curves.iter().filter_map(|curve| Some((curve, y(curve.points.last()?.1)))).collect();
    ends.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let places = spread(&ends.iter().map(|&(_, at)| at).collect::<Vec<_>>());
    for ((curve, _), at) in ends.iter().zip(places) {
        let attributes = format!("fill=\"{}\" font-size=\"11\"", curve.colour);
        text(svg, (WIDTH + 8.0, at + 3.5), &attributes, curve.library);
    }
}

/// Places in ascending order, each `LINE` or more below the one before, none below the axis.
fn spread(wanted: &[f64]) -> Vec<f64> {
    let mut places: Vec<f64> = Vec::new();
    for &at in wanted {
        places.push(places.last().map_or(at, |&last| at.max(last + LINE)));
    }
    let mut limit = HEIGHT;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - LINE;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example;

    #[test]
    fn every_library_has_a_curve_with_all_sizes_and_a_name() {
        let report = example();
        let svg = draw(&report);
        let curves: usize = report.sweeps.iter().map(|sweep| sweep.libraries().len()).sum();
        assert_eq!(svg.matches("<polyline ").count(), curves);
        assert_eq!(svg.matches("<g ").count(), report.sweeps.len());
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        for line in svg.lines().filter(|line| line.starts_with("<polyline")) {
            assert_eq!(line.matches(',').count(), crate::sweep::sizes().len());
        }
        for library in report.sweeps[0].libraries() {
            assert_eq!(svg.matches(&format!(">{library}<")).count(), report.sweeps.len());
        }
        assert!(report.sweeps[0].libraries().len() <= COLOURS.len(), "a colour each");
    }

    #[test]
    fn marks_hold_all_values() {
        let marks = |values: &[f64]| marks(values.iter().copied());
        assert_eq!(marks(&[3.5, 17.0]), [2.0, 5.0, 10.0, 20.0]);
        assert_eq!(marks(&[1000.0]), [1000.0, 2000.0]);
        let axis = Axis { from: 10.0, to: 1000.0 };
        for (value, place) in [(10.0, 0.0), (100.0, 0.5), (1000.0, 1.0)] {
            assert!((axis.place(value) - place).abs() < 1e-12);
        }
    }

    #[test]
    fn names_do_not_stand_on_each_other() {
        for wanted in [&[10.0, 11.0, 12.0, 200.0][..], &[HEIGHT - 1.0, HEIGHT, HEIGHT], &[5.0]] {
            let places = spread(wanted);
            assert_eq!(places.len(), wanted.len());
            assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= LINE - 1e-9), "{places:?}");
            assert!(places.iter().all(|&place| place <= HEIGHT), "{places:?}");
        }
        assert_eq!(spread(&[10.0, 100.0]), [10.0, 100.0]);
    }
}
