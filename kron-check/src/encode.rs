//! The hash of a state, the same for states that differ only in names: of processes, of versions, and in which place a process
//! is.

use std::hash::{Hash, Hasher};

use kron_operator::crd::KronJobStatus;
use kron_operator::object::{JobView, KronJobView};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::process::Process;
use crate::server::Event;
use crate::wire::{Good, InFlight};
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

/// The versions of KronJobs that exist somewhere, ascending: only their order matters.
struct Versions(Vec<u64>);

impl Versions {
    fn of(world: &World) -> Versions {
        let mut all = Vec::new();
        let mut add = |kronjob: &KronJobView| all.push(version(kronjob));
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
                if let Event::KronJob(kronjob) = event {
                    add(kronjob);
                }
            }
        }
        for request in &world.wire {
            add(&request.kronjob);
            if let Some(Ok(Good::KronJob(Some(kronjob)))) = request.answer.as_deref() {
                add(kronjob);
            }
        }
        all.sort_unstable();
        all.dedup();
        Versions(all)
    }

    fn kronjob(&self, kronjob: &KronJobView, to: &mut Bytes) {
        let place = self.0.binary_search(&version(kronjob)).unwrap_or_default();
        (place as u16).hash(to);
        kronjob.uid.hash(to);
        // One that is created again later has the same version, but other periods in force.
        kronjob.created.hash(to);
        kronjob.generation.hash(to);
        kronjob.suspended.hash(to);
        kronjob.run_now.is_some().hash(to);
        // Edits give each generation another spec, so the spec is named by what it decides.
        if let Ok(spec) = &kronjob.spec {
            spec.configuration.hash(to);
            spec.job.spec().window().duration().as_secs().hash(to);
        }
        if let Ok(status) = &kronjob.status {
            hash_status(status, to);
        }
    }
}

fn version(kronjob: &KronJobView) -> u64 {
    kronjob.resource_version.parse().unwrap_or_default()
}

/// All of a status but times that nothing reads: those of transitions of conditions.
fn hash_status(status: &KronJobStatus, to: &mut Bytes) {
    status.observed_generation.hash(to);
    (status.last_period_id, status.last_chosen_time, status.last_outcome).hash(to);
    (status.next_period_id, status.next_chosen_time).hash(to);
    for active in &status.active {
        active.uid.hash(to);
    }
    status.last_successful_time.hash(to);
    status.configuration.hash(to);
    if let Some(claim) = &status.claim {
        (claim.period_id, &claim.holder, claim.time, claim.ttl_seconds).hash(to);
    }
    status.periods.hash(to);
    status.last_run_now.hash(to);
    for condition in &status.conditions {
        (&condition.type_, &condition.status, condition.observed_generation, &condition.reason).hash(to);
        condition.message.hash(to);
    }
}

fn hash_process(process: &Process, versions: &Versions, to: &mut Bytes) {
    process.holder.hash(to);
    (process.held, process.behind, process.paused, process.stalled, process.requests).hash(to);
    (&process.created, &process.claimed, &process.generations).hash(to);
    for queue in &process.queues {
        queue.len().hash(to);
        for event in queue {
            match event {
                Event::KronJob(kronjob) => versions.kronjob(kronjob, to),
                Event::KronJobGone(_, uid) => uid.hash(to),
                Event::Job(job) => (1u8, job).hash(to),
                Event::JobGone(job) => (2u8, job).hash(to),
            }
        }
    }
    let Some(state) = &process.state else { return };
    (state.term().is_some(), state.next_timer()).hash(to);
    let mut keys = state.keys();
    keys.sort();
    for key in keys {
        if let (Some(kronjob), Some(observed)) = (state.kronjob(&key), state.observed(&key)) {
            versions.kronjob(kronjob, to);
            observed.hash(to);
        }
    }
    let mut jobs: Vec<&JobView> = state.jobs().collect();
    jobs.sort_by(|a, b| a.name.cmp(&b.name));
    jobs.hash(to);
    let mut gone: Vec<&str> = state.gone().collect();
    gone.sort_unstable();
    gone.dedup();
    gone.hash(to);
}

fn hash_request(request: &InFlight, world: &World, versions: &Versions, to: &mut Bytes) {
    request.holder.hash(to);
    let current = world.processes[request.from].term() == Some(request.term);
    (current, request.place, request.lane, request.late, request.awaited, request.sent).hash(to);
    versions.kronjob(&request.kronjob, to);
    match &request.call {
        crate::wire::Call::Update { status } => hash_status(status, to),
        call => call.hash(to),
    }
    match request.answer.as_deref() {
        None => 0u8.hash(to),
        Some(Err(failure)) => failure.hash(to),
        Some(Ok(Good::Job(job))) => job.hash(to),
        Some(Ok(Good::Jobs(jobs))) => jobs.hash(to),
        Some(Ok(Good::KronJob(Some(kronjob)))) => versions.kronjob(kronjob, to),
        Some(Ok(Good::KronJob(None) | Good::Done)) => 1u8.hash(to),
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
        hash_process(process, &Versions(Vec::new()), &mut bytes);
        (self.now, process.term()).hash(&mut bytes);
        if let Some(state) = &process.state {
            let keys = state.keys();
            keys.iter()
                .filter_map(|key| state.kronjob(key))
                .map(version)
                .for_each(|known| known.hash(&mut bytes));
        }
        for event in &process.queues[0] {
            if let Event::KronJob(kronjob) = event {
                version(kronjob).hash(&mut bytes);
            }
        }
        for requests in &process.ready {
            requests.iter().for_each(|request| crate::wire::describe_request(request).hash(&mut bytes));
        }
        hash_bytes(&bytes.0)
    }

    fn hash_in_order(&self, order: [usize; 2], parts: &[Vec<u8>], versions: &Versions) -> Hash128 {
        let mut bytes = Bytes(Vec::with_capacity(4096));
        self.now.hash(&mut bytes);
        self.budget.hash(&mut bytes);
        for index in order {
            bytes.0.extend_from_slice(&parts[index]);
            bytes.0.push(0xff);
        }
        for stored in &self.server.kronjobs {
            versions.kronjob(&stored.view, &mut bytes);
            (stored.edit, stored.life, stored.configured).hash(&mut bytes);
        }
        self.server.jobs.hash(&mut bytes);
        self.ghost.hash(&mut bytes);
        self.violation.is_some().hash(&mut bytes);
        let mut requests: Vec<Vec<u8>> = self
            .wire
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
    use super::*;
    use std::sync::Arc;

    use crate::budget::{Budget, Fault};
    use crate::case::Case;
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
        let (crash, start) = (Step::Crash(0), Step::Start(0));
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
        let steps = [Step::Recreate(0), Step::Tick];
        let [early, late] = [[0, 1], [1, 0]].map(|order| {
            let mut world = World::new(Arc::new(Case::new("forbid", 1, 1).unwrap()), budget);
            order.iter().for_each(|index: &usize| world.apply(steps[*index]));
            world
        });
        let created = |world: &World| world.server.kronjobs[0].view.created;
        assert_ne!(created(&early), created(&late));
        assert_ne!(early.hash_of_process(1), late.hash_of_process(1));
    }

    #[test]
    fn what_a_process_knows_makes_another_state() {
        let first = world();
        let sent = first.steps().into_iter().find(|step| matches!(step, Step::Send(..))).unwrap();
        assert_ne!(run(&[sent]).hash(), first.hash());
    }
}
