//! What the pictures share: text, and who has which colour.

use std::fmt::{Display, Write};

/// Colours that are safe for the colour-blind (Okabe and Ito 2008).
pub(crate) const BLUE: &str = "#0072b2";
pub(crate) const ORANGE: &str = "#d55e00";
pub(crate) const GREEN: &str = "#009e73";
pub(crate) const PURPLE: &str = "#cc79a7";
pub(crate) const YELLOW: &str = "#e69f00";

/// Opens a picture.
pub(crate) fn start(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"10\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    )
}

/// The title of a picture and what its figures are.
pub(crate) fn head(svg: &mut String, x: f64, title: &str, note: &str) {
    text(svg, (x, 24.0), "font-size=\"15\" font-weight=\"bold\"", title);
    text(svg, (x, 42.0), "font-size=\"11\"", note);
}

/// A line of text.
pub(crate) fn text(svg: &mut String, (x, y): (f64, f64), attributes: &str, content: &str) {
    let space = if attributes.is_empty() { "" } else { " " };
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\"{space}{attributes}>{}</text>",
        escape(content)
    );
}

/// A processor's name may hold anything.
fn escape(content: &str) -> impl Display {
    content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_open_tags() {
        let mut svg = String::new();
        text(&mut svg, (1.0, 2.0), "", "a < b & c");
        assert_eq!(svg, "<text x=\"1.0\" y=\"2.0\">a &lt; b &amp; c</text>\n");
    }
}
