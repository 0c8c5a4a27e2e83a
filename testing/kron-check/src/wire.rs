//! Requests that are under way, as `engine/requests.rs` makes them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kron_crd::KronJobStatus;
use kron_host::Trigger;
use kron_operator::client::{Failure, Refusal};
use kron_operator::engine::shared_lists::SharedList;
use kron_operator::object::KronJobView;
use kron_operator::plan::{Deleted, Lane, Purpose, Request, Response, Sought};
use serde_json::Value;

use crate::case::Shared;

/// How many characters of a value are shown.
const SHOWN: usize = 60;

/// A request is expected to arrive within this many seconds after it was sent.
const ARRIVAL_SECONDS: i64 = 10;
/// One that is overdue arrives within this many seconds: an API server ends requests of a minute by default.
const OVERDUE_SECONDS: i64 = 60;

/// A request, from the moment it is sent until its sender stops waiting and it cannot arrive any more.
#[derive(Clone, Debug)]
pub(crate) struct InFlight {
    /// The process that sent it.
    pub(crate) from: usize,
    /// The name of that process: after a crash another one is in its place.
    pub(crate) holder: String,
    /// The term in which it was sent.
    pub(crate) term: u64,
    /// Which KronJob it is for.
    pub(crate) place: usize,
    /// The KronJob as the process saw it.
    pub(crate) kronjob: Shared,
    pub(crate) lane: Lane,
    pub(crate) call: Call,
    /// The answer, once it is carried out.
    pub(crate) answer: Option<Arc<Response>>,
    /// Whether time goes on while it is under way.
    pub(crate) late: bool,
    /// Whether it arrives only after the seconds in which a request is expected to, if at all.
    pub(crate) overdue: bool,
    /// Whether the process still waits for its answer.
    pub(crate) awaited: bool,
    /// When it was sent.
    pub(crate) sent: i64,
}

/// What is asked for.
#[derive(Clone, Debug, Hash)]
pub(crate) enum Call {
    /// For one KronJob, as its plan or an answer has it.
    Own(Arc<Request>),
    /// One list of all Jobs.
    ListAll(AllJobs),
    /// The reads of Jobs in it that nothing has shown.
    ReadListed { list: AllJobs, names: Vec<Arc<str>> },
}

/// The list that serves many KronJobs.
#[derive(Clone, Debug)]
pub(crate) struct AllJobs(pub(crate) SharedList);

impl Hash for AllJobs {
    /// Its term is that of the request.
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.0.served().for_each(|(uid, _)| uid.hash(to));
    }
}

impl Call {
    /// Whether it is made for many KronJobs.
    pub(crate) fn is_shared(&self) -> bool {
        !matches!(self, Call::Own(_))
    }

    /// Whether it changes something at the server.
    pub(crate) fn writes(&self) -> bool {
        let Call::Own(request) = self else { return false };
        matches!(**request, Request::Create { .. } | Request::UpdateStatus { .. } | Request::Delete { .. })
    }

    /// The start and the name of the Job that it creates, if it creates one.
    pub(crate) fn creates(&self) -> Option<(&Trigger, &str)> {
        let Call::Own(request) = self else { return None };
        match &**request {
            Request::Create { what: Purpose::Start(trigger), name } => Some((trigger, name)),
            _ => None,
        }
    }
}

/// A failure, as the client of the operator reports it.
pub(crate) fn refusal(failure: Failure) -> Response {
    Response::Refused(Refusal { failure, message: failure.code().to_string() })
}

/// The server answers 429.
pub(crate) const TOO_MANY_REQUESTS: Failure = Failure::TooManyRequests { retry_after: None };

impl InFlight {
    /// The first and the last second in which one can arrive that is overdue.
    pub(crate) fn overdue_seconds(&self) -> Option<[i64; 2]> {
        let seconds = [ARRIVAL_SECONDS + 1, OVERDUE_SECONDS].map(|seconds| self.sent + seconds);
        self.overdue.then_some(seconds)
    }

    /// Whether it can arrive in that second.
    pub(crate) fn may_arrive(&self, now: i64) -> bool {
        self.overdue_seconds().is_none_or(|[first, _]| now >= first)
    }

    /// Whether it has no answer, and can arrive no more.
    pub(crate) fn is_gone(&self, now: i64) -> bool {
        let last = self.overdue_seconds().map_or(self.sent + ARRIVAL_SECONDS, |[_, last]| last);
        self.answer.is_none() && last < now
    }

    /// What it asks for, in words.
    pub(crate) fn describe(&self) -> String {
        let what = match &self.call {
            Call::Own(request) => describe_request(request, &self.kronjob),
            Call::ListAll(_) => "list of all Jobs".to_string(),
            Call::ReadListed { names, .. } => format!("gets of the Jobs {}", names.join(", ")),
        };
        format!("[{}] {what}", self.holder)
    }
}

/// A request that is planned for a KronJob, in words.
pub(crate) fn describe_request(request: &Request, kronjob: &KronJobView) -> String {
    match request {
        Request::UpdateStatus { status, .. } => {
            format!("update of status ({})", describe_changes(kronjob, status))
        }
        Request::Create { what: Purpose::Start(_), name } => format!("create of Job {name}"),
        Request::Create { what: Purpose::Primer(_), name } => format!("create of primer {name}"),
        Request::Get { why, name } => match why {
            Sought::Created(_) => format!("look-up of Job {name}"),
            Sought::Active(_) => format!("get of active Job {name}"),
            Sought::Taken(_) => format!("get of the existing Job {name}"),
        },
        Request::GetKronJob => format!("get of KronJob {}", kronjob.key.name),
        Request::List => "list of Jobs".to_string(),
        Request::Delete { what, name, .. } => describe_deletion(*what, name),
        Request::DryRun { name, repeats: true, .. } => {
            format!("dry run of Job {name}, before its create is repeated")
        }
        Request::DryRun { .. } => "dry run".to_string(),
    }
}

fn describe_deletion(what: Deleted, name: &str) -> String {
    match what {
        Deleted::Active => format!("delete of active Job {name}"),
        Deleted::Finished => format!("delete of finished Job {name}"),
        Deleted::Primer => format!("delete of primer {name}"),
    }
}

/// The fields of a status that a write changes, in words.
fn describe_changes(before: &KronJobView, status: &KronJobStatus) -> String {
    let fields = |status: &KronJobStatus| match serde_json::to_value(status) {
        Ok(Value::Object(fields)) => fields,
        // OK because a status is an object whose keys are strings.
        _ => unreachable!("{status:?}"),
    };
    let before = before.status.as_ref().map(fields).unwrap_or_default();
    let after = fields(status);
    let changed = after.iter().filter(|(name, value)| before.get(*name) != Some(value));
    let changed = changed.map(|(name, value)| {
        let value = value.to_string();
        let shown: String = value.chars().take(SHOWN).collect();
        format!("{name} {shown}{}", if shown.len() < value.len() { "…" } else { "" })
    });
    let removed = before.keys().filter(|name| !after.contains_key(*name)).map(|name| format!("no {name}"));
    changed.chain(removed).collect::<Vec<_>>().join(", ")
}
