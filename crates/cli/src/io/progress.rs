//! A progress bar, if there is a terminal to see it and the work is long.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows no bar.
const HIDDEN_FOR: Duration = Duration::from_millis(800);

/// A bar that appears late.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    start: Instant,
    done: u64,
}

impl Progress {
    /// For an input of `len` bytes, or of unknown length.
    #[expect(clippy::disallowed_methods, reason = "nothing is printed")]
    pub(crate) fn new(len: Option<u64>, quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(len, ProgressDrawTarget::hidden());
            let template = match len {
                Some(_) => "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
                None => "{spinner} {bytes}, {bytes_per_sec}",
            };
            // The templates are constants that parse; without style the bar is merely plainer.
            match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        Self { bar, start: Instant::now(), done: 0 }
    }

    /// So many more bytes are done.
    pub(crate) fn add(&mut self, bytes: u64) {
        self.done += bytes;
        let Some(bar) = &self.bar else { return };
        if bar.is_hidden() && self.start.elapsed() > HIDDEN_FOR {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_position(self.done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
