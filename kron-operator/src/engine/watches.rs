//! The watches: KronJobs as free JSON, Jobs by a trimmed type, both into the state.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::StreamExt;
use kron_formats::names::NAME_LABEL;
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind};
use kube::runtime::WatchStreamExt;
use kube::runtime::watcher::{self, Event, watcher};
use serde::de::DeserializeOwned;

use super::consistent::consistent;
use super::shared::Engine;
use super::state::{Source, Watched};
use crate::metrics::signed;
use crate::namespaces::Scope;
use crate::object::{JobView, Key, KronJobView, WatchedJob, job_resource};
use crate::random::Random;

/// How many objects a page of a list has. A KronJob or Job can have 1.5 MB, and the whole page is in memory at once. The lists of
/// several namespaces share them.
const KRONJOBS_PAGE: u32 = 25;
const JOBS_PAGE: u32 = 50;
/// How often a watch in which nothing happens shows that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Whether a server refuses to stream a list, as one before 1.34 does, and one on which that is switched off.
fn refuses_streamed_lists(error: &watcher::Error) -> bool {
    matches!(error, watcher::Error::WatchStartFailed(kube::Error::Api(status)) if matches!(status.code, 400 | 422))
}

/// Whether what was to be read may not be, as in a namespace that does not exist yet.
fn is_forbidden(error: &watcher::Error) -> bool {
    use watcher::Error::{InitialListFailed, WatchError, WatchFailed, WatchStartFailed};
    match error {
        InitialListFailed(kube::Error::Api(status))
        | WatchStartFailed(kube::Error::Api(status))
        | WatchFailed(kube::Error::Api(status))
        | WatchError(status) => status.code == 403,
        _ => false,
    }
}

/// How long a watch waits before it begins again: a definition that is put back is seen within 5 s, and a namespace that may be
/// read from now on within 30 s.
#[derive(Debug, Default)]
struct Backoff {
    failures: u32,
    random: Random,
    /// Whether a namespace of a list may not be read, which can be so for months.
    refused: Arc<AtomicBool>,
}

impl Iterator for Backoff {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let longest = if self.refused.load(Ordering::Relaxed) { LONGEST_REFUSED } else { LONGEST };
        let wait = Duration::from_millis(500).saturating_mul(2u32.saturating_pow(self.failures)).min(longest);
        self.failures = self.failures.saturating_add(1);
        Some(self.random.share_of(wait, 0.5, 1.0))
    }
}

impl kube::runtime::utils::Backoff for Backoff {
    fn reset(&mut self) {
        self.failures = 0;
    }
}

/// The longest time between two attempts of a watch.
const LONGEST: Duration = Duration::from_secs(5);
/// The same for a namespace of a list that may not be read.
const LONGEST_REFUSED: Duration = Duration::from_secs(30);

/// Which objects a watch shows.
#[derive(Clone, Debug)]
pub(super) struct Watching {
    /// The place of the scope among all that are served.
    pub(super) place: usize,
    pub(super) scope: Scope,
    /// How many scopes share the pages of lists.
    pub(super) share: usize,
}

impl Watching {
    fn page(&self, of_all: u32) -> u32 {
        // OK because there are few scopes.
        (of_all / u32::try_from(self.share).unwrap_or(u32::MAX).max(1)).max(1)
    }
}

/// How the API server names KronJobs.
pub(super) fn resource() -> ApiResource {
    let (group, version) = kron_formats::kronjob::API_VERSION
        .split_once('/')
        .unwrap_or(("", kron_formats::kronjob::API_VERSION));
    let kind = GroupVersionKind::gvk(group, version, kron_formats::kronjob::KIND);
    ApiResource::from_gvk_with_plural(&kind, "kronjobs")
}

/// The Jobs of a scope.
pub(super) fn jobs_in(client: Client, scope: &Scope) -> Api<WatchedJob> {
    match scope.namespace() {
        Some(namespace) => Api::namespaced_with(client, namespace, &job_resource()),
        None => Api::all_with(client, &job_resource()),
    }
}

impl Engine {
    /// Reports an error of a watch, which begins again by itself.
    fn broke(&self, what: &'static str, scope: &Scope, error: &watcher::Error) {
        self.shared.metrics.error("watch");
        let namespace = scope.namespace();
        self.shared.log.line(what, |others| tracing::warn!(namespace, %error, others, "the {what} broke"));
    }

    pub(super) async fn watch_kronjobs(&self, of: &Watching) {
        let (client, resource) = (consistent(self.shared.client.clone()), resource());
        let api: Api<DynamicObject> = match of.scope.namespace() {
            Some(namespace) => Api::namespaced_with(client, namespace, &resource),
            None => Api::all_with(client, &resource),
        };
        let config = watcher::Config::default().page_size(of.page(KRONJOBS_PAGE));
        let put = |object: &DynamicObject, source| {
            let kronjob = self.read_kronjob(object);
            let key = kronjob.key.clone();
            let is_news = self.state().put_kronjob(kronjob, source);
            is_news.then_some(key).into_iter().collect()
        };
        let remove = |object: &DynamicObject| {
            let gone = self.read_kronjob(object);
            self.state().remove_kronjob_of(&gone.key, &gone.uid);
            BTreeSet::new()
        };
        self.follow(api, config, Watched::KronJobs, of, put, remove).await;
    }

    pub(super) async fn watch_jobs(&self, of: &Watching) {
        let api = jobs_in(consistent(self.shared.client.clone()), &of.scope);
        let config = watcher::Config::default().page_size(of.page(JOBS_PAGE)).labels(NAME_LABEL);
        let put = |job: &WatchedJob, source| self.state().put_job(JobView::read(job), source, &of.scope);
        let remove = |job: &WatchedJob| self.state().job_deleted(&JobView::read(job), &of.scope);
        self.follow(api, config, Watched::Jobs, of, put, remove).await;
    }

    /// Follows a watch for ever. It begins with a list that is streamed object by object, or, where the server refuses that, with
    /// the pages of the configuration: an object can have more than a megabyte. `put` and `remove` enter an object, and give the
    /// KronJobs that are concerned.
    async fn follow<K>(
        &self,
        api: Api<K>,
        pages: watcher::Config,
        watched: Watched,
        of: &Watching,
        put: impl Fn(&K, Source) -> BTreeSet<Key>,
        remove: impl Fn(&K) -> BTreeSet<Key>,
    ) where
        K: kube::Resource<DynamicType = ApiResource>
            + Clone
            + DeserializeOwned
            + std::fmt::Debug
            + Send
            + 'static,
    {
        let (what, scope) = (watched.watch(), &of.scope);
        let mut streams_lists = true;
        loop {
            let backoff = Backoff { random: self.shared.options.random.clone(), ..Backoff::default() };
            let refused = backoff.refused.clone();
            let config = if streams_lists { pages.clone().streaming_lists() } else { pages.clone() };
            let mut stream = std::pin::pin!(watcher(api.clone(), config).backoff(backoff));
            loop {
                self.shared.health.beat(what, of.place);
                match tokio::time::timeout(HEARTBEAT, stream.next()).await {
                    // Nothing happens, and it is alive.
                    Err(_) => continue,
                    Ok(None) => return,
                    Ok(Some(Ok(event))) => {
                        let concerned = match &event {
                            Event::Init => {
                                self.state().begin_list(watched, scope);
                                BTreeSet::new()
                            }
                            Event::InitApply(object) => put(object, Source::List),
                            Event::InitDone => self.state().end_list(watched, scope),
                            Event::Apply(object) => put(object, Source::Change),
                            Event::Delete(object) => remove(object),
                        };
                        concerned.iter().for_each(|key| self.touch(key));
                        if matches!(event, Event::InitDone) {
                            self.shared.answered.notify_one();
                        }
                    }
                    Ok(Some(Err(error))) if streams_lists && refuses_streamed_lists(&error) => {
                        streams_lists = false;
                        tracing::info!(
                            "the server refuses streamed lists for the {what}; they come in pages"
                        );
                        break;
                    }
                    // The watcher begins again by itself, with back-off.
                    Ok(Some(Err(error))) => {
                        self.broke(what, scope, &error);
                        let forbidden = is_forbidden(&error);
                        refused.store(forbidden && scope.namespace().is_some(), Ordering::Relaxed);
                        if forbidden && self.state().list_refused(scope, watched) {
                            self.shared.answered.notify_one();
                        }
                    }
                }
                let (kronjobs, jobs) = self.state().counts();
                self.shared.metrics.kronjobs.set(signed(kronjobs));
                self.shared.metrics.jobs.set(signed(jobs));
            }
        }
    }

    /// Reads a KronJob with this replica's tz database.
    pub(super) fn read_kronjob(&self, object: &DynamicObject) -> KronJobView {
        KronJobView::read(object, &self.shared.options.parser)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_not_be_read_is_told_from_other_failures() {
        for (code, forbidden) in [(401, false), (403, true), (404, false), (410, false), (500, false)] {
            let status = kube::core::Status::failure("no", "Failure").with_code(code);
            let error = watcher::Error::WatchStartFailed(kube::Error::Api(Box::new(status)));
            assert_eq!(is_forbidden(&error), forbidden, "{code}");
        }
    }

    #[test]
    fn the_lists_of_several_namespaces_share_their_pages() {
        for (share, page) in [(1, 25), (5, 5), (100, 1)] {
            let of = Watching { place: 0, scope: Scope::All, share };
            assert_eq!(of.page(KRONJOBS_PAGE), page, "{share}");
        }
    }

    #[test]
    fn a_namespace_that_may_not_be_read_is_asked_for_less_often() {
        let mut backoff = Backoff::default();
        backoff.refused.store(true, Ordering::Relaxed);
        let waits: Vec<Duration> = backoff.by_ref().take(40).collect();
        assert!(waits.iter().all(|wait| *wait <= LONGEST_REFUSED));
        assert!(waits[39] >= LONGEST_REFUSED / 2);
    }

    #[test]
    fn a_watch_waits_five_seconds_at_most() {
        let mut backoff = Backoff::default();
        let waits: Vec<Duration> = backoff.by_ref().take(40).collect();
        assert!(waits.iter().all(|wait| *wait <= LONGEST && *wait >= Duration::from_millis(250)));
        assert!(waits[39] >= LONGEST / 2);
        kube::runtime::utils::Backoff::reset(&mut backoff);
        assert!(backoff.next().unwrap() <= Duration::from_millis(500));
    }
}
