//! What can happen next.

use crate::world::World;

/// One step of a run. Numbers name places: of processes, KronJobs, lanes, requests under way and Jobs, in the order in which
/// the state has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Time goes on to the next second at which something can happen.
    Tick,
    /// A process sends the first request of a lane for a KronJob.
    Send(u8, u8, u8),
    /// A request is carried out, and its answer arrives.
    Serve(u8),
    /// A request is carried out, and its answer is lost.
    Lose(u8),
    /// A request does not arrive, and has no answer.
    Vanish(u8),
    /// A request is answered with 429.
    Refuse(u8),
    /// A request is answered with 422.
    Invalid(u8),
    /// A request is slow.
    Delay(u8),
    /// A slow request is carried out; its answer is on its way, if somebody waits for it.
    Execute(u8),
    /// The answer of a slow request arrives.
    Answer(u8),
    /// A process waits for an answer no longer.
    TimeOut(u8),
    /// A process ends.
    Crash(u8),
    /// A process starts.
    Start(u8),
    /// A process gets the Lease, or believes so.
    Lead(u8),
    /// A process loses the Lease.
    Resign(u8),
    /// A watch of a process begins to be late.
    Hold(u8, u8),
    /// A watch of a process begins again, and its list is late.
    Relist(u8, u8),
    /// A late watch delivers the next event.
    Deliver(u8, u8),
    /// A late watch delivers all, and is late no longer.
    Release(u8, u8),
    /// A process is stopped.
    Pause(u8),
    /// It goes on.
    Continue(u8),
    /// The workers of a process stop.
    Stall(u8),
    /// They go on.
    Unstall(u8),
    /// A Job completes.
    Complete(u8),
    /// A Job is removed as its TTL says, or because its owner is gone.
    Expire(u8),
    /// A user edits a KronJob.
    Edit(u8, u8),
    /// A user suspends a KronJob.
    Suspend(u8),
    /// A user resumes it.
    Resume(u8),
    /// A user asks for a Job now.
    RunNow(u8),
    /// A user deletes a KronJob and creates it again.
    Recreate(u8),
    /// Somebody creates a Job with the name of a period's Job.
    Foreign(u8, u8),
    /// Somebody creates a Job that claims to be the one of a period.
    Forge(u8, u8),
    /// Somebody changes the labels of a Job.
    Relabel(u8, u8),
    /// A user deletes a Job.
    Delete(u8),
}

impl Step {
    /// The step in words, for the state in which it happens.
    pub fn describe(self, world: &World) -> String {
        let process = |index: u8| {
            let process = &world.processes[usize::from(index)];
            if process.state.is_some() { process.holder.clone() } else { format!("place {index}") }
        };
        let watch = |index: u8| ["KronJobs", "Jobs"][usize::from(index)];
        let kronjob = |index: u8| world.server.kronjobs[usize::from(index)].view.key.name.clone();
        let request = |index: u8| world.wire[usize::from(index)].describe();
        let job = |index: u8| {
            world.server.jobs.keys().nth(usize::from(index)).map(ToString::to_string).unwrap_or_default()
        };
        match self {
            Step::Tick => match world.next_instant() {
                Some(next) => format!("time goes on to {}", crate::world::clock(next)),
                None => "time ends".to_string(),
            },
            Step::Send(from, place, lane) => {
                let ready = &world.processes[usize::from(from)].ready[usize::from(place)];
                let request = ready.iter().find(|request| request.lane() as u8 == lane);
                let request = request.map(crate::wire::describe_request).unwrap_or_default();
                format!("{} sends: {request}", process(from))
            }
            Step::Serve(index) => format!("{}: carried out and answered", request(index)),
            Step::Lose(index) => format!("{}: carried out, its answer is lost", request(index)),
            Step::Vanish(index) => format!("{}: not carried out, no answer", request(index)),
            Step::Refuse(index) => format!("{}: refused with 429", request(index)),
            Step::Invalid(index) => format!("{}: refused with 422", request(index)),
            Step::Delay(index) => format!("{}: is slow", request(index)),
            Step::Execute(index) => format!("{}: arrives late and is carried out", request(index)),
            Step::Answer(index) => format!("{}: its answer arrives late", request(index)),
            Step::TimeOut(index) => format!("{}: its sender stops waiting for the answer", request(index)),
            Step::Crash(index) => format!("{} ends", process(index)),
            Step::Start(index) => format!("a process starts in place {index}"),
            Step::Lead(index) => format!("{} leads", process(index)),
            Step::Resign(index) => format!("{} leads no longer", process(index)),
            Step::Hold(index, kind) => format!("the watch of {} of {} is late", watch(kind), process(index)),
            Step::Relist(index, kind) => {
                format!("the watch of {} of {} begins again; its list is late", watch(kind), process(index))
            }
            Step::Deliver(index, kind) => {
                format!("the late watch of {} of {} delivers one event", watch(kind), process(index))
            }
            Step::Release(index, kind) => {
                format!("the watch of {} of {} delivers all that is late", watch(kind), process(index))
            }
            Step::Pause(index) => format!("{} is stopped", process(index)),
            Step::Continue(index) => format!("{} goes on", process(index)),
            Step::Stall(index) => format!("the workers of {} stop", process(index)),
            Step::Unstall(index) => format!("the workers of {} go on", process(index)),
            Step::Complete(index) => format!("Job {} completes", job(index)),
            Step::Expire(index) => format!("Job {} is removed by the cluster", job(index)),
            Step::Edit(index, edit) => {
                let what = ["nothing", "its schedule", "its window"][usize::from(edit)];
                format!("a user edits KronJob {}: {what}", kronjob(index))
            }
            Step::Suspend(index) => format!("a user suspends KronJob {}", kronjob(index)),
            Step::Resume(index) => format!("a user resumes KronJob {}", kronjob(index)),
            Step::RunNow(index) => format!("a user asks for a Job of KronJob {} now", kronjob(index)),
            Step::Recreate(index) => {
                format!("a user deletes KronJob {} and creates it again", kronjob(index))
            }
            Step::Foreign(index, period) => {
                format!(
                    "somebody takes the name of the Job of period {} of KronJob {}",
                    period + 1,
                    kronjob(index)
                )
            }
            Step::Forge(index, period) => {
                format!("somebody forges a Job of period {} of KronJob {}", period + 1, kronjob(index))
            }
            Step::Relabel(index, how) => {
                let labels = ["another period", "no period", "a run-now token", "no name"];
                format!("somebody labels Job {} with {}", job(index), labels[usize::from(how)])
            }
            Step::Delete(index) => format!("a user deletes Job {}", job(index)),
        }
    }
}
