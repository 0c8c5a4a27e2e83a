//! How far the watches have read what there is, scope by scope. A namespace that may not be read holds up no other.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::watch;

use super::state::Watched;
use crate::namespaces::Scope;

/// What the server has answered to the list of a watch so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Answer {
    /// Nothing that says what there is.
    #[default]
    Nothing,
    /// That it may not be read, as where the namespace does not exist yet.
    Refused,
    /// All there is.
    All,
}

/// The answers to both watches of each scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress(BTreeMap<Scope, BTreeMap<Watched, Answer>>);

impl Progress {
    /// The scopes of which everything is read.
    pub(super) fn read(&self) -> impl Iterator<Item = &Scope> {
        let all = |watches: &BTreeMap<_, Answer>| watches.values().all(|answer| *answer == Answer::All);
        self.0.iter().filter(move |(_, watches)| all(watches)).map(|(scope, _)| scope)
    }

    /// Whether a scope is read, and every other one is read or refused.
    pub(super) fn is_complete(&self) -> bool {
        let mut answers = self.0.values().flat_map(BTreeMap::values);
        answers.all(|answer| *answer != Answer::Nothing) && self.read().next().is_some()
    }
}

/// The progress of all watches, which others can wait for. Cheap to clone; all clones are one.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    progress: Arc<watch::Sender<Progress>>,
}

impl Reading {
    /// Nothing is read yet.
    pub(super) fn new(scopes: &[Scope]) -> Reading {
        let none = || Watched::ALL.iter().map(|watched| (*watched, Answer::Nothing)).collect();
        let progress = scopes.iter().map(|scope| (scope.clone(), none())).collect();
        Reading { progress: Arc::new(watch::channel(Progress(progress)).0) }
    }

    /// Enters an answer. What was read once stays read.
    pub(super) fn enter(&self, scope: &Scope, watched: Watched, answer: Answer) {
        self.progress.send_if_modified(|progress| {
            let known = progress.0.entry(scope.clone()).or_default().entry(watched).or_default();
            let news = *known != answer && *known != Answer::All;
            if news {
                *known = answer;
            }
            news
        });
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_that_is_refused_holds_up_no_other() {
        let [a, b] = ["a", "b"].map(|name| Scope::Namespace(name.into()));
        let reading = Reading::new(&[a.clone(), b.clone()]);
        let mut seen = reading.subscribe();
        let progress = || reading.subscribe().borrow().clone();
        reading.enter(&a, Watched::KronJobs, Answer::All);
        assert_eq!(progress().read().count(), 0);
        reading.enter(&a, Watched::Jobs, Answer::All);
        assert!(progress().read().eq([&a]) && !progress().is_complete());
        reading.enter(&b, Watched::KronJobs, Answer::Refused);
        assert!(!progress().is_complete());
        reading.enter(&b, Watched::Jobs, Answer::Refused);
        assert!(progress().is_complete());
        reading.enter(&b, Watched::KronJobs, Answer::All);
        reading.enter(&b, Watched::Jobs, Answer::All);
        assert!(progress().read().eq([&a, &b]));
        // Permissions that are taken away later change nothing of what is known.
        seen.mark_unchanged();
        reading.enter(&b, Watched::Jobs, Answer::Refused);
        assert!(progress().read().eq([&a, &b]) && !seen.has_changed().unwrap());
    }

    #[test]
    fn where_everything_is_refused_nothing_is_complete() {
        let reading = Reading::new(&[Scope::All]);
        for watched in Watched::ALL {
            reading.enter(&Scope::All, watched, Answer::Refused);
        }
        assert!(!reading.subscribe().borrow().is_complete());
    }
}
