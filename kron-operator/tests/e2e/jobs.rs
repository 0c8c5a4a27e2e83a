//! From a period to its Job: name, labels, owner, template; claimed before, created once, gone with its KronJob.

use std::time::Duration;

use kube::api::{DeleteParams, PropagationPolicy};
use serde_json::{Value, json};

use super::cluster::{SOON, label_of, on_cluster, text_of};
use super::manifest::template;

/// Names of Jobs, from an implementation of their rule in another language.
fn name_of_vectors(name: &str, period: &str) -> (String, String) {
    let vectors: Value =
        serde_json::from_str(include_str!("../../../testing/data/vectors/names.json")).unwrap();
    let rows = vectors["cases"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == name && row["periodID"] == period);
    let row = row.unwrap_or_else(|| panic!("no vector for {name} at {period}"));
    let text = |key: &str| row[key].as_str().unwrap().to_string();
    (text("jobName"), text("label"))
}

/// The first 60 bits of SipHash-2-4-128 in base 32, written down once more from its description.
fn independent_hash(text: &str) -> String {
    let mut key = [0u8; 16];
    key[..12].copy_from_slice(b"kron.name.v1");
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    let (k0, k1) = (word(&key[..8]), word(&key[8..]));
    let mut v = [
        k0 ^ 0x736f_6d65_7073_6575,
        k1 ^ 0x646f_7261_6e64_6f6d ^ 0xee,
        k0 ^ 0x6c79_6765_6e65_7261,
        k1 ^ 0x7465_6462_7974_6573,
    ];
    let round = |v: &mut [u64; 4]| {
        v[0] = v[0].wrapping_add(v[1]);
        v[1] = v[1].rotate_left(13) ^ v[0];
        v[0] = v[0].rotate_left(32);
        v[2] = v[2].wrapping_add(v[3]);
        v[3] = v[3].rotate_left(16) ^ v[2];
        v[0] = v[0].wrapping_add(v[3]);
        v[3] = v[3].rotate_left(21) ^ v[0];
        v[2] = v[2].wrapping_add(v[1]);
        v[1] = v[1].rotate_left(17) ^ v[2];
        v[2] = v[2].rotate_left(32);
    };
    let mut bytes = text.as_bytes().to_vec();
    let length = bytes.len() as u8;
    bytes.resize(bytes.len() / 8 * 8 + 7, 0);
    bytes.push(length);
    for block in bytes.chunks(8) {
        let block = word(block);
        v[3] ^= block;
        (0..2).for_each(|_| round(&mut v));
        v[0] ^= block;
    }
    v[2] ^= 0xee;
    (0..4).for_each(|_| round(&mut v));
    // The bytes of the hash are those of its first word, the least first; base 32 reads bytes from their highest bit on.
    let bits = (v[0] ^ v[1] ^ v[2] ^ v[3]).swap_bytes();
    let digit =
        |index: u32| b"abcdefghijklmnopqrstuvwxyz234567"[(bits >> (59 - 5 * index)) as usize & 31] as char;
    (0..12).map(digit).collect()
}

#[test]
fn the_independent_hash_agrees_with_the_vectors() {
    let (name, _) = name_of_vectors("db-backup", "2026-03-01T00:00:00Z");
    assert_eq!(name, format!("db-backup-{}", independent_hash("2026-03-01T00:00:00Z")));
}

#[test]
fn a_period_becomes_one_job_at_its_chosen_second() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster
            .create("db", json!({"window": {"duration": "50s"}, "policy": {"concurrency": "allow"}}))
            .await;
        let start = kronjob.start(cluster.now() + 3);
        let job = cluster.job_of(&kronjob, start).await;

        let name = format!("db-{}", independent_hash(&text_of(start.nominal)));
        assert_eq!(job["metadata"]["name"], name, "the name is that of the period");
        let created = job["metadata"]["creationTimestamp"].as_str().unwrap();
        let late = chrono::DateTime::parse_from_rfc3339(created).unwrap().timestamp() - start.chosen;
        let most = if cluster.is_model() { 0 } else { SOON.as_secs() as i64 };
        assert!((0..=most).contains(&late), "created {late} s after the chosen second");
        assert!((start.nominal..=start.nominal + 50).contains(&start.chosen), "{start:?}");

        let labels = json!({
            "kron.io/name": "db", "kron.io/period-id": label_of(start.nominal),
            "kron.io/chosen-time": label_of(start.chosen),
        });
        for (label, value) in labels.as_object().unwrap() {
            assert_eq!(job["metadata"]["labels"][label], *value);
            assert_eq!(job["spec"]["template"]["metadata"]["labels"][label], *value, "on the pods, too");
        }
        let owner = &job["metadata"]["ownerReferences"];
        let wanted = json!([{
            "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "db", "uid": kronjob.uid(),
            "controller": true, "blockOwnerDeletion": true,
        }]);
        assert_eq!(*owner, wanted);
        cluster.event(&kronjob, "SuccessfulCreate", &[&name]).await;
        let status = cluster
            .status("db", SOON, "the outcome", |status| status["lastPeriodID"] == text_of(start.nominal))
            .await;
        assert_eq!(status["lastOutcome"], "executed");
        assert_eq!(status["lastNominalTime"], text_of(start.nominal));
        assert_eq!(status["lastChosenTime"], text_of(start.chosen));
        assert_eq!(status["active"][0]["name"], name);
        assert_eq!(status["active"][0]["uid"], job["metadata"]["uid"]);
        assert_eq!(status["active"][0]["kind"], "Job");
    });
}

#[test]
fn names_that_are_too_long_are_cut() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(10).await;
        let name = format!("{}--{}", "a".repeat(48), "b".repeat(60));
        let kronjob = cluster.create(&name, json!({})).await;
        let start = kronjob.start(cluster.now() + 3);
        let job = cluster.job_of(&kronjob, start).await;
        // Cut to 50 bytes, `-` at the cut trimmed, and the full name in the hash.
        let hash = independent_hash(&format!("{}\n{name}", text_of(start.nominal)));
        assert_eq!(job["metadata"]["name"], format!("{}-{hash}", "a".repeat(48)));
        let label = format!("{}-{}", &name[..50], independent_hash(&name));
        assert_eq!(job["metadata"]["labels"]["kron.io/name"], label);
        assert_eq!(label.len(), 63);
    });
}

#[test]
fn the_template_arrives_as_it_is() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(10).await;
        let mut template = template();
        template["metadata"] = json!({"labels": {"team": "db"}, "annotations": {"example.com/note": "kept"}});
        template["spec"]["backoffLimit"] = json!(2);
        template["spec"]["ttlSecondsAfterFinished"] = json!(3600);
        template["spec"]["template"]["metadata"] =
            json!({"labels": {"app": "dump"}, "annotations": {"a": "b"}});
        let pod = &mut template["spec"]["template"]["spec"];
        pod["containers"][0]["env"] = json!([{"name": "PERIOD", "valueFrom": {"fieldRef": {
            "apiVersion": "v1", "fieldPath": "metadata.labels['kron.io/period-id']"}}}]);
        pod["containers"][0]["resources"] = json!({"requests": {"cpu": "10m"}});
        pod["nodeSelector"] = json!({"example.com/none": "at-all"});
        let kronjob = cluster.create("db", json!({"jobTemplate": template})).await;
        let start = kronjob.start(cluster.now() + 3);
        let job = cluster.job_of(&kronjob, start).await;
        // What the server adds aside, everything is there as it was written.
        assert_holds(&job["spec"], &template["spec"], "spec");
        assert_eq!(job["metadata"]["labels"]["team"], "db");
        assert_eq!(job["metadata"]["annotations"]["example.com/note"], "kept");
        let ours = |labels: &Value| {
            labels.as_object().unwrap().keys().filter(|key| key.starts_with("kron.io/")).count()
        };
        assert_eq!(ours(&job["metadata"]["labels"]), 3);
        assert_eq!(ours(&job["spec"]["template"]["metadata"]["labels"]), 3);
        let kept = cluster.get("db").await;
        assert_eq!(
            kept.value["spec"]["jobTemplate"], kronjob.value["spec"]["jobTemplate"],
            "the KronJob is not touched"
        );
    });
}

/// Everything in `part` is in `whole`.
fn assert_holds(whole: &Value, part: &Value, path: &str) {
    match part {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| assert_holds(&whole[key], value, &format!("{path}.{key}")));
        }
        Value::Array(items) => {
            assert_eq!(whole.as_array().map(Vec::len), Some(items.len()), "{path}");
            items
                .iter()
                .enumerate()
                .for_each(|(i, item)| assert_holds(&whole[i], item, &format!("{path}[{i}]")));
        }
        other => assert_eq!(whole, other, "{path}"),
    }
}

#[test]
fn the_claim_names_period_and_job_before_the_chosen_second() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(30).await;
        let kronjob = cluster.create("db", json!({})).await;
        let start = kronjob.start(cluster.now());
        let status = cluster.status("db", SOON, "the claim", |status| status["claim"].is_object()).await;
        assert!(cluster.now() < start.chosen);
        assert_eq!(status["claim"]["periodID"], text_of(start.nominal));
        assert_eq!(status["claim"]["jobName"], format!("db-{}", independent_hash(&text_of(start.nominal))));
        assert!(status["claim"]["time"].as_str().unwrap() < text_of(start.chosen).as_str());

        // An edit that moves the start replaces it; so does a suspension.
        cluster.edit("db", json!({"schedule": "30 4 1 1 *"})).await;
        let moved = cluster.get("db").await.start(cluster.now());
        let claimed = |status: &Value| status["claim"]["periodID"] == text_of(moved.nominal);
        cluster.status("db", SOON, "the claim of the new start", claimed).await;
        cluster.edit("db", json!({"policy": {"suspend": true}})).await;
        cluster.status("db", SOON, "no claim", |status| status["claim"].is_null()).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
    });
}

#[test]
fn a_job_of_the_period_that_is_ours_is_its_execution() {
    on_cluster(async |cluster| {
        cluster.with_time_in_this_minute(20).await;
        let kronjob = cluster.create("db", json!({})).await;
        let start = kronjob.start(cluster.now());
        // Someone created it under another name, with our labels and owner.
        let mut job = template();
        job["apiVersion"] = json!("batch/v1");
        job["kind"] = json!("Job");
        job["metadata"] = json!({
            "name": "db-by-hand", "namespace": cluster.namespace,
            "labels": {"kron.io/name": "db", "kron.io/period-id": label_of(start.nominal),
                "kron.io/chosen-time": label_of(start.chosen)},
            "ownerReferences": [{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "db",
                "uid": kronjob.uid(), "controller": true}],
        });
        cluster.create_job(job).await;
        let _operator = cluster.operator().await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        // Not before its time: until then it is a Job like any other.
        cluster.event(&kronjob, "LabelsIgnored", &["db-by-hand"]).await;
        let left = Duration::from_secs((start.chosen - cluster.now()).max(0) as u64);
        let status = cluster.status("db", left + SOON, "it counts", handled).await;
        assert_eq!(status["lastOutcome"], "executed");
        cluster.reach(start.chosen + 3).await;
        let names: Vec<Value> =
            cluster.jobs(&kronjob).await.iter().map(|job| job["metadata"]["name"].clone()).collect();
        assert_eq!(names, ["db-by-hand"], "no other is created");
    });
}

#[test]
fn a_job_of_that_name_that_is_not_ours_is_left_alone() {
    on_cluster(async |cluster| {
        cluster.with_time_in_this_minute(15).await;
        let kronjob = cluster.create("db", json!({})).await;
        let _operator = cluster.operator().await;
        let start = kronjob.start(cluster.now() + 5);
        let mut job = template();
        job["apiVersion"] = json!("batch/v1");
        job["kind"] = json!("Job");
        let name = format!("db-{}", independent_hash(&text_of(start.nominal)));
        job["metadata"] = json!({"name": name, "namespace": cluster.namespace});
        let foreign = cluster.create_job(job).await;
        cluster.reach(start.chosen).await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        let status = cluster.status("db", SOON, "the outcome", handled).await;
        assert_eq!(status["lastOutcome"], "missed");
        cluster.event(&kronjob, "NameTaken", &[&name, &text_of(start.nominal)]).await;
        let kept = cluster.jobs_api().get(&name).await.unwrap();
        assert_eq!(kept.metadata.uid.as_deref(), foreign["metadata"]["uid"].as_str());
        assert_eq!(kept.metadata.owner_references, None);
    });
}

#[test]
fn jobs_go_with_their_kronjob_and_none_comes_after() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster
            .create("db", json!({"window": {"duration": "20s"}, "policy": {"concurrency": "allow"}}))
            .await;
        let start = kronjob.start(cluster.now() + 3);
        cluster.job_of(&kronjob, start).await;
        let background = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Background),
            ..DeleteParams::default()
        };
        cluster.kronjobs().delete("db", &background).await.unwrap();
        let gone = async || cluster.kronjobs().get_opt("db").await.unwrap().is_none().then_some(());
        cluster.until(SOON, "nothing holds the KronJob back", gone).await;
        let none = async || cluster.jobs(&kronjob).await.is_empty().then_some(());
        cluster.until(SOON * 2, "its Jobs are gone, by the cluster's garbage collector", none).await;
        cluster.reach(kronjob.start(start.chosen).chosen + 3).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
    });
}

#[test]
fn an_operator_that_starts_again_creates_no_second_job() {
    on_cluster(async |cluster| {
        let spec = json!({"policy": {"deadline": "40s", "concurrency": "allow"}});
        let operator = cluster.operator().await;
        let kronjob = cluster.create("db", spec).await;
        let start = kronjob.start(cluster.now() + 4);
        // Once with the claim written, once right after the chosen second, once with everything written.
        let claimed = |status: &Value| status["claim"]["periodID"] == text_of(start.nominal);
        cluster.status("db", Duration::from_secs(70), "the claim", claimed).await;
        operator.kill().await;
        let operator = cluster.operator().await;
        cluster.job_of(&kronjob, start).await;
        operator.kill().await;
        let operator = cluster.operator().await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        cluster.status("db", SOON, "the outcome", handled).await;
        operator.stop().await;
        let _operator = cluster.operator().await;
        cluster.observed("db").await;
        cluster.reach(start.chosen + 8).await;
        let label = label_of(start.nominal);
        let jobs = cluster.jobs(&kronjob).await;
        let of_period = jobs.iter().filter(|job| job["metadata"]["labels"]["kron.io/period-id"] == label);
        assert_eq!(of_period.count(), 1);
    });
}
