//! The elements of a picture.

use std::fmt::{Arguments, Write};

/// A picture that is being drawn.
pub(super) struct Svg(String);

impl Svg {
    /// A white picture with a title, and a line below it that says what the figures are.
    pub(super) fn new((width, height): (f64, f64), title: &str, note: &str) -> Self {
        let width = width.max(text_width(title, 17.0) + 28.0).max(text_width(note, 11.0) + 28.0);
        let mut svg = Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"10\">\n\
             <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n"
        ));
        svg.text((14.0, 24.0), "font-size=\"15\" font-weight=\"bold\"", title);
        svg.text((14.0, 42.0), "font-size=\"11\"", note);
        svg
    }

    /// An element as it stands.
    pub(super) fn add(&mut self, element: Arguments<'_>) {
        let _ = writeln!(self.0, "{element}");
    }

    /// A line of text; a processor's name may hold anything.
    pub(super) fn text(&mut self, (x, y): (f64, f64), attributes: &str, content: &str) {
        let space = if attributes.is_empty() { "" } else { " " };
        let content = content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\"{space}{attributes}>{content}</text>"
        ));
    }

    /// What is drawn from another origin.
    pub(super) fn group(&mut self, (x, y): (f64, f64), draw: impl FnOnce(&mut Self)) {
        self.add(format_args!("<g transform=\"translate({x:.1} {y:.1})\">"));
        draw(self);
        self.add(format_args!("</g>"));
    }

    /// The picture.
    pub(super) fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// How wide a text is at most, in most fonts without serifs.
pub(super) fn text_width(text: &str, font_size: f64) -> f64 {
    0.6 * font_size * text.chars().count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_open_tags() {
        let mut svg = Svg(String::new());
        svg.text((1.0, 2.0), "", "a < b & c");
        assert_eq!(svg.finish(), "<text x=\"1.0\" y=\"2.0\">a &lt; b &amp; c</text>\n</svg>\n");
    }

    #[test]
    fn a_picture_has_room_for_its_title() {
        let svg = Svg::new((10.0, 10.0), &"t".repeat(100), "").finish();
        let width: f64 =
            svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        assert!(width > 900.0, "{svg}");
    }
}
