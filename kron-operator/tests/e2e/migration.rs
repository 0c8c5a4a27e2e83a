//! The switch-over of docs/guide/kubernetes-migrate.md: what a CronJob has started, its KronJob does not start again, and nothing is lost.

use kron_core::Duration;
use kron_formats::convert::{Options, Source, convert};
use serde_json::{Value, json};

use super::cluster::{label_of, object, on_model};
use super::manifest::{Manifest, template};

/// The spec of the KronJob that a CronJob becomes.
fn converted(cronjob: &Value, options: &Options) -> Value {
    let text = cronjob.to_string();
    let converted = convert(&[Source { name: "cronjobs.json", text: &text }], options).unwrap();
    assert_eq!(converted.refused, 0, "{:?}", converted.findings);
    serde_json::from_str(&converted.text).unwrap()
}

#[test]
fn every_start_is_made_once() {
    for (schedule, window, fixed) in
        [("* * * * *", "50s", false), ("*/3 * * * *", "2m", true), ("1-59/4 * * * *", "10m", false)]
    {
        on_model(async |cluster, _| {
            let _operator = cluster.operator().await;
            let cronjob = json!({
                "apiVersion": "batch/v1", "kind": "CronJob",
                "metadata": {"name": "backup", "namespace": cluster.namespace},
                "spec": {"schedule": schedule, "jobTemplate": template()},
            });
            // Both exist. The CronJob starts, the KronJob is suspended.
            let suspended = converted(&cronjob, &Options { suspend: true, ..Options::default() });
            let created = cluster.kronjobs().create(&Default::default(), &object(suspended)).await.unwrap();
            let kronjob = Manifest::new(&created);
            let begin = cluster.now();
            cluster.reach(begin + 1200).await;
            assert!(cluster.jobs(&kronjob).await.is_empty());

            // The CronJob is suspended, then the KronJob is not: no start is due in between.
            cluster.with_time_in_this_minute(30).await;
            let switched = cluster.now();
            cluster.edit("backup", json!({"policy": {"suspend": false}})).await;
            cluster.reach(switched + 1200).await;

            // Windows come later.
            let options =
                Options { window: Some(Duration::parse(window).unwrap()), fixed, ..Options::default() };
            let kronjob = cluster.edit("backup", converted(&cronjob, &options)["spec"].clone()).await;
            let end = switched + 4800;
            cluster.reach(end + 660).await;

            let nominal = |from: i64, to: i64| {
                let job = kronjob.job();
                let periods =
                    job.periods(from + 1..to + 1).map(|period| label_of(period.nominal_timestamp()));
                periods.collect::<Vec<String>>()
            };
            // What the CronJob controller has started, and what the operator has.
            let mut made = nominal(begin, switched);
            let of_kronjob = cluster.jobs(&kronjob).await;
            made.extend(
                of_kronjob
                    .iter()
                    .map(|job| job["metadata"]["labels"]["kron.io/period-id"].as_str().unwrap().to_string()),
            );
            made.sort_unstable();
            made.retain(|label| *label <= label_of(end));
            assert_eq!(made, nominal(begin, end), "{schedule}");
        });
    }
}
