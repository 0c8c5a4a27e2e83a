//! A process of the operator: the engine's own state and the meaning that it gives to answers, and around them a model of its
//! watches, timers and workers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use kron_host::ListNeed;
use kron_operator::engine::shared_lists::SharedList;
use kron_operator::engine::state::{Planned, Source, State, Watched};
use kron_operator::namespaces::Scope;
use kron_operator::object::{Key, KronJobView};
use kron_operator::plan::{Lane, Moment, Observation, Observed, Request, Response};

use crate::server::{Event, Server};
use crate::times::time;
use crate::wire::Call;

/// A process, or the place of one that has ended.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    /// As claims name it.
    pub(crate) holder: String,
    /// What it knows; nothing if it does not run.
    pub(crate) state: Option<State>,
    /// Whether its watches of KronJobs and of Jobs are late.
    pub(crate) held: [bool; 2],
    /// Which of them it has not read since it was stopped.
    pub(crate) behind: [bool; 2],
    /// What the watches have not delivered yet.
    pub(crate) queues: [VecDeque<Event>; 2],
    /// Since when it does not run, though it has not ended.
    pub(crate) paused: Option<i64>,
    /// Whether its workers do nothing.
    pub(crate) stalled: bool,
    /// Requests that are planned and not sent, for each KronJob.
    pub(crate) ready: Vec<Vec<Request>>,
    /// Jobs whose creation it has asked for in this term.
    pub(crate) created: BTreeSet<String>,
    /// Claims of it that the server has stored, by UID and period.
    pub(crate) claimed: BTreeSet<(Arc<str>, i64)>,
    /// The UID of each KronJob that it has read, and the newest generation.
    pub(crate) generations: BTreeMap<Key, (Arc<str>, i64)>,
    /// How many requests it has sent in this second.
    pub(crate) requests: u8,
    /// For each KronJob, since when writes of its status count, and how many there were, while another leader undoes them.
    pub(crate) status_writes: Vec<(i64, u8)>,
}

/// The seconds in which writes of a status count, and how many are made in them. The engine makes 20; fewer are enough to wait
/// for the next span, and have fewer orders.
const SPAN: i64 = 10;
const IN_A_SPAN: u8 = 4;

/// The millisecond at which a request that failed is made again: a second later. The engine waits for longer and longer.
pub(crate) fn retry_at(now: i64) -> i64 {
    (now + 1) * 1000
}

impl Process {
    /// The place of a process that does not run.
    pub(crate) fn ended() -> Process {
        Process {
            holder: String::new(),
            state: None,
            held: [false; 2],
            behind: [false; 2],
            queues: Default::default(),
            paused: None,
            stalled: false,
            ready: Vec::new(),
            created: BTreeSet::new(),
            claimed: BTreeSet::new(),
            generations: BTreeMap::new(),
            requests: 0,
            status_writes: Vec::new(),
        }
    }

    /// A process that has read everything, and does not lead. A blind one reads no more of Jobs.
    pub(crate) fn started(holder: String, server: &Server, blind: bool) -> Process {
        let state = Some(State::new(&holder));
        let ready = vec![Vec::new(); server.kronjobs.len()];
        let mut process = Process { holder, state, ready, ..Process::ended() };
        for kind in [0, 1] {
            process.read(&server.all(kind));
        }
        process.held[1] = blind;
        process
    }

    pub(crate) fn leads(&self) -> bool {
        self.term().is_some()
    }

    pub(crate) fn term(&self) -> Option<u64> {
        self.state.as_ref().and_then(State::term)
    }

    /// Whether it runs now.
    pub(crate) fn runs(&self) -> bool {
        self.state.is_some() && self.paused.is_none()
    }

    /// Whether it has a request to send.
    pub(crate) fn is_ready(&self) -> bool {
        self.runs() && !self.stalled && self.ready.iter().any(|requests| !requests.is_empty())
    }

    /// The second of its next timer.
    pub(crate) fn next_timer(&self) -> Option<i64> {
        let timer = self.state.as_ref().filter(|_| self.paused.is_none())?.next_timer()?;
        Some(timer.div_euclid(1000) + i64::from(timer.rem_euclid(1000) > 0))
    }

    pub(crate) fn lead(&mut self, now: i64) {
        if let Some(state) = &mut self.state {
            state.activate(state.last_term() + 1);
        }
        self.created.clear();
        self.touch(now);
    }

    pub(crate) fn resign(&mut self) {
        if let Some(state) = &mut self.state {
            state.deactivate();
        }
        self.ready.iter_mut().for_each(Vec::clear);
    }

    /// A watch begins again. What it had not delivered is in the list, which is on its way.
    pub(crate) fn relist(&mut self, watch: usize, list: Event) {
        (self.held[watch], self.behind[watch]) = (true, false);
        self.queues[watch] = VecDeque::from([list]);
        if let Some(state) = self.state.as_mut().filter(|_| watch == 1) {
            state.begin_list(Watched::Jobs, &Scope::All);
        }
    }

    /// Takes what a watch delivers, and looks again.
    pub(crate) fn deliver(&mut self, event: &Event, now: i64) {
        self.read(event);
        self.touch(now);
    }

    /// Takes what a watch delivers, as `engine/watches.rs` does.
    fn read(&mut self, event: &Event) {
        let Some(state) = &mut self.state else { return };
        match event {
            Event::KronJob(kronjob) => {
                state.put_kronjob((**kronjob).clone(), Source::Change);
            }
            Event::KronJobGone(key, uid) => {
                if state.kronjob(key).is_some_and(|known| known.uid == *uid) {
                    state.remove_kronjob(key);
                }
            }
            Event::Job(job) => {
                state.put_job((**job).clone(), Source::Change, &Scope::All);
            }
            Event::JobGone(job) => {
                state.job_deleted(job, &Scope::All);
            }
            Event::KronJobs(all) => {
                state.begin_list(Watched::KronJobs, &Scope::All);
                for kronjob in all {
                    state.put_kronjob((**kronjob).clone(), Source::List);
                }
                state.end_list(Watched::KronJobs, &Scope::All);
            }
            Event::Jobs(all) => {
                for job in all {
                    state.put_job((**job).clone(), Source::List, &Scope::All);
                }
                state.end_list(Watched::Jobs, &Scope::All);
            }
        }
    }

    /// Looks at all KronJobs again, as the engine does after each event and answer.
    pub(crate) fn touch(&mut self, now: i64) {
        if self.paused.is_some() {
            return;
        }
        let Some(state) = &mut self.state else { return };
        let mut keys = state.keys();
        // Places are in the order of names.
        keys.sort();
        self.ready.iter_mut().for_each(Vec::clear);
        for (place, key) in keys.iter().enumerate() {
            if let Some(KronJobView { uid, generation, .. }) = state.kronjob(key) {
                match self.generations.get_mut(key) {
                    Some((known, newest)) if known == uid => *newest = (*generation).max(*newest),
                    _ => drop(self.generations.insert(key.clone(), (uid.clone(), *generation))),
                }
            }
            let requests = loop {
                match state.plan(key, time(now)) {
                    None => break Vec::new(),
                    Some(Planned::Search(needed)) => {
                        let result = needed.search.run(&needed.job);
                        state.searched(key, &needed.uid, result);
                    }
                    Some(Planned::Plan(planned)) => break planned.0.requests,
                }
            };
            if let Some(ready) = self.ready.get_mut(place) {
                *ready = requests;
            }
        }
    }

    /// The second has come: the timers that are due decide, and the workers look.
    pub(crate) fn tick(&mut self, now: i64) {
        self.requests = 0;
        if self.paused.is_some() {
            return;
        }
        let Some(state) = &mut self.state else { return };
        let due = state.due(time(now));
        if due.is_empty() {
            return;
        }
        due.iter().for_each(|key| state.evaluate(key, time(now)));
        self.touch(now);
    }

    pub(crate) fn observe(
        &mut self,
        kronjob: &KronJobView,
        term: u64,
        observation: Observation<'_>,
        now: i64,
    ) {
        if let Some(state) = &mut self.state {
            state.observe(&kronjob.key, &kronjob.uid, term, observation, time(now));
        }
    }

    pub(crate) fn set_busy(&mut self, kronjob: &KronJobView, lane: Lane, busy: bool) {
        if let Some(state) = &mut self.state {
            state.set_busy(&kronjob.key, &kronjob.uid, lane, busy);
        }
    }

    /// Counts a write of a status beside another leader, or says from which millisecond on one may be made.
    pub(crate) fn count_status_write(&mut self, place: usize, now: i64) -> Option<i64> {
        self.status_writes.resize(self.ready.len(), (now, 0));
        let (since, count) = &mut self.status_writes[place];
        if now - *since >= SPAN {
            (*since, *count) = (now, 0);
        }
        if *count >= IN_A_SPAN {
            return Some((*since + SPAN) * 1000);
        }
        *count += 1;
        None
    }

    /// Takes the answer to a request. Gives the request that follows from it, if one does.
    pub(crate) fn answered(
        &mut self,
        kronjob: &KronJobView,
        term: u64,
        request: &Request,
        answer: &Response,
        now: i64,
    ) -> Option<Call> {
        let state = self.state.as_mut()?;
        // Every request that failed is made again after the same time, for a late start, too.
        let at = Moment { now, retry_at: &|_, _, _| retry_at(now) };
        let answered = state.answered(kronjob, term, request, answer, at);
        answered.follow_up.map(|request| Call::Own(Arc::new(request)))
    }

    /// Whether a list of Jobs may begin that serves many.
    pub(crate) fn awaits_lists(&self) -> bool {
        let known = self.state.iter().filter(|_| self.leads()).flat_map(|state| state.known().kronjobs);
        known.into_iter().any(|kronjob| matches!(kronjob.list_need, ListNeed::Claimed(_)))
    }

    /// A list of all Jobs begins.
    pub(crate) fn share(&mut self, now: i64) -> Option<SharedList> {
        let list = self.state.as_mut()?.begin_shared_list(&Scope::All, time(now))?;
        self.touch(now);
        Some(list)
    }

    /// Takes the answer to a list of all Jobs, or to the reads that follow it, as `engine/list_reader.rs` does. Gives the reads that
    /// follow.
    pub(crate) fn shared(&mut self, call: &Call, answer: &Response, now: i64) -> Option<Call> {
        let state = self.state.as_mut()?;
        let (list, was_read) = match (call, answer) {
            (Call::ListAll(list), Response::Jobs(jobs)) => {
                let unknown = jobs.iter().filter(|job| state.is_unknown(&list.0, job));
                let names: Vec<_> = unknown.map(|job| job.name.clone()).collect();
                if !names.is_empty() {
                    return Some(Call::ReadListed { list: list.clone(), names });
                }
                (list, true)
            }
            (Call::ReadListed { list, .. }, Response::Jobs(jobs)) => {
                jobs.iter().for_each(|job| state.put_job_if_new(job.clone()));
                (list, true)
            }
            (Call::ListAll(list) | Call::ReadListed { list, .. }, _) => (list, false),
            (Call::Own(_), _) => unreachable!("{call:?} is for one KronJob"),
        };
        state.end_shared_list(list.0.clone(), was_read, time(now));
        None
    }

    /// What it knows of a KronJob beyond its objects.
    pub(crate) fn observed(&self, kronjob: &KronJobView) -> Option<&Observed> {
        let known = self.state.as_ref()?.known().kronjobs;
        known.into_iter().find(|known| known.kronjob.uid == kronjob.uid).map(|known| &known.observed)
    }

    /// The KronJob as this process sees it.
    pub(crate) fn kronjob(&self, key: &Key) -> Option<Arc<KronJobView>> {
        self.state.as_ref()?.kronjob(key).map(|kronjob| Arc::new(kronjob.clone()))
    }
}
