//! `kron spread`. The core's tests compare plans with forecasts and with all choices that there are;
//! `scripts/check_spread.py` checks certificates without Kron.

use serde_json::Value;

use crate::support::{directory, file, fine, kron, kron_now, kron_with, refused};

const FROM: [&str; 2] = ["--from", "2026-03-02"];
/// Comments, blank lines, fields and odd blanks, which an edit keeps.
const HEAD: &str =
    "# the fleet\n\n0 0 * * *\t@win(after,20m)  name=a/first note=\"# @seed(daily)\" # no comment\n";

/// A file of jobs that all start at midnight, within 20 minutes.
fn herd(name: &str, jobs: usize) -> (String, String) {
    let head = HEAD.replace(" # no comment", "");
    let lines = (1..jobs).map(|i| format!("@daily @seed(stable,salt=x) @win(after,20m) name=a/{i}\r\n"));
    let text = lines.fold(head, |text, line| text + &line);
    (file(name, &text), text)
}

/// The peak that `kron forecast` finds.
fn peak_of(path: &str) -> u64 {
    let range = ["--from", "2026-03-02", "--until", "2026-03-09", "-o", "json"];
    let found = fine(&[&["forecast", path], &range[..]].concat());
    serde_json::from_str::<Value>(&found).expect("JSON")["kron"]["starts"]["peak"].as_u64().expect("a number")
}

#[test]
fn only_seeds_change_and_forecasts_agree() {
    let (path, text) = herd("spread-herd.kron", 60);
    for (more, strategy) in [(&[][..], "stable"), (&["--fixed"], "fixed")] {
        let ran = kron(&[&["spread", &path, "--best"], &FROM[..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let (mut changed, mut kept) = (0, 0);
        for (new, old) in ran.out.split('\n').zip(text.split('\n')) {
            let salt = new.split("salt=").nth(1).map_or("", |rest| &rest[..rest.find(')').unwrap_or(0)]);
            let seed = format!(" @seed({strategy}{}{salt})", if salt.is_empty() { "" } else { ",salt=" });
            kept += usize::from(new == old);
            changed += usize::from(new != old);
            let without = |line: &str, seed: &str| line.replacen(seed, "", 1);
            assert!(
                new == old || without(new, &seed) == without(old, " @seed(stable,salt=x)"),
                "{old}\n{new}"
            );
        }
        assert_eq!(ran.out.lines().count(), text.lines().count());
        assert!(
            changed > 0
                && kept > 2
                && ran.err.contains(&format!("\n{changed} of 60 jobs have another seed\n"))
        );
        let edited = file("spread-edited.kron", &ran.out);
        let (before, after) = (peak_of(&path), peak_of(&edited));
        assert!(
            ran.err.contains(&format!("{before} before, {after} after\n")) && after < before,
            "{}",
            ran.err
        );
        assert!(ran.err.contains("lower bound: no salts give a peak below 3\n"), "{}", ran.err);
        // What is written once needs no second edit.
        if after == 3 {
            assert_eq!(kron(&[&["spread", &edited, "--best"], &FROM[..], more].concat()).out, ran.out);
        }
    }
}

#[test]
fn peaks_and_budgets_set_the_exit_code() {
    let (path, text) = herd("spread-budget.kron", 60);
    let present = peak_of(&path).to_string();
    let p = |goal: &str, n: &str| kron(&[&["spread", &path, goal, n], &FROM[..]].concat());
    let ran = p("--budget", &present);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let ran = p("--budget", "3");
    assert!(ran.code == 1 && ran.out.is_empty(), "{}", ran.err);
    assert!(ran.err.contains(&format!("{present} jobs start within 1m0s from ")), "{}", ran.err);
    assert!(ran.err.contains("let `kron spread --peak 3` choose other salts"), "{}", ran.err);
    assert!(p("--budget", "2").err.contains("no salts give a peak of 2: the lower bound is 3"));
    let ran = p("--peak", &present);
    assert_eq!((ran.code, ran.out == text), (0, true), "{}", ran.err);
    let ran = p("--peak", "2");
    assert!(ran.code == 1 && ran.out.lines().count() == text.lines().count(), "{}", ran.err);
    assert!(ran.err.contains("no salts give a peak of 2: the lower bound is 3"), "{}", ran.err);
}

#[test]
fn certificates_have_the_lines_of_the_output() {
    let (path, _) = herd("spread-certificate.kron", 30);
    let certificate = format!("{}/peak.json", directory("spread-certificate"));
    let args =
        ["spread", &path, "--best", "--fixed", "--for", "24h", "--per", "30s", "--certificate", &certificate];
    let ran = kron(&[&args[..], &FROM[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found = std::fs::read_to_string(&certificate).expect("the certificate was written");
    let found: Value = serde_json::from_str(&found).expect("JSON");
    let lines: Vec<&str> =
        ran.out.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert_eq!(found["jobs"], serde_json::json!(lines));
    assert_eq!(
        (&found["from"], &found["until"]),
        (&"2026-03-02T00:00:00Z".into(), &"2026-03-03T00:00:00Z".into())
    );
    assert_eq!((&found["perSeconds"], &found["bound"]), (&30.into(), &1.into()));
    assert_eq!(found["certificate"], "kron-spread/1");
    let missing = [&args[..9], &["/nonexistent/peak.json"], &FROM[..]].concat();
    assert!(refused(&missing).contains("the certificate cannot be written"));
}

#[test]
fn the_range_is_a_week_from_today() {
    let (path, _) = herd("spread-today.kron", 3);
    let ran = kron_now("2026-03-04T05:06:07Z", &["spread", &path, "--best"]);
    assert!(ran.err.contains("from 2026-03-04T00:00:00Z until 2026-03-11T00:00:00Z"), "{}", ran.err);
    let paris = ["spread", &path, "--best", "--tz", "Europe/Paris", "--from", "2026-03-25"];
    let ran = kron(&paris);
    assert!(ran.err.contains("from 2026-03-24T23:00:00Z until 2026-03-31T22:00:00Z"), "{}", ran.err);
}

#[test]
fn err_files_and_options() {
    let directory = directory("spread-two");
    for name in ["a", "b"] {
        std::fs::write(format!("{directory}/{name}.kron"), format!("@daily name={name}\n")).expect("a file");
    }
    let several = refused(&[&["spread", &directory, "--best"], &FROM[..]].concat());
    assert!(several.contains("edits one job file") && several.contains("--budget"), "{several}");
    assert_eq!(kron(&[&["spread", &directory, "--budget", "2"], &FROM[..]].concat()).code, 0);
    let json = r#"{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "a", "namespace": "b"}, "spec": {"schedule":
        "@daily", "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "a"}]}}}}}}"#;
    let manifest = file("spread-manifest.json", json);
    assert!(refused(&[&["spread", &manifest, "--best"], &FROM[..]].concat()).contains("edits one job file"));
    let (path, _) = herd("spread-errors.kron", 2);
    assert!(refused(&[&["spread", &path], &FROM[..]].concat()).contains("--best"));
    assert!(
        refused(&[&["spread", &path, "--best", "--peak", "3"], &FROM[..]].concat())
            .contains("cannot be used with")
    );
    assert!(
        refused(&[&["spread", &path, "--best", "--per", "2h"], &FROM[..]].concat()).contains("from 1s to 1h")
    );
    let ran = kron_with(&[&["spread", "-", "--best"], &FROM[..]].concat(), b"@daily name=a\n");
    assert_eq!((ran.code, ran.out.as_str()), (0, "@daily name=a\n"));
}
