#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| cipherloom_formats::fuzz::presets(data));
