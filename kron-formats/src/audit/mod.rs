//! What became of each period of a job, as far as a host's store shows it: expected periods against executions.

mod cause;
mod kept;
mod message;

use std::collections::BTreeMap;

use kron_core::{Decision, Job, Outcome, word_enum};
use kron_host::{HOLDER_SECONDS, Handled, HandledPeriod, QUEUE_SECONDS, RETRY_SECONDS, Record};

pub use self::cause::MissCause;
pub use self::kept::{HistoryRules, kept_since};

word_enum! {
    in "kron_formats::audit";
    /// What became of a period, as far as an audit can tell.
    PeriodState, "state" {
        /// It was started.
        Executed = "executed",
        /// It was not started, as an earlier execution was active.
        Skipped = "skipped",
        /// It was not started in time.
        Missed = "missed",
        /// No second of its window was allowed.
        Unschedulable = "unschedulable",
        /// The host handled it, and its execution would still be kept, but there is none; its outcome is not known.
        NotExecuted = "notExecuted",
        /// The host did not handle it, and it is too late for a start.
        Overdue = "overdue",
        /// The host may still start it.
        Pending = "pending",
        /// The job is suspended, and the host does not handle its periods.
        Suspended = "suspended",
        /// Its start is not after the beginning of the configuration.
        NotInForce = "notInForce",
        /// The host handled it, and what shows its outcome may have been removed since. Or its window begins before the
        /// configuration: then it may not have been in force before an edit moved its start.
        #[default]
        Unknown = "unknown",
    }
}

impl PeriodState {
    /// Whether a period of this state was due and was not started.
    ///
    /// ```
    /// use kron_formats::audit::PeriodState;
    /// assert!(PeriodState::Overdue.is_miss() && !PeriodState::Suspended.is_miss());
    /// ```
    pub const fn is_miss(self) -> bool {
        match self {
            PeriodState::Skipped
            | PeriodState::Missed
            | PeriodState::Unschedulable
            | PeriodState::NotExecuted
            | PeriodState::Overdue => true,
            PeriodState::Executed
            | PeriodState::Pending
            | PeriodState::Suspended
            | PeriodState::NotInForce
            | PeriodState::Unknown => false,
        }
    }
}

impl From<Outcome> for PeriodState {
    fn from(outcome: Outcome) -> PeriodState {
        match outcome {
            Outcome::Executed => PeriodState::Executed,
            Outcome::Skipped => PeriodState::Skipped,
            Outcome::Missed => PeriodState::Missed,
            Outcome::Unschedulable => PeriodState::Unschedulable,
        }
    }
}

/// An execution of a period that the store of a host shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownExecution<'a> {
    /// The nominal time of its period in Unix seconds.
    pub nominal: i64,
    /// Its name.
    pub name: &'a str,
}

/// The outcome of a period that a host reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownOutcome {
    /// The nominal time of the period in Unix seconds.
    pub nominal: i64,
    /// Its outcome.
    pub outcome: Outcome,
    /// Why it was not executed, if the report says so.
    pub cause: Option<MissCause>,
}

/// A job and all that is known of its periods at one time. All times are Unix seconds.
#[derive(Clone, Copy, Debug)]
pub struct AuditView<'v, 'a> {
    /// The job.
    pub job: &'v Job,
    /// What the host stores of it.
    pub record: &'v Record,
    /// The hash of the present configuration, as the record has it.
    pub configuration: &'v str,
    /// When the job was created: its configuration begins then, if the record has none.
    pub created: i64,
    /// Its executions, in any order.
    pub executions: &'v [KnownExecution<'a>],
    /// Reported outcomes, in any order.
    pub outcomes: &'v [KnownOutcome],
    /// Executions that started after this second are certainly among `executions`. [`i64::MIN`] if all are, [`i64::MAX`] if
    /// it is not known of any. See [`kept_since`].
    pub kept_since: i64,
    /// The time of the audit: when the record and the executions were read.
    pub now: i64,
}

/// A period and what became of it. All times are Unix seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditedPeriod<'a> {
    /// Its nominal time.
    pub nominal: i64,
    /// Its chosen time by the present job; `None` if it is unschedulable or not on the schedule.
    pub chosen: Option<i64>,
    /// Whether it is on the present schedule. If not, it is of an earlier configuration.
    pub on_schedule: bool,
    /// What became of it.
    pub state: PeriodState,
    /// Why it was not started; `None` if it was, or may still be, or if that is not known.
    pub cause: Option<MissCause>,
    /// The name of its execution, if there is one.
    pub execution: Option<&'a str>,
}

impl AuditedPeriod<'_> {
    /// Whether there is an execution though the host reported or stored another outcome.
    ///
    /// ```
    /// use kron_formats::audit::{AuditedPeriod, MissCause, PeriodState};
    /// let period = AuditedPeriod {
    ///     nominal: 0, chosen: Some(0), on_schedule: true, state: PeriodState::Missed,
    ///     cause: Some(MissCause::ClaimLost), execution: Some("backup-x"),
    /// };
    /// assert!(period.is_contradictory());
    /// ```
    pub const fn is_contradictory(&self) -> bool {
        self.execution.is_some() && !matches!(self.state, PeriodState::Executed)
    }
}

/// What is known of one period beyond the job.
#[derive(Clone, Copy, Debug, Default)]
struct Evidence<'a> {
    outcome: Option<(Outcome, Option<MissCause>)>,
    chosen: Option<i64>,
    execution: Option<&'a str>,
}

/// What became of the periods of a job whose chosen times (window ends, if unschedulable) are from the Unix second `from` on
/// and not after [`now`](AuditView::now), in order of nominal time; then the periods that are not on the schedule, and that an
/// execution, a report or the record names.
///
/// The record outranks a report, and a report outranks an execution: an execution of a period with another outcome makes the
/// period [contradictory](AuditedPeriod::is_contradictory).
///
/// ```
/// use kron_core::Job;
/// use kron_formats::audit::{AuditView, KnownExecution, MissCause, PeriodState, audit};
/// use kron_host::Record;
/// let job = Job::parse("web/ping", "0 * * * *")?;
/// let view = AuditView {
///     job: &job, record: &Record::default(), configuration: "", created: 0,
///     executions: &[KnownExecution { nominal: 3600, name: "ping-1" }], outcomes: &[], kept_since: i64::MIN, now: 10_800,
/// };
/// let found: Vec<_> = audit(&view, 0).map(|period| (period.nominal, period.state, period.cause)).collect();
/// assert_eq!(found, [
///     (0, PeriodState::NotInForce, Some(MissCause::NotInForce)),
///     (3600, PeriodState::Executed, None),
///     (7200, PeriodState::Overdue, Some(MissCause::Unexplained)),
///     (10_800, PeriodState::Pending, None),
/// ]);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn audit<'v, 'a>(
    view: &AuditView<'v, 'a>,
    from: i64,
) -> impl Iterator<Item = AuditedPeriod<'a>> + use<'v, 'a> {
    let view = *view;
    let reach = view.job.spec().reach();
    let evidence = evidence(&view);
    let handled = view.record.handled(view.created);
    let first = from.saturating_sub(reach.last);
    let end = view.now.saturating_sub(reach.first).saturating_add(1);
    let mut others = evidence.clone();
    others.retain(|nominal, evidence| {
        !view.job.is_on_schedule(*nominal) && evidence.chosen.unwrap_or(*nominal) >= from
    });
    let on_schedule = view
        .job
        .periods(first..end)
        .filter(move |decision| (from..=view.now).contains(&decision.order_timestamp()))
        .map(move |decision| {
            let nominal = decision.nominal_timestamp();
            period(&view, &handled, &decision, evidence.get(&nominal).copied().unwrap_or_default())
        });
    on_schedule.chain(others.into_iter().filter_map(|(nominal, evidence)| {
        let (state, cause) = known_state(evidence)?;
        let execution = evidence.execution;
        Some(AuditedPeriod { nominal, chosen: None, on_schedule: false, state, cause, execution })
    }))
}

/// The earliest Unix second from which on a store shows something of each period of a job: the beginning of its configuration,
/// or the first start that an execution, a report or the record names, whichever is later.
///
/// ```
/// use kron_core::Job;
/// use kron_formats::audit::{AuditView, KnownExecution, audit_since};
/// use kron_host::Record;
/// let job = Job::parse("web/ping", "0 * * * *")?;
/// let view = AuditView {
///     job: &job, record: &Record::default(), configuration: "", created: 0,
///     executions: &[KnownExecution { nominal: 7200, name: "ping-2" }], outcomes: &[], kept_since: i64::MIN, now: 10_800,
/// };
/// assert_eq!(audit_since(&view), 7200);
/// assert_eq!(audit_since(&AuditView { executions: &[], ..view }), 1);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn audit_since(view: &AuditView<'_, '_>) -> i64 {
    let handled = view.record.handled(view.created);
    let named = evidence(view).into_keys().filter(|nominal| view.job.is_on_schedule(*nominal));
    let order = |nominal| Some(view.job.decide(nominal).ok()?.order_timestamp());
    let first = named.chain(handled.through()).filter_map(order).min();
    let begin = handled.since().saturating_add(1);
    first.map_or(begin, |first| first.max(begin))
}

/// The state of a period that an outcome or an execution shows.
fn known_state(evidence: Evidence<'_>) -> Option<(PeriodState, Option<MissCause>)> {
    match (evidence.outcome, evidence.execution) {
        (Some((Outcome::Executed, _)), _) | (None, Some(_)) => Some((PeriodState::Executed, None)),
        (Some((outcome, cause)), _) => {
            let cause = cause.unwrap_or(match outcome {
                Outcome::Skipped => MissCause::Forbid,
                Outcome::Unschedulable => MissCause::Unschedulable,
                Outcome::Executed | Outcome::Missed => MissCause::Unexplained,
            });
            Some((outcome.into(), Some(cause)))
        }
        (None, None) => None,
    }
}

fn period<'a>(
    view: &AuditView<'_, 'a>,
    handled: &Handled,
    decision: &Decision<'_>,
    evidence: Evidence<'a>,
) -> AuditedPeriod<'a> {
    let (nominal, chosen) = (decision.nominal_timestamp(), decision.chosen_timestamp());
    let (state, cause) = known_state(evidence).unwrap_or_else(|| inferred_state(view, handled, decision));
    AuditedPeriod { nominal, chosen, on_schedule: true, state, cause, execution: evidence.execution }
}

/// The state of a period that no execution and no report names.
fn inferred_state(
    view: &AuditView<'_, '_>,
    handled: &Handled,
    decision: &Decision<'_>,
) -> (PeriodState, Option<MissCause>) {
    let (nominal, order) = (decision.nominal_timestamp(), decision.order_timestamp());
    let allowed = decision.chosen_timestamp().is_some();
    let policy = view.job.spec().policy();
    if order <= handled.since() {
        return (PeriodState::NotInForce, Some(MissCause::NotInForce));
    }
    if handled.contains(nominal) {
        let cause = if allowed { MissCause::Unexplained } else { MissCause::Unschedulable };
        // The watermark may have passed it when it was not in force, before an edit moved its start.
        let was_in_force = decision.window_start_timestamp() > handled.since();
        return match was_in_force && order > view.kept_since {
            true => (PeriodState::NotExecuted, Some(cause)),
            false => (PeriodState::Unknown, None),
        };
    }
    if policy.suspend() || view.record.suspended {
        return (PeriodState::Suspended, Some(MissCause::Suspended));
    }
    if is_stale(view) {
        // The host decides when the new configuration begins; it has not done so.
        return (PeriodState::Unknown, None);
    }
    // OK because durations are never negative.
    let deadline = policy.deadline().as_secs().saturating_add(1).max(RETRY_SECONDS);
    let wait = if allowed { deadline.saturating_add(HOLDER_SECONDS) } else { 0 };
    if view.now <= order.saturating_add(wait).saturating_add(QUEUE_SECONDS) {
        return (PeriodState::Pending, None);
    }
    let claimed = view.record.claim.as_ref().is_some_and(|claim| claim.nominal == nominal);
    (PeriodState::Overdue, Some(if claimed { MissCause::ClaimLost } else { MissCause::Unexplained }))
}

/// Whether the record is of an earlier configuration than the job.
fn is_stale(view: &AuditView<'_, '_>) -> bool {
    let stored = view.record.configuration.as_ref();
    stored.is_some_and(|stored| stored.hash != view.configuration)
}

/// All that is known of single periods, by nominal time.
fn evidence<'a>(view: &AuditView<'_, 'a>) -> BTreeMap<i64, Evidence<'a>> {
    let mut all: BTreeMap<i64, Evidence<'a>> = BTreeMap::new();
    for execution in view.executions {
        all.entry(execution.nominal).or_default().execution.get_or_insert(execution.name);
    }
    for known in view.outcomes {
        all.entry(known.nominal).or_default().outcome = Some((known.outcome, known.cause));
    }
    for HandledPeriod { nominal, chosen, outcome, .. } in view.record.outcomes().into_values() {
        let evidence = all.entry(nominal).or_default();
        evidence.chosen = chosen;
        // The record says what, and a report of the same outcome says why.
        let cause =
            evidence.outcome.filter(|(reported, _)| *reported == outcome).and_then(|(_, cause)| cause);
        evidence.outcome = Some((outcome, cause));
    }
    all
}

#[cfg(test)]
mod tests;
