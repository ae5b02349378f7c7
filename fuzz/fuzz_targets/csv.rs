#![no_main]

use cipherloom_testkit::fuzz::csv_rows;

libfuzzer_sys::fuzz_target!(|data: &[u8]| cipherloom_cli::fuzz::csv(data, csv_rows));
