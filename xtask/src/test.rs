//! `cargo xtask test`: set up, then every check, then a table.

use crate::process::{self, FEATURES, WITHOUT_PEERS, cargo, shown};
use crate::report::{Counts, Outcome, Report};
use crate::setup;
use crate::steps::{ALL_FEATURES, Action, STEPS};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// What finds most defects, in a minute or two when all is built.
    Quick,
    /// What finds nearly all.
    Usual,
    /// Every check, and every case of each: what CI runs.
    All,
}

impl Tier {
    /// Tests whose names contain one of these are left out.
    fn left_out(self) -> &'static [&'static str] {
        match self {
            Self::Quick => &["slow_", "rare_"],
            Self::Usual => &["rare_"],
            Self::All => &[],
        }
    }
}

/// Tells tests that can do with fewer cases to do so.
const QUICK: &str = "CIPHERLOOM_QUICK";

/// Runs every check of the tier, also after one has failed.
///
/// # Errors
/// A check failed; with `CI=true`, also when something that a check needs is missing.
pub(crate) fn run(tier: Tier, install: bool) -> crate::failure::Result {
    let strict = std::env::var("CI").is_ok_and(|value| value == "true" || value == "1");
    let mut report = Report::default();

    println!("==> setup");
    let start = Instant::now();
    let missing = setup::prepare(install, tier == Tier::All);
    report.add("setup", Outcome::Passed(String::new()), start.elapsed());
    for thing in missing.iter().filter(|thing| thing.required) {
        let why = format!("missing: {}", thing.advice);
        let outcome = if strict { Outcome::Failed(why) } else { Outcome::NotRun(why) };
        report.add(thing.name, outcome, Duration::ZERO);
    }
    let without = (!strict).then(|| {
        let asked = std::env::var(WITHOUT_PEERS).unwrap_or_default();
        if !asked.is_empty() {
            let why = format!("{WITHOUT_PEERS}={asked}");
            report.add("comparison with peers", Outcome::NotRun(why), Duration::ZERO);
        }
        let peers = missing.iter().filter_map(|thing| thing.peer());
        peers.chain([asked.as_str()]).collect::<Vec<_>>().join(",")
    });

    for (index, step) in STEPS.iter().enumerate() {
        let start = Instant::now();
        let lacking = step.needs.filter(|name| missing.iter().any(|thing| thing.name == *name));
        let outcome = if step.rare && tier != Tier::All {
            Outcome::LeftOut
        } else if let Some(name) = lacking {
            Outcome::NotRun(format!("needs {name}"))
        } else {
            let mut command = match &step.action {
                Action::Cargo(words) | Action::Tests(words) if tier == Tier::All => {
                    cargo(words.replace(FEATURES, ALL_FEATURES).split(' '))
                }
                Action::Cargo(words) | Action::Tests(words) => cargo(words.split(' ')),
                Action::Own(words, _) | Action::Where(words, _) => {
                    cargo(["xtask"].into_iter().chain(words.split(' ')))
                }
            };
            command.env("RUSTDOCFLAGS", "--deny warnings");
            match without.as_deref() {
                Some(peers) => command.env(WITHOUT_PEERS, peers),
                None => command.env_remove(WITHOUT_PEERS),
            };
            if tier != Tier::All && matches!(step.action, Action::Tests(_)) {
                command.env(QUICK, "1").arg("--");
                command.args(tier.left_out().iter().flat_map(|part| ["--skip", part]));
            }
            println!("\n==> {}/{} {}: {}", index + 1, STEPS.len(), step.name, shown(&command));
            match &step.action {
                Action::Cargo(_) => outcome(process::run(&mut command)),
                Action::Tests(_) => tests(&mut command),
                Action::Own(_, own) => outcome(own().map_err(|failure| failure.to_string())),
                Action::Where(_, own) => {
                    let ran = own(without.as_deref().unwrap_or_default())
                        .map(|lines| report.ran.extend(lines));
                    outcome(ran.map_err(|failure| failure.to_string()))
                }
            }
        };
        report.add(step.name, outcome, start.elapsed());
        println!("    {}", report.rows[report.rows.len() - 1]);
    }

    println!("\n==> summary\n{report}");
    let failed = report.failed();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", ")).into()) }
}

fn outcome(result: Result<(), String>) -> Outcome {
    match result {
        Ok(()) => Outcome::Passed(String::new()),
        Err(why) => Outcome::Failed(why),
    }
}

/// Runs tests, passes on what they print, and counts.
fn tests(command: &mut Command) -> Outcome {
    let mut counts = Counts::default();
    let mut run = || -> std::io::Result<_> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout).split(b'\n') {
                let line = String::from_utf8_lossy(&line?).into_owned();
                println!("{line}");
                counts.add(&line);
            }
        }
        child.wait()
    };
    match run() {
        Err(error) => Outcome::Failed(process::not_started(command, &error)),
        Ok(status) if !status.success() => Outcome::Failed(format!("{counts} ({status})")),
        Ok(_) if counts.passed == 0 => Outcome::Failed("no test ran".into()),
        Ok(_) => Outcome::Passed(counts.to_string()),
    }
}
