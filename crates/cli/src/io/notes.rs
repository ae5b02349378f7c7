//! Lines on standard error that are no errors.

use crate::text;

/// Says things, or keeps quiet (`--quiet`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notes {
    quiet: bool,
}

impl Notes {
    /// Notes that are printed unless `quiet`.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Notes that nobody sees.
    #[cfg(test)]
    pub(crate) fn quiet() -> Self {
        Self { quiet: true }
    }

    /// Prints one line.
    pub(crate) fn say(&self, line: &str) {
        if !self.quiet {
            text::say(line);
        }
    }
}
