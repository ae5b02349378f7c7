//! `cargo xtask setup`: what the checks need beyond `cargo`, found or installed.

use crate::things::{THINGS, Thing};

/// Finds or installs what the checks need, with `rare` all of them, a line for each; gives the things
/// that are missing after that.
///
/// With `install` false, it only looks.
pub(crate) fn prepare(install: bool, rare: bool) -> Vec<&'static Thing> {
    let mut missing = Vec::new();
    for thing in THINGS.iter().filter(|thing| rare || !thing.is_rare()) {
        let line = |state: &str, what: &str| println!("{state:<10} {:<26} {what}", thing.name);
        if let Some(what) = (thing.find)(thing.name) {
            line("there", &what);
            continue;
        }
        let outcome = if install {
            line("installing", "");
            (thing.install)(thing.name)
        } else {
            Err("not installed, as asked".to_owned())
        };
        match (outcome, (thing.find)(thing.name)) {
            (Ok(()), Some(what)) => line("installed", &what),
            (outcome, _) => {
                let why =
                    outcome.err().unwrap_or("still does not work after the installation".into());
                line("MISSING", &format!("{why}: {}", thing.advice));
                missing.push(thing);
            }
        }
    }
    missing
}

/// Installs what is missing.
///
/// # Errors
/// Something that the checks need is still missing.
pub(crate) fn run() -> crate::failure::Result {
    let missing: Vec<&str> = prepare(true, true)
        .into_iter()
        .filter(|thing| thing.required)
        .map(|thing| thing.name)
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("still missing: {}", missing.join(", ")).into())
    }
}
