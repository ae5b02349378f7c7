//! Other programs, run on an input; and which of them the user wants to do without.

use std::io::Write;
use std::process::{Command, Stdio};

/// The variable that names the peers to do without.
pub const WITHOUT: &str = "CIPHERLOOM_WITHOUT_PEERS";

/// Whether the user wants to do without this peer.
pub fn left_out(name: &str) -> bool {
    let list = std::env::var(WITHOUT).unwrap_or_default();
    let left_out = list.split(',').any(|peer| peer.trim() == name);
    if left_out {
        eprintln!("without the peer {name}, as {WITHOUT} asks: this test checked nothing with it");
    }
    left_out
}

/// Runs a command on an input, and gives its output or one line about what went wrong.
pub(super) fn run(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    let mut stdin = child.stdin.take().expect("piped");
    let output = std::thread::scope(|scope| {
        // A thread of its own: the child may fill its output before it has read its input. A
        // child that does not want all of its input breaks the pipe, and says why on stderr.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output()
    });
    let output = output.map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name}: {}: {}", output.status, said.trim().replace('\n', " | ")))
}
