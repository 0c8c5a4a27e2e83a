//! What waits in a queue, by namespace. Namespaces take turns, so that one with much to do does not hold up the others.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// A queue in which namespaces take turns: within one, first come first served.
#[derive(Debug)]
pub(crate) struct Turns<T> {
    /// A namespace that has nothing is not here.
    namespaces: BTreeMap<Arc<str>, VecDeque<T>>,
    /// The namespaces in the order of their turns.
    turns: VecDeque<Arc<str>>,
    length: usize,
}

impl<T> Default for Turns<T> {
    fn default() -> Turns<T> {
        Turns { namespaces: BTreeMap::new(), turns: VecDeque::new(), length: 0 }
    }
}

impl<T> Turns<T> {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn push(&mut self, namespace: &Arc<str>, item: T) {
        self.lengthen(namespace).push_back(item);
    }

    /// Makes something the next of its namespace.
    pub(crate) fn put_back(&mut self, namespace: &Arc<str>, item: T) {
        self.lengthen(namespace).push_front(item);
    }

    /// Where the next thing of a namespace goes. The namespace has its turn if it had nothing before.
    fn lengthen(&mut self, namespace: &Arc<str>) -> &mut VecDeque<T> {
        self.length += 1;
        self.namespaces.entry(namespace.clone()).or_insert_with(|| {
            self.turns.push_back(namespace.clone());
            VecDeque::new()
        })
    }

    /// Takes what is next of the first namespace that is ready.
    pub(crate) fn pop(&mut self, ready: impl Fn(&str) -> bool) -> Option<T> {
        let turn = self.turns.iter().position(|namespace| ready(namespace))?;
        let namespace = self.turns.remove(turn)?;
        let item = self.shorten(&namespace);
        if self.namespaces.contains_key(&namespace) {
            self.turns.push_back(namespace);
        }
        item
    }

    /// Drops what is next of the namespace that has the most.
    pub(crate) fn drop_oldest(&mut self) {
        let largest = self.namespaces.iter().max_by_key(|(_, items)| items.len());
        let Some(namespace) = largest.map(|(namespace, _)| namespace.clone()) else { return };
        self.shorten(&namespace);
        if !self.namespaces.contains_key(&namespace) {
            self.turns.retain(|turn| *turn != namespace);
        }
    }

    fn shorten(&mut self, namespace: &str) -> Option<T> {
        let items = self.namespaces.get_mut(namespace)?;
        let item = items.pop_front()?;
        self.length -= 1;
        if items.is_empty() {
            self.namespaces.remove(namespace);
        }
        Some(item)
    }
}
