//! Reads the lists of Jobs that serve many KronJobs, one at a time.

use std::time::Duration;

use futures::StreamExt;
use kron_formats::names::NAME_LABEL;
use kube::api::ListParams;

use super::requests::next_page;
use super::shared::Engine;
use super::shared_lists::SharedList;
use super::watches::jobs_in;
use crate::client::Refusal;
use crate::namespaces::Scope;
use crate::object::{JobView, WatchedJob, WatchedSpec};

/// How long this task sleeps at most, so that its heartbeat is seen.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How long a shared list may take, with the Jobs that have to be read one by one. No start waits so long.
const LONGEST: Duration = Duration::from_secs(30);
/// How many Jobs one answer has. Each is its metadata alone, in which annotations can have 256 KiB.
const PAGE: u32 = 250;
/// How many Jobs of one list are read one by one. A KronJob that has one beyond these makes a list of its own.
const MOST_UNKNOWN: usize = 1000;
/// How many of them at once.
const READS: usize = 8;

impl Engine {
    /// Reads shared lists when they are due, for ever.
    pub(super) async fn read_shared_lists(&self) {
        loop {
            self.shared.health.beat("shared lists", 0);
            let changed = self.shared.lists.notified();
            let next = self.state().next_shared_list();
            let now = self.shared.clock.now();
            let wait = match next {
                Some((at, scope)) if at <= now.timestamp_millis() => {
                    let list = self.state().begin_shared_list(&scope, now);
                    if let Some(list) = list {
                        self.read_shared_list(list).await;
                    }
                    continue;
                }
                Some((at, _)) => u64::try_from(at - now.timestamp_millis()).map(Duration::from_millis).ok(),
                None => None,
            };
            tokio::select! {
                biased;
                () = tokio::time::sleep(wait.unwrap_or(HEARTBEAT).min(HEARTBEAT)) => {}
                () = changed => {}
            }
        }
    }

    /// Reads one, and enters what it proves. One that fails is no failed start.
    async fn read_shared_list(&self, mut list: SharedList) {
        let read = tokio::time::timeout(LONGEST, self.read_pages(&mut list)).await;
        let error = match read {
            Ok(Ok(())) => None,
            Ok(Err(refusal)) => Some(refusal.message),
            Err(_) => Some(format!("not read within {} s", LONGEST.as_secs())),
        };
        if let Some(error) = &error {
            self.shared.metrics.error("shared_list");
            self.shared.log.line("shared list", |others| {
                tracing::warn!(error, others, "the Jobs of many KronJobs could not be listed at once");
            });
        }
        let waited = self.state().end_shared_list(list, error.is_none(), self.shared.clock.now());
        for key in waited {
            self.touch(&key);
            // Other tasks have their turn, too.
            tokio::task::yield_now().await;
        }
    }

    /// A list without a version is never answered from a cache that lags, and all its pages show the same moment.
    async fn read_pages(&self, list: &mut SharedList) -> Result<(), Refusal> {
        let api = jobs_in(self.shared.client.clone(), &list.scope);
        let mut params = Some(ListParams::default().labels(NAME_LABEL).limit(PAGE));
        let mut most = MOST_UNKNOWN;
        while let Some(asked) = params {
            self.shared.health.beat("shared lists", 0);
            let page = self.ask("list", api.list_metadata(&asked)).await?;
            params = next_page(asked, &page.metadata);
            let jobs = page.items.into_iter().map(|item| {
                let (types, metadata) = (item.types, item.metadata);
                JobView::read(&WatchedJob { types, metadata, spec: WatchedSpec::default(), status: None })
            });
            let mut unknown: Vec<JobView> = {
                let state = self.state();
                jobs.filter(|job| state.is_unknown(list, job)).collect()
            };
            let too_many = unknown.split_off(unknown.len().min(most));
            most -= unknown.len();
            too_many.iter().for_each(|job| list.give_up(&job.owner));
            self.read_each(list, unknown).await;
        }
        Ok(())
    }

    /// Reads Jobs that no watch has shown yet. One that is gone was read, too.
    async fn read_each(&self, list: &mut SharedList, jobs: Vec<JobView>) {
        let read = |job: JobView| async move {
            let api = jobs_in(self.shared.client.clone(), &Scope::Namespace(job.namespace));
            let answer = self.ask("get", api.get_opt(&job.name)).await;
            let was_read = answer.is_ok();
            if let Ok(Some(found)) = answer {
                self.state().put_job_if_new(JobView::read(&found));
            }
            (job.owner, was_read)
        };
        let mut answers =
            std::pin::pin!(futures::stream::iter(jobs.into_iter().map(read)).buffer_unordered(READS));
        while let Some((owner, was_read)) = answers.next().await {
            if !was_read {
                list.give_up(&owner);
            }
        }
    }
}
