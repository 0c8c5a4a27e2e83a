//! What a primer is made of.

use serde_json::Value;

/// What a primer is made of.
#[derive(Clone, Copy, Debug)]
pub struct PrimerOf<'p> {
    /// The job template of the KronJob.
    pub template: &'p Value,
    /// The image to run.
    pub image: &'p str,
    /// How many seconds before the start the primer is made.
    pub lead: i64,
    /// The namespace of the KronJob.
    pub namespace: &'p str,
    /// The name of the primer, as the Job controller labels its pods.
    pub name: &'p str,
    /// Labels that the pods of the execution get beyond those of the template.
    pub main_labels: &'p [(&'static str, String)],
    /// Labels that the pods of the primer get.
    pub labels: &'p [(&'static str, String)],
}
