//! Controllers that run with the server.

use std::future::Future;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::Stream;
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::options::{DeleteOptions, Propagation};
use crate::server::Server;
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

impl Server {
    /// Every object of a resource as it is, and then every later state of one.
    pub(crate) fn follow(&self, api_version: &str, resource: &str) -> impl Stream<Item = Value> + use<> {
        let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
        let mut present = Vec::new();
        let mut guard = None;
        let mut state = self.state();
        if let Ok(target) = Server::target(&state.store, api_version, resource) {
            let table = target.table;
            present = state.store.table(table).iter(None).map(|(_, object)| object.value.clone()).collect();
            let number = state.store.watch(table, Watcher { namespace: None, changes: sender });
            guard = Some(Following { server: self.clone(), table, number });
        }
        drop(state);
        let later = futures::stream::unfold((receiver, guard), async |(mut receiver, guard)| {
            loop {
                let change = receiver.recv().await?;
                if !change.removed {
                    return Some((change.object.value.clone(), (receiver, guard)));
                }
            }
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
        let mut state = self.state();
        let Ok(target) = Server::target(&state.store, api_version, resource) else { return };
        let place = target.place(namespace, name);
        let Some(object) = state.store.table(target.table).get(&place.key).cloned() else { return };
        let options = DeleteOptions { propagation: Propagation::Foreground, ..DeleteOptions::default() };
        delete::remove(&mut state.store, &target.resource, &place, &object, &options, now);
        self.release(state);
    }
}

struct Following {
    server: Server,
    table: crate::store::TableId,
    number: u64,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.server.end_watch(self.table, self.number);
    }
}
