//! What is between the callers and the objects: faults, access rules, the log, and the watches that run. It has no clock and
//! no lock.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::watch;

use crate::call::Call;
use crate::fault::Faults;
use crate::log::Log;
use crate::matcher::Match;
use crate::rbac::Access;

/// Declares an enum with the list of its values. Simulations draw from the list: a new value is the last one.
macro_rules! listed {
    ($(#[$doc:meta])+ $name:ident { $($(#[$value_doc:meta])+ $value:ident,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$value_doc])+ $value,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$value,)+];
        }
    };
}

listed! {
    /// How a caller is cut off.
    ///
    /// ```
    /// use kron_api_model::Partition;
    /// assert_eq!(Partition::ALL, [Partition::Refuse, Partition::Hang]);
    /// ```
    Partition {
        /// Connections fail at once and running watches break.
        Refuse,
        /// Nothing gets through in either direction. When the partition ends, what still waits goes through: requests are
        /// executed late, as packets that are sent again.
        Hang,
    }
}

listed! {
    /// How a watch is cut.
    ///
    /// ```
    /// use kron_api_model::Cut;
    /// assert_eq!(Cut::ALL, [Cut::End, Cut::Break]);
    /// ```
    Cut {
        /// The stream ends as if its time were over.
        End,
        /// The stream breaks with an error.
        Break,
    }
}

/// The number of a stall of watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StallId(u64);

/// What tests do to a running watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Control {
    pub(crate) stalled: bool,
    pub(crate) cut: Option<Cut>,
}

/// All that a request passes on its way.
#[derive(Default)]
pub(crate) struct Network {
    pub(crate) faults: Faults,
    pub(crate) log: Log,
    pub(crate) access: Access,
    partitions: BTreeMap<String, Partition>,
    /// The version that reads of a caller are served at where they allow it.
    frozen: BTreeMap<String, u64>,
    watches: BTreeMap<u64, Running>,
    stalls: BTreeMap<u64, Match>,
    stall_serial: u64,
}

/// A watch that is running.
pub(crate) struct Running {
    call: Arc<Call>,
    control: watch::Sender<Control>,
}

impl Network {
    // ---- stale reads

    pub(crate) fn freeze_reads(&mut self, caller: &str, version: u64) {
        self.frozen.insert(caller.to_owned(), version);
    }

    pub(crate) fn thaw_reads(&mut self, caller: &str) {
        self.frozen.remove(caller);
    }

    pub(crate) fn thaw_all_reads(&mut self) {
        self.frozen.clear();
    }

    /// The version that a caller's reads are served at where they allow it.
    pub(crate) fn stale(&self, caller: &str) -> Option<u64> {
        self.frozen.get(caller).copied()
    }

    // ---- partitions

    pub(crate) fn partition_of(&self, caller: &str) -> Option<Partition> {
        self.partitions.get(caller).copied()
    }

    pub(crate) fn partition(&mut self, caller: &str, partition: Option<Partition>) {
        match partition {
            Some(partition) => drop(self.partitions.insert(caller.to_owned(), partition)),
            None => drop(self.partitions.remove(caller)),
        }
        if partition == Some(Partition::Refuse) {
            self.cut_watches(&Match::any().caller(caller), Cut::Break);
        }
        self.restall();
    }

    // ---- watches

    /// Makes a watch known to stalls and cuts; one that ends with its first event has no number and is not.
    pub(crate) fn start_watch(&mut self, number: Option<u64>, call: Arc<Call>) -> watch::Receiver<Control> {
        let stalled = number.is_some() && self.is_stalled(&call);
        let (sender, receiver) = watch::channel(Control { stalled, cut: None });
        if let Some(number) = number {
            self.watches.insert(number, Running { call, control: sender });
        }
        receiver
    }

    pub(crate) fn end_watch(&mut self, number: u64) -> Option<Running> {
        self.watches.remove(&number)
    }

    pub(crate) fn running_watches(&self) -> Vec<Call> {
        self.watches.values().map(|watch| (*watch.call).clone()).collect()
    }

    pub(crate) fn cut_watches(&mut self, watches: &Match, cut: Cut) -> usize {
        let chosen = self.watches.values().filter(|watch| watches.matches(&watch.call));
        chosen.map(|watch| watch.control.send_modify(|control| control.cut = Some(cut))).count()
    }

    pub(crate) fn stall_watches(&mut self, watches: Match) -> StallId {
        self.stall_serial += 1;
        self.stalls.insert(self.stall_serial, watches);
        self.restall();
        StallId(self.stall_serial)
    }

    pub(crate) fn release_watches(&mut self, stall: StallId) {
        self.stalls.remove(&stall.0);
        self.restall();
    }

    fn is_stalled(&self, call: &Call) -> bool {
        self.partition_of(&call.caller) == Some(Partition::Hang)
            || self.stalls.values().any(|watches| watches.matches(call))
    }

    fn restall(&self) {
        for watch in self.watches.values() {
            let stalled = self.is_stalled(&watch.call);
            watch.control.send_if_modified(|control| {
                let changed = control.stalled != stalled;
                control.stalled = stalled;
                changed
            });
        }
    }
}
