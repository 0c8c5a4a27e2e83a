//! The server: its objects and the network before them, with all that can go wrong there.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::Notify;

use crate::call::Call;
use crate::fault::{Fault, FaultId};
use crate::log::Record;
use crate::matcher::Match;
use crate::network::{Cut, Network, Partition, StallId};
use crate::objects::{Backup, Clock, Objects};
use crate::store::TableId;

/// An API server in this process. Clones are handles to the same server, which dereferences to its
/// [`Objects`].
///
/// ```
/// use std::sync::Arc;
/// use kron_api_model::Server;
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let server = Server::new(Arc::new(|| chrono::DateTime::UNIX_EPOCH));
/// server.create_namespace("team")?;
/// let client = server.client("replica-a");
/// # drop(client);
/// # Ok::<(), kron_api_model::Status>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Server {
    objects: Objects,
    inner: Arc<Inner>,
}

struct Inner {
    /// Whoever locks both locks this one first, then the store.
    network: Mutex<Network>,
    /// Notified when a partition ends or changes.
    partitions: Notify,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server(version {})", self.version())
    }
}

/// Tests and hooks read and write objects by the same functions.
impl Deref for Server {
    type Target = Objects;

    fn deref(&self) -> &Objects {
        &self.objects
    }
}

impl Server {
    /// A server with the namespaces `default` and `kube-system` and nothing else. Its times come from `clock`; delays
    /// and timeouts are tokio's.
    pub fn new(clock: Clock) -> Server {
        let inner = Inner { network: Mutex::new(Network::default()), partitions: Notify::new() };
        let server = Server { objects: Objects::new(clock), inner: Arc::new(inner) };
        for name in ["default", "kube-system"] {
            // An empty server has room for both.
            drop(server.create_namespace(name));
        }
        server
    }

    pub(crate) fn network(&self) -> MutexGuard<'_, Network> {
        // A predicate that panicked in a test has not left anything half done.
        self.inner.network.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // ---- history

    /// Puts a backup back, as an administrator does with etcd. All objects are as they were, later ones are gone, versions go on
    /// from that of the backup, and all watches break. An active Job begins again, as its pods are gone.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use kron_api_model::Server;
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let server = Server::new(Arc::new(|| chrono::DateTime::UNIX_EPOCH));
    /// let (backup, version) = (server.backup(), server.version());
    /// server.create_namespace("team")?;
    /// server.restore(&backup);
    /// assert!(server.get("v1", "namespaces", "", "team").is_none() && server.version() == version);
    /// # Ok::<(), kron_api_model::Status>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore(&self, backup: &Backup) {
        let mut network = self.network();
        network.cut_watches(&Match::any(), Cut::Break);
        network.thaw_all_reads();
        let mut store = self.store();
        store.restore(&backup.0);
        self.release(store);
    }

    /// Serves reads of a caller that allow any version (`resourceVersion=0`, or not older than what is passed) from a
    /// cache that stops at the present version, until [`Server::thaw_reads`].
    pub fn freeze_reads(&self, caller: &str) {
        let mut network = self.network();
        network.freeze_reads(caller, self.version());
    }

    /// Ends [`Server::freeze_reads`].
    pub fn thaw_reads(&self, caller: &str) {
        self.network().thaw_reads(caller);
    }

    // ---- access

    /// Allows a caller what RBAC rules say (`{"apiGroups": [], "resources": [], "verbs": [], "resourceNames": []}`), as a
    /// ClusterRole bound by a ClusterRoleBinding. From the first rules on everything else is refused.
    pub fn allow(&self, caller: &str, rules: Vec<Value>) {
        self.network().access.allow(caller, None, rules);
    }

    /// [`Server::allow`] in one namespace, as a RoleBinding.
    pub fn allow_in(&self, caller: &str, namespace: &str, rules: Vec<Value>) {
        self.network().access.allow(caller, Some(namespace), rules);
    }

    // ---- faults

    /// Lets something happen to the next `times` requests of a kind (to all, if none is given). Faults that match the
    /// same request all happen, in the order of their injection; the first that ends the request does so.
    pub fn inject(&self, requests: Match, fault: Fault, times: impl Into<Option<usize>>) -> FaultId {
        self.network().faults.inject(requests, fault, times.into())
    }

    /// Ends a fault.
    pub fn end_fault(&self, fault: FaultId) {
        self.network().faults.end(fault);
    }

    /// Ends all faults. Requests that hang already hang on.
    pub fn end_faults(&self) {
        self.network().faults.end_all();
    }

    /// How many requests a fault has hit.
    pub fn hits(&self, fault: FaultId) -> usize {
        self.network().faults.hits(fault)
    }

    /// Cuts a caller off, or (None) connects it again.
    pub fn partition(&self, caller: &str, partition: Option<Partition>) {
        self.network().partition(caller, partition);
        self.inner.partitions.notify_waiters();
    }

    /// Waits until a caller is not held up by a partition; false if it is refused.
    pub(crate) async fn connected(&self, caller: &str) -> bool {
        loop {
            let changed = self.inner.partitions.notified();
            match self.network().partition_of(caller) {
                None => return true,
                Some(Partition::Refuse) => return false,
                Some(Partition::Hang) => {}
            }
            changed.await;
        }
    }

    // ---- watches

    /// Cuts running watches, and says how many.
    pub fn cut_watches(&self, watches: &Match, cut: Cut) -> usize {
        self.network().cut_watches(watches, cut)
    }

    /// Holds back all events of watches, running and future ones, until [`Server::release_watches`].
    pub fn stall_watches(&self, watches: Match) -> StallId {
        self.network().stall_watches(watches)
    }

    /// Lets the events go that a stall held back.
    pub fn release_watches(&self, stall: StallId) {
        self.network().release_watches(stall);
    }

    /// The watches that are running.
    pub fn running_watches(&self) -> Vec<Call> {
        self.network().running_watches()
    }

    pub(crate) fn end_watch(&self, table: TableId, number: u64) {
        // What ended is dropped once the network is free.
        let ended = self.network().end_watch(number);
        self.objects.end_watch(table, number);
        drop(ended);
    }

    // ---- log

    /// The requests of a kind that arrived, oldest first.
    pub fn requests(&self, requests: &Match) -> Vec<Record> {
        self.network().log.find(requests).cloned().collect()
    }

    /// How many requests of a kind arrived.
    pub fn count_requests(&self, requests: &Match) -> usize {
        self.network().log.find(requests).count()
    }

    /// Forgets all requests.
    pub fn clear_requests(&self) {
        self.network().log.clear();
    }

    /// How many requests are kept; 100,000 at first.
    pub fn set_log_limit(&self, requests: usize) {
        self.network().log.set_limit(requests);
    }
}
