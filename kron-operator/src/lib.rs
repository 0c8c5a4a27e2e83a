//! The operator of the KronJob resource: what to do is planned by pure functions over `kron-core`, and everything else
//! here only watches, executes and tells.

#![forbid(unsafe_code)]

pub mod crd;
pub mod names;
