//! `loom measure`: what `loom tune` asks of a fresh process. Not for people.

use std::io::Read;
use std::process::{Command, Stdio};

use cipherloom_measure::{clock, in_turns};
use serde::{Deserialize, Serialize};

use loom::exec::{Answers, Subject};
use loom::pipeline::Options;
use loom::tune::Work;
use loom::variant::KernelVariant;

use super::convention::callable;
use super::error::{Error, Result};
use super::output;

/// Measures plans of one kernel, as standard input says in JSON
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub(crate) struct Measure {}

/// What is measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Question {
    /// The kernel.
    pub(crate) kernel: String,
    /// Its calling convention.
    pub(crate) convention: String,
    /// Ways to make it.
    pub(crate) plans: Vec<Options>,
    /// Samples of each.
    pub(crate) samples: usize,
}

/// What one process measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Answer {
    /// Median cycles a piece of work, plan by plan.
    pub(crate) cycles: Vec<f64>,
    /// The core's clock.
    pub(crate) ghz: f64,
}

impl Question {
    /// Asks a fresh process.
    ///
    /// # Errors
    /// A failure if it cannot be run, or fails; then it has said why.
    pub(crate) fn ask(&self) -> Result<Answer> {
        let refused = |error| Error::failure(format!("cannot run itself again: {error}"));
        let myself = std::env::current_exe().map_err(refused)?;
        let question = serde_json::to_vec(self).map_err(|error| refused(error.into()))?;
        let mut child = Command::new(myself)
            .arg("measure")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(refused)?;
        if let Some(mut stdin) = child.stdin.take() {
            std::io::Write::write_all(&mut stdin, &question).map_err(refused)?;
        }
        let output = child.wait_with_output().map_err(refused)?;
        if !output.status.success() {
            return Err(Error::failure(format!(
                "a process that measured ended: {}",
                output.status
            )));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| refused(error.into()))
    }

    /// Measures in this process.
    ///
    /// # Errors
    /// A failure if a plan makes nothing that can be measured.
    pub(crate) fn answer(&self) -> Result<Answer> {
        let variant: KernelVariant = self.kernel.parse()?;
        let abi = callable(&variant, Some(&self.convention))?;
        let fault = |error| Error::failure(format!("the description is wrong: {error:?}"));
        let answers = Answers::new(&variant.strategy).map_err(fault)?;
        let subjects = self.plans.iter().map(|plan| {
            let made = variant.make(abi, plan)?;
            let subject = Subject::new(&*made);
            let subject = subject
                .map_err(|error| Error::failure(format!("no executable memory: {error}")))?;
            if !subject.answers(&answers) {
                return Err(Error::failure(format!("wrong answers of {variant} made by {plan:?}")));
            }
            Ok(subject)
        });
        let subjects = subjects.collect::<Result<Vec<_>>>()?;
        let work = Work::new(&variant.strategy, &variant.strategy.kernel());
        let Some(first) = subjects.first() else {
            return Err(Error::failure("nothing to measure"));
        };
        let mut work = work.calibrated(first);
        let found = in_turns(subjects.len(), self.samples, |n| work.cycles(&subjects[n]));
        let cycles = found.into_iter().map(|cycles| cycles.median).collect();
        Ok(Answer { cycles, ghz: clock::ghz() })
    }
}

impl Measure {
    /// # Errors
    /// As [`Question::answer`].
    pub(crate) fn run(&self) -> Result<()> {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|error| Error::failure(format!("cannot read standard input: {error}")))?;
        let question: Question = serde_json::from_str(&text)
            .map_err(|error| Error::usage(format!("standard input is no question: {error}")))?;
        output::print_json(&question.answer()?)
    }
}
