//! A job and its place.

use kron_core::Job;
use kron_formats::LoadedJob;
use kron_formats::kronjob::{JobRequests, PrimerLead};
use kron_formats::read;

/// A job and its place.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(super) origin: Origin,
    /// Its text form as it was written or converted, or the schedule of a manifest.
    pub(crate) text: Option<String>,
    /// Whether the input names it.
    pub(crate) named: bool,
    pub(super) source: usize,
}

/// Where a job is from.
#[derive(Debug)]
pub(super) enum Origin {
    /// A text among the arguments.
    Text(Job),
    /// A file, with what its line or manifest says beside the job, and what it is.
    File(Box<LoadedJob>, read::Origin),
}

impl Entry {
    pub(crate) fn job(&self) -> &Job {
        match &self.origin {
            Origin::Text(job) => job,
            Origin::File(loaded, _) => &loaded.job,
        }
    }

    /// The job as it is declared, where the entry is a placed schedule as it stands.
    pub(crate) fn declared(&self) -> Option<&Job> {
        self.loaded()?.declared.as_ref()
    }

    pub(crate) fn into_job(self) -> Job {
        match self.origin {
            Origin::Text(job) => job,
            Origin::File(loaded, _) => loaded.job,
        }
    }

    /// The job with what its line or manifest says beside it; `None` for a text among the arguments.
    pub(crate) fn loaded(&self) -> Option<&LoadedJob> {
        match &self.origin {
            Origin::Text(_) => None,
            Origin::File(loaded, _) => Some(loaded),
        }
    }

    /// Whether it is a schedule of another system.
    pub(crate) fn is_of_other_system(&self) -> bool {
        matches!(&self.origin, Origin::File(_, origin) if *origin != read::Origin::Kron)
    }

    /// Whether `@days` and `@nodays` can be written where it stands: a plain schedule and a KronJob cannot have them.
    pub(crate) fn has_days(&self) -> bool {
        !self.is_of_other_system() && !self.is_manifest()
    }

    /// The number of its file, and its line, where it is a schedule of another system.
    pub(crate) fn place_of_schedule(&self) -> Option<(usize, usize)> {
        self.line().filter(|_| self.is_of_other_system()).map(|line| (self.source, line))
    }

    /// Its line in its file.
    pub(super) fn line(&self) -> Option<usize> {
        self.loaded()?.line
    }

    /// Its line, where it is a line of a job file.
    pub(super) fn line_of_job_file(&self) -> Option<usize> {
        self.line().filter(|_| !self.is_of_other_system())
    }

    /// How long before each start its primer is made, in a manifest.
    pub(crate) fn primer(&self) -> Option<PrimerLead> {
        self.loaded()?.primer.as_ref().map(|primer| primer.lead)
    }

    /// What its pods request together, in a manifest.
    pub(crate) fn requests(&self) -> Option<&JobRequests> {
        self.loaded()?.requests.as_ref()
    }

    /// The further fields of its line in a job file.
    pub(crate) fn fields(&self) -> &[(String, String)] {
        self.loaded().map_or(&[], |loaded| &loaded.fields)
    }

    /// A further field of its line in a job file.
    pub(crate) fn field(&self, key: &str) -> Option<&str> {
        self.fields().iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }

    /// Whether it is a manifest, and not a line of a job file or a text.
    pub(crate) fn is_manifest(&self) -> bool {
        self.loaded().is_some_and(|loaded| loaded.document.is_some())
    }

    /// A label of its manifest, or a further field of its line in a job file.
    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        let label = self.loaded()?.labels.iter().find(|(found, _)| found == key);
        label.map(|(_, value)| value.as_str()).or_else(|| self.field(key))
    }
}
