//! Explains how a start was chosen, and proves it with a receipt that anyone can compute again.
//!
//!     cargo run -p kron-core --features json --example receipt

use kron_core::proof::Receipt;
use kron_core::{Calendars, Error, Job, TzDatabase};

fn main() -> Result<(), Error> {
    let job = Job::parse("prod/db-backup", "0 2 * * * @win(after,3h) @avoid(hours=4)")?;
    let start = job.next_start(1_772_366_400)?; // 2026-03-01T12:00:00Z

    let explanation = job.explain(start.nominal_time())?;
    println!("{} of {} candidates are allowed", explanation.allowed, explanation.candidates);
    for (number, draw) in explanation.draws.iter().enumerate() {
        let verdict = if draw.forbidden.is_some() { "forbidden" } else { "chosen" };
        println!(
            "draw {}: position {:.4}, Unix second {}, {verdict}",
            number + 1,
            draw.quantile,
            draw.candidate
        );
    }
    assert_eq!(explanation.draws.len(), 2); // the first one is in the hour from 04:00 on

    // The receipt is enough to compute the decision again.
    let json = Receipt::new(&job, &start).to_json();
    println!("{json}");
    assert!(Receipt::from_json(&json)?.verify(&TzDatabase::COMPILED_IN, &Calendars::new())?.agrees());

    // A receipt with another start does not agree.
    let forged = json.replace("2026-03-02T02:26:56Z", "2026-03-02T02:26:57Z");
    let found = Receipt::from_json(&forged)?.verify(&TzDatabase::COMPILED_IN, &Calendars::new())?;
    assert_eq!(found.differences[0].field, "decision.chosenTime");
    Ok(())
}
