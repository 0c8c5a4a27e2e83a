//! A service that runs the commands of a job file, and keeps in a file what it must know after a restart.
//!
//!     cargo run -p kron-fleet --features json --example service -- jobs.kron state.json
//!
//! with lines such as `0 0 * * * @win(after,3h) @policy(deadline=10m) name=db/backup command="pg_dump ..."`. The service may be killed at
//! any time: each period is started at most once, and what was missed meanwhile is caught up for as the deadlines allow. A period is lost
//! if the service is killed between the write of its state and the start of the command. A crate of your own needs kron-core with the
//! feature `serde`, serde with `derive`, and serde_json.

#![expect(
    clippy::disallowed_methods,
    reason = "a service has the clock, the environment and the files that the libraries do not have"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};

use kron_core::plan::{Action, HostState};
use kron_core::text::{JobLine, parse_job_file};
use kron_core::time::FromTimestamp;
use kron_core::{Job, Policy};
use serde::{Deserialize, Serialize};

/// What is kept of a job, by its name.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// The text of the job without its policy: another one is another configuration.
    text: String,
    state: HostState,
}

/// The clock of the machine, or a faster one for tests: `DEMO_CLOCK="FROM REAL SPEED"` shows FROM at the Unix second REAL.
fn now() -> SystemTime {
    let demo: Vec<f64> = std::env::var("DEMO_CLOCK")
        .map_or(Vec::new(), |demo| demo.split(' ').filter_map(|number| number.parse().ok()).collect());
    let [from, real, speed] = demo[..] else { return SystemTime::now() };
    let since =
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64() - real;
    SystemTime::UNIX_EPOCH + Duration::from_secs_f64(from + since * speed)
}

/// The file has the old text or the new one, whenever the machine stops.
fn write_atomically(path: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    let next = path.with_extension("next");
    let mut file = File::create(&next)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&next, path)?;
    File::open(path.canonicalize()?.parent().ok_or("a file has a folder")?)?.sync_all()?;
    Ok(())
}

fn start(line: &JobLine, period: &str) -> Option<Child> {
    let command = line.fields.iter().find(|(key, _)| key == "command").map_or("", |(_, value)| value);
    let child = Command::new("sh")
        .args(["-c", command])
        .env("KRON_JOB", line.job.name())
        .env("KRON_PERIOD_ID", period)
        .spawn();
    child.map_err(|error| eprintln!("{}: {error}", line.job.name())).ok()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, jobs, path] = &arguments[..] else { return Err("usage: service JOBS STATE".into()) };
    let (lines, path) = (parse_job_file(&fs::read_to_string(jobs)?)?, Path::new(path));
    let mut kept: BTreeMap<String, Kept> = match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
        Err(error) => return Err(error.into()),
    };
    for JobLine { job, .. } in &lines {
        // The policy is no part of the configuration: it applies to all periods that are open.
        let text = job.spec().to_builder().policy(Policy::default()).build()?.to_string();
        let fresh = || Kept { text: text.clone(), state: HostState::new(now()) };
        let known = kept.entry(job.name().into()).or_insert_with(fresh);
        if known.text != text {
            known.state.reconfigure(now());
            known.text = text;
        }
        // What an earlier process started is not known to this one.
        known.state.set_active(false);
    }
    // The beginning of a new job is kept, too.
    write_atomically(path, &serde_json::to_string(&kept)?)?;
    let mut children: Vec<(&str, Child)> = Vec::new();
    loop {
        let mut wake_up: Option<i64> = None;
        for line in &lines {
            let job: &Job = &line.job;
            children.retain_mut(|(_, child)| matches!(child.try_wait(), Ok(None)));
            let Some(known) = kept.get_mut(job.name()) else { continue };
            known.state.set_active(children.iter().any(|(name, _)| *name == job.name()));
            let plan = job.plan(&known.state, now());
            wake_up = [wake_up, plan.wake_up].into_iter().flatten().min();
            for step in plan.steps.iter().filter(|step| step.action.outcome().is_some()) {
                if let Some(known) = kept.get_mut(job.name()) {
                    known.state.record(step);
                }
                // Before the command: a service that is killed now starts it neither now nor after its restart.
                write_atomically(path, &serde_json::to_string(&kept)?)?;
                if step.action == Action::Replace {
                    for (_, child) in children.iter_mut().filter(|(name, _)| *name == job.name()) {
                        child.kill()?;
                        child.wait()?;
                    }
                }
                if step.action.starts() {
                    children.extend(start(line, &step.period.period_id()).map(|child| (job.name(), child)));
                }
                println!("{}: {}", step.period, step.action);
            }
        }
        // At most a second, to see what has ended, and because a clock may be set.
        let until = wake_up.map(SystemTime::from_timestamp);
        let wait = until.map_or(Duration::MAX, |until| until.duration_since(now()).unwrap_or_default());
        std::thread::sleep(wait.min(Duration::from_secs(1)));
    }
}
