//! The checks, in the order in which they run: cheap ones first.

use crate::assemblers;
use crate::deny;
use crate::install;
use crate::oldest;
use crate::peers;
use crate::planted;
use crate::processors;
use crate::prove;
use crate::report::Ran;
use crate::sources::rustup::{ARM, BARE, MACOS, MACOS_X64, WEB, WINDOWS, WINDOWS_ARM};
use crate::things::VALGRIND;
use crate::traces;
use crate::web;
use crate::wheel;
use crate::wine;

/// One check.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// The thing of `setup` without which it cannot run.
    pub(crate) needs: Option<&'static str>,
    pub(crate) action: Action,
    /// Long, and rarely the one that finds a defect: only `--all` runs it.
    pub(crate) rare: bool,
}

/// What a check does.
pub(crate) enum Action {
    /// Cargo with these words.
    Cargo(&'static str),
    /// Cargo's tests with these words; what they print is counted.
    Tests(&'static str),
    /// A command of this program: its name, and itself.
    Own(&'static str, fn() -> crate::failure::Result),
    /// Another such, that says what ran where; it is given the names of peers to do without.
    Where(&'static str, fn(&str) -> Ran),
}

use Action::{Cargo, Own, Tests, Where};

/// What `--all` has in the place of [`FEATURES`](crate::process::FEATURES): the crates of the command's `arrow` take minutes to build.
pub(crate) const ALL_FEATURES: &str = "--features cipherloom/cipher,cipherloom-cli/arrow";

pub(crate) const STEPS: &[Step] = &[
    step("format", Some("rustfmt"), Cargo("fmt --all --check")),
    step(
        "lints",
        Some("clippy"),
        Cargo("clippy --workspace --all-targets --features cipherloom/cipher -- --deny warnings"),
    ),
    rare(
        "library alone, lints",
        Some("clippy"),
        Cargo("clippy --package cipherloom --all-targets -- --deny warnings"),
    ),
    rare(
        "command without migrate, lints",
        Some("clippy"),
        Cargo(
            "clippy --package cipherloom-cli --no-default-features --all-targets -- --deny warnings",
        ),
    ),
    step("dependencies", Some(deny::NAME), Own("deny", deny::run)),
    step("dependencies' defects", Some(deny::DATABASE), Own("deny --advisories", deny::advisories)),
    step("library without std", None, Cargo("check --package cipherloom --no-default-features")),
    step(
        "library, bare metal",
        Some(BARE),
        Cargo("check --package cipherloom --no-default-features --target thumbv7m-none-eabi"),
    ),
    step(
        "library, macOS",
        Some(MACOS),
        Cargo("check --package cipherloom --all-features --target aarch64-apple-darwin"),
    ),
    step(
        "library, macOS on Intel",
        Some(MACOS_X64),
        Cargo("check --package cipherloom --all-features --target x86_64-apple-darwin"),
    ),
    step(
        "library, Windows",
        Some(WINDOWS),
        Cargo("check --package cipherloom --all-features --target x86_64-pc-windows-msvc"),
    ),
    step(
        "library, Windows on Arm",
        Some(WINDOWS_ARM),
        Cargo("check --package cipherloom --all-features --target aarch64-pc-windows-msvc"),
    ),
    step(
        "library, Arm Linux",
        Some(ARM),
        Cargo("check --package cipherloom --all-features --target aarch64-unknown-linux-gnu"),
    ),
    rare(
        "page, lints",
        Some(WEB),
        Cargo("clippy --package cipherloom-web --target wasm32-unknown-unknown -- --deny warnings"),
    ),
    step("documentation", None, Cargo("doc --workspace --features cipherloom/cipher --no-deps")),
    rare("demo", None, Own("demo", crate::demo::run)),
    rare("the oldest Rust", Some(oldest::NAME), Own("oldest", oldest::run)),
    // In release mode throughout: one build serves all three.
    step(
        "peers, format",
        Some("rustfmt"),
        Cargo("fmt --manifest-path bench/peers/Cargo.toml --check"),
    ),
    rare(
        "peers, lints",
        Some(peers::NAME),
        Cargo(
            "clippy --release --manifest-path bench/peers/Cargo.toml --all-targets -- --deny warnings",
        ),
    ),
    rare(
        "peers, tests",
        Some(peers::NAME),
        Tests("test --release --manifest-path bench/peers/Cargo.toml"),
    ),
    rare("RC4 from C", Some(assemblers::GCC_32), Own("rc4 --quick", || crate::rc4::run(true))),
    rare(
        "libdes' functions from C",
        Some(assemblers::LIBCRYPTO_32),
        Own("libdes --quick", || crate::libdes::run(true)),
    ),
    rare(
        "C library by cargo-c",
        Some(install::CARGO_C),
        Own("install --compare", install::compare),
    ),
    step("tests", None, Tests("test --workspace --features cipherloom/cipher --no-fail-fast")),
    // The tests prove their own program; this is what ships.
    rare("kernels, proved", None, Own("prove", prove::check)),
    rare(
        "kernels for AArch64, proved",
        Some(processors::ARM),
        Own("prove --arm", prove::check_arm),
    ),
    rare("errors planted into the prover", None, Own("prove --planted --compare", planted::check)),
    // The tests' own build has it too, where less is inlined.
    rare(
        "constant time, stacks and calls, as released",
        Some(VALGRIND),
        Tests(
            "test --profile valgrind --package cipherloom --all-features --test valgrind --test stack --test indirect",
        ),
    ),
    step(
        "traces, format",
        Some("rustfmt"),
        Cargo("fmt --manifest-path xtask/traces/Cargo.toml --check"),
    ),
    rare("constant time on other systems", Some(traces::NAME), Own("traces", traces::run)),
    rare(
        "library on other processors",
        Some(processors::EMULATOR),
        Where("processors", |_| processors::emulated()),
    ),
    rare(
        "library on AArch64",
        Some(processors::ARM),
        Where("processors --arm", |_| processors::arm_linux()),
    ),
    rare(
        "library on RISC-V",
        Some(processors::RISC_V),
        Where("processors --risc-v", |_| processors::risc_v()),
    ),
    // Needs node as well, which every tier has.
    rare(
        "library in WebAssembly",
        Some(processors::WASMTIME),
        Where("processors --wasm", |_| processors::wasm()),
    ),
    rare(
        "library with AVX-512",
        Some(processors::AVX512),
        Where("processors", |_| processors::native()),
    ),
    step("library without assembly", None, Where("processors", |_| processors::portable())),
    rare(
        "command on Windows",
        Some(wine::NAME),
        Where("windows", |without| wine::run(&[], without)),
    ),
    step(
        "Python, format",
        Some("rustfmt"),
        Cargo("fmt --manifest-path crates/python/Cargo.toml --check"),
    ),
    rare(
        "Python, lints",
        Some("clippy"),
        Cargo(
            "clippy --manifest-path crates/python/Cargo.toml --target-dir target/python-build -- --deny warnings",
        ),
    ),
    rare("Python", Some(wheel::NAME), Own("python", wheel::run)),
    rare("Python, Arm Linux", Some(wheel::ARM), Own("python --arm", wheel::run_arm)),
    step("page's library", Some(web::NODE), Own("web --node", web::node)),
    step("page from its sources", Some(web::RUST), Own("web --check", web::check)),
    rare("page in a browser", Some(web::BROWSER), Own("web --browser", web::browser)),
];

const fn step(name: &'static str, needs: Option<&'static str>, action: Action) -> Step {
    Step { name, needs, action, rare: false }
}

const fn rare(name: &'static str, needs: Option<&'static str>, action: Action) -> Step {
    Step { name, needs, action, rare: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{FEATURES, root};
    use crate::things::THINGS;
    use std::path::Path;

    #[test]
    fn what_a_step_needs_is_a_thing_of_setup() {
        for needed in STEPS.iter().filter_map(|step| step.needs) {
            assert!(THINGS.iter().any(|thing| thing.name == needed), "{needed}");
        }
    }

    #[test]
    fn lints_documentation_and_tests_have_the_features() {
        let have = |step: &&Step| matches!(step.action, Cargo(words) | Tests(words) if words.contains(FEATURES));
        let names: Vec<_> = STEPS.iter().filter(have).map(|step| step.name).collect();
        assert_eq!(names, ["lints", "documentation", "tests"]);
    }

    #[test]
    fn a_step_for_a_target_needs_that_target() {
        for step in STEPS {
            if let Cargo(words) = step.action
                && let Some((_, target)) = words.split_once("--target ")
            {
                assert_eq!(step.needs, target.split(' ').next(), "{}", step.name);
            }
        }
    }

    /// The files with tests below a folder.
    fn tested(folder: &Path) -> Vec<String> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).expect("a folder of tests") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files.extend(tested(&path));
            } else if std::fs::read_to_string(&path).expect("a source").contains("#[test]") {
                files.push(path.to_string_lossy().into_owned());
            }
        }
        files
    }

    /// docs/TESTING.md says what each file of the generator's tests shows, or its folder.
    #[test]
    fn the_generator_s_tests_are_documented() {
        let folder = root().join("crates/loom/tests");
        let text = std::fs::read_to_string(root().join("docs/TESTING.md")).expect("the document");
        let files = tested(&folder);
        assert!(files.len() > 20, "{files:?}");
        for file in files {
            let name = Path::new(&file).strip_prefix(&folder).expect("a file of the folder");
            let parent = name.parent().filter(|parent| !parent.as_os_str().is_empty());
            let mut named = vec![format!("`{}`", name.display())];
            named.extend(parent.map(|parent| format!("`{}/`", parent.display())));
            assert!(named.iter().any(|name| text.contains(name)), "no row of {}", name.display());
        }
    }
}
