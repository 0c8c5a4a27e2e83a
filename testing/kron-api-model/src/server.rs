//! The server: a handle to its state, behind one lock, with a clock and a runtime for what takes time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::call::{Call, Verb};
use crate::faults::{Cut, Effect, FaultId, Partition, StallId};
use crate::gc;
use crate::json;
use crate::log::Record;
use crate::matcher::Match;
use crate::resource::{Resource, Strategy};
use crate::service::Service;
use crate::state::State;
use crate::status::Status;
use crate::store::{Mutation, Store, StoreBackup, TableId, Work};
use crate::verbs::{Target, create, delete};

/// The wall clock of a server: what creation times and deletion times are read from.
pub type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// An API server in this process. Clones are handles to the same server.
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
    inner: Arc<Inner>,
}

/// A kind whose objects are stored as they are written: without defaults, and with no rules for values but those of metadata.
/// Fields are checked where the kind has a type in `k8s-openapi`. See [`Server::serve`].
#[derive(Clone, Copy, Debug)]
pub struct StoredKind {
    /// `apps/v1`
    pub api_version: &'static str,
    /// `Deployment`
    pub kind: &'static str,
    /// `deployments`
    pub plural: &'static str,
    /// `deploy`
    pub short_names: &'static [&'static str],
    /// Whether its objects are in namespaces.
    pub namespaced: bool,
}

/// All objects of a server at one time. See [`Server::backup`].
#[derive(Clone, Debug)]
pub struct Backup(StoreBackup);

struct Inner {
    clock: Clock,
    state: Mutex<State>,
    /// Notified when a partition ends or changes.
    network: Notify,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server(version {})", self.version())
    }
}

impl Server {
    /// A server with the namespaces `default` and `kube-system` and nothing else. Its times come from `clock`; delays
    /// and timeouts are tokio's.
    pub fn new(clock: Clock) -> Server {
        let state = Mutex::new(State::new());
        let server = Server { inner: Arc::new(Inner { clock, state, network: Notify::new() }) };
        for name in ["default", "kube-system"] {
            // An empty server has room for both.
            drop(server.create_namespace(name));
        }
        server
    }

    /// A client of this server. The name distinguishes callers in faults, access rules and the log. Needs a running tokio
    /// runtime, as every client does.
    pub fn client(&self, name: &str) -> kube::Client {
        kube::Client::new(Service::new(self.clone(), name), "default")
    }

    /// The time by the injected clock.
    pub fn now(&self) -> DateTime<Utc> {
        (self.inner.clock)()
    }

    /// The newest `resourceVersion`.
    pub fn version(&self) -> u64 {
        self.state().store.version()
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A predicate that panicked in a test has not left anything half done.
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // ---- objects, read and written directly: no faults, no access rules, no log

    pub(crate) fn target(store: &Store, api_version: &str, resource: &str) -> Result<Target, Status> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let table = store.find(group, version, resource).ok_or_else(Status::no_such_path)?;
        let resource = store.resource(table).clone();
        let view = resource.view(group, version, false);
        Ok(Target { table, resource, view })
    }

    /// Serves a kind beyond those of the model, whose objects are stored as they are written.
    ///
    /// ```
    /// use kron_api_model::{Server, StoredKind};
    /// let server = Server::new(std::sync::Arc::new(|| chrono::DateTime::UNIX_EPOCH));
    /// server.serve(&StoredKind {
    ///     api_version: "v1", kind: "ConfigMap", plural: "configmaps", short_names: &["cm"], namespaced: true,
    /// });
    /// let object = serde_json::json!({
    ///     "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}, "data": {"b": "c"},
    /// });
    /// assert_eq!(server.create(object)?["data"]["b"], "c");
    /// # Ok::<(), kron_api_model::Status>(())
    /// ```
    pub fn serve(&self, kind: &StoredKind) {
        let (group, version) = kind.api_version.split_once('/').unwrap_or(("", kind.api_version));
        let resource = Resource {
            group: group.into(),
            plural: kind.plural.into(),
            kind: kind.kind.into(),
            list_kind: format!("{}List", kind.kind),
            singular: kind.kind.to_lowercase(),
            short_names: kind.short_names.iter().map(|&name| name.into()).collect(),
            categories: Vec::new(),
            namespaced: kind.namespaced,
            status: true,
            strategy: Strategy::Stored,
        };
        self.state().store.install(resource, &[(group, version)]);
    }

    /// Makes a namespace.
    ///
    /// # Errors
    ///
    /// If it is there, or its name is not valid.
    pub fn create_namespace(&self, name: &str) -> Result<Value, Status> {
        self.create(json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}))
    }

    /// Makes an object of any served kind, with all defaults and checks of a request, and gives it back.
    ///
    /// # Errors
    ///
    /// Those of the request.
    pub fn create(&self, object: Value) -> Result<Value, Status> {
        let (api_version, kind) =
            (json::text_or_empty(&object, &["apiVersion"]), json::text_or_empty(&object, &["kind"]));
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let now = self.now();
        let mut state = self.state();
        let plural = state
            .store
            .served()
            .find(|(g, v, table)| *g == group && *v == version && state.store.resource(*table).kind == kind)
            .map(|(_, _, table)| state.store.resource(table).plural.clone())
            .ok_or_else(Status::no_such_path)?;
        let target = Server::target(&state.store, api_version, &plural)?;
        let namespace = json::text_or_empty(&object, &["metadata", "namespace"]);
        let namespace = match (target.resource.namespaced, namespace) {
            (false, _) => "",
            (true, "") => "default",
            (true, namespace) => namespace,
        };
        let call = Call {
            caller: "admin".into(),
            verb: Verb::Create,
            group: group.into(),
            version: version.into(),
            resource: plural,
            subresource: String::new(),
            namespace: namespace.into(),
            name: String::new(),
            dry_run: false,
            field_manager: String::new(),
            content_type: String::new(),
            query: Vec::new(),
            body: Arc::new(object),
            sent: Instant::now(),
        };
        let reply = create::create(&mut state.store, &call, &target, now)?;
        self.release(state);
        serde_json::from_slice(&reply.body).map_err(|error| Status::internal_error(&error.to_string()))
    }

    /// An object as it is now, in the form of an API version (`batch/v1`); `resource` is the plural, the namespace is
    /// empty for resources without.
    pub fn get(&self, api_version: &str, resource: &str, namespace: &str, name: &str) -> Option<Value> {
        let state = self.state();
        let target = Server::target(&state.store, api_version, resource).ok()?;
        let object = state.store.get(target.table, namespace, name)?;
        Some(crate::encode::to_view(&object.value, &target.view))
    }

    /// All objects of a resource as they are now, in the order of namespace and name.
    pub fn list(&self, api_version: &str, resource: &str) -> Vec<Value> {
        let state = self.state();
        let Ok(target) = Server::target(&state.store, api_version, resource) else { return Vec::new() };
        let objects = state.store.table(target.table).iter(None);
        objects.map(|(_, object)| crate::encode::to_view(&object.value, &target.view)).collect()
    }

    /// How many objects of a resource there are.
    pub fn count(&self, api_version: &str, resource: &str) -> usize {
        let state = self.state();
        let target = Server::target(&state.store, api_version, resource);
        target.map_or(0, |target| state.store.table(target.table).len())
    }

    /// Writes an object, its status included, without any check: what is stored may be what no request could store.
    /// `edit` sees the stored form. Gives back what is stored, or None if there is no such object.
    pub fn edit(
        &self,
        api_version: &str,
        resource: &str,
        namespace: &str,
        name: &str,
        edit: impl FnOnce(&mut Value),
    ) -> Option<Value> {
        self.edit_if(api_version, resource, namespace, name, |object| {
            edit(object);
            true
        })
    }

    /// [`Server::edit`], stored only if `edit` says so.
    pub(crate) fn edit_if(
        &self,
        api_version: &str,
        resource: &str,
        namespace: &str,
        name: &str,
        edit: impl FnOnce(&mut Value) -> bool,
    ) -> Option<Value> {
        let mut state = self.state();
        let target = Server::target(&state.store, api_version, resource).ok()?;
        let place = target.place(namespace, name);
        let mut value = state.store.get(target.table, namespace, name)?.value.clone();
        if !edit(&mut value) {
            return None;
        }
        let object = state.store.put(&place, value);
        self.release(state);
        Some(crate::encode::to_view(&object.value, &target.view))
    }

    /// Deletes an object in the background, as far as its finalizers allow. False if there is none.
    pub fn delete(&self, api_version: &str, resource: &str, namespace: &str, name: &str) -> bool {
        let now = self.now();
        let mut state = self.state();
        let Ok(target) = Server::target(&state.store, api_version, resource) else { return false };
        let place = target.place(namespace, name);
        let Some(object) = state.store.table(target.table).get(&place.key).cloned() else { return false };
        let options = crate::options::DeleteOptions::default();
        delete::remove(&mut state.store, &target.resource, &place, &object, &options, now);
        self.release(state);
        true
    }

    // ---- admission

    /// Changes the objects of all creates from now on, before they are checked, as a mutating admission webhook does. The
    /// function gets the resource, such as `jobs`, and the object.
    pub fn mutate_creates(&self, change: impl Fn(&str, &mut Value) + Send + Sync + 'static) {
        self.state().store.mutation = Some(Mutation(Box::new(change)));
    }

    /// Ends [`Server::mutate_creates`].
    pub fn end_mutation(&self) {
        self.state().store.mutation = None;
    }

    // ---- garbage collection

    /// How long the garbage collector takes to notice. Even without a delay it works behind the request.
    pub fn set_gc_delay(&self, delay: Duration) {
        self.state().gc_delay = delay;
    }

    /// Releases the state after a write, and leaves the work that follows from it to the garbage collector.
    pub(crate) fn release(&self, mut state: MutexGuard<'_, State>) {
        let work = std::mem::take(&mut state.store.work);
        if work.is_empty() {
            return;
        }
        let delay = state.gc_delay;
        drop(state);
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => {
                let server = self.clone();
                runtime.spawn(async move {
                    tokio::time::sleep(delay).await;
                    server.collect(work);
                });
            }
            // Nothing can wait without a runtime.
            Err(_) => self.collect(work),
        }
    }

    fn collect(&self, work: Vec<Work>) {
        let now = self.now();
        let mut state = self.state();
        for work in work {
            gc::run(&mut state.store, &work, now);
        }
        self.release(state);
    }

    // ---- history

    /// How many changes of each resource are kept for watches and lists of older versions; 10,000 at first.
    pub fn set_history_limit(&self, changes: usize) {
        self.state().set_history_limit(changes);
    }

    /// Forgets all history: older versions are answered with 410 from now on. Running watches go on.
    pub fn compact(&self) {
        self.state().compact();
    }

    /// A copy of all objects, and of the version of the newest.
    pub fn backup(&self) -> Backup {
        Backup(self.state().store.backup())
    }

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
        let mut state = self.state();
        state.restore(&backup.0);
        self.release(state);
    }

    /// Serves reads of a caller that allow any version (`resourceVersion=0`, or not older than what is passed) from a
    /// cache that stops at the present version, until [`Server::thaw_reads`].
    pub fn freeze_reads(&self, caller: &str) {
        self.state().freeze_reads(caller);
    }

    /// Ends [`Server::freeze_reads`].
    pub fn thaw_reads(&self, caller: &str) {
        self.state().thaw_reads(caller);
    }

    // ---- access

    /// Allows a caller what RBAC rules say (`{"apiGroups": [], "resources": [], "verbs": [], "resourceNames": []}`), as a
    /// ClusterRole bound by a ClusterRoleBinding. From the first rules on everything else is refused.
    pub fn allow(&self, caller: &str, rules: Vec<Value>) {
        self.state().access.allow(caller, None, rules);
    }

    /// [`Server::allow`] in one namespace, as a RoleBinding.
    pub fn allow_in(&self, caller: &str, namespace: &str, rules: Vec<Value>) {
        self.state().access.allow(caller, Some(namespace), rules);
    }

    // ---- faults

    /// Lets something happen to the next `times` requests of a kind (to all, if none is given). Faults that match the
    /// same request all happen, in the order of their injection; the first that ends the request does so.
    pub fn inject(&self, requests: Match, effect: Effect, times: impl Into<Option<usize>>) -> FaultId {
        self.state().faults.inject(requests, effect, times.into())
    }

    /// Ends a fault.
    pub fn end_fault(&self, fault: FaultId) {
        self.state().faults.end(fault);
    }

    /// Ends all faults. Requests that hang already hang on.
    pub fn end_faults(&self) {
        self.state().faults.end_all();
    }

    /// How many requests a fault has hit.
    pub fn hits(&self, fault: FaultId) -> usize {
        self.state().faults.hits(fault)
    }

    /// Cuts a caller off, or (None) connects it again.
    pub fn partition(&self, caller: &str, partition: Option<Partition>) {
        self.state().partition(caller, partition);
        self.inner.network.notify_waiters();
    }

    /// Waits until a caller is not held up by a partition; false if it is refused.
    pub(crate) async fn connected(&self, caller: &str) -> bool {
        loop {
            let changed = self.inner.network.notified();
            match self.state().partition_of(caller) {
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
        self.state().cut_watches(watches, cut)
    }

    /// Holds back all events of watches, running and future ones, until [`Server::release_watches`].
    pub fn stall_watches(&self, watches: Match) -> StallId {
        self.state().stall_watches(watches)
    }

    /// Lets the events go that a stall held back.
    pub fn release_watches(&self, stall: StallId) {
        self.state().release_watches(stall);
    }

    /// The watches that are running.
    pub fn running_watches(&self) -> Vec<Call> {
        self.state().running_watches()
    }

    pub(crate) fn end_watch(&self, table: TableId, number: u64) {
        // What ended is dropped once the state is free.
        let ended = self.state().end_watch(table, number);
        drop(ended);
    }

    // ---- log

    /// The requests of a kind that arrived, oldest first.
    pub fn requests(&self, requests: &Match) -> Vec<Record> {
        self.state().log.find(requests).cloned().collect()
    }

    /// How many requests of a kind arrived.
    pub fn count_requests(&self, requests: &Match) -> usize {
        self.state().log.find(requests).count()
    }

    /// Forgets all requests.
    pub fn clear_requests(&self) {
        self.state().log.clear();
    }

    /// How many requests are kept; 100,000 at first.
    pub fn set_log_limit(&self, requests: usize) {
        self.state().log.set_limit(requests);
    }
}
