//! What each step makes of a state.

use std::sync::Arc;

use kron_crd::Time;
use kron_operator::client::Failure;
use kron_operator::object::{Finished, JobView, KronJobView, Version};
use kron_operator::plan::Observation;

use crate::case::{NAMESPACE, TOKEN, UNREADABLE};
use crate::faults::Fault;
use crate::process::Process;
use crate::server::{Event, StoredJob, uid};
use crate::step::Step;
use crate::times::time;
use crate::wire::{TOO_MANY_REQUESTS, refusal};
use crate::world::World;

/// After how many seconds without running a process notices it.
const PAUSE_SECONDS: i64 = 8;

impl World {
    /// Makes a step that is possible in this state.
    pub fn apply(&mut self, step: Step) {
        let now = self.now;
        match step {
            Step::Tick => self.tick(),
            Step::Fault(fault, one, other) => self.disturb(fault, one, other),
            Step::Send(from, place, lane) => self.send(from, usize::from(place), lane),
            Step::Serve(index) => self.serve(index, None),
            Step::Execute(index) => {
                let mut request = self.take(index);
                let (answer, events) = self.carry_out(&mut request);
                if request.awaited {
                    request.answer = Some(Arc::new(answer));
                    self.wire.push(Arc::new(request));
                }
                self.publish(events);
            }
            Step::Answer(index) => {
                let request = self.take(index);
                let answer = request.answer.clone();
                self.finish(&request, answer.as_deref().unwrap_or(&refusal(Failure::Ambiguous)));
            }
            Step::TimeOut(index) => {
                let mut request = self.take(index);
                self.finish(&request, &refusal(Failure::Ambiguous));
                if request.answer.is_none() && request.call.writes() {
                    request.awaited = false;
                    self.wire.push(Arc::new(request));
                }
            }
            Step::Start(index) => {
                self.started += 1;
                let holder = format!("process-{:02}", self.started);
                *self.process(index) = Process::started(holder, &self.server.clone(), self.case.blind);
            }
            Step::Lead(index) => {
                // The one that was stopped leads again if it goes on now.
                if self.processes.iter().any(|process| process.leads()) {
                    self.budget.spend(Fault::Rival);
                }
                self.lead(index);
            }
            Step::Deliver(index, kind) => {
                if let Some(event) = self.process(index).queues[usize::from(kind)].pop_front() {
                    self.process(index).deliver(&event, now);
                }
            }
            Step::Release(index, kind) => {
                let process = self.process(index);
                process.held[usize::from(kind)] = false;
                process.behind[usize::from(kind)] = false;
                self.drain(index);
            }
            Step::Continue(index) => self.go_on(index),
            Step::Unstall(index) => {
                let process = self.process(index);
                process.stalled = false;
                process.touch(now);
            }
            Step::Complete(index) => self.change_job(index, |job| {
                let job = Arc::make_mut(&mut job.view);
                job.started = Some(job.created);
                job.finished = Some(Finished { successfully: true, time: Time(now) });
            }),
            Step::Expire(index) => self.remove_job(index),
            Step::Repair(place) => self.edit(usize::from(place), 0, None),
            Step::Resume(place) => {
                let place = usize::from(place);
                // The operator knows of the suspension if the status says so.
                let known = self.is_shown_suspended(place);
                self.edit(place, 0, Some(false));
                if known {
                    let stored = &mut Arc::make_mut(&mut self.server).kronjobs[place];
                    stored.configured = (stored.view.generation, now);
                }
            }
        }
    }

    /// A fault happens, where [`World::places`] says that it can.
    fn disturb(&mut self, fault: Fault, one: u8, other: u8) {
        self.budget.spend(fault);
        let now = self.now;
        match fault {
            Fault::Crash => {
                *self.process(one) = Process::ended();
                self.wire.retain(|request| {
                    request.from != usize::from(one) || request.answer.is_none() && request.call.writes()
                });
                for request in &mut self.wire {
                    if request.from == usize::from(one) {
                        let request = Arc::make_mut(request);
                        (request.late, request.awaited) = (true, false);
                    }
                }
            }
            Fault::Resign => self.process(one).resign(),
            Fault::Rival => self.lead(one),
            Fault::HoldKronJobs => self.process(one).held[0] = true,
            Fault::HoldJobs => self.process(one).held[1] = true,
            Fault::RelistKronJobs => self.relist(one, 0),
            Fault::RelistJobs => self.relist(one, 1),
            Fault::Share => self.share(one),
            Fault::Pause => {
                self.process(one).paused = Some(now);
                for request in &mut self.wire {
                    if request.from == usize::from(one) {
                        Arc::make_mut(request).late = true;
                    }
                }
            }
            Fault::Stall => self.process(one).stalled = true,
            Fault::Late => Arc::make_mut(&mut self.wire[usize::from(one)]).late = true,
            Fault::Overdue => {
                let request = Arc::make_mut(&mut self.wire[usize::from(one)]);
                (request.late, request.overdue) = (true, true);
            }
            Fault::Lost => {
                let mut request = self.take(one);
                let events = self.carry_out(&mut request).1;
                self.finish(&request, &refusal(Failure::Ambiguous));
                self.publish(events);
            }
            Fault::Vanish => self.serve(one, Some(Failure::Ambiguous)),
            Fault::Refuse => self.serve(one, Some(TOO_MANY_REQUESTS)),
            Fault::Invalid => {
                let request = Arc::make_mut(&mut self.wire[usize::from(one)]);
                (request.late, request.answer) = (true, Some(Arc::new(refusal(Failure::Invalid))));
            }
            Fault::Edit => self.edit(usize::from(one), usize::from(other), None),
            Fault::Unreadable => self.edit(usize::from(one), UNREADABLE, None),
            Fault::Suspend => self.edit(usize::from(one), 0, Some(true)),
            Fault::RunNow | Fault::TakeBack => {
                let place = usize::from(one);
                let stored = &self.server.kronjobs[place].view;
                let run_now = (fault == Fault::RunNow).then(|| TOKEN.into());
                let view = KronJobView { run_now, ..(**stored).clone() };
                let event = Arc::make_mut(&mut self.server).put_kronjob(place, view);
                self.publish(vec![event]);
            }
            Fault::Recreate => self.recreate(usize::from(one)),
            Fault::Foreign => {
                let (name, _) = self.period_job(one, other);
                self.put_job(job_of(&name, "somebody", None, now), true);
            }
            Fault::Forge => {
                let (name, nominal) = self.period_job(one, other);
                let owner = self.server.kronjobs[usize::from(one)].view.uid.clone();
                self.put_job(job_of(&format!("{name}-forged"), &owner, Some(Time(nominal)), now), true);
            }
            Fault::Relabel => self.relabel(one, other),
            Fault::Delete => self.remove_job(one),
        }
    }

    fn lead(&mut self, index: u8) {
        let now = self.now;
        self.process(index).lead(now);
        let holder = self.process(index).holder.clone();
        let ghost = Arc::make_mut(&mut self.ghost);
        for (place, stored) in self.server.kronjobs.iter().enumerate() {
            ghost.lists(place, &stored.view.uid, &holder, false);
        }
    }

    fn relist(&mut self, index: u8, kind: usize) {
        let (list, missed) = self.server.list_to_watch(kind);
        self.process(index).relist(kind, list);
        self.process(index).queues[kind].extend(missed);
    }

    fn relabel(&mut self, index: u8, how: u8) {
        let name = self.server.jobs.keys().nth(usize::from(index)).cloned();
        if let Some(name) = name.filter(|_| how > 2) {
            Arc::make_mut(&mut self.ghost).hide(&name);
        }
        let mut labelled = true;
        self.change_job(index, |job| {
            job.genuine = false;
            let view = Arc::make_mut(&mut job.view);
            match how {
                0 => view.period = view.period.map(|period| Time(period.0 + 600)),
                1 => view.period = None,
                2 => view.run_now = Some(TOKEN.into()),
                _ => labelled = false,
            }
            job.labelled = labelled;
        });
    }

    fn put_job(&mut self, view: JobView, labelled: bool) {
        let events = Arc::make_mut(&mut self.server).put_job(&view, labelled, false);
        self.publish(events);
    }

    fn change_job(&mut self, index: u8, change: impl FnOnce(&mut StoredJob)) {
        let Some(mut job) = self.server.jobs.values().nth(usize::from(index)).cloned() else { return };
        change(&mut job);
        let events = Arc::make_mut(&mut self.server).put_job(&job.view, job.labelled, job.genuine);
        self.publish(events);
    }

    fn remove_job(&mut self, index: u8) {
        let Some(name) = self.server.jobs.keys().nth(usize::from(index)).cloned() else { return };
        let events = Arc::make_mut(&mut self.server).remove_job(&name);
        self.publish(events);
    }

    fn edit(&mut self, place: usize, edit: usize, suspend: Option<bool>) {
        let now = self.now;
        let stored = &self.server.kronjobs[place];
        let suspended = suspend.unwrap_or(stored.view.suspended);
        let edit = if suspend.is_some() { stored.edit } else { edit };
        let view = self.case.with_spec(place, &stored.view, edit, suspended);
        // The second edit moves starts, and leaves nominal times and draws as they are.
        let configures = (edit == 1) != (stored.edit == 1);
        let server = Arc::make_mut(&mut self.server);
        let stored = &mut server.kronjobs[place];
        stored.edit = edit;
        if configures {
            stored.configured = (view.generation, now);
        }
        let event = server.put_kronjob(place, view);
        self.publish(vec![event]);
    }

    fn recreate(&mut self, place: usize) {
        let now = self.now;
        let server = Arc::make_mut(&mut self.server);
        let stored = &mut server.kronjobs[place];
        let gone = Event::KronJobGone(stored.view.key.clone(), stored.view.uid.clone());
        stored.life += 1;
        stored.edit = 0;
        let mut view = self.case.created(place, uid(self.case.names[place], stored.life));
        view.created = Time(now);
        stored.configured = (view.generation, now);
        let event = server.put_kronjob(place, view);
        Arc::make_mut(&mut self.ghost).recreated(place);
        self.publish(vec![gone, event]);
    }

    fn tick(&mut self) {
        let Some(next) = self.next_instant() else { return };
        self.now = next;
        // What is on its way for too long never arrives.
        self.wire.retain(|request| request.awaited || !request.is_gone(next));
        for request in self.wire.iter_mut().filter(|request| request.is_gone(next)) {
            Arc::make_mut(request).answer = Some(Arc::new(refusal(Failure::Ambiguous)));
        }
        for index in [0, 1] {
            self.process(index).tick(next);
        }
    }

    fn go_on(&mut self, index: u8) {
        let now = self.now;
        // Its Lease ended meanwhile, and it knows by a clock that went on.
        if self.processes[1 - usize::from(index)].leads() {
            self.process(index).resign();
        }
        let process = self.process(index);
        let paused = process.paused.take();
        if paused.is_some_and(|paused| now - paused >= PAUSE_SECONDS)
            && let Some(state) = &mut process.state
        {
            state.observe_all(&Observation::Paused, time(now));
        }
        // Its timers and workers may be faster than its watches.
        for kind in [0, 1] {
            process.behind[kind] = !process.held[kind] && !process.queues[kind].is_empty();
            process.held[kind] |= process.behind[kind];
        }
        process.tick(now);
        process.touch(now);
    }

    /// Watches that are not late deliver what there is.
    fn drain(&mut self, index: u8) {
        let now = self.now;
        let process = self.process(index);
        if process.paused.is_some() {
            return;
        }
        for kind in [0, 1] {
            while let Some(event) = (!process.held[kind]).then(|| process.queues[kind].pop_front()).flatten()
            {
                process.deliver(&event, now);
            }
        }
    }

    /// The watches send events.
    pub(crate) fn publish(&mut self, events: Vec<Event>) {
        for index in [0, 1] {
            if self.processes[usize::from(index)].state.is_none() || events.is_empty() {
                continue;
            }
            let process = self.process(index);
            events.iter().for_each(|event| process.queues[event.watch()].push_back(event.clone()));
            self.drain(index);
        }
    }
}

/// A Job that the operator did not make.
fn job_of(name: &str, owner: &str, period: Option<Time>, now: i64) -> JobView {
    JobView {
        namespace: NAMESPACE.into(),
        name: name.into(),
        uid: format!("{name}.other").into(),
        version: Version(0),
        owner: owner.into(),
        period,
        run_now: None,
        primer_for: None,
        ttl: None,
        created: Time(now),
        started: None,
        finished: None,
        deleting: false,
    }
}
