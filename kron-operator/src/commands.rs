//! The command that only prints.

use std::io::Write as _;

use kron_crd::{custom_resource_definition, to_yaml};

use crate::args::CrdArgs;

/// Prints the resource.
///
/// # Errors
///
/// If standard output cannot be written.
pub fn crd(args: &CrdArgs) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    out.write_all(to_yaml(&custom_resource_definition(args.immutable)).as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| format!("standard output: {error}"))
}
