//! Declarations in annotations of Kubernetes objects.

use kron_formats::place::{Options, Source, place};

use super::{findings, one, placed, undone};

const CRON_JOB: &str = "\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: backup
  namespace: ops
  annotations:
    kron.io/spread: '0 0 * * * @win(after,2h)'
spec:
  schedule: \"0 0 * * *\" # nightly
  timeZone: Europe/Paris
";

#[test]
fn an_annotation_is_about_the_schedule_of_its_object() {
    let schedule = one("backup.yaml", CRON_JOB);
    assert_eq!(
        (schedule.name.as_str(), schedule.line, schedule.placed.as_str()),
        ("ops/backup", 9, "51 0 * * *")
    );
    let after = placed("backup.yaml", CRON_JOB).texts[0].clone();
    assert_eq!(after, CRON_JOB.replace("\"0 0 * * *\"", "\"51 0 * * *\""));
    assert_eq!(placed("backup.yaml", &after).texts[0], after);
    let plain = CRON_JOB.replace("  annotations:\n    kron.io/spread: '0 0 * * * @win(after,2h)'\n", "");
    assert_eq!(undone("backup.yaml", &after), plain);
    // Other annotations stay.
    let more = after.replace("  annotations:\n", "  annotations:\n    a: b\n");
    let kept = plain.replace("  namespace: ops\n", "  namespace: ops\n  annotations:\n    a: b\n");
    assert_eq!(undone("backup.yaml", &more), kept);
    // The zone is that of the object.
    let zoned = CRON_JOB.replace("@win", "@tz(Europe/Paris) @win");
    assert_eq!(one("backup.yaml", &zoned).placed, "51 0 * * *");
    assert!(
        findings("backup.yaml", &zoned.replace("Paris) ", "Rome) "))[0].contains("is read in Europe/Paris")
    );
    let unzoned = zoned.replace("  timeZone: Europe/Paris\n", "");
    assert!(findings("backup.yaml", &unzoned)[0].contains("does not know it"));
}

#[test]
fn lists_json_and_workflows() {
    let json = r#"{"kind": "List", "apiVersion": "v1", "items": [{"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"annotations": {"kron.io/spread": "0 0 * * * @win(after,2h)"}, "name": "backup", "namespace": "ops"}, "spec": {"schedule": "0 0 * * *"}}]}"#;
    assert_eq!(placed("all.json", json).texts[0], json.replace(r#""0 0 * * *"}"#, r#""51 0 * * *"}"#));
    let plain = json.replace(r#""annotations": {"kron.io/spread": "0 0 * * * @win(after,2h)"}, "#, "");
    assert_eq!(undone("all.json", json), plain);
    let workflow = "\
kind: CronWorkflow
apiVersion: argoproj.io/v1alpha1
metadata: {name: x, annotations: {kron.io/spread: '0 0 * * * @win(after,2h) name=ops/backup'}}
spec:
  schedules:
    - 0 0 * * *
";
    assert_eq!(one("w.yaml", workflow).placed, "51 0 * * *");
    let two = workflow.replace("    - 0 0 * * *\n", "    - 0 0 * * *\n    - 0 1 * * *\n");
    assert!(
        findings("w.yaml", &two)[0].starts_with("line 3: the declaration's object has several schedules")
    );
}

#[test]
fn names_of_objects() {
    let without = CRON_JOB.replace("  namespace: ops\n", "");
    assert!(findings("a.yaml", &without)[0].contains("the job has no name"));
    let options = Options { namespace: Some("ops".to_string()), ..Options::default() };
    assert_eq!(place(&[Source::new("a.yaml", &without)], &options).schedules[0].placed, "51 0 * * *");
    let named = without.replace("2h)'", "2h) name=ops/backup'");
    assert_eq!(one("a.yaml", &named).placed, "51 0 * * *");
}

#[test]
fn what_is_refused() {
    let both = CRON_JOB.replace("  schedule:", "  # kron: 0 0 * * * @win(after,2h) name=a\n  schedule:");
    assert!(findings("a.yaml", &both)[0].contains("two declarations"));
    let anchored = CRON_JOB.replace("schedule: \"0 0 * * *\"", "x: &at 0 0 * * *\n  schedule: *at");
    assert!(findings("a.yaml", &anchored)[0].contains("its bytes are not its value"));
    let folded = CRON_JOB.replace("\"0 0 * * *\" # nightly", ">-\n    0 0 * * *");
    assert!(findings("a.yaml", &folded)[0].contains("its bytes are not its value"));
    let gone = CRON_JOB.replace("  schedule: \"0 0 * * *\" # nightly\n", "");
    assert!(findings("a.yaml", &gone)[0].contains("the declaration's object has no schedule"));
    // Other objects may have annotations of that name.
    assert!(findings("a.yaml", &CRON_JOB.replace("kind: CronJob", "kind: Job")).is_empty());
}
