//! A program that is watched while it runs: how long it takes, and the most memory that it has.

use crate::process::{not_started, shown};
use std::fmt;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often one looks. The system keeps the most that there was, so what is missed is what is added after the
/// last look.
const EACH: Duration = Duration::from_millis(10);

/// What a program took.
#[derive(Debug, PartialEq)]
pub(crate) struct Taken {
    time: Duration,
    /// In KiB; nothing where the system does not tell.
    memory: Option<u64>,
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} s", self.time.as_secs_f64())?;
        match self.memory {
            Some(memory) => write!(f, ", {} MiB of memory at most", memory.div_ceil(1 << 10)),
            None => write!(f, ", of memory this system does not tell"),
        }
    }
}

/// Runs with the terminal's streams, and ends a program that has more memory than so many KiB.
///
/// # Errors
/// The program cannot be started, ends with a failure, or has more memory.
pub(crate) fn run(command: &mut Command, limit: u64) -> Result<Taken, String> {
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| not_started(command, &error))?;
    let mut memory = None;
    let status = loop {
        memory = memory.max(so_far(child.id()));
        if memory > Some(limit) {
            // It may have ended just now, which is as good.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!(
                "`{}` had more than {} MiB of memory",
                shown(command),
                limit >> 10
            ));
        }
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        sleep(EACH);
    };
    if !status.success() {
        return Err(format!("`{}` failed: {status}", shown(command)));
    }
    Ok(Taken { time: start.elapsed(), memory })
}

/// The most memory that a process had so far, in KiB, unless it has ended.
fn so_far(id: u32) -> Option<u64> {
    most(&std::fs::read_to_string(format!("/proc/{id}/status")).ok()?)
}

/// That in what Linux tells of a process.
fn most(status: &str) -> Option<u64> {
    let field = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    field.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// A shell that has so many MiB, until its input ends.
    fn shell(mib: u32) -> Command {
        let mut shell = Command::new("sh");
        let word = format!("word=$(head -c {mib}M /dev/zero | tr '\\0' x); sleep 0.2; exit 0");
        shell.args(["-c", &word]);
        shell
    }

    #[test]
    fn memory_is_told_and_has_a_limit() {
        let taken = run(&mut shell(32), 1 << 20).unwrap();
        assert!(taken.memory.unwrap() >= 32 << 10, "{taken}");
        assert!(taken.time >= Duration::from_millis(200), "{taken}");
        let error = run(&mut shell(32), 16 << 10).unwrap_err();
        assert!(error.contains("had more than 16 MiB"), "{error}");
        let error = run(Command::new("sh").args(["-c", "exit 3"]), 1 << 20).unwrap_err();
        assert!(error.contains("failed: exit status: 3"), "{error}");
    }

    #[test]
    fn the_line_says_what_is_known() {
        let status = "Name:\tprove\nVmPeak:\t  900 kB\nVmHWM:\t  1025 kB\n";
        assert_eq!(most(status), Some(1025));
        assert_eq!(most("Name:\tprove\n"), None);
        let time = Duration::from_millis(61_250);
        let taken = Taken { time, memory: Some(1025) };
        assert_eq!(taken.to_string(), "61.2 s, 2 MiB of memory at most");
        let taken = Taken { time, memory: None };
        assert_eq!(taken.to_string(), "61.2 s, of memory this system does not tell");
    }
}
