//! Text in aligned columns.

use std::fmt;

/// Rows of cells; each column is as wide as its widest cell.
pub(crate) struct Columns {
    /// Whether a column stands at the right.
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Columns under a heading; the first `left` columns stand at the left, the others at the
    /// right.
    pub(crate) fn new(left: usize, heading: Vec<String>) -> Self {
        Self { right: (0..heading.len()).map(|n| n >= left).collect(), rows: vec![heading] }
    }

    /// Adds a row, with as many cells as the heading.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.right.len());
        self.rows.push(cells);
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |n: usize| self.rows.iter().map(|row| row[n].chars().count()).max();
        let widths: Vec<usize> = (0..self.right.len()).filter_map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, &width), &right) in row.iter().zip(&widths).zip(&self.right) {
                let cell =
                    if right { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
                line.push_str(&cell);
                line.push_str("  ");
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_end_clean() {
        let mut columns = Columns::new(1, ["name", "MB/s"].map(String::from).into());
        columns.row(["des-ecb", "1.5"].map(String::from).into());
        columns.row(["rc4", "1234.5"].map(String::from).into());
        assert_eq!(columns.to_string(), "name       MB/s\ndes-ecb     1.5\nrc4      1234.5\n");
        let mut empty = Columns::new(2, ["a", "b"].map(String::from).into());
        empty.row(["", ""].map(String::from).into());
        assert_eq!(empty.to_string(), "a  b\n\n");
    }
}
