//! Steps in words.

use crate::faults::Fault;
use crate::step::Step;
use crate::times::clock;
use crate::wire::describe_request;
use crate::world::World;

impl World {
    fn name_of_process(&self, index: u8) -> String {
        let process = &self.processes[usize::from(index)];
        if process.state.is_some() { process.holder.clone() } else { format!("place {index}") }
    }

    fn name_of_kronjob(&self, place: u8) -> &str {
        &self.server.kronjobs[usize::from(place)].view.key.name
    }

    fn name_of_job(&self, index: u8) -> &str {
        self.server.jobs.keys().nth(usize::from(index)).map_or("", |name| name)
    }

    fn describe_call(&self, index: u8) -> String {
        self.wire[usize::from(index)].describe()
    }

    /// A fault at its place, in words.
    fn describe_fault(&self, fault: Fault, one: u8, other: u8) -> String {
        let process = || self.name_of_process(one);
        let (kronjob, job) = (|| self.name_of_kronjob(one), || self.name_of_job(one));
        let request = || self.describe_call(one);
        match fault {
            Fault::Crash => format!("{} ends", process()),
            Fault::Resign => format!("{} leads no longer", process()),
            Fault::Rival => format!("{} leads, too", process()),
            Fault::HoldKronJobs => format!("the watch of KronJobs of {} is late", process()),
            Fault::HoldJobs => format!("the watch of Jobs of {} is late", process()),
            Fault::RelistKronJobs => {
                format!("the watch of KronJobs of {} begins again; its list is late", process())
            }
            Fault::RelistJobs => format!("the watch of Jobs of {} begins again; its list is late", process()),
            Fault::Share => format!("{} lists all Jobs at once", process()),
            Fault::Pause => format!("{} is stopped", process()),
            Fault::Stall => format!("the workers of {} stop", process()),
            Fault::Late => format!("{}: is slow", request()),
            Fault::Overdue => format!("{}: will arrive after more than ten seconds, or never", request()),
            Fault::Lost => format!("{}: carried out, its answer is lost", request()),
            Fault::Vanish => format!("{}: not carried out, no answer", request()),
            Fault::Refuse => format!("{}: refused with 429", request()),
            Fault::Invalid => format!("{}: refused with 422", request()),
            Fault::Edit => {
                let what = ["nothing", "its schedule", "its window"][usize::from(other)];
                format!("a user edits KronJob {}: {what}", kronjob())
            }
            Fault::Unreadable => format!("a user makes the spec of KronJob {} unreadable", kronjob()),
            Fault::Suspend => format!("a user suspends KronJob {}", kronjob()),
            Fault::RunNow => format!("a user asks for a Job of KronJob {} now", kronjob()),
            Fault::TakeBack => format!("a user takes back what was asked of KronJob {}", kronjob()),
            Fault::Recreate => format!("a user deletes KronJob {} and creates it again", kronjob()),
            Fault::Foreign => {
                format!("somebody takes the name of the Job of period {} of KronJob {}", other + 1, kronjob())
            }
            Fault::Forge => {
                format!("somebody forges a Job of period {} of KronJob {}", other + 1, kronjob())
            }
            Fault::Relabel => {
                let labels = ["another period", "no period", "a run-now token", "no name"];
                format!("somebody labels Job {} with {}", job(), labels[usize::from(other)])
            }
            Fault::Delete => format!("a user deletes Job {}", job()),
        }
    }
}

impl Step {
    /// The step in words, for the state in which it happens.
    pub fn describe(self, world: &World) -> String {
        let process = |index| world.name_of_process(index);
        let watch = |index: u8| ["KronJobs", "Jobs"][usize::from(index)];
        let request = |index| world.describe_call(index);
        match self {
            Step::Tick => match world.next_instant() {
                Some(next) => format!("time goes on to {}", clock(next)),
                None => "time ends".to_string(),
            },
            Step::Fault(fault, one, other) => world.describe_fault(fault, one, other),
            Step::Send(from, place, lane) => {
                let sender = &world.processes[usize::from(from)];
                let (place, key) = (usize::from(place), world.case.key(usize::from(place)));
                let request = sender.ready[place].iter().find(|request| request.lane() as u8 == lane);
                let request = request.zip(sender.kronjob(&key));
                let request = request.map(|(request, kronjob)| describe_request(request, &kronjob));
                format!("{} sends: {}", process(from), request.unwrap_or_default())
            }
            Step::Serve(index) => format!("{}: carried out and answered", request(index)),
            Step::Execute(index) => format!("{}: arrives late and is carried out", request(index)),
            Step::Answer(index) => format!("{}: its answer arrives late", request(index)),
            Step::TimeOut(index) => format!("{}: its sender stops waiting for the answer", request(index)),
            Step::Start(index) => format!("a process starts in place {index}"),
            Step::Lead(index) => format!("{} leads", process(index)),
            Step::Deliver(index, kind) => {
                format!("the late watch of {} of {} delivers one event", watch(kind), process(index))
            }
            Step::Release(index, kind) => {
                format!("the watch of {} of {} delivers all that is late", watch(kind), process(index))
            }
            Step::Continue(index) => format!("{} goes on", process(index)),
            Step::Unstall(index) => format!("the workers of {} go on", process(index)),
            Step::Complete(index) => format!("Job {} completes", world.name_of_job(index)),
            Step::Expire(index) => format!("Job {} is removed by the cluster", world.name_of_job(index)),
            Step::Resume(index) => format!("a user resumes KronJob {}", world.name_of_kronjob(index)),
            Step::Repair(index) => {
                format!("a user repairs the spec of KronJob {}", world.name_of_kronjob(index))
            }
        }
    }
}
