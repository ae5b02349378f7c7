//! Charts as SVG: curves over logarithmic axes, and bars. `speed --plot` and `bench/peers` draw them.
//!
//! | file | subject |
//! |---|---|
//! | `curves.rs` | panels of curves that share their axes |
//! | `bars.rs` | panels of bars, in columns |
//! | `svg.rs` | the elements of a picture |

mod bars;
mod curves;
mod svg;

pub use bars::{Bar, BarPanel, Bars};
pub use curves::{Curve, CurvePanel, Curves, Ink};

/// Colours that can be told apart by the colour-blind, too (Okabe and Ito 2008).
pub const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
