//! The header, which is written by hand, for tests that compare it with what is here.

use core::ffi::c_int;

/// The header's constants of some names.
pub(crate) fn constants(is_wanted: impl Fn(&str) -> bool) -> Vec<(&'static str, c_int)> {
    let lines = include_str!("../include/cipherloom.h").lines();
    lines
        .filter_map(|line| line.trim().split_once(" = "))
        .filter(|(name, _)| name.starts_with("CL_") && is_wanted(name))
        .map(|(name, rest)| {
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
            (name, digits.and_then(|digits| digits.parse().ok()).expect("a number"))
        })
        .collect()
}
