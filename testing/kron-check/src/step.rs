//! What can happen next.

use crate::faults::Fault;

/// One step of a run. Numbers name places: of processes, KronJobs, lanes, requests under way and Jobs, in the order in which
/// the state has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Time goes on to the next second at which something can happen.
    Tick,
    /// A fault happens. Two numbers say where, as `World::places` gives them; 0 where there is nothing to say.
    Fault(Fault, u8, u8),
    /// A process sends the first request of a lane for a KronJob.
    Send(u8, u8, u8),
    /// A request is carried out, and its answer arrives.
    Serve(u8),
    /// A slow request is carried out; its answer is on its way, if somebody waits for it.
    Execute(u8),
    /// The answer of a slow request arrives.
    Answer(u8),
    /// A process waits for an answer no longer.
    TimeOut(u8),
    /// A process starts.
    Start(u8),
    /// A process gets the Lease.
    Lead(u8),
    /// A late watch delivers the next event.
    Deliver(u8, u8),
    /// A late watch delivers all, and is late no longer.
    Release(u8, u8),
    /// A process that was stopped goes on.
    Continue(u8),
    /// Workers that were stopped go on.
    Unstall(u8),
    /// A Job completes.
    Complete(u8),
    /// A Job is removed as its TTL says, or because its owner is gone.
    Expire(u8),
    /// A user resumes a KronJob.
    Resume(u8),
    /// A user repairs a spec that cannot be read.
    Repair(u8),
}
