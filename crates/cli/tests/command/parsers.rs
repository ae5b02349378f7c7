//! The parsers' fuzz targets, on their stored corpus and for a second on changes to it.

use cipherloom_cli::fuzz as target;
use cipherloom_testkit::fuzz;

#[test]
fn records() {
    fuzz::replay("records", target::records);
}

#[test]
fn slow_arguments() {
    fuzz::replay("arguments", target::arguments);
}

#[test]
fn csv() {
    fuzz::replay("csv", |data| target::csv(data, fuzz::csv_rows));
}
