//! Curves over logarithmic axes, in panels that share them: two panels can be compared by eye.

use super::COLOURS;
use super::svg::{Svg, text_width};
use crate::Distribution;

/// A panel's axes: their lengths, and room for what stands around them.
const WIDTH: f64 = 330.0;
const HEIGHT: f64 = 270.0;
const LEFT: f64 = 64.0;
const ABOVE: f64 = 28.0;
const BELOW: f64 = 50.0;
/// Room above all panels.
const HEAD: f64 = 54.0;
const MARGIN: f64 = 14.0;
/// Panels side by side, at most.
const ACROSS: usize = 3;
/// The least distance between two names, one above the other, and between two marks of an axis.
const LINE: f64 = 12.5;
/// From a curve's end to its name.
const LEADER: f64 = 22.0;
/// Lines from point to point: whole, and what comes when the colours have all been used.
const DASHES: [&str; 3] = ["", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 2\""];

/// A chart of curves.
#[derive(Clone, Debug)]
pub struct Curves {
    /// Its title.
    pub title: String,
    /// A line below that: what was done, and which way is better.
    pub note: String,
    /// What is on the axes, across and up, with units.
    pub axes: [String; 2],
    /// Where the axis across has a mark, in ascending order, and what stands there. Points there are
    /// shown.
    pub marks: Vec<(f64, String)>,
    /// The panels.
    pub panels: Vec<CurvePanel>,
}

/// Curves in one pair of axes.
#[derive(Clone, Debug)]
pub struct CurvePanel {
    /// What stands above it.
    pub title: String,
    /// In the order in which they are drawn.
    pub curves: Vec<Curve>,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What stands at its end. The same name has the same colour in all panels.
    pub name: String,
    /// How it is drawn.
    pub ink: Ink,
    /// Its points, from left to right, all above zero.
    pub points: Vec<(f64, f64)>,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// In a colour of its own.
    Colour,
    /// In black, to compare with.
    Black,
    /// Broad and pale: others that are drawn later can be seen on it.
    Band,
}

/// An axis in powers: from which value to which.
#[derive(Clone, Copy)]
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// Where a value stands: 0 at the start, 1 at the end.
    fn place(self, value: f64) -> f64 {
        (value / self.from).ln() / (self.to / self.from).ln()
    }
}

impl Curves {
    /// The chart as SVG.
    #[must_use]
    pub fn draw(&self) -> String {
        let curves = || self.panels.iter().flat_map(|panel| &panel.curves);
        let longest = curves().map(|curve| text_width(&curve.name, 10.0)).fold(0.0, f64::max);
        let (width, height) = (LEFT + WIDTH + LEADER + longest + MARGIN, ABOVE + HEIGHT + BELOW);
        // Rows of one length, as far as can be: four panels are two of two.
        let rows = self.panels.len().div_ceil(ACROSS).max(1);
        let columns = self.panels.len().div_ceil(rows);
        let size = (MARGIN + columns as f64 * width, HEAD + rows as f64 * height);
        let mut svg = Svg::new(size, &self.title, &self.note);
        let points = || curves().flat_map(|curve| &curve.points);
        let lengths = self.marks.iter().map(|mark| mark.0).chain(points().map(|point| point.0));
        let across = match Distribution::new(lengths) {
            Some(all) if all.lowest < all.highest => Axis { from: all.lowest, to: all.highest },
            only => {
                let only = only.map_or(1.0, |only| only.median);
                Axis { from: only / 2.0, to: only * 2.0 }
            }
        };
        let up = Distribution::new(points().map(|point| point.1));
        let up = up.map_or_else(|| marks(1.0, 10.0), |all| marks(all.lowest, all.highest));
        for (n, panel) in self.panels.iter().enumerate() {
            let x = LEFT + (n % columns) as f64 * width;
            let y = HEAD + ABOVE + (n / columns) as f64 * height;
            svg.group((x, y), |svg| self.panel(svg, panel, across, &up));
        }
        svg.finish()
    }

    /// A curve's colour, and its stroke with that. No two names have the same one.
    fn pen(&self, curve: &Curve) -> (&'static str, String) {
        let mut names = Vec::new();
        for other in self.panels.iter().flat_map(|panel| &panel.curves) {
            if other.ink == Ink::Colour && !names.contains(&&other.name) {
                names.push(&other.name);
            }
        }
        let n = names.iter().take_while(|name| ***name != curve.name).count();
        let (colour, width, dash) = match curve.ink {
            Ink::Colour => {
                (COLOURS[n % COLOURS.len()], 2.0, DASHES[n / COLOURS.len() % DASHES.len()])
            }
            Ink::Black => ("#000000", 1.5, ""),
            Ink::Band => ("#cccccc", 8.0, ""),
        };
        (colour, format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}"))
    }

    fn panel(&self, svg: &mut Svg, panel: &CurvePanel, across: Axis, up: &[f64]) {
        let axis = Axis { from: up[0], to: up[up.len() - 1] };
        let x = |value: f64| WIDTH * across.place(value);
        let y = |value: f64| HEIGHT * (1.0 - axis.place(value));
        svg.text((0.0, -10.0), "font-size=\"12\" font-weight=\"bold\"", &panel.title);
        for &mark in up {
            let at = y(mark);
            svg.add(format_args!("<path d=\"M0 {at:.1}h{WIDTH}\" stroke=\"#e3e3e3\"/>"));
            svg.text((-6.0, at + 3.5), "text-anchor=\"end\"", &mark.to_string());
        }
        let mut free = f64::NEG_INFINITY;
        for (value, label) in &self.marks {
            let (at, half) = (x(*value), text_width(label, 10.0) / 2.0);
            svg.add(format_args!("<path d=\"M{at:.1} {HEIGHT}v4\" stroke=\"#000000\"/>"));
            // Labels of marks close together would run into each other.
            if at - half >= free {
                svg.text((at, HEIGHT + 16.0), "text-anchor=\"middle\"", label);
                free = at + half + 4.0;
            }
        }
        let [length, unit] = &self.axes;
        svg.text((WIDTH / 2.0, HEIGHT + 33.0), "text-anchor=\"middle\"", length);
        let turned = "text-anchor=\"middle\" transform=\"rotate(-90)\"";
        svg.text((-HEIGHT / 2.0, -44.0), turned, unit);
        let frame = "fill=\"none\" stroke=\"#000000\"";
        svg.add(format_args!("<path d=\"M0 0V{HEIGHT}H{WIDTH}\" {frame}/>"));
        let mut ends = Vec::new();
        for curve in &panel.curves {
            let (colour, stroke) = self.pen(curve);
            let mut points = Vec::new();
            for &(a, b) in &curve.points {
                let (x, y) = (x(a), y(b));
                points.push(format!("{x:.1},{y:.1}"));
                if self.marks.iter().any(|mark| mark.0 == a) {
                    svg.add(format_args!(
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>"
                    ));
                }
            }
            svg.add(format_args!("<polyline points=\"{}\" {stroke}/>", points.join(" ")));
            ends.extend(curve.points.last().map(|&(a, b)| (y(b), x(a), stroke, &curve.name)));
        }
        // Each name at the end of its curve, or as near as others leave room.
        ends.sort_by(|one, other| one.0.total_cmp(&other.0));
        let places = spread(&ends.iter().map(|end| end.0).collect::<Vec<_>>());
        for ((y, x, stroke, name), place) in ends.into_iter().zip(places) {
            let to = WIDTH + LEADER - 8.0;
            svg.add(format_args!(
                "<path d=\"M{x:.1} {y:.1}L{to} {place:.1}h5\" {stroke} opacity=\"0.6\"/>"
            ));
            svg.text((WIDTH + LEADER, place + 3.5), "", name);
        }
    }
}

/// 1, 2 and 5 times powers of ten that hold all values between them; the powers alone where the rest
/// has no room.
fn marks(low: f64, high: f64) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32 + 1;
    let hold = |steps: &[u8]| -> Vec<f64> {
        let mark = |n: i32, step: &u8| format!("{step}e{n}").parse::<f64>().expect("a number");
        let all: Vec<f64> =
            powers.clone().flat_map(|n| steps.iter().map(move |step| mark(n, step))).collect();
        let from = all.iter().copied().filter(|&mark| mark <= low).fold(all[0], f64::max);
        let ends = |&mark: &f64| mark >= high && mark > from;
        let to = all.iter().copied().find(ends).unwrap_or(all[all.len() - 1]);
        all.into_iter().filter(|mark| (from..=to).contains(mark)).collect()
    };
    let many = hold(&[1, 2, 5]);
    if many.len() as f64 * LINE <= HEIGHT { many } else { hold(&[1]) }
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

    fn chart(curves: Vec<Curve>) -> Curves {
        let panel = CurvePanel { title: "a panel".into(), curves };
        Curves {
            title: "a <title>".into(),
            note: String::new(),
            axes: ["length, bytes", "MB/s"].map(String::from),
            marks: [8.0, 64.0, 1024.0].map(|mark| (mark, mark.to_string())).into(),
            panels: vec![panel.clone(), panel],
        }
    }

    fn curve(name: &str, points: &[(f64, f64)]) -> Curve {
        Curve { name: name.into(), ink: Ink::Colour, points: points.to_vec() }
    }

    #[test]
    fn a_chart_has_all_curves_names_and_points_at_marks() {
        for points in [&[][..], &[(64.0, 17.0)], &[(8.0, 0.4), (72.0, 90.0), (1024.0, 1234.0)]] {
            let svg = chart(vec![curve("one", points), curve("two", points)]).draw();
            assert_eq!(svg.matches("<polyline ").count(), 4);
            let shown = points.iter().filter(|point| point.0 != 72.0).count();
            assert_eq!(svg.matches("<circle ").count(), 4 * shown);
            assert_eq!(svg.matches(">one<").count(), if points.is_empty() { 0 } else { 2 });
            assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
            assert!(
                !svg.contains("NaN") && !svg.contains("inf") && svg.contains("a &lt;title&gt;")
            );
        }
    }

    #[test]
    fn no_two_names_look_alike() {
        let names: Vec<String> = (0..18).map(|n| n.to_string()).collect();
        let curves: Vec<Curve> = names.iter().map(|name| curve(name, &[(8.0, 1.0)])).collect();
        let chart = chart(curves.clone());
        let strokes: Vec<String> = curves.iter().map(|curve| chart.pen(curve).1).collect();
        for (n, stroke) in strokes.iter().enumerate() {
            assert!(!strokes[..n].contains(stroke), "{stroke}");
        }
    }

    #[test]
    fn marks_hold_all_values() {
        assert_eq!(marks(3.5, 17.0), [2.0, 5.0, 10.0, 20.0]);
        assert_eq!(marks(1000.0, 1000.0), [1000.0, 2000.0]);
        assert_eq!(marks(0.02, 0.3), [0.02, 0.05, 0.1, 0.2, 0.5]);
        let wide = marks(0.3e-3, 2e9);
        assert_eq!((wide[0], wide[wide.len() - 1]), (1e-4, 1e10));
        assert!(wide.len() as f64 * LINE <= HEIGHT);
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
