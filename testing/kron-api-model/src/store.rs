//! All tables under one version counter.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::json;
use crate::kinds::job_status;
use crate::resource::Resource;
use crate::table::{Change, Key, Object, Table, Watcher};

/// A table, for ever: those of removed definitions are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TableId(usize);

/// The place of an object in the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) table: TableId,
    pub(crate) key: Key,
}

/// What a write leaves to be done behind the caller's back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// The owner of this uid is gone: its dependents follow.
    Orphaned(String),
    /// This object names an owner that is not there.
    Unowned(Place),
    /// This object waits for its dependents, or for them to be let go.
    Finalize(Place),
    /// The namespace is to be emptied.
    Namespace(String),
    /// The objects of a definition are to be deleted.
    Definition(String),
}

#[derive(Debug)]
struct Slot {
    resource: Arc<Resource>,
    table: Table,
}

/// All objects.
#[derive(Debug)]
pub(crate) struct Store {
    version: u64,
    /// Counts what is made up: UIDs, name suffixes, watchers.
    serial: u64,
    slots: Vec<Slot>,
    /// (group, version, plural) -> table.
    served: BTreeMap<(String, String, String), TableId>,
    uids: BTreeMap<String, Place>,
    dependents: BTreeMap<String, BTreeSet<Place>>,
    history_limit: usize,
    /// How long the garbage collector takes to notice.
    pub(crate) gc_delay: Duration,
    pub(crate) work: Vec<Work>,
    pub(crate) mutation: Option<Mutation>,
}

/// Changes the object of a create, as a mutating admission webhook does. It gets the resource, such as `jobs`, and the object.
pub(crate) struct Mutation(pub(crate) Box<MutateObject>);

/// Gets a resource and an object.
pub(crate) type MutateObject = dyn Fn(&str, &mut Value) + Send + Sync;

impl std::fmt::Debug for Mutation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mutation(..)")
    }
}

/// All objects as they were at one version.
#[derive(Clone, Debug)]
pub(crate) struct StoreBackup {
    version: u64,
    served: BTreeMap<(String, String, String), TableId>,
    /// In the order of tables.
    objects: Vec<Vec<(Key, Arc<Object>)>>,
}

impl Store {
    pub(crate) fn new() -> Store {
        let mut store = Store {
            version: 1,
            serial: 0,
            slots: Vec::new(),
            served: BTreeMap::new(),
            uids: BTreeMap::new(),
            dependents: BTreeMap::new(),
            history_limit: 10_000,
            gc_delay: Duration::ZERO,
            work: Vec::new(),
            mutation: None,
        };
        for (resource, served) in Resource::built_in() {
            store.install(resource, &served);
        }
        store
    }

    /// The newest version of anything.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Serves a resource under group versions; objects of an earlier definition of the same name stay.
    pub(crate) fn install(&mut self, resource: Resource, served: &[(&str, &str)]) -> TableId {
        let known = self
            .served
            .iter()
            .find(|((group, _, plural), _)| *plural == resource.plural && *group == resource.group);
        let id = known.map_or(TableId(self.slots.len()), |(_, &id)| id);
        self.serve_no_more(&resource.group, &resource.plural);
        for (group, version) in served {
            let name = ((*group).to_owned(), (*version).to_owned(), resource.plural.clone());
            self.served.insert(name, id);
        }
        let resource = Arc::new(resource);
        match self.slots.get_mut(id.0) {
            Some(slot) => slot.resource = resource,
            None => {
                // A watch from before then is too old: it has not seen that the objects of an earlier definition are gone.
                let mut table = Table::default();
                table.compact(self.version);
                self.slots.push(Slot { resource, table });
            }
        }
        id
    }

    /// Stops serving a resource, and ends its watches.
    pub(crate) fn uninstall(&mut self, group: &str, plural: &str) {
        if let Some(table) = self.find_any(group, plural) {
            self.table_mut(table).watchers.clear();
        }
        self.serve_no_more(group, plural);
    }

    fn serve_no_more(&mut self, group: &str, plural: &str) {
        self.served.retain(|(g, _, p), _| g != group || p != plural);
    }

    /// All that is served: group, version and table.
    pub(crate) fn served(&self) -> impl Iterator<Item = (&str, &str, TableId)> {
        self.served.iter().map(|((group, version, _), &id)| (group.as_str(), version.as_str(), id))
    }

    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<TableId> {
        self.served.get(&(group.to_owned(), version.to_owned(), plural.to_owned())).copied()
    }

    /// The table of a resource in any of its versions.
    pub(crate) fn find_any(&self, group: &str, plural: &str) -> Option<TableId> {
        self.served()
            .find(|(g, _, id)| *g == group && self.resource(*id).plural == plural)
            .map(|(_, _, id)| id)
    }

    /// Keeps so many changes of each resource from now on.
    pub(crate) fn set_history_limit(&mut self, changes: usize) {
        self.history_limit = changes;
        for table in self.tables() {
            self.table_mut(table).trim(changes);
        }
    }

    /// Forgets all history.
    pub(crate) fn compact(&mut self) {
        let version = self.version;
        for table in self.tables() {
            self.table_mut(table).compact(version);
        }
    }

    pub(crate) fn tables(&self) -> impl Iterator<Item = TableId> + use<> {
        (0..self.slots.len()).map(TableId)
    }

    // Indexing cannot fail: identifiers are made by `install` alone and slots are never removed.
    fn slot(&self, id: TableId) -> &Slot {
        &self.slots[id.0]
    }

    pub(crate) fn resource(&self, id: TableId) -> &Arc<Resource> {
        &self.slot(id).resource
    }

    pub(crate) fn table(&self, id: TableId) -> &Table {
        &self.slot(id).table
    }

    pub(crate) fn table_mut(&mut self, id: TableId) -> &mut Table {
        &mut self.slots[id.0].table
    }

    pub(crate) fn get(&self, table: TableId, namespace: &str, name: &str) -> Option<&Arc<Object>> {
        self.table(table).get(&Key { namespace: namespace.to_owned(), name: name.to_owned() })
    }

    /// Stores a new object or the next state of one, and gives it back with its version.
    pub(crate) fn put(&mut self, place: &Place, mut value: Value) -> Arc<Object> {
        self.version += 1;
        json::set(&mut value, &["metadata", "resourceVersion"], self.version.to_string());
        let object = Arc::new(Object { version: self.version, value });
        let previous = self.table(place.table).get(&place.key).cloned();
        self.link(place, previous.as_deref(), Some(&object));
        let change = Change {
            version: self.version,
            key: place.key.clone(),
            object: object.clone(),
            previous,
            removed: false,
        };
        let limit = self.history_limit;
        self.table_mut(place.table).apply(change, limit);
        object
    }

    /// Removes an object and gives back its last state, with the version of its removal.
    pub(crate) fn remove(&mut self, place: &Place) -> Option<Arc<Object>> {
        let previous = self.table(place.table).get(&place.key).cloned()?;
        self.version += 1;
        let mut value = previous.value.clone();
        json::set(&mut value, &["metadata", "resourceVersion"], self.version.to_string());
        let object = Arc::new(Object { version: self.version, value });
        self.link(place, Some(&previous), None);
        self.recheck_container(place);
        let change = Change {
            version: self.version,
            key: place.key.clone(),
            object: object.clone(),
            previous: Some(previous),
            removed: true,
        };
        let limit = self.history_limit;
        self.table_mut(place.table).apply(change, limit);
        Some(object)
    }

    pub(crate) fn backup(&self) -> StoreBackup {
        let objects_of = |id: TableId| {
            let objects = self.table(id).iter(None);
            objects.map(|(key, object)| (key.clone(), object.clone())).collect()
        };
        let objects = self.tables().map(objects_of).collect();
        StoreBackup { version: self.version, served: self.served.clone(), objects }
    }

    /// Everything is as it was, and versions go on from there.
    pub(crate) fn restore(&mut self, backup: &StoreBackup) {
        self.version = backup.version;
        self.served.clone_from(&backup.served);
        self.uids.clear();
        self.dependents.clear();
        self.work.clear();
        for table in self.tables() {
            let mut objects = backup.objects.get(table.0).cloned().unwrap_or_default();
            let resource = self.resource(table);
            if resource.group == "batch" && resource.plural == "jobs" {
                objects.iter_mut().for_each(|(_, job)| begin_again(job));
            }
            for (key, object) in &objects {
                let place = Place { table, key: key.clone() };
                for owner in owners(object) {
                    self.dependents.entry(owner.to_owned()).or_default().insert(place.clone());
                }
                self.uids.insert(object.uid().to_owned(), place.clone());
                if object.is_terminating() {
                    self.work.push(Work::Finalize(place));
                }
            }
            self.table_mut(table).restore(objects, backup.version);
        }
    }

    /// Keeps the indexes of uids and owners, and notes what the garbage collector has to look at.
    fn link(&mut self, place: &Place, old: Option<&Object>, new: Option<&Object>) {
        let former: BTreeSet<&str> = old.map(owners).into_iter().flatten().collect();
        let present: BTreeSet<&str> = new.map(owners).into_iter().flatten().collect();
        for owner in former.difference(&present) {
            if let Some(places) = self.dependents.get_mut(*owner) {
                places.remove(place);
                if places.is_empty() {
                    self.dependents.remove(*owner);
                }
            }
            self.recheck_owner(owner);
        }
        for owner in present.difference(&former) {
            self.dependents.entry((*owner).to_owned()).or_default().insert(place.clone());
            if !self.uids.contains_key(*owner) {
                self.work.push(Work::Unowned(place.clone()));
            }
        }
        match (old, new) {
            (None, Some(new)) => drop(self.uids.insert(new.uid().to_owned(), place.clone())),
            (Some(old), None) => {
                self.uids.remove(old.uid());
                if self.dependents.contains_key(old.uid()) {
                    self.work.push(Work::Orphaned(old.uid().to_owned()));
                }
            }
            _ => {}
        }
        if let Some(new) = new
            && new.is_terminating()
            && [FOREGROUND, ORPHAN].iter().any(|finalizer| has_finalizer(&new.value, finalizer))
        {
            self.work.push(Work::Finalize(place.clone()));
        }
    }

    /// A namespace or a definition that waits to be empty may be so now.
    fn recheck_container(&mut self, place: &Place) {
        let terminating = |store: &Store, group: &str, plural: &str, name: &str| {
            let table = store.find(group, "v1", plural);
            table.and_then(|table| store.get(table, "", name)).is_some_and(|object| object.is_terminating())
        };
        if !place.key.namespace.is_empty() && terminating(self, "", "namespaces", &place.key.namespace) {
            self.work.push(Work::Namespace(place.key.namespace.clone()));
        }
        let resource = self.resource(place.table);
        let name = crate::status::qualified(&resource.plural, &resource.group);
        if terminating(self, "apiextensions.k8s.io", "customresourcedefinitions", &name) {
            self.work.push(Work::Definition(name));
        }
    }

    /// An owner that waits for its dependents may wait for one less now.
    fn recheck_owner(&mut self, uid: &str) {
        if let Some(place) = self.uids.get(uid)
            && self.table(place.table).get(&place.key).is_some_and(|owner| owner.is_terminating())
        {
            let place = place.clone();
            self.work.push(Work::Finalize(place));
        }
    }

    /// The place of the object with a UID.
    pub(crate) fn by_uid(&self, uid: &str) -> Option<&Place> {
        self.uids.get(uid)
    }

    /// The objects that name a uid among their owners.
    pub(crate) fn dependents(&self, uid: &str) -> Vec<Place> {
        self.dependents.get(uid).into_iter().flatten().cloned().collect()
    }

    /// A new number, never given before.
    pub(crate) fn serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    /// A new UID. They only look random: runs repeat.
    pub(crate) fn uid(&mut self) -> String {
        let serial = self.serial();
        let (high, low) = (scatter(serial.wrapping_mul(2)), scatter(serial.wrapping_mul(2) + 1));
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            0x8000 | (low >> 48 & 0x3fff),
            low & 0xffff_ffff_ffff
        )
    }

    /// Five characters for the end of a generated name.
    pub(crate) fn suffix(&mut self) -> String {
        const LETTERS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
        let mut number = scatter(self.serial());
        (0..5)
            .map(|_| {
                let index = usize::try_from(number % 27).unwrap_or_default();
                number /= 27;
                LETTERS.get(index).copied().map_or('x', char::from)
            })
            .collect()
    }

    /// Adds a watcher; its number takes it off again.
    pub(crate) fn watch(&mut self, table: TableId, watcher: Watcher) -> u64 {
        let serial = self.serial();
        self.table_mut(table).watchers.insert(serial, watcher);
        serial
    }
}

/// The finalizer of an object that waits for its dependents to be deleted.
pub(crate) const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an object that waits for its dependents to be let go.
pub(crate) const ORPHAN: &str = "orphan";

pub(crate) fn has_finalizer(value: &Value, finalizer: &str) -> bool {
    json::list(value, &["metadata", "finalizers"]).iter().any(|text| text == finalizer)
}

/// The pods of an active Job are not those that it had: it has not started.
fn begin_again(job: &mut Arc<Object>) {
    if !job_status::is_finished(&job.value) {
        let mut value = job.value.clone();
        json::set(&mut value, &["status"], serde_json::json!({}));
        *job = Arc::new(Object { version: job.version, value });
    }
}

fn owners(object: &Object) -> impl Iterator<Item = &str> {
    json::list(&object.value, &["metadata", "ownerReferences"])
        .iter()
        .filter_map(|owner| json::text(owner, &["uid"]))
}

/// The finalizer of SplitMix64: spreads consecutive numbers over all 64 bits.
fn scatter(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
