//! Which versions of intel-ipsec-mb take part. `build.rs` asks of its header, the program of the
//! library that it is linked with.

/// The package on Debian and its kin.
pub(crate) const PACKAGE: &str = "libipsec-mb-dev";

/// Refuses a version that gives wrong results, or of which nothing is known.
///
/// # Errors
/// One line that says why.
pub(crate) fn check(version: &str) -> Result<(), String> {
    match version.split('.').next() {
        Some("1") => Ok(()),
        Some("2") => Err(format!(
            "{version} computes DES wrongly with two jobs or more: 1.x is needed (Debian 12)"
        )),
        _ => Err(format!("version {version} is unknown here: 1.x is needed (Debian 12)")),
    }
}

/// The version that the library's header states.
pub(crate) fn of_header(header: &str) -> Option<&str> {
    let line = header.lines().find_map(|line| line.strip_prefix("#define IMB_VERSION_STR"))?;
    Some(line.trim().trim_matches('"'))
}
