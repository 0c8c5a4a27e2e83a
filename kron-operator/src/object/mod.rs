//! What the operator keeps of the cluster's objects: read from free JSON one by one, trimmed to what decides and to what
//! is written again.

mod job;
mod kronjob;

pub use job::{Finished, JobView, Version, WatchedJob};
pub use kronjob::{KronJobView, Spec, SpecError};

/// Namespace and name of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The namespace.
    pub namespace: std::sync::Arc<str>,
    /// The name.
    pub name: std::sync::Arc<str>,
}

impl Key {
    /// The key of an object.
    pub fn new(namespace: &str, name: &str) -> Key {
        Key { namespace: namespace.into(), name: name.into() }
    }
}

/// `namespace/name`, the name of a KronJob's core job.
impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}
