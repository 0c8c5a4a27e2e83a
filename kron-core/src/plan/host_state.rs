//! What a host keeps of a job between its evaluations and between its processes.

use alloc::vec::Vec;

use crate::decision::period::Period;
use crate::plan::step::Step;
use crate::time::instant::Instant;

/// What a host keeps of a job: since when its configuration is in force, which periods are handled, and whether an execution is
/// active.
///
/// [`Job::plan`](crate::Job::plan) says what to do, and [`record`](HostState::record) notes each step that settles a period. Store
/// the state before you carry the step out: a host that ends in between then starts no period twice. Its size depends on how many
/// windows overlap, and not on how long the host runs.
///
/// Periods are named by their nominal times, not by the last start: windows may overlap, so that a period is started before an
/// earlier one, and the clock of a machine may be set back.
///
/// ```
/// use kron_core::Job;
/// use kron_core::plan::HostState;
/// let job = Job::parse("web/report", "*/20 * * * * @win(after,1h) @policy(deadline=5m,concurrency=allow)")?;
/// let mut state = HostState::new(0);
/// let mut started = Vec::new();
/// for now in (0..7200).step_by(60) {
///     for step in job.plan(&state, now) {
///         state.record(&step);
///         if step.action.starts() {
///             started.push(step.period.nominal_timestamp());
///         }
///     }
/// }
/// // Each period once. That of 0 was chosen late in its window, after the next one.
/// assert_eq!(started, [1200, 0, 2400, 4800, 3600]);
/// assert!(state.is_handled(4800) && !state.is_handled(6000));
/// # Ok::<(), kron_core::Error>(())
/// ```
///
/// With the feature `serde` it is an object with the fields `since`, `handledThrough`, `handled` and `active`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", deny_unknown_fields, from = "Fields"))]
pub struct HostState {
    since: i64,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    handled_through: Option<i64>,
    /// Ascending, each once.
    handled: Vec<i64>,
    active: bool,
}

/// The fields as they are read: a list that somebody has written need not ascend.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fields {
    since: i64,
    #[serde(default)]
    handled_through: Option<i64>,
    #[serde(default)]
    handled: Vec<i64>,
    #[serde(default)]
    active: bool,
}

#[cfg(feature = "serde")]
impl From<Fields> for HostState {
    fn from(fields: Fields) -> HostState {
        let Fields { since, handled_through, handled, active } = fields;
        HostState { active, ..HostState::new(since).with_handled(handled_through, handled) }
    }
}

impl HostState {
    /// The state of a host whose configuration begins at `since`: periods chosen up to then (whose windows ended up to then, if
    /// unschedulable) are not in force. A start at `since` itself belongs to the time before, unlike a start at `a` of
    /// [`starts(a..b)`](crate::Job::starts).
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::plan::HostState;
    /// let job = Job::parse("web/ping", "*/5 * * * * @policy(deadline=1h)")?;
    /// let open = |since: i64| job.plan(&HostState::new(since), 600).steps.len();
    /// assert_eq!((open(-1), open(0)), (3, 2)); // 0, 300 and 600; or 300 and 600
    /// assert_eq!(job.starts(0..601).count(), 3);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(since: impl Instant) -> HostState {
        HostState { since: since.floor(), handled_through: None, handled: Vec::new(), active: false }
    }

    /// The same, with the periods that a host knows as handled: all with nominal times up to the Unix second `through`, and those
    /// of a list, in any order.
    ///
    /// ```
    /// use kron_core::plan::HostState;
    /// let state = HostState::new(0).with_handled(Some(600), vec![1200, 900, 300]);
    /// assert_eq!(state.handled(), [900, 1200]);
    /// assert!(state.is_handled(600) && !state.is_handled(1000));
    /// ```
    #[must_use]
    pub fn with_handled(mut self, through: Option<i64>, mut handled: Vec<i64>) -> HostState {
        handled.retain(|nominal| Some(*nominal) > through);
        handled.sort_unstable();
        handled.dedup();
        (self.handled_through, self.handled) = (through, handled);
        self
    }

    /// The Unix second at which the configuration began.
    pub const fn since(&self) -> i64 {
        self.since
    }

    /// All periods with nominal times up to this Unix second are handled, or were not in force; `None` if that cannot be said.
    pub const fn handled_through(&self) -> Option<i64> {
        self.handled_through
    }

    /// The nominal times of further handled periods, in Unix seconds, ascending.
    pub fn handled(&self) -> &[i64] {
        &self.handled
    }

    /// Whether the period of a nominal time, in Unix seconds, is handled.
    ///
    /// ```
    /// let state = kron_core::plan::HostState::new(0).with_handled(Some(600), vec![1200]);
    /// assert!(state.is_handled(600) && state.is_handled(1200) && !state.is_handled(900));
    /// ```
    pub fn is_handled(&self, nominal: i64) -> bool {
        Some(nominal) <= self.handled_through || self.handled.binary_search(&nominal).is_ok()
    }

    /// Whether an execution is active.
    pub const fn is_active(&self) -> bool {
        self.active
    }

    /// Says whether an execution is active. [`record`](HostState::record) says that one is when it begins; say here that it has
    /// ended.
    ///
    /// ```
    /// let mut state = kron_core::plan::HostState::new(0);
    /// state.set_active(true);
    /// assert!(state.is_active());
    /// ```
    pub const fn set_active(&mut self, active: bool) {
        self.active = active;
    }

    /// Begins another configuration of the job at `since`: its text has been edited in anything but the policy. Periods chosen up to then
    /// are not in force any more. No period that is handled is open again, so none that has run runs again because it was moved: periods
    /// of the new text with nominal times up to the last handled one do not start. Discard plans that were made before.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::plan::HostState;
    /// let mut state = HostState::new(0);
    /// let job = Job::parse("web/ping", "0 * * * * @policy(deadline=10m)")?;
    /// job.plan(&state, 3600).steps.iter().for_each(|step| state.record(step));
    /// state.reconfigure(3900);
    /// // It would start at 01:30 now, and has started at 01:00.
    /// let edited = Job::parse("web/ping", "0 * * * * @win(after,1h) @policy(deadline=10m)")?;
    /// assert!(edited.decide(3600)?.chosen_timestamp() > Some(3900));
    /// assert!(edited.plan(&state, 4000).steps.is_empty());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn reconfigure(&mut self, since: impl Instant) {
        // The watermark stays, also if the clock was set back or windows begin before their nominal times: what it covers has run.
        self.since = since.floor();
    }

    /// Notes that the step of a plan is carried out: its period is handled if the action gives it its outcome, and an execution is
    /// active if the action starts one. A step that is not recorded, such as one that waits or whose start failed, stays open.
    /// Steps may be recorded in any order.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::plan::{Action, HostState};
    /// let job = Job::parse("web/ping", "*/5 * * * * @policy(concurrency=allow,deadline=10m)")?;
    /// let mut state = HostState::new(0);
    /// let step = job.plan(&state, 300).steps[0];
    /// assert_eq!(step.action, Action::Execute);
    /// state.record(&step);
    /// assert!(state.is_handled(300) && state.is_active());
    /// assert!(job.plan(&state, 300).steps.is_empty());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn record<P: AsRef<Period>>(&mut self, step: &Step<P>) {
        if step.action.outcome().is_none() {
            return;
        }
        self.active |= step.action.starts();
        let nominal = step.period.as_ref().nominal_timestamp();
        let all_before = step.previous_open.is_none_or(|open| Some(open) <= self.handled_through);
        if all_before {
            self.handled_through = self.handled_through.max(Some(nominal));
            let through = self.handled_through;
            self.handled.retain(|nominal| Some(*nominal) > through);
        } else if let Err(place) = self.handled.binary_search(&nominal)
            && Some(nominal) > self.handled_through
        {
            self.handled.insert(place, nominal);
        }
    }
}
