//! `kron forecast`. The core's tests compare the counts with a count second by second.

use serde_json::{Value, json};

use crate::support::{file, fine, kron, refused};

const RANGE: [&str; 4] = ["--from", "1970-01-01", "--until", "1970-01-01T01:00"];

fn args<'a>(path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["forecast", path], &RANGE[..], more].concat()
}

#[test]
fn fields_set_durations_and_weights() {
    let jobs =
        "0 0 * * * name=a/x duration=25m weight=500\n10 0 * * * name=a/y weight=3\n20,40 0 * * * name=b/z\n";
    let path = file("forecast-fields.kron", jobs);
    let csv = fine(&args(&path, &["--per", "20m", "--duration", "15m", "-o", "csv"]));
    // x runs 00:00-00:25, y 00:10-00:25, z 00:20-00:35 and 00:40-00:55.
    let rows = "1970-01-01T00:00:00Z,2,2,503\n1970-01-01T00:20:00Z,1,3,504\n1970-01-01T00:40:00Z,1,1,1\n";
    assert_eq!(csv, format!("time,starts,running,load\n{rows}"));

    let text = fine(&args(&path, &["--by", "namespace", "-o", "json", "--cron", "--per", "20m"]));
    let found: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(found["kron"]["buckets"]["starts"], json!([2, 1, 1]));
    assert_eq!(
        found["cron"]["starts"],
        json!({"peak": 2, "peakAt": "1970-01-01T00:00:00Z", "p99": 2, "mean": 4.0 / 3.0})
    );
    assert_eq!(
        found["kron"]["worst"][0]["jobs"],
        json!([{"name": "a/x", "starts": 1}, {"name": "a/y", "starts": 1}])
    );
    assert_eq!(
        found["groups"],
        json!([
            {"name": "a", "jobs": 2, "starts": 2, "peak": 2, "cronPeak": 2},
            {"name": "b", "jobs": 1, "starts": 2, "peak": 1, "cronPeak": 1},
        ])
    );
}

#[test]
fn a_budget_sets_the_exit_code() {
    let path = file("forecast-budget.kron", "0 0 * * * name=a\n0 0 * * * name=b\n");
    let p = |budget| kron(&args(&path, &["--budget", budget, "-o", "csv", "--per", "1h"]));
    assert_eq!((p("2").code, p("2").err.as_str()), (0, ""));
    let ran = p("1");
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("2 jobs start within 1h0m0s from 1970-01-01T00:00:00Z on; the budget is 1"),
        "{}",
        ran.err
    );
}

#[test]
fn pictures_have_a_panel_for_each_forecast() {
    let path =
        file("forecast-svg.kron", "0 0 * * * @win(after,20m) name=a\n0 0 * * * @win(after,20m) name=b\n");
    let panels = |more: &[&str]| {
        let svg = fine(&args(&path, &[&["-o", "svg"], more].concat()));
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
        [svg.contains("cron: at the nominal time"), svg.contains("Kron: spread over the windows")]
    };
    assert_eq!((panels(&[]), panels(&["--cron"])), ([false, true], [true, true]));
}

#[test]
fn err_fields_and_options() {
    let path = file("forecast-errors.kron", "@daily name=a\n@daily name=b duration=5x\n");
    let err = refused(&args(&path, &[]));
    assert!(err.contains("duration: ") && err.contains("forecast-errors.kron:2"), "{err}");
    let path = file("forecast-weight.kron", "@daily name=a weight=-1\n");
    let err = refused(&args(&path, &[]));
    assert!(err.contains("weight: `-1` is not a whole number from 0 to 4294967295"), "{err}");
    let path = file("forecast-valid.kron", "@daily name=a\n");
    let err = refused(&args(&path, &["--per", "2h"]));
    assert!(err.contains("from 1s to 1h") && err.contains("`1m`"), "{err}");
}
