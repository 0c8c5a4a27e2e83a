//! The state machine of one job on a host: which starts are due, who may make them, and what is known of each request.
//!
//! A host enters what happens, stores the [`Record`], and makes the requests that [`Dispatcher::next`] names. The files of
//! this folder add the steps: `periods.rs` from time to starts that are due, `starts.rs` from those to requests, `answers.rs`
//! from answers to outcomes, `run_now.rs` for requests of users, and `stored.rs` to the record.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use kron_core::planted_bugs::is_planted;
use kron_core::{Job, Outcome};

use crate::attempt::Attempt;
use crate::handled::Handled;
use crate::limits::HOLDER_SECONDS;
use crate::list_proof::ListProof;
use crate::record::{Claim, Configuration, NextStart, Record, RunNow};
use crate::report::{Cause, HostReport};
use crate::request::{Execution, ExecutionState, Trigger};
use crate::search::{FoundStart, OpenPeriods};

/// What a [`Dispatcher`] looks at: the job, what is stored of it, its executions and the time.
#[derive(Clone, Copy, Debug)]
pub struct HostView<'v> {
    /// The job.
    pub job: &'v Job,
    /// A number that changes with each edit of the job.
    pub revision: i64,
    /// A hash of what decides nominal times and draws: schedule, time zone, seed strategy. Where it changes, a new
    /// configuration begins.
    pub configuration: &'v str,
    /// When the job was created, in Unix seconds: the beginning of its first configuration.
    pub created: i64,
    /// The stored record, [without times in the future](Record::without_future). A host must not start anything on an
    /// old record: as long as a process does not see that another one has taken its claim, both may make the same
    /// start, and only the name of the execution prevents a second one.
    pub record: &'v Record,
    /// The executions of the job that the host sees, perhaps with a delay. Those of its own that were started for the
    /// period or token that they name, and others that are active.
    pub executions: &'v [Execution<'v>],
    /// For how many seconds after its end an execution that is started now can be found, as the host knows from its last
    /// answers; `None` if nothing removes it by time.
    pub retention: Option<i64>,
    /// The same, as the job asks for it.
    pub requested_retention: Option<i64>,
    /// How many seconds before a start the claim of another process is replaced, at least 5. A host with many jobs spreads
    /// these writes by different numbers.
    pub claim_ahead: i64,
    /// The token of the run-now request, if there is one.
    pub run_now: Option<&'v str>,
    /// Unix time in milliseconds.
    pub now: i64,
}

impl<'v> HostView<'v> {
    pub(super) fn second(&self) -> i64 {
        self.now.div_euclid(1000)
    }

    pub(super) fn suspended(&self) -> bool {
        self.job.spec().policy().suspend() && !is_planted("suspension-ignored")
    }

    /// The claim of a period, if the record has one.
    pub(super) fn claim_of(&self, nominal: i64) -> Option<&'v Claim> {
        self.record.claim.as_ref().filter(|claim| claim.nominal == nominal)
    }

    /// The chosen time of a period that the record claims, as it was when it was claimed.
    pub(super) fn claimed_chosen(&self, nominal: i64) -> Option<i64> {
        self.claim_of(nominal)?;
        match self.record.next.filter(|next| next.nominal == nominal) {
            Some(next) => Some(next.chosen),
            None => self.job.decide(nominal).ok()?.chosen_timestamp(),
        }
    }

    /// The Unix second until which the process that holds the claim of a start may be about to make it. It claims a late start
    /// after the chosen time.
    pub(super) fn holder_until(&self, nominal: i64, chosen: i64) -> i64 {
        let claimed = self.claim_of(nominal).map(|claim| claim.time);
        // The clock of that process may be wrong.
        let claimed = claimed.filter(|claimed| *claimed <= self.second());
        chosen.max(claimed.unwrap_or(chosen)).saturating_add(HOLDER_SECONDS)
    }

    /// The least retention that an execution of that period can have.
    pub(super) fn least_retention(&self, nominal: i64) -> Option<i64> {
        let claimed = self.claim_of(nominal).and_then(|claim| claim.retention);
        claimed.into_iter().chain(self.retention).chain(self.requested_retention).min()
    }
}

/// The state machine of one job on a host.
///
/// The same rules hold for every host: a period is claimed before it is started, is started at most once, and has one
/// outcome. The contents of this type can be lost at any time: the stored [`Record`] and the executions are enough to
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
    /// The name of this process in claims.
    pub(super) holder: Arc<str>,
    /// Whether no other process runs beside this one.
    pub(super) alone: bool,
    /// A change of the configuration that was observed and that the record does not show yet.
    pub(super) change: Option<Box<Configuration>>,
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
    pub(super) due: Vec<DueStart>,
    /// Outcomes that the record does not show yet.
    pub(super) outcomes: Vec<DecidedOutcome>,
    /// Missed periods that are counted and not listed, to be reported.
    pub(super) older_missed: u64,
    /// Past periods that were only counted.
    pub(super) counted: Option<Counted>,
    /// The nominal time of the claim that this process sent. This process knows what was done for it since.
    pub(super) claim_sent: Option<i64>,
    /// The nominal time of the claim that this process wrote, as an answer has confirmed.
    pub(super) claim_confirmed: Option<i64>,
    /// The nominal time of the claim in the write that is under way.
    pub(super) claim_writing: Option<i64>,
    /// The nominal time of the last claim that another process took from this one.
    pub(super) claim_lost: Option<i64>,
    /// Whether the executions were listed in the store since this process began, and since it last saw the claim or the token of
    /// another one, or a start that was missed and may have been made.
    pub(super) list: ListProof,
    /// The start for which the dispatcher's own list was asked for, while that is under way.
    pub(super) listing_for: Option<Box<Trigger>>,
    /// The token of the record that was seen last.
    pub(super) token_seen: Option<Box<RunNow>>,
    /// The active executions, as they were read in the store before one start.
    pub(super) check: Option<Box<ActiveCheck>>,
    pub(super) run_now: Option<Box<RunNowStart>>,
    /// The last execution that another request, which may still be on its way, would start again if it were removed now.
    pub(super) unsettled: Option<Box<UnsettledExecution>>,
    /// What happened, for the host's users.
    pub(super) reports: Vec<HostReport>,
}

/// A start that is due: it was decided in time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct DueStart {
    pub(super) nominal: i64,
    pub(super) chosen: i64,
    /// Unix second at which it was decided.
    pub(super) decided: i64,
    /// Whether another process had claimed it, and may have started it.
    pub(super) recovered: bool,
    /// Unix second in which this process has first seen that, or in which that process has claimed it later; `None` from a pause, or
    /// when the clock was set, to the next look.
    pub(super) seen: Option<i64>,
    /// The cause for which it must not be started any more, if there is one: it is then missed, unless the store has
    /// its execution.
    pub(super) missed: Option<Cause>,
    /// Whether this process wrote a record whose watermark is after it: an edit took its period out of the schedule.
    pub(super) passed: bool,
    pub(super) attempt: Attempt,
}

impl DueStart {
    pub(super) fn trigger(&self) -> Trigger {
        Trigger::Period { nominal: self.nominal, chosen: self.chosen }
    }

    /// Whether a request without an answer, or another process, may have started it.
    pub(super) fn may_have_started(&self) -> bool {
        self.attempt.uncertain || self.recovered
    }

    /// Whether a request for it may be on its way although its execution is there: this process sent one after another that was
    /// not answered, or after another process had claimed it.
    pub(super) fn is_unsettled(&self) -> bool {
        self.attempt.sent.is_some() && self.may_have_started()
    }

    /// Whether its execution has to be looked up before it is missed.
    pub(super) fn has_to_be_looked_up(&self) -> bool {
        self.may_have_started() && !self.attempt.looked_up
    }

    /// Whether another process may have started it, and this one has claimed it since. Nothing else says so any more.
    pub(super) fn is_taken(&self, claimed: [Option<i64>; 2]) -> bool {
        self.recovered && claimed.contains(&Some(self.nominal)) && !is_planted("taken-claim-forgotten")
    }

    /// Whether it may have been started, or has an outcome already: then an edit does not change it.
    pub(super) fn is_final(&self) -> bool {
        self.attempt.sent.is_some() || self.missed.is_some()
    }

    /// Whether its claim may have been used: it gets an outcome, and nothing replaces it.
    pub(super) fn is_settled_only(&self, claimed: [Option<i64>; 2]) -> bool {
        self.is_final() || self.is_taken(claimed)
    }
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

/// An outcome that is decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct DecidedOutcome {
    pub(super) nominal: i64,
    /// Its place in the order of starts: its chosen time, or the end of its window if it is unschedulable.
    pub(super) order: i64,
    pub(super) outcome: Outcome,
    pub(super) execution: Option<String>,
    pub(super) cause: Cause,
    /// Whether this process sent a request to start it.
    pub(super) requested: bool,
    /// Whether it was missed, and its execution was looked up.
    pub(super) looked_up: bool,
    /// Whether a write of the record with it was sent, and was not certainly refused.
    pub(super) sent: bool,
}

impl DecidedOutcome {
    pub(super) fn chosen(&self) -> Option<i64> {
        (self.outcome != Outcome::Unschedulable).then_some(self.order)
    }
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

/// A run-now request that has no outcome in the record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RunNowStart {
    pub(super) token: String,
    /// Unix second at which this process has seen it first; `None` from a pause, or when the clock was set, to the next look. If
    /// another process has claimed it, that process may have been starting it then.
    pub(super) seen: Option<i64>,
    /// Unix second at which its turn came.
    pub(super) decided: i64,
    /// Whether the record is to name the token, as its turn has come.
    pub(super) claiming: bool,
    /// Whether the record does not name the token, so that a write that names it claims it.
    pub(super) unclaimed: bool,
    /// Whether the claim is in the write that is under way.
    pub(super) claim_writing: bool,
    /// Whether this process wrote the claim, as an answer has confirmed.
    pub(super) claim_confirmed: bool,
    pub(super) attempt: Attempt,
    /// Its outcome, once it is decided.
    pub(super) decided_outcome: Option<RunNowOutcome>,
}

/// What became of a run-now request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RunNowOutcome {
    pub(super) outcome: Outcome,
    pub(super) execution: Option<String>,
    pub(super) cause: Cause,
}

impl Dispatcher {
    /// The dispatcher of a process whose name in claims is `holder`. No two processes ever have the same name.
    ///
    /// ```
    /// let dispatcher = kron_host::Dispatcher::new("host-1");
    /// assert!(dispatcher.current().is_none() && !dispatcher.has_due_starts());
    /// ```
    pub fn new(holder: impl Into<Arc<str>>) -> Dispatcher {
        Dispatcher { holder: holder.into(), ..Dispatcher::default() }
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
        let run_now = || self.run_now.as_ref().map(|run| Trigger::RunNow { token: run.token.clone() });
        self.due.first().map(DueStart::trigger).or_else(run_now)
    }

    /// The Unix second at which the current start was due: its chosen time, or when its turn came.
    ///
    /// ```
    /// assert_eq!(kron_host::Dispatcher::new("host-1").current_due(), None);
    /// ```
    pub fn current_due(&self) -> Option<i64> {
        let run_now = || self.run_now.as_ref().map(|run| run.decided);
        self.due.first().map(|start| start.chosen).or_else(run_now)
    }

    /// How often requests for the current start have failed, for the next back-off.
    ///
    /// ```
    /// assert_eq!(kron_host::Dispatcher::new("host-1").current_failures(), 0);
    /// ```
    pub fn current_failures(&self) -> u32 {
        let run_now = || self.run_now.as_ref().map(|run| &run.attempt);
        let attempt = self.due.first().map(|start| &start.attempt).or_else(run_now);
        attempt.map_or(0, |attempt| attempt.backoff.failures())
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
            self.outcomes.iter().any(|outcome| outcome.nominal == nominal)
                || self.due.iter().any(|start| start.nominal == nominal)
        });
        let run_now = self.run_now.as_ref().is_some_and(|run| execution.run_now == Some(&*run.token));
        period || run_now
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
        self.claim_confirmed = None;
        // The answer to a write that is under way may be from before the pause, and confirms nothing.
        self.claim_sent = self.claim_writing.take().or(self.claim_sent);
        self.list.end();
        self.check = None;
        for start in &mut self.due {
            (start.seen, start.attempt.looked_up) = (None, false);
        }
        if let Some(run) = &mut self.run_now {
            run.attempt.looked_up = false;
            run.claim_confirmed = false;
            run.claim_writing = false;
            run.seen = None;
        }
    }

    /// The clock was set: times to wait for that were computed before are no longer valid.
    ///
    /// ```
    /// let mut dispatcher = kron_host::Dispatcher::new("host-1");
    /// dispatcher.clock_set();
    /// assert_eq!(dispatcher, kron_host::Dispatcher::new("host-1"));
    /// ```
    pub fn clock_set(&mut self) {
        let run_now = self.run_now.iter_mut().map(|run| &mut run.attempt);
        let attempts = self.due.iter_mut().map(|start| &mut start.attempt).chain(run_now);
        attempts.for_each(Attempt::clock_set);
        self.unsettled.iter_mut().for_each(|execution| execution.until = None);
        self.due.iter_mut().for_each(|start| start.seen = None);
        self.run_now.iter_mut().for_each(|run| run.seen = None);
    }

    /// The clock went back to the Unix second `now`. Decisions about later times are forgotten, except for starts that were
    /// requested; the stored record goes [back](Record::back_to), too. No write may be under way.
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
        self.outcomes.retain(|decided| decided.order <= now || decided.outcome == Outcome::Executed);
        self.due.retain(|start| start.chosen <= now || start.attempt.sent.is_some());
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
        let claimed = self.claimed();
        self.due.retain(|start| start.is_settled_only(claimed));
        self.check = None;
    }

    /// The nominal times of the claims that this process has sent.
    pub(super) fn claimed(&self) -> [Option<i64>; 2] {
        [self.claim_sent, self.claim_writing]
    }
}
