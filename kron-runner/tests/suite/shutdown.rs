//! A shutdown that something tries to delay.

use std::time::Duration;

use kron_core::Outcome;
use kron_host::Cause;
use kron_runner::{BoxFuture, Handler, Runner, RunnerJob, Running, Start, StartError};

use crate::world::{BEGIN, World, job};

/// Its starts never end: the file system of a working directory does not answer.
struct Hangs;

impl Handler for Hangs {
    fn start(&self, _: Start) -> BoxFuture<'static, Result<Running, StartError>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_does_not_end_is_given_up() {
    for (stop_now, seconds) in [(false, 30 + 10 + 5), (true, 5)] {
        let world = World::new();
        let text = "*/5 * * * * @policy(deadline=1h)";
        let runner = Runner::new(world.store.clone()).clock(world.clock.clone());
        let runner = runner.jobs([RunnerJob::new(job(text), Hangs)]);
        let handle = runner.handle();
        let shutdown = async {
            world.until(BEGIN + 301).await;
            if stop_now {
                handle.stop_now();
                std::future::pending::<()>().await;
            }
        };
        let ended = tokio::time::timeout(Duration::from_secs(1000), runner.run(shutdown)).await;
        ended.expect("the runner has not ended").unwrap();
        let took = world.now() - (BEGIN + 301) * 1000;
        assert!((seconds * 1000..seconds * 1000 + 500).contains(&took), "{stop_now}: {took}");
        let execution = world.store.memory.executions("runner/test").remove(0);
        assert_eq!((execution.began, execution.ended), (None, None));
        // It may still have begun after all, so the next runner does not make the start again.
        world.run(vec![job(text)], BEGIN + 599).await.unwrap();
        assert!(world.periods().is_empty());
        let outcome = &world.outcomes()[&(BEGIN + 300)];
        assert_eq!(outcome.outcome, Outcome::Missed);
        assert!(matches!(outcome.cause, Cause::MaybeRemoved { .. }), "{outcome:?}");
    }
}
