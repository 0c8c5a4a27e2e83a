//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::namespaces::Namespaces;
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
    /// Serve these namespaces only, at most 100, such as team-a,team-b; by default all
    #[arg(long, value_name = "NAMESPACES")]
    pub namespaces: Option<Namespaces>,
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
    /// Image of primers whose KronJobs name none; by default registry.k8s.io/pause:3.10
    #[arg(long, value_name = "IMAGE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub primer_image: Option<String>,
    /// Address of /livez, /readyz and /metrics
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:8080")]
    pub listen: SocketAddr,
    /// Serve /metrics over TLS at this address instead, to clients with the token of --metrics-token
    #[arg(long, value_name = "ADDRESS", requires_all = ["metrics_tls_cert", "metrics_tls_key", "metrics_token"])]
    pub metrics_listen: Option<SocketAddr>,
    /// Certificate of --metrics-listen and its chain, in PEM; the three files are read again when they change
    #[arg(long, value_name = "FILE", requires = "metrics_listen")]
    pub metrics_tls_cert: Option<PathBuf>,
    /// Private key of --metrics-tls-cert, in PEM
    #[arg(long, value_name = "FILE", requires = "metrics_listen")]
    pub metrics_tls_key: Option<PathBuf>,
    /// File with the bearer token that clients of --metrics-listen have to send
    #[arg(long, value_name = "FILE", requires = "metrics_listen")]
    pub metrics_token: Option<PathBuf>,
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    fn run(arguments: &[&str]) -> Result<RunArgs, String> {
        let all = ["kron-operator", "run"].iter().chain(arguments);
        match Cli::try_parse_from(all) {
            Ok(Cli { command: Command::Run(args) }) => Ok(*args),
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn metrics_of_a_port_of_their_own_need_all_three_files() {
        let all = [
            "--metrics-listen=0.0.0.0:8443",
            "--metrics-tls-cert=a",
            "--metrics-tls-key=b",
            "--metrics-token=c",
        ];
        assert!(run(&all).is_ok() && run(&[]).is_ok());
        for left_out in 0..all.len() {
            let some: Vec<&str> = (0..all.len()).filter(|at| *at != left_out).map(|at| all[at]).collect();
            let error = run(&some).unwrap_err();
            let flag = all[left_out].split('=').next().unwrap();
            assert!(error.contains(flag), "{error}");
        }
    }

    #[test]
    fn lists_of_namespaces_are_checked_at_once() {
        assert_eq!(run(&["--namespaces", "a,b"]).unwrap().namespaces.unwrap().scopes().len(), 2);
        assert!(run(&[]).unwrap().namespaces.is_none());
        for wrong in ["--namespaces=", "--namespaces=a b", "--namespaces=a,a"] {
            assert!(run(&[wrong]).unwrap_err().contains("--namespaces"), "{wrong}");
        }
        assert!(run(&["--primer-image="]).is_err());
    }
}
