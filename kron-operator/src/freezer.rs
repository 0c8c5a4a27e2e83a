//! Tasks that stop for a while, as those of a process that SIGSTOP or the freezer of Linux has stopped: for simulations.

use std::{
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use parking_lot::Mutex;

/// Freezes and thaws tasks. Time goes on meanwhile: timers that expire in a frozen task take effect when it is thawed. Cheap to
/// clone; all clones are one.
///
/// ```
/// use std::time::Duration;
/// use kron_operator::freezer::Freezer;
/// use tokio::time::{Instant, sleep};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let freezer = Freezer::default();
/// let task = freezer.clone().hold(async {
///     sleep(Duration::from_secs(2)).await;
///     Instant::now()
/// });
/// let (begun, task) = (Instant::now(), tokio::spawn(task));
/// sleep(Duration::from_secs(1)).await;
/// freezer.freeze();
/// sleep(Duration::from_secs(60)).await;
/// freezer.thaw();
/// assert_eq!(task.await.unwrap() - begun, Duration::from_secs(61));
/// # }
/// ```
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
    /// Stops the tasks.
    pub fn freeze(&self) {
        self.state.lock().frozen = true;
    }

    /// Lets the tasks go on.
    pub fn thaw(&self) {
        let waiting = {
            let mut state = self.state.lock();
            state.frozen = false;
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// The task, which does nothing while it is frozen.
    pub async fn hold<T>(self, task: impl Future<Output = T>) -> T {
        let mut task = pin!(task);
        poll_fn(|context| match self.waits(context) {
            true => Poll::Pending,
            false => task.as_mut().poll(context),
        })
        .await
    }

    fn waits(&self, context: &Context<'_>) -> bool {
        let mut state = self.state.lock();
        if state.frozen {
            state.waiting.push(context.waker().clone());
        }
        state.frozen
    }
}
