//! What becomes of a period: executed, skipped, missed, unschedulable; by policy, deadline and constraints.

use std::time::Duration;

use serde_json::{Value, json};

use super::cluster::{SOON, has_condition, label_of, on_cluster, text_of};

const TWO_MINUTES: Duration = Duration::from_secs(140);

#[test]
fn a_deadline_of_zero_means_at_the_chosen_second_or_never() {
    on_cluster(async |cluster| {
        let kronjob = cluster.create("db", json!({})).await;
        let start = kronjob.start(cluster.now());
        cluster.reach(start.chosen + 2).await;
        let _operator = cluster.operator().await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        let status = cluster.status("db", SOON, "the outcome", handled).await;
        assert_eq!(status["lastOutcome"], "missed");
        assert_eq!(status["lastChosenTime"], text_of(start.chosen));
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
        cluster.event(&kronjob, "MissSchedule", &[&text_of(start.nominal)]).await;
        // The schedule goes on.
        cluster.job_of(&kronjob, kronjob.start(cluster.now() + 1)).await;
    });
}

#[test]
fn a_longer_deadline_lets_a_late_start_happen() {
    on_cluster(async |cluster| {
        let kronjob = cluster.create("db", json!({"policy": {"deadline": "30s"}})).await;
        let start = kronjob.start(cluster.now());
        cluster.reach(start.chosen + 4).await;
        let _operator = cluster.operator().await;
        let job = cluster.job_of(&kronjob, start).await;
        assert_eq!(
            job["metadata"]["labels"]["kron.io/chosen-time"],
            label_of(start.chosen),
            "decided as ever"
        );
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        let status = cluster.status("db", SOON, "the outcome", handled).await;
        assert_eq!(status["lastOutcome"], "executed");
    });
}

#[test]
fn now_after_chosen_time_and_deadline_is_missed() {
    on_cluster(async |cluster| {
        let kronjob = cluster.create("db", json!({"policy": {"deadline": "3s"}})).await;
        let start = kronjob.start(cluster.now());
        cluster.reach(start.chosen + 5).await;
        let _operator = cluster.operator().await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        let status = cluster.status("db", SOON, "the outcome", handled).await;
        assert_eq!(status["lastOutcome"], "missed");
        let text = cluster.event(&kronjob, "MissSchedule", &[&text_of(start.nominal)]).await;
        assert!(text.contains("the deadline is 3s"), "{text}");
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
    });
}

#[test]
fn forbid_skips_while_a_job_is_active() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(10).await;
        // `forbid` is the default.
        let kronjob = cluster.create("db", json!({})).await;
        let first = kronjob.start(cluster.now() + 3);
        let second = kronjob.start(first.chosen);
        let job = cluster.job_of(&kronjob, first).await;
        cluster.reach(second.chosen).await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(second.nominal);
        let status = cluster.status("db", SOON, "the outcome", handled).await;
        assert_eq!(status["lastOutcome"], "skipped");
        cluster.event(&kronjob, "JobAlreadyActive", &[&text_of(second.nominal)]).await;
        // It is skipped for ever: the end of the Job starts nothing.
        cluster.finish(&job, true).await;
        let ended = cluster.status("db", SOON, "the end", |status| status["active"].is_null()).await;
        assert_eq!(ended["lastOutcome"], "skipped");
        assert!(ended["lastSuccessfulTime"].is_string());
        cluster.event(&kronjob, "SawCompletedJob", &["Complete"]).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
    });
}

#[test]
fn allow_lets_jobs_run_beside_each_other() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(10).await;
        let kronjob = cluster.create("db", json!({"policy": {"concurrency": "allow"}})).await;
        let first = kronjob.start(cluster.now() + 3);
        let one = cluster.job_of(&kronjob, first).await;
        let other = cluster.job_of(&kronjob, kronjob.start(first.chosen)).await;
        let both = |status: &Value| status["active"].as_array().is_some_and(|active| active.len() == 2);
        let status = cluster.status("db", SOON, "both are active", both).await;
        let mut names = [one["metadata"]["name"].clone(), other["metadata"]["name"].clone()];
        names.sort_by_key(Value::to_string);
        assert_eq!([&status["active"][0]["name"], &status["active"][1]["name"]], [&names[0], &names[1]]);
        assert_eq!(status["active"][0]["namespace"], *cluster.namespace);
        // What ends is active no more, and only a success is the last success.
        cluster.finish(&one, false).await;
        let one_left = |status: &Value| status["active"].as_array().is_some_and(|active| active.len() == 1);
        let status = cluster.status("db", SOON, "one is left", one_left).await;
        assert!(status["lastSuccessfulTime"].is_null());
        cluster.event(&kronjob, "SawCompletedJob", &["Failed"]).await;
    });
}

#[test]
fn replace_stops_the_active_job_and_starts_anew() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(10).await;
        let kronjob = cluster.create("db", json!({"policy": {"concurrency": "replace"}})).await;
        let first = kronjob.start(cluster.now() + 3);
        let old = cluster.job_of(&kronjob, first).await;
        let second = kronjob.start(first.chosen);
        let new = cluster.job_of(&kronjob, second).await;
        assert_ne!(old["metadata"]["uid"], new["metadata"]["uid"]);
        let old_name = old["metadata"]["name"].as_str().unwrap().to_string();
        let old = cluster.jobs_api().get_opt(&old_name).await.unwrap();
        let going = old.is_none_or(|job| job.metadata.deletion_timestamp.is_some());
        assert!(going, "the old one goes before the new one comes");
        cluster.event(&kronjob, "SuccessfulDelete", &[&old_name]).await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(second.nominal);
        let status = cluster.status("db", SOON, "the outcome", handled).await;
        assert_eq!(status["lastOutcome"], "executed");
    });
}

#[test]
fn a_window_without_an_allowed_second_is_unschedulable() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let (today, tomorrow) = (text_of(cluster.now()), text_of(cluster.now() + 86_400));
        let avoid = json!([{"date": today[..10]}, {"date": tomorrow[..10]}]);
        let kronjob = cluster
            .create("db", json!({"window": {"duration": "10s"}, "constraints": {"avoid": avoid}}))
            .await;
        let blocked = |status: &Value| has_condition(status, "Unschedulable", "True", "NoAllowedSecond");
        cluster.status("db", SOON, "the condition", blocked).await;
        let outcome = |status: &Value| status["lastOutcome"] == "unschedulable";
        let status = cluster.status("db", TWO_MINUTES, "the outcome, once the window is over", outcome).await;
        assert!(status["lastChosenTime"].is_null(), "there is none: {status}");
        assert!(status["lastPeriodID"].is_string() && status["lastNominalTime"] == status["lastPeriodID"]);
        let period = status["lastPeriodID"].as_str().unwrap();
        cluster.event(&kronjob, "Unschedulable", &[period]).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
        // What comes next is past the constraints, as the core says.
        let next = kronjob.start(cluster.now());
        assert_eq!(status["nextChosenTime"], text_of(next.chosen));
        cluster.edit("db", json!({"constraints": null})).await;
        let free = |status: &Value| has_condition(status, "Unschedulable", "False", "Schedulable");
        cluster.status("db", SOON, "the condition is gone", free).await;
    });
}

#[test]
fn a_create_that_is_refused_for_good_is_reported_and_missed() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let mut template = super::manifest::template();
        // The schema takes it; a Job with it is invalid.
        template["spec"]["template"]["spec"]["containers"][0]["image"] = json!("");
        let kronjob = cluster.create("db", json!({"jobTemplate": template})).await;
        let refused = |status: &Value| has_condition(status, "InvalidSpec", "True", "TemplateRefused");
        let status = cluster.status("db", SOON, "the dry run says so before the first period", refused).await;
        assert!(has_condition(&status, "Ready", "False", "InvalidSpec"), "{status}");
        assert!(status["nextChosenTime"].is_string(), "and starts are tried all the same");
        let missed = |status: &Value| status["lastOutcome"] == "missed";
        let status = cluster.status("db", TWO_MINUTES, "the period is missed", missed).await;
        assert!(has_condition(&status, "SchedulingError", "True", "FailedCreate"), "{status}");
        let period = status["lastPeriodID"].as_str().unwrap();
        cluster.event(&kronjob, "FailedCreate", &[period, "image"]).await;

        // Once the template is corrected, starts continue and the condition changes.
        cluster.edit("db", json!({"jobTemplate": super::manifest::template()})).await;
        let created = |status: &Value| {
            has_condition(status, "SchedulingError", "False", "Created")
                && has_condition(status, "InvalidSpec", "False", "Valid")
                && has_condition(status, "Ready", "True", "Scheduled")
        };
        cluster.status("db", TWO_MINUTES, "all is well", created).await;
    });
}
