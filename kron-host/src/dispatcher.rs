//! The state machine of one job on a host: which starts are due, who may make them, and what is known of each request.
//!
//! A host enters what happens, stores the [`Record`](crate::Record), and makes the requests that [`Dispatcher::next`] names. The files of
//! this folder add the steps: `periods.rs` from time to starts that are due, `starts.rs` from those to requests, `answers.rs`
//! from answers to outcomes, `run_now.rs` for requests of users, and `stored.rs` to the record. A start and its state are in `start.rs`,
//! claims in `claims.rs`, and what a host shows in `view.rs`.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use kron_core::Outcome;
use kron_core::planted_bugs::is_planted;

use crate::claims::Claims;
use crate::handled::Handled;
use crate::list_proof::ListProof;
use crate::record::{Configuration, NextStart, RunNow};
use crate::report::{HandledStart, HostReport};
use crate::request::{Execution, ExecutionState, Trigger};
use crate::search::{FoundStart, OpenPeriods};
use crate::start::Start;

/// The state machine of one job on a host.
///
/// The same rules hold for every host: a period is claimed before it is started, is started at most once, and has one
/// outcome. The contents of this type can be lost at any time: the stored [`Record`](crate::Record) and the executions are enough to
/// continue safely. Hosts have one for each job, so what most of them do not need is boxed.
///
/// After each event, a host calls [`advance`](Dispatcher::advance), makes each [`search`](Dispatcher::search) and calls
/// `advance` again after it, writes [`record`](Dispatcher::record) if it differs from the stored one or
/// [is urgent](Dispatcher::claim_is_urgent), and makes the request that [`next`](Dispatcher::next) names.
///
/// ```
/// use kron_core::Job;
/// use kron_host::{Dispatcher, HostRequest, HostView, Record, StartAnswer};
/// let job = Job::parse("web/ping", "*/5 * * * * @policy(concurrency=allow)")?;
/// let mut dispatcher = Dispatcher::new("host-1");
/// let mut record = Record::default();
/// let mut started = Vec::new();
/// for second in 0..=900 {
///     loop {
///         let view = HostView {
///             job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &record, executions: &[],
///             retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: second * 1000,
///         };
///         dispatcher.advance(&view);
///         while let Some(search) = dispatcher.search(&view) {
///             dispatcher.searched(search.run(&job));
///             dispatcher.advance(&view);
///         }
///         let wanted = dispatcher.record(&view);
///         if wanted != record || dispatcher.claim_is_urgent(&view, &wanted) {
///             dispatcher.writing(&wanted);
///             record = wanted;
///             dispatcher.written();
///         } else if let Some(HostRequest::Start(trigger)) = dispatcher.next(&view, &wanted).request {
///             dispatcher.starting(&trigger, second);
///             started.push(second);
///             dispatcher.start_answered(&trigger, StartAnswer::Started { execution: "a".into() }, second, job.spec().policy());
///         } else {
///             break;
///         }
///     }
/// }
/// assert_eq!(started, [300, 600, 900]);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dispatcher {
    /// The claims that this process wrote.
    pub(super) claims: Claims,
    /// Whether no other process runs beside this one.
    pub(super) alone: bool,
    /// A change of the configuration that was observed and that the record does not show yet.
    pub(super) change: Option<Box<Configuration>>,
    /// The configuration that was seen first, while none is stored.
    pub(super) first_configuration: Option<Box<str>>,
    /// Whether the end of a suspension, which the record still shows, has been observed.
    pub(super) resumed: bool,
    /// The revision of the job that decided the starts that are due.
    pub(super) revision: i64,
    /// The last start that its claim says may have been made, and that was not.
    pub(super) ruled_out: Option<Box<NextStart>>,
    /// The last search for the next start.
    pub(super) search: Option<FoundStart>,
    /// The periods of an absence that a search has decided, until they are entered.
    pub(super) open: Option<Box<OpenPeriods>>,
    /// When periods are to be decided again, in Unix seconds.
    pub(super) decide_at: Option<i64>,
    /// Starts that were decided in time and have no outcome yet, in order.
    pub(super) due: Vec<Start>,
    /// Outcomes that the record does not show yet.
    pub(super) outcomes: Vec<DecidedOutcome>,
    /// Missed periods that are counted and not listed, to be reported.
    pub(super) older_missed: u64,
    /// Past periods that were only counted.
    pub(super) counted: Option<Counted>,
    /// Whether the executions were listed in the store since this process began, and since it last saw the claim or the token of
    /// another one, or a start that was missed and may have been made.
    pub(super) list: ListProof,
    /// The start for which the dispatcher's own list was asked for, while that is under way.
    pub(super) listing_for: Option<Box<Trigger>>,
    /// The token of the record that was seen last.
    pub(super) token_seen: Option<Box<RunNow>>,
    /// The active executions, as they were read in the store before one start.
    pub(super) check: Option<Box<ActiveCheck>>,
    /// The run-now request that has no outcome in the record.
    pub(super) run_now: Option<Box<Start>>,
    /// The last execution that another request, which may still be on its way, would start again if it were removed now.
    pub(super) unsettled: Option<Box<UnsettledExecution>>,
    /// What happened, for the host's users.
    pub(super) reports: Vec<HostReport>,
}

/// Periods that were decided together, so that past ones need not be listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Counted {
    /// The nominal time up to which they were decided, in Unix seconds.
    pub(super) through: i64,
    /// The nominal times of those that were to be started.
    pub(super) open: Vec<i64>,
}

impl Counted {
    /// Up to which nominal time all periods are handled.
    pub(super) fn handled_through(&self, handled: &Handled) -> i64 {
        let open = self.open.iter().filter(|nominal| !handled.contains(**nominal)).min();
        open.map_or(self.through, |nominal| nominal - 1)
    }
}

/// The outcome of a period that is decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct DecidedOutcome {
    /// Its place in the order of starts.
    pub(super) period: NextStart,
    pub(super) handled: HandledStart,
    /// Whether this process sent a request to start it.
    pub(super) requested: bool,
    /// Whether it was missed, and its execution was looked up.
    pub(super) looked_up: bool,
    /// Whether a write of the record with it was sent, and was not certainly refused.
    pub(super) sent: bool,
}

/// The executions as they were read in the store, before one start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ActiveCheck {
    /// The start that needs it: another one needs a check of its own.
    pub(super) before: Trigger,
    /// Whether `executions` is the complete list; otherwise those that the host sees as active are read one by one.
    pub(super) complete: bool,
    pub(super) executions: Vec<CheckedExecution>,
}

/// An execution that was read in the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CheckedExecution {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) state: ExecutionState,
}

/// An execution for which there may be another request on its way: one without an answer, or one of another process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct UnsettledExecution {
    pub(super) name: String,
    /// The Unix second from which on no such request is expected any more; `None` until the next look at the time.
    pub(super) until: Option<i64>,
}

impl Dispatcher {
    /// The dispatcher of a process whose name in claims is `holder`. No two processes ever have the same name.
    ///
    /// ```
    /// let dispatcher = kron_host::Dispatcher::new("host-1");
    /// assert!(dispatcher.current().is_none() && !dispatcher.has_due_starts());
    /// ```
    pub fn new(holder: impl Into<Arc<str>>) -> Dispatcher {
        Dispatcher { claims: Claims::new(holder.into()), ..Dispatcher::default() }
    }

    /// The same for a process that is alone: those that have named themselves in claims have ended, and what they asked for has
    /// happened or never will. Nothing waits for their requests to arrive.
    ///
    /// ```
    /// use kron_host::Dispatcher;
    /// assert_ne!(Dispatcher::new("host-1").alone(), Dispatcher::new("host-1"));
    /// ```
    #[must_use]
    pub fn alone(self) -> Dispatcher {
        Dispatcher { alone: true, ..self }
    }

    /// The start that is being made, if there is one. Periods come before run-now requests.
    ///
    /// ```
    /// assert_eq!(kron_host::Dispatcher::new("host-1").current(), None);
    /// ```
    pub fn current(&self) -> Option<Trigger> {
        self.current_start().map(|start| start.trigger.clone())
    }

    pub(super) fn current_start(&self) -> Option<&Start> {
        self.due.first().or(self.run_now.as_deref())
    }

    /// The start of a period that is due.
    pub(super) fn due(&self, nominal: i64) -> Option<&Start> {
        self.due.iter().find(|start| start.is_of(nominal))
    }

    /// All starts without a stored outcome.
    pub(super) fn starts(&self) -> impl Iterator<Item = &Start> {
        self.due.iter().chain(self.run_now.as_deref())
    }

    pub(super) fn starts_mut(&mut self) -> impl Iterator<Item = &mut Start> {
        self.due.iter_mut().chain(self.run_now.as_deref_mut())
    }

    /// The Unix second at which the current start was due: its chosen time, or when its turn came.
    ///
    /// ```
    /// assert_eq!(kron_host::Dispatcher::new("host-1").current_due(), None);
    /// ```
    pub fn current_due(&self) -> Option<i64> {
        let start = self.current_start()?;
        Some(start.period().map_or(start.decided, |period| period.chosen))
    }

    /// How often requests for the current start have failed, for the next back-off.
    ///
    /// ```
    /// assert_eq!(kron_host::Dispatcher::new("host-1").current_failures(), 0);
    /// ```
    pub fn current_failures(&self) -> u32 {
        self.current_start().map_or(0, |start| start.attempt.backoff.failures())
    }

    /// Whether starts of periods are due that have no outcome yet.
    ///
    /// ```
    /// assert!(!kron_host::Dispatcher::new("host-1").has_due_starts());
    /// ```
    pub fn has_due_starts(&self) -> bool {
        !self.due.is_empty()
    }

    /// Whether that execution belongs to a period or a run-now request without an outcome in the record. It must not be
    /// removed yet.
    ///
    /// ```
    /// use kron_host::{Dispatcher, Execution, ExecutionState};
    /// let execution = Execution { id: "1", name: "a", nominal: Some(0), run_now: None, state: ExecutionState::Ended };
    /// assert!(!Dispatcher::new("host-1").needs(&execution));
    /// ```
    pub fn needs(&self, execution: &Execution<'_>) -> bool {
        let period = execution.nominal.is_some_and(|nominal| {
            self.outcomes.iter().any(|decided| decided.period.nominal == nominal)
                || self.due(nominal).is_some()
        });
        period || self.run_now.as_ref().is_some_and(|run| execution.run_now == run.token())
    }

    /// Returns what happened since the last call, for logs, metrics and events.
    ///
    /// ```
    /// assert!(kron_host::Dispatcher::new("host-1").take_reports().is_empty());
    /// ```
    pub fn take_reports(&mut self) -> Vec<HostReport> {
        core::mem::take(&mut self.reports)
    }

    /// The process did not run for a while, so another one may have made its starts, and the host may not see them
    /// yet. Claims and active executions are confirmed in the store before anything else is started.
    ///
    /// ```
    /// let mut dispatcher = kron_host::Dispatcher::new("host-1");
    /// dispatcher.paused();
    /// assert_eq!(dispatcher, kron_host::Dispatcher::new("host-1"));
    /// ```
    pub fn paused(&mut self) {
        if is_planted("pause-forgotten") {
            return;
        }
        // The answer to a write that is under way may be from before the pause, and confirms nothing.
        self.claims.not_written(true, false);
        self.list.end();
        self.check = None;
        self.starts_mut().for_each(Start::paused);
    }

    /// The clock was set: times to wait for that were computed before are no longer valid.
    ///
    /// ```
    /// let mut dispatcher = kron_host::Dispatcher::new("host-1");
    /// dispatcher.clock_set();
    /// assert_eq!(dispatcher, kron_host::Dispatcher::new("host-1"));
    /// ```
    pub fn clock_set(&mut self) {
        self.starts_mut().for_each(Start::clock_set);
        self.unsettled.iter_mut().for_each(|execution| execution.until = None);
    }

    /// The clock went back to the Unix second `now`. Decisions about later times are forgotten, except for starts that were
    /// requested; the stored record goes [back](crate::Record::back_to), too. No write may be under way.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 300_000,
    /// };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.advance(&view);
    /// assert!(dispatcher.has_due_starts());
    /// dispatcher.clock_went_back(299);
    /// assert!(!dispatcher.has_due_starts());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn clock_went_back(&mut self, now: i64) {
        self.clock_set();
        (self.search, self.open, self.counted, self.check, self.decide_at) = (None, None, None, None, None);
        self.older_missed = 0;
        let executed = |decided: &DecidedOutcome| decided.handled.outcome == Outcome::Executed;
        self.outcomes.retain(|decided| decided.period.chosen <= now || executed(decided));
        let is_over = |start: &Start| start.period().is_some_and(|period| period.chosen <= now);
        self.due.retain(|start| is_over(start) || start.attempt.sent.is_some());
        if let Some(change) = &mut self.change {
            change.since = change.since.min(now);
        }
    }

    /// Forgets the starts that are due and that nobody can have made: the job cannot be read any more.
    ///
    /// ```
    /// let mut dispatcher = kron_host::Dispatcher::new("host-1");
    /// dispatcher.forget_unsent();
    /// assert!(!dispatcher.has_due_starts());
    /// ```
    pub fn forget_unsent(&mut self) {
        self.due.retain(|start| start.is_settled_only(&self.claims));
        self.check = None;
    }
}
