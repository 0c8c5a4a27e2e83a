//! What the properties remember of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kron_crd::Outcome;

/// What happened so far, as far as a property speaks of it. No process knows it.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Ghost {
    /// How many Jobs each KronJob had under each name, by UID and name.
    pub(crate) made: BTreeMap<(Arc<str>, Arc<str>), u8>,
    /// The Jobs, by UID and name, that a create made which was overdue, and that no answer has shown since.
    pub(crate) overdue: BTreeSet<(Arc<str>, Arc<str>)>,
    /// The Jobs, by UID and name, whose creates were overdue and had not arrived when that process listed the Jobs: no later
    /// list has shown it one of them.
    pub(crate) unlisted: BTreeSet<(Arc<str>, Arc<str>, String)>,
    /// How many creates were sent.
    pub(crate) sends: BTreeMap<(Arc<str>, Arc<str>), u8>,
    /// The outcomes that a status has shown, by UID and period.
    pub(crate) outcomes: BTreeMap<(Arc<str>, i64), Outcome>,
    /// The outcome of the token, by UID.
    pub(crate) run_now: BTreeMap<String, Outcome>,
    /// For each KronJob the last claim that was written, and the Jobs that were active then. The claim is written with each status.
    pub(crate) claims: Vec<Option<LastClaim>>,
    /// Names of Jobs whose label with the KronJob's name was removed: no watch or list shows them.
    pub(crate) hidden: BTreeSet<Arc<str>>,
}

/// A claim that was written.
#[derive(Clone, Debug, Hash)]
pub(crate) struct LastClaim {
    pub(crate) holder: String,
    pub(crate) period: i64,
    pub(crate) active: BTreeSet<Arc<str>>,
    /// Whether its holder has listed the Jobs since, in the same term.
    pub(crate) listed: bool,
}

impl Ghost {
    pub(crate) fn new(kronjobs: usize) -> Ghost {
        Ghost {
            made: BTreeMap::new(),
            overdue: BTreeSet::new(),
            unlisted: BTreeSet::new(),
            sends: BTreeMap::new(),
            outcomes: BTreeMap::new(),
            run_now: BTreeMap::new(),
            claims: vec![None; kronjobs],
            hidden: BTreeSet::new(),
        }
    }

    pub(crate) fn hide(&mut self, name: &Arc<str>) {
        self.hidden.insert(name.clone());
    }

    /// A process lists the Jobs of a KronJob, or begins a term.
    pub(crate) fn lists(&mut self, place: usize, uid: &str, holder: &str, listed: bool) {
        if let Some(claim) = self.claims[place].as_mut().filter(|claim| claim.holder == holder) {
            claim.listed = listed;
        }
        self.unlisted.retain(|(owner, _, process)| **owner != *uid || process != holder);
    }

    pub(crate) fn recreated(&mut self, place: usize) {
        self.claims[place] = None;
    }
}
