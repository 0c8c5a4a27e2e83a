//! Requests on their way: sent by a process, carried out by the server, and answered.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use kron_crd::Time;
use kron_host::Trigger;
use kron_operator::client::Failure;
use kron_operator::new_job::job;
use kron_operator::object::{JobView, KronJobView};
use kron_operator::plan::{Lane, Observation, Purpose, Request, Response};

use crate::case::Shared;
use crate::process::Process;
use crate::server::{Event, Server};
use crate::wire::{AllJobs, Call, InFlight, refusal};
use crate::world::World;

/// How many requests a process may send in one second.
const REQUESTS: u8 = 24;

/// What determines a Job: the TTL of the template, the UID of the KronJob, and what it is for.
type Made = (Option<i64>, Arc<str>, Trigger);

thread_local! {
    /// The Jobs that `new_job::job` makes: each is made once.
    static JOBS: RefCell<HashMap<Made, JobView>> = RefCell::default();
}

/// The Job that the operator sends, as the server reads it. It is sent for specs that can be read only.
fn job_view(kronjob: &KronJobView, trigger: &Trigger, name: &str) -> JobView {
    let made = || {
        let spec = kronjob.spec.as_ref().ok()?;
        let key = (spec.ttl, kronjob.uid.clone(), trigger.clone());
        if let Some(known) = JOBS.with_borrow(|jobs| jobs.get(&key).cloned()) {
            return Some(known);
        }
        let body = job(kronjob, spec.template.as_deref()?, trigger, name);
        let view = JobView::read(&serde_json::from_value(body).ok()?);
        JOBS.with_borrow_mut(|jobs| jobs.insert(key, view.clone()));
        Some(view)
    };
    made().unwrap_or_else(|| unreachable!("{name} cannot be made"))
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
        let request = match request {
            Request::Create { what: Purpose::Start(trigger), name }
            // No admission changes a TTL here, so the dry run before a create that repeats another one says nothing.
            | Request::DryRun { trigger, name, repeats: true, .. } => {
                Request::Create { what: Purpose::Start(trigger), name }
            }
            Request::UpdateStatus { .. } if !contended => {
                process.status_writes.clear();
                request
            }
            Request::UpdateStatus { .. } => {
                if let Some(until) = process.count_status_write(place, now) {
                    process.observe(&kronjob, term, Observation::Postponed(&request, until), now);
                    process.set_busy(&kronjob, lane, false);
                    process.touch(now);
                    return;
                }
                request
            }
            // It changes nothing at the server, and nothing waits for it, so it is answered at once.
            Request::DryRun { ref trigger, ref name, .. } => {
                let answer = Response::Job(Some(Arc::new(job_view(&kronjob, trigger, name))));
                process.answered(&kronjob, term, &request, &answer, now);
                process.set_busy(&kronjob, lane, false);
                process.touch(now);
                return;
            }
            Request::Create { what: Purpose::Primer(_), .. } => unreachable!("no case has primers"),
            request => request,
        };
        // Whether a start waits for a write and which Events it has makes no other state.
        let request = match request {
            Request::UpdateStatus { status, fence, .. } => {
                Request::UpdateStatus { status, urgent: false, fence, ended: Vec::new() }
            }
            request => request,
        };
        let process = self.process(from);
        process.observe(&kronjob, term, Observation::Sending(&request), now);
        let call = Call::Own(Arc::new(request));
        if let Some((trigger, name)) = call.creates() {
            self.check_send(from, place, &kronjob, trigger, name);
        }
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
            overdue: false,
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
            overdue: false,
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
            Some(failure) => (refusal(failure), Vec::new()),
            None => self.carry_out(&mut request),
        };
        if request.call.creates().is_none() {
            self.note_answer(&answer);
        }
        if request.awaited {
            self.finish(&request, &answer);
        }
        self.publish(events);
    }

    /// The answer, or its absence, reaches the process.
    pub(crate) fn finish(&mut self, request: &InFlight, answer: &Response) {
        let now = self.now;
        let from = request.from as u8;
        let process = self.process(from);
        let shared = request.call.is_shared();
        let earlier = !shared && process.term() != Some(request.term);
        let observed =
            |process: &Process| earlier.then(|| process.observed(&request.kronjob).cloned()).flatten();
        let before = observed(process);
        let follows = match &request.call {
            Call::Own(own) => process.answered(&request.kronjob, request.term, own, answer, now),
            call => process.shared(call, answer, now),
        };
        let after = observed(process);
        match follows {
            Some(call) => {
                let next = InFlight {
                    call,
                    answer: None,
                    late: shared,
                    overdue: false,
                    sent: now,
                    ..request.clone()
                };
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
        // A KronJob that is gone, or another one, is a change of objects.
        if before.zip(after).is_some_and(|(before, after)| before != after) {
            self.violate(format!("{}: the answer is entered in a later term", request.describe()));
        }
    }

    /// The server carries a request out.
    pub(crate) fn carry_out(&mut self, request: &mut InFlight) -> (Response, Vec<Event>) {
        let get = |server: &Server, name: &str| server.jobs.get(name).map(|job| job.view.clone());
        let answer = match request.call.clone() {
            Call::Own(own) => return self.carry_out_own(request, &own),
            Call::ListAll(list) => {
                for (_, key) in list.0.served() {
                    let place = self.server.place(key);
                    place.into_iter().for_each(|place| self.note_list(place, &request.holder));
                }
                self.server.list_all()
            }
            Call::ReadListed { names, .. } => {
                names.iter().filter_map(|name| get(&self.server, name)).map(Arc::unwrap_or_clone).collect()
            }
        };
        (Response::Jobs(answer), Vec::new())
    }

    fn carry_out_own(&mut self, request: &InFlight, own: &Request) -> (Response, Vec<Event>) {
        let now = self.now;
        let get = |server: &Server, name: &str| server.jobs.get(name).map(|job| job.view.clone());
        let answer = match own {
            Request::Create { what: Purpose::Start(trigger), name } => {
                if self.server.jobs.contains_key(&**name) {
                    return (refusal(Failure::AlreadyExists), Vec::new());
                }
                let mut view = job_view(&request.kronjob, trigger, name);
                let times = self.check_create(request, trigger, &view);
                view.uid = format!("{name}.{times}").into();
                view.created = Time(now);
                let events = Arc::make_mut(&mut self.server).put_job(&view, true, true);
                return (Response::Job(get(&self.server, name)), events);
            }
            Request::Get { name, .. } => Response::Job(get(&self.server, name)),
            Request::List => {
                self.note_list(request.place, &request.holder);
                Response::Jobs(self.server.list(&request.kronjob.key))
            }
            Request::Delete { name, uid, .. } => match get(&self.server, name) {
                None => refusal(Failure::NotFound),
                Some(job) if *job.uid != **uid => refusal(Failure::Conflict),
                Some(_) => return (Response::Done, Arc::make_mut(&mut self.server).remove_job(name)),
            },
            Request::UpdateStatus { status, .. } => {
                let place = request.place;
                let stored: Shared = self.server.kronjobs[place].view.clone();
                if stored.uid != request.kronjob.uid
                    || stored.resource_version != request.kronjob.resource_version
                {
                    return (refusal(Failure::Conflict), Vec::new());
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
                    return (Response::KronJob(Some(stored)), Vec::new());
                }
                let event = Arc::make_mut(&mut self.server).put_kronjob(place, view);
                let kept = self.server.kronjobs[place].view.clone();
                return (Response::KronJob(Some(kept)), vec![event]);
            }
            Request::GetKronJob => {
                let place = self.server.place(&request.kronjob.key);
                Response::KronJob(place.map(|place| self.server.kronjobs[place].view.clone()))
            }
            Request::Create { .. } | Request::DryRun { .. } => unreachable!("{own:?} is not sent"),
        };
        (answer, Vec::new())
    }
}
