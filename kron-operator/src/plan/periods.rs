//! From time to verdicts: the periods whose time has come, as the core plans them.

use kron_core::{Action as CoreAction, Decision, HostState, Outcome as CoreOutcome, Step};

use super::View;
use super::handled::{Handled, last_order, reach};
use super::memory::{Attempt, Memory, Note, Settled, Verdict};
use crate::crd::{Configuration, Outcome, Time};
use crate::events::Reason;
use crate::names::job_name;
use crate::object::{JobView, KronJob};

/// The reason of condition Ready while the job is suspended, by which the end of a suspension is known.
pub(super) const SUSPENDED: &str = "Suspended";

/// Decides the periods whose time has come: which are in time and will be started, which are missed or unschedulable. A
/// verdict stands, however long the requests that follow from it take. Gives the Unix second of the next time to look.
///
/// This is the timers' lane: it waits for nothing and asks nobody.
pub fn evaluate(kronjob: &KronJob, jobs: &[&JobView], memory: &mut Memory, now: i64) -> Option<i64> {
    let (Ok(spec), Ok(status)) = (&kronjob.spec, &kronjob.status) else { return None };
    if kronjob.deleting {
        return None;
    }
    let view = View { kronjob, spec, status, jobs, millis: now.saturating_mul(1000), now };
    let since = configure(view, memory).since.0;
    if view.suspended() {
        memory.forget_unsent(true);
        // What would come next goes on to be shown.
        return spec.job.next_start(now).ok().and_then(|next| next.chosen_timestamp());
    }
    if memory.generation != kronjob.generation {
        memory.generation = kronjob.generation;
        memory.keep_unchanged(view);
    }
    let mut handled = memory.handled(view, since);
    // An edit moves starts, and then the same status may seem to say less.
    memory.counted = handled.through();
    adopt(view, memory, &mut handled);
    give_up(view, memory, &mut handled);
    memory.verdicts.iter().for_each(|verdict| handled.insert(verdict.period));
    let plan = spec.job.plan(&HostState { active: false, ..handled.host_state() }, now);
    let claim = status.claim.as_ref().filter(|claim| memory.holds != Some(claim.period_id));
    for step in &plan.steps {
        let period = Time(step.period.nominal_timestamp());
        let claimed = claim.is_some_and(|claim| claim.period_id == period);
        let chosen = step.period.chosen_timestamp().map(Time);
        let outcome = match step.action {
            CoreAction::Nothing | CoreAction::Wait { .. } => continue,
            // Whether something else is active is asked for when its turn comes.
            CoreAction::Execute | CoreAction::Replace | CoreAction::Record(CoreOutcome::Skipped) => {
                let Some(chosen) = chosen else { continue };
                let attempt = Attempt::default();
                memory.verdicts.push(Verdict { period, chosen, recovered: claimed, doomed: None, attempt });
                continue;
            }
            CoreAction::Record(outcome) => Outcome::from(outcome),
        };
        let note = match (outcome, chosen) {
            (Outcome::Unschedulable, _) | (_, None) => {
                let end = Time(step.period.window_end_timestamp());
                let text =
                    format!("period {period} had no allowed second up to the end of its window, {end}");
                Note { reason: Reason::Unschedulable, text }
            }
            (_, Some(chosen)) => missed(view, period, chosen, claimed),
        };
        if let (true, Outcome::Missed, Some(chosen)) = (claimed, outcome, chosen) {
            // Its Job may be there, and the watch not show it yet: the server is asked.
            memory.doom(period, chosen, note);
            continue;
        }
        let order = step.period.order_timestamp();
        memory.settled.push(Settled { period, order, chosen, outcome, job_name: None, note, sent: false });
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

fn missed(view: View<'_>, period: Time, chosen: Time, claimed: bool) -> Note {
    let deadline = view.spec.job.spec().policy().deadline();
    let late = view.now.saturating_sub(chosen.0);
    let kind = format!(
        "missed period {period}: its start at {chosen} is {late} s ago, and the deadline is {deadline}"
    );
    if claimed {
        // Another process was about to create it. If it did, the Job is gone without a trace.
        let job = job_name(&view.kronjob.key.name, period);
        let text = format!("{kind}; it was claimed, but there is no Job {job}");
        return Note { reason: Reason::ClaimLost, text };
    }
    let in_time = i128::from(late) * 1_000_000_000 <= i128::from(deadline.as_nanos());
    let text = if in_time { format!("missed period {period}: a later one catches up for it") } else { kind };
    Note { reason: Reason::MissSchedule, text }
}

/// The configuration that the spec means: what the status says, unless the spec changed or a suspension ended.
pub(super) fn configure(view: View<'_>, memory: &mut Memory) -> Configuration {
    let hash = &view.spec.configuration;
    let paused = view.status.conditions.iter().any(|c| c.type_ == "Ready" && c.reason == SUSPENDED);
    if !paused || view.suspended() {
        memory.resumed = false;
    }
    let resumes = paused && !view.suspended() && !memory.resumed;
    memory.resumed |= resumes;
    let known = memory.configuration.take().or_else(|| view.status.configuration.clone());
    let configuration = match known {
        None => Configuration { since: view.kronjob.created, hash: hash.clone() },
        Some(known) if known.hash == *hash && !resumes => known,
        Some(_) => {
            memory.forget_unsent(false);
            memory.counted = None;
            let (reason, why) = if resumes {
                (Reason::Resumed, "the suspension has ended")
            } else {
                (Reason::ConfigurationChanged, "schedule, time zone or seed strategy has changed")
            };
            let text = format!("{why}: only periods that start after {} count", Time(view.now));
            memory.notes.push(Note { reason, text });
            Configuration { since: Time(view.now), hash: hash.clone() }
        }
    };
    memory.configuration = Some(configuration.clone());
    configuration
}

/// A Job of ours that stands for an unhandled period is that period's execution, whoever made it.
fn adopt(view: View<'_>, memory: &mut Memory, handled: &mut Handled) {
    let last = last_order(&view.spec.job, view.status);
    let since = handled.host_state().since;
    for job in view.own_jobs() {
        let (Some(period), Some(chosen)) = (job.period, job.chosen) else { continue };
        // What an earlier configuration handled without a trace in the status was handled before its last period.
        let later = chosen.0 > since || last.is_none_or(|last| chosen.0 > last);
        if handled.contains(period) || !later {
            continue;
        }
        handled.insert(period);
        memory.verdicts.retain(|verdict| verdict.period != period);
        let text = format!("created Job {} for period {period}, chosen start {chosen}", job.name);
        memory.settled.push(Settled {
            period,
            order: chosen.0,
            chosen: Some(chosen),
            outcome: Outcome::Executed,
            job_name: Some(job.name.to_string()),
            note: Note { reason: Reason::SuccessfulCreate, text },
            sent: false,
        });
    }
}

/// A claim of another process whose second has passed may have been spent, even if an edit moved the start since: if the
/// Job's TTL may have removed it, another one would be the second.
fn give_up(view: View<'_>, memory: &mut Memory, handled: &mut Handled) {
    let (Some(claim), Some(ttl)) = (&view.status.claim, view.spec.ttl) else { return };
    let (period, status) = (claim.period_id, view.status);
    let Some(chosen) = status.next_chosen_time.filter(|_| status.next_period_id == Some(period)) else {
        return;
    };
    let known =
        memory.holds == Some(period) || memory.verdicts.iter().any(|verdict| verdict.period == period);
    if known || handled.contains(period) || view.now < chosen.0.saturating_add(ttl) {
        return;
    }
    let decided = view.spec.job.decide(period.0).ok().and_then(|decision| decision.chosen_timestamp());
    if decided == Some(chosen.0) {
        // It is due, and judged as such.
        return;
    }
    handled.insert(period);
    let text = format!(
        "missed period {period}: Job {} may have been created at {chosen} and removed {ttl} s after it finished, so an edit \
         does not start it again",
        claim.job_name
    );
    memory.doom(period, chosen, Note { reason: Reason::ClaimLost, text });
}

impl Memory {
    /// A period that another process claimed is not to be created any more.
    fn doom(&mut self, period: Time, chosen: Time, note: Note) {
        let (doomed, attempt) = (Some(note), Attempt::default());
        self.verdicts.insert(0, Verdict { period, chosen, recovered: true, doomed, attempt });
    }

    /// The handled periods: those that the status tells, and those whose outcome waits to be written.
    pub(super) fn handled(&self, view: View<'_>, since: i64) -> Handled {
        let mut handled = Handled::of(&view.spec.job, view.status, since);
        handled.raise(self.counted);
        self.settled.iter().for_each(|settled| handled.insert(settled.period));
        handled
    }

    /// Drops the verdicts for which no request went out; with `holds`, the claim too.
    pub(super) fn forget_unsent(&mut self, holds: bool) {
        self.verdicts.retain(|verdict| verdict.attempt.first.is_some() || verdict.doomed.is_some());
        self.read = None;
        if holds {
            self.holds = None;
        }
    }

    /// After an edit: keeps the verdicts that the new spec would give, too, and those already sent.
    fn keep_unchanged(&mut self, view: View<'_>) {
        self.read = None;
        self.verdicts.retain(|verdict| {
            let decided = view.spec.job.decide(verdict.period.0).ok();
            let chosen = decided.and_then(|decision| decision.chosen_timestamp());
            verdict.attempt.first.is_some() || verdict.doomed.is_some() || chosen == Some(verdict.chosen.0)
        });
    }
}

/// The earliest start that is not handled: a period and its chosen time.
pub(super) fn next_start(view: View<'_>, memory: &Memory, handled: &Handled) -> Option<(Time, Time)> {
    if let Some(verdict) = memory.verdicts.first() {
        return Some((verdict.period, verdict.chosen));
    }
    // An error ends the search: there is no start in sight.
    // Where the clock was set back, what it shows is before the configuration.
    let after = view.now.max(handled.since());
    let starts = view.spec.job.starts(after.saturating_add(1), i64::MAX).map_while(Result::ok);
    starts
        .filter_map(|decision| Some((Time(decision.nominal_timestamp()), Time(decision.chosen_timestamp()?))))
        .find(|(period, _)| !handled.contains(*period))
}

/// The next period by the end of its window.
fn next_period(view: View<'_>) -> Option<Decision<'_>> {
    let ends_from_now = view.now.saturating_sub(reach(&view.spec.job)).saturating_sub(1);
    view.spec.job.next_period(ends_from_now).ok()
}

/// The next period by the end of its window, if it has no allowed second.
pub(super) fn next_unschedulable(view: View<'_>) -> Option<Time> {
    let next = next_period(view)?;
    next.unschedulable().map(|_| Time(next.nominal_timestamp()))
}
