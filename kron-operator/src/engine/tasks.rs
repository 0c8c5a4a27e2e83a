//! The tasks of an engine. If one ends without being asked to, the process ends.

use std::collections::HashMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::task::{Id, JoinSet};
use tokio_util::sync::CancellationToken;

use super::options::Hold;

/// A task panicked, or ended without a request to end. Its work is no longer done, so the process must not go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the task `{task}` ended early: {why}")]
pub struct EndedEarly {
    /// The task.
    pub task: &'static str,
    /// The message of its panic, or that it returned.
    pub why: String,
}

/// Tasks that run at the same time until they are asked to end. Dropped, they are aborted.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    set: JoinSet<()>,
    names: HashMap<Id, &'static str>,
    hold: Option<Arc<dyn Hold>>,
}

impl Tasks {
    /// No tasks yet.
    pub(super) fn new(hold: Option<Arc<dyn Hold>>) -> Tasks {
        Tasks { hold, ..Tasks::default() }
    }

    /// Starts a task, which ends by itself some time after the token is cancelled.
    pub(super) fn spawn(&mut self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        let task: BoxFuture<'static, ()> = Box::pin(task);
        let task = match &self.hold {
            Some(hold) => hold.hold(task),
            None => task,
        };
        let id = self.set.spawn(task).id();
        self.names.insert(id, name);
    }

    /// The same for a task that is dropped when the token is cancelled.
    pub(super) fn spawn_until(
        &mut self,
        cancel: &CancellationToken,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) {
        let cancel = cancel.clone();
        self.spawn(name, async move {
            cancel.run_until_cancelled(task).await;
        });
    }

    /// Waits until all tasks have ended.
    pub(super) async fn join(mut self, cancel: &CancellationToken) -> Result<(), EndedEarly> {
        while let Some(ended) = self.set.join_next_with_id().await {
            let (id, why) = match ended {
                Ok((_, ())) if cancel.is_cancelled() => continue,
                Ok((id, ())) => (id, "it returned".to_string()),
                Err(error) => (error.id(), error.to_string()),
            };
            return Err(EndedEarly { task: self.names.get(&id).copied().unwrap_or_default(), why });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn forever() {
        std::future::pending().await
    }

    #[tokio::test]
    async fn a_task_that_panics_or_returns_ends_all() {
        let mut tasks = Tasks::default();
        tasks.spawn("watches", forever());
        tasks.spawn("workers", async { panic!("oh") });
        let ended = tasks.join(&CancellationToken::new()).await.unwrap_err();
        assert_eq!(ended.task, "workers");
        assert!(ended.why.contains("oh"), "{ended}");

        let mut tasks = Tasks::default();
        tasks.spawn("watches", forever());
        tasks.spawn("timers", async {});
        let ended = tasks.join(&CancellationToken::new()).await.unwrap_err();
        assert_eq!(ended.to_string(), "the task `timers` ended early: it returned");
    }

    #[tokio::test]
    async fn tasks_may_end_after_a_shutdown() {
        let (mut tasks, cancel) = (Tasks::default(), CancellationToken::new());
        tasks.spawn("watches", cancel.clone().cancelled_owned());
        tasks.spawn("workers", cancel.clone().cancelled_owned());
        cancel.cancel();
        assert_eq!(tasks.join(&cancel).await, Ok(()));
    }
}
