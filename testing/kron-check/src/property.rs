//! What must hold in every state.

use std::collections::BTreeSet;
use std::sync::Arc;

use kron_core::Concurrency;
use kron_crd::{KronJobStatus, Outcome};
use kron_formats::names::{job_name, run_now_job_name};
use kron_host::Trigger;
use kron_operator::object::{JobView, KronJobView};
use kron_operator::plan::Response;

use crate::case::TOKEN;
use crate::faults::{Excuse, Fault};
use crate::ghost::{Ghost, LastClaim};
use crate::server::StoredJob;
use crate::times::clock;
use crate::wire::InFlight;
use crate::world::World;

impl World {
    fn ghost(&mut self) -> &mut Ghost {
        Arc::make_mut(&mut self.ghost)
    }

    /// A process sends a create.
    pub(crate) fn check_send(
        &mut self,
        from: u8,
        place: usize,
        kronjob: &KronJobView,
        trigger: &Trigger,
        name: &str,
    ) {
        let now = self.now;
        let first = self.process(from).created.insert(name.to_string());
        let key = (kronjob.uid.clone(), Arc::from(name));
        let sends = self.ghost().sends.entry(key).or_default();
        *sends += 1;
        let (sends, most) = (*sends, 2 + 2 * self.budget.spent());
        if sends > most {
            self.violate(format!("{sends} creates are sent for Job {name}"));
        }
        if kronjob.suspended {
            self.violate(format!("Job {name} is created although the KronJob is suspended"));
        }
        let read = self.processes[usize::from(from)].generations.get(&kronjob.key);
        if read.is_some_and(|(uid, newest)| *uid == kronjob.uid && *newest > kronjob.generation) {
            self.violate(format!("Job {name} is created by an older spec than its process has read"));
        }
        let Trigger::Period { nominal: period, chosen } = *trigger else { return };
        if now < chosen {
            self.violate(format!("period {} is started before {}", clock(period), clock(chosen)));
        }
        if !self.case.chooses(place, period, chosen) {
            self.violate(format!(
                "period {} is started outside its window, at {}",
                clock(period),
                clock(chosen)
            ));
        }
        let claimed = self.process(from).claimed.contains(&(kronjob.uid.clone(), period));
        if !claimed {
            self.violate(format!("period {} is started by a process that never claimed it", clock(period)));
        }
        if !first {
            return;
        }
        let decided = kronjob.spec.as_ref().ok().and_then(|spec| spec.job.decide(period).ok());
        if decided.and_then(|decision| decision.chosen_timestamp()) != Some(chosen) {
            let (period, chosen) = (clock(period), clock(chosen));
            self.violate(format!(
                "period {period} is started at {chosen}, which the edited spec does not choose"
            ));
        }
        let status = kronjob.status.as_ref().ok();
        let since = status.and_then(|status| status.configuration.as_ref()).map(|known| known.since.0);
        let stored = &self.server.kronjobs[place];
        let configured = (stored.view.uid == kronjob.uid && kronjob.generation >= stored.configured.0)
            .then_some(stored.configured.1);
        if since.into_iter().chain(configured).any(|since| chosen <= since) {
            self.violate(format!("period {} is started although it is not in force", clock(period)));
        }
        if now > chosen + self.case.deadline && !self.case.waits && !self.budget.excuses(Excuse::LateCreates)
        {
            self.violate(format!("period {} is started after its deadline", clock(period)));
        }
    }

    /// The server creates a Job for an operator. Gives the number of Jobs that its KronJob had under this name before.
    pub(crate) fn check_create(&mut self, request: &InFlight, trigger: &Trigger, job: &JobView) -> u8 {
        let times = self.ghost().made.entry((job.owner.clone(), job.name.clone())).or_default();
        *times += 1;
        let before = *times - 1;
        // What is under way when a KronJob is deleted still makes Jobs, and the cluster removes them with their owner.
        let owned = self.server.kronjobs.iter().any(|stored| stored.view.uid == job.owner);
        if request.overdue {
            self.ghost().overdue.insert((job.owner.clone(), job.name.clone()));
        }
        if before > 0 && owned && !request.overdue {
            self.violate(format!("a second Job {} is created for one period or token", job.name));
        }
        if !request.overdue {
            self.check_outcome_before(trigger, job, owned);
        }
        let (Trigger::Period { nominal: period, .. }, Ok(spec)) = (trigger, &request.kronjob.spec) else {
            return before;
        };
        let claim = self.ghost.claims[request.place].as_ref();
        let ordered = claim.filter(|claim| claim.holder == request.holder && claim.period == *period);
        if spec.job.spec().policy().concurrency() != Concurrency::Allow
            && let Some(claim) = ordered
        {
            let uid = &request.kronjob.uid;
            let active = self.active(uid);
            let may_know = |name: &Arc<str>| {
                !self.ghost.unlisted.contains(&(uid.clone(), name.clone(), request.holder.clone()))
            };
            let mut known = claim.active.iter().filter(|name| may_know(name));
            if let Some(name) = known.find(|name| active.contains(*name)) {
                let period = clock(*period);
                self.violate(format!(
                    "period {period} is started while Job {name}, older than its claim, is active"
                ));
            }
        }
        before
    }

    /// An answer shows Jobs.
    pub(crate) fn note_answer(&mut self, answer: &Response) {
        let shown: Vec<&JobView> = match answer {
            Response::Job(job) => job.as_deref().into_iter().collect(),
            Response::Jobs(jobs) => jobs.iter().collect(),
            _ => Vec::new(),
        };
        let is_shown =
            |uid: &Arc<str>, name: &Arc<str>| shown.iter().any(|job| job.owner == *uid && job.name == *name);
        if self.ghost.overdue.iter().any(|(uid, name)| is_shown(uid, name)) {
            self.ghost().overdue.retain(|(uid, name)| !is_shown(uid, name));
        }
    }

    /// A process lists the Jobs of a KronJob.
    pub(crate) fn note_list(&mut self, place: usize, holder: &str) {
        let now = self.now;
        let uid = self.server.kronjobs[place].view.uid.clone();
        let overdue = self.wire.iter().filter(|request| {
            request.overdue
                && request.answer.is_none()
                && request.may_arrive(now)
                && request.kronjob.uid == uid
        });
        let names = overdue.filter_map(|request| request.call.creates()).map(|(_, name)| Arc::from(name));
        let unlisted: Vec<_> = names.map(|name| (uid.clone(), name, holder.to_string())).collect();
        let ghost = self.ghost();
        ghost.lists(place, &uid, holder, true);
        ghost.unlisted.extend(unlisted);
    }

    /// The status says already that there is no such Job.
    fn check_outcome_before(&mut self, trigger: &Trigger, job: &JobView, owned: bool) {
        let outcome = match trigger {
            Trigger::Period { nominal, .. } => self.ghost.outcomes.get(&(job.owner.clone(), *nominal)),
            Trigger::RunNow { .. } => self.ghost.run_now.get(&*job.owner),
        };
        let outcome = outcome.copied().filter(|outcome| *outcome != Outcome::Executed);
        // Of two that lead, no time is sure after which the other one sends nothing more.
        if let Some(outcome) = outcome.filter(|_| owned && !self.budget.has_happened(Fault::Rival)) {
            self.violate(format!("Job {} arrives after the outcome {}", job.name, outcome.as_str()));
        }
    }

    /// The names of the active Jobs of a KronJob that the operator made.
    fn active(&self, uid: &str) -> BTreeSet<Arc<str>> {
        let own = self.server.jobs.values().filter(|job| job.genuine && *job.view.owner == *uid);
        own.filter(|job| job.view.is_active()).map(|job| job.view.name.clone()).collect()
    }

    /// The server stores a status.
    pub(crate) fn check_status(&mut self, request: &InFlight, stored: &KronJobView, status: &KronJobStatus) {
        let now = self.now;
        let uid = &stored.uid;
        // Its process knows the Jobs that it names.
        let is_named = |name: &Arc<str>| status.active.iter().any(|job| *job.name == **name);
        let is_known = |(owner, name, holder): &(Arc<str>, Arc<str>, String)| {
            owner == uid && *holder == request.holder && is_named(name)
        };
        if self.ghost.unlisted.iter().any(is_known) {
            self.ghost().unlisted.retain(|known| !is_known(known));
        }
        let last = status.last_period_id.zip(status.last_outcome);
        let last = last.map(|(period, outcome)| (period.0, outcome, status.last_chosen_time));
        let listed = status.periods.iter().map(|entry| (entry.period_id.0, entry.outcome, entry.chosen_time));
        let shown: Vec<_> = last.into_iter().chain(listed).collect();
        for (period, outcome, chosen) in shown {
            let before = self.ghost.outcomes.get(&(uid.clone(), period)).copied();
            if before.is_some_and(|before| before != outcome) {
                let before = before.map(Outcome::as_str).unwrap_or_default();
                self.violate(format!(
                    "period {}: outcome {before} becomes {}",
                    clock(period),
                    outcome.as_str()
                ));
            }
            if chosen.is_some_and(|chosen| chosen.0 > now) {
                self.violate(format!("period {} has an outcome before its second", clock(period)));
            }
            if before.is_none() {
                self.check_outcome(request, uid, period, outcome);
                self.ghost().outcomes.insert((uid.clone(), period), outcome);
            }
        }
        self.check_last(stored, status);
        self.check_watermark(request, stored, status);
        if let Some(outcome) = status.last_run_now.as_deref().and_then(|run| run.outcome) {
            let name = run_now_job_name(&stored.key.name, TOKEN);
            let made = self.ghost.made.contains_key(&(uid.clone(), Arc::from(name.as_str())));
            if outcome == Outcome::Executed && !made {
                self.violate("the token is executed, but it has no Job".to_string());
            }
            let known = self.ghost.run_now.get(&**uid).copied();
            if known.is_none() && self.is_denied(request, uid, &name, outcome) {
                self.violate(format!("the token is {}, but its Job is there", outcome.as_str()));
            }
            if let Some(known) = known.filter(|known| *known != outcome) {
                self.violate(format!("the token's outcome {} becomes {}", known.as_str(), outcome.as_str()));
            }
            self.ghost().run_now.entry(uid.to_string()).or_insert(outcome);
        }
        let active = self.active(uid);
        let claim = status.claim.as_ref().map(|claim| LastClaim {
            holder: claim.holder.clone(),
            period: claim.period_id.0,
            active,
            listed: false,
        });
        // What its holder writes after the list, or while the create is on its way, comes too late to show more.
        let settled = |claim: &LastClaim| {
            claim.holder == request.holder && self.is_listed_or_sent(request.place, claim)
        };
        if !claim.as_ref().is_some_and(settled) {
            self.ghost().claims[request.place] = claim;
        }
    }

    /// Whether that is the last claim, and its holder has listed the Jobs since, or has sent the create.
    fn is_listed_or_sent(&self, place: usize, claim: &LastClaim) -> bool {
        let before = self.ghost.claims[place].as_ref();
        let same = before.filter(|before| (&before.holder, before.period) == (&claim.holder, claim.period));
        let creates = |request: &InFlight| {
            let Some((Trigger::Period { nominal, .. }, _)) = request.call.creates() else { return false };
            request.answer.is_none()
                && (request.place, &request.holder, *nominal) == (place, &claim.holder, claim.period)
        };
        same.is_some_and(|before| before.listed || self.wire.iter().any(|request| creates(request)))
    }

    /// A period gets an outcome.
    fn check_outcome(&mut self, request: &InFlight, uid: &str, period: i64, outcome: Outcome) {
        let name = job_name(&request.kronjob.key.name, period);
        let made = self.ghost.made.contains_key(&(uid.into(), Arc::from(name.as_str())));
        if outcome == Outcome::Executed && !made && !self.budget.excuses(Excuse::WrongOutcomes) {
            self.violate(format!("period {} is executed, but it has no Job", clock(period)));
        }
        // Any Job of this KronJob could be the one that is active.
        let has_jobs = self.ghost.made.keys().any(|(owner, _)| **owner == *uid);
        if outcome == Outcome::Skipped && !has_jobs && !self.budget.excuses(Excuse::WrongOutcomes) {
            self.violate(format!("period {} is skipped, but the KronJob never had a Job", clock(period)));
        }
        if self.is_denied(request, uid, &name, outcome) {
            self.violate(format!("period {} is {}, but its Job is there", clock(period), outcome.as_str()));
        }
    }

    /// Whether that outcome means that there is no Job of that name, and it was there a second before that request was sent. One
    /// whose create was overdue may have arrived after the look-up.
    fn is_denied(&self, request: &InFlight, uid: &str, name: &str, outcome: Outcome) -> bool {
        let overdue = self.ghost.overdue.contains(&(uid.into(), name.into()));
        if outcome == Outcome::Executed || overdue {
            return false;
        }
        let job = self.server.jobs.get(name).filter(|job| job.genuine && *job.view.owner == *uid);
        job.is_some_and(|job| job.view.created.0 < request.sent)
    }

    /// `last*` names the handled period with the greatest chosen time, and the watermark is in the past.
    fn check_last(&mut self, stored: &KronJobView, status: &KronJobStatus) {
        let before = stored.status.as_ref().ok();
        let last = |status: &KronJobStatus| status.last_chosen_time.zip(status.last_period_id);
        if before
            .and_then(last)
            .is_some_and(|before| status.last_chosen_time.is_some() && last(status) < Some(before))
        {
            self.violate("the status names an earlier period as the last one".to_string());
        }
        let newest = status.periods.iter().filter_map(|entry| entry.chosen_time).max();
        if status.last_chosen_time.is_some() && newest > status.last_chosen_time {
            self.violate("the status does not name the last handled period".to_string());
        }
        let through = status.configuration.as_ref().and_then(|configuration| configuration.handled_through);
        if through.is_some_and(|through| through.0 > self.now) {
            self.violate("the watermark is in the future".to_string());
        }
    }

    /// The watermark passes no period whose start is still to come.
    fn check_watermark(&mut self, request: &InFlight, stored: &KronJobView, status: &KronJobStatus) {
        let through = |status: &KronJobStatus| status.configuration.as_ref()?.handled_through;
        let Some(after) = through(status) else { return };
        let before = stored.status.as_ref().ok().and_then(through);
        let first = before.map_or(after.0 - 86_400, |before| before.0 + 1);
        let Ok(spec) = &request.kronjob.spec else { return };
        let mut passed = spec.job.periods(first..after.0 + 1);
        let now = self.now;
        // One that was decided before an edit moved its start has its outcome.
        let decided = |period: i64| {
            let name = job_name(&stored.key.name, period);
            self.ghost.sends.contains_key(&(stored.uid.clone(), name.into()))
                || self.ghost.outcomes.contains_key(&(stored.uid.clone(), period))
        };
        let coming = |period: &kron_core::Decision<'_>| {
            period.chosen_timestamp() > Some(now) && !decided(period.nominal_timestamp())
        };
        if let Some(period) = passed.find(coming) {
            let period = clock(period.nominal_timestamp());
            self.violate(format!("period {period} counts as handled before its second"));
        }
    }

    /// Whether the status shows that the KronJob is suspended.
    pub(crate) fn is_shown_suspended(&self, place: usize) -> bool {
        let status = self.server.kronjobs[place].view.status.as_ref();
        status.is_ok_and(|status| status.conditions.iter().any(|condition| condition.reason == "Suspended"))
    }

    /// Whether the status shows the outcome of a Job, and no other create of it can arrive.
    pub(crate) fn is_final(&self, job: &StoredJob) -> bool {
        let view = &job.view;
        let shown = match view.period {
            Some(period) => self.ghost.outcomes.contains_key(&(view.owner.clone(), period.0)),
            None => self.ghost.run_now.contains_key(&*view.owner),
        };
        let sent = |request: &InFlight| {
            request.answer.is_none() && request.call.creates().is_some_and(|(_, name)| *name == *view.name)
        };
        shown && !self.wire.iter().any(|request| sent(request))
    }

    /// Once nothing more disturbs it: whether everything that was due is handled.
    pub(crate) fn check_handled(&self) -> Result<(), String> {
        for stored in &self.server.kronjobs {
            let (Ok(spec), Ok(status)) = (&stored.view.spec, &stored.view.status) else { continue };
            if stored.view.suspended {
                continue;
            }
            let Some(configuration) = &status.configuration else {
                return Err("the status of a KronJob was never written".to_string());
            };
            let handled = |period: i64| {
                configuration.handled_through.is_some_and(|through| period <= through.0)
                    || status.last_period_id.is_some_and(|last| last.0 == period)
                    || status.periods.iter().any(|entry| entry.period_id.0 == period)
            };
            let over = |period: &kron_core::Decision<'_>| match period.chosen_timestamp() {
                Some(chosen) => configuration.since.0 < chosen && chosen + self.case.deadline < self.now,
                None => {
                    let end = period.window_end_timestamp();
                    configuration.since.0 < end && end < self.now
                }
            };
            let due = spec.job.periods(configuration.since.0 - 86_400..self.now);
            if let Some(period) = due.filter(over).find(|period| !handled(period.nominal_timestamp())) {
                let period = clock(period.nominal_timestamp());
                return Err(format!("period {period} is never handled, though nothing disturbs any more"));
            }
            let named: BTreeSet<&str> = status.active.iter().map(|job| job.name.as_str()).collect();
            let own =
                self.server.jobs.values().filter(|job| job.labelled && *job.view.owner == *stored.view.uid);
            let active: BTreeSet<&str> =
                own.filter(|job| job.view.is_active()).map(|job| &*job.view.name).collect();
            // A process knows a hidden Job by the answer to its create or to a look-up, or not at all.
            if named.symmetric_difference(&active).any(|name| !self.ghost.hidden.contains(*name)) {
                return Err(
                    "the status does not name the active Jobs, though nothing disturbs any more".to_string()
                );
            }
            // One that was claimed or started is handled, too, after it was taken back.
            let name = run_now_job_name(&stored.view.key.name, TOKEN);
            let claimed = status.last_run_now.as_deref();
            let asked = stored.view.run_now.is_some()
                || claimed.is_some_and(|run| run.outcome.is_none())
                || self.ghost.made.contains_key(&(stored.view.uid.clone(), name.into()));
            if asked && claimed.and_then(|run| run.outcome).is_none() {
                return Err("the token is never handled, though nothing disturbs any more".to_string());
            }
        }
        Ok(())
    }
}
