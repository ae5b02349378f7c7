//! The report as a picture: speed over message length, one panel per cipher and direction.

use std::fmt::{Display, Write};

use super::report::{CHOSEN, Report, Row};
use super::task::{Direction, size};
use crate::errors::Result;
use crate::io::notes::Notes;
use crate::io::output::{Place, Style};

/// Panels side by side.
const COLUMNS: usize = 3;
/// A panel's drawing area in pixels.
const WIDTH: f64 = 280.0;
const HEIGHT: f64 = 170.0;
/// Room around a drawing area for its title and axes.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const ABOVE: f64 = 30.0;
const BELOW: f64 = 40.0;
/// Room above all panels for title and legend.
const HEAD: f64 = 70.0;

/// One colour per backend, in order of appearance; safe for the colour-blind (Okabe and Ito 2008).
const COLOURS: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"];
const CHOSEN_COLOUR: &str = "#000000";
const OPENSSL: &str = "openssl speed";
const OPENSSL_COLOUR: &str = "#999999";

/// Draws the report and puts the picture in its place.
///
/// # Errors
/// The system's.
pub(crate) fn write(report: &Report, place: Place) -> Result<()> {
    let mut output = place.open(Style::default())?;
    output.write(draw(report).as_bytes())?;
    output.commit(&Notes::new(false)).map(drop)
}

/// Points of one line: bytes and MB/s.
type Points = Vec<(f64, f64)>;

/// A line in a panel.
struct Line<'a> {
    name: &'a str,
    points: Points,
}

struct Panel<'a> {
    title: String,
    lines: Vec<Line<'a>>,
}

/// The report as SVG.
pub(crate) fn draw(report: &Report) -> String {
    let panels = panels(report);
    let axes = Axes::over(panels.iter().flat_map(|panel| &panel.lines));
    let names = names(&panels);
    let across = panels.len().clamp(1, COLUMNS);
    let down = panels.len().div_ceil(COLUMNS);
    let (cell_width, cell_height) = (LEFT + WIDTH + RIGHT, ABOVE + HEIGHT + BELOW);
    // The legend needs some width even over a single panel.
    let width = (across as f64 * cell_width).max(120.0 + 150.0 * names.len() as f64);
    let height = HEAD + down as f64 * cell_height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let title =
        format!("{} on {}: MB/s over message length", report.program, report.processor.label());
    text(&mut svg, (LEFT, 26.0), "font-size=\"15\" font-weight=\"bold\"", &title);
    for (n, name) in names.iter().enumerate() {
        let x = LEFT + 150.0 * n as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"46\" x2=\"{}\" y2=\"46\" {}/>",
            x + 24.0,
            stroke(name, &names)
        );
        text(&mut svg, (x + 30.0, 50.0), "", name);
    }
    for (n, panel) in panels.iter().enumerate() {
        let x = LEFT + (n % COLUMNS) as f64 * cell_width;
        let y = HEAD + ABOVE + (n / COLUMNS) as f64 * cell_height;
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
        text(&mut svg, (0.0, -8.0), "font-size=\"12\" font-weight=\"bold\"", &panel.title);
        axes.draw(&mut svg);
        for line in &panel.lines {
            axes.plot(&mut svg, line, &names);
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Rows of one cipher and direction share a panel; the chosen backend is drawn last, on top.
fn panels(report: &Report) -> Vec<Panel<'_>> {
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for row in &report.rows {
        let title = title(&row.cipher, row.direction);
        let line = Line { name: row.backend, points: points(row) };
        match panels.iter_mut().find(|panel| panel.title == title) {
            Some(panel) => panel.lines.push(line),
            None => panels.push(Panel { title, lines: vec![line] }),
        }
    }
    for panel in &mut panels {
        let pairs = report.comparison.iter().flat_map(|comparison| &comparison.pairs);
        let theirs: Points = pairs
            .filter(|pair| title(&pair.cipher, pair.direction) == panel.title)
            .map(|pair| (pair.bytes as f64, pair.openssl_mb_per_s))
            .collect();
        if !theirs.is_empty() {
            panel.lines.push(Line { name: OPENSSL, points: theirs });
        }
        panel.lines.sort_by_key(|line| line.name == CHOSEN);
    }
    panels
}

fn title(cipher: &str, direction: Direction) -> String {
    match direction {
        Direction::Either => cipher.to_owned(),
        _ => format!("{cipher}, {}", direction.name()),
    }
}

fn points(row: &Row) -> Points {
    let messages = row.cells.iter().filter(|cell| cell.records.is_none());
    messages.filter_map(|cell| Some((cell.bytes as f64, cell.figure()?.mb_per_s))).collect()
}

/// The names of all lines, each once.
fn names<'a>(panels: &[Panel<'a>]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for line in panels.iter().flat_map(|panel| &panel.lines) {
        if !names.contains(&line.name) {
            names.push(line.name);
        }
    }
    names.sort_by_key(|&name| (name != CHOSEN, name == OPENSSL));
    names
}

fn colour(name: &str, names: &[&str]) -> &'static str {
    match name {
        CHOSEN => CHOSEN_COLOUR,
        OPENSSL => OPENSSL_COLOUR,
        _ => {
            let backends = names.iter().filter(|&&name| name != CHOSEN && name != OPENSSL);
            COLOURS[backends.take_while(|&&other| other != name).count() % COLOURS.len()]
        }
    }
}

/// The chosen backend is dashed, so that the line below it can be seen.
fn stroke(name: &str, names: &[&str]) -> String {
    let dash = if name == CHOSEN { " stroke-dasharray=\"4 4\"" } else { "" };
    format!("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{dash}", colour(name, names))
}

/// Logarithmic axes: powers of two across, powers of ten up.
struct Axes {
    /// Every message length.
    sizes: Vec<f64>,
    low: i32,
    high: i32,
}

impl Axes {
    /// Axes that hold every point.
    fn over<'a>(lines: impl Iterator<Item = &'a Line<'a>>) -> Self {
        let points: Points = lines.flat_map(|line| line.points.iter().copied()).collect();
        let mut sizes: Vec<f64> = points.iter().map(|&(size, _)| size).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let speeds = || points.iter().map(|&(_, speed)| speed.log10());
        let low = speeds().fold(f64::INFINITY, f64::min).min(3.0).floor() as i32;
        let high = speeds().fold(f64::NEG_INFINITY, f64::max).ceil() as i32;
        Self { sizes, low, high: high.max(low + 1) }
    }

    fn x(&self, size: f64) -> f64 {
        let (first, last) = match self.sizes[..] {
            [] => (1.0, 2.0),
            [only] => (only / 2.0, only * 2.0),
            [first, .., last] => (first, last),
        };
        (size / first).log2() / (last / first).log2() * WIDTH
    }

    fn y(&self, speed: f64) -> f64 {
        HEIGHT * (1.0 - (speed.log10() - f64::from(self.low)) / f64::from(self.high - self.low))
    }

    fn draw(&self, svg: &mut String) {
        for power in self.low..=self.high {
            let y = self.y(10_f64.powi(power));
            let _ = writeln!(
                svg,
                "<line x1=\"0\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>"
            );
            let decimals = usize::try_from(-power).unwrap_or(0);
            let label = format!("{:.decimals$}", 10_f64.powi(power));
            text(svg, (-6.0, y + 4.0), "text-anchor=\"end\"", &label);
        }
        let mut free_from = f64::NEG_INFINITY;
        for &bytes in &self.sizes {
            let x = self.x(bytes);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"0\" x2=\"{x:.1}\" y2=\"{HEIGHT}\" stroke=\"#eeeeee\"/>"
            );
            // Labels of lengths close together would run into each other.
            if x >= free_from {
                text(svg, (x, HEIGHT + 16.0), "text-anchor=\"middle\"", &size(bytes as usize));
                free_from = x + 46.0;
            }
        }
        let _ = writeln!(
            svg,
            "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#888888\"/>"
        );
    }

    fn plot(&self, svg: &mut String, line: &Line<'_>, names: &[&str]) {
        let points: Vec<String> = line
            .points
            .iter()
            .map(|&(size, speed)| format!("{:.1},{:.1}", self.x(size), self.y(speed)))
            .collect();
        let stroke = stroke(line.name, names);
        let _ = writeln!(svg, "<polyline points=\"{}\" {stroke}/>", points.join(" "));
        for &(size, speed) in &line.points {
            let (x, y, fill) = (self.x(size), self.y(speed), colour(line.name, names));
            let radius = if line.name == CHOSEN { 2.0 } else { 3.5 };
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\"/>"
            );
        }
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), attributes: &str, content: &str) {
    let _ =
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{}</text>", escape(content));
}

/// A processor's name may hold anything.
fn escape(content: &str) -> impl Display {
    content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_all_points_and_survive_few() {
        let line = |points: &[(f64, f64)]| Line { name: CHOSEN, points: points.to_vec() };
        for points in [&[][..], &[(64.0, 17.0)], &[(8.0, 0.4), (64.0, 90.0), (1024.0, 1234.0)]] {
            let line = line(points);
            let axes = Axes::over(std::iter::once(&line));
            for &(size, speed) in points {
                assert!((0.0..=WIDTH).contains(&axes.x(size)), "{points:?}");
                assert!((0.0..=HEIGHT).contains(&axes.y(speed)), "{points:?}");
            }
            let mut svg = String::new();
            axes.draw(&mut svg);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn backends_have_colours_of_their_own() {
        let names = [CHOSEN, "a", "b", OPENSSL];
        let colours = names.map(|name| colour(name, &names));
        assert_eq!(colours, [CHOSEN_COLOUR, COLOURS[0], COLOURS[1], OPENSSL_COLOUR]);
        assert_eq!(escape("<a & b>").to_string(), "&lt;a &amp; b&gt;");
    }
}
