//! One job of the runner: its state machine, its record and its executions.

mod early;
mod starts;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kron_core::{Job, Outcome, Policy};
use kron_host::{
    Cause, Dispatcher, Execution, ExecutionState, HandledStart, HostReport, HostRequest, HostView, ListKind,
    Record, StartSearch, Trigger,
};

use super::execution::{Known, Phase};
use super::room::Room;
use crate::handle::Answer;
use crate::handler::Handler;
use crate::job::RunnerJob;
use crate::record::{ClockAhead, ExecutionRecord, JobRecord, OutcomeRecord, awaits, execution_name};
use crate::store::{HistoryLimits, StoredJob};

/// The claim of an earlier runner is replaced at once: it has ended.
const CLAIM_AHEAD: i64 = i64::MAX;

/// A job of the runner.
pub(super) struct Slot {
    /// The job as it is run: also suspended if that is requested, or if the job was removed.
    pub(super) job: Job,
    /// Whether the text of the job suspends it.
    text_suspends: bool,
    pub(super) handler: Arc<dyn Handler>,
    history: HistoryLimits,
    text: String,
    configuration: String,
    revision: i64,
    created: i64,
    /// Whether the runner has the job no longer. It is suspended then, until its executions have ended.
    pub(super) removed: bool,
    /// Whether it was removed before its last edit. Its suspension then ends, although no user had suspended it.
    returned: bool,
    /// Whether it is suspended on request.
    pub(super) suspend_requested: bool,
    /// Those who wait until a request to suspend or to resume the job is stored.
    suspend_waits: Vec<Answer<()>>,
    runner: Arc<str>,
    pub(super) dispatcher: Dispatcher,
    /// The record as it is stored.
    stored: Record,
    /// The record as it is to be written, if it is.
    wanted: Option<Record>,
    pub(super) executions: BTreeMap<String, Known>,
    /// Executions that did not begin and are to be removed from the store.
    unbegun: BTreeSet<String>,
    /// The token of the last request to run now.
    run_now: Option<String>,
    /// Channels to those that wait until that request is stored.
    run_now_waits: Vec<Answer<String>>,
    /// Whether something else of the job's row is to be written.
    changed: bool,
    /// Missed periods that were counted and not listed.
    older_missed: u64,
    /// Entries of the history since it was last cut to its limits.
    untrimmed: u32,
    /// Whether a search for the next start is under way.
    pub(super) searching: bool,
    /// Whether a write of this job is under way.
    pub(super) writing: bool,
    /// When the engine looks at it again.
    pub(super) timer: Option<i64>,
    before_jumps: Vec<BeforeJump>,
    /// Whether the record went back to one of them.
    went_back: bool,
    /// Periods that were entered as executed then, by nominal and chosen time, until a write has them.
    entered: Vec<(i64, i64)>,
    /// Outcomes that the history does not have, and that no record brings into it.
    unrecorded: Vec<OutcomeRecord>,
    /// The executions whose outcomes the last write brought into the history, until they are reported.
    recorded: Vec<String>,
    /// When its time came, until the engine looks at it. In Unix milliseconds.
    pub(super) due_at: Option<i64>,
    /// Whether it waits in the engine's list for room.
    pub(super) waits: bool,
}

/// What a job knew before the clock was set forwards, and between which Unix seconds it was set.
struct BeforeJump {
    from: i64,
    to: i64,
    record: Record,
}

/// What a step leaves to the engine.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) reports: Vec<HostReport>,
    /// A search that can take seconds.
    pub(super) search: Option<StartSearch>,
    /// When to step again, in Unix milliseconds.
    pub(super) wake_up: Option<i64>,
    /// Whether a start waits for room.
    pub(super) waits: bool,
}

/// What a commit writes of a job, to be entered when it ends.
#[derive(Debug, Default)]
pub(super) struct Written {
    record: Option<Record>,
    /// The executions with their versions.
    executions: Vec<(String, u64)>,
    unbegun: Vec<String>,
    older_missed: u64,
    row: bool,
    run_now_waits: Vec<Answer<String>>,
    suspend_waits: Vec<Answer<()>>,
    unrecorded: Vec<OutcomeRecord>,
    recorded: Vec<String>,
}

/// Whether the period of an execution is still to come: the clock was ahead when it was started. Before its nominal time, an edit can
/// move its start to a later time.
fn is_early(execution: &ExecutionRecord, now: i64) -> bool {
    matches!(execution.trigger, Trigger::Period { nominal, chosen } if nominal.max(chosen) > now)
}

/// Whether the record shows that a period is handled. Requests to run now have no period.
fn is_handled(record: &Record, trigger: &Trigger) -> bool {
    let Trigger::Period { nominal, .. } = trigger else { return true };
    let through = record.configuration.as_ref().and_then(|configuration| configuration.handled_through);
    through.is_some_and(|through| *nominal <= through)
        || record.handled.iter().any(|period| period.nominal == *nominal)
}

fn configuration(job: &Job) -> String {
    let spec = job.spec();
    let fields = format!("{} @tz({}) @seed({})", spec.schedule(), spec.timezone(), spec.seed().strategy());
    if spec.days().is_empty() { fields } else { format!("{fields} {}", spec.days()) }
}

fn with_suspend(job: &Job, suspend: bool) -> Option<Job> {
    let policy = Policy::with_suspend(*job.spec().policy(), suspend);
    Job::new(job.name(), job.spec().to_builder().policy(policy).build().ok()?).ok()
}

impl Slot {
    /// A job, as the store has it, or a new one. `now` in Unix milliseconds.
    pub(super) fn new(job: RunnerJob, stored: Option<StoredJob>, runner: &Arc<str>, now: i64) -> Slot {
        let RunnerJob { job, handler, history } = job;
        let new = stored.is_none();
        let (row, executions) = match stored {
            Some(stored) => (stored.job, stored.executions),
            None => {
                let row = JobRecord {
                    name: job.name().into(),
                    text: String::new(),
                    created: now.div_euclid(1000),
                    removed: false,
                    suspend_requested: false,
                    run_now: None,
                    record: Record::default(),
                };
                (row, Vec::new())
            }
        };
        let JobRecord { name: _, text: stored_text, created, removed, suspend_requested, run_now, record } =
            &row;
        let mut stored = record.clone();
        // The record of an execution is stored before it is started. Without one, the claim of a token was not spent.
        let claimed = stored.run_now.as_ref().filter(|run| run.outcome.is_none());
        if let Some(token) = claimed.map(|run| run.token.clone()) {
            let trigger = Trigger::RunNow { token };
            if executions.iter().all(|execution| execution.trigger != trigger) {
                stored.run_now = None;
            }
        }
        let text = job.spec().to_string();
        let mut slot = Slot {
            changed: new || *removed || *stored_text != text,
            configuration: configuration(&job),
            text,
            text_suspends: job.spec().policy().suspend(),
            job,
            handler,
            history,
            revision: 1,
            created: *created,
            removed: false,
            returned: *removed,
            suspend_requested: *suspend_requested,
            suspend_waits: Vec::new(),
            runner: runner.clone(),
            dispatcher: Dispatcher::new(runner.clone()).alone(),
            stored,
            wanted: None,
            executions: BTreeMap::new(),
            unbegun: BTreeSet::new(),
            run_now: run_now.clone(),
            run_now_waits: Vec::new(),
            older_missed: 0,
            // What an earlier runner left is not counted.
            untrimmed: if new { 0 } else { u32::MAX },
            searching: false,
            writing: false,
            timer: None,
            before_jumps: Vec::new(),
            went_back: false,
            entered: Vec::new(),
            unrecorded: Vec::new(),
            recorded: Vec::new(),
            due_at: None,
            waits: false,
        };
        for execution in executions {
            slot.find(&row, execution, now.div_euclid(1000));
        }
        slot.suspend_as_requested();
        slot
    }

    /// Enters an execution of an earlier runner. One that has not ended is [asked for](Slot::resumable) by the engine.
    fn find(&mut self, row: &JobRecord, execution: ExecutionRecord, now: i64) {
        let name = execution.name.clone();
        let early = is_early(&execution, now)
            || !is_handled(&self.stored.without_future(&self.job, now), &execution.trigger);
        let phase = match (execution.began, execution.ended) {
            (Some(_), Some(_)) => Phase::Ended,
            (Some(_), None) => Phase::Running,
            (None, _) if row.awaits(&execution.trigger) || early => Phase::Lost,
            (None, _) => {
                self.unbegun.insert(name);
                // The record went on while it was being started.
                self.unrecorded.extend(execution.outcome(now.saturating_mul(1000)));
                return;
            }
        };
        let known = Known::stored(execution, phase);
        self.executions.entry(name).or_insert(known).early = early;
    }

    /// The job as it is stored.
    fn row(&self, record: Record) -> JobRecord {
        JobRecord {
            name: self.job.name().into(),
            text: self.text.clone(),
            created: self.created,
            removed: self.removed,
            suspend_requested: self.suspend_requested,
            run_now: self.run_now.clone(),
            record,
        }
    }

    /// Takes another version of the job. Says whether it is another one.
    pub(super) fn edit(&mut self, job: RunnerJob) -> bool {
        let text = job.job.spec().to_string();
        let changed = self.removed || text != self.text;
        (self.handler, self.history) = (job.handler, job.history);
        if changed {
            self.returned = std::mem::take(&mut self.removed);
            self.text_suspends = job.job.spec().policy().suspend();
            self.configuration = configuration(&job.job);
            self.job = job.job;
            self.text = text;
            self.revise();
        }
        changed
    }

    /// The job is another one, or is to be suspended or resumed.
    fn revise(&mut self) {
        self.suspend_as_requested();
        self.revision += 1;
        self.changed = true;
    }

    fn suspend_as_requested(&mut self) {
        let suspend = self.text_suspends || self.suspend_requested || self.removed;
        // It cannot fail, because only the policy changes.
        if self.job.spec().policy().suspend() != suspend
            && let Some(job) = with_suspend(&self.job, suspend)
        {
            self.job = job;
        }
    }

    /// A request to suspend the job, or to resume it. It has its answer once it is stored.
    pub(super) fn suspend(&mut self, suspend: bool, wait: Answer<()>) {
        self.suspend_waits.push(wait);
        // Written even if nothing changes: an earlier request may not be stored yet.
        self.changed = true;
        if self.suspend_requested != suspend {
            self.suspend_requested = suspend;
            self.returned = false;
            self.revise();
        }
    }

    /// The runner has the job no longer: nothing more is started, what is active goes on.
    pub(super) fn remove(&mut self) {
        self.removed = true;
        self.revise();
    }

    /// Whether nothing is left to be done for a removed job. Then it is what the store has.
    pub(super) fn is_over(&self) -> bool {
        let active = self.executions.values().any(|known| known.phase != Phase::Ended);
        self.removed && !active && !self.writing && !self.is_dirty() && !self.dispatcher.has_due_starts()
    }

    pub(super) fn into_stored(self) -> StoredJob {
        let row = self.row(self.stored.clone());
        let needed = |known: &Known| known.early || StoredJob::needs(&row, &known.record);
        let executions = self.executions.into_values().filter(needed).map(|known| known.record).collect();
        StoredJob { executions, job: row }
    }

    /// A request to run the job now. `Err` is the token of a request that waits.
    pub(super) fn run_now(
        &mut self,
        token: String,
        wait: Answer<String>,
    ) -> Result<(), (String, Answer<String>)> {
        let spent = |token: &String| {
            let stored = self.stored.run_now.as_ref();
            stored.is_some_and(|stored| stored.token == *token && stored.outcome.is_some())
        };
        if let Some(waiting) = self.run_now.as_ref().filter(|token| !spent(token)) {
            return Err((waiting.clone(), wait));
        }
        self.run_now = Some(token);
        self.run_now_waits.push(wait);
        self.changed = true;
        Ok(())
    }

    /// Enters the time, and does what can be done at once. `room`: for executions that are started, if they may be. `ahead`: the
    /// times for which starts were made while the clock was ahead. `now` in Unix milliseconds.
    pub(super) fn step(&mut self, now: i64, room: Option<&Room>, ahead: &[ClockAhead]) -> Step {
        let mut step = Step::default();
        // Each turn answers one request of the state machine; it has only a few for one start.
        while let Some(request) = self.turn(now, &mut step) {
            let Slot { dispatcher, executions, handler, .. } = self;
            match request {
                HostRequest::Start(trigger) => {
                    let Some(room) = room else { break };
                    let Some(announced) = room.announce() else {
                        step.waits = true;
                        break;
                    };
                    if !self.begin(trigger, announced, now, ahead) {
                        break;
                    }
                }
                HostRequest::LookUp(trigger) => {
                    let name = execution_name(&trigger);
                    let found = executions.get(&name).and_then(Known::as_execution);
                    dispatcher.looked_up(&trigger, found.map(|execution| execution.name));
                }
                HostRequest::List => {
                    let asked = executions.values().filter_map(|known| known.asked(&**handler));
                    dispatcher.listing(ListKind::Own);
                    dispatcher.listed(&asked.collect::<Vec<_>>());
                }
                HostRequest::Check { id, name } => {
                    let found = executions.get(&id).and_then(|known| known.asked(&**handler));
                    let state = found.map_or(ExecutionState::Ended, |execution| execution.state);
                    dispatcher.checked(&id, &name, state);
                }
                // Active executions are not stopped for a start that is not made now.
                HostRequest::Stop { .. } if room.is_none() => break,
                HostRequest::Stop { id, .. } => {
                    let active = executions.get_mut(&id).filter(|known| known.phase == Phase::Running);
                    if let Some(known) = active {
                        // The next start waits until it has ended.
                        known.replaced = true;
                        known.stop.requested.cancel();
                        break;
                    }
                    dispatcher.stopped(&id);
                }
            }
        }
        step.reports.retain(|report| match report {
            HostReport::Resumed { .. } => !self.returned,
            // A store belongs to one runner. The claim is one of an ended runner, in place of which none could be written yet.
            HostReport::ClaimedByAnother { .. } => false,
            _ => true,
        });
        for report in &mut step.reports {
            match report {
                HostReport::Handled(handled) => {
                    self.say_what_is_known(handled);
                    self.record_handled(handled, now);
                }
                HostReport::OlderMissed(count) => self.older_missed += *count,
                _ => {}
            }
        }
        step
    }

    /// Enters the time once, says what is to be written and when to look again, and gives the request to be answered.
    fn turn(&mut self, now: i64, step: &mut Step) -> Option<HostRequest> {
        // An execution that did not begin for sure is never found.
        let retention = self.has_lost().then_some(0);
        let Slot { job, dispatcher, stored, executions, wanted, .. } = self;
        let seen: Vec<Execution<'_>> = executions.values().filter_map(Known::as_execution).collect();
        let record = stored.without_future(job, now.div_euclid(1000));
        let view = HostView {
            job,
            revision: self.revision,
            configuration: &self.configuration,
            created: self.created,
            record: &record,
            executions: &seen,
            retention,
            requested_retention: None,
            claim_ahead: CLAIM_AHEAD,
            run_now: self.run_now.as_deref(),
            now,
        };
        step.wake_up = dispatcher.advance(&view).map(|second| second.saturating_mul(1000));
        *wanted = None;
        // One search for the periods of an absence, and one for the next start.
        while let Some(search) = dispatcher.search(&view) {
            if !job.spec().constraints().is_empty() {
                step.reports.append(&mut dispatcher.take_reports());
                step.search = Some(search).filter(|_| !self.searching);
                return None;
            }
            dispatcher.searched(search.run(job));
            dispatcher.advance(&view);
        }
        step.reports.append(&mut dispatcher.take_reports());
        let mut next_record = dispatcher.record(&view);
        // Retention is what this process knows, and nothing that a claim keeps.
        if let Some(claim) = &mut next_record.claim {
            claim.retention = None;
        }
        let next = dispatcher.next(&view, &next_record);
        step.wake_up = next.wake_up;
        if next_record != *stored || dispatcher.claim_is_urgent(&view, &next_record) {
            *wanted = Some(next_record);
        }
        next.request
    }

    /// The executions that had begun, and not ended, when an earlier runner ended.
    pub(super) fn resumable(&self) -> Vec<String> {
        let running = self.executions.iter().filter(|(_, known)| known.phase == Phase::Running);
        running.map(|(name, _)| name.clone()).collect()
    }

    /// The state machine cannot say of a claim of an earlier runner whether it was used. Here the store says it: where there
    /// is a record of an execution that did not begin for sure, it was being started, and otherwise it was not.
    fn say_what_is_known(&self, handled: &mut HandledStart) {
        if handled.outcome != Outcome::Missed {
            return;
        }
        let known = self.executions.get(&execution_name(&handled.trigger));
        let cause = &mut handled.cause;
        if known.is_some_and(|known| known.phase == Phase::Lost) {
            *cause = Cause::MaybeRemoved { retention: 0 };
        } else if let Cause::DeadlinePassed { claimed, .. } | Cause::CaughtUp { claimed } = cause {
            *claimed = false;
        }
    }

    /// An outcome was decided. If no write of a record has brought it into the history, the next write does: an edit or a clock that
    /// is set can have moved the record past the period before.
    fn record_handled(&mut self, handled: &HandledStart, now: i64) {
        let execution = execution_name(&handled.trigger);
        match self.recorded.iter().position(|recorded| *recorded == execution) {
            Some(place) => _ = self.recorded.swap_remove(place),
            None => self.unrecorded.push(OutcomeRecord::new(self.job.name(), handled.clone(), now)),
        }
    }

    /// Whether an execution that an earlier runner was starting has no outcome yet.
    fn has_lost(&self) -> bool {
        self.executions.values().any(|known| known.phase == Phase::Lost && !known.is_settled())
    }

    /// Forgets executions that have ended, once the record shows what they were started for. `now` in Unix milliseconds.
    pub(super) fn forget_ended(&mut self, now: i64) {
        if self.executions.is_empty() {
            return;
        }
        let Slot { executions, dispatcher, unbegun, unrecorded, stored, run_now, job, .. } = self;
        let second = now.div_euclid(1000);
        let pending = |trigger: &Trigger| awaits(stored, run_now.as_deref(), trigger);
        let is_open = |known: &Known| {
            known.early && !is_handled(&stored.without_future(job, second), &known.record.trigger)
        };
        executions.retain(|name, known| match known.phase {
            Phase::Storing | Phase::Starting | Phase::Running => true,
            Phase::Ended => {
                let needed = known.as_execution().is_some_and(|execution| dispatcher.needs(&execution));
                // An edit can move the start of its period.
                let early = is_early(&known.record, second) || is_open(known);
                known.is_dirty() || needed || early || pending(&known.record.trigger)
            }
            Phase::Lost => {
                let kept =
                    pending(&known.record.trigger) || is_early(&known.record, second) || is_open(known);
                if !kept && !known.is_settled() {
                    unbegun.insert(name.clone());
                    // The state machine decides nothing of it if its time never comes again, or only counts it as missed.
                    unrecorded.extend(known.record.outcome(now));
                }
                kept
            }
        });
    }
}
