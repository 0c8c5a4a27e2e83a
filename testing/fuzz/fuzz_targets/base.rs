#![no_main]

#[path = "../targets_base.rs"]
mod targets_base;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets_base::base_text(data));
