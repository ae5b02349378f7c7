//! Bars in panels, the panels in columns. Each panel has a scale of its own, and each bar its number.

use super::svg::{Svg, text_width};
use crate::{Distribution, significant};

/// The longest bar, and room behind it for its number.
const BARS: f64 = 180.0;
const NUMBERS: f64 = 62.0;
/// A bar's height with the gap below it, and without.
const STEP: f64 = 14.0;
const BAR: f64 = 10.0;
/// Room above the bars of a panel, for its title, and below them.
const ABOVE: f64 = 24.0;
const BELOW: f64 = 10.0;
/// Room above all panels.
const HEAD: f64 = 84.0;
const MARGIN: f64 = 14.0;

/// A chart of bars.
#[derive(Clone, Debug)]
pub struct Bars {
    /// Its title.
    pub title: String,
    /// A line below that: what the bars are, and which way is better.
    pub note: String,
    /// What the colours say.
    pub legend: Vec<(&'static str, String)>,
    /// Panels one below the other, column by column.
    pub columns: Vec<Vec<BarPanel>>,
}

/// Bars that are compared with each other.
#[derive(Clone, Debug)]
pub struct BarPanel {
    /// What stands above it, with the unit.
    pub title: String,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What stands before it.
    pub name: String,
    /// Its length.
    pub value: f64,
    /// The lowest and the highest value that was found, as a thin line; none if they are the same.
    pub range: [f64; 2],
    /// One of the legend's.
    pub colour: &'static str,
}

impl Bars {
    /// The chart as SVG.
    #[must_use]
    pub fn draw(&self) -> String {
        let panels = || self.columns.iter().flatten();
        let names = panels().flat_map(|panel| &panel.bars).map(|bar| text_width(&bar.name, 10.0));
        let names = names.fold(0.0, f64::max) + 4.0;
        let titles = panels().map(|panel| text_width(&panel.title, 11.0) + MARGIN);
        let width = titles.fold(names + BARS + NUMBERS, f64::max);
        let heights = self.columns.iter().map(|panels| panels.iter().map(BarPanel::height).sum());
        let height = HEAD + heights.fold(0.0, f64::max) + MARGIN;
        let size = (2.0 * MARGIN + self.columns.len() as f64 * width, height);
        let mut svg = Svg::new(size, &self.title, &self.note);
        let mut x = MARGIN;
        for (colour, what) in &self.legend {
            svg.add(format_args!(
                "<path d=\"M{x:.1} 60h{BAR}\" stroke=\"{colour}\" stroke-width=\"{BAR}\"/>"
            ));
            svg.text((x + BAR + 4.0, 63.5), "", what);
            x += BAR + text_width(what, 10.0) + 18.0;
        }
        for (column, panels) in self.columns.iter().enumerate() {
            let mut y = HEAD;
            for panel in panels {
                let x = MARGIN + column as f64 * width;
                svg.group((x, y), |svg| panel.draw(svg, names));
                y += panel.height();
            }
        }
        svg.finish()
    }
}

impl BarPanel {
    fn height(&self) -> f64 {
        ABOVE + self.bars.len() as f64 * STEP + BELOW
    }

    /// The value whose bar has the full length: the highest, unless it would leave no room for the
    /// rest.
    fn full(&self) -> f64 {
        let highest = Distribution::new(self.bars.iter().map(|bar| bar.range[1].max(bar.value)));
        highest.map_or(1.0, |highest| highest.highest.min(4.0 * highest.median))
    }

    fn draw(&self, svg: &mut Svg, names: f64) {
        svg.text((0.0, 14.0), "font-size=\"11\" font-weight=\"bold\"", &self.title);
        let full = self.full();
        let x = |value: f64| names + (value / full).min(1.0) * BARS;
        for (n, Bar { name, value, range: [low, high], colour }) in self.bars.iter().enumerate() {
            let y = ABOVE + n as f64 * STEP;
            svg.text((names - 4.0, y + BAR - 1.5), "text-anchor=\"end\"", name);
            let length = x(*value) - names;
            svg.add(format_args!(
                "<rect x=\"{names:.1}\" y=\"{y}\" width=\"{length:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>"
            ));
            if *value > full {
                let (x, y) = (names + BARS - 20.0, y + BAR + 1.0);
                let up = -BAR - 2.0;
                svg.add(format_args!(
                    "<path d=\"M{x:.1} {y}l6 {up}\" stroke=\"#ffffff\" stroke-width=\"3\"/>"
                ));
            } else if low < high {
                let (x, y, to) = (x(*low), y + BAR / 2.0, x(*high));
                svg.add(format_args!("<path d=\"M{x:.1} {y}H{to:.1}\" stroke=\"#000000\"/>"));
            }
            svg.text((x(high.max(*value)) + 4.0, y + BAR - 1.5), "", &significant(*value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_all_bars_and_cuts_those_that_leave_no_room() {
        let bar = |value: f64| Bar {
            name: "a name".into(),
            value,
            range: [value, value * 1.1],
            colour: "#0072b2",
        };
        let panel =
            BarPanel { title: "per block".into(), bars: [1.0, 2.0, 3.0, 400.0].map(bar).into() };
        let chart = Bars {
            title: String::new(),
            note: String::new(),
            legend: vec![("#0072b2", "who".into())],
            columns: vec![vec![panel.clone(), panel.clone()], vec![panel.clone()]],
        };
        let svg = chart.draw();
        assert_eq!(svg.matches("a name<").count(), 12);
        assert_eq!(svg.matches(">400<").count(), 3);
        assert_eq!(svg.matches("stroke=\"#ffffff\"").count(), 3, "cut bars");
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert!((panel.full() - 4.0 * 3.3).abs() < 1e-9);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
