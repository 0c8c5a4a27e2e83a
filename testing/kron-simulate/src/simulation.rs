//! KronJobs of files against a model of an API server, with everything that happens as a timeline.
//!
//! It is the same operator that runs in a cluster, on tokio's paused clock: whenever nothing is left to do, time jumps to
//! the next thing to happen.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use kron_api_model::{Run, Server, SimulatedClock};
use kron_core::Parser;
use kron_formats::names::PRIMER_FOR_LABEL;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::args::Args;
use crate::files;
use crate::timeline::{self, Entry, Recorder};
use kron_crd::custom_resource_definition;
use kron_operator::engine::Options;
use kron_operator::operator::Operator;
use kron_operator::tzdb;

/// Runs a simulation and prints its timeline.
///
/// # Errors
///
/// A file or a tz database that cannot be read, a file that cannot be written, KronJobs that the resource refuses, an end before the beginning.
pub fn simulate(args: &Args) -> Result<(), String> {
    if args.to <= args.from {
        return Err("--to is not after --from".to_string());
    }
    let parser = tzdb::read(args.tzdb.clone()).map_err(|error| error.to_string())?.parser();
    let kronjobs = files::read(&args.files, &args.namespace, &parser)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    let runtime = runtime.map_err(|error| format!("no runtime: {error}"))?;
    let entries = runtime.block_on(run(args, kronjobs, parser))?;
    timeline::print(&entries, args.json).map_err(|error| format!("standard output: {error}"))
}

async fn run(args: &Args, kronjobs: Vec<Value>, parser: Parser) -> Result<Vec<Entry>, String> {
    let clock = SimulatedClock::new(args.from);
    let server = serve(clock.clone(), kronjobs)?;
    let recorder = Recorder::start(server.client("recorder"), clock.of_operator());
    let stop = CancellationToken::new();
    let (time, fail_every, runs) = (args.run_time, args.fail_every, AtomicU32::new(0));
    let _job_controller = server.start_job_controller(move |job| {
        if !job["metadata"]["labels"][PRIMER_FOR_LABEL].is_null() {
            // A primer waits until it is deleted.
            return None;
        }
        let number = runs.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        Some(Run { time, succeeds: fail_every.is_none_or(|every| number % every != 0) })
    });
    let _ttl = server.start_ttl_controller();
    // Nobody else is there, and nobody's server is to be spared.
    let options = Options { dry_runs: 1000, parser, ..Options::default() };
    let operator =
        Operator::new(server.client("kron-operator"), clock.of_operator(), "simulation", None, options);
    let ending = stop.clone();
    let operator = tokio::spawn(async move { operator.run(ending).await });
    let length = (args.to - args.from).to_std().unwrap_or_default();
    tokio::time::sleep(length).await;
    stop.cancel();
    let ended = operator.await.map_err(|error| format!("the simulation broke: {error}"))?;
    ended.map_err(|error| format!("the simulation broke: {error}"))?;
    if let Some(file) = &args.objects {
        let kinds =
            [(kron_formats::kronjob::API_VERSION, "kronjobs"), ("batch/v1", "jobs"), ("v1", "events")];
        let objects = kinds.into_iter().flat_map(|(version, resource)| server.list(version, resource));
        files::write(file, objects.collect())?;
    }
    Ok(recorder.finish(&server, args.to))
}

/// A server with the resource and the KronJobs.
fn serve(clock: Arc<SimulatedClock>, kronjobs: Vec<Value>) -> Result<Server, String> {
    let server = Server::new(clock.of_server());
    server.create(custom_resource_definition(false)).map_err(|status| status.to_string())?;
    for kronjob in kronjobs {
        let namespace = kronjob["metadata"]["namespace"].as_str().unwrap_or("default").to_string();
        if server.get("v1", "namespaces", "", &namespace).is_none() {
            server.create_namespace(&namespace).map_err(|status| status.to_string())?;
        }
        server.create(kronjob).map_err(|status| status.to_string())?;
    }
    Ok(server)
}
