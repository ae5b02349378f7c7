//! Two builds of the library in one program.

use std::path::Path;
use std::process::Command;

use loom::isa::frame::Abi;
use loom::library::{self, Recipe};
use loom::tune::GENERIC;

use super::{GENERATED, compare, plan, symbols};

const MAIN: &str = r#"
macro_rules! call_every_kernel {
    ($library:ident) => {{
        use $library::{Backend, Mode, Padding, TdesEde3, libdes};
        for backend in Backend::all() {
            backend.self_test().unwrap();
        }
        let (mut block, schedule) = ([1, 2], [[3, 4]; 16]);
        libdes::encrypt1(&mut block, &schedule, true);
        libdes::encrypt2(&mut block, &schedule, true);
        libdes::encrypt3(&mut block, [&schedule; 3]);
        libdes::decrypt3(&mut block, [&schedule; 3]);
        let key = TdesEde3::from_slice(b"0123456789abcdefFEDCBA98").unwrap();
        let mode = Mode::cbc(*b"8 bytes!", Padding::Pkcs7);
        let mut room = vec![0; 5008];
        mode.encrypt(&key, &[7; 5000], &mut room).unwrap();
        (block, room)
    }};
}

fn main() {
    let [one, other] = [call_every_kernel!(one), call_every_kernel!(other)];
    assert_eq!(one, other);
}
"#;

/// The library beside a build of it whose kernels were made otherwise: each has its own in the linked
/// program, and there they do what they should. Their versions are as close as Cargo lets them be.
#[test]
fn rare_two_builds_in_one_program_have_kernels_of_their_own() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let ours = repository.join("crates/cipherloom");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builds");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        // What is as it was keeps its time, and is not built again.
        if std::fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
            std::fs::write(path, text).unwrap();
        }
    };
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();

    let other = library::files(|variant, plans| {
        (plans == GENERIC).then(|| Recipe::untuned(variant, Abi::usual(variant.target))).transpose()
    });
    let other = other.unwrap();
    files_below(&ours.join("src"), &mut |path| {
        let name = path.strip_prefix(&repository).unwrap().to_str().unwrap();
        if !other.contains_key(name) {
            write(name, &read(path));
        }
    });
    other.iter().for_each(|(name, text)| write(name, text));
    let manifest = read(&ours.join("Cargo.toml"));
    let needed = manifest.split("[dev-dependencies]").next().unwrap();
    let own: Vec<_> = needed.lines().filter(|line| !line.contains(".workspace = true")).collect();
    let own = own.join("\n").replacen(
        "[package]",
        "[package]\nversion = \"0.1.1\"\nedition = \"2024\"",
        1,
    );
    write("crates/cipherloom/Cargo.toml", &own);

    write("src/main.rs", MAIN);
    write(
        "Cargo.toml",
        &format!(
            "[workspace]\n\n[package]\nname = \"builds\"\nedition = \"2024\"\n\n[dependencies]\n\
             one = {{ package = \"cipherloom\", path = {ours:?} }}\n\
             other = {{ package = \"cipherloom\", path = \"crates/cipherloom\" }}\n"
        ),
    );
    // The crates that are on this machine, for this very test has them.
    write("Cargo.lock", &read(&repository.join("Cargo.lock")));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--offline", "--target-dir", "target"]).current_dir(&folder);
    let output = cargo.env_remove("CARGO_TARGET_DIR").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let program = folder.join("target/debug/builds");
    let generated = &other["crates/cipherloom/src/kernels/asm/x86_64/generated.rs"];
    let compared = compare(&program, &symbols(GENERATED), plan)
        + compare(&program, &symbols(generated), |variant, plans| {
            (plans == GENERIC).then(|| variant.untuned())
        });
    println!("{compared} bytes of code compared");
    assert!(compared > 20_000);
}

/// Hands every file below a folder to `each`.
fn files_below(folder: &Path, each: &mut dyn FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, each) } else { each(&path) }
    }
}
