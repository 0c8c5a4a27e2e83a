//! The cron corpus: expressions that Kron accepts and refuses, and their next nominal times, computed by another program. The
//! corpus also has the answers of the library that Kubernetes uses.

use chrono::{DateTime, SecondsFormat};
use kron_core::cron::NominalTimes;
use kron_core::{Cron, Zone};
use serde_json::Value;

#[test]
fn the_core_agrees_with_the_cron_corpus() {
    let (mut accepted, mut refused) = (0, 0);
    for line in include_str!("../../testing/data/cron/corpus.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| case[key].as_str().unwrap();
        let parsed = Cron::parse(text("schedule"));
        assert_eq!(Value::Bool(parsed.is_ok()), case["kron"]["accepted"], "{line}");
        let Ok(cron) = parsed else {
            refused += 1;
            continue;
        };
        accepted += 1;
        let zone = Zone::parse(text("timezone")).unwrap();
        let mut at = DateTime::parse_from_rfc3339(text("after")).unwrap().timestamp();
        let mut found = Vec::new();
        while let Some(next) = cron.next_nominal(&zone, at).filter(|_| found.len() < 5) {
            let time = DateTime::from_timestamp(next, 0).unwrap();
            found.push(Value::String(time.to_rfc3339_opts(SecondsFormat::Secs, true)));
            at = next;
        }
        assert_eq!(Value::Array(found), case["kron"]["next"], "{line}");
    }
    assert!(accepted > 200 && refused > 200, "{accepted} accepted, {refused} refused");
}
