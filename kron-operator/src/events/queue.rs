//! The Events that wait to be sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::time::Instant;

use super::series::{PendingEvent, Post};
use crate::turns::Turns;

/// An Event that waits.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) event: PendingEvent,
    /// How often it was sent.
    pub(super) attempts: u32,
    /// The Event that was created for it, if one was. Its answer may be lost, and the API server may have it: it is sent
    /// again under the same name.
    pub(super) created: Option<Post>,
}

/// Events by namespace. Namespaces take turns.
#[derive(Debug, Default)]
pub(super) struct Queue {
    events: Turns<Waiting>,
    /// How many Events of a namespace are being sent.
    under_way: BTreeMap<Arc<str>, usize>,
    /// Until when a namespace sends nothing, as an Event has failed.
    paused: BTreeMap<Arc<str>, Instant>,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn push(&mut self, event: PendingEvent) {
        let namespace = event.kronjob.namespace.clone();
        self.events.push(&namespace, Waiting { event, attempts: 0, created: None });
    }

    /// An Event that could not be sent is the next one of its namespace, and not before an instant.
    pub(super) fn put_back(&mut self, waiting: Waiting, until: Instant) {
        let namespace = waiting.event.kronjob.namespace.clone();
        self.events.put_back(&namespace, waiting);
        self.paused.insert(namespace, until);
    }

    /// Takes the next Event that may be sent now. So many of a namespace are under way at once.
    pub(super) fn pop(&mut self, now: Instant, of_a_namespace: usize) -> Option<Waiting> {
        self.paused.retain(|_, until| *until > now);
        let waiting = self.events.pop(|namespace| {
            let under_way = self.under_way.get(namespace).copied().unwrap_or(0);
            under_way < of_a_namespace && !self.paused.contains_key(namespace)
        })?;
        *self.under_way.entry(waiting.event.kronjob.namespace.clone()).or_default() += 1;
        Some(waiting)
    }

    /// An Event of a namespace is no longer being sent.
    pub(super) fn ended(&mut self, namespace: &str) {
        let Some(under_way) = self.under_way.get_mut(namespace) else { return };
        *under_way -= 1;
        if *under_way == 0 {
            self.under_way.remove(namespace);
        }
    }

    /// When the first namespace may send again after a failure, if one waits for that.
    pub(super) fn ready_at(&self) -> Option<Instant> {
        self.paused.values().min().copied()
    }

    /// Drops the oldest Event of the namespace that has the most.
    pub(super) fn drop_oldest(&mut self) {
        self.events.drop_oldest();
    }
}
