//! CronJobs become KronJobs that run the same Jobs at the same times. Here: their fields.

mod forms;
mod random;

use kron_core::Severity;
use kron_formats::convert::{Format, Options, Source, convert};
use serde_json::Value;

use crate::readers::{minutes, nominal_times, robfig};
use crate::support::{Random, converted, from, loaded, messages, refusal, with_window};

const TEMPLATE: &str = "  jobTemplate:
    metadata:
      creationTimestamp: null
    spec:
      # Retried by hand.
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          unknownField: kept
          containers:
          - name: dump
            image: 'postgres:18'  # newest
            args:
            - |
              # not a comment
              suspend: true

              exit 0
";

fn cronjob(fields: &str) -> String {
    format!(
        "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: backup\n  namespace: prod\nspec:\n{fields}{TEMPLATE}"
    )
}

fn kronjob(fields: &str) -> String {
    cronjob(fields).replace("batch/v1", "kron.io/v1alpha1").replace("CronJob", "KronJob")
}

#[track_caller]
fn check(fields: &str, want: &str) {
    let converted = converted(&cronjob(fields), &from(Format::CronJob));
    assert_eq!(converted.text, kronjob(want));
    assert_eq!(messages(&converted, Severity::Error), [""; 0]);
    let windows = self::converted(&cronjob(fields).replace('\n', "\r\n"), &from(Format::CronJob));
    assert_eq!(windows.text, kronjob(want).replace('\n', "\r\n"));
}

#[track_caller]
fn refused(fields: &str) -> String {
    refusal(&cronjob(fields), &from(Format::CronJob))
}

#[test]
fn defaults_are_written_out() {
    check(
        "  schedule: 0 3 * * *\n",
        "  schedule: 0 3 * * *\n  policy:\n    concurrency: allow\n    deadline: 8784h\n",
    );
}

#[test]
fn every_field_is_mapped() {
    check(
        "  schedule: \"0 3 * * *\" # at night
  # The office is in Paris.
  timeZone: Europe/Paris
  # Two dumps fill the disk.
  # Really.
  concurrencyPolicy: Forbid  # see above
  startingDeadlineSeconds: 200
  suspend: true # until Monday
  successfulJobsHistoryLimit: 0
  failedJobsHistoryLimit: 7
",
        "  schedule: \"0 3 * * *\" # at night
  # The office is in Paris.
  timezone: Europe/Paris
  policy:
    # Two dumps fill the disk.
    # Really.
    concurrency: forbid  # see above
    deadline: 200s
    suspend: true  # until Monday
  successfulJobsHistoryLimit: 0
  failedJobsHistoryLimit: 7
",
    );
    check(
        "  concurrencyPolicy: Replace\n  schedule: '@hourly'\n  suspend: false\n  timeZone:\n",
        "  schedule: '@hourly'\n  policy:\n    concurrency: replace\n    deadline: 8784h\n",
    );
}

#[test]
fn comments_go_with_their_fields() {
    // Also above the first field, and beside a value that is null.
    check(
        "  # Two hours are enough.
  startingDeadlineSeconds: 7200  # see above
  schedule: '@daily'
  # Not in use.
  futureField: 1
  # That of the host.
  timeZone:  # later
  # Nothing is stopped.
  concurrencyPolicy:  # none
",
        "  schedule: '@daily'
  policy:
    # Nothing is stopped.
    concurrency: allow  # none
    # Two hours are enough.
    deadline: 7200s  # see above
",
    );
    let server_set = "  name: backup
  # By the server.
  managedFields:
  # one manager
  - manager: kubectl
  # Also.
  uid: 5
  # The team.
  labels: {a: b}
";
    let text = cronjob("  schedule: '@daily'\n").replace("  name: backup\n", server_set)
        + "# Written by the controller.\nstatus: {}\n# end\n";
    let want = kronjob("  schedule: '@daily'\n  policy:\n    concurrency: allow\n    deadline: 8784h\n")
        .replace("  name: backup\n", "  name: backup\n  # The team.\n  labels: {a: b}\n")
        + "# end\n";
    assert_eq!(converted(&text, &from(Format::CronJob)).text, want);
}

#[test]
fn suspended_for_a_switch_over() {
    let options = Options { suspend: true, ..from(Format::CronJob) };
    let policy = "  policy:\n    concurrency: allow\n    deadline: 8784h\n    suspend: true";
    for given in ["", "  suspend: true # why\n", "  suspend: false # why\n"] {
        let text = cronjob(&format!("  schedule: '@daily'\n{given}"));
        let comment = if given.is_empty() { "" } else { "  # why" };
        assert_eq!(
            converted(&text, &options).text,
            kronjob(&format!("  schedule: '@daily'\n{policy}{comment}\n"))
        );
    }
}

#[test]
fn schedules_are_rewritten_where_they_must() {
    let policy = "  policy:\n    concurrency: allow\n    deadline: 8784h\n";
    for (given, zone, want) in [
        ("'? ? * ? ?'", "", "'* * * * ?'"),
        ("|\n    0 3 * * *", "", "'0 3 * * *'"),
        (">-\n    0\n    3 * * *", "", "0\n    3 * * *"),
        ("CRON_TZ=Europe/Paris 0 3 * * *", "  timezone: Europe/Paris\n", "'0 3 * * *'"),
        ("\"TZ=UTC   @daily\" # c", "  timezone: UTC\n", "'@daily' # c"),
    ] {
        let want = if given.starts_with(">-") { given } else { want };
        check(&format!("  schedule: {given}\n"), &format!("  schedule: {want}\n{zone}{policy}"));
    }
}

#[test]
fn windows_are_added() {
    let convert = |window, fixed| {
        converted(&cronjob("  schedule: 0 3 * * *\n"), &with_window(Format::CronJob, window, fixed))
    };
    let policy = "  policy:\n    concurrency: allow\n    deadline: 8784h\n";
    assert_eq!(
        convert("30m", false).text,
        kronjob(&format!("  schedule: 0 3 * * *\n  window:\n    duration: 30m\n{policy}"))
    );
    assert_eq!(
        convert("30m", true).text,
        kronjob(&format!(
            "  schedule: 0 3 * * *\n  window:\n    duration: 30m\n  seed:\n    strategy: fixed\n{policy}"
        ))
    );
    assert_eq!(messages(&convert("24h", false), Severity::Warning).len(), 1);
    let text = cronjob("  schedule: '*/5 * * * *'\n");
    let long = converted(&text, &with_window(Format::CronJob, "10m", false));
    assert_eq!(
        messages(&long, Severity::Warning),
        [
            "line 1: prod/backup: a window of 10m is as long as a gap of its schedule or longer, so starts can change their order; \
          give it a shorter window"
        ]
    );
    assert_eq!(
        refusal(&text, &with_window(Format::CronJob, "10h", false)),
        "line 1: prod/backup: spec.window.duration: windows can overlap in 121 periods, and at most 100 may; \
         shorten the window to 8h19m or less"
    );
}

#[test]
fn dropped_fields_are_named() {
    let text = cronjob("  schedule: '@daily'\n  paused: true\n").replace(
        "  name: backup\n",
        "  name: backup\n  uid: x\n  finalizers: [a/b]\n  ownerReferences:\n  - kind: X\n    uid: y\n",
    );
    let converted = converted(&format!("{text}extra: 1\n"), &from(Format::CronJob));
    let policy = "  policy:\n    concurrency: allow\n    deadline: 8784h\n";
    assert_eq!(converted.text, kronjob(&format!("  schedule: '@daily'\n{policy}")));
    assert_eq!(
        messages(&converted, Severity::Warning),
        [
            "line 6: prod/backup: `metadata.finalizers` is left out: who set them for the CronJob does not know the KronJob",
            "line 7: prod/backup: `metadata.ownerReferences` is left out: the owner made a CronJob, and will make it again",
            "line 13: prod/backup: field `spec.paused` is left out: KronJobs have no such field",
            "line 33: prod/backup: field `extra` is left out: objects have no such field",
        ]
    );
}

#[test]
fn refusals() {
    let schedule = "  schedule: '@daily'\n";
    let p = |fields: &str| refused(&format!("{schedule}{fields}")).replace("line 1: prod/backup: ", "");
    assert_eq!(
        p("  concurrencyPolicy: Never\n"),
        "spec.concurrencyPolicy: `Never` is not `Allow`, `Forbid` or `Replace`"
    );
    assert_eq!(
        p("  startingDeadlineSeconds: '5'\n"),
        "spec.startingDeadlineSeconds: `5` is not a whole number from 0 on; write it in decimal digits, without quotes"
    );
    assert!(
        p("  startingDeadlineSeconds: 9223372036854775807\n").starts_with("spec.startingDeadlineSeconds: ")
    );
    assert!(p("  startingDeadlineSeconds: -1\n").contains("`-1` is not"));
    assert_eq!(
        p("  suspend: 'true'\n"),
        "spec.suspend: `true` is in quotes, which make it a text; write it without quotes"
    );
    assert_eq!(p("  suspend: yes\n"), "spec.suspend: `yes` is not `true` or `false`; write `true`");
    assert_eq!(p("  suspend: Off\n"), "spec.suspend: `Off` is not `true` or `false`; write `false`");
    assert_eq!(p("  suspend: 1\n"), "spec.suspend: `1` is not `true` or `false`; write one of them");
    assert!(p("  timeZone: Europe/Pariss\n").ends_with("did you mean `Europe/Paris`?"));
    assert!(p("  timeZone: Local\n").starts_with("spec.timezone"));
    assert!(p("  successfulJobsHistoryLimit: -1\n").starts_with("spec.successfulJobsHistoryLimit"));
    let p =
        |schedule: &str| refused(&format!("  schedule: '{schedule}'\n")).replace("line 1: prod/backup: ", "");
    assert!(p("@every 1h30m").starts_with("spec.schedule: "));
    assert!(p("0 3 * *").starts_with("spec.schedule: "));
    assert!(p("TZ=Nowhere 0 3 * * *").starts_with("spec.timezone: "));
    assert_eq!(
        refused("  schedule: TZ=UTC @daily\n  timeZone: UTC\n"),
        "line 1: prod/backup: the schedule has a `TZ=` as well as a `timeZone`, which the CronJob controller refuses; take \
         one of them out"
    );
    let p = |from: &str, to: &str| refusal(&cronjob(schedule).replace(from, to), &from_cronjob());
    assert!(
        p("restartPolicy: Never", "restartPolicy: Always")
            .contains("spec.jobTemplate.spec.template.spec.restartPolicy")
    );
    assert!(p("name: dump", "name: 5").contains("expected a string"));
    assert!(p("  name: backup\n", "  generateName: x-\n").contains("metadata"));
    assert!(p("spec:\n  schedule", "spec:\n  <<: {}\n  schedule").contains("merge key"));
    assert!(p("metadata:\n  name", "metadata:\n  <<: {}\n  name").contains("merge key"));
    assert_eq!(
        refusal(
            &cronjob("  schedule: &s TZ=UTC 0 3 * * *\n").replace("'postgres:18'", "*s"),
            &from_cronjob()
        ),
        "line 1: prod/backup: `schedule` changes, and an alias elsewhere repeats its value; write the value out where the \
         alias is"
    );
    let broken =
        |text: &str| convert(&[Source { name: "x", text }], &from_cronjob()).unwrap_err().to_string();
    assert!(broken("kind: CronJob\napiVersion: [").starts_with("line 2: the bracket `[` is not closed"));
    assert_eq!(
        broken("kind: x\r y"),
        "the file has carriage returns without line feeds; save it with line feeds"
    );
    assert!(broken("kind: {{ .Values.kind }}\n").ends_with("there is no CronJob in it"));
}

fn from_cronjob() -> Options {
    from(Format::CronJob)
}

/// The job templates of objects, read by another reader.
fn templates(text: &str) -> Vec<Value> {
    let documents: Vec<Value> = serde_saphyr::from_multiple(text).unwrap();
    let objects = documents.into_iter().flat_map(|document| match document.get("items") {
        Some(Value::Array(items)) => items.clone(),
        _ => vec![document],
    });
    objects
        .filter(|object| object["kind"].as_str().is_some_and(|kind| kind.ends_with("onJob")))
        .map(|object| {
            // Everything but what a conversion changes.
            let mut object = object;
            let mut metadata = object["metadata"].take();
            for field in [
                "uid",
                "resourceVersion",
                "generation",
                "managedFields",
                "creationTimestamp",
                "ownerReferences",
                "finalizers",
            ] {
                metadata.as_object_mut().map(|metadata| metadata.remove(field));
            }
            if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
                annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
                annotations.remove("kron.io/source-schedule");
                if annotations.is_empty() {
                    metadata.as_object_mut().map(|metadata| metadata.remove("annotations"));
                }
            }
            let spec = &object["spec"];
            serde_json::json!([
                metadata,
                spec["jobTemplate"],
                spec["successfulJobsHistoryLimit"],
                spec["failedJobsHistoryLimit"]
            ])
        })
        .collect()
}

#[track_caller]
fn same_template(original: &str, converted: &str) {
    assert_eq!(templates(original), templates(converted), "{original}\n{converted}");
}
