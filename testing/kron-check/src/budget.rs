//! Which faults and events are on, and how many of each.

/// Something that does not happen in an undisturbed run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A process ends between two requests. What it sent may still arrive.
    Crash,
    /// The leader loses its Lease.
    Resign,
    /// A second process believes that it leads.
    Rival,
    /// The watch of KronJobs of a process delivers late.
    HoldKronJobs,
    /// The watch of Jobs of a process delivers late.
    HoldJobs,
    /// The watch of KronJobs of a process begins again, and its list is late.
    RelistKronJobs,
    /// The watch of Jobs of a process begins again, and its list is late.
    RelistJobs,
    /// A process does not run for a while.
    Pause,
    /// The workers of a process do nothing for a while; its timers go on.
    Stall,
    /// A request, or its answer, is on its way for seconds.
    Late,
    /// A request is carried out, and its answer is lost.
    Lost,
    /// A request is not carried out, and no answer says so.
    Vanish,
    /// The server answers 429.
    Refuse,
    /// The server answers 422.
    Invalid,
    /// A user edits the spec.
    Edit,
    /// A user suspends the KronJob, and perhaps resumes it.
    Suspend,
    /// A user asks for a Job now.
    RunNow,
    /// A user deletes the KronJob and creates it again.
    Recreate,
    /// A Job of somebody else has the name of a period's Job.
    Foreign,
    /// A user changes the labels of a Job.
    Relabel,
    /// A user creates a Job that claims to be a KronJob's.
    Forge,
    /// A user deletes a Job.
    Delete,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 22] = [
        Fault::Crash,
        Fault::Resign,
        Fault::Rival,
        Fault::HoldKronJobs,
        Fault::HoldJobs,
        Fault::RelistKronJobs,
        Fault::RelistJobs,
        Fault::Pause,
        Fault::Stall,
        Fault::Late,
        Fault::Lost,
        Fault::Vanish,
        Fault::Refuse,
        Fault::Invalid,
        Fault::Edit,
        Fault::Suspend,
        Fault::RunNow,
        Fault::Recreate,
        Fault::Foreign,
        Fault::Relabel,
        Fault::Forge,
        Fault::Delete,
    ];

    /// The watch of KronJobs, and that of Jobs, delivers late.
    pub(crate) const HOLD: [Fault; 2] = [Fault::HoldKronJobs, Fault::HoldJobs];

    /// The watch of KronJobs, and that of Jobs, begins again.
    pub(crate) const RELIST: [Fault; 2] = [Fault::RelistKronJobs, Fault::RelistJobs];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Crash => "crash",
            Fault::Resign => "resign",
            Fault::Rival => "rival",
            Fault::HoldKronJobs => "hold-kronjobs",
            Fault::HoldJobs => "hold-jobs",
            Fault::RelistKronJobs => "relist-kronjobs",
            Fault::RelistJobs => "relist-jobs",
            Fault::Pause => "pause",
            Fault::Stall => "stall",
            Fault::Late => "late",
            Fault::Lost => "lost",
            Fault::Vanish => "vanish",
            Fault::Refuse => "refuse",
            Fault::Invalid => "invalid",
            Fault::Edit => "edit",
            Fault::Suspend => "suspend",
            Fault::RunNow => "run-now",
            Fault::Recreate => "recreate",
            Fault::Foreign => "foreign",
            Fault::Relabel => "relabel",
            Fault::Forge => "forge",
            Fault::Delete => "delete",
        }
    }
}

/// How many faults may still happen.
///
/// ```
/// use kron_check::budget::{Budget, Fault};
/// let mut budget = Budget::new(2, &[(Fault::Crash, 1), (Fault::Lost, 2)]);
/// assert!(budget.spend(Fault::Crash) && !budget.has(Fault::Crash) && budget.has(Fault::Lost));
/// assert!(budget.spend(Fault::Lost) && !budget.has(Fault::Lost));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Budget {
    total: u8,
    each: [u8; Fault::ALL.len()],
    used: [u8; Fault::ALL.len()],
}

impl Budget {
    /// So many faults in all, and of each kind so many.
    pub fn new(total: u8, each: &[(Fault, u8)]) -> Budget {
        let mut budget = Budget { total, each: [0; Fault::ALL.len()], used: [0; Fault::ALL.len()] };
        for (fault, most) in each {
            budget.each[*fault as usize] = *most;
        }
        budget
    }

    /// Whether this one may still happen.
    pub fn has(&self, fault: Fault) -> bool {
        self.total > 0 && self.each[fault as usize] > self.used[fault as usize]
    }

    /// It happens. Says whether it could.
    pub fn spend(&mut self, fault: Fault) -> bool {
        let possible = self.has(fault);
        if possible {
            self.total -= 1;
            self.used[fault as usize] += 1;
        }
        possible
    }

    /// Whether one of these has happened.
    pub fn used(&self, faults: &[Fault]) -> bool {
        faults.iter().any(|fault| self.used[*fault as usize] > 0)
    }

    /// How many have happened.
    pub fn spent(&self) -> u8 {
        self.used.iter().sum()
    }

    /// From now on nothing more happens.
    pub fn end(&mut self) {
        self.total = 0;
        self.each = [0; Fault::ALL.len()];
    }
}
