#![no_main]

#[path = "../targets_ffi.rs"]
mod targets_ffi;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets_ffi::c_surface(data));
