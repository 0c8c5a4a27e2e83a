//! The answers are those of the core, and errors have all that the core's have.

use kron_core::{Job, Parser};
use serde_json::{Value, json};

use crate::Host;

const BACKUP: &str = "0 0 * * * @tz(Europe/Paris) @win(after,3h)";
/// 2026-03-01T12:00:00Z
const NOON: i64 = 1_772_366_400;

fn value(text: impl serde::Serialize) -> Value {
    serde_json::to_value(text).unwrap()
}

#[test]
fn decisions_are_those_of_the_core() {
    let mut host = Host::default();
    let handle = host.job("prod/db-backup", BACKUP);
    let job = Job::parse("prod/db-backup", BACKUP).unwrap();
    let next = host.ask(json!({"ask": "next", "job": handle, "after": NOON})).unwrap();
    assert_eq!(next, value(job.next_start(NOON).unwrap()));
    assert_eq!(next["chosenTime"], "2026-03-02T00:09:23Z");
    // A fraction of a second ends neither a search nor a range early.
    let at = 1_772_410_163.5;
    let previous = host.ask(json!({"ask": "previous", "job": handle, "at": at})).unwrap();
    assert_eq!(previous, next);
    let decided = host.ask(json!({"ask": "decide", "job": handle, "nominal": NOON})).unwrap();
    assert_eq!(decided, value(job.decide(NOON).unwrap()));
    let explained = host.ask(json!({"ask": "explain", "job": handle, "after": NOON})).unwrap();
    assert_eq!(explained["decision"], next);
    assert_eq!(explained, value(job.explain(job.next_start(NOON).unwrap().nominal_timestamp()).unwrap()));
}

#[test]
fn series_go_both_ways() {
    let mut host = Host::default();
    let text = "*/20 * * * * @win(after,30m) @avoid(hours=3)";
    let handle = host.job("web/ping", text);
    let job = Job::parse("web/ping", text).unwrap();
    let until = NOON + 86_400;
    let mut ask = |ask: &str, reverse: bool| {
        host.ask(json!({"ask": ask, "job": handle, "from": NOON, "until": until, "reverse": reverse}))
            .unwrap()
    };
    let starts: Vec<_> = job.starts(NOON..until).collect::<Result<_, _>>().unwrap();
    assert_eq!(ask("starts", false), value(&starts));
    assert_eq!(ask("starts", true), value(starts.iter().rev().collect::<Vec<_>>()));
    let periods: Vec<_> = job.periods(NOON..until).collect();
    assert!(periods.iter().any(|period| period.unschedulable().is_some()));
    assert_eq!(ask("periods", false), value(&periods));
    assert_eq!(ask("periods", true), value(periods.iter().rev().collect::<Vec<_>>()));
    // Open on one side.
    let first = host.ask(json!({"ask": "starts", "job": handle, "from": NOON, "count": 3})).unwrap();
    assert_eq!(first, value(&starts[..3]));
    let last = json!({"ask": "starts", "job": handle, "until": until, "count": 2, "reverse": true});
    assert_eq!(host.ask(last).unwrap(), value(starts.iter().rev().take(2).collect::<Vec<_>>()));
}

#[test]
fn an_open_series_ends_where_a_search_fails() {
    let mut host = Host::default();
    let rare = host.job("rare", "0 0 1 1 * @win(after,1h) @only(date=2027-01-01)");
    let some = host.ask(json!({"ask": "starts", "job": rare, "from": NOON, "count": 3})).unwrap();
    assert_eq!(some.as_array().unwrap().len(), 1);
    let none =
        host.ask(json!({"ask": "starts", "job": rare, "from": 1_900_000_000, "count": 3})).unwrap_err();
    assert_eq!(none["code"], "no-start-in-sight");
}

#[test]
fn receipts_are_verified() {
    let mut host = Host::default();
    let handle = host.job("prod/db-backup", BACKUP);
    let receipt = host.ask(json!({"ask": "receipt", "job": handle, "after": NOON})).unwrap();
    assert_eq!(receipt["schema"], "kron.io/receipt/v1");
    let verified = host.ask(json!({"ask": "verify", "receipt": receipt.to_string()})).unwrap();
    assert_eq!((&verified["agrees"], &verified["zoneRules"]), (&json!(true), &json!("same")));
    let tampered = receipt.to_string().replace("00:09:23", "00:09:24");
    let verified = host.ask(json!({"ask": "verify", "receipt": tampered})).unwrap();
    assert_eq!(verified["agrees"], false);
    assert_eq!(
        verified["differences"],
        json!([{"field": "decision.chosenTime", "receipt": "2026-03-02T00:09:24Z", "computed": "2026-03-02T00:09:23Z"}])
    );
    let other_rules = receipt["timezoneFingerprint"].as_str().unwrap();
    let other_rules = receipt.to_string().replace(other_rules, "sha256:0");
    let verified = host.ask(json!({"ask": "verify", "receipt": other_rules})).unwrap();
    assert_eq!((&verified["zoneRules"], &verified["firstDifference"]), (&json!("different"), &Value::Null));
    assert_eq!(host.ask(json!({"ask": "verify", "receipt": "[]"})).unwrap_err()["code"], "manifest-type");
}

#[test]
fn calendars_come_with_the_job() {
    let mut host = Host::default();
    let mut parse = |text: &str, calendars: Value| {
        host.ask(json!({"ask": "job", "name": "a", "text": text, "calendars": calendars}))
    };
    let text = "@daily @avoid(calendar=off)";
    assert_eq!(parse(text, json!({})).unwrap_err()["code"], "calendar-unknown");
    assert_eq!(parse(text, json!({"off": "2026-13-01"})).unwrap_err()["code"], "constraint-out-of-range");
    let handle = parse(text, json!({"off": "2026-03-02..2026-03-05"})).unwrap()["job"].clone();
    let next = host.ask(json!({"ask": "next", "job": handle, "after": NOON})).unwrap();
    assert_eq!(next["chosenTime"], "2026-03-06T00:00:00Z");
}

#[test]
fn schedules_of_other_systems_are_placed() {
    let mut host = Host::default();
    let placed =
        host.ask(json!({"ask": "place", "text": "0 0 * * * @win(after,2h) name=ops/backup"})).unwrap();
    let want = Parser::new().declaration("0 0 * * * @win(after,2h) name=ops/backup", None).unwrap();
    let want = want.placed().unwrap();
    assert_eq!(
        placed,
        json!({"name": "ops/backup", "expression": want.expression(), "shiftMinutes": want.shift_minutes(), "candidates": want.candidates()})
    );
    let unnamed = host.ask(json!({"ask": "place", "text": "0 0 * * * @win(after,2h)"})).unwrap_err();
    assert_eq!(unnamed["code"], "file-missing-name");
}

#[test]
fn a_zone_is_that_of_a_text_without_one() {
    let mut host = Host::default();
    let mut parse = |text: &str, zone: &str| {
        let parsed = host.ask(json!({"ask": "job", "name": "a", "text": text, "timezone": zone}));
        parsed.map(|parsed| parsed["text"].clone())
    };
    assert_eq!(parse("@daily", "Asia/Tokyo").unwrap(), "0 0 * * * @tz(Asia/Tokyo)");
    assert_eq!(parse("@daily @tz(Europe/Paris)", "Asia/Tokyo").unwrap(), "0 0 * * * @tz(Europe/Paris)");
    assert_eq!(parse("@daily @tz(UTC)", "Asia/Tokyo").unwrap(), "0 0 * * *");
    let error = parse("@daily", "Asia/Tokio").unwrap_err();
    assert_eq!((&error["code"], &error["field"]), (&json!("time-zone"), &json!("timezone")));
}

#[test]
fn findings_have_their_places() {
    let mut host = Host::default();
    let text = "0 */7 * * * @policy(deadline=1h)";
    let findings = host.ask(json!({"ask": "lint", "name": "web/report", "text": text, "at": NOON})).unwrap();
    let first = &findings[0];
    assert_eq!(
        json!([
            first["severity"],
            first["code"],
            first["name"],
            first["file"],
            first["column"],
            first["span"]
        ]),
        json!(["warning", "uneven-step", "web/report", null, 3, [2, 5]])
    );
    let fine = "0 1 * * * @win(after,2h) @policy(deadline=1h)";
    assert_eq!(host.ask(json!({"ask": "lint", "name": "a", "text": fine, "at": NOON})).unwrap(), json!([]));
    let wrong = host.ask(json!({"ask": "lint", "name": "a", "text": "@daly", "at": NOON})).unwrap_err();
    assert_eq!(wrong["help"], "did you mean `@daily`?");
}

#[test]
fn expressions_have_a_canonical_form() {
    let mut host = Host::default();
    assert_eq!(host.ask(json!({"ask": "cron", "text": "@daily"})).unwrap(), "0 0 * * *");
    let error = host.ask(json!({"ask": "cron", "text": "0 0 * * * @tz(UTC)"})).unwrap_err();
    assert_eq!(error["code"], "cron-field-count");
}

#[test]
fn errors_have_code_field_place_and_help() {
    let mut host = Host::default();
    let error = host.ask(json!({"ask": "job", "name": "a", "text": "@daily @win(3h)"})).unwrap_err();
    let want = Job::parse("a", "@daily @win(3h)").unwrap_err();
    assert_eq!(error["code"], want.code().as_str());
    assert_eq!(error["field"], want.field());
    assert_eq!(error["span"], json!([want.span().unwrap().start, want.span().unwrap().end]));
    assert_eq!(error["message"], want.to_string());
    assert_eq!(error["help"], want.help().unwrap());
    assert_eq!(host.ask(json!({"ask": "next", "job": 7, "after": 0})).unwrap_err()["code"], "handle");
    for wrong in [
        json!({"ask": "nonsense"}),
        json!({"ask": "next", "job": 1}),
        json!({"ask": "next", "job": 1, "after": 0, "before": 0}),
        json!([]),
        json!({"ask": "explain", "job": 1}),
    ] {
        host.job("a", "@daily");
        assert_eq!(host.ask(wrong.clone()).unwrap_err()["code"], "request", "{wrong}");
    }
    let half = json!({"ask": "decide", "job": 1, "nominal": 0.5});
    assert_eq!(host.ask(half).unwrap_err()["code"], "request");
    let before = json!({"ask": "decide", "job": 1, "nominal": -60});
    assert_eq!(host.ask(before).unwrap_err()["code"], "nominal-time");
}

#[test]
fn zones_have_their_changes() {
    let mut host = Host::default();
    let zone = host.ask(json!({"ask": "zone", "name": "Europe/Paris", "at": NOON})).unwrap();
    assert_eq!((&zone["offset"], &zone["at"]), (&json!(3600), &json!("2026-03-01T12:00:00Z")));
    assert_eq!(zone["changes"].as_array().unwrap().len(), 5);
    let want = json!({"time": "2026-03-29T01:00:00Z", "offsetBefore": 3600, "offsetAfter": 7200});
    assert_eq!(zone["changes"][0], want);
    let one = host.ask(json!({"ask": "zone", "name": "Europe/Paris", "at": NOON, "count": 1})).unwrap();
    assert_eq!(one["changes"].as_array().unwrap().len(), 1);
    let unknown = host.ask(json!({"ask": "zone", "name": "Europe/Pariss", "at": NOON})).unwrap_err();
    assert_eq!(unknown["help"], "did you mean `Europe/Paris`?");
}

#[test]
fn durations_and_versions() {
    let mut host = Host::default();
    let duration = host.ask(json!({"ask": "duration", "text": "90m"})).unwrap();
    assert_eq!(duration, json!({"nanoseconds": "5400000000000", "canonical": "1h30m0s"}));
    let version = host.ask(json!({"ask": "version"})).unwrap();
    assert_eq!(version["tzdbVersion"], kron_core::TzDatabase::COMPILED_IN_VERSION);
}
