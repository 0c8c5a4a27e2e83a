#![no_main]

#[path = "../targets_place.rs"]
mod targets_place;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets_place::place_text(data));
