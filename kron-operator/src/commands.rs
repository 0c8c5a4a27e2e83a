//! The commands that only print.

use std::io::Write as _;

use crate::args::CrdArgs;
use crate::crd::{custom_resource_definition, to_yaml};

/// Prints the resource.
///
/// # Errors
///
/// If standard output cannot be written.
pub fn crd(args: &CrdArgs) -> Result<(), String> {
    print(&to_yaml(&custom_resource_definition(args.immutable)))
}

fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| format!("standard output: {error}"))
}
