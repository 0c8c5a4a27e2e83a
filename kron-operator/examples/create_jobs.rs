//! Creates Jobs and does nothing else, with the operator's client: what many starts of one second are measured beside.
//!
//! ```sh
//! cargo run --release --package kron-operator --example create_jobs -- KUBECONFIG JOB PREFIX NAMESPACES COUNT CONCURRENCY
//! ```
//!
//! `JOB` is a file with a Job in JSON, which gets a name and a namespace (`PREFIX-0` to `PREFIX-(NAMESPACES - 1)`); so many requests are
//! under way at once. `scripts/real_server.sh --rows many` runs it.

use std::error::Error;

use futures::{StreamExt, TryStreamExt, stream};
use k8s_openapi::api::batch::v1::Job;
use kron_operator::client::{ClientOptions, client};
use kube::api::{Api, PostParams};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kubeconfig, job, prefix, namespaces, count, concurrency] = &*arguments else {
        return Err("usage: create_jobs KUBECONFIG JOB PREFIX NAMESPACES COUNT CONCURRENCY".into());
    };
    let (namespaces, count): (usize, usize) = (namespaces.parse()?, count.parse()?);
    let job: Job = serde_json::from_slice(&std::fs::read(job)?)?;
    let client = client(&ClientOptions { kubeconfig: Some(kubeconfig.into()), context: None }).await?;
    let create = |number: usize| {
        let jobs: Api<Job> = Api::namespaced(client.clone(), &format!("{prefix}-{}", number % namespaces));
        let mut job = job.clone();
        job.metadata.name = Some(format!("job-{number}"));
        async move { jobs.create(&PostParams::default(), &job).await.map(|_| ()) }
    };
    stream::iter(0..count).map(create).buffer_unordered(concurrency.parse()?).try_collect::<()>().await?;
    Ok(())
}
