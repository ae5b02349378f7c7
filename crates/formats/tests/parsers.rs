//! The parsers' fuzz targets, on their stored corpus and for a second on changes to it.

use cipherloom_formats::fuzz as target;
use cipherloom_testkit::fuzz;

#[test]
fn salted_header() {
    fuzz::replay("salted_header", target::salted_header);
}

#[test]
fn hex() {
    fuzz::replay("hex", target::hex);
}

#[test]
fn base64() {
    fuzz::replay("base64", target::base64);
}

#[test]
fn derivations() {
    fuzz::replay("derivations", target::derivations);
}

#[test]
fn presets() {
    fuzz::replay("presets", target::presets);
}
