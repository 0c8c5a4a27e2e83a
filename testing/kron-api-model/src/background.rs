//! Controllers that run with the server.

use std::future::Future;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::Stream;
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::objects::Objects;
use crate::options::{DeleteOptions, Propagation};
use crate::store::TableId;
use crate::table::Watcher;
use crate::verbs::delete;

/// A controller that runs until this is dropped.
#[derive(Debug)]
#[must_use = "the controller ends when this is dropped"]
pub struct Background {
    task: JoinHandle<()>,
}

impl Background {
    pub(crate) fn spawn(run: impl Future<Output = ()> + Send + 'static) -> Background {
        Background { task: tokio::spawn(run) }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Objects {
    /// Every object of a resource as it is, and then every later state of one.
    pub(crate) fn follow(&self, api_version: &str, resource: &str) -> impl Stream<Item = Value> + use<> {
        let present = |(object, removed): (Value, bool)| std::future::ready((!removed).then_some(object));
        Box::pin(futures::StreamExt::filter_map(self.changes(api_version, resource), present))
    }

    /// Every object of a resource as it is stored, and then every later state of one, whatever faults watches have; the last
    /// state of an object comes with `true` when it is removed. Ends when the definition of the resource is removed.
    ///
    /// ```
    /// use futures::StreamExt;
    /// use kron_api_model::Server;
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// let server = Server::new(std::sync::Arc::new(chrono::Utc::now));
    /// let mut changes = server.changes("v1", "namespaces");
    /// let before = server.count("v1", "namespaces");
    /// server.create_namespace("prod").unwrap();
    /// let (namespace, removed) = changes.by_ref().skip(before).next().await.unwrap();
    /// assert_eq!((&namespace["metadata"]["name"], removed), (&"prod".into(), false));
    /// # });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn changes(&self, api_version: &str, resource: &str) -> impl Stream<Item = (Value, bool)> + use<> {
        let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
        let mut present = Vec::new();
        let mut guard = None;
        let mut store = self.store();
        if let Ok(target) = Objects::target(&store, api_version, resource) {
            let table = target.table;
            let objects = store.table(table).iter(None);
            present = objects.map(|(_, object)| (object.value.clone(), false)).collect();
            let number = store.watch(table, Watcher { namespace: None, changes: sender });
            guard = Some(Following { objects: self.clone(), table, number });
        }
        drop(store);
        let later = futures::stream::unfold((receiver, guard), async |(mut receiver, guard)| {
            let change = receiver.recv().await?;
            Some(((change.object.value.clone(), change.removed), (receiver, guard)))
        });
        Box::pin(futures::StreamExt::chain(futures::stream::iter(present), later))
    }

    /// Sleeps until the injected clock shows a time. A clock that is set meanwhile is noticed within an hour.
    pub(crate) async fn sleep_until(&self, time: DateTime<Utc>) {
        while let Ok(left) = (time - self.now()).to_std()
            && !left.is_zero()
        {
            tokio::time::sleep(left.min(Duration::from_secs(3600)).max(Duration::from_millis(1))).await;
        }
    }

    /// Deletes an object after its dependents.
    pub(crate) fn delete_foreground(&self, api_version: &str, resource: &str, namespace: &str, name: &str) {
        let now = self.now();
        let mut store = self.store();
        let Ok(target) = Objects::target(&store, api_version, resource) else { return };
        let place = target.place(namespace, name);
        let Some(object) = store.table(target.table).get(&place.key).cloned() else { return };
        let options = DeleteOptions { propagation: Propagation::Foreground, ..DeleteOptions::default() };
        delete::remove(&mut store, &target.resource, &place, &object, &options, now);
        self.release(store);
    }
}

struct Following {
    objects: Objects,
    table: TableId,
    number: u64,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.objects.end_watch(self.table, self.number);
    }
}
