//! What jobs cost that have nothing to do: `cargo run --release -p kron-runner --features sqlite --example idle -- 10000 60`
//! prints the memory and the processor time of so many jobs over so many seconds. Linux only, as it reads `/proc`.

use std::time::{Duration, Instant};

use kron_core::Job;
use kron_runner::{Runner, RunnerEvent, RunnerJob, SqliteStore};
use tokio::sync::mpsc::unbounded_channel;

/// The processor time of this process so far, in clock ticks of a hundredth of a second.
fn ticks() -> Result<u64, Box<dyn std::error::Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    Ok(fields[11].parse::<u64>()? + fields[12].parse::<u64>()?)
}

fn resident_memory() -> Result<String, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    Ok(line.trim_start_matches("VmRSS:").trim().into())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let count = arguments.next().transpose()?.unwrap_or(10_000);
    let seconds = arguments.next().transpose()?.unwrap_or(60);
    let directory = tempfile::tempdir()?;
    // A window that no run of this program is in.
    let text = "0 0 29 2 * @tz(Europe/Paris) @win(after,6h) @policy(deadline=10m)";
    let jobs: Result<Vec<Job>, _> =
        (0..count).map(|index| Job::parse(&format!("idle/{index}"), text)).collect();
    let jobs = jobs?.into_iter().map(|job| RunnerJob::new(job, |_| async {}));

    let (ready, mut is_ready) = unbounded_channel();
    let began = Instant::now();
    let runner =
        Runner::new(SqliteStore::open(directory.path().join("kron.db"))?).jobs(jobs).on_event(move |event| {
            if let RunnerEvent::Ready = event {
                // The receiver lives until the runner ends.
                _ = ready.send(());
            }
        });
    let measured = async {
        is_ready.recv().await;
        println!("{count} jobs, ready after {:.1} s", began.elapsed().as_secs_f64());
        // The first claims are written by then.
        tokio::time::sleep(Duration::from_secs(10)).await;
        let before = ticks()?;
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        let used = ticks()? - before;
        println!("resident memory: {}", resident_memory()?);
        println!("processor time in {seconds} s: {} ms", used * 10);
        Ok::<(), Box<dyn std::error::Error>>(())
    };
    // The error of the measurement is printed, as the shutdown has no value.
    let shutdown = async {
        if let Err(error) = measured.await.map_err(|error| error.to_string()) {
            eprintln!("{error}");
        }
    };
    runner.run(shutdown).await?;
    Ok(())
}
