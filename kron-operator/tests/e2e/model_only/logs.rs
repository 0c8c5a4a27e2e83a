//! What is logged.

use std::io::Write;
use std::sync::{Arc, Mutex};

use kron_api_model::{Fault, Match, Status, Verb};
use kron_operator::telemetry::{LogFormat, log_of_this_thread, subscriber};
use serde_json::{Value, json};

use crate::e2e::cluster::{SOON, on_model};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_event_of_the_type_warning_is_logged_as_a_warning() {
    on_model(async |cluster, server| {
        let log = Log::default();
        let writer = log.clone();
        let lines = subscriber(LogFormat::Json, "info", cluster.clock.clone(), false, move || writer.clone());
        let _logged = log_of_this_thread(lines.unwrap());
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": "@hourly"})).await;
        let creates = Match::any().verb(Verb::Create).resource("jobs").dry_run(false);
        server.inject(creates, Fault::Reject(Status::service_unavailable()), 1);
        cluster.reach(kronjob.start(cluster.now()).chosen).await;
        let executed = |status: &Value| status["lastOutcome"] == "executed";
        cluster.status("db", SOON, "the outcome", executed).await;
        cluster.event(&kronjob, "SuccessfulCreate", &[]).await;
        cluster.event(&kronjob, "FailedCreate", &[]).await;

        let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut types = Vec::new();
        for event in server.list("events.k8s.io/v1", "events") {
            let of_event =
                |line: &&Value| line["reason"] == event["reason"] && line["message"] == event["note"];
            let line = lines.iter().find(of_event).unwrap_or_else(|| panic!("no line says {event}"));
            let level = if event["type"] == "Warning" { "WARN" } else { "INFO" };
            assert_eq!(line["level"], level, "{line}");
            assert_eq!(line["kronjob"], format!("{}/db", cluster.namespace), "{line}");
            types.push(level);
        }
        assert!(types.contains(&"WARN") && types.contains(&"INFO"), "{types:?}");
    });
}
