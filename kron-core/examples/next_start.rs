//! Reads a job from its text form and prints its next starts.
//!
//!     cargo run -p kron-core --example next_start

use kron_core::{Error, Job};

fn main() -> Result<(), Error> {
    let text = "0 0 * * * @tz(Europe/Paris) @win(after,3h) @avoid(dow=SUN)";
    let job = Job::parse("prod/db-backup", text)?;

    // The library has no clock; a program would pass `chrono::Utc::now()`.
    let mut at = chrono::DateTime::from_timestamp(1_772_323_200, 0).unwrap_or_default();
    println!("The next starts of {} after {at}:", job.name());
    for _ in 0..3 {
        let start = job.next_start(at)?;
        // A start always has a chosen time; only an unschedulable period has none.
        at = start.chosen_time().unwrap_or(at);
        println!("{at}, for {} in {}", start.period_id(), job.spec().timezone());
    }
    assert_eq!(at.to_rfc3339(), "2026-03-04T01:40:22+00:00");
    Ok(())
}
