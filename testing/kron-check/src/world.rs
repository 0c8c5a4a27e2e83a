//! The state of a run.

use std::sync::Arc;

use kron_formats::names::job_name;
use kron_operator::object::JobView;

use crate::case::Case;
use crate::faults::Budget;
use crate::ghost::Ghost;
use crate::process::Process;
use crate::server::Server;
use crate::times::clock;
use crate::wire::InFlight;

/// After how many seconds without running a leader has lost its Lease.
pub(crate) const LEASE_SECONDS: i64 = 15;

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

impl World {
    /// The first state: one process leads, the other one is on standby.
    pub fn new(case: Arc<Case>, budget: Budget) -> World {
        let server = Arc::new(Server::new(&case));
        let started = |name: &str| Process::started(name.into(), &server, case.blind);
        let mut leader = started("process-01");
        leader.lead(case.begin);
        let standby = started("process-02");
        let ghost = Arc::new(Ghost::new(case.names.len()));
        World {
            now: case.begin,
            case,
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
        let overdue = self.wire.iter().filter_map(|request| request.overdue_seconds()).flatten();
        let next = timers.map(|timer| timer.max(self.now + 1)).chain(stops).chain(ttl).chain(overdue);
        next.filter(|next| *next > self.now && *next <= self.case.end).min()
    }

    /// The name of the Job of a period, counted from 0, and its nominal time.
    pub(crate) fn period_job(&self, place: u8, period: u8) -> (String, i64) {
        let nominal = self.case.nominal(period);
        (job_name(self.case.names[usize::from(place)], nominal), nominal)
    }
}

/// When the cluster removes a Job by itself.
pub(crate) fn expires(job: &JobView) -> Option<i64> {
    Some(job.finished?.time.0 + job.ttl?)
}
