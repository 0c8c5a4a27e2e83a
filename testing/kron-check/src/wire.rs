//! Requests that are under way, as `engine/requests.rs` makes them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kron_crd::KronJobStatus;
use kron_host::Trigger;
use kron_operator::client::Failure;
use kron_operator::engine::answer::{self, Refusal};
use kron_operator::engine::shared_lists::SharedList;
use kron_operator::object::{JobView, KronJobView};
use kron_operator::plan::{Deleted, Lane, Request};
use serde_json::Value;

use crate::case::Shared;

/// How many characters of a value are shown.
const SHOWN: usize = 60;

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
    pub(crate) answer: Option<Arc<Answer>>,
    /// Whether time goes on while it is under way.
    pub(crate) late: bool,
    /// Whether the process still waits for its answer.
    pub(crate) awaited: bool,
    /// When it was sent.
    pub(crate) sent: i64,
}

/// What is asked for.
#[derive(Clone, Debug, Hash)]
pub(crate) enum Call {
    Create {
        trigger: Trigger,
        job: Arc<JobView>,
    },
    /// The read after a create that was answered with `AlreadyExists`.
    GetExisting {
        trigger: Trigger,
        name: String,
    },
    LookUp {
        trigger: Trigger,
        name: String,
    },
    List,
    /// One list of all Jobs.
    ListAll(AllJobs),
    /// The reads of Jobs in it that nothing has shown.
    ReadListed {
        list: AllJobs,
        names: Vec<Arc<str>>,
    },
    Check {
        name: String,
        uid: String,
    },
    Delete {
        what: Deleted,
        name: String,
        uid: String,
    },
    Update {
        status: Arc<KronJobStatus>,
    },
    /// The read after a write that was refused or not answered.
    Refresh,
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
        matches!(self, Call::ListAll(_) | Call::ReadListed { .. })
    }

    /// Whether it changes something at the server.
    pub(crate) fn writes(&self) -> bool {
        matches!(self, Call::Create { .. } | Call::Update { .. } | Call::Delete { .. })
    }
}

/// What the server says.
pub(crate) type Answer = answer::Answer<Good>;

/// A good answer. The server gives each request the one of its kind.
#[derive(Clone, Debug)]
pub(crate) enum Good {
    Job(Option<Arc<JobView>>),
    Jobs(Vec<JobView>),
    KronJob(Option<Shared>),
    Done,
}

impl Good {
    /// The Job that was got.
    pub(crate) fn job(&self) -> Option<&JobView> {
        match self {
            Good::Job(job) => job.as_deref(),
            _ => unreachable!("a get of a Job is answered {self:?}"),
        }
    }

    /// The Job that was created.
    pub(crate) fn created(&self) -> &JobView {
        self.job().unwrap_or_else(|| unreachable!("a create is answered without its Job"))
    }

    /// The Jobs that were listed.
    pub(crate) fn jobs(&self) -> &[JobView] {
        match self {
            Good::Jobs(jobs) => jobs,
            _ => unreachable!("a list of Jobs is answered {self:?}"),
        }
    }

    /// The KronJob that was got.
    pub(crate) fn kronjob(&self) -> Option<&KronJobView> {
        match self {
            Good::KronJob(kronjob) => kronjob.as_deref(),
            _ => unreachable!("a get of a KronJob is answered {self:?}"),
        }
    }

    /// The KronJob whose status was written.
    pub(crate) fn written(&self) -> &KronJobView {
        self.kronjob().unwrap_or_else(|| unreachable!("an update is answered without its KronJob"))
    }
}

/// A failure, as the client of the operator reports it.
pub(crate) fn refusal(failure: Failure) -> Refusal {
    Refusal { failure, message: failure.code().to_string() }
}

/// The server answers 429.
pub(crate) const TOO_MANY_REQUESTS: Failure = Failure::TooManyRequests { retry_after: None };

impl InFlight {
    /// What it asks for, in words.
    pub(crate) fn describe(&self) -> String {
        let what = match &self.call {
            Call::Create { job, .. } => format!("create of Job {}", job.name),
            Call::GetExisting { name, .. } => format!("get of the existing Job {name}"),
            Call::LookUp { name, .. } => format!("look-up of Job {name}"),
            Call::List => "list of Jobs".to_string(),
            Call::ListAll(_) => "list of all Jobs".to_string(),
            Call::ReadListed { names, .. } => format!("gets of the Jobs {}", names.join(", ")),
            Call::Check { name, .. } => format!("get of active Job {name}"),
            Call::Delete { what, name, .. } => describe_deletion(*what, name),
            Call::Update { status } => {
                format!("update of status ({})", describe_changes(&self.kronjob, status))
            }
            Call::Refresh => format!("get of KronJob {}", self.kronjob.key.name),
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
        Request::Create { name, .. } => format!("create of Job {name}"),
        Request::TryAgain { name, .. } => format!("dry run of Job {name}, before its create is repeated"),
        Request::LookUp { name, .. } => format!("look-up of Job {name}"),
        Request::List => "list of Jobs".to_string(),
        Request::Check { name, .. } => format!("get of active Job {name}"),
        Request::Delete { what, name, .. } => describe_deletion(*what, name),
        Request::CreatePrimer { name, .. } => format!("create of primer {name}"),
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
