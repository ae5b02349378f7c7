//! What came of the checks: a table, and what ran where.

use std::fmt;
use std::time::Duration;

/// How one check ended.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// With a remark, which may be empty.
    Passed(String),
    /// Why.
    Failed(String),
    /// Why it cannot run here.
    NotRun(String),
    /// It is none of this tier.
    LeftOut,
}

/// One line of the table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
    pub(crate) time: Duration,
}

/// All checks, in order.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) rows: Vec<Row>,
    /// Lines as [`ran`] makes them.
    pub(crate) ran: Vec<String>,
}

/// What ran where: a line for each processor, system or build.
pub(crate) type Ran = crate::failure::Result<Vec<String>>;

/// Prints a line of what ran on a processor or system, and gives it.
pub(crate) fn ran(place: &str, what: &str, summary: impl fmt::Display) -> String {
    let line = format!("{place:<12} {what:<22} {summary}");
    println!("{line}");
    line
}

impl Report {
    pub(crate) fn add(&mut self, name: &str, outcome: Outcome, time: Duration) {
        self.rows.push(Row { name: name.to_owned(), outcome, time });
    }

    /// The names of the checks that failed.
    pub(crate) fn failed(&self) -> Vec<&str> {
        let failed = self.rows.iter().filter(|row| matches!(row.outcome, Outcome::Failed(_)));
        failed.map(|row| row.name.as_str()).collect()
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (state, remark) = match &self.outcome {
            Outcome::Passed(remark) => ("ok", remark.as_str()),
            Outcome::Failed(why) => ("FAILED", why.as_str()),
            Outcome::NotRun(why) => ("not run", why.as_str()),
            Outcome::LeftOut => ("left out", "--all runs it"),
        };
        let seconds = self.time.as_secs_f64();
        let line = format!("{:<22} {state:<8} {seconds:>7.1} s  {remark}", self.name);
        f.write_str(line.trim_end())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        let time: Duration = self.rows.iter().map(|row| row.time).sum();
        writeln!(f, "{:<22} {:<8} {:>7.1} s", "in all", "", time.as_secs_f64())?;
        if !self.ran.is_empty() {
            writeln!(f, "\n==> what ran where")?;
        }
        self.ran.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// The sums of the lines `test result: ...` in what `cargo test` prints.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
    pub(crate) left_out: u64,
}

impl Counts {
    /// What a run of tests printed.
    pub(crate) fn of(said: &str) -> Self {
        let mut counts = Self::default();
        said.lines().for_each(|line| counts.add(line));
        counts
    }

    /// Adds the line, if it is such a line.
    pub(crate) fn add(&mut self, line: &str) {
        let Some((_, result)) = line.split_once("test result: ") else { return };
        let number = |what: &str| {
            let part = result.split([';', '.']).map(str::trim).find_map(|p| p.strip_suffix(what));
            part.and_then(|n| n.trim().parse::<u64>().ok()).unwrap_or(0)
        };
        self.passed += number("passed");
        self.failed += number("failed");
        self.ignored += number("ignored");
        self.left_out += number("filtered out");
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.ignored > 0 {
            write!(f, ", {} ignored", self.ignored)?;
        }
        if self.left_out > 0 {
            write!(f, ", {} left out", self.left_out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_summed() {
        let mut counts = Counts::default();
        counts.add("test a ... ok");
        counts.add("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.02s");
        counts.add("test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s");
        assert_eq!(counts, Counts { passed: 16, failed: 2, ignored: 1, left_out: 3 });
        assert_eq!(counts.to_string(), "16 passed, 2 failed, 1 ignored, 3 left out");
    }

    #[test]
    fn the_table_names_what_failed_and_what_did_not_run() {
        let mut report = Report::default();
        report.add("lints", Outcome::Passed(String::new()), Duration::from_millis(1500));
        report.add("tests", Outcome::Failed("exit status: 101".into()), Duration::from_secs(60));
        report.add("bare", Outcome::NotRun("needs x".into()), Duration::ZERO);
        report.ran.push(ran("Haswell", "AVX2", "7 tests"));
        assert_eq!(report.failed(), ["tests"]);
        let table = report.to_string();
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[0], "lints                  ok           1.5 s");
        assert_eq!(lines[1], "tests                  FAILED      60.0 s  exit status: 101");
        assert_eq!(lines[2], "bare                   not run      0.0 s  needs x");
        assert_eq!(lines[3], "in all                             61.5 s");
        assert_eq!(
            lines[4..],
            ["", "==> what ran where", "Haswell      AVX2                   7 tests"]
        );
    }
}
