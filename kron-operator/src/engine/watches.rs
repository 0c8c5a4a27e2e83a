//! The watches: KronJobs as free JSON, Jobs by a trimmed type, both into the state.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::{Stream, StreamExt};
use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind};
use kube::runtime::WatchStreamExt;
use kube::runtime::watcher::{self, Event, watcher};
use tokio::sync::watch;

use super::Engine;
use super::state::Source;
use crate::names::NAME_LABEL;
use crate::object::{JobView, Key, KronJob, WatchedJob};

/// Whether both watches have read all there is.
#[derive(Clone, Debug)]
pub(super) struct Synced {
    both: Arc<watch::Sender<(bool, bool)>>,
}

impl Default for Synced {
    fn default() -> Synced {
        Synced { both: Arc::new(watch::channel((false, false)).0) }
    }
}

impl Synced {
    fn set(&self, which: fn(&mut (bool, bool)) -> &mut bool) {
        self.both.send_modify(|both| *which(both) = true);
    }

    pub(super) async fn wait(&self) {
        // OK because the sender lives as long as self.
        let _ = self.both.subscribe().wait_for(|(kronjobs, jobs)| *kronjobs && *jobs).await;
    }
}

/// How the API server names KronJobs.
pub(super) fn resource() -> ApiResource {
    let (group, version) = kron_core::API_VERSION.split_once('/').unwrap_or(("", kron_core::API_VERSION));
    let kind = GroupVersionKind::gvk(group, version, kron_core::KIND);
    ApiResource::from_gvk_with_plural(&kind, "kronjobs")
}

impl Engine {
    fn watch_config(&self) -> watcher::Config {
        // Pages: streamed lists are not in every server that the resource runs on.
        let config = watcher::Config::default().page_size(500);
        if self.shared.options.streaming_lists { config.streaming_lists() } else { config }
    }

    pub(super) async fn watch_kronjobs(&self, synced: &Synced) {
        let (client, resource) = (self.shared.client.clone(), resource());
        let api: Api<DynamicObject> = match &self.shared.options.namespace {
            Some(namespace) => Api::namespaced_with(client, namespace, &resource),
            None => Api::all_with(client, &resource),
        };
        let mut listed = BTreeSet::new();
        let stream = watcher(api, self.watch_config()).default_backoff();
        self.follow(stream, "kronjobs", |event| match event {
            Event::Init => listed.clear(),
            Event::InitApply(object) => {
                let kronjob = self.read_kronjob(&object);
                listed.insert(kronjob.key.clone());
                self.apply_kronjob(kronjob, Source::List);
            }
            Event::InitDone => {
                self.state().keep_kronjobs(&listed);
                listed.clear();
                synced.set(|both| &mut both.0);
            }
            Event::Apply(object) => self.apply_kronjob(self.read_kronjob(&object), Source::Change),
            Event::Delete(object) => {
                let gone = self.read_kronjob(&object);
                let mut state = self.state();
                // Another one of its name may be there already.
                if state.kronjob(&gone.key).is_some_and(|known| known.uid == gone.uid) {
                    state.remove_kronjob(&gone.key);
                }
            }
        })
        .await;
    }

    pub(super) async fn watch_jobs(&self, synced: &Synced) {
        let client = self.shared.client.clone();
        let api: Api<WatchedJob> = match &self.shared.options.namespace {
            Some(namespace) => Api::namespaced(client, namespace),
            None => Api::all(client),
        };
        let mut listed = BTreeSet::new();
        let stream = watcher(api, self.watch_config().labels(NAME_LABEL)).default_backoff();
        self.follow(stream, "jobs", |event| match event {
            Event::Init => listed.clear(),
            Event::InitApply(job) => {
                let job = JobView::read(&job);
                listed.insert(Key::new(&job.namespace, &job.name));
                self.apply_job(job);
            }
            Event::InitDone => {
                let concerned = self.state().keep_jobs(&listed);
                listed.clear();
                concerned.iter().for_each(|key| self.touch(key));
                synced.set(|both| &mut both.1);
            }
            Event::Apply(job) => self.apply_job(JobView::read(&job)),
            Event::Delete(job) => {
                let gone = JobView::read(&job);
                let concerned = self.state().remove_job(&Key::new(&gone.namespace, &gone.name));
                concerned.iter().for_each(|key| self.touch(key));
            }
        })
        .await;
    }

    async fn follow<K>(
        &self,
        stream: impl Stream<Item = Result<Event<K>, watcher::Error>>,
        what: &'static str,
        mut take: impl FnMut(Event<K>),
    ) {
        let mut stream = std::pin::pin!(stream);
        while let Some(event) = stream.next().await {
            match event {
                Ok(event) => take(event),
                // The watcher begins again by itself, with back-off.
                Err(error) => {
                    self.shared.metrics.error("watch");
                    tracing::warn!(resource = what, %error, "the watch broke");
                }
            }
            let (kronjobs, jobs) = self.state().counts();
            self.shared.metrics.kronjobs(kronjobs);
            self.shared.metrics.jobs(jobs);
        }
    }

    /// Reads a KronJob with this replica's tz database.
    pub(super) fn read_kronjob(&self, object: &DynamicObject) -> KronJob {
        KronJob::read(object, &self.shared.options.parser)
    }

    /// Takes a version of a KronJob from wherever it comes.
    pub(super) fn apply_kronjob(&self, kronjob: KronJob, source: Source) {
        let key = kronjob.key.clone();
        let news = self.state().put_kronjob(kronjob, source);
        if news {
            self.touch(&key);
        }
    }

    /// Takes a version of a Job from wherever it comes.
    pub(super) fn apply_job(&self, job: JobView) {
        let concerned = self.state().put_job(job);
        concerned.iter().for_each(|key| self.touch(key));
    }
}
