//! What docs/AARCH64.md predicts: bounds by our cost models, and cycles by llvm-mca, which follows each instruction
//! through the pipes.

use std::process::Command;

use loom::isa::aarch64::conventions::AAPCS64;
use loom::isa::aarch64::costs;
use loom::library::Recipe;
use loom::stats::bound;
use loom::tune::{GENERIC, Store};
use loom::variant::KernelVariant;

use super::program::run;
use crate::folder::Folder;

const DOCUMENT: &str = include_str!("../../../../../docs/AARCH64.md");

/// A row of the document.
struct Row {
    kernel: &'static str,
    cpu: String,
    bound: f64,
    followed: Option<f64>,
}

/// Rows that begin with a kernel.
fn rows() -> Vec<Row> {
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect();
    let rows = DOCUMENT.lines().filter(|line| line.starts_with("| `")).map(cells);
    let row = |cells: Vec<&'static str>| {
        let [kernel, cpu, _limit, bound, followed] = cells[..] else { panic!("{cells:?}") };
        Row {
            kernel: kernel.trim_matches('`'),
            cpu: cpu.to_lowercase().replace(' ', "-"),
            bound: bound.parse().expect("a number"),
            followed: (followed != "-").then(|| followed.parse().expect("a number")),
        }
    };
    rows.map(row).collect()
}

fn variant(kernel: &str) -> KernelVariant {
    format!("aarch64/{kernel}").parse().unwrap_or_else(|_| panic!("no kernel {kernel}"))
}

/// Whether two figures are the same to the last digit that is printed.
fn is_near(figure: f64, printed: f64) -> bool {
    let digit = if printed < 20.0 { 0.01 } else { 0.1 };
    (figure - printed).abs() < 0.51 * digit
}

#[test]
fn bounds_are_those_of_the_document() {
    let store = Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tuned"));
    let rows = rows();
    assert!(rows.len() > 25, "{} rows", rows.len());
    for Row { kernel, cpu, bound: printed, .. } in rows {
        let variant = variant(kernel);
        let recipe =
            Recipe::find::<Box<dyn std::error::Error>>(&store, &variant, &AAPCS64, GENERIC);
        let made = variant.make(&AAPCS64, &recipe.expect("a recipe").plan).expect("a kernel");
        let cpu = costs::ALL.into_iter().find(|one| one.name == cpu).expect("a cost model");
        let bound = bound(&variant, &*made, cpu);
        assert!(is_near(bound, printed), "{kernel}, {}: {bound:.2}, not {printed}", cpu.name);
    }
}

/// What a kernel that ships does for some pieces of work, an instruction after the other: loops of a constant count as
/// often as they are done, the others once.
fn unrolled(kernel: &str) -> String {
    let file = format!("{}/../cipherloom/kernels/aarch64/{kernel}.s", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let lines: Vec<&str> =
        text.lines().map(|line| line.split("//").next().unwrap_or_default().trim()).collect();
    let from = lines.iter().position(|line| *line == "1:").expect("a loop");
    let again = |lines: &[&str], label: &str| {
        let target = format!("{label}b");
        let is_branch = |line: &&str| line.starts_with("cbnz") && line.ends_with(&target);
        lines.iter().position(is_branch)
    };
    let to = from + again(&lines[from..], "1").expect("its end");
    let mut out = String::new();
    expand(&lines[from + 1..to], &again, &mut out);
    out.repeat(trips(&lines[..from]).unwrap_or(1))
}

/// The last small number that a register was given: it counts the loop behind it.
fn trips(lines: &[&str]) -> Option<usize> {
    let small = lines.iter().rev().find_map(|line| {
        let (_, number) = line.strip_prefix("movz")?.split_once("#0x")?;
        usize::from_str_radix(number, 16).ok()
    });
    small.filter(|count| *count <= 8)
}

fn expand(lines: &[&str], again: &dyn Fn(&[&str], &str) -> Option<usize>, out: &mut String) {
    let mut n = 0;
    while n < lines.len() {
        let line = lines[n];
        if let Some(label) = line.strip_suffix(':')
            && let Some(end) = again(&lines[n..], label)
        {
            let count = trips(&lines[..n]).expect("a constant count");
            let mut body = String::new();
            expand(&lines[n + 1..n + end], again, &mut body);
            *out += &body.repeat(count);
            n += end;
        } else if !(line.is_empty() || line.starts_with('.') || line.ends_with(':')) {
            // Where branches lead that are not taken is all the same.
            let is_branch = line.starts_with("b.") || line.starts_with("cbz");
            let line = match line.rsplit_once(' ') {
                Some((branch, _)) if is_branch => format!("{branch} 0"),
                _ => line.to_owned(),
            };
            *out += &line;
            out.push('\n');
        }
        n += 1;
    }
}

#[test]
fn rare_kernels_take_what_llvm_predicts() {
    let folder = Folder::new();
    let mut compared = 0;
    for Row { kernel, cpu, followed, .. } in rows() {
        let Some(printed) = followed else { continue };
        let (_, pieces) = variant(kernel).strategy.counted();
        let source = folder.file(&format!("{kernel}-{cpu}.s"), &unrolled(kernel));
        const TIMES: usize = 50;
        let mut mca = Command::new("llvm-mca-19");
        mca.args(["-mtriple=aarch64", "-mattr=+sha3", "--json", "-all-views=false"]);
        mca.args(["-summary-view", &format!("-iterations={TIMES}"), &format!("-mcpu={cpu}")]);
        let output = run(mca.arg(source), "llvm-mca");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{kernel}: {said}");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let cycles = json["CodeRegions"][0]["SummaryView"]["TotalCycles"].as_f64();
        let cycles = cycles.expect("cycles") / (TIMES * pieces) as f64;
        assert!(is_near(cycles, printed), "{kernel}, {cpu}: {cycles:.2}, not {printed}");
        compared += 1;
    }
    assert!(compared > 15, "{compared} rows");
}
