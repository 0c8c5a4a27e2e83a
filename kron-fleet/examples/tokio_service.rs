//! A service on tokio: each job has a task that sleeps until its next start.
//!
//! Here tokio's clock is paused, so that two days take no time. A service uses `chrono::Utc::now()` for `Clock::now` and
//! leaves out `start_paused`. What this program has started is forgotten when it ends; the crate kron-runner stores it, and
//! starts each period at most once.
//!
//!     cargo run -p kron-fleet --example tokio_service

use std::error::Error;

use kron_core::Job;
use kron_fleet::Fleet;
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant, sleep};

/// 2026-03-01T00:00:00Z.
const MIDNIGHT: i64 = 1_772_323_200;
const DAY: u32 = 86_400;

/// A clock that shows midnight when the program begins.
#[derive(Clone, Copy)]
struct Clock {
    began: Instant,
}

impl Clock {
    fn now(self) -> i64 {
        // OK because the program does not run for billions of years.
        MIDNIGHT + i64::try_from(self.began.elapsed().as_secs()).unwrap_or(0)
    }
}

/// Runs one job for ever: the place where a service would do its work is the `send`.
async fn run(job: Job, clock: Clock, starts: mpsc::Sender<(i64, String)>) -> Result<(), kron_core::Error> {
    let mut at = clock.now();
    loop {
        // A start always has a chosen time; only an unschedulable period has none.
        at = job.next_start(at)?.chosen_timestamp().unwrap_or(at);
        // Short sleeps follow a clock that is set.
        while clock.now() < at {
            sleep(Duration::from_secs((at - clock.now()).clamp(1, 60).unsigned_abs())).await;
        }
        if starts.send((at, job.name().to_string())).await.is_err() {
            return Ok(());
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), Box<dyn Error>> {
    let jobs = vec![
        Job::parse("db/backup", "0 1 * * * @tz(Europe/Paris) @win(after,3h)")?,
        Job::parse("web/sitemap", "0 */6 * * * @win(after,1h)")?,
        Job::parse("web/report", "30 5 * * MON-FRI @win(around,20m)")?,
    ];
    let clock = Clock { began: Instant::now() };
    let (sender, mut receiver) = mpsc::channel(16);
    for job in jobs.clone() {
        tokio::spawn(run(job, clock, sender.clone()));
    }
    let mut found = Vec::new();
    while found.len() < 8 {
        let start = receiver.recv().await.ok_or("a task ended")?;
        println!("{}  {}", start.0, start.1);
        found.push(start);
    }

    // The tasks start what the library lists for the whole fleet.
    let listed: Result<Vec<_>, _> = Fleet::new(jobs)?
        .starts(MIDNIGHT + 1..MIDNIGHT + i64::from(3 * DAY))
        .take(8)
        .map(|(_, start)| start.map(|it| (it.chosen_timestamp().unwrap_or(0), it.name().to_string())))
        .collect();
    assert_eq!(found, listed?);
    Ok(())
}
