//! What this process knows of a KronJob beyond its objects: the state machine of its starts, and what Kubernetes adds.
//!
//! All of it can be lost at any time; a status and the Jobs in the cluster are enough to go on safely.

use std::sync::Arc;

use kron_host::names::{RUN_NOW, is_label_value, job_name};
use kron_host::{Backoff, Dispatcher, HostReport, Ignored, SearchResult, StartSearch, Trigger};

use super::messages::{Message, TWO_OPERATORS, of_report};
use super::objects::{Objects, Scheduled};
use crate::crd::condition::{VALID, types};
use crate::crd::{Outcome, Time};
use crate::events::Reason;
use crate::object::Spec;

/// How far ahead of the clock the chosen time of a Job that we made can be: the clock was set back.
const CLOCK_SET_BACK: i64 = 60;

/// What this process knows of one KronJob. It begins empty with each leadership.
///
/// A leader has one for each KronJob of the cluster, and most of them wait for hours: what is rare is boxed, and empty lists
/// keep no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Observed {
    pub(super) dispatcher: Dispatcher,
    pub(super) dry_run: DryRun,
    /// The start whose create, which repeats another one, was tried by a dry run a moment ago.
    pub(super) tried_again: Option<Box<Trigger>>,
    /// The content of condition SchedulingError, if the status does not have it yet.
    pub(super) scheduling: Option<Box<Scheduling>>,
    /// The same, in the write that is under way.
    pub(super) scheduling_writing: Option<Box<Scheduling>>,
    /// A token of the annotation that cannot be a label's value, which has been reported.
    refused_token: Option<Box<str>>,
    /// UIDs of Jobs whose labels were ignored, which has been reported.
    ignored: Vec<Box<str>>,
    /// The error in spec or status that was reported last.
    reported_error: Option<Box<str>>,
    /// Events of what the status says once the write that is under way is done.
    pub(super) ended: Vec<Message>,
    /// Writes of the status.
    pub(super) write: Backoff,
    /// Writes of the status that a start waits for.
    pub(super) urgent_write: Backoff,
    /// Deletions of finished Jobs.
    pub(super) history: Backoff,
    /// Jobs whose deletion has been asked for, by UID.
    pub(super) deleted: Vec<Box<str>>,
    /// `None` while nothing is known.
    pub(super) primer: Option<Box<PrimerState>>,
    /// `None` while nothing is to be published.
    reports: Option<Box<Reports>>,
}

/// What is known of primers beyond the status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PrimerState {
    /// The period whose fence the write that is under way sets.
    pub(super) writing: Option<Time>,
    /// The period whose fence this process set, as an answer confirmed, and whose primer it may create.
    pub(super) may_create: Option<Time>,
    pub(super) create: Backoff,
    pub(super) delete: Backoff,
    /// Primers whose deletion was asked for, by UID.
    pub(super) deleted: Vec<Box<str>>,
}

/// What is to be published.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reports {
    /// Events to be sent.
    pub messages: Vec<Message>,
    /// Outcomes that the status shows from now on.
    pub outcomes: Vec<Outcome>,
    /// Missed periods that are counted from now on, and not named one by one.
    pub older_missed: u64,
}

/// What condition SchedulingError says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scheduling {
    /// A Job was created.
    Created,
    /// Something went wrong; the condition's reason and message.
    Failed(&'static str, String),
}

/// Whether the API server accepts the Jobs of the template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct DryRun {
    /// The generation of which the rest speaks.
    pub(super) generation: i64,
    pub(super) result: DryRunResult,
    pub(super) backoff: Backoff,
    /// The TTL of its Jobs, as the server answered: admission may set another than the template says.
    pub(super) ttl: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum DryRunResult {
    #[default]
    Unknown,
    Accepted,
    Refused(String),
    /// It could not be tried, and why: the create of its first Job is the test.
    NotTried(String),
}

/// How often requests have failed in a row, for the next back-off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Requests for the current start.
    pub start: u32,
    /// Updates of the status.
    pub write: u32,
    /// Dry runs.
    pub dry_run: u32,
    /// Creates of the primer of the next start.
    pub create_primer: u32,
    /// Deletions of primers.
    pub delete_primer: u32,
}

impl Observed {
    /// The knowledge of a process that has just begun. Claims name it `holder`.
    pub fn new(holder: impl Into<Arc<str>>) -> Observed {
        Observed { dispatcher: Dispatcher::new(holder), ..Observed::default() }
    }

    /// How often requests have failed in a row.
    pub fn failures(&self) -> Failures {
        Failures {
            start: self.dispatcher.current_failures(),
            write: self.write.failures(),
            dry_run: self.dry_run.backoff.failures(),
            create_primer: self.primer.as_ref().map_or(0, |primer| primer.create.failures()),
            delete_primer: self.primer.as_ref().map_or(0, |primer| primer.delete.failures()),
        }
    }

    /// The Unix second at which the current start was due.
    pub fn current_due(&self) -> Option<i64> {
        self.dispatcher.current_due()
    }

    /// Returns what is to be published, once.
    pub fn take_reports(&mut self) -> Reports {
        self.reports.take().map(|reports| *reports).unwrap_or_default()
    }

    pub(super) fn reports_mut(&mut self) -> &mut Reports {
        self.reports.get_or_insert_default()
    }

    /// Takes note of an Event to be sent.
    pub(super) fn report(&mut self, message: Message) {
        self.reports_mut().messages.push(message);
    }

    pub(super) fn primer_mut(&mut self) -> &mut PrimerState {
        self.primer.get_or_insert_default()
    }

    /// Condition SchedulingError is to say so.
    pub(super) fn failed(&mut self, reason: &'static str, message: impl Into<String>) {
        self.scheduling = Some(Box::new(Scheduling::Failed(reason, message.into())));
    }

    /// The TTL of Jobs that are created now, as the server answered last.
    pub(super) fn effective_ttl(&self, generation: i64, spec: &Spec) -> Option<i64> {
        self.dry_run.ttl.filter(|_| self.dry_run.generation == generation).or(spec.ttl)
    }

    /// Decides the periods whose time has come. Gives the Unix second of the next time to decide.
    ///
    /// The timers' lane calls this: it waits for nothing and makes no request.
    pub fn evaluate(&mut self, objects: &Objects<'_>) -> Option<i64> {
        self.dispatcher.advance(&objects.scheduled.as_ref()?.host_view())
    }

    /// Looks at the objects: decides the periods whose time has come, and takes note of what is to be reported. Gives the
    /// search for the next start that the plan needs, if its result is not known: make it, [enter](Observed::searched) its
    /// result, and look again.
    pub fn look(&mut self, objects: &Objects<'_>) -> Option<StartSearch> {
        let kronjob = objects.kronjob;
        if kronjob.deleting {
            return None;
        }
        let error = match (&kronjob.status, &kronjob.spec) {
            // Nothing is started on a status that cannot be read. Only the operator may write it.
            (Err(error), _) => Some((Reason::FailedGet, error)),
            (_, Err(error)) => Some((error.event_reason(), &error.message)),
            (Ok(_), Ok(_)) => None,
        };
        if kronjob.status.is_ok() && kronjob.spec.is_err() {
            self.dispatcher.forget_unsent();
        }
        if self.reported_error.as_deref() != error.map(|(_, text)| text.as_str()) {
            self.reported_error = error.map(|(_, text)| text.as_str().into());
            if let Some((reason, text)) = error {
                self.report(Message::new(reason, text.as_str()));
            }
        }
        if let Some(primer) = &mut self.primer {
            primer.deleted.retain(|uid| objects.primers.iter().any(|job| job.uid == *uid));
            self.primer.take_if(|primer| **primer == PrimerState::default());
        }
        let scheduled = objects.scheduled.as_ref()?;
        if scheduled.had_future {
            let message = "the status had times in the future; they were set back to the present";
            self.failed("FutureStatus", message);
        }
        self.prepare_dry_run(objects, scheduled);
        self.dispatcher.advance(&scheduled.host_view());
        self.report_ignored(objects, scheduled);
        self.report_refused_token(objects);
        retain(&mut self.deleted, objects);
        for report in self.dispatcher.take_reports() {
            self.enter_report(objects, &report);
        }
        self.dispatcher.search(&scheduled.host_view())
    }

    /// Enters the result of a search.
    pub fn searched(&mut self, result: SearchResult) {
        self.dispatcher.searched(result);
    }

    fn enter_report(&mut self, objects: &Objects<'_>, report: &HostReport) {
        if let Some(message) = of_report(objects.kronjob, report) {
            self.report(message);
        }
        match report {
            HostReport::PeriodHandled { outcome, .. } => self.reports_mut().outcomes.push((*outcome).into()),
            HostReport::OlderMissed(count) => self.reports_mut().older_missed += count,
            HostReport::ExecutionFound => self.scheduling = Some(Box::new(Scheduling::Created)),
            HostReport::ClaimedByAnother { .. } => {
                self.failed(Reason::ClaimedByAnother.as_str(), TWO_OPERATORS);
            }
            HostReport::RunNowHandled { .. }
            | HostReport::ConfigurationChanged { .. }
            | HostReport::Resumed { .. } => {}
        }
    }

    /// Begins with the template of another generation.
    fn prepare_dry_run(&mut self, objects: &Objects<'_>, scheduled: &Scheduled<'_>) {
        let generation = objects.kronjob.generation;
        if self.dry_run.generation != generation {
            let conditions = &scheduled.status.conditions;
            let before = conditions.iter().find(|condition| condition.type_ == types::INVALID_SPEC);
            // Anything else is asked for again: what refused it may have changed since.
            let accepted =
                before.is_some_and(|c| c.observed_generation == Some(generation) && c.reason == VALID.0);
            let result = if accepted { DryRunResult::Accepted } else { DryRunResult::Unknown };
            self.dry_run = DryRun { generation, result, ..DryRun::default() };
        }
    }

    /// Reports once that the label of a Job is ignored.
    fn report_ignored(&mut self, objects: &Objects<'_>, scheduled: &Scheduled<'_>) {
        retain(&mut self.ignored, objects);
        for (execution, why) in self.dispatcher.ignored(&scheduled.host_view()) {
            let Some(period) = execution.nominal.map(Time) else { continue };
            let ours = execution.name == job_name(&objects.kronjob.key.name, period.0);
            let why = match why {
                // One of ours, from before an edit, or from before the clock was set back.
                Ignored::Unknown if ours => continue,
                Ignored::Coming { chosen } if ours && chosen <= objects.second() + CLOCK_SET_BACK => continue,
                Ignored::Coming { chosen } => {
                    format!("the start of this period, {}, is still to come", Time(chosen))
                }
                Ignored::Unknown => "the schedule has no such period".to_string(),
            };
            if self.ignored.iter().all(|uid| **uid != *execution.id) {
                self.ignored.push(execution.id.into());
                let name = execution.name;
                let note = format!("Job {name}: its label for period {period} is ignored: {why}");
                self.report(Message::new(Reason::LabelsIgnored, note));
            }
        }
    }

    /// Reports once that the annotation is no label value.
    fn report_refused_token(&mut self, objects: &Objects<'_>) {
        let Some(token) = objects.kronjob.run_now.as_deref().filter(|token| !is_label_value(token)) else {
            return;
        };
        if self.refused_token.as_deref() != Some(token) {
            self.refused_token = Some(token.into());
            let note = format!(
                "annotation {RUN_NOW}: {token:?} is not a label value: write at most 63 letters, digits, `-`, `_` and `.`, \
                 with a letter or digit at both ends"
            );
            self.report(Message::new(Reason::InvalidRunNow, note));
        }
    }
}

/// Forgets the UIDs of Jobs that are gone.
fn retain(uids: &mut Vec<Box<str>>, objects: &Objects<'_>) {
    uids.retain(|uid| objects.jobs.iter().any(|job| job.uid == *uid));
    if uids.is_empty() {
        *uids = Vec::new();
    }
}
