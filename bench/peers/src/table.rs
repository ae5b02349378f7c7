//! The report as text.

use std::fmt::Write;

use crate::columns::Columns;
use crate::participants::Kind;
use crate::report::{Outcome, Report, RowReport, Versus};
use crate::work::{Cipher, Operation};

/// From so many processes on, their lowest and highest have a table.
const MANY: usize = 5;

/// The whole report.
pub(crate) fn render(report: &Report) -> String {
    let mut text = head(report);
    for cipher in Cipher::ALL {
        let rows = report.rows(cipher);
        if !rows.is_empty() {
            tables(&mut text, report, cipher, &rows);
        }
    }
    summary(&mut text, report);
    text
}

/// Where, when, and who.
fn head(report: &Report) -> String {
    let mut text = format!("Cipherloom and peers on {}, {}", report.processor.label(), report.date);
    if let Some([low, median, high]) = report.ghz {
        let _ = write!(text, "\ncore clock {median:.2} GHz ({low:.2} to {high:.2})");
    }
    if let Some(commit) = &report.commit {
        let _ = write!(text, ", commit {commit}");
    }
    text.push_str("\n\n");
    let mut columns = Columns::new(2, ["who", "version"].map(String::from).into());
    let mut last = "";
    for participant in report.participants.iter().filter(|who| who.kind != Kind::Backend) {
        if participant.library != last {
            columns.row(vec![participant.library.into(), participant.version.clone()]);
        }
        last = participant.library;
    }
    let _ = write!(text, "{columns}");
    text
}

fn tables(text: &mut String, report: &Report, cipher: Cipher, rows: &[&RowReport]) {
    let processes = rows[0].processes;
    let unit = if cipher == Cipher::Rc4 { "byte" } else { "block" };
    let _ = write!(
        text,
        "\n{}: {} per {unit}, and per call where the key is new; median;\n\
         ± is the row's widest spread (half the distance between the quartiles)\n\n",
        cipher.name(),
        report.costs_in,
    );
    text.push_str(&table(report, rows, true, |outcome| significant(outcome.cost)));
    if processes >= MANY {
        let _ = write!(
            text,
            "\n{}: the lowest and the highest median of {processes} processes\n\n",
            cipher.name()
        );
        text.push_str(&table(report, rows, false, |outcome| {
            format!("{}-{}", significant(outcome.lowest), significant(outcome.highest))
        }));
    }
    let messages: Vec<&RowReport> =
        rows.iter().copied().filter(|report| report.row.operation != Operation::NewKey).collect();
    if !messages.is_empty() {
        let _ = write!(text, "\n{}: MB/s (10^6 bytes a second)\n\n", cipher.name());
        text.push_str(&table(report, &messages, false, |outcome| significant(outcome.mb_per_s)));
    }
}

/// A line per participant, a column per row of work.
fn table(
    report: &Report,
    rows: &[&RowReport],
    with_spread: bool,
    cell: impl Fn(&Outcome) -> String,
) -> String {
    let headings: Vec<[String; 2]> = rows.iter().map(|report| report.row.heading()).collect();
    let line = |n: usize, spread: &str| {
        let mut line = vec![String::new()];
        line.extend(headings.iter().map(|heading| heading[n].clone()));
        line.extend(with_spread.then(|| spread.to_owned()));
        line
    };
    let mut columns = Columns::new(1, line(0, ""));
    columns.row(line(1, "±"));
    for participant in &report.participants {
        let outcomes: Vec<Option<&Outcome>> =
            rows.iter().map(|report| report.of(&participant.name)).collect();
        if outcomes.iter().all(Option::is_none) {
            continue;
        }
        let indent = if participant.kind == Kind::Backend { "  " } else { "" };
        let mut line = vec![format!("{indent}{}", participant.name)];
        line.extend(outcomes.iter().map(|outcome| outcome.map_or("-".into(), &cell)));
        let spread = outcomes.iter().flatten().map(|outcome| outcome.spread_percent);
        line.extend(with_spread.then(|| format!("{:.1}%", spread.fold(0.0, f64::max))));
        columns.row(line);
    }
    columns.to_string()
}

/// Ours, OpenSSL's best interface and the best peer, with ratios.
fn summary(text: &mut String, report: &Report) {
    text.push_str(
        "\nOurs, the best of OpenSSL's interfaces, and the best peer; above 1 ours is faster\n\n",
    );
    let heading =
        ["work", report.costs_in, "ours", "MB/s", "OpenSSL", "ratio", "best peer", "ratio", ""];
    let mut columns = Columns::new(2, heading.map(String::from).into());
    // The last column stands at the right: names of one width stand at the left, too.
    let name = |row: &RowReport| {
        let best = row.comparison.as_ref().and_then(|comparison| comparison.best_peer.as_ref());
        best.map_or(String::new(), |peer| peer.participant.clone())
    };
    let width = report.rows.iter().map(|row| name(row).chars().count()).max().unwrap_or(0);
    for row in &report.rows {
        let Some(comparison) = &row.comparison else { continue };
        let ours = row.results.iter().find(|outcome| outcome.kind == Kind::Ours);
        let cost = |versus: &Option<Versus>| {
            versus.as_ref().map_or("-".into(), |versus| significant(versus.cost))
        };
        let ratio = |versus: &Option<Versus>| {
            versus.as_ref().map_or("-".into(), |versus| format!("{:.2}", versus.ratio))
        };
        columns.row(vec![
            row.row.title(),
            format!("per {}", row.row.unit.name()),
            significant(comparison.ours),
            ours.map_or("-".into(), |ours| significant(ours.mb_per_s)),
            cost(&comparison.openssl),
            ratio(&comparison.openssl),
            cost(&comparison.best_peer),
            ratio(&comparison.best_peer),
            format!("{:<width$}", name(row)),
        ]);
    }
    let _ = write!(text, "{columns}");
}

/// Three significant digits or more, without an exponent.
pub(crate) fn significant(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example;

    #[test]
    fn every_row_and_everyone_is_in_the_text() {
        let report = example();
        let text = render(&report);
        for row in &report.rows {
            assert!(text.contains(&row.row.title()), "{}", row.row.title());
        }
        for participant in &report.participants {
            assert!(text.contains(&participant.name), "{}", participant.name);
            assert!(
                participant.kind == Kind::Backend || text.contains(&participant.version),
                "{}",
                participant.version
            );
        }
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    }
}
