//! A text in columns.

/// A text under construction.
#[derive(Debug)]
pub struct Page {
    comment: &'static str,
    text: String,
}

/// Columns of mnemonics, operands and comments.
const COLUMNS: [usize; 3] = [8, 16, 52];

impl Page {
    pub(super) fn new(comment: &'static str) -> Self {
        Self { comment, text: String::new() }
    }

    pub(super) fn finish(self) -> String {
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
        let line = format!("{} {text}", self.comment);
        self.text.push_str(line.trim_end());
        self.text.push('\n');
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

    /// An instruction with a comment.
    pub fn commented(&mut self, mnemonic: &str, operands: &str, comment: &str) {
        let mut line = String::new();
        let [first, second, third] = COLUMNS;
        let parts = [(first, mnemonic.to_owned()), (second, operands.to_owned())];
        let comment = (!comment.is_empty()).then(|| (third, format!("{} {comment}", self.comment)));
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
