//! Requests on their way: sent by a process, carried out by the server, and answered.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use kron_crd::Time;
use kron_host::{ListKind, Trigger};
use kron_operator::client::Failure;
use kron_operator::new_job::job;
use kron_operator::object::{JobView, KronJobView};
use kron_operator::plan::{Lane, Observation, Request};

use crate::case::Shared;
use crate::server::{Event, Server};
use crate::wire::{AllJobs, Answer, Call, Good, InFlight, refusal};
use crate::world::World;

/// How many requests a process may send in one second.
const REQUESTS: u8 = 24;

/// What determines a Job: the TTL of the template, the UID of the KronJob, and what it is for.
type Made = (Option<i64>, Arc<str>, Trigger);

thread_local! {
    /// The Jobs that `new_job::job` makes: each is made once.
    static JOBS: RefCell<HashMap<Made, JobView>> = RefCell::default();
}

/// The Job that the operator sends, as the server reads it.
fn job_view(kronjob: &KronJobView, trigger: &Trigger, name: &str) -> Option<JobView> {
    let spec = kronjob.spec.as_ref().ok()?;
    let key = (spec.ttl, kronjob.uid.clone(), trigger.clone());
    if let Some(known) = JOBS.with_borrow(|jobs| jobs.get(&key).cloned()) {
        return Some(known);
    }
    let body = job(kronjob, spec.template.as_deref()?, trigger, name);
    let view = JobView::read(&serde_json::from_value(body).ok()?);
    JOBS.with_borrow_mut(|jobs| jobs.insert(key, view.clone()));
    Some(view)
}

impl World {
    pub(crate) fn send(&mut self, from: u8, place: usize, lane: u8) {
        let now = self.now;
        let key = self.case.key(place);
        let contended = self.is_contended();
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
            Request::List => {
                process.observe(&kronjob, term, Observation::Listing(ListKind::Own), now);
                Call::List
            }
            Request::Check { name, uid } => Call::Check { name, uid },
            Request::Delete { what, name, uid } => Call::Delete { what, name, uid },
            Request::LookUp { trigger, name } => Call::LookUp { trigger, name },
            // No admission changes a TTL here, so the dry run before a create that repeats another one says nothing.
            Request::Create { trigger, name } | Request::TryAgain { trigger, name, .. } => {
                let Some(job) = job_view(&kronjob, &trigger, &name) else { return };
                process.observe(&kronjob, term, Observation::Creating(&trigger), now);
                self.check_send(from, place, &kronjob, &trigger, &name);
                Call::Create { trigger, job: Arc::new(job) }
            }
            Request::UpdateStatus { status, .. } => {
                if !contended {
                    process.status_writes.clear();
                } else if let Some(until) = process.count_status_write(place, now) {
                    process.observe(&kronjob, term, Observation::StatusPostponed { until }, now);
                    process.set_busy(&kronjob, lane, false);
                    process.touch(now);
                    return;
                }
                process.writing(&kronjob, term, &status, now);
                Call::Update { status: Arc::new(*status) }
            }
            Request::DryRun { generation, trigger, name } => {
                let Some(job) = job_view(&kronjob, &trigger, &name) else { return };
                process.dry_run_accepted(&kronjob, term, generation, &job, now);
                process.set_busy(&kronjob, lane, false);
                process.touch(now);
                return;
            }
            Request::CreatePrimer { .. } => unreachable!("no case has primers"),
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

    /// Whether two leaders see different things, and may undo each other's writes as fast as the server answers.
    fn is_contended(&self) -> bool {
        let mut watches =
            self.processes.iter().flat_map(|process| process.held.iter().chain(&process.behind));
        self.processes.iter().all(|process| process.leads()) && watches.any(|is_late| *is_late)
    }

    /// A leader lists all Jobs at once.
    pub(crate) fn share(&mut self, from: u8) {
        let now = self.now;
        let process = self.process(from);
        let Some(list) = process.share(now) else { return };
        let kronjob = list.served().next().and_then(|(_, key)| process.kronjob(key));
        let (Some(kronjob), holder) = (kronjob, process.holder.clone()) else { return };
        self.push(InFlight {
            from: from.into(),
            holder,
            term: list.term,
            place: 0,
            kronjob,
            // It is in none.
            lane: Lane::Background,
            call: Call::ListAll(AllJobs(list)),
            answer: None,
            // It has many pages.
            late: true,
            awaited: true,
            sent: now,
        });
    }

    fn push(&mut self, request: InFlight) {
        self.wire.push(Arc::new(request));
    }

    /// Takes a request off the wire.
    pub(crate) fn take(&mut self, index: u8) -> InFlight {
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

    /// The answer, or its absence, reaches the process.
    pub(crate) fn finish(&mut self, request: &InFlight, answer: &Answer) {
        let now = self.now;
        let from = request.from as u8;
        let process = self.process(from);
        let shared = request.call.is_shared();
        let follows = match shared {
            true => process.shared(&request.call, answer, now),
            false => process.answered(&request.kronjob, request.term, &request.call, answer, now),
        };
        match follows {
            Some(call) => {
                let next = InFlight { call, answer: None, late: shared, sent: now, ..request.clone() };
                self.push(next);
                self.process(from).touch(now);
            }
            None => {
                if !shared {
                    process.set_busy(&request.kronjob, request.lane, false);
                }
                process.touch(now);
            }
        }
    }

    /// The server carries a request out.
    pub(crate) fn carry_out(&mut self, request: &mut InFlight) -> (Answer, Vec<Event>) {
        let now = self.now;
        let get = |server: &Server, name: &str| server.jobs.get(name).map(|job| job.view.clone());
        match &request.call {
            Call::Create { trigger, job } => {
                if self.server.jobs.contains_key(&job.name) {
                    return (Err(refusal(Failure::AlreadyExists)), Vec::new());
                }
                let times = self.check_create(request, trigger, job);
                let mut view = (**job).clone();
                view.uid = format!("{}.{times}", job.name).into();
                view.created = Time(now);
                let events = Arc::make_mut(&mut self.server).put_job(&view, true, true);
                (Ok(Good::Job(get(&self.server, &view.name))), events)
            }
            Call::GetExisting { name, .. } | Call::LookUp { name, .. } | Call::Check { name, .. } => {
                (Ok(Good::Job(get(&self.server, name))), Vec::new())
            }
            Call::List => {
                Arc::make_mut(&mut self.ghost).lists(request.place, &request.holder, true);
                (Ok(Good::Jobs(self.server.list(&request.kronjob.key))), Vec::new())
            }
            Call::ListAll(list) => {
                for (_, key) in list.0.served() {
                    let place = self.server.place(key);
                    let ghost = Arc::make_mut(&mut self.ghost);
                    place.into_iter().for_each(|place| ghost.lists(place, &request.holder, true));
                }
                (Ok(Good::Jobs(self.server.list_all())), Vec::new())
            }
            Call::ReadListed { names, .. } => {
                let found = names.iter().filter_map(|name| get(&self.server, name));
                (Ok(Good::Jobs(found.map(Arc::unwrap_or_clone).collect())), Vec::new())
            }
            Call::Delete { name, uid, .. } => match get(&self.server, name) {
                None => (Err(refusal(Failure::NotFound)), Vec::new()),
                Some(job) if *job.uid != **uid => (Err(refusal(Failure::Conflict)), Vec::new()),
                Some(_) => {
                    let events = Arc::make_mut(&mut self.server).remove_job(name);
                    (Ok(Good::Done), events)
                }
            },
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
}
