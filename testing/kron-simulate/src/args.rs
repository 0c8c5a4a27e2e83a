//! The command line.

use std::path::PathBuf;

use chrono::{DateTime, Utc};

/// Runs KronJobs of files against a model of an API server, in no time, and prints what happens.
#[derive(Clone, Debug, clap::Parser)]
#[command(name = "kron-simulate", version, max_term_width = 100)]
pub struct Args {
    /// KronJob manifests in YAML or JSON; `-` is standard input
    #[arg(short, long = "file", value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// When the KronJobs are created
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub from: DateTime<Utc>,
    /// When the simulation ends
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub to: DateTime<Utc>,
    /// Namespace of manifests that name none
    #[arg(long, value_name = "NAMESPACE", default_value = "default")]
    pub namespace: String,
    /// How long a Job runs, a Go duration
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub run_time: std::time::Duration,
    /// Directory of TZif files to look time zones up in, or `compiled-in`; by default $KRON_TZDB, then $TZDIR, then the
    /// compiled-in tz database
    #[arg(long, value_name = "DIR")]
    pub tzdb: Option<PathBuf>,
    /// Let every N-th Job fail
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub fail_every: Option<u32>,
    /// Also write the KronJobs, Jobs and Events that are left at the end to a file, as `kubectl get kronjobs,jobs,events -A -o
    /// json` prints them
    #[arg(long, value_name = "FILE")]
    pub objects: Option<PathBuf>,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

fn time(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text)
        .map(|time| time.to_utc())
        .map_err(|error| format!("{error}; write it such as 2026-03-01T00:00:00Z"))
}

fn duration(text: &str) -> Result<std::time::Duration, String> {
    let duration = kron_core::Duration::parse(text).map_err(|error| error.to_string())?;
    // OK because durations are never negative.
    Ok(std::time::Duration::from_nanos(duration.as_nanos().unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn times_and_durations() {
        let parse = |more: &[&str]| Args::try_parse_from([&["kron-simulate", "-f", "x"], more].concat());
        assert!(parse(&["--from", "2026-03-01T00:00:00Z", "--to", "2026-03-02T00:00:00+01:00"]).is_ok());
        let error = parse(&["--from", "yesterday", "--to", "2026-03-02T00:00:00Z"]).unwrap_err().to_string();
        assert!(error.contains("write it such as 2026-03-01T00:00:00Z"), "{error}");
    }
}
