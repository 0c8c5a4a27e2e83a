//! The state of a server: objects, faults, access rules, the log, and the watches that run. It has no clock and no lock.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::call::Call;
use crate::faults::{Cut, Faults, Partition, StallId};
use crate::log::Log;
use crate::matcher::Match;
use crate::rbac::Access;
use crate::store::{Store, StoreBackup, TableId};
use crate::watch::Control;

pub(crate) struct State {
    pub(crate) store: Store,
    pub(crate) faults: Faults,
    pub(crate) log: Log,
    pub(crate) access: Access,
    /// How long the garbage collector takes to notice.
    pub(crate) gc_delay: Duration,
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

impl State {
    /// Without any object.
    pub(crate) fn new() -> State {
        State {
            store: Store::new(),
            faults: Faults::default(),
            log: Log::new(),
            access: Access::default(),
            gc_delay: Duration::ZERO,
            partitions: BTreeMap::new(),
            frozen: BTreeMap::new(),
            watches: BTreeMap::new(),
            stalls: BTreeMap::new(),
            stall_serial: 0,
        }
    }

    // ---- history

    pub(crate) fn set_history_limit(&mut self, changes: usize) {
        self.store.history_limit = changes;
        for table in self.store.tables() {
            self.store.table_mut(table).trim(changes);
        }
    }

    pub(crate) fn compact(&mut self) {
        let version = self.store.version();
        for table in self.store.tables() {
            self.store.table_mut(table).compact(version);
        }
    }

    /// Puts a backup back. All watches break.
    pub(crate) fn restore(&mut self, backup: &StoreBackup) {
        self.cut_watches(&Match::any(), Cut::Break);
        self.frozen.clear();
        self.store.restore(backup);
    }

    pub(crate) fn freeze_reads(&mut self, caller: &str) {
        self.frozen.insert(caller.to_owned(), self.store.version());
    }

    pub(crate) fn thaw_reads(&mut self, caller: &str) {
        self.frozen.remove(caller);
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

    pub(crate) fn end_watch(&mut self, table: TableId, number: u64) -> Option<Running> {
        self.store.table_mut(table).watchers.remove(&number);
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
