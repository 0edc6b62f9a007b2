//! A small table: columns as wide as their widest cell, the last one as it comes.

use anstyle::Style;

use crate::output::Palette;

/// Rows of styled cells.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<(Style, String)>>,
}

impl Table {
    /// Adds a row.
    pub(crate) fn row<const N: usize>(&mut self, cells: [(Style, String); N]) {
        self.rows.push(cells.into());
    }

    /// Adds a row of any length.
    pub(crate) fn cells(&mut self, cells: Vec<(Style, String)>) {
        self.rows.push(cells);
    }

    /// The table as text, each row behind the indent.
    pub(crate) fn render(&self, indent: &str) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|(_, text)| text.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for row in &self.rows {
            let mut line = indent.to_owned();
            for (column, (style, text)) in row.iter().enumerate() {
                line.push_str(&Palette::paint(*style, text));
                let gap = widths.get(column).copied().unwrap_or(0).saturating_sub(text.chars().count()) + 2;
                if column + 1 < row.len() {
                    line.extend(std::iter::repeat_n(' ', gap));
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align() {
        let mut table = Table::default();
        let plain = Style::new();
        table.row([(plain, "é".to_owned()), (plain, "x".to_owned())]);
        table.row([(plain, "abc".to_owned()), (plain, String::new())]);
        assert_eq!(table.render("  "), "  é    x\n  abc\n");
    }
}
