//! Dated records in `bench/record`.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::pace::Pace;
use crate::plot::hot_and_cold;
use crate::report::Report;
use crate::{pictures, table};

/// Where records lie.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("record")
}

/// What the names of a record's files begin with.
fn stem(date: &str, name: &str, pace: Pace) -> String {
    format!("{date}-{name}-peers{}", pace.flag().map_or(String::new(), |flag| flag[1..].to_owned()))
}

/// Refuses a record that is there already, before minutes have passed.
///
/// # Errors
/// The file that is there.
pub(crate) fn check_free(date: &str, name: &str, pace: Pace) -> Result<(), String> {
    for end in [".json", ".md", ".svg", "-sizes.svg"] {
        let path = folder().join(format!("{}{end}", stem(date, name, pace)));
        if path.exists() {
            return Err(format!("{} is there already", path.display()));
        }
    }
    Ok(())
}

/// Refuses a name with which no record can be written.
///
/// # Errors
/// Why.
pub(crate) fn check_name(name: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        return Err("a processor's name here has small letters, digits and hyphens".into());
    }
    Ok(name.into())
}

/// Writes `DATE-NAME-peers.json`, `.md`, and the pictures of what was measured, `.svg` and
/// `-sizes.svg`, with `-hot` or `-cold` behind `peers`; gives their paths.
///
/// # Errors
/// A record of that name is there, or the system's reasons.
pub(crate) fn write(report: &Report, name: &str) -> Result<Vec<PathBuf>, String> {
    let path = |end: &str| folder().join(format!("{}{end}", stem(&report.date, name, report.pace)));
    let pictures = pictures(report, &path(".svg"));
    let mut files = vec![(path(".json"), json(report)?), (path(".md"), page(report, &pictures))];
    files.extend(pictures);
    let write = |(path, content): (PathBuf, String)| {
        let mut file = File::create_new(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        file.write_all(content.as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(path)
    };
    files.into_iter().map(write).collect()
}

/// Draws `bench/curves/NAME.svg`, a picture for each processor; gives its path.
///
/// # Errors
/// The system's reasons.
pub(crate) fn write_curves(reports: &[Report; 2], name: &str) -> Result<PathBuf, String> {
    let folder = folder().with_file_name("curves");
    let path = folder.join(format!("{name}.svg"));
    let written =
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, hot_and_cold(reports)));
    written.map(|()| path.clone()).map_err(|error| format!("{}: {error}", path.display()))
}

/// The report as JSON.
///
/// # Errors
/// None in practice.
pub(crate) fn json(report: &Report) -> Result<String, String> {
    let json = serde_json::to_string_pretty(report).map_err(|error| error.to_string())?;
    Ok(json + "\n")
}

fn page(report: &Report, pictures: &[(PathBuf, String)]) -> String {
    let file = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let shown: Vec<String> = pictures
        .iter()
        .map(|(path, _)| format!("![a picture of it]({})\n\n", file(path)))
        .collect();
    format!(
        "# {}, {}: against peers\n\n\
         Made by `cargo xtask peers {}--record NAME`; one core of {}. What the figures are: \
         [bench/README.md](../README.md#peers). All of it is also in the file of the same name that \
         ends in `.json`.\n\n{}```\n{}```\n",
        report.date,
        report.processor.label(),
        report.pace.flag().map_or(String::new(), |flag| format!("{flag} ")),
        report.processor.threads,
        shown.concat(),
        table::render(report)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example;

    #[test]
    fn every_pace_has_files_of_its_own() {
        let stems = [Pace::Alternating, Pace::Hot, Pace::Cold].map(|pace| stem("d", "x", pace));
        assert_eq!(stems, ["d-x-peers", "d-x-peers-hot", "d-x-peers-cold"]);
    }

    #[test]
    fn names_are_file_names() {
        assert!(check_name("skylake-server").is_ok());
        for wrong in ["", "../x", "Xeon", "a b", "a.b"] {
            assert!(check_name(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn data_can_be_read_again() {
        let json: serde_json::Value = serde_json::from_str(&json(&example()).unwrap()).unwrap();
        assert_eq!(json["rows"][0]["id"], "des-cbc-encrypt-16KiB");
        assert!(json["rows"][0]["comparison"]["best_peer"]["ratio"].as_f64().unwrap() > 1.0);
        let sizes = json["sweeps"][0]["sizes"].as_array().unwrap();
        assert_eq!(sizes.len(), crate::sweep::sizes().len());
        assert!(sizes[0]["results"][0]["cost"].as_f64().is_some());
        assert_eq!(json["sweeps"][0]["growth"]["holds"], true);
    }

    #[test]
    fn the_page_shows_all_pictures() {
        let report = example();
        let page = page(&report, &pictures(&report, Path::new("there/2000-01-01-x-peers.svg")));
        assert!(page.contains("(2000-01-01-x-peers.svg)"));
        assert!(page.contains("(2000-01-01-x-peers-sizes.svg)"));
    }
}
