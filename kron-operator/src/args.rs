//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::{Args, Parser, Subcommand};

use crate::telemetry::LogFormat;

/// Runs KronJobs in a Kubernetes cluster: cron jobs with deterministic jitter.
#[derive(Clone, Debug, Parser)]
#[command(name = "kron-operator", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Run the operator until SIGTERM or SIGINT
    Run(Box<RunArgs>),
    /// Print the CustomResourceDefinition of KronJob
    Crd(CrdArgs),
    /// Print all manifests of an installation: resource, access rules, Deployment
    Manifests(ManifestsArgs),
    /// Run KronJobs of a file against a model of an API server, in no time, and print what happens
    Simulate(SimulateArgs),
}

/// `run`.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// Kubeconfig file; by default that of kubectl, or the service account of the pod
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,
    /// Work in one namespace only, with a Role instead of a ClusterRole
    #[arg(long, value_name = "NAMESPACE")]
    pub watch_namespace: Option<String>,
    /// Elect a leader by a Lease; without, this must be the only replica
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub leader_elect: bool,
    /// Namespace of the Lease
    #[arg(long, value_name = "NAMESPACE", env = "POD_NAMESPACE", default_value = "kron-system")]
    pub lease_namespace: String,
    /// Name of the Lease
    #[arg(long, value_name = "NAME", default_value = "kron-operator")]
    pub lease_name: String,
    /// Name of this replica in Lease and Events
    #[arg(long, value_name = "NAME", env = "POD_NAME", default_value = "kron-operator")]
    pub identity: String,
    /// Directory of TZif files to look time zones up in, or `compiled-in`; by default $KRON_TZDB, then $TZDIR, then the
    /// compiled-in tz database
    #[arg(long, value_name = "DIR")]
    pub tzdb: Option<PathBuf>,
    /// Requests under way at once; half of them are kept free for starts
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(2..=1024))]
    pub concurrency: u16,
    /// Dry runs of new job templates in a second
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub dry_runs: u32,
    /// Address of /livez, /readyz and /metrics
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:8080")]
    pub listen: SocketAddr,
    /// How the log is written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
    /// What is logged
    #[arg(long, value_name = "FILTER", env = "KRON_LOG", default_value = "info")]
    pub log: String,
}

/// `crd`.
#[derive(Clone, Debug, Args)]
pub struct CrdArgs {
    /// The strict variant: schedule, time zone and seed strategy cannot be changed after creation
    #[arg(long)]
    pub immutable: bool,
}

/// `manifests`.
#[derive(Clone, Debug, Args)]
pub struct ManifestsArgs {
    /// Namespace of the operator
    #[arg(long, value_name = "NAMESPACE", default_value = "kron-system")]
    pub namespace: String,
    /// Let the operator work in its own namespace only, with a Role instead of a ClusterRole
    #[arg(long)]
    pub namespaced: bool,
    /// Image of the operator
    #[arg(long, value_name = "IMAGE")]
    pub image: Option<String>,
    /// Replicas of the operator
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=99))]
    pub replicas: u16,
    /// The strict variant of the resource, as of `crd --immutable`
    #[arg(long)]
    pub immutable: bool,
    /// Close all ports but that of the metrics, and all ways but the one to the API server, by a NetworkPolicy
    #[arg(long)]
    pub network_policy: bool,
    /// Leave the resource out
    #[arg(long)]
    pub without_crd: bool,
}

/// `simulate`.
#[derive(Clone, Debug, Args)]
pub struct SimulateArgs {
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
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_deployment_is_understood() {
        use crate::manifests::{Options, Scope, documents};
        for (scope, namespace) in
            [(Scope::Cluster, None), (Scope::Namespaced { namespace: Some("a".into()) }, Some("a"))]
        {
            let documents = documents(&Options { scope, ..Options::default() });
            let deployment = documents.iter().find(|document| document["kind"] == "Deployment").unwrap();
            let args =
                deployment.pointer("/spec/template/spec/containers/0/args").unwrap().as_array().unwrap();
            let args = args.iter().map(|arg| arg.as_str().unwrap().to_string());
            let cli = Cli::try_parse_from(std::iter::once("kron-operator".to_string()).chain(args)).unwrap();
            let Command::Run(run) = cli.command else { panic!("{cli:?}") };
            assert!(run.leader_elect && run.lease_name == "kron-operator");
            assert_eq!(run.watch_namespace.as_deref(), namespace);
        }
    }

    #[test]
    fn times_and_durations() {
        let parse =
            |more: &[&str]| Cli::try_parse_from([&["kron-operator", "simulate", "-f", "x"], more].concat());
        assert!(parse(&["--from", "2026-03-01T00:00:00Z", "--to", "2026-03-02T00:00:00+01:00"]).is_ok());
        let error = parse(&["--from", "yesterday", "--to", "2026-03-02T00:00:00Z"]).unwrap_err().to_string();
        assert!(error.contains("write it such as 2026-03-01T00:00:00Z"), "{error}");
    }
}
