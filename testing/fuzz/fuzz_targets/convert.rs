#![no_main]

#[path = "../targets_convert.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::convert_text(data));
