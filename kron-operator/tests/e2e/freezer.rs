//! Tasks that stop for a while, as those of a process that SIGSTOP or the freezer of Linux has stopped.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use futures::future::{BoxFuture, FutureExt as _};
use kron_operator::engine::Hold;

/// Freezes and thaws tasks. Time goes on meanwhile: timers that expire in a frozen task take effect when it is thawed. All clones are
/// one.
#[derive(Clone, Debug, Default)]
pub struct Freezer {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    frozen: bool,
    /// Tasks to wake up when they are thawed.
    waiting: Vec<Waker>,
}

impl Freezer {
    pub fn freeze(&self) {
        self.state.lock().unwrap().frozen = true;
    }

    pub fn thaw(&self) {
        let waiting = {
            let mut state = self.state.lock().unwrap();
            state.frozen = false;
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// The task, which does nothing while it is frozen.
    pub async fn freezable<T>(self, task: impl Future<Output = T>) -> T {
        let mut task = pin!(task);
        poll_fn(|context| match self.waits(context) {
            true => Poll::Pending,
            false => task.as_mut().poll(context),
        })
        .await
    }

    fn waits(&self, context: &Context<'_>) -> bool {
        let mut state = self.state.lock().unwrap();
        if state.frozen {
            state.waiting.push(context.waker().clone());
        }
        state.frozen
    }
}

impl Hold for Freezer {
    fn hold(&self, task: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
        self.clone().freezable(task).boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn a_frozen_task_goes_on_when_it_is_thawed() {
    use std::time::Duration;

    use tokio::time::{Instant, sleep};

    let (freezer, begun) = (Freezer::default(), Instant::now());
    let task = tokio::spawn(freezer.clone().freezable(async {
        sleep(Duration::from_secs(2)).await;
        Instant::now()
    }));
    sleep(Duration::from_secs(1)).await;
    freezer.freeze();
    sleep(Duration::from_secs(60)).await;
    freezer.thaw();
    assert_eq!(task.await.unwrap() - begun, Duration::from_secs(61));
}
