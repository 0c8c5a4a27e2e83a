//! The golden vectors in `testing/data/vectors/`, which an independent computation in Python checks too (see the README
//! there). They are frozen: where one differs, the code is wrong.

use std::collections::BTreeSet;

use kron_core::constraint::ClausePart;
use kron_core::draw::{DistributionName, DistributionParam};
use kron_core::plan::{Action, plan};
use kron_core::{
    Calendar, Calendars, Cron, Decision, Duration, ErrorCode, Job, Parser, Period, Policy, SeedStrategy,
    WindowMode, Zone,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn cases(text: &str) -> Vec<Value> {
    let value: Value = serde_json::from_str(text).unwrap();
    value["cases"].as_array().unwrap().clone()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn time(text: &str) -> chrono::DateTime<chrono::FixedOffset> {
    chrono::DateTime::parse_from_rfc3339(text).unwrap()
}

fn rfc3339(time: chrono::DateTime<chrono::Utc>) -> String {
    time.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[track_caller]
fn check_decision(case: &Value, decision: &Decision<'_>) {
    let want = &case["decision"];
    let title = text(case, "title");
    assert_eq!(decision.name(), text(case, "name"), "{title}");
    assert_eq!(decision.algorithm(), text(want, "algorithm"), "{title}");
    assert_eq!(decision.period_id(), text(want, "periodId"), "{title}");
    assert_eq!(decision.period_key(), text(want, "periodKey"), "{title}");
    assert_eq!(rfc3339(decision.nominal_time()), text(want, "nominalTime"), "{title}");
    assert_eq!(rfc3339(decision.window_start()), text(want, "windowStart"), "{title}");
    assert_eq!(rfc3339(decision.window_end()), text(want, "windowEnd"), "{title}");
    assert_eq!(decision.seed_input(), text(want, "seedInput"), "{title}");
    assert_eq!(decision.seed_hash().to_string(), text(want, "seedHash"), "{title}");
    assert_eq!(decision.chosen_time().map(rfc3339).as_deref(), want["chosenTime"].as_str(), "{title}");
    assert_eq!(u64::from(decision.draws()), want["draws"], "{title}");
    assert_eq!(decision.unschedulable().map(|why| why.as_str()), want["unschedulable"].as_str(), "{title}");
}

fn check_decisions(file: &str, at_least: usize) {
    let cases = cases(file);
    assert!(cases.len() >= at_least, "{} cases", cases.len());
    for case in &cases {
        let title = text(case, "title");
        let job =
            Job::parse(text(case, "name"), text(case, "text")).unwrap_or_else(|e| panic!("{title}: {e}"));
        let decision = job.decide(time(text(case, "nominal"))).unwrap();
        check_decision(case, &decision);

        let explanation = job.explain(time(text(case, "nominal"))).unwrap();
        assert_eq!(explanation.decision, decision, "{title}");
        let first = explanation.draws.first().map(|draw| draw.u.unwrap());
        assert_eq!(first, case["u1"].as_f64(), "{title}");

        let again = Job::parse(text(case, "name"), &job.spec().to_string()).unwrap();
        assert_eq!(again.spec(), job.spec(), "{title}: canonical text");
        check_decision(case, &again.decide(time(text(case, "nominal"))).unwrap());
    }
}

#[test]
fn decisions_of_siphash_chacha8() {
    check_decisions(include_str!("../../testing/data/vectors/decisions.json"), 200);
}

/// A new word needs a vector, and so a second computation in Python.
#[test]
fn every_word_that_decides_has_a_vector() {
    let mut found: BTreeSet<String> = BTreeSet::new();
    for case in cases(include_str!("../../testing/data/vectors/decisions.json")) {
        let spec = Job::parse(text(&case, "name"), text(&case, "text")).unwrap().into_spec();
        let distribution = spec.distribution();
        found.insert(spec.window().mode().to_string());
        found.insert(spec.seed().strategy().to_string());
        found.insert(distribution.name().to_string());
        found.extend(distribution.params().iter().map(|(param, _)| param.to_string()));
        let constraints = spec.constraints();
        let clauses = constraints.only().iter().chain(constraints.avoid());
        found.extend(clauses.flat_map(|clause| clause.parts().map(|part| part.to_string())));
    }
    let all = [
        WindowMode::WORDS,
        SeedStrategy::WORDS,
        DistributionName::WORDS,
        DistributionParam::WORDS,
        ClausePart::WORDS,
    ];
    // The dates of a calendar decide as parts `dates` do: `calendars.rs` compares them.
    let without = ClausePart::Calendar.as_str();
    for word in all.into_iter().flatten().filter(|word| **word != without) {
        assert!(found.contains(*word), "no vector has `{word}`");
    }
}

#[test]
fn decisions_of_sha256_splitmix64() {
    check_decisions(include_str!("../../testing/data/vectors/legacy.json"), 50);
}

#[test]
fn cron_searches() {
    let cases = cases(include_str!("../../testing/data/vectors/cron.json"));
    assert!(cases.len() >= 120);
    for case in &cases {
        let schedule = Cron::parse(text(case, "schedule"))
            .unwrap()
            .in_zone(Zone::parse(text(case, "timezone")).unwrap());
        let after = time(text(case, "after"));
        let listed = |list: &Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|time| time.as_str().unwrap().to_owned()).collect()
        };
        let (next, prev) = (listed(&case["next"]), listed(&case["prev"]));
        assert_eq!(schedule.series(after).take(5).map(rfc3339).collect::<Vec<_>>(), next, "{case}");
        assert_eq!(schedule.series_back(after).take(5).map(rfc3339).collect::<Vec<_>>(), prev, "{case}");
        assert_eq!(schedule.next(after).map(rfc3339), next.first().cloned(), "{case}");
        assert_eq!(schedule.prev(after).map(rfc3339), prev.first().cloned(), "{case}");
    }
}

#[test]
fn days() {
    let cases = cases(include_str!("../../testing/data/vectors/days.json"));
    assert!(cases.len() >= 70);
    for case in &cases {
        let mut calendars = Calendars::new();
        for (name, dates) in case["calendars"].as_object().into_iter().flatten() {
            calendars.add(Calendar::parse(name, dates.as_str().unwrap()).unwrap()).unwrap();
        }
        let job = Parser::new().with_calendars(calendars).job("days/vector", text(case, "text")).unwrap();
        let after = time(text(case, "after")).timestamp();
        let listed = |list: &Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|time| time.as_str().unwrap().to_owned()).collect()
        };
        let (next, prev) = (listed(&case["next"]), listed(&case["prev"]));
        let id = |period: kron_core::Decision<'_>| period.period_id();
        assert_eq!(job.periods(after + 1..).take(5).map(id).collect::<Vec<_>>(), next, "{case}");
        assert_eq!(job.periods_back(..after + 1).take(5).map(id).collect::<Vec<_>>(), prev, "{case}");
    }
}

/// Each sentence of the page about days, over twenty years.
#[test]
fn days_of_the_page() {
    let document: Value =
        serde_json::from_str(include_str!("../../testing/data/vectors/days_page.json")).unwrap();
    let mut calendars = Calendars::new();
    for (name, dates) in document["calendars"].as_object().unwrap() {
        calendars.add(Calendar::parse(name, dates.as_str().unwrap()).unwrap()).unwrap();
    }
    let parser = Parser::new().with_calendars(calendars);
    let midnight = |key| time(&format!("{}T00:00:00Z", text(&document, key))).timestamp();
    let (from, end) = (midnight("from"), midnight("until") + 86_400);
    let cases = document["cases"].as_array().unwrap();
    assert!(cases.len() >= 40);
    for case in cases {
        let job = parser.job("days/page", text(case, "text")).unwrap();
        let date = |period: Decision<'_>| period.period_id()[..10].to_owned();
        let found: Vec<String> = job.periods(from..end).map(date).collect();
        assert_eq!(found.len() as u64, case["count"], "{case}");
        assert_eq!(found.first().map(String::as_str), case["first"].as_str(), "{case}");
        assert_eq!(found.last().map(String::as_str), case["last"].as_str(), "{case}");
        let lines: String = found.iter().map(|date| format!("{date}\n")).collect();
        let hash: String = Sha256::digest(lines).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, text(case, "sha256"), "{case}");
        let back: Vec<String> = job.periods_back(from..end).map(date).collect();
        assert!(back.iter().eq(found.iter().rev()), "{case}");
    }
}

#[test]
fn places() {
    let cases = cases(include_str!("../../testing/data/vectors/places.json"));
    assert!(cases.len() >= 110);
    for case in &cases {
        let declaration = Parser::new().declaration(text(case, "text"), Some(text(case, "name"))).unwrap();
        match (declaration.placed(), case["error"].as_bool()) {
            (Ok(placed), None) => {
                assert_eq!(placed.expression(), text(case, "expression"), "{case}");
                assert_eq!(Some(placed.shift_minutes()), case["shift"].as_i64(), "{case}");
                assert_eq!(Some(placed.candidates() as u64), case["candidates"].as_u64(), "{case}");
            }
            (Err(error), Some(true)) => assert_eq!(error.code(), ErrorCode::PlaceNowhere, "{case}"),
            (placed, _) => panic!("{case}: {placed:?}"),
        }
    }
}

#[test]
fn durations() {
    for case in &cases(include_str!("../../testing/data/vectors/durations.json")) {
        let parsed = Duration::parse(text(case, "text"));
        match case["ns"].as_i64() {
            Some(nanos) => {
                let duration = parsed.unwrap_or_else(|error| panic!("{case}: {error}"));
                assert_eq!(duration.as_nanos(), nanos, "{case}");
                assert_eq!(duration.to_string(), text(case, "canonical"), "{case}");
                assert_eq!(Duration::parse(&duration.to_string()), Ok(duration));
            }
            None => assert!(parsed.is_err(), "{case}"),
        }
    }
}

/// The cases give windows and chosen times outright, so each period here is a job of its own whose window begins at the
/// nominal time and whose start is forced there by its length, or whose constraint allows nothing.
#[test]
fn plans() {
    for case in &cases(include_str!("../../testing/data/vectors/plan.json")) {
        let title = text(case, "title");
        let policy = Policy::default()
            .with_concurrency(text(&case["policy"], "concurrency").parse().unwrap())
            .with_deadline(text(&case["policy"], "deadline"))
            .unwrap()
            .with_suspend(case["policy"]["suspend"].as_bool().unwrap());
        let periods = case["periods"].as_array().unwrap();
        let open: Vec<Period> = periods
            .iter()
            .map(|period| {
                let at = |key| time(text(period, key)).timestamp();
                let chosen = period["chosen"].as_str().map(|chosen| time(chosen).timestamp());
                Period::new(at("nominal"), (at("windowStart"), at("windowEnd")), chosen)
            })
            .collect();
        let plan = plan(open, &policy, time(text(case, "now")), case["active"].as_bool().unwrap());
        let got: Vec<(String, String, Option<String>)> = plan
            .steps
            .iter()
            .map(|step| {
                let action = match step.action {
                    Action::Nothing => "nothing".to_owned(),
                    Action::Wait { .. } => "wait".to_owned(),
                    Action::Execute => "execute".to_owned(),
                    Action::Replace => "replace".to_owned(),
                    Action::Record(outcome) => outcome.to_string(),
                };
                (step.period.period_id(), action, step.action.wait_until().map(rfc3339))
            })
            .collect();
        let want: Vec<(String, String, Option<String>)> = case["want"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| {
                (
                    text(step, "nominal").into(),
                    text(step, "action").into(),
                    step["until"].as_str().map(str::to_owned),
                )
            })
            .collect();
        assert_eq!(got, want, "{title}");
        assert_eq!(plan.older_missed, case["olderMissed"].as_u64().unwrap(), "{title}");
    }
}
