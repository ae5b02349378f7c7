//! The library's fuzz targets, on their stored corpus and for a second on changes to it.

use cipherloom_testkit::fuzz;

#[test]
fn backend_equals_spec() {
    fuzz::replay("backend_equals_spec", fuzz::backend_equals_spec);
}

#[test]
fn batch_equals_single() {
    fuzz::replay("batch_equals_single", fuzz::batch_equals_single);
}

#[test]
fn incremental_chunking() {
    fuzz::replay("incremental_chunking", fuzz::incremental_chunking);
}

#[test]
fn padding() {
    fuzz::replay("padding", fuzz::padding);
}
