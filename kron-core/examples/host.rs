//! A host: a thread that starts a job at its chosen times and follows its policy.
//!
//! The library plans; the host has the clock, sleeps, and starts programs. Here the clock is simulated, so that two days
//! take no time. A real host passes `chrono::Utc::now()`, sleeps until the wake-up time, and stores what it has handled.
//!
//!     cargo run -p kron-core --example host

use std::sync::mpsc;
use std::thread;

use kron_core::plan::HostState;
use kron_core::{Error, Job, Outcome};

/// What the thread reports: the period, and what became of it.
type Report = (String, Outcome);

fn run(job: &Job, from: i64, until: i64, reports: &mpsc::Sender<Report>) {
    let mut now = from;
    let mut state = HostState::new(from);
    while now < until {
        let plan = job.plan(&state, now);
        for step in &plan.steps {
            // Actions without an outcome are those of periods that wait.
            let Some(outcome) = step.action.outcome() else { continue };
            // A real host stores the state now, before it starts anything.
            state.record(step);
            if step.action.starts() {
                println!("{now}: starting {}", job.name());
                // Here a command takes no time.
                state.set_active(false);
            }
            // The receiver lives as long as this thread.
            let _ = reports.send((step.period.period_id(), outcome));
        }
        // The simulated sleep. On the second day the host is down for a while and comes back too late.
        let Some(wake_up) = plan.wake_up else { break };
        let down = from + 86_400..from + 86_400 + 8 * 3600;
        now = if down.contains(&wake_up) { down.end } else { wake_up.max(now + 1) };
    }
}

fn main() -> Result<(), Error> {
    let job = Job::parse("prod/db-backup", "0 2 * * * @win(after,3h) @policy(deadline=10m)")?;
    let midnight = 1_772_323_200; // 2026-03-01T00:00:00Z
    let (sender, receiver) = mpsc::channel();
    let host = thread::spawn(move || run(&job, midnight, midnight + 2 * 86_400, &sender));
    let reports: Vec<Report> = receiver.iter().collect();
    assert!(host.join().is_ok());

    assert_eq!(
        reports,
        [
            ("2026-03-01T02:00:00Z".to_string(), Outcome::Executed),
            ("2026-03-02T02:00:00Z".to_string(), Outcome::Missed),
        ]
    );
    Ok(())
}
