//! `cipherloom info`: this build, this processor, and which backend does what here.

use cipherloom::{Algorithm, Backend, Family, Policy, Rc4, Status};
use cipherloom_measure::{Columns, Processor};
use clap::Args;
use serde::Serialize;

use crate::errors::Result;
use crate::text;

/// Amounts of work that are looked at for changes of the backend.
const MOST_BLOCKS: usize = 1 << 16;

/// Show the version, the processor, the backends, and which one is chosen for how much work
#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    /// Print JSON in place of tables
    #[arg(long)]
    json: bool,
}

/// All that there is to say.
#[derive(Debug, Serialize)]
struct Info {
    version: &'static str,
    processor: Processor,
    tuned_for: &'static str,
    kernels: KernelsInfo,
    backends: Vec<BackendInfo>,
    choices: Vec<ChoiceInfo>,
}

/// The kernels in assembly, beside what was proved.
#[derive(Debug, Serialize)]
struct KernelsInfo {
    count: usize,
    proved: usize,
    /// Those that are not, each with the reason.
    others: Vec<(&'static str, &'static str)>,
    /// When, and the commit of the prover.
    proofs: Option<(&'static str, &'static str)>,
}

#[derive(Debug, Serialize)]
struct BackendInfo {
    name: &'static str,
    serves: &'static str,
    constant_time: bool,
    status: &'static str,
}

/// What is chosen for one cipher under one policy.
#[derive(Debug, Serialize)]
struct ChoiceInfo {
    algorithm: &'static str,
    policy: &'static str,
    chosen: Vec<Stretch>,
}

/// Amounts of work that one backend does: from so many independent blocks on.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Stretch {
    from_blocks: usize,
    backend: &'static str,
}

/// Runs the sub-command.
///
/// # Errors
/// Standard output does not take it.
pub(crate) fn run(args: &InfoArgs) -> Result<()> {
    let info = Info::gather()?;
    if args.json { text::print_json(&info) } else { text::print(&info.render()) }
}

impl Info {
    fn gather() -> Result<Self> {
        let mut choices = Vec::new();
        for (policy, name) in
            [(Policy::Fastest, "fastest"), (Policy::ConstantTime, "constant time")]
        {
            for algorithm in Algorithm::ALL {
                choices.push(ChoiceInfo {
                    algorithm: algorithm.name(),
                    policy: name,
                    chosen: stretches(|blocks| Backend::detect(algorithm, blocks, policy)),
                });
            }
            // A stream is asked, as RC4 has no blocks to count.
            let backend = Rc4::with_policy(b"any key", policy)?.backend();
            choices.push(ChoiceInfo {
                algorithm: "Rc4",
                policy: name,
                chosen: stretches(|_| backend),
            });
        }
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            processor: Processor::detect(),
            tuned_for: Backend::tuned_for(),
            kernels: KernelsInfo::gather(),
            backends: Backend::all().iter().map(|&backend| BackendInfo::of(backend)).collect(),
            choices,
        })
    }

    fn render(&self) -> String {
        let Processor { architecture, features, threads, .. } = &self.processor;
        let features =
            if features.is_empty() { "none that is known".into() } else { features.join(" ") };
        let mut about = Columns::new(2, ["version", self.version]);
        for (name, value) in [
            ("processor", self.processor.label().to_owned()),
            ("architecture", (*architecture).to_owned()),
            ("features", features),
            ("threads", threads.to_string()),
            ("tuned for", self.tuned_for.to_owned()),
            ("kernels", self.kernels.render()),
        ] {
            about.row([name, &value]);
        }
        for (kernel, reason) in &self.kernels.others {
            about.row(["not proved", &format!("{kernel}: {reason}")]);
        }
        let heading = ["backend", "serves", "constant time", "self-test"];
        let mut backends = Columns::new(4, heading);
        for backend in &self.backends {
            let constant_time = if backend.constant_time { "yes" } else { "no" };
            backends.row([backend.name, backend.serves, constant_time, backend.status]);
        }
        let heading = ["cipher", "policy", "chosen, from how many independent blocks on"];
        let mut choices = Columns::new(3, heading);
        for choice in &self.choices {
            let chosen: Vec<String> = choice
                .chosen
                .iter()
                .map(|stretch| format!("{}: {}", stretch.from_blocks, stretch.backend))
                .collect();
            choices.row([choice.algorithm, choice.policy, &chosen.join(", ")]);
        }
        format!("{about}\n{backends}\n{choices}")
    }
}

impl KernelsInfo {
    /// Hashes the kernels as they lie in memory.
    fn gather() -> Self {
        let Some(manifest) = proved::manifest() else {
            let count = cipherloom::kernels_in_memory().count();
            return Self { count, proved: 0, others: Vec::new(), proofs: None };
        };
        let mut others = Vec::new();
        let mut count = 0;
        for kernel in cipherloom::kernels_in_memory() {
            count += 1;
            let tables = cipherloom::tables_in_memory();
            if let Err(reason) = proved::check(manifest, kernel, tables) {
                // The name behind the hash.
                let name = kernel.0.split_once('_').map_or(kernel.0, |(_, name)| name);
                others.push((name, reason));
            }
        }
        let head = proved::Entry::head(manifest);
        let proofs = head.get("date").zip(head.get("prover"));
        Self { count, proved: count - others.len(), others, proofs }
    }

    fn render(&self) -> String {
        match (self.count, self.proofs) {
            (0, _) => "none in assembly that can be read here: nothing is proved".into(),
            (count, Some((date, prover))) => {
                let (proved, prover) = (self.proved, prover.get(..12).unwrap_or(prover));
                format!(
                    "{proved} of {count} are the proved ones (proofs of {date}, prover {prover})"
                )
            }
            (count, None) => format!("{count}, without proofs: there are none for this processor"),
        }
    }
}

impl BackendInfo {
    fn of(backend: Backend) -> Self {
        // The result is kept by the library, where the status then comes from.
        let _ = backend.self_test();
        Self {
            name: backend.name(),
            serves: match backend.family() {
                Family::Des => "DES, Triple-DES, DESX",
                Family::Rc4 => "RC4",
            },
            constant_time: backend.is_constant_time(),
            status: match backend.status() {
                Status::Untested => "not run",
                Status::Works => "passed",
                Status::Failed => "failed, not used",
            },
        }
    }
}

/// Asks for every amount of work, and keeps the changes.
fn stretches(detect: impl Fn(usize) -> Backend) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for from_blocks in 1..=MOST_BLOCKS {
        let backend = detect(from_blocks).name();
        if stretches.last().is_none_or(|last| last.backend != backend) {
            stretches.push(Stretch { from_blocks, backend });
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changes_are_found_where_they_are() {
        let expected = [(1, Backend::Table), (12, Backend::Bitslice)]
            .map(|(from_blocks, backend)| Stretch { from_blocks, backend: backend.name() });
        let detect = |blocks| if blocks < 12 { Backend::Table } else { Backend::Bitslice };
        assert_eq!(stretches(detect), expected);
    }

    #[test]
    fn constant_time_is_never_served_by_tables() {
        for choice in Info::gather().unwrap().choices {
            for stretch in choice.chosen.iter().filter(|_| choice.policy == "constant time") {
                let mut all = Backend::all().iter();
                let backend = all.find(|backend| backend.name() == stretch.backend).unwrap();
                assert!(backend.is_constant_time(), "{}: {}", choice.algorithm, stretch.backend);
            }
        }
    }
}
