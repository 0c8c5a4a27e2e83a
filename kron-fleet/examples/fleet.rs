//! Reads a job file and prints the starts of all jobs in one hour, in order.
//!
//!     cargo run -p kron-fleet --example fleet

use std::collections::BTreeSet;
use std::error::Error;

use kron_core::text::parse_job_file;
use kron_fleet::Fleet;

const JOBS: &str = r#"
# All of these are due at midnight.
0 0 * * *    @win(after,1h)                      name=db/backup      owner="team db"
0 0 * * *    @win(after,1h) @dist(skewEarly)     name=db/vacuum      owner="team db"
0 0 * * *    @win(after,1h)                      name=web/sitemap    owner="team web"
*/15 * * * * @win(after,5m)                      name=web/ping       owner="team web"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    // With `?`, a bad file shows all of its errors, each with its line.
    let lines = parse_job_file(JOBS)?;
    let owners: Vec<String> = lines.iter().map(|line| line.fields[0].1.clone()).collect();
    let fleet = Fleet::new(lines.into_iter().map(|line| line.job).collect())?;

    let midnight = 1_772_323_200; // 2026-03-01T00:00:00Z
    let mut seconds = BTreeSet::new();
    for (index, start) in fleet.starts(midnight..midnight + 3600) {
        let start = start?;
        let chosen = start.chosen_time().ok_or("a start has a chosen time")?;
        println!("{chosen}  {:12} {}", start.name(), owners[index]);
        seconds.insert(chosen);
    }
    // Three daily jobs and four pings, no two of them in the same second.
    assert_eq!(seconds.len(), 7);
    Ok(())
}
