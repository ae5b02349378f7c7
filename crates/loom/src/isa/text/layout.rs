//! A text in columns.

use super::entries::{Run, runs};

/// A text under construction.
#[derive(Debug)]
pub struct Layout {
    comment: [&'static str; 2],
    text: String,
}

/// Columns of mnemonics, operands and comments.
const COLUMNS: [usize; 3] = [8, 16, 52];

impl Layout {
    pub(crate) fn new(comment: [&'static str; 2]) -> Self {
        Self { comment, text: String::new() }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// An empty line, never two.
    pub fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A line of comment.
    pub fn comment(&mut self, text: &str) {
        let [begin, end] = self.comment;
        let line = format!("{begin} {text}");
        self.left(&format!("{}{end}", line.trim_end()));
    }

    /// Lines of comment; one comment for all of them, where comments end before the line.
    pub fn comments(&mut self, lines: &[String]) {
        let [begin, end] = self.comment;
        if end.is_empty() {
            return lines.iter().for_each(|line| self.comment(line));
        }
        self.left(begin);
        for line in lines {
            self.left(format!(" * {line}").trim_end());
        }
        self.left(end);
    }

    /// A line from the first column.
    pub fn left(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// An instruction or a directive.
    pub fn line(&mut self, mnemonic: &str, operands: &str) {
        self.commented(mnemonic, operands, "");
    }

    /// Entries of so many bytes by a directive; gaps by another, whose operand begins with how many bytes
    /// they are.
    pub fn entries(&mut self, directive: &str, gap: [&str; 2], bytes: u8, entries: &[u64]) {
        let digits = 2 * usize::from(bytes);
        for run in runs(bytes, entries) {
            match run {
                Run::Entries(line) => {
                    let line: Vec<_> =
                        line.iter().map(|entry| format!("0x{entry:0digits$x}")).collect();
                    self.line(directive, &line.join(", "));
                }
                Run::Gap(many) => {
                    let [directive, rest] = gap;
                    self.line(directive, &format!("{}{rest}", many * usize::from(bytes)));
                }
            }
        }
    }

    /// An instruction with a comment.
    pub fn commented(&mut self, mnemonic: &str, operands: &str, comment: &str) {
        let mut line = String::new();
        let [first, second, third] = COLUMNS;
        let parts = [(first, mnemonic.to_owned()), (second, operands.to_owned())];
        let [begin, end] = self.comment;
        let comment = (!comment.is_empty()).then(|| (third, format!("{begin} {comment}{end}")));
        for (column, part) in parts.into_iter().chain(comment) {
            if !part.is_empty() {
                // A part that is too long pushes the next one on.
                let column = if line.len() < column { column } else { line.len() + 1 };
                line = format!("{line:<column$}{part}");
            }
        }
        self.left(&line);
    }
}
