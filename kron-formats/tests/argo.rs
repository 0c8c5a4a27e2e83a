//! CronWorkflows become jobs that submit them.

use kron_core::Severity;
use kron_formats::convert::{Format, Options};

use crate::support::{converted, from, messages, refusal};

fn from_argo() -> Options {
    from(Format::Argo)
}

fn workflow(spec: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {{name: etl, namespace: data}}\nspec:\n{spec}  workflowSpec: {{}}\n"
    )
}

#[test]
fn fields() {
    let submit = "command=\"argo submit --from cronwf/etl -n data\"";
    // `forbid` looks at the command, so it lasts as long as the workflow.
    let wait = "command=\"argo submit --wait --from cronwf/etl -n data\"";
    for (spec, want) in [
        (
            "  schedule: '@daily'\n",
            format!("@daily @policy(concurrency=allow,deadline=60s) name=etl {submit}"),
        ),
        (
            "  schedule: 0 3 * * *\n  timezone: Asia/Tokyo\n  concurrencyPolicy: Forbid\n  startingDeadlineSeconds: 600\n  suspend: true\n",
            format!("0 3 * * * @tz(Asia/Tokyo) @policy(deadline=600s,suspend=true) name=etl {wait}"),
        ),
        (
            "  schedules: ['0 3 * * *', 0 4 ? ? *]\n  concurrencyPolicy: \"Allow\"\n",
            format!(
                "0 3 * * * @policy(concurrency=allow,deadline=60s) name=etl {submit}\n0 4 ? * * @policy(concurrency=allow,deadline=60s) name=etl-2 {submit}"
            ),
        ),
    ] {
        assert_eq!(converted(&workflow(spec), &from(Format::Argo)).text.trim_end(), want);
    }
    let list = format!(
        "apiVersion: v1\nkind: List\nitems:\n- {}",
        workflow("  schedule: '@daily'\n").trim_end().replace('\n', "\n  ")
    );
    let options = Options { timezone: Some("UTC".into()), ..Options::default() };
    let converted = converted(&list, &options);
    assert_eq!((converted.converted, messages(&converted, Severity::Warning).len()), (1, 0));
}

#[test]
fn refusals() {
    let p = |spec: &str| refusal(&workflow(spec), &from(Format::Argo)).replace("line 1: etl: ", "");
    assert_eq!(p(""), "`spec.schedule` and `spec.schedules` are missing");
    assert_eq!(
        p("  schedule: '@daily'\n  when: x\n"),
        "`spec.when` decides whether a workflow starts; keep this CronWorkflow"
    );
    assert!(p("  schedule: '@daily'\n  stopStrategy: {}\n").starts_with("`spec.stopStrategy`"));
    assert!(p("  schedule: '@every 5m'\n").starts_with("schedule: `@every`"));
    assert!(p("  schedule: '@daily'\n  concurrencyPolicy: x\n").starts_with("spec.concurrencyPolicy"));
    assert!(
        p("  schedule: '@daily'\n  startingDeadlineSeconds: x\n").starts_with("spec.startingDeadlineSeconds")
    );
    assert_eq!(
        p("  schedule: '@daily'\n  concurrencyPolicy: Replace\n"),
        "spec.concurrencyPolicy: `Replace` stops the active workflow, and a job can only stop the command that submitted it; keep \
         this CronWorkflow, or write `Forbid`"
    );
    assert_eq!(
        p("  schedule: 'TZ= 0 3 * * *'\n"),
        "the schedule `TZ= 0 3 * * *` has an empty time zone; write for example `CRON_TZ=Europe/Paris 0 3 * * *`"
    );
    for (value, want) in [
        ("maybe", "`maybe` is not `true` or `false`; write one of them"),
        ("yes", "`yes` is not `true` or `false`; write `true`"),
        ("'true'", "`true` is in quotes, which make it a text; write it without quotes"),
    ] {
        let refused = p(&format!("  schedule: '@daily'\n  suspend: {value}\n"));
        assert_eq!(refused, format!("spec.suspend: {want}"));
    }
    assert_eq!(p("  schedule: '@daily'\n  suspend: {}\n"), "spec.suspend: expected `true` or `false`");
}

#[test]
fn schedules_that_share_a_minute_are_named() {
    let warned = |schedules: &str| {
        let text = workflow(&format!("  timezone: UTC\n  schedules: [{schedules}]\n"));
        !messages(&converted(&text, &from(Format::Argo)), Severity::Warning).is_empty()
    };
    assert!(warned("'0 3 * * *', '0 3 * * 1'"));
    assert!(warned("'0 3 * * *', '@daily', '*/30 3 1 * *'"));
    assert!(warned("'CRON_TZ=Asia/Tokyo 0 3 * * *', '0 4 * * *'"));
    assert!(!warned("'0 3 * * *', '5 4 * * *', '@daily', '0 5 * * *'"));
    assert!(!warned("'0 3 * * *', '0 3 * * x'"));
}

#[test]
fn an_empty_time_zone_is_none_and_suspended_ones_are_counted() {
    let text = workflow("  schedule: '@daily'\n  timezone: \"\"\n  suspend: true\n");
    let converted = converted(&text, &from(Format::Argo));
    assert!(!converted.text.contains("@tz"), "{}", converted.text);
    let notes = messages(&converted, Severity::Note);
    let note =
        "1 CronWorkflow is suspended, and so are the jobs; remove `suspend=true` from a job that is to start";
    assert!(notes.iter().any(|found| found == note), "{notes:?}");
}

/// The fields that it brings would be lost.
#[test]
fn merge_keys_and_aliases_of_objects_are_refused() {
    let text = format!("defaults: &d {{suspend: true}}\n{}", workflow("  schedule: '@daily'\n"));
    for (from, to, place) in [
        ("spec:\n", "spec:\n  <<: *d\n", "spec"),
        ("metadata: {", "metadata: {<<: *d, ", "metadata"),
        ("kind:", "<<: *d\nkind:", "the CronWorkflow"),
    ] {
        let refused = refusal(&text.replace(from, to), &from_argo());
        assert_eq!(refused, format!("line 1: etl: {place} has a merge key `<<`; write its fields out"));
    }
    let spec = "apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {name: etl}\nother: &s {schedule: '@daily'}\nspec: *s\n";
    assert_eq!(refusal(spec, &from_argo()), "line 1: etl: `spec` is an alias; write its fields out");
    let metadata = "apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {<<: *m}\nspec: {schedule: '@daily'}\n";
    let refused = refusal(&format!("other: &m {{name: etl}}\n{metadata}"), &from_argo());
    assert_eq!(refused, "line 1: metadata has a merge key `<<`; write its fields out");
}

/// Nothing of a workflow is left out because it has another type.
#[test]
fn values_of_another_type_are_refused() {
    let text = |spec: &str| format!("other: &list ['@hourly']\n{}", workflow(spec));
    for (spec, want) in [
        ("  schedules: ['0 3 * * *', {a: b}]\n", "spec.schedules: expected a text or a number"),
        ("  schedule: '@daily'\n  schedules: *list\n", "`spec.schedules` is an alias; write its fields out"),
        (
            "  schedule: '@daily'\n  schedules: '@hourly'\n",
            "`spec.schedules` is not a list; write for example `schedules: ['0 3 * * *']`",
        ),
        ("  schedule: [a]\n  schedules: ['@daily']\n", "spec.schedule: expected a text or a number"),
        ("  schedule: '@daily'\n  timezone: [UTC]\n", "spec.timezone: expected a text or a number"),
        (
            "  schedule: '@daily'\n  concurrencyPolicy: {a: b}\n",
            "spec.concurrencyPolicy: expected a text or a number",
        ),
    ] {
        assert_eq!(refusal(&text(spec), &from_argo()), format!("line 1: etl: {want}"));
    }
    let null = converted(&workflow("  schedule: '@daily'\n  schedules: null\n"), &from_argo());
    assert_eq!((null.converted, null.refused), (1, 0));
}

/// Argo reads no modifiers of Kron, and no fields of a job file.
#[test]
fn schedules_are_cron_expressions() {
    for schedule in
        ["0 3 * * * @win(after,3h)", "@daily @tz(Asia/Tokyo)", "0 3 * * * name=x", "0 3 * * * # x"]
    {
        let refused = refusal(&workflow(&format!("  schedule: '{schedule}'\n")), &from_argo());
        assert!(refused.starts_with("line 1: etl: schedule: "), "{refused}");
    }
}

#[test]
fn a_workflow_whose_schedules_are_refused_is_one_job() {
    let bad = workflow("  schedules: ['0 3 * * x', '0 4 * * y']\n");
    let converted = converted(&format!("{bad}---\n{bad}"), &from_argo());
    assert_eq!((messages(&converted, Severity::Error).len(), converted.refused), (4, 2));
}
