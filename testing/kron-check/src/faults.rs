//! The faults and events, and how many of them may happen.

/// A property that is not checked once a fault has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excuse {
    /// None: all are checked.
    Nothing,
    /// A start that was decided in time is created in time.
    LateCreates,
    /// An outcome fits the Jobs of the operator.
    WrongOutcomes,
}

/// Each fault with its name on the command line.
macro_rules! faults {
    ($($(#[$doc:meta])* $fault:ident = $name:literal, excuses $excuse:ident;)*) => {
        /// Something that does not happen in an undisturbed run.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fault {
            $($(#[$doc])* $fault,)*
        }

        impl Fault {
            /// All of them.
            pub const ALL: &[Fault] = &[$(Fault::$fault),*];

            /// Its name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Fault::$fault => $name,)*
                }
            }

            const fn excuses(self) -> Excuse {
                match self {
                    $(Fault::$fault => Excuse::$excuse,)*
                }
            }
        }
    };
}

faults! {
    /// A process ends between two requests. What it sent may still arrive.
    Crash = "crash", excuses Nothing;
    /// The leader loses its Lease.
    Resign = "resign", excuses Nothing;
    /// A second process believes that it leads.
    Rival = "rival", excuses LateCreates;
    /// The watch of KronJobs of a process delivers late.
    HoldKronJobs = "hold-kronjobs", excuses LateCreates;
    /// The watch of Jobs of a process delivers late.
    HoldJobs = "hold-jobs", excuses LateCreates;
    /// The watch of KronJobs of a process begins again, and its list is late.
    RelistKronJobs = "relist-kronjobs", excuses Nothing;
    /// The watch of Jobs of a process begins again, and its list is late.
    RelistJobs = "relist-jobs", excuses Nothing;
    /// A leader lists all Jobs at once, for the KronJobs whose claims are stored. It takes a while.
    Share = "share", excuses LateCreates;
    /// A process does not run for a while.
    Pause = "pause", excuses LateCreates;
    /// The workers of a process do nothing for a while; its timers go on.
    Stall = "stall", excuses LateCreates;
    /// A request, or its answer, is on its way for seconds.
    Late = "late", excuses LateCreates;
    /// A create arrives later than anybody expects, if at all; its sender has stopped waiting.
    Overdue = "overdue", excuses LateCreates;
    /// A request is carried out, and its answer is lost.
    Lost = "lost", excuses LateCreates;
    /// A request is not carried out, and no answer says so.
    Vanish = "vanish", excuses LateCreates;
    /// The server answers 429.
    Refuse = "refuse", excuses LateCreates;
    /// The server answers 422, perhaps late.
    Invalid = "invalid", excuses LateCreates;
    /// A user edits the spec.
    Edit = "edit", excuses Nothing;
    /// A user makes the spec unreadable, and perhaps repairs it.
    Unreadable = "unreadable", excuses Nothing;
    /// A user suspends the KronJob, and perhaps resumes it.
    Suspend = "suspend", excuses Nothing;
    /// A user asks for a Job now.
    RunNow = "run-now", excuses Nothing;
    /// A user takes that back.
    TakeBack = "take-back", excuses Nothing;
    /// A user deletes the KronJob and creates it again.
    Recreate = "recreate", excuses Nothing;
    /// A Job of somebody else has the name of a period's Job.
    Foreign = "foreign", excuses Nothing;
    /// A user changes the labels of a Job.
    Relabel = "relabel", excuses WrongOutcomes;
    /// A user creates a Job that claims to be a KronJob's.
    Forge = "forge", excuses WrongOutcomes;
    /// A user deletes a Job.
    Delete = "delete", excuses Nothing;
}

/// How many faults may still happen.
///
/// ```
/// use kron_check::faults::{Budget, Fault};
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

    /// Whether a fault has happened that excuses this.
    pub(crate) fn excuses(&self, excuse: Excuse) -> bool {
        Fault::ALL.iter().any(|fault| self.has_happened(*fault) && fault.excuses() == excuse)
    }

    /// Whether it has happened.
    pub(crate) fn has_happened(&self, fault: Fault) -> bool {
        self.used[fault as usize] > 0
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
