//! Names the shared library after its full version, so that a program never meets another version than it was built with, and lets it
//! stay in memory when a program unloads it: the tables of time zones that it made stay valid, and the next load uses them again.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| ["linux", "android", "freebsd"].contains(&&*os)) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libkron.so.{version}");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
