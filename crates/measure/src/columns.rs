//! Text in aligned columns.

use std::fmt;

/// Rows of cells; each column is as wide as its widest cell.
#[derive(Clone, Debug)]
pub struct Columns {
    /// How many columns stand at the left; the others stand at the right.
    left: usize,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Columns under a heading.
    pub fn new(left: usize, heading: impl IntoIterator<Item: Into<String>>) -> Self {
        Self { left, rows: vec![heading.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row, with as many cells as the heading.
    pub fn row(&mut self, cells: impl IntoIterator<Item: Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        debug_assert_eq!(self.rows.last().map(Vec::len), self.rows.first().map(Vec::len));
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |n: usize| self.rows.iter().map(|row| row[n].chars().count()).max();
        let widths: Vec<usize> = (0..self.rows[0].len()).filter_map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (n, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                line += &match n < self.left {
                    true => format!("{cell:<width$}  "),
                    false => format!("{cell:>width$}  "),
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A figure as three significant digits or more, without an exponent.
#[must_use]
pub fn significant(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_end_clean() {
        let mut columns = Columns::new(1, ["name", "MB/s"]);
        columns.row(["des-ecb", "1.5"]);
        columns.row(vec!["rc4".to_owned(), "1234.5".to_owned()]);
        assert_eq!(columns.to_string(), "name       MB/s\ndes-ecb     1.5\nrc4      1234.5\n");
        let mut empty = Columns::new(2, ["a", "b"]);
        empty.row(["", ""]);
        assert_eq!(empty.to_string(), "a  b\n\n");
    }

    #[test]
    fn figures_keep_three_digits() {
        let shown = [1234.5, 99.94, 9.994, 0.1234].map(significant);
        assert_eq!(shown, ["1234", "99.9", "9.99", "0.123"]);
    }
}
