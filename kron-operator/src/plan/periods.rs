//! From time to verdicts: the periods whose time has come, as the core plans them.

use kron_core::{Action as CoreAction, Decision, Handled, Outcome as CoreOutcome, Step};

use super::View;
use super::handled::{believable, handled, reach};
use super::memory::{Attempt, Change, Memory, Note, Scheduling, Search, Settled, Verdict};
use crate::crd::{Outcome, Time};
use crate::events::Reason;
use crate::names::job_name;
use crate::object::{JobView, KronJob};

/// The reason of condition Ready while the job is suspended, by which the end of a suspension is known.
pub(super) const SUSPENDED: &str = "Suspended";
/// After how many seconds a search that found no start in the next years is made again.
const SEARCHED_AGAIN: i64 = 86_400;
/// How far ahead of the clock the chosen time of a Job that we made can be: the clock was set back.
const CLOCK_SET_BACK: i64 = 60;

/// Decides the periods whose time has come: which are in time and will be started, which are missed or unschedulable. A
/// verdict stands, however long the requests that follow from it take. Gives the Unix second of the next time to look.
///
/// This is the timers' lane: it waits for nothing and asks nobody.
pub fn evaluate(kronjob: &KronJob, jobs: &[&JobView], memory: &mut Memory, now: i64) -> Option<i64> {
    let (Ok(spec), Ok(status)) = (&kronjob.spec, &kronjob.status) else { return None };
    if kronjob.deleting {
        return None;
    }
    let status = believable(&spec.job, status, now);
    let view = View { kronjob, spec, status: &status, jobs, millis: now.saturating_mul(1000), now };
    configure(view, memory);
    if view.suspended() {
        memory.forget_unsent();
        settle_spent_claim(view, memory);
        // What would come next goes on to be shown.
        let handled = handled(view, memory);
        return next_start(view, memory, &handled).map(|(_, chosen)| chosen.0);
    }
    if memory.generation != kronjob.generation {
        memory.generation = kronjob.generation;
        memory.keep_unchanged(view);
    }
    adopt(view, memory);
    give_up(view, memory);
    let mut handled = handled(view, memory);
    memory.verdicts.iter().for_each(|verdict| handled.insert(verdict.period.0));
    let plan = spec.job.plan(&handled.host_state(false), now);
    for step in &plan.steps {
        decide(view, memory, step);
    }
    if plan.older_missed > 0 {
        memory.older_missed += plan.older_missed;
        // They are counted; nothing before what is open still is asked for again. (The plan names the newest of those past
        // their deadline and of those a later one catches up for: what it does not name lies between them, too.)
        let over = |step: &Step<Decision<'_>>| {
            matches!(step.action, CoreAction::Record(CoreOutcome::Missed | CoreOutcome::Unschedulable))
        };
        let nominal = |step: &Step<Decision<'_>>| step.period.nominal_timestamp();
        let open = plan.steps.iter().filter(|step| !over(step)).map(|step| nominal(step) - 1).min();
        memory.counted = memory.counted.max(open.or_else(|| plan.steps.iter().map(nominal).max()));
    }
    // When a window ends, it is of the next period that condition Unschedulable speaks.
    let constrained = !spec.job.spec().constraints().is_empty();
    let ends = next_period(view).filter(|_| constrained).map(|next| next.window_end_timestamp() + 1);
    plan.wake_up.into_iter().chain(ends).min()
}

/// Enters what the core says of one open period.
fn decide(view: View<'_>, memory: &mut Memory, step: &Step<Decision<'_>>) {
    let period = Time(step.period.nominal_timestamp());
    let recovered = memory.is_claimed_by_another(view, period);
    let chosen = step.period.chosen_timestamp().map(Time);
    let outcome = match step.action {
        CoreAction::Nothing | CoreAction::Wait { .. } => return,
        // Whether something else is active is asked for when its turn comes.
        CoreAction::Execute | CoreAction::Replace | CoreAction::Record(CoreOutcome::Skipped) => {
            let Some(chosen) = chosen else { return };
            let (decided, attempt) = (view.now, Attempt::default());
            memory.verdicts.push(Verdict { period, chosen, decided, recovered, doomed: None, attempt });
            return;
        }
        CoreAction::Record(outcome) => Outcome::from(outcome),
    };
    let note = match (outcome, chosen) {
        (Outcome::Unschedulable, _) | (_, None) => {
            let end = Time(step.period.window_end_timestamp());
            let text = format!("period {period} had no allowed second up to the end of its window, {end}");
            Note { reason: Reason::Unschedulable, text }
        }
        (_, Some(chosen)) => missed(view, period, chosen, recovered),
    };
    if let (true, Outcome::Missed, Some(chosen)) = (recovered, outcome, chosen) {
        // Its Job may be there, and the watch not show it yet: the server is asked.
        memory.doom(view, period, chosen, note);
        return;
    }
    let order = step.period.order_timestamp();
    memory.settled.push(Settled { period, order, chosen, outcome, job_name: None, note, sent: false });
}

fn missed(view: View<'_>, period: Time, chosen: Time, recovered: bool) -> Note {
    let deadline = view.spec.job.spec().policy().deadline();
    let late = view.now.saturating_sub(chosen.0);
    let kind = format!(
        "missed period {period}: its start at {chosen} is {late} s ago, and the deadline is {deadline}"
    );
    if recovered {
        // Another process was about to create it. If it did, the Job is gone without a trace.
        let job = job_name(&view.kronjob.key.name, period);
        let text = format!("{kind}; it was claimed, but there is no Job {job}");
        return Note { reason: Reason::ClaimLost, text };
    }
    let in_time = i128::from(late) * 1_000_000_000 <= i128::from(deadline.as_nanos());
    let text = if in_time { format!("missed period {period}: a later one catches up for it") } else { kind };
    Note { reason: Reason::MissSchedule, text }
}

/// Takes note of a change of the configuration: the spec says something else than the status, or a suspension ended.
fn configure(view: View<'_>, memory: &mut Memory) {
    let hash = &view.spec.configuration;
    let paused = view.status.conditions.iter().any(|c| c.type_ == "Ready" && c.reason == SUSPENDED);
    if !paused || view.suspended() {
        memory.resumed = false;
    }
    let resumes = paused && !view.suspended() && !memory.resumed;
    memory.resumed |= resumes;
    let written = view.status.configuration.as_ref();
    if let (Some(change), Some(written)) = (&memory.change, written)
        && written.hash == change.hash
        && written.since >= change.since
    {
        memory.change = None;
    }
    let known = memory.change.as_ref().map(|change| &change.hash).or(written.map(|written| &written.hash));
    let Some(known) = known else { return };
    if known == hash && !resumes {
        return;
    }
    memory.forget_unsent();
    memory.counted = memory.counted.map(|counted| counted.min(view.now));
    let (reason, why) = if resumes {
        (Reason::Resumed, "the suspension has ended")
    } else {
        (Reason::ConfigurationChanged, "schedule, time zone or seed strategy has changed")
    };
    let text = format!("{why}: only periods that start after {} count", Time(view.now));
    memory.notes.push(Note { reason, text });
    memory.change = Some(Change { since: Time(view.now), hash: hash.clone() });
}

/// What can be said of the period that the label of a Job names.
enum Named {
    /// It is in force, and its chosen time has come.
    Due(Time),
    /// Its chosen time is still to come.
    Coming(Time),
    /// It is of no concern: an earlier configuration had it.
    NotInForce,
    /// Nothing knows it: the schedule does not name it, and no claim does.
    Unknown,
}

/// What the claim or else the schedule says of a period. Labels are never asked for its chosen time.
fn named(view: View<'_>, memory: &Memory, since: i64, period: Time) -> Named {
    let at = |chosen: Time| if chosen.0 <= view.now { Named::Due(chosen) } else { Named::Coming(chosen) };
    if let Some(verdict) = memory.verdicts.iter().find(|verdict| verdict.period == period) {
        return Named::Due(verdict.chosen);
    }
    if let Some(chosen) = view.claimed_chosen(period) {
        return at(chosen);
    }
    let mut same = view.spec.job.periods(period.0, period.0.saturating_add(1));
    let Some(decision) = same.next() else { return Named::Unknown };
    match decision.chosen_timestamp() {
        None => Named::Unknown,
        Some(chosen) if chosen <= since => Named::NotInForce,
        Some(chosen) => at(Time(chosen)),
    }
}

/// A Job of ours whose label names an unhandled period that is due is that period's execution, even if another client made it. It counts
/// for this one period and for nothing else.
fn adopt(view: View<'_>, memory: &mut Memory) {
    let mut handled = handled(view, memory);
    memory.ignored.retain(|uid| view.jobs.iter().any(|job| job.uid == *uid));
    for job in view.own_jobs() {
        let Some(period) = job.period.filter(|period| !handled.contains(period.0)) else { continue };
        let ours = *job.name == job_name(&view.kronjob.key.name, period);
        let why = match named(view, memory, handled.since(), period) {
            Named::Due(chosen) => {
                handled.insert(period.0);
                memory.verdicts.retain(|verdict| verdict.period != period);
                let text = format!("created Job {} for period {period}, chosen start {chosen}", job.name);
                let note = Note { reason: Reason::SuccessfulCreate, text };
                memory.scheduling = Some(Scheduling::Created);
                memory.settled.push(Settled {
                    period,
                    order: chosen.0,
                    chosen: Some(chosen),
                    outcome: Outcome::Executed,
                    job_name: Some(job.name.to_string()),
                    note,
                    sent: false,
                });
                continue;
            }
            // One of ours, from before an edit, or from before the clock was set back.
            Named::Unknown if ours => continue,
            Named::Coming(chosen) if ours && chosen.0 <= view.now.saturating_add(CLOCK_SET_BACK) => continue,
            Named::NotInForce => continue,
            Named::Coming(chosen) => format!("the start of this period, {chosen}, is still to come"),
            Named::Unknown => "the schedule has no such period".to_string(),
        };
        if !memory.ignored.contains(&job.uid) {
            memory.ignored.push(job.uid.clone());
            let text = format!("Job {}: its label for period {period} is ignored: {why}", job.name);
            memory.notes.push(Note { reason: Reason::LabelsIgnored, text });
        }
    }
}

/// A claim of another process whose second has passed may have been spent, even if an edit moved the start since: if the
/// Job's TTL may have removed it, another one would be the second.
fn give_up(view: View<'_>, memory: &mut Memory) {
    let Some((period, chosen)) = spent_claim(view, memory) else { return };
    let Some(ttl) = view.ttl(memory, period) else { return };
    if view.now < chosen.0.saturating_add(ttl) {
        return;
    }
    let decided = view.spec.job.decide(period.0).ok().and_then(|decision| decision.chosen_timestamp());
    if decided == Some(chosen.0) && chosen.0 > handled(view, memory).since() {
        // It is due, and judged as such.
        return;
    }
    let text = format!(
        "missed period {period}: Job {} may have been created at {chosen} and removed {ttl} s after it finished, so an edit \
         does not start it again",
        job_name(&view.kronjob.key.name, period)
    );
    memory.doom(view, period, chosen, Note { reason: Reason::ClaimLost, text });
}

/// A claim that may have been spent before the suspension is settled, as no other claim takes its place.
fn settle_spent_claim(view: View<'_>, memory: &mut Memory) {
    let Some((period, chosen)) = spent_claim(view, memory) else { return };
    let text = format!(
        "missed period {period}: it was claimed for {chosen} before the suspension, but there is no Job {}",
        job_name(&view.kronjob.key.name, period)
    );
    memory.doom(view, period, chosen, Note { reason: Reason::ClaimLost, text });
}

/// The claim of another process whose second has passed and whose period is not handled, with that second.
fn spent_claim(view: View<'_>, memory: &Memory) -> Option<(Time, Time)> {
    let period = view.status.claim.as_ref()?.period_id;
    let chosen = view.claimed_chosen(period).filter(|chosen| chosen.0 <= view.now)?;
    let known = memory.verdicts.iter().any(|verdict| verdict.period == period);
    let spent = memory.is_claimed_by_another(view, period) && !known;
    (spent && !handled(view, memory).contains(period.0)).then_some((period, chosen))
}

impl Memory {
    /// Whether another process, or this one in an earlier term, claims a period in the status.
    pub(super) fn is_claimed_by_another(&self, view: View<'_>, period: Time) -> bool {
        let claim = view.status.claim.as_ref().filter(|claim| claim.period_id == period);
        let sent = [self.claim_sent, self.claim_writing].contains(&Some(period));
        claim.is_some_and(|claim| *claim.holder != *self.holder || !sent)
    }

    /// It will be missed for this reason unless the server, which is asked first, has its Job.
    pub(super) fn doom(&mut self, view: View<'_>, period: Time, chosen: Time, note: Note) {
        let (decided, doomed, attempt) = (view.now, Some(note), Attempt::default());
        self.verdicts.insert(0, Verdict { period, chosen, decided, recovered: true, doomed, attempt });
    }

    /// Forgets what has not been acted upon.
    pub(super) fn forget_unsent(&mut self) {
        self.verdicts.retain(|verdict| verdict.attempt.first.is_some() || verdict.doomed.is_some());
        self.checked = None;
    }

    /// After an edit: keeps the verdicts that the new spec would give, too, and those already sent.
    fn keep_unchanged(&mut self, view: View<'_>) {
        self.checked = None;
        self.verdicts.retain(|verdict| {
            let decided = view.spec.job.decide(verdict.period.0).ok();
            let chosen = decided.and_then(|decision| decision.chosen_timestamp());
            verdict.attempt.first.is_some() || verdict.doomed.is_some() || chosen == Some(verdict.chosen.0)
        });
    }
}

/// The earliest start that is not handled: a period and its chosen time.
pub(super) fn next_start(view: View<'_>, memory: &mut Memory, handled: &Handled) -> Option<(Time, Time)> {
    if let Some(verdict) = memory.verdicts.first() {
        return Some((verdict.period, verdict.chosen));
    }
    // Where the clock was set back, what it shows is before the configuration.
    let after = view.now.max(handled.since());
    let generation = view.kronjob.generation;
    let known = memory.search.filter(|search| {
        search.generation == generation
            && search.after <= after
            && match search.found {
                Some((period, chosen)) => chosen.0 > after && !handled.contains(period.0),
                // Nobody finds a start in years by asking again a moment later.
                None => after < search.after.saturating_add(SEARCHED_AGAIN),
            }
    });
    let search = known.unwrap_or_else(|| Search { generation, after, found: search(view, after, handled) });
    memory.search = Some(search);
    search.found
}

fn search(view: View<'_>, after: i64, handled: &Handled) -> Option<(Time, Time)> {
    // An error ends the search: there is no start in sight.
    let starts = view.spec.job.starts(after.saturating_add(1), i64::MAX).map_while(Result::ok);
    starts
        .filter_map(|decision| Some((Time(decision.nominal_timestamp()), Time(decision.chosen_timestamp()?))))
        .find(|(period, _)| !handled.contains(period.0))
}

/// The next period by the end of its window.
fn next_period(view: View<'_>) -> Option<Decision<'_>> {
    let ends_from_now = view.now.saturating_sub(reach(&view.spec.job).1).saturating_sub(1);
    view.spec.job.next_period(ends_from_now).ok()
}

/// The next period by the end of its window, if it has no allowed second.
pub(super) fn next_unschedulable(view: View<'_>) -> Option<Time> {
    let next = next_period(view)?;
    next.unschedulable().map(|_| Time(next.nominal_timestamp()))
}
