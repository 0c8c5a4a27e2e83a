//! A window on a schedule of the crate `cron`, which a program has already.
//!
//!     cargo run -p kron-core --features cron_0_17 --example cron_crate

use std::error::Error;
use std::time::Duration;

use kron_core::{Job, JobSpec, Window};

fn main() -> Result<(), Box<dyn Error>> {
    // The crate's expressions begin with seconds: every working day at 09:30.
    let schedule: cron::Schedule = "0 30 9 * * Mon-Fri".parse()?;
    let spec = JobSpec::builder_for(schedule)
        .timezone("Europe/Paris")
        .window(Window::after(Duration::from_secs(3600)))
        .build()?;
    let job = Job::new("web/report", spec)?;

    // Where the nominal times are the same, the starts are those of the text form.
    let same = Job::parse("web/report", "30 9 * * MON-FRI @tz(Europe/Paris) @win(after,1h)")?;
    let mut at = 1_772_323_200; // 2026-03-01T00:00:00Z
    for _ in 0..30 {
        let (start, want) = (job.next_start(at)?, same.next_start(at)?);
        assert_eq!(start.chosen_timestamp(), want.chosen_timestamp());
        at = start.chosen_timestamp().ok_or("a start has a chosen time")?;
        println!("{at}, for {}", start.period_id());
    }
    Ok(())
}
