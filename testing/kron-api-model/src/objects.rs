//! The objects of a server, behind a lock, with a clock and a runtime for what takes time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::call::{Call, Verb};
use crate::encode;
use crate::gc;
use crate::json;
use crate::options::DeleteOptions;
use crate::resource::{Resource, Strategy};
use crate::status::Status;
use crate::store::{Mutation, Store, StoreBackup, TableId, Work};
use crate::verbs::{Target, create, delete};

/// The wall clock of a server: what creation times and deletion times are read from.
pub type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// The objects of a server, read and written directly: without faults, access rules and log. A [`Server`](crate::Server)
/// dereferences to them, and a [`Hook`](crate::Hook) gets them. Clones are handles to the same objects.
///
/// ```
/// use std::sync::Arc;
/// use kron_api_model::{Objects, Server};
/// let server = Server::new(Arc::new(|| chrono::DateTime::UNIX_EPOCH));
/// let objects: Objects = Objects::clone(&server);
/// objects.create_namespace("team")?;
/// assert_eq!(server.count("v1", "namespaces"), 3);
/// # Ok::<(), kron_api_model::Status>(())
/// ```
#[derive(Clone)]
pub struct Objects {
    inner: Arc<Inner>,
}

struct Inner {
    clock: Clock,
    store: Mutex<Store>,
}

/// A kind whose objects are stored as they are written: without defaults, and with no rules for values but those of metadata.
/// Fields are checked where the kind has a type in `k8s-openapi`. See [`Objects::serve`].
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

/// All objects of a server at one time. See [`Objects::backup`].
#[derive(Clone, Debug)]
pub struct Backup(pub(crate) StoreBackup);

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Objects(version {})", self.version())
    }
}

impl Objects {
    /// None at all.
    pub(crate) fn new(clock: Clock) -> Objects {
        Objects { inner: Arc::new(Inner { clock, store: Mutex::new(Store::new()) }) }
    }

    /// The time by the injected clock.
    pub fn now(&self) -> DateTime<Utc> {
        (self.inner.clock)()
    }

    /// The newest `resourceVersion`.
    pub fn version(&self) -> u64 {
        self.store().version()
    }

    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        // A predicate that panicked in a test has not left anything half done.
        self.inner.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

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
        self.store().install(resource, &[(group, version)]);
    }

    /// All that is served: group, version and resource, in this order.
    ///
    /// ```
    /// let server = kron_api_model::Server::new(std::sync::Arc::new(|| chrono::DateTime::UNIX_EPOCH));
    /// assert!(server.served().iter().any(|(group, version, of)| group == "batch" && version == "v1" && of.kind == "Job"));
    /// ```
    pub fn served(&self) -> Vec<(String, String, Arc<Resource>)> {
        let store = self.store();
        let served = store.served();
        served
            .map(|(group, version, table)| (group.into(), version.into(), store.resource(table).clone()))
            .collect()
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
        let mut store = self.store();
        let plural = store
            .served()
            .find(|(g, v, table)| *g == group && *v == version && store.resource(*table).kind == kind)
            .map(|(_, _, table)| store.resource(table).plural.clone())
            .ok_or_else(Status::no_such_path)?;
        let target = Objects::target(&store, api_version, &plural)?;
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
        let reply = create::create(&mut store, &call, &target, now)?;
        self.release(store);
        serde_json::from_slice(&reply.body).map_err(|error| Status::internal_error(&error.to_string()))
    }

    /// An object as it is now, in the form of an API version (`batch/v1`); `resource` is the plural, the namespace is
    /// empty for resources without.
    pub fn get(&self, api_version: &str, resource: &str, namespace: &str, name: &str) -> Option<Value> {
        let store = self.store();
        let target = Objects::target(&store, api_version, resource).ok()?;
        let object = store.get(target.table, namespace, name)?;
        Some(encode::to_view(&object.value, &target.view))
    }

    /// All objects of a resource as they are now, in the order of namespace and name.
    pub fn list(&self, api_version: &str, resource: &str) -> Vec<Value> {
        let store = self.store();
        let Ok(target) = Objects::target(&store, api_version, resource) else { return Vec::new() };
        let objects = store.table(target.table).iter(None);
        objects.map(|(_, object)| encode::to_view(&object.value, &target.view)).collect()
    }

    /// How many objects of a resource there are.
    pub fn count(&self, api_version: &str, resource: &str) -> usize {
        let store = self.store();
        let target = Objects::target(&store, api_version, resource);
        target.map_or(0, |target| store.table(target.table).len())
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

    /// [`Objects::edit`], stored only if `edit` says so.
    pub(crate) fn edit_if(
        &self,
        api_version: &str,
        resource: &str,
        namespace: &str,
        name: &str,
        edit: impl FnOnce(&mut Value) -> bool,
    ) -> Option<Value> {
        let mut store = self.store();
        let target = Objects::target(&store, api_version, resource).ok()?;
        let place = target.place(namespace, name);
        let mut value = store.get(target.table, namespace, name)?.value.clone();
        if !edit(&mut value) {
            return None;
        }
        let object = store.put(&place, value);
        self.release(store);
        Some(encode::to_view(&object.value, &target.view))
    }

    /// Deletes an object in the background, as far as its finalizers allow. False if there is none.
    pub fn delete(&self, api_version: &str, resource: &str, namespace: &str, name: &str) -> bool {
        let now = self.now();
        let mut store = self.store();
        let Ok(target) = Objects::target(&store, api_version, resource) else { return false };
        let place = target.place(namespace, name);
        let Some(object) = store.table(target.table).get(&place.key).cloned() else { return false };
        let options = DeleteOptions::default();
        delete::remove(&mut store, &target.resource, &place, &object, &options, now);
        self.release(store);
        true
    }

    // ---- admission

    /// Changes the objects of all creates from now on, before they are checked, as a mutating admission webhook does. The
    /// function gets the resource, such as `jobs`, and the object.
    pub fn mutate_creates(&self, change: impl Fn(&str, &mut Value) + Send + Sync + 'static) {
        self.store().mutation = Some(Mutation(Box::new(change)));
    }

    /// Ends [`Objects::mutate_creates`].
    pub fn end_mutation(&self) {
        self.store().mutation = None;
    }

    // ---- garbage collection

    /// How long the garbage collector takes to notice. Even without a delay it works behind the request.
    pub fn set_gc_delay(&self, delay: Duration) {
        self.store().gc_delay = delay;
    }

    /// Unlocks the store after a write, and leaves the work that follows from it to the garbage collector.
    pub(crate) fn release(&self, mut store: MutexGuard<'_, Store>) {
        let work = std::mem::take(&mut store.work);
        if work.is_empty() {
            return;
        }
        let delay = store.gc_delay;
        drop(store);
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => {
                let objects = self.clone();
                runtime.spawn(async move {
                    tokio::time::sleep(delay).await;
                    objects.collect(work);
                });
            }
            // Nothing can wait without a runtime.
            Err(_) => self.collect(work),
        }
    }

    fn collect(&self, work: Vec<Work>) {
        let now = self.now();
        let mut store = self.store();
        for work in work {
            gc::run(&mut store, &work, now);
        }
        self.release(store);
    }

    // ---- history

    /// How many changes of each resource are kept for watches and lists of older versions; 10,000 at first.
    pub fn set_history_limit(&self, changes: usize) {
        self.store().set_history_limit(changes);
    }

    /// Forgets all history: older versions are answered with 410 from now on. Running watches go on.
    pub fn compact(&self) {
        self.store().compact();
    }

    /// A copy of all objects, and of the version of the newest.
    pub fn backup(&self) -> Backup {
        Backup(self.store().backup())
    }

    // ---- watches

    /// Takes a watcher off its table.
    pub(crate) fn end_watch(&self, table: TableId, number: u64) {
        // What ended is dropped once the store is free.
        let ended = self.store().table_mut(table).watchers.remove(&number);
        drop(ended);
    }
}
