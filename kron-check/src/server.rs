//! The API server: KronJobs and Jobs with versions, and what its watches send.

use std::collections::BTreeMap;
use std::sync::Arc;

use kron_operator::object::{JobView, Key, KronJobView};

use crate::case::{Case, NAMESPACE, Shared};

/// What is stored.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) kronjobs: Vec<Stored>,
    /// Jobs by name.
    pub(crate) jobs: BTreeMap<Arc<str>, StoredJob>,
    /// The last version that was given.
    version: u64,
}

/// A KronJob, and what a user made of it.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) view: Shared,
    /// Which of the specs of the case it has.
    pub(crate) edit: usize,
    /// How often it was deleted and created again.
    pub(crate) life: u8,
    /// The generation and the time of the last change of schedule, and of the creation.
    pub(crate) configured: (i64, i64),
}

/// A Job.
#[derive(Clone, Debug, Hash)]
pub(crate) struct StoredJob {
    pub(crate) view: Arc<JobView>,
    /// Whether it has the label with the KronJob's name, by which lists and watches find it.
    pub(crate) labelled: bool,
    /// Whether the operator created it, and it was not changed since.
    pub(crate) genuine: bool,
}

/// What a watch sends.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A new version of a KronJob.
    KronJob(Shared),
    /// A KronJob was deleted.
    KronJobGone(Key, Arc<str>),
    /// A new version of a Job.
    Job(Arc<JobView>),
    /// A Job was deleted.
    JobGone(Arc<JobView>),
}

impl Event {
    /// The watch that sends it: that of KronJobs, or that of Jobs.
    pub(crate) fn watch(&self) -> usize {
        match self {
            Event::KronJob(_) | Event::KronJobGone(..) => 0,
            Event::Job(_) | Event::JobGone(_) => 1,
        }
    }
}

/// The UID of a KronJob.
pub(crate) fn uid(name: &str, life: u8) -> String {
    format!("{name}-uid-{life}")
}

impl Server {
    pub(crate) fn new(case: &Case) -> Server {
        let mut server = Server { kronjobs: Vec::new(), jobs: BTreeMap::new(), version: 0 };
        for (place, name) in case.names.iter().enumerate() {
            let mut view = case.created(place, uid(name, 0));
            view.resource_version = server.next_version();
            let configured = (view.generation, crate::case::CREATED);
            server.kronjobs.push(Stored { view: Arc::new(view), edit: 0, life: 0, configured });
        }
        server
    }

    fn next_version(&mut self) -> String {
        self.version += 1;
        self.version.to_string()
    }

    /// Stores another version of a KronJob.
    pub(crate) fn put_kronjob(&mut self, place: usize, view: KronJobView) -> Event {
        let view = Arc::new(KronJobView { resource_version: self.next_version(), ..view });
        self.kronjobs[place].view = view.clone();
        Event::KronJob(view)
    }

    /// The place of the KronJob of that name.
    pub(crate) fn place(&self, key: &Key) -> Option<usize> {
        self.kronjobs.iter().position(|stored| stored.view.key == *key)
    }

    pub(crate) fn put_job(&mut self, view: Arc<JobView>, labelled: bool, genuine: bool) -> Vec<Event> {
        let before = self.jobs.insert(view.name.clone(), StoredJob { view: view.clone(), labelled, genuine });
        match (labelled, before.is_some_and(|before| before.labelled)) {
            (true, _) => vec![Event::Job(view)],
            // It leaves what the watch selects.
            (false, true) => vec![Event::JobGone(view)],
            (false, false) => Vec::new(),
        }
    }

    pub(crate) fn remove_job(&mut self, name: &str) -> Vec<Event> {
        let removed = self.jobs.remove(name).filter(|job| job.labelled);
        removed.map(|job| Event::JobGone(job.view)).into_iter().collect()
    }

    /// The Jobs that a list by the label of a KronJob's name gives.
    pub(crate) fn list(&self, key: &Key) -> Vec<JobView> {
        let prefix = format!("{}-", key.name);
        let named = |job: &&StoredJob| job.labelled && job.view.name.starts_with(&prefix);
        self.jobs.values().filter(named).map(|job| (*job.view).clone()).collect()
    }
}

/// The key of a Job.
pub(crate) fn job_key(job: &JobView) -> Key {
    Key::new(NAMESPACE, &job.name)
}
