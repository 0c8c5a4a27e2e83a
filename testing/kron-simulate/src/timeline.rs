//! What happened: Jobs as a watch sees them come, end and go, and Events as they were sent.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, SecondsFormat, Utc};
use futures::StreamExt as _;
use kron_api_model::Server;
use kron_formats::names::NAME_LABEL;
use kube::Client;
use kube::api::Api;
use kube::runtime::watcher::{self, Event, watcher};
use serde::Serialize;
use serde_json::Value;

use kron_operator::clock::Clock;
use kron_operator::object::{JobView, WatchedJob, job_resource};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Entry {
    time: String,
    /// `namespace/name` of the KronJob or the Job.
    object: String,
    /// What happened: for Jobs `job created`, `complete`, `failed` or `deleted`, for primers `primer created` and so on, for
    /// Events their reason.
    what: String,
    /// More about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
}

/// Watches the Jobs.
pub(super) struct Recorder {
    jobs: Arc<Mutex<Vec<Entry>>>,
    task: tokio::task::JoinHandle<()>,
}

fn text_of(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

impl Recorder {
    pub(super) fn start(client: Client, clock: Arc<dyn Clock>) -> Recorder {
        let jobs = Arc::new(Mutex::new(Vec::new()));
        let entries = jobs.clone();
        let task = tokio::spawn(async move {
            let api: Api<WatchedJob> = Api::all_with(client, &job_resource());
            let mut stream = std::pin::pin!(watcher(api, watcher::Config::default().labels(NAME_LABEL)));
            let mut known: std::collections::BTreeMap<Box<str>, bool> = std::collections::BTreeMap::new();
            while let Some(event) = stream.next().await {
                let (job, gone) = match event {
                    Ok(Event::Apply(job) | Event::InitApply(job)) => (JobView::read(&job), false),
                    Ok(Event::Delete(job)) => (JobView::read(&job), true),
                    _ => continue,
                };
                let ended =
                    job.finished.map(|finished| if finished.successfully { "complete" } else { "failed" });
                let what = match (known.get(&job.uid), gone, ended) {
                    (_, true, _) => Some("deleted"),
                    (None, false, _) => Some("created"),
                    (Some(false), false, ended) => ended,
                    (Some(true), false, _) => None,
                };
                known.insert(job.uid.clone(), ended.is_some());
                let Some(what) = what else { continue };
                let kind = if job.primer_for.is_some() { "primer" } else { "job" };
                let entry = Entry {
                    time: text_of(clock.now()),
                    object: format!("{}/{}", job.namespace, job.name),
                    what: format!("{kind} {what}"),
                    note: String::new(),
                };
                entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
            }
        });
        Recorder { jobs, task }
    }

    /// All that happened up to a time, in its order.
    pub(super) fn finish(self, server: &Server, to: DateTime<Utc>) -> Vec<Entry> {
        self.task.abort();
        let mut entries = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        entries.extend(server.list("events.k8s.io/v1", "events").iter().flat_map(of_event));
        let to = text_of(to);
        entries.retain(|entry| entry.time <= to);
        // Jobs come before their Events of the same second.
        entries.sort_by(|a, b| a.time.cmp(&b.time));
        entries
    }
}

/// An Event, once for each time that it happened as far as its series says.
fn of_event(event: &Value) -> Vec<Entry> {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let time =
        |pointer: &str| DateTime::parse_from_rfc3339(text(pointer)).ok().map(|time| text_of(time.to_utc()));
    let entry = |time: String, more: String| Entry {
        time,
        object: format!("{}/{}", text("/regarding/namespace"), text("/regarding/name")),
        what: text("/reason").to_string(),
        note: format!("{}{more}", text("/note")),
    };
    let first = time("/eventTime").map(|time| entry(time, String::new()));
    let last = time("/series/lastObservedTime").map(|time| {
        let count = event.pointer("/series/count").and_then(Value::as_i64).unwrap_or_default();
        entry(time, format!(" (seen {count} times)"))
    });
    first.into_iter().chain(last).collect()
}

pub(super) fn print(entries: &[Entry], json: bool) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let width =
        |text: fn(&Entry) -> &str| entries.iter().map(|entry| text(entry).len()).max().unwrap_or_default();
    let (object, what) = (width(|entry| &entry.object), width(|entry| &entry.what));
    for entry in entries {
        if json {
            serde_json::to_writer(&mut out, entry)?;
            writeln!(out)?;
        } else {
            let line =
                format!("{}  {:object$}  {:what$}  {}", entry.time, entry.object, entry.what, entry.note);
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    out.flush()
}
