//! The scripts in `testing/data/host/`: events of a job on a host, and the expected answers of its state machine. See the
//! README there.

use kron_core::{Job, Outcome};
use kron_host::{
    Cause, Dispatcher, Execution, ExecutionState, HandledStart, HostReport, HostView, ListKind, Record,
    StartAnswer, Trigger,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Script {
    title: String,
    holder: String,
    job: String,
    #[serde(default)]
    created: i64,
    #[serde(default)]
    retention: Option<i64>,
    claim_ahead: i64,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Row {
    id: String,
    name: String,
    #[serde(default)]
    nominal: Option<i64>,
    #[serde(default)]
    run_now: Option<String>,
    state: ExecutionState,
}

/// Something that happens, or that is expected.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Step {
    At(i64),
    Edit(String),
    RunNow(String),
    Executions(Vec<Row>),
    Stored(Box<Record>),
    Expect(Value),
    Write(Write),
    Starting(Trigger),
    StartAnswered(Trigger, StartAnswer),
    LookedUp(Trigger, Option<String>),
    Listed,
    Checked(String, String, ExecutionState),
    Stopped(String),
    RequestFailed(String, i64),
    Paused,
    Reports(Vec<Report>),
}

/// What was reported, as the scripts have it: periods and tokens apart.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Report {
    PeriodHandled {
        nominal: i64,
        chosen: Option<i64>,
        outcome: Outcome,
        execution: Option<String>,
        cause: Cause,
    },
    RunNowHandled {
        token: String,
        outcome: Outcome,
        execution: Option<String>,
        cause: Cause,
    },
    #[serde(untagged)]
    Other(HostReport),
}

impl From<Report> for HostReport {
    fn from(report: Report) -> HostReport {
        HostReport::Handled(match report {
            Report::PeriodHandled { nominal, chosen, outcome, execution, cause } => {
                let end =
                    if let Cause::NoAllowedSecond { window_end } = cause { Some(window_end) } else { None };
                let trigger = Trigger::Period { nominal, chosen: chosen.or(end).unwrap() };
                HandledStart { trigger, outcome, execution, cause }
            }
            Report::RunNowHandled { token, outcome, execution, cause } => {
                HandledStart { trigger: Trigger::RunNow { token }, outcome, execution, cause }
            }
            Report::Other(report) => return report,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Write {
    Written,
    Refused,
    Overtaken,
    AnswerLost,
    RequestLost,
}

/// Compares the fields that are expected.
fn compare(expected: &Value, got: &Value, context: &str) {
    match expected.as_object().filter(|_| got.is_object()) {
        Some(fields) => {
            fields.iter().for_each(|(key, value)| compare(value, &got[key], &format!("{context}: {key}")))
        }
        None => assert_eq!(got, expected, "{context}"),
    }
}

fn run(script: &Script) {
    let mut job = Job::parse("host/test", &script.job).unwrap();
    let (mut revision, mut now, mut run_now) = (1, 0, None::<String>);
    let (mut rows, mut stored) = (Vec::new(), Record::default());
    let mut dispatcher = Dispatcher::new(&*script.holder);
    for (index, step) in script.steps.iter().enumerate() {
        let context = format!("{}, step {index}", script.title);
        let executions: Vec<Execution<'_>> = rows
            .iter()
            .map(|row: &&Row| Execution {
                id: &row.id,
                name: &row.name,
                nominal: row.nominal,
                run_now: row.run_now.as_deref(),
                state: row.state,
            })
            .collect();
        let configuration = job.spec().schedule().to_string();
        let view = HostView {
            job: &job,
            revision,
            configuration: &configuration,
            created: script.created,
            record: &stored,
            executions: &executions,
            retention: script.retention,
            requested_retention: script.retention,
            claim_ahead: script.claim_ahead,
            run_now: run_now.as_deref(),
            now,
        };
        let policy = *job.spec().policy();
        match step {
            Step::At(millis) => now = *millis,
            Step::Edit(text) => {
                job = Job::parse("host/test", text).unwrap();
                revision += 1;
            }
            Step::RunNow(token) => run_now = Some(token.clone()),
            Step::Executions(all) => rows = all.iter().collect(),
            Step::Stored(record) => stored = Record::clone(record),
            Step::Expect(expected) => {
                dispatcher.advance(&view);
                while let Some(search) = dispatcher.search(&view) {
                    dispatcher.searched(search.run(&job));
                    dispatcher.advance(&view);
                }
                let record = dispatcher.record(&view);
                let next = dispatcher.next(&view, &record);
                let urgent = dispatcher.claim_is_urgent(&view, &record);
                let got = json!({
                    "request": next.request, "wakeUp": next.wake_up, "urgent": urgent, "record": record,
                    "write": urgent || record != stored,
                });
                compare(expected, &got, &context);
            }
            Step::Write(answer) => {
                let record = dispatcher.record(&view);
                dispatcher.writing(&record);
                match answer {
                    Write::Written => {
                        stored = record;
                        dispatcher.written();
                    }
                    Write::AnswerLost => {
                        stored = record;
                        dispatcher.not_written(true, false);
                    }
                    Write::RequestLost => dispatcher.not_written(true, false),
                    Write::Refused => dispatcher.not_written(false, false),
                    Write::Overtaken => dispatcher.not_written(false, true),
                }
            }
            Step::Starting(trigger) => dispatcher.starting(trigger, now / 1000),
            Step::StartAnswered(trigger, answer) => {
                dispatcher.start_answered(trigger, answer.clone(), now / 1000, &policy);
            }
            Step::LookedUp(trigger, name) => dispatcher.looked_up(trigger, name.as_deref()),
            Step::Listed => {
                dispatcher.listing(ListKind::Own);
                dispatcher.listed(&executions);
            }
            Step::Checked(id, name, state) => dispatcher.checked(id, name, *state),
            Step::Stopped(id) => dispatcher.stopped(id),
            Step::RequestFailed(error, retry_at) => {
                dispatcher.request_failed(error, now / 1000, *retry_at, &policy);
            }
            Step::Paused => dispatcher.paused(),
            Step::Reports(expected) => {
                let expected: Vec<HostReport> = expected.iter().cloned().map(HostReport::from).collect();
                assert_eq!(dispatcher.take_reports(), expected, "{context}");
            }
        }
    }
}

#[test]
fn the_state_machine_follows_the_scripts() {
    let scripts: Vec<Script> =
        serde_json::from_str(include_str!("../../testing/data/host/scripts.json")).unwrap();
    assert!(scripts.len() >= 8);
    scripts.iter().for_each(run);
}
