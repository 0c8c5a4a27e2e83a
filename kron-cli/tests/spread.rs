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
                && ran.err.contains(&format!("\nChanged the salts of {changed} of 60 jobs; no salts give "))
        );
        let edited = file("spread-edited.kron", &ran.out);
        let (before, after) = (peak_of(&path), peak_of(&edited));
        assert!(
            ran.err.contains(&format!(": {before} starts before, {after} after (")) && after < before,
            "{}",
            ran.err
        );
        assert!(ran.err.starts_with("Fullest minute, "), "{}", ran.err);
        let best = if after == 3 { "a lower peak" } else { "a peak below 3" };
        assert!(ran.err.ends_with(&format!("; no salts give {best}\n")), "{}", ran.err);
        // What is written once needs no second edit.
        if after == 3 {
            assert_eq!(kron(&[&["spread", &edited, "--best"], &FROM[..], more].concat()).out, ran.out);
        }
    }
}

/// That a start is a start says nothing.
#[test]
fn a_bound_of_one_is_not_mentioned() {
    let ran = kron(&["spread", "../examples/fleet.kron", "--from", "2026-03-02", "--for", "1d"]);
    assert!(ran.err.ends_with(" of 58 jobs\n") && ran.err.contains("\nChanged the salts of "), "{}", ran.err);
}

#[test]
fn jobs_without_windows_have_no_salts_to_choose() {
    let path = file("spread-windows.kron", "0 3 * * * name=a\n0 3 * * * name=b\n");
    let ran = kron(&["spread", &path, "--from", "2026-03-02", "--for", "1d"]);
    let want = "Fullest minute, Mon 2 March: 2 starts before, 2 after (about the same)\n\
                Changed the salts of 0 of 2 jobs; no salts give a lower peak\n\
                note: no job has a window, so there is nothing to choose\n \
                = help: give jobs windows; `kron forecast --window 1h` shows what they do\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, want));
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
    assert!(ran.err.contains(&format!("{present} starts in the fullest minute, from ")), "{}", ran.err);
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
    let err = refused(&missing);
    assert!(err.contains("there is no such directory") && err.contains("/nonexistent/peak.json"), "{err}");
}

#[test]
fn the_range_is_a_week_from_the_coming_midnight() {
    let (path, _) = herd("spread-today.kron", 3);
    let ran = kron_now("2026-03-04T05:06:07Z", &["spread", &path, "--best"]);
    assert!(ran.err.contains(", Thu 5 to Wed 11 March"), "{}", ran.err);
    // Without an argument, days are those of the clocks; as an argument, a day has 24 hours.
    let paris = ["spread", &path, "--best", "--tz", "Europe/Paris", "--from", "2026-03-25"];
    let ran = kron(&paris);
    assert!(ran.err.contains(", Wed 25 to Tue 31 March"), "{}", ran.err);
    let ran = kron(&[&paris[..], &["--for", "1w"]].concat());
    assert!(ran.err.contains(", Wed 25 March 00:00 to Wed 1 April 01:00"), "{}", ran.err);
}

#[test]
fn err_files_and_options() {
    let directory = directory("spread-two");
    for name in ["a", "b"] {
        std::fs::write(format!("{directory}/{name}.kron"), format!("@daily name={name}\n")).expect("a file");
    }
    let several = refused(&[&["spread", &directory, "--best"], &FROM[..]].concat());
    assert!(several.contains("edits one file") && several.contains("--budget"), "{several}");
    assert_eq!(kron(&[&["spread", &directory, "--budget", "2"], &FROM[..]].concat()).code, 0);
    let (path, _) = herd("spread-errors.kron", 2);
    // The lowest peak is searched without being asked for.
    let best = kron(&[&["spread", &path, "--best"], &FROM[..]].concat());
    assert_eq!(kron(&[&["spread", &path], &FROM[..]].concat()), best);
    assert!(
        refused(&[&["spread", &path, "--best", "--peak", "3"], &FROM[..]].concat())
            .contains("cannot be used with")
    );
    assert!(
        refused(&[&["spread", &path, "--best", "--per", "25h"], &FROM[..]].concat())
            .contains("from 1s to 24h")
    );
    let ran = kron_with(&[&["spread", "-", "--best"], &FROM[..]].concat(), b"@daily name=a\n");
    assert_eq!((ran.code, ran.out.as_str()), (0, "@daily name=a\n"));
}

/// KronJobs that all start at midnight, within 20 minutes: in YAML with comments, or as kubectl prints a list.
fn manifests(json: bool) -> String {
    let pods =
        r#"{"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}"#;
    if json {
        let object = |i: usize| {
            let mut object = serde_json::json!({
                "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": format!("j{i}"), "namespace": "a", "uid": i.to_string()},
                "spec": {"schedule": "@daily", "window": {"duration": "20m"}, "jobTemplate": {"spec": null}},
                "status": {"observedGeneration": 1},
            });
            object["spec"]["jobTemplate"]["spec"] = serde_json::from_str(pods).expect("JSON");
            if i.is_multiple_of(3) {
                object["spec"]["seed"] = serde_json::json!({"salt": "", "strategy": "stable"});
            }
            object
        };
        let items: Vec<Value> = (0..60).map(object).collect();
        let list = serde_json::json!({"apiVersion": "v1", "kind": "List", "items": items});
        return serde_json::to_string_pretty(&list).expect("JSON") + "\n";
    }
    let object = |i: usize| {
        let seed = ["", "  seed: {salt: x} # old\n", "  seed:\n    # why\n    strategy: stable\n"][i % 3];
        format!(
            "# job {i}\napiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {{name: j{i}, namespace: a}}\nspec:\n  schedule: '@daily' # night\n\
             {seed}  window:\n    duration: 20m\n  jobTemplate: {{\"spec\": {pods}}}\n"
        )
    };
    (0..60).map(object).collect::<Vec<_>>().join("---\n")
}

#[test]
fn kronjobs_are_edited_in_their_text() {
    for (json, more) in [(false, &["--fixed"][..]), (false, &[]), (true, &["--fixed"]), (true, &[])] {
        let text = manifests(json);
        let path = file(if json { "spread-list.json" } else { "spread-list.yaml" }, &text);
        let certificate = format!("{}/peak.json", directory("spread-manifests"));
        let args = [&["spread", &path, "--best", "--certificate", &certificate], &FROM[..], more].concat();
        let ran = kron(&args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let edited = file("spread-list-edited.yaml", &ran.out);
        let (before, after) = (peak_of(&path), peak_of(&edited));
        assert!(
            ran.err.contains(&format!(": {before} starts before, {after} after (")) && after < before,
            "{}",
            ran.err
        );
        if more.is_empty() {
            assert!(ran.out.matches("fixed").next().is_none());
        } else {
            assert_eq!((after, ran.out.matches("fixed").count()), (3, 60), "{}", ran.out);
        }
        // Nothing but the seeds changes: the other lines are there, in their order.
        let is_seed = |line: &&str| ["seed", "strategy", "salt"].iter().all(|word| !line.contains(word));
        let other = |text: &str| {
            let lines = text.lines().filter(is_seed);
            lines.map(|line| line.trim_end_matches([' ', ',']).to_string()).collect::<Vec<_>>()
        };
        if json {
            let without = |text: &str| {
                let mut list: Value = serde_json::from_str(text).expect("JSON");
                for item in list["items"].as_array_mut().expect("items") {
                    item["spec"].as_object_mut().expect("a spec").remove("seed");
                }
                list
            };
            assert_eq!(without(&ran.out), without(&text));
        } else {
            assert_eq!(other(&ran.out), other(&text));
        }
        // The certificate has the jobs as lines, which the edited manifests agree with.
        let found = std::fs::read_to_string(&certificate).expect("the certificate was written");
        let found: Value = serde_json::from_str(&found).expect("JSON");
        let lines: Vec<&str> =
            found["jobs"].as_array().expect("jobs").iter().filter_map(Value::as_str).collect();
        assert_eq!((lines.len(), &found["peak"]), (60, &after.into()));
        assert_eq!(peak_of(&file("spread-list.kron", lines.join("\n"))), after);
    }
}

#[test]
fn err_manifests_that_cannot_be_edited() {
    let cronjob = r#"{"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "a", "namespace": "b"}, "spec": {"schedule": "0 0 * * *",
        "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "a"}]}}}}}}"#;
    let path = file("spread-cronjob.json", cronjob);
    let said = refused(&[&["spread", &path, "--best"], &FROM[..]].concat());
    assert!(
        said.contains("schedules of other systems have no salts") && said.contains("kron convert FILE"),
        "{said}"
    );
    let alias = manifests(false).replacen("  window:\n", "  <<: {policy: {deadline: 1m}}\n  window:\n", 1);
    let path = file("spread-alias.yaml", &alias);
    let said = refused(&[&["spread", &path, "--best"], &FROM[..]].concat());
    assert!(said.contains("spec has a merge key `<<`") && said.contains("write its fields out"), "{said}");
}
