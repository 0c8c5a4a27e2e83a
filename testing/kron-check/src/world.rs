//! The state of a run, and what each step makes of it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use kron_host::names::job_name;
use kron_operator::client::Failure;
use kron_operator::crd::Time;
use kron_operator::new_job::{Purpose, job};
use kron_operator::object::{Finished, JobView, KronJobView, Version};
use kron_operator::plan::{Lane, Observation, Request};

use crate::budget::{Budget, Fault};
use crate::case::{BEGIN, Case, NAMESPACE, Shared, TOKEN};
use crate::process::{Process, time};
use crate::property::Ghost;
use crate::server::{Event, Server, StoredJob, uid};
use crate::step::Step;
use crate::wire::{Answer, Call, Good, InFlight, TOO_MANY_REQUESTS, refusal};

/// For how many seconds a process waits for an answer, as `Options::request_limit` says.
pub const ANSWER_SECONDS: i64 = 8;
/// A request whose sender no longer waits arrives within this many seconds after it was sent, or never.
pub const ARRIVAL_SECONDS: i64 = 10;
/// After how many seconds without running a leader has lost its Lease.
pub(crate) const LEASE_SECONDS: i64 = 15;
/// After how many seconds without running a process notices it.
const PAUSE_SECONDS: i64 = 8;
/// How many requests a process may send in one second.
const REQUESTS: u8 = 24;

/// A state.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) case: Arc<Case>,
    pub(crate) now: i64,
    pub(crate) server: Arc<Server>,
    pub(crate) processes: [Arc<Process>; 2],
    pub(crate) wire: Vec<Arc<InFlight>>,
    pub(crate) budget: Budget,
    pub(crate) ghost: Arc<Ghost>,
    /// Counts processes, for their names.
    pub(crate) started: u8,
    pub(crate) violation: Option<String>,
}

/// A Unix second as the time of day.
pub(crate) fn clock(second: i64) -> String {
    time(second).format("%H:%M:%S").to_string()
}

/// What a Job follows from: the TTL of the template, the UID of the KronJob, and what it is for.
type Made = (Option<i64>, Arc<str>, Purpose);

thread_local! {
    /// The Jobs that `new_job::job` makes: each is made once.
    static JOBS: RefCell<HashMap<Made, JobView>> = RefCell::default();
}

/// The Job that the operator sends, as the server reads it.
fn job_view(kronjob: &KronJobView, purpose: &Purpose, name: &str) -> Option<JobView> {
    let spec = kronjob.spec.as_ref().ok()?;
    let key = (spec.ttl, kronjob.uid.clone(), purpose.clone());
    if let Some(known) = JOBS.with_borrow(|jobs| jobs.get(&key).cloned()) {
        return Some(known);
    }
    let body = job(kronjob, spec.template.as_deref()?, purpose, name);
    let view = JobView::read(&serde_json::from_value(body).ok()?);
    JOBS.with_borrow_mut(|jobs| jobs.insert(key, view.clone()));
    Some(view)
}

impl World {
    /// The first state: one process leads, the other one is on standby.
    pub fn new(case: Arc<Case>, budget: Budget) -> World {
        let server = Arc::new(Server::new(&case));
        let mut leader = Process::started("process-01".into(), &server);
        leader.lead(BEGIN);
        let standby = Process::started("process-02".into(), &server);
        let ghost = Arc::new(Ghost::new(case.names.len()));
        World {
            case,
            now: BEGIN,
            server,
            processes: [Arc::new(leader), Arc::new(standby)],
            wire: Vec::new(),
            budget,
            ghost,
            started: 2,
            violation: None,
        }
    }

    /// What is wrong in this state.
    pub fn violation(&self) -> Option<&str> {
        self.violation.as_deref()
    }

    /// The time of day.
    pub fn clock(&self) -> String {
        clock(self.now)
    }

    pub(crate) fn process(&mut self, index: u8) -> &mut Process {
        Arc::make_mut(&mut self.processes[usize::from(index)])
    }

    pub(crate) fn violate(&mut self, what: String) {
        self.violation.get_or_insert(what);
    }

    /// The next second at which something can happen.
    pub(crate) fn next_instant(&self) -> Option<i64> {
        let timers = self.processes.iter().filter_map(|process| process.next_timer());
        let stops = self.case.stops.iter().copied();
        let ttl = self.server.jobs.values().filter_map(|job| expires(&job.view));
        let next = timers.map(|timer| timer.max(self.now + 1)).chain(stops).chain(ttl);
        next.filter(|next| *next > self.now && *next <= self.case.end).min()
    }

    /// Makes a step that is possible in this state.
    pub fn apply(&mut self, step: Step) {
        let now = self.now;
        match step {
            Step::Tick => self.tick(),
            Step::Send(from, place, lane) => self.send(from, usize::from(place), lane),
            Step::Serve(index) => self.serve(index, None),
            Step::Lose(index) => {
                self.budget.spend(Fault::Lost);
                let mut request = self.take(index);
                let events = self.carry_out(&mut request).1;
                self.finish(&request, &Err(refusal(Failure::Ambiguous)));
                self.publish(events);
            }
            Step::Vanish(index) => self.fail(index, Fault::Vanish, Failure::Ambiguous),
            Step::Refuse(index) => self.fail(index, Fault::Refuse, TOO_MANY_REQUESTS),
            Step::Invalid(index) => self.fail(index, Fault::Invalid, Failure::Invalid),
            Step::Delay(index) => {
                self.budget.spend(Fault::Late);
                Arc::make_mut(&mut self.wire[usize::from(index)]).late = true;
            }
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
                self.finish(&request, answer.as_deref().unwrap_or(&Err(refusal(Failure::Ambiguous))));
            }
            Step::TimeOut(index) => {
                let mut request = self.take(index);
                self.finish(&request, &Err(refusal(Failure::Ambiguous)));
                if request.answer.is_none() && request.call.writes() {
                    request.awaited = false;
                    self.wire.push(Arc::new(request));
                }
            }
            Step::Crash(index) => {
                self.budget.spend(Fault::Crash);
                *self.process(index) = Process::ended();
                self.wire.retain(|request| {
                    request.from != usize::from(index) || request.answer.is_none() && request.call.writes()
                });
                for request in &mut self.wire {
                    if request.from == usize::from(index) {
                        let request = Arc::make_mut(request);
                        (request.late, request.awaited) = (true, false);
                    }
                }
            }
            Step::Start(index) => {
                self.started += 1;
                let holder = format!("process-{:02}", self.started);
                *self.process(index) = Process::started(holder, &self.server.clone());
            }
            Step::Lead(index) => {
                if self.processes.iter().any(|process| process.leads()) {
                    self.budget.spend(Fault::Rival);
                }
                self.process(index).lead(now);
            }
            Step::Resign(index) => {
                self.budget.spend(Fault::Resign);
                self.process(index).resign();
            }
            Step::Hold(index, kind) => {
                self.budget.spend(Fault::HOLD[usize::from(kind)]);
                self.process(index).held[usize::from(kind)] = true;
            }
            Step::Relist(index, kind) => {
                let kind = usize::from(kind);
                self.budget.spend(Fault::RELIST[kind]);
                let list = self.server.all(kind);
                self.process(index).relist(kind, list);
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
            Step::Pause(index) => {
                self.budget.spend(Fault::Pause);
                self.process(index).paused = Some(now);
                for request in &mut self.wire {
                    if request.from == usize::from(index) {
                        Arc::make_mut(request).late = true;
                    }
                }
            }
            Step::Continue(index) => self.go_on(index),
            Step::Stall(index) => {
                self.budget.spend(Fault::Stall);
                self.process(index).stalled = true;
            }
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
            Step::Delete(index) => {
                self.budget.spend(Fault::Delete);
                self.remove_job(index);
            }
            Step::Edit(place, edit) => {
                self.budget.spend(Fault::Edit);
                self.edit(usize::from(place), usize::from(edit), None);
            }
            Step::Suspend(place) => {
                self.budget.spend(Fault::Suspend);
                self.edit(usize::from(place), 0, Some(true));
            }
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
            Step::RunNow(place) => {
                self.budget.spend(Fault::RunNow);
                let place = usize::from(place);
                let view = KronJobView {
                    run_now: Some(TOKEN.into()),
                    ..(*self.server.kronjobs[place].view).clone()
                };
                let event = Arc::make_mut(&mut self.server).put_kronjob(place, view);
                self.publish(vec![event]);
            }
            Step::Recreate(place) => self.recreate(usize::from(place)),
            Step::Foreign(place, period) => {
                self.budget.spend(Fault::Foreign);
                let (name, _) = self.period_job(place, period);
                self.put_job(job_of(&name, "somebody", None, now), true);
            }
            Step::Forge(place, period) => {
                self.budget.spend(Fault::Forge);
                let (name, nominal) = self.period_job(place, period);
                let owner = self.server.kronjobs[usize::from(place)].view.uid.clone();
                self.put_job(job_of(&format!("{name}-forged"), &owner, Some(Time(nominal)), now), true);
            }
            Step::Relabel(index, how) => {
                self.budget.spend(Fault::Relabel);
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
        }
    }

    /// The name of the Job of a period, counted from 0, and its nominal time.
    pub(crate) fn period_job(&self, place: u8, period: u8) -> (String, i64) {
        let nominal = crate::case::CREATED + 600 * (i64::from(period) + 1);
        (job_name(self.case.names[usize::from(place)], nominal), nominal)
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
        self.budget.spend(Fault::Recreate);
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
        let over = |request: &InFlight| request.answer.is_none() && request.sent + ARRIVAL_SECONDS < next;
        self.wire.retain(|request| request.awaited || !over(request));
        for request in self.wire.iter_mut().filter(|request| over(request)) {
            Arc::make_mut(request).answer = Some(Arc::new(Err(refusal(Failure::Ambiguous))));
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
    fn publish(&mut self, events: Vec<Event>) {
        for index in [0, 1] {
            if self.processes[usize::from(index)].state.is_none() || events.is_empty() {
                continue;
            }
            let process = self.process(index);
            events.iter().for_each(|event| process.queues[event.watch()].push_back(event.clone()));
            self.drain(index);
        }
    }

    fn send(&mut self, from: u8, place: usize, lane: u8) {
        let now = self.now;
        let key = self.case.key(place);
        let process = self.process(from);
        let ready = &process.ready[place];
        let request = ready.iter().find(|request| request.lane() as u8 == lane).cloned();
        let (Some(request), Some(kronjob), Some(term)) = (request, process.kronjob(&key), process.term())
        else {
            return;
        };
        process.requests += 1;
        let too_many = process.requests > REQUESTS;
        let lane = request.lane();
        process.set_busy(&kronjob, lane, true);
        let call = match request {
            Request::List => Call::List,
            Request::Check { name, uid } => Call::Check { name, uid },
            Request::DeleteActive { name, uid } => Call::DeleteActive { name, uid },
            Request::DeleteFinished { name, uid } => Call::DeleteFinished { name, uid },
            Request::LookUp { purpose, name } => Call::LookUp { purpose, name },
            // No admission changes a TTL here, so the dry run before a create that repeats another one says nothing.
            Request::Create { purpose, name } | Request::TryAgain { purpose, name, .. } => {
                let Some(job) = job_view(&kronjob, &purpose, &name) else { return };
                process.observe(&kronjob, term, Observation::Creating(&purpose), now);
                self.check_send(from, place, &kronjob, &purpose, &name);
                Call::Create { purpose, job: Arc::new(job) }
            }
            Request::UpdateStatus { status, .. } => {
                process.writing(&kronjob, term, &status, now);
                Call::Update { status: Arc::new(*status) }
            }
            Request::DryRun { generation, purpose, name } => {
                // It changes nothing at the server, and nothing waits for it.
                let job = job_view(&kronjob, &purpose, &name);
                let answer = Ok(job.as_ref());
                process.observe(&kronjob, term, Observation::DryRunAnswered { generation, answer }, now);
                process.set_busy(&kronjob, lane, false);
                process.touch(now);
                return;
            }
            // No case has primers.
            Request::CreatePrimer { .. } | Request::DeletePrimer { .. } => return,
        };
        let process = self.process(from);
        process.touch(now);
        let holder = process.holder.clone();
        if too_many {
            self.violate(format!("{holder} sends more than {REQUESTS} requests in one second"));
        }
        self.push(InFlight {
            from: from.into(),
            holder,
            term,
            place,
            kronjob,
            lane,
            call,
            answer: None,
            late: false,
            awaited: true,
            sent: now,
        });
    }

    fn push(&mut self, request: InFlight) {
        self.wire.push(Arc::new(request));
    }

    /// Takes a request off the wire.
    fn take(&mut self, index: u8) -> InFlight {
        Arc::unwrap_or_clone(self.wire.remove(usize::from(index)))
    }

    pub(crate) fn serve(&mut self, index: u8, failure: Option<Failure>) {
        let mut request = self.take(index);
        let (answer, events) = match failure {
            Some(failure) => (Err(refusal(failure)), Vec::new()),
            None => self.carry_out(&mut request),
        };
        if request.awaited {
            self.finish(&request, &answer);
        }
        self.publish(events);
    }

    fn fail(&mut self, index: u8, fault: Fault, failure: Failure) {
        self.budget.spend(fault);
        self.serve(index, Some(failure));
    }

    /// The answer, or its absence, reaches the process.
    fn finish(&mut self, request: &InFlight, answer: &Answer) {
        let now = self.now;
        let from = request.from as u8;
        let process = self.process(from);
        let follows = process.answered(&request.kronjob, request.term, &request.call, answer, now);
        match follows {
            Some(call) => {
                let next = InFlight { call, answer: None, late: false, sent: now, ..request.clone() };
                self.push(next);
                self.process(from).touch(now);
            }
            None => {
                process.set_busy(&request.kronjob, request.lane, false);
                process.touch(now);
            }
        }
    }

    /// The server carries a request out.
    fn carry_out(&mut self, request: &mut InFlight) -> (Answer, Vec<Event>) {
        let now = self.now;
        let get = |server: &Server, name: &str| server.jobs.get(name).map(|job| job.view.clone());
        match &request.call {
            Call::Create { purpose, job } => {
                if self.server.jobs.contains_key(&job.name) {
                    return (Err(refusal(Failure::AlreadyExists)), Vec::new());
                }
                let times = self.check_create(request, purpose, job);
                let mut view = (**job).clone();
                view.uid = format!("{}.{times}", job.name).into();
                view.created = Time(now);
                let events = Arc::make_mut(&mut self.server).put_job(&view, true, true);
                (Ok(Good::Job(get(&self.server, &view.name))), events)
            }
            Call::GetExisting { name, .. } | Call::LookUp { name, .. } | Call::Check { name, .. } => {
                let found = get(&self.server, name);
                let creates = |other: &InFlight| {
                    let Call::Create { job, .. } = &other.call else { return false };
                    other.answer.is_none() && *job.name == **name
                };
                let looked_up = matches!(request.call, Call::LookUp { .. });
                if looked_up && found.is_none() && self.wire.iter().any(|other| creates(other)) {
                    Arc::make_mut(&mut self.ghost).overtake(name);
                }
                (Ok(Good::Job(found)), Vec::new())
            }
            Call::List => (Ok(Good::Jobs(self.server.list(&request.kronjob.key))), Vec::new()),
            Call::DeleteActive { name, uid } | Call::DeleteFinished { name, uid } => {
                match get(&self.server, name) {
                    None => (Err(refusal(Failure::NotFound)), Vec::new()),
                    Some(job) if *job.uid != **uid => (Err(refusal(Failure::Conflict)), Vec::new()),
                    Some(_) => {
                        let events = Arc::make_mut(&mut self.server).remove_job(name);
                        (Ok(Good::Done), events)
                    }
                }
            }
            Call::Update { status } => {
                let place = request.place;
                let stored: Shared = self.server.kronjobs[place].view.clone();
                if stored.uid != request.kronjob.uid
                    || stored.resource_version != request.kronjob.resource_version
                {
                    return (Err(refusal(Failure::Conflict)), Vec::new());
                }
                self.check_status(request, &stored, status);
                if let Some(claim) = &status.claim {
                    let process = Arc::make_mut(&mut self.processes[request.from]);
                    if claim.holder == process.holder {
                        process.claimed.insert((stored.uid.clone(), claim.period_id.0));
                    }
                }
                let view = KronJobView { status: Ok((**status).clone()), ..(*stored).clone() };
                // A write that changes nothing makes no version.
                if view.status == stored.status {
                    return (Ok(Good::KronJob(Some(stored))), Vec::new());
                }
                let event = Arc::make_mut(&mut self.server).put_kronjob(place, view);
                let kept = self.server.kronjobs[place].view.clone();
                (Ok(Good::KronJob(Some(kept))), vec![event])
            }
            Call::Refresh => {
                let place = self.server.place(&request.kronjob.key);
                let read = place.map(|place| self.server.kronjobs[place].view.clone());
                (Ok(Good::KronJob(read)), Vec::new())
            }
        }
    }

    pub(crate) fn lanes() -> [Lane; 3] {
        Lane::ALL
    }
}

/// When the cluster removes a Job by itself.
pub(crate) fn expires(job: &JobView) -> Option<i64> {
    Some(job.finished?.time.0 + job.ttl?)
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
