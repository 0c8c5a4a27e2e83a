//! A window on a schedule of the crate `croner`, which can express schedules that cron cannot: the last Friday of each
//! month.
//!
//!     cargo run -p kron-core --features croner_4 --example croner_crate

use std::error::Error;
use std::time::Duration;

use kron_core::{Job, JobSpec, Window};

fn main() -> Result<(), Box<dyn Error>> {
    let schedule: croner::Cron = "0 18 * * FRI#L".parse()?;
    let spec = JobSpec::builder_for(schedule)
        .timezone("Europe/Paris")
        .window(Window::after(Duration::from_secs(2 * 3600)))
        .build()?;
    let job = Job::new("books/close", spec)?;

    let mut at = chrono::DateTime::from_timestamp(1_772_323_200, 0).unwrap_or_default(); // 2026-03-01T00:00:00Z
    let mut days = Vec::new();
    for _ in 0..3 {
        let start = job.next_start(at)?;
        println!("{:?}, for {}", start.chosen_time(), start.period_id());
        // The start lies in the two hours of its window.
        let chosen = start.chosen_time().ok_or("a start has a chosen time")?;
        assert!(start.window_start() <= chosen && chosen <= start.window_end());
        days.push(start.nominal_time().date_naive().to_string());
        at = chosen;
    }
    assert_eq!(days, ["2026-03-27", "2026-04-24", "2026-05-29"]);
    Ok(())
}
