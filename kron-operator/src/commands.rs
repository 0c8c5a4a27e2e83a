//! The commands that only print.

use std::io::Write as _;

use crate::args::{CrdArgs, ManifestsArgs};
use crate::crd::{custom_resource_definition, to_yaml};
use crate::manifests::{Options, Scope, render};

/// Prints the resource.
///
/// # Errors
///
/// If standard output cannot be written.
pub fn crd(args: &CrdArgs) -> Result<(), String> {
    print(&to_yaml(&custom_resource_definition(args.immutable)))
}

/// Prints the manifests of an installation.
///
/// # Errors
///
/// If standard output cannot be written.
pub fn manifests(args: &ManifestsArgs) -> Result<(), String> {
    let defaults = Options::default();
    let options = Options {
        scope: if args.namespaced { Scope::Namespaced { namespace: None } } else { Scope::Cluster },
        namespace: args.namespace.clone(),
        image: args.image.clone().unwrap_or(defaults.image),
        replicas: args.replicas.into(),
        crd: (!args.without_crd).then(|| custom_resource_definition(args.immutable)),
        network_policy: args.network_policy,
    };
    print(&render(&options))
}

fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| format!("standard output: {error}"))
}
