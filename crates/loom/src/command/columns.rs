//! Text in aligned columns.

use std::fmt;

/// Rows of cells; each column is as wide as its widest cell.
pub(crate) struct Columns {
    /// How many columns stand at the left; the others stand at the right.
    left: usize,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Columns under a heading.
    pub(crate) fn new<const N: usize>(left: usize, heading: [&str; N]) -> Self {
        Self { left, rows: vec![heading.map(str::to_owned).into()] }
    }

    /// Adds a row, with as many cells as the heading.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<String>>) {
        let cells = cells.into();
        debug_assert_eq!(cells.len(), self.rows[0].len());
        self.rows.push(cells);
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |n: usize| self.rows.iter().map(|row| row[n].chars().count()).max();
        let widths: Vec<usize> = (0..self.rows[0].len()).filter_map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (n, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let cell = match n < self.left {
                    true => format!("{cell:<width$}  "),
                    false => format!("{cell:>width$}  "),
                };
                line.push_str(&cell);
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
        let mut columns = Columns::new(1, ["name", "cycles"]);
        columns.row(["des".to_owned(), "1.5".to_owned()]);
        columns.row(["rc4_apply".to_owned(), String::new()]);
        assert_eq!(columns.to_string(), "name       cycles\ndes           1.5\nrc4_apply\n");
    }
}
