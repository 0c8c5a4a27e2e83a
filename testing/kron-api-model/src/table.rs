//! The objects of one resource: as they are, as they were, and who watches them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

use crate::json;

/// The key of an object within its resource. The namespace of cluster-scoped objects is empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Key {
    pub(crate) namespace: String,
    pub(crate) name: String,
}

/// A stored object of one version.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) version: u64,
    pub(crate) value: Value,
}

impl Object {
    pub(crate) fn uid(&self) -> &str {
        json::text_or_empty(&self.value, &["metadata", "uid"])
    }

    pub(crate) fn is_terminating(&self) -> bool {
        json::at(&self.value, &["metadata", "deletionTimestamp"]).is_some()
    }
}

/// A write, as watches see it.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) version: u64,
    pub(crate) key: Key,
    /// The object after the write; what was removed carries the version of its removal.
    pub(crate) object: Arc<Object>,
    pub(crate) previous: Option<Arc<Object>>,
    pub(crate) removed: bool,
}

/// The receivers of changes.
#[derive(Debug)]
pub(crate) struct Watcher {
    /// None: all namespaces.
    pub(crate) namespace: Option<String>,
    pub(crate) changes: UnboundedSender<Arc<Change>>,
}

/// The objects of one resource.
#[derive(Debug, Default)]
pub(crate) struct Table {
    objects: BTreeMap<Key, Arc<Object>>,
    history: VecDeque<Arc<Change>>,
    /// The last version whose change is no longer kept.
    compacted: u64,
    pub(crate) watchers: BTreeMap<u64, Watcher>,
    /// Per label key that was asked for: (namespace, value) -> names.
    labels: BTreeMap<String, BTreeMap<(String, String), BTreeSet<String>>>,
}

impl Table {
    pub(crate) fn get(&self, key: &Key) -> Option<&Arc<Object>> {
        self.objects.get(key)
    }

    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }

    /// The objects of a namespace (of all, if none is given) in the order of their keys.
    pub(crate) fn iter<'a>(
        &'a self,
        namespace: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a Key, &'a Arc<Object>)> {
        self.objects.range(start(namespace)..).take_while(move |(key, _)| within(key, namespace))
    }

    /// Changes all objects as they are read, not as they were written: without a version, an event, or a history.
    pub(crate) fn reread(&mut self, change: impl Fn(&mut Value)) {
        for object in self.objects.values_mut() {
            let mut value = object.value.clone();
            change(&mut value);
            if value != object.value {
                *object = Arc::new(Object { version: object.version, value });
            }
        }
    }

    /// Applies a change. Everything else that knows of objects follows from it.
    pub(crate) fn apply(&mut self, change: Change, history_limit: usize) {
        let change = Arc::new(change);
        if let Some(previous) = &change.previous {
            self.unindex(&change.key, previous);
        }
        if change.removed {
            self.objects.remove(&change.key);
        } else {
            self.index(&change.key, &change.object);
            self.objects.insert(change.key.clone(), change.object.clone());
        }
        // A watcher whose stream is gone is taken off when its receiver is dropped, not here.
        for watcher in self.watchers.values() {
            if watcher.namespace.as_ref().is_none_or(|namespace| *namespace == change.key.namespace) {
                drop(watcher.changes.send(change.clone()));
            }
        }
        self.history.push_back(change);
        self.trim(history_limit);
    }

    pub(crate) fn trim(&mut self, history_limit: usize) {
        while self.history.len() > history_limit {
            if let Some(change) = self.history.pop_front() {
                self.compacted = change.version;
            }
        }
    }

    /// Forgets everything before `version`.
    pub(crate) fn compact(&mut self, version: u64) {
        self.history.retain(|change| change.version > version);
        self.compacted = self.compacted.max(version);
    }

    /// Puts objects in the place of all. Those who follow the table get each object; there is no history.
    pub(crate) fn restore(&mut self, objects: Vec<(Key, Arc<Object>)>, version: u64) {
        self.objects = objects.into_iter().collect();
        self.history.clear();
        self.labels.clear();
        self.compacted = version;
        for (key, object) in &self.objects {
            let (key, object, previous) = (key.clone(), object.clone(), None);
            let change = Arc::new(Change { version: object.version, key, object, previous, removed: false });
            for watcher in self.watchers.values() {
                drop(watcher.changes.send(change.clone()));
            }
        }
    }

    /// The changes after a version, unless some of them are no longer kept.
    pub(crate) fn since(&self, version: u64) -> Option<impl Iterator<Item = &Arc<Change>>> {
        (version >= self.compacted).then(|| {
            let first = self.history.partition_point(|change| change.version <= version);
            self.history.range(first..)
        })
    }

    /// The oldest version that a snapshot can be taken of.
    pub(crate) fn oldest(&self) -> u64 {
        self.compacted
    }

    /// The objects as they were at a version, unless it is no longer known.
    pub(crate) fn at(&self, version: u64) -> Option<Snapshot<'_>> {
        let mut former = BTreeMap::new();
        for change in self.since(version)? {
            // The first change after the version says what was there before.
            former.entry(&change.key).or_insert(change.previous.as_ref());
        }
        Some(Snapshot { table: self, former })
    }

    /// The names of objects that have a label, and the namespace; the key is indexed from the first question on.
    pub(crate) fn labelled(&mut self, namespace: &str, label: &str, value: &str) -> Vec<Key> {
        if !self.labels.contains_key(label) {
            let mut index: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
            for (key, object) in &self.objects {
                if let Some(value) = json::text(&object.value, &["metadata", "labels", label]) {
                    let place = (key.namespace.clone(), value.to_owned());
                    index.entry(place).or_default().insert(key.name.clone());
                }
            }
            self.labels.insert(label.to_owned(), index);
        }
        let place = (namespace.to_owned(), value.to_owned());
        let names = self.labels.get(label).and_then(|index| index.get(&place));
        names
            .into_iter()
            .flatten()
            .map(|name| Key { namespace: namespace.to_owned(), name: name.clone() })
            .collect()
    }

    fn index(&mut self, key: &Key, object: &Object) {
        for (label, index) in &mut self.labels {
            if let Some(value) = json::text(&object.value, &["metadata", "labels", label]) {
                let place = (key.namespace.clone(), value.to_owned());
                index.entry(place).or_default().insert(key.name.clone());
            }
        }
    }

    fn unindex(&mut self, key: &Key, object: &Object) {
        for (label, index) in &mut self.labels {
            if let Some(value) = json::text(&object.value, &["metadata", "labels", label]) {
                let place = (key.namespace.clone(), value.to_owned());
                if let Some(names) = index.get_mut(&place) {
                    names.remove(&key.name);
                    if names.is_empty() {
                        index.remove(&place);
                    }
                }
            }
        }
    }
}

fn start(namespace: Option<&str>) -> Key {
    Key { namespace: namespace.unwrap_or_default().to_owned(), name: String::new() }
}

fn within(key: &Key, namespace: Option<&str>) -> bool {
    namespace.is_none_or(|namespace| key.namespace == namespace)
}

/// The objects of a table at some version.
#[derive(Debug)]
pub(crate) struct Snapshot<'a> {
    table: &'a Table,
    /// What changed since, as it was then.
    former: BTreeMap<&'a Key, Option<&'a Arc<Object>>>,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn get(&self, key: &Key) -> Option<&'a Arc<Object>> {
        match self.former.get(key) {
            Some(&former) => former,
            None => self.table.objects.get(key),
        }
    }

    /// The objects of a namespace after a key, in order.
    pub(crate) fn iter(
        &self,
        namespace: Option<&str>,
        after: Option<&Key>,
    ) -> impl Iterator<Item = (&'a Key, &'a Arc<Object>)> {
        let from = match after {
            Some(key) => Bound::Excluded(key.clone()),
            None => Bound::Included(start(namespace)),
        };
        let mut former = self
            .former
            .range::<Key, _>((from.as_ref(), Bound::Unbounded))
            .filter_map(|(&key, &object)| Some((key, object?)))
            .peekable();
        let mut live = self
            .table
            .objects
            .range((from.clone(), Bound::Unbounded))
            .filter(|(key, _)| !self.former.contains_key(key))
            .peekable();
        // Two sorted sequences without a common key become one.
        std::iter::from_fn(move || match (former.peek(), live.peek()) {
            (Some((then, _)), Some((now, _))) if then < now => former.next(),
            (_, Some(_)) => live.next(),
            (_, None) => former.next(),
        })
        .take_while(move |(key, _)| within(key, namespace))
    }
}
