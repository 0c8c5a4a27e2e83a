//! The API server: KronJobs and Jobs with versions, and what its watches send.

use std::collections::BTreeMap;
use std::sync::Arc;

use kron_core::planted_bugs::is_planted;
use kron_operator::object::{JobView, Key, KronJobView, Version};

use crate::case::{Case, Shared};

/// What is stored.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) kronjobs: Vec<Stored>,
    /// Jobs by name.
    pub(crate) jobs: BTreeMap<Arc<str>, StoredJob>,
    /// The last version of a KronJob that was given.
    pub(crate) version: u64,
    /// The last version of a Job: how many changes of Jobs there were.
    pub(crate) job_version: u64,
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
#[derive(Clone, Debug)]
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
    /// The watch of KronJobs begins again, with all that there were then.
    KronJobs(Vec<Shared>),
    /// The watch of Jobs begins again, with all that there were then.
    Jobs(Vec<Arc<JobView>>),
}

impl Event {
    /// The watch that sends it: that of KronJobs, or that of Jobs.
    pub(crate) fn watch(&self) -> usize {
        match self {
            Event::KronJob(_) | Event::KronJobGone(..) | Event::KronJobs(_) => 0,
            Event::Job(_) | Event::JobGone(_) | Event::Jobs(_) => 1,
        }
    }
}

/// The UID of a KronJob.
pub(crate) fn uid(name: &str, life: u8) -> String {
    format!("{name}-uid-{life}")
}

impl Server {
    pub(crate) fn new(case: &Case) -> Server {
        let mut server = Server { kronjobs: Vec::new(), jobs: BTreeMap::new(), version: 0, job_version: 0 };
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

    fn versioned(&mut self, view: &JobView) -> Arc<JobView> {
        self.job_version += 1;
        Arc::new(JobView { version: Version(self.job_version), ..view.clone() })
    }

    /// Stores another version of a Job.
    pub(crate) fn put_job(&mut self, view: &JobView, labelled: bool, genuine: bool) -> Vec<Event> {
        let view = self.versioned(view);
        let before = self.jobs.insert(view.name.clone(), StoredJob { view: view.clone(), labelled, genuine });
        match (labelled, before.is_some_and(|before| before.labelled)) {
            (true, _) => vec![Event::Job(view)],
            // It leaves what the watch selects.
            (false, true) => vec![Event::JobGone(view)],
            (false, false) => Vec::new(),
        }
    }

    pub(crate) fn remove_job(&mut self, name: &str) -> Vec<Event> {
        let Some(removed) = self.jobs.remove(name) else { return Vec::new() };
        let view = self.versioned(&removed.view);
        Vec::from_iter(removed.labelled.then_some(Event::JobGone(view)))
    }

    /// What a watch that begins now has first.
    pub(crate) fn all(&self, watch: usize) -> Event {
        match watch {
            0 => Event::KronJobs(self.kronjobs.iter().map(|stored| stored.view.clone()).collect()),
            _ => Event::Jobs(
                self.jobs.values().filter(|job| job.labelled).map(|job| job.view.clone()).collect(),
            ),
        }
    }

    /// What a watch that begins again has first: all that there is. With an error that is put in, a server answers whose cache lags: the
    /// newest Job comes after the list.
    pub(crate) fn list_to_watch(&self, watch: usize) -> (Event, Option<Event>) {
        let newest = self.jobs.values().filter(|job| job.labelled).max_by_key(|job| job.view.version);
        match newest.filter(|_| watch == 1 && is_planted("old-list-trusted")) {
            None => (self.all(watch), None),
            Some(newest) => {
                let mut older = self.clone();
                older.jobs.remove(&newest.view.name);
                (older.all(watch), Some(Event::Job(newest.view.clone())))
            }
        }
    }

    /// The Jobs that a list by the label gives, whatever its value.
    pub(crate) fn list_all(&self) -> Vec<JobView> {
        self.jobs.values().filter(|job| job.labelled).map(|job| (*job.view).clone()).collect()
    }

    /// The Jobs that a list by the label of a KronJob's name gives.
    pub(crate) fn list(&self, key: &Key) -> Vec<JobView> {
        let prefix = format!("{}-", key.name);
        let named = |job: &&StoredJob| job.labelled && job.view.name.starts_with(&prefix);
        self.jobs.values().filter(named).map(|job| (*job.view).clone()).collect()
    }
}
