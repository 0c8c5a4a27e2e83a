//! The hash of a state, the same for states that differ only in names: of processes, of versions, and in which place a process
//! is.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kron_operator::engine::state::{Known, Object, State};
use kron_operator::object::{JobView, KronJobView, Spec, Version};
use kron_operator::plan::Response;
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::case::Shared;
use crate::faults::Fault;
use crate::process::Process;
use crate::server::{Event, Server, Stored, StoredJob};
use crate::wire::InFlight;
use crate::world::World;

/// Two states with the same hash are taken for one. With 128 bits, that two of a billion different ones have the same has a
/// probability below 10^-20.
pub(crate) type Hash128 = u128;

/// Names of processes begin with this and end with two digits.
const NAME: &[u8] = b"process-";
/// Replaces the digits of the process that a part is about, and those of the other one.
const OWN: [u8; 2] = *b"==";

/// Keeps the bytes that are hashed.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

/// The versions of objects that exist somewhere, ascending: only their order matters.
struct Versions {
    kronjobs: Vec<u64>,
    /// Empty where nothing compares those of Jobs.
    jobs: Vec<Version>,
}

impl Versions {
    fn of(world: &World) -> Versions {
        let mut kronjobs = Vec::new();
        let mut add = |kronjob: &KronJobView| kronjobs.push(version(kronjob));
        for stored in &world.server.kronjobs {
            add(&stored.view);
        }
        for process in &world.processes {
            if let Some(state) = &process.state {
                for key in state.keys() {
                    state.kronjob(&key).into_iter().for_each(&mut add);
                }
            }
            for event in &process.queues[0] {
                kronjobs_of(event).iter().for_each(|kronjob| add(kronjob));
            }
        }
        for request in &world.wire {
            add(&request.kronjob);
            if let Some(Response::KronJob(Some(kronjob))) = request.answer.as_deref() {
                add(kronjob);
            }
        }
        let mut jobs = if world.compares_jobs() { versions_of_jobs(world) } else { Vec::new() };
        kronjobs.sort_unstable();
        kronjobs.dedup();
        jobs.sort_unstable();
        jobs.dedup();
        Versions { kronjobs, jobs }
    }

    fn job(&self, job: &JobView, to: &mut Bytes) {
        job.hash(to);
        if let Ok(place) = self.jobs.binary_search(&job.version) {
            (place as u16).hash(to);
        }
    }

    fn jobs<'a>(&self, jobs: impl IntoIterator<Item = &'a JobView>, to: &mut Bytes) {
        jobs.into_iter().for_each(|job| self.job(job, to));
        0xffu8.hash(to);
    }

    fn kronjob(&self, kronjob: &KronJobView, to: &mut Bytes) {
        let KronJobView {
            // Part of the UID.
            key: _,
            uid,
            // Only the order of versions matters.
            resource_version: _,
            generation,
            // One that is created again later has the same version, but other periods in force.
            created,
            deleting,
            run_now,
            suspended,
            spec,
            status,
        } = kronjob;
        let place = self.kronjobs.binary_search(&version(kronjob)).unwrap_or_default();
        (place as u16, uid, generation, created, deleting, run_now, suspended).hash(to);
        match spec {
            Ok(spec) => hash_spec(spec, to),
            Err(error) => (&error.field, &error.message).hash(to),
        }
        status.hash(to);
    }
}

/// The KronJobs that an event has.
fn kronjobs_of(event: &Event) -> &[Shared] {
    match event {
        Event::KronJob(kronjob) => std::slice::from_ref(kronjob),
        Event::KronJobs(all) => all,
        Event::KronJobGone(..) | Event::Job(_) | Event::JobGone(_) | Event::Jobs(_) => &[],
    }
}

/// The Jobs that an event has.
fn jobs_of(event: &Event) -> &[Arc<JobView>] {
    match event {
        Event::Job(job) | Event::JobGone(job) => std::slice::from_ref(job),
        Event::Jobs(all) => all,
        Event::KronJob(_) | Event::KronJobGone(..) | Event::KronJobs(_) => &[],
    }
}

/// The versions of Jobs that something may read.
fn versions_of_jobs(world: &World) -> Vec<Version> {
    let mut all = Vec::new();
    let mut add = |job: &JobView| all.push(job.version);
    world.server.jobs.values().for_each(|stored| add(&stored.view));
    for process in &world.processes {
        process.state.iter().flat_map(|state| state.known().jobs).for_each(&mut add);
        for event in &process.queues[1] {
            jobs_of(event).iter().for_each(|job| add(job));
        }
    }
    for request in &world.wire {
        match request.answer.as_deref() {
            Some(Response::Job(Some(job))) => add(job),
            Some(Response::Jobs(jobs)) => jobs.iter().for_each(&mut add),
            _ => {}
        }
    }
    all
}

fn version(kronjob: &KronJobView) -> u64 {
    kronjob.resource_version.parse().unwrap_or_default()
}

/// Edits give each generation another spec, so it is named by what they change.
fn hash_spec(spec: &Spec, to: &mut Bytes) {
    let Spec {
        job,
        configuration,
        // These are the same in all specs of a case.
        template: _,
        primer: _,
        primer_template: _,
        ttl: _,
        successful_kept: _,
        failed_kept: _,
    } = spec;
    (configuration, job.spec().window().duration().as_secs()).hash(to);
}

fn hash_process(process: &Process, versions: &Versions, to: &mut Bytes) {
    let Process {
        holder,
        state,
        held,
        behind,
        queues,
        paused,
        stalled,
        // Planned from the state.
        ready: _,
        created,
        claimed,
        generations,
        requests,
        status_writes,
    } = process;
    (holder, held, behind, paused, stalled, requests, status_writes).hash(to);
    (created, claimed, generations).hash(to);
    for queue in queues {
        queue.len().hash(to);
        for event in queue {
            match event {
                Event::KronJob(kronjob) => versions.kronjob(kronjob, to),
                Event::KronJobGone(_, uid) => uid.hash(to),
                Event::Job(job) => {
                    1u8.hash(to);
                    versions.job(job, to);
                }
                Event::JobGone(job) => {
                    2u8.hash(to);
                    versions.job(job, to);
                }
                Event::KronJobs(all) => {
                    (4u8, all.len()).hash(to);
                    all.iter().for_each(|kronjob| versions.kronjob(kronjob, to));
                }
                Event::Jobs(all) => {
                    3u8.hash(to);
                    versions.jobs(all.iter().map(|job| &**job), to);
                }
            }
        }
    }
    if let Some(state) = state {
        hash_known(state.known(), versions, to);
    }
}

fn hash_known(known: Known<'_>, versions: &Versions, to: &mut Bytes) {
    let Known { kronjobs, jobs, mut gone, is_listing_jobs, unshown, term } = known;
    // Which number a term has matters to requests under way, whose hashes say whether it is theirs.
    term.is_some().hash(to);
    for Object { kronjob, observed, busy, timer, list_need: _, list_wanted, status_writes: _ } in kronjobs {
        versions.kronjob(kronjob, to);
        (observed, busy, timer, list_wanted).hash(to);
    }
    versions.jobs(jobs, to);
    // The first ones are forgotten only when there are thousands.
    gone.sort_unstable();
    gone.dedup();
    (gone, is_listing_jobs, unshown).hash(to);
}

fn hash_server(server: &Server, versions: &Versions, to: &mut Bytes) {
    // Of versions that were given, only the order matters.
    let Server { kronjobs, jobs, version: _, job_version: _ } = server;
    for Stored { view, edit, life, configured } in kronjobs {
        versions.kronjob(view, to);
        (edit, life, configured).hash(to);
    }
    for (name, StoredJob { view, labelled, genuine }) in jobs {
        (name, labelled, genuine).hash(to);
        versions.job(view, to);
    }
}

fn hash_request(request: &InFlight, world: &World, versions: &Versions, to: &mut Bytes) {
    let InFlight { from, holder, term, place, kronjob, lane, call, answer, late, overdue, awaited, sent } =
        request;
    let current = world.processes[*from].term() == Some(*term);
    (holder, current, place, lane, call, late, overdue, awaited, sent).hash(to);
    versions.kronjob(kronjob, to);
    match answer.as_deref() {
        None => 0u8.hash(to),
        Some(Response::Refused(refusal) | Response::NotSent(refusal)) => refusal.hash(to),
        Some(Response::Job(job)) => versions.jobs(job.as_deref(), to),
        Some(Response::Jobs(jobs)) => versions.jobs(jobs, to),
        Some(Response::KronJob(Some(kronjob))) => versions.kronjob(kronjob, to),
        Some(Response::KronJob(None) | Response::Done) => 1u8.hash(to),
    }
}

/// The places of the names of processes in the bytes of a state.
fn names(bytes: &[u8]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == NAME[0]) {
        at += found;
        if bytes[at..].starts_with(NAME) && bytes.len() >= at + NAME.len() + 2 {
            places.push(at + NAME.len());
        }
        at += 1;
    }
    places
}

/// Numbers the names of processes in the order in which they occur.
fn renumber(bytes: &mut [u8]) {
    let mut known: Vec<[u8; 2]> = Vec::new();
    for at in names(bytes) {
        let name = [bytes[at], bytes[at + 1]];
        let number = known.iter().position(|known| *known == name).unwrap_or_else(|| {
            known.push(name);
            known.len() - 1
        });
        bytes[at] = b'A' + number as u8;
        bytes[at + 1] = b'A';
    }
}

impl World {
    /// Whether the versions of Jobs may be compared from here on: while or after a list of all Jobs is read again.
    fn compares_jobs(&self) -> bool {
        self.budget.has(Fault::RelistJobs)
            || self.processes.iter().flat_map(|process| &process.state).any(State::compares_jobs)
    }

    /// The hash of this state.
    pub(crate) fn hash(&self) -> Hash128 {
        let versions = Versions::of(self);
        let parts: Vec<Vec<u8>> = self
            .processes
            .iter()
            .map(|process| {
                let mut bytes = Bytes::default();
                hash_process(process, &versions, &mut bytes);
                bytes.0
            })
            .collect();
        // Which process comes first must not depend on names.
        let nameless = |index: usize| {
            let own = self.processes[index].holder.as_bytes();
            let own = own.len().checked_sub(2).map(|at| [own[at], own[at + 1]]);
            let mut part = parts[index].clone();
            for at in names(&part) {
                let name = [part[at], part[at + 1]];
                let masked = if Some(name) == own { OWN } else { *b"??" };
                part[at..at + 2].copy_from_slice(&masked);
            }
            part
        };
        let orders: &[[usize; 2]] = match nameless(0).cmp(&nameless(1)) {
            std::cmp::Ordering::Less => &[[0, 1]],
            std::cmp::Ordering::Greater => &[[1, 0]],
            std::cmp::Ordering::Equal => &[[0, 1], [1, 0]],
        };
        let hashes = orders.iter().map(|order| self.hash_in_order(*order, &parts, &versions));
        hashes.min().unwrap_or_default()
    }

    /// A hash of one process as it is, with its own versions and names.
    pub(crate) fn hash_of_process(&self, index: usize) -> Hash128 {
        let process = &self.processes[index];
        let mut bytes = Bytes(Vec::with_capacity(2048));
        hash_process(process, &Versions { kronjobs: Vec::new(), jobs: Vec::new() }, &mut bytes);
        (self.now, process.term()).hash(&mut bytes);
        if let Some(state) = &process.state {
            let keys = state.keys();
            keys.iter()
                .filter_map(|key| state.kronjob(key))
                .map(version)
                .for_each(|known| known.hash(&mut bytes));
            // By name, as they are in the hash of the process.
            let mut jobs: Vec<(&str, u64)> =
                state.known().jobs.iter().map(|job| (&*job.name, job.version.0)).collect();
            jobs.sort_unstable();
            jobs.hash(&mut bytes);
        }
        for kronjob in process.queues[0].iter().flat_map(kronjobs_of) {
            version(kronjob).hash(&mut bytes);
        }
        for job in process.queues[1].iter().flat_map(jobs_of) {
            job.version.0.hash(&mut bytes);
        }
        process.ready.hash(&mut bytes);
        hash_bytes(&bytes.0)
    }

    fn hash_in_order(&self, order: [usize; 2], parts: &[Vec<u8>], versions: &Versions) -> Hash128 {
        let World {
            // The same in all states of a search.
            case: _,
            now,
            server,
            // In `parts`.
            processes: _,
            wire,
            budget,
            ghost,
            // Only gives processes their names.
            started: _,
            violation,
        } = self;
        let mut bytes = Bytes(Vec::with_capacity(4096));
        (now, budget).hash(&mut bytes);
        for index in order {
            bytes.0.extend_from_slice(&parts[index]);
            bytes.0.push(0xff);
        }
        hash_server(server, versions, &mut bytes);
        0xffu8.hash(&mut bytes);
        (ghost, violation.is_some()).hash(&mut bytes);
        let mut requests: Vec<Vec<u8>> = wire
            .iter()
            .map(|request| {
                let mut part = Bytes::default();
                order.iter().position(|index| *index == request.from).hash(&mut part);
                hash_request(request, self, versions, &mut part);
                part.0
            })
            .collect();
        requests.sort_unstable();
        requests.iter().for_each(|request| bytes.0.extend_from_slice(request));
        renumber(&mut bytes.0);
        hash_bytes(&bytes.0)
    }
}

fn hash_bytes(bytes: &[u8]) -> Hash128 {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(bytes);
    hasher.finish128().as_u128()
}

#[cfg(test)]
mod tests {
    use kron_crd::{KronJobStatus, custom_resource_definition};
    use serde_json::{Value, json};

    use super::*;

    use crate::case::Case;
    use crate::faults::Budget;
    use crate::step::Step;

    fn world() -> World {
        let budget = Budget::new(1, &[(Fault::Crash, 1)]);
        World::new(Arc::new(Case::new("forbid", 1, 1).unwrap()), budget)
    }

    fn run(steps: &[Step]) -> World {
        let mut world = world();
        steps.iter().for_each(|step| world.apply(*step));
        world
    }

    #[test]
    fn names_and_places_of_processes_make_no_other_state() {
        let (crash, start) = (Step::Fault(Fault::Crash, 0, 0), Step::Start(0));
        // The other process leads, or one that was started after a crash: it has another name and another place.
        let other = run(&[crash, Step::Lead(1), start]);
        let same = run(&[crash, start, Step::Lead(0)]);
        assert_ne!(other.processes[1].holder, same.processes[0].holder);
        assert_eq!(other.hash(), same.hash());
        assert_ne!(other.hash(), run(&[crash, Step::Lead(1)]).hash());
        assert_ne!(other.hash(), world().hash());
    }

    /// Processes that are alike are kept once, so two that know different times of creation must not be alike.
    #[test]
    fn the_time_of_creation_makes_another_process() {
        let budget = Budget::new(1, &[(Fault::Recreate, 1)]);
        let steps = [Step::Fault(Fault::Recreate, 0, 0), Step::Tick];
        let [early, late] = [[0, 1], [1, 0]].map(|order| {
            let mut world = World::new(Arc::new(Case::new("forbid", 1, 1).unwrap()), budget);
            order.iter().for_each(|index: &usize| world.apply(steps[*index]));
            world
        });
        let created = |world: &World| world.server.kronjobs[0].view.created;
        assert_ne!(created(&early), created(&late));
        assert_ne!(early.hash_of_process(1), late.hash_of_process(1));
    }

    /// Which Job was changed last is read by a process whose list of Jobs is late.
    #[test]
    fn the_order_of_changes_of_jobs_makes_another_state_only_where_a_list_may_be_late() {
        for (faults, late) in [(3, Some((Fault::RelistJobs, 1))), (2, None)] {
            let each: Vec<(Fault, u8)> = late.into_iter().chain([(Fault::Foreign, 2)]).collect();
            let [one, other] = [[0, 1], [1, 0]].map(|periods: [u8; 2]| {
                let case = Case::new("forbid", 2, 1).unwrap();
                let mut world = World::new(Arc::new(case), Budget::new(faults, &each));
                periods.iter().for_each(|period| world.apply(Step::Fault(Fault::Foreign, 0, *period)));
                world
            });
            assert_eq!(one.server.jobs.len(), 2);
            assert_eq!(one.hash() != other.hash(), late.is_some());
        }
    }

    /// A value that a schema allows. Notes the place of each leaf, and another value that it allows there.
    fn sample(schema: &Value, place: &str, leaves: &mut Vec<(String, Value)>) -> Value {
        let of_enum = |values: &Value| -> Option<[Value; 2]> {
            let mut values = values.as_array()?.iter().filter(|value| **value != "");
            Some([values.next()?.clone(), values.next()?.clone()])
        };
        let [value, other] = match (schema["type"].as_str(), schema["format"].as_str()) {
            (Some("object"), _) => {
                let below = schema["properties"].as_object().unwrap().iter();
                return below
                    .map(|(key, below)| (key.clone(), sample(below, &format!("{place}/{key}"), leaves)))
                    .collect();
            }
            (Some("array"), _) => return json!([sample(&schema["items"], &format!("{place}/0"), leaves)]),
            (Some("integer"), _) => [json!(1), json!(2)],
            (_, Some("date-time")) => ["2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"].map(Value::from),
            _ => of_enum(&schema["enum"]).unwrap_or(["x", "y"].map(Value::from)),
        };
        leaves.push((place.to_string(), other));
        value
    }

    /// The schema of the resource says which fields there are.
    #[test]
    fn every_field_of_the_status_makes_another_state() {
        let definition = custom_resource_definition(false);
        let schema = definition.pointer("/spec/versions/0/schema/openAPIV3Schema/properties/status");
        let mut leaves = Vec::new();
        let full = sample(schema.unwrap(), "", &mut leaves);
        let read: KronJobStatus = serde_json::from_value(full.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), full, "every field is read and written");
        let view = Case::new("forbid", 1, 1).unwrap().created(0, "uid".to_string());
        let hash = |status: &Value| {
            let status = Ok(serde_json::from_value(status.clone()).unwrap());
            let mut bytes = Bytes::default();
            Versions { kronjobs: Vec::new(), jobs: Vec::new() }
                .kronjob(&KronJobView { status, ..view.clone() }, &mut bytes);
            bytes.0
        };
        let same = leaves.iter().filter(|(place, other)| {
            let mut changed = full.clone();
            *changed.pointer_mut(place).unwrap() = other.clone();
            hash(&changed) == hash(&full)
        });
        let same: Vec<&str> = same.map(|(place, _)| place.as_str()).collect();
        assert_eq!(same, ["/conditions/0/lastTransitionTime"], "nothing reads this time");
        assert!(leaves.len() > 30, "{leaves:?}");
    }

    #[test]
    fn what_a_process_knows_makes_another_state() {
        let first = world();
        let sent = first.steps().into_iter().find(|step| matches!(step, Step::Send(..))).unwrap();
        assert_ne!(run(&[sent]).hash(), first.hash());
    }
}
