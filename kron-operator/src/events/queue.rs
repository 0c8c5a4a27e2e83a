//! The Events that wait to be sent, by namespace.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use k8s_openapi::api::events::v1::Event;
use tokio::time::Instant;

use super::pending::PendingEvent;

/// An Event that waits.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) event: PendingEvent,
    /// How often it was sent.
    pub(super) attempts: u32,
    /// The Event that was created for it, if one was. Its answer may be lost, and the API server may have it: it is sent
    /// again under the same name.
    pub(super) created: Option<Box<Event>>,
}

/// The Events of one namespace, in the order of their arrival.
#[derive(Debug, Default)]
struct Namespace {
    events: VecDeque<Waiting>,
    /// How many of its Events are being sent.
    under_way: usize,
    /// Nothing is sent before, as an Event has failed.
    until: Option<Instant>,
}

/// Notes by namespace. Namespaces take turns.
#[derive(Debug, Default)]
pub(super) struct Queue {
    namespaces: BTreeMap<Arc<str>, Namespace>,
    /// The namespaces that have Events, in the order of their turns.
    turns: VecDeque<Arc<str>>,
    length: usize,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn push(&mut self, event: PendingEvent) {
        self.put(Waiting { event, attempts: 0, created: None }, VecDeque::push_back);
    }

    /// An Event that could not be sent is the next one of its namespace, and not before an instant.
    pub(super) fn put_back(&mut self, waiting: Waiting, until: Instant) {
        self.put(waiting, VecDeque::push_front).until = Some(until);
    }

    /// Puts an Event to an end of its namespace, which has its turn if it had no Event before.
    fn put(&mut self, waiting: Waiting, to_end: fn(&mut VecDeque<Waiting>, Waiting)) -> &mut Namespace {
        let name = waiting.event.kronjob.namespace.clone();
        self.length += 1;
        let namespace = self.namespaces.entry(name.clone()).or_default();
        if namespace.events.is_empty() {
            self.turns.push_back(name);
        }
        to_end(&mut namespace.events, waiting);
        namespace
    }

    /// Takes the next Event that may be sent now. So many of a namespace are under way at once.
    pub(super) fn pop(&mut self, now: Instant, of_a_namespace: usize) -> Option<Waiting> {
        let ready = |namespace: &Namespace| {
            namespace.under_way < of_a_namespace && namespace.until.is_none_or(|until| until <= now)
        };
        let turn = self.turns.iter().position(|name| self.namespaces.get(name).is_some_and(ready))?;
        let name = self.turns.remove(turn)?;
        let namespace = self.namespaces.get_mut(&name)?;
        namespace.until = None;
        let waiting = namespace.events.pop_front()?;
        namespace.under_way += 1;
        if !namespace.events.is_empty() {
            self.turns.push_back(name);
        }
        self.length -= 1;
        Some(waiting)
    }

    /// An Event of a namespace is no longer being sent.
    pub(super) fn ended(&mut self, name: &str) {
        let Some(namespace) = self.namespaces.get_mut(name) else { return };
        namespace.under_way = namespace.under_way.saturating_sub(1);
        self.forget_if_empty(name);
    }

    fn forget_if_empty(&mut self, name: &str) {
        let empty = |namespace: &Namespace| namespace.events.is_empty() && namespace.under_way == 0;
        if self.namespaces.get(name).is_some_and(empty) {
            self.namespaces.remove(name);
        }
    }

    /// When the first namespace may send again after a failure, if one waits for that.
    pub(super) fn ready_at(&self) -> Option<Instant> {
        self.namespaces.values().filter_map(|namespace| namespace.until).min()
    }

    /// Drops the oldest Event of the namespace that has the most.
    pub(super) fn drop_oldest(&mut self) {
        let largest = self.namespaces.iter_mut().max_by_key(|(_, namespace)| namespace.events.len());
        let Some((name, namespace)) = largest else { return };
        if namespace.events.pop_front().is_some() {
            self.length -= 1;
        }
        if namespace.events.is_empty() {
            let name = name.clone();
            self.turns.retain(|turn| *turn != name);
            self.forget_if_empty(&name);
        }
    }
}
