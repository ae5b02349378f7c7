//! The report as text.

use std::fmt::Write;

use cipherloom_measure::{Columns, significant};

use crate::participants::Kind;
use crate::report::{Outcome, Report, RowReport, Versus};
use crate::rows::{BULK, Cipher, Group, Operation, Unit, size};
use crate::sizes::{Behind, Growth, Least, SizeReport, SweepReport};

/// From so many processes on, their lowest and highest have a table.
const MANY: usize = 5;

/// The whole report.
pub(crate) fn render(report: &Report) -> String {
    let mut text = head(report);
    for cipher in Cipher::ALL {
        for group in Group::ALL {
            let rows = report.group(cipher, group);
            if !rows.is_empty() {
                tables(&mut text, report, cipher, &rows);
            }
        }
    }
    sliced(&mut text, report);
    for sweep in &report.sweeps {
        match &sweep.behind {
            None => sizes(&mut text, report, sweep),
            Some(behind) => choice(&mut text, report, sweep, behind),
        }
    }
    if !report.rows.is_empty() {
        summary(&mut text, report);
    }
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
    let _ = write!(text, "\n{}", report.pace.note());
    text.push_str("\n\n");
    let mut columns = Columns::new(2, ["who", "version"]);
    let mut last = "";
    for participant in report.participants.iter().filter(|who| who.kind != Kind::Backend) {
        if participant.library != last {
            columns.row([participant.library, &participant.version]);
        }
        last = participant.library;
    }
    for absent in &report.absent {
        columns.row([absent.library, &format!("not here: {}", absent.why)]);
    }
    let _ = write!(text, "{columns}");
    text
}

fn tables(text: &mut String, report: &Report, cipher: Cipher, rows: &[&RowReport]) {
    let processes = rows[0].processes;
    let mut units: Vec<&str> = rows.iter().map(|row| row.row.unit.name()).collect();
    units.dedup();
    let _ = write!(
        text,
        "\n{}: {} per {}; median;\n\
         ± is the row's widest spread (half the distance between the quartiles)\n\n",
        cipher.name(),
        report.costs_in,
        units.join(", or per "),
    );
    text.push_str(&table(report, rows, true, |_, outcome| significant(outcome.cost)));
    if processes >= MANY {
        let _ = write!(
            text,
            "\n{}: the lowest and the highest median of {processes} processes\n\n",
            cipher.name()
        );
        text.push_str(&table(report, rows, false, |_, outcome| {
            format!("{}-{}", significant(outcome.lowest), significant(outcome.highest))
        }));
    }
    let (records, rows): (Vec<&RowReport>, Vec<&RowReport>) =
        rows.iter().partition(|report| report.row.unit == Unit::Record);
    let messages: Vec<&RowReport> =
        rows.into_iter().filter(|report| report.row.operation != Operation::NewKey).collect();
    if !messages.is_empty() {
        let _ = write!(text, "\n{}: MB/s (10^6 bytes a second)\n\n", cipher.name());
        text.push_str(&table(report, &messages, false, |_, outcome| significant(outcome.mb_per_s)));
    }
    if !records.is_empty() {
        let _ = write!(text, "\n{}: nanoseconds per record\n\n", cipher.name());
        text.push_str(&table(report, &records, false, |row, outcome| {
            significant(row.nanoseconds(outcome))
        }));
    }
}

/// A line per participant, a column per row of work.
fn table(
    report: &Report,
    rows: &[&RowReport],
    with_spread: bool,
    cell: impl Fn(&RowReport, &Outcome) -> String,
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
        let cells = rows.iter().zip(&outcomes);
        line.extend(
            cells.map(|(row, &outcome)| outcome.map_or("-".into(), |outcome| cell(row, outcome))),
        );
        let spread = outcomes.iter().flatten().map(|outcome| outcome.spread_percent);
        line.extend(with_spread.then(|| format!("{:.1}%", spread.fold(0.0, f64::max))));
        columns.row(line);
    }
    columns.to_string()
}

/// What bit-sliced backends reach by force, where a processor has no wider one.
fn sliced(text: &mut String, report: &Report) {
    let is_meant = |row: &&RowReport| {
        let row = row.row;
        row.cipher == Cipher::Des3 && row.operation == Operation::CbcDecrypt && row.bytes == BULK
    };
    let Some(row) = report.rows.iter().find(is_meant) else { return };
    let openssl = row.comparison.as_ref().and_then(|comparison| comparison.openssl.as_ref());
    let _ = write!(
        text,
        "\n{} by every bit-sliced backend, and how many times OpenSSL it is\n\n",
        row.row.title()
    );
    let heading = ["backend", report.costs_in, "±", "MB/s", "times OpenSSL"];
    let mut columns = Columns::new(1, heading);
    for outcome in row.results.iter().filter(|outcome| is_sliced(outcome)) {
        columns.row([
            outcome.participant.clone(),
            significant(outcome.cost),
            format!("{:.1}%", outcome.spread_percent),
            significant(outcome.mb_per_s),
            openssl.map_or("-".into(), |openssl| format!("{:.2}", openssl.cost / outcome.cost)),
        ]);
    }
    let _ = write!(text, "{columns}");
}

/// Bit slices are all there is in constant time.
fn is_sliced(outcome: &Outcome) -> bool {
    let backends = cipherloom::Backend::all().iter();
    let mut sliced = backends.filter(|backend| backend.is_constant_time());
    outcome.kind == Kind::Backend && sliced.any(|backend| backend.name() == outcome.participant)
}

/// What a block takes in messages of every size; the text has the powers of two, the data have all.
fn sizes(text: &mut String, report: &Report, sweep: &SweepReport) {
    let _ = write!(
        text,
        "\n{}: {} per block, messages of every size; the fastest of each library\n\n",
        sweep.title, report.costs_in
    );
    let libraries = sweep.libraries();
    let mut heading = vec!["size".to_owned()];
    heading.extend(libraries.iter().map(|library| (*library).to_owned()));
    heading.push("ours ±".into());
    let mut columns = Columns::new(0, heading);
    for row in powers_of_two(sweep) {
        let mut line = vec![size(row.bytes)];
        let best = libraries.iter().map(|library| row.best(library));
        line.extend(best.map(|best| best.map_or("-".into(), |best| significant(best.cost))));
        line.push(row.ours().map_or("-".into(), |ours| format!("{:.1}%", ours.spread_percent)));
        columns.row(line);
    }
    let _ = write!(text, "{columns}");
    let growth = sweep.growth.iter().map(Growth::line);
    for line in growth.chain(sweep.least.iter().map(Least::line)) {
        let _ = writeln!(text, "{line}");
    }
}

fn powers_of_two(sweep: &SweepReport) -> impl Iterator<Item = &SizeReport> {
    sweep.sizes.iter().filter(|row| row.blocks.is_power_of_two())
}

/// What the library chooses in messages of every size, and the best of its backends by force.
fn choice(text: &mut String, report: &Report, sweep: &SweepReport, behind: &Behind) {
    let _ = write!(
        text,
        "\n{}: {} per block, messages of every size; as chosen, and by the fastest backend\n\n",
        sweep.title, report.costs_in
    );
    let mut columns = Columns::new(0, ["size", "chosen", "±", "fastest", "ratio", "backend"]);
    for row in powers_of_two(sweep) {
        let (Some(ours), Some((best, ratio))) = (row.ours(), row.best_backend()) else { continue };
        columns.row([
            size(row.bytes),
            significant(ours.cost),
            format!("{:.1}%", ours.spread_percent),
            significant(best.cost),
            format!("{ratio:.2}"),
            best.participant.clone(),
        ]);
    }
    let growth = sweep.growth.iter().map(Growth::line);
    let _ =
        writeln!(text, "{columns}{}", growth.chain([behind.line()]).collect::<Vec<_>>().join("\n"));
}

/// Ours, OpenSSL's best interface and the best peer, with ratios.
fn summary(text: &mut String, report: &Report) {
    text.push_str(
        "\nOurs, the best of OpenSSL's interfaces, and the best peer; above 1 ours is faster\n\n",
    );
    let heading =
        ["work", report.costs_in, "ours", "MB/s", "OpenSSL", "ratio", "best peer", "ratio", ""];
    let mut columns = Columns::new(2, heading);
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
        columns.row([
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::participants::{Absent, IPSEC_MB, ipsec_version};
    use crate::report::tests::example;

    #[test]
    fn every_row_and_everyone_is_in_the_text() {
        let report = example();
        let text = render(&report);
        for row in &report.rows {
            assert!(text.contains(&row.row.title()), "{}", row.row.title());
        }
        assert!(text.contains(report.pace.note()));
        for participant in &report.participants {
            assert!(text.contains(&participant.name), "{}", participant.name);
            assert!(
                participant.kind == Kind::Backend || text.contains(&participant.version),
                "{}",
                participant.version
            );
        }
        for sweep in &report.sweeps {
            assert!(text.contains(&sweep.growth.unwrap().line()), "{text}");
            assert_eq!(sweep.least.is_some(), sweep.behind.is_none(), "one of them");
            let lines =
                [sweep.least.map(|least| least.line()), sweep.behind.as_ref().map(Behind::line)];
            for line in lines.into_iter().flatten() {
                assert!(text.contains(&line), "{text}");
            }
        }
        for backend in cipherloom::Backend::all().iter().filter(|b| b.is_constant_time()) {
            let lines = text.lines().filter(|line| line.starts_with(backend.name()));
            let of_des = backend.family() == cipherloom::Family::Des;
            assert!(lines.count() >= usize::from(of_des), "{backend:?} by force");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    }

    #[test]
    fn who_is_not_there_is_said_in_one_line() {
        let mut report = example();
        let why = ipsec_version::check("2.0.0").unwrap_err();
        report.participants.retain(|participant| participant.library != IPSEC_MB);
        report.absent = vec![Absent { library: IPSEC_MB, why: why.clone() }];
        let text = render(&report);
        let line = text.lines().find(|line| line.starts_with(IPSEC_MB)).unwrap();
        assert!(line.ends_with(&format!("not here: {why}")), "{line}");
        assert!(line.chars().count() <= 110, "{line}");
    }
}
