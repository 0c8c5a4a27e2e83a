//! Lists of Jobs that serve many KronJobs, as far as the state is concerned.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use kron_host::{ListKind, ListNeed};

use super::state::State;
use crate::namespaces::Scope;
use crate::object::{JobView, Key};
use crate::plan::Observation;
use crate::planted_bugs::is_planted;

/// A list of all Jobs of a scope that is being read. It began after the claims of those that it serves were stored.
#[derive(Clone, Debug)]
pub struct SharedList {
    /// Of which objects.
    pub scope: Scope,
    /// The term in which it began.
    pub term: u64,
    /// Those that it serves, by UID.
    served: BTreeMap<Arc<str>, Served>,
}

#[derive(Clone, Debug)]
struct Served {
    key: Key,
    /// Whether all of its Jobs in the list are known.
    is_complete: bool,
}

impl SharedList {
    /// The KronJobs that it serves, by UID and key.
    pub fn served(&self) -> impl Iterator<Item = (&str, &Key)> {
        self.served.iter().map(|(uid, served)| (&**uid, &served.key))
    }

    /// A Job of that owner in the list could not be read: the list proves nothing for its KronJob.
    pub fn give_up(&mut self, owner: &str) {
        if let Some(served) = self.served.get_mut(owner) {
            served.is_complete = false;
        }
    }
}

impl State {
    /// When the next shared list is to begin, in milliseconds of Unix time, and of which scope.
    pub fn next_shared_list(&self) -> Option<(i64, Scope)> {
        let (at, scope) = self.lists.next().filter(|_| self.term().is_some())?;
        Some((at, scope.clone()))
    }

    /// A list of all Jobs of a scope is about to be asked for. It serves the KronJobs whose claims are stored now.
    pub fn begin_shared_list(&mut self, scope: &Scope, now: DateTime<Utc>) -> Option<SharedList> {
        let term = self.term()?;
        let mut served = BTreeMap::new();
        for uid in self.lists.begin(scope, now.timestamp_millis()) {
            let key = self.uids.get(&uid).cloned();
            let Some((key, object)) = key.and_then(|key| Some((key.clone(), self.objects.get_mut(&key)?)))
            else {
                continue;
            };
            object.list_need = ListNeed::None;
            let observation = Observation::Listing(ListKind::Shared);
            object.observed.observe(observation, now.timestamp());
            served.insert(uid, Served { key, is_complete: true });
        }
        Some(SharedList { scope: scope.clone(), term, served })
    }

    /// Whether a Job in the list has to be read, because its KronJob waits for it and nothing has shown it.
    pub fn is_unknown(&self, list: &SharedList, job: &JobView) -> bool {
        let is_served = list.served.get(&job.owner).is_some_and(|served| served.is_complete);
        is_served && !self.knows(job)
    }

    /// The list was read, or it failed. The Jobs that were [unknown](State::is_unknown) have been entered. Gives the KronJobs whose
    /// starts waited for it.
    pub fn end_shared_list(&mut self, list: SharedList, was_read: bool, now: DateTime<Utc>) -> Vec<Key> {
        let current = self.term() == Some(list.term);
        if !current && !is_planted("earlier-list-trusted") {
            return Vec::new();
        }
        self.lists.end(was_read, now.timestamp_millis());
        let mut waited = Vec::new();
        for (uid, Served { key, is_complete }) in list.served {
            let Some(object) = self.objects.get_mut(&key).filter(|object| object.kronjob.uid == uid) else {
                continue;
            };
            let observation = match was_read && is_complete {
                true => Observation::ListedWithOthers,
                false => Observation::SharedListFailed,
            };
            if !current {
                let begun = Observation::Listing(ListKind::Shared);
                object.observed.observe(begun, now.timestamp());
            }
            object.observed.observe(observation, now.timestamp());
            if object.list_wanted.is_some() || !(was_read && is_complete) {
                waited.push(key);
            }
        }
        waited
    }
}
