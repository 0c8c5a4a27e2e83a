//! Lists, JSON, documents of other kinds and anchors: the form of the text stays.

use super::*;

/// A list of CronJobs or KronJobs, as `kubectl get cronjobs -A -o yaml` prints it. `kind` is the two lines of the type
/// with which each item begins.
fn list(kind: &str, items: &[&str]) -> String {
    let items: String = items.iter().map(|item| format!("- {kind}{item}")).collect();
    format!("apiVersion: v1\nitems:\n{items}kind: List\nmetadata:\n  resourceVersion: \"\"\n")
}

const CRONJOB: &str = "apiVersion: batch/v1\n  kind: CronJob\n";
const KRONJOB: &str = "apiVersion: kron.io/v1alpha1\n  kind: KronJob\n";

#[test]
fn lists_of_kubectl() {
    let one = r#"  metadata:
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"batch/v1","kind":"CronJob","spec":{"suspend":true}}
    creationTimestamp: "2026-01-01T00:00:00Z"
    generation: 3
    labels:
      app: web
    name: one
    namespace: prod
    resourceVersion: "12"
    uid: 0f4b6b1e-0b7b-4f6a-8a39-f61f3b5a2a10
  spec:
    concurrencyPolicy: Allow
    failedJobsHistoryLimit: 1
    jobTemplate:
      spec:
        template:
          spec:
            containers:
            - image: busybox
              name: c
            restartPolicy: OnFailure
    schedule: '*/5 * * * *'
    successfulJobsHistoryLimit: 3
    suspend: false
  status:
    lastScheduleTime: "2026-01-01T00:05:00Z"
"#;
    let refused = "  metadata:
    annotations:
      team: web
      kubectl.kubernetes.io/last-applied-configuration: '{}'
    name: two
    namespace: prod
  spec:
    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}
    schedule: '@every 5m'
  status: {}
";
    let three = "  metadata:
    name: three
    namespace: test
  spec:
    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}
    schedule: 0 0 1 * *
    timeZone: Asia/Tokyo
";
    let converted = converted(&list(CRONJOB, &[one, refused, three]), &from(Format::CronJob));
    let one = "  metadata:
    labels:
      app: web
    name: one
    namespace: prod
  spec:
    failedJobsHistoryLimit: 1
    jobTemplate:
      spec:
        template:
          spec:
            containers:
            - image: busybox
              name: c
            restartPolicy: OnFailure
    schedule: '*/5 * * * *'
    policy:
      concurrency: allow
      deadline: 8784h
    successfulJobsHistoryLimit: 3
";
    let three = "  metadata:
    name: three
    namespace: test
  spec:
    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}
    schedule: 0 0 1 * *
    timezone: Asia/Tokyo
    policy:
      concurrency: allow
      deadline: 8784h
";
    assert_eq!(converted.text, list(KRONJOB, &[one, three]));
    let refusals = messages(&converted, Severity::Error);
    assert_eq!(refusals.len(), 1);
    assert!(refusals[0].starts_with("line 33: prod/two: spec.schedule"), "{refusals:?}");
    assert_eq!(
        messages(&converted, Severity::Note),
        [
            "1 CronJob has no `timeZone`, which means the time zone of the controller manager; KronJobs without \
             `timezone` are in UTC, as most controller managers are",
            "2 CronJobs have no `startingDeadlineSeconds`, which means that no start is too late; `policy.deadline: 8784h` \
             means the same; shorten it where a late start does harm",
        ]
    );
}

#[test]
fn json_keeps_its_form() {
    let pretty = r#"{
  "apiVersion": "batch/v1",
  "kind": "CronJobList",
  "items": [
    {
      "apiVersion": "batch/v1",
      "kind": "CronJob",
      "metadata": {"name": "a", "uid": "x", "creationTimestamp": null},
      "spec": {
        "suspend": true,
        "schedule": "CRON_TZ=Asia/Tokyo 0 3 * * *",
        "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c"}]}}}}
      },
      "status": {}
    }
  ]
}
"#;
    let options = Options { namespace: Some("prod".into()), ..with_window(Format::CronJob, "1h", true) };
    assert_eq!(
        converted(pretty, &options).text,
        r#"{
  "apiVersion": "v1",
  "kind": "List",
  "items": [
    {
      "apiVersion": "kron.io/v1alpha1",
      "kind": "KronJob",
      "metadata": {"name": "a", "namespace": "prod"},
      "spec": {
        "schedule": "0 3 * * *",
        "timezone": "Asia/Tokyo",
        "window": {"duration": "1h"},
        "seed": {"strategy": "fixed"},
        "policy": {"concurrency": "allow", "deadline": "8784h", "suspend": true},
        "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c"}]}}}}
      }
    }
  ]
}
"#
    );
}

/// People switch a CronJob off by a date that does not come.
#[test]
fn a_cronjob_that_never_starts_is_suspended() {
    let policy = "  policy:\n    concurrency: allow\n    deadline: 8784h\n    suspend: true\n";
    let text = cronjob("  schedule: 0 0 31 2 *  # off\n");
    let switched_off = converted(&text, &from(Format::CronJob));
    assert!(
        switched_off.text.contains(&format!("  schedule: '@yearly'  # off\n{policy}")),
        "{}",
        switched_off.text
    );
    assert_eq!(
        messages(&switched_off, Severity::Warning)[0].split_once(": ").map(|(_, message)| message),
        Some(
            "prod/backup: `0 0 31 2 *` matches no date, so the CronJob never starts: the KronJob is suspended, with the schedule \
             `@yearly`; the annotation `kron.io/source-schedule` keeps what was written"
        )
    );
    let annotations = [
        "",
        "  annotations: {}\n",
        "  annotations:\n",
        "  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: x\n",
        "  annotations:\n    a: b\n",
        "  annotations:\n    a: b\n    kubectl.kubernetes.io/last-applied-configuration: x\n",
        "  annotations: {a: b}\n",
        "  annotations: {kubectl.kubernetes.io/last-applied-configuration: x}\n",
    ];
    let rest =
        "jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}";
    let head = "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: a\n";
    let blocks = annotations
        .map(|lines| format!("{head}{lines}spec:\n  schedule: '* * 30 2 *'\n  suspend: false\n  {rest}\n"));
    let flow = [
        "",
        ", \"annotations\": {}",
        ", \"annotations\": {\"a\": \"b\"}",
        ", \"annotations\": {\"kubectl.kubernetes.io/last-applied-configuration\": \"x\"}",
    ]
    .map(|more| {
        format!(
            "{{\"apiVersion\": \"batch/v1\", \"kind\": \"CronJob\", \"metadata\": {{\"name\": \"a\"{more}}}, \"spec\": \
             {{\"schedule\": \"* * 30 2 *\", {rest}}}}}"
        )
    });
    for text in blocks.iter().chain(&flow) {
        let converted = converted(text, &from(Format::CronJob));
        assert_eq!((converted.converted, converted.refused), (1, 0), "{converted:?}\n{text}");
        let read: serde_json::Value = serde_saphyr::from_str(&converted.text).expect("YAML");
        assert_eq!(
            read["metadata"]["annotations"]["kron.io/source-schedule"], "* * 30 2 *",
            "{}",
            converted.text
        );
        let annotations = read["metadata"]["annotations"].as_object().expect("annotations");
        assert_eq!(annotations.len(), 1 + usize::from(text.contains("a: b") || text.contains("\"b\"")));
        assert_eq!(read["spec"]["policy"]["suspend"], true);
        assert_eq!(read["spec"]["schedule"], "@yearly");
    }
}

#[test]
fn other_documents_stay() {
    let service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web  # of the web\n";
    let text = format!("# all\n{service}---\n{}---\n{service}", cronjob("  schedule: '@daily'\n"));
    let policy = "  policy:\n    concurrency: allow\n    deadline: 8784h\n";
    let want =
        format!("# all\n{service}---\n{}---\n{service}", kronjob(&format!("  schedule: '@daily'\n{policy}")));
    assert_eq!(converted(&text, &from(Format::CronJob)).text, want);
    // A refused document goes.
    let text = format!("{service}---\n{}", cronjob("  schedule: '@reboot'\n"));
    let refused = converted(&text, &from(Format::CronJob));
    assert_eq!((refused.text.as_str(), refused.refused), (format!("{service}---\n").as_str(), 1));
    let two = [Source { name: "a", text: "kind: CronJob" }, Source { name: "b", text: service }];
    assert_eq!(convert(&two, &from_cronjob()).unwrap_err().to_string(), "there is no CronJob in it");
    let same = cronjob("  schedule: '@daily'\n");
    let same = convert(&[Source { name: "a", text: &same }; 2], &from_cronjob()).unwrap();
    assert_eq!((same.converted, same.refused), (1, 1));
    assert_eq!(
        messages(&same, Severity::Error),
        ["line 1: prod/backup: another CronJob has the same name; convert each CronJob once"]
    );
    let two =
        [cronjob("  schedule: '@daily'\n"), cronjob("  schedule: '@daily'\n").replace("backup", "other")];
    let two = two.each_ref().map(|text| Source { name: "a", text });
    let both = convert(&two, &Options::default()).unwrap();
    assert_eq!((both.text.matches("\n---\n").count(), loaded(&both).jobs.len()), (1, 2));
}

#[test]
fn anchors_survive() {
    let text = cronjob("  schedule: &s 0 3 * * *\n")
        .replace("'postgres:18'", "&i 'postgres:18'")
        .replace("kept", "*i")
        .replace("name: dump", "name: *s");
    let text = text
        .replace("          unknownField: *i\n", "")
        .replace("            args:", "            workingDir: *i\n            args:");
    let converted = converted(&text, &from_cronjob());
    assert!(converted.text.contains("schedule: &s 0 3 * * *\n"), "{}", converted.text);
    same_template(&text, &converted.text);
}

#[test]
fn a_key_that_is_written_twice_is_refused() {
    for key in
        ["startingDeadlineSeconds: 1", "suspend: true", "concurrencyPolicy: Forbid", "schedule: '@daily'"]
    {
        let text = cronjob(&format!("  {key}\n  {key}\n"));
        let error = try_convert(&text).unwrap_err();
        let (name, _) = key.split_once(':').unwrap();
        assert_eq!(error.finding.message, format!("key `{name}` appears twice"), "{text}");
        let line = text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.trim_start().starts_with(name))
            .nth(1)
            .unwrap()
            .0;
        assert_eq!(
            (error.line, error.finding.help.as_deref()),
            (Some(line + 1), Some("delete one of the two"))
        );
    }
}

#[test]
fn what_is_not_yaml_yet_has_a_help() {
    for (text, help) in [
        ("spec:\n  schedule: */5 * * * *\n", "put the schedule in quotes: schedule: \"*/5 * * * *\""),
        (
            "metadata:\n  name: {{ .Values.name }}-x\n",
            "render templates first, for example by `helm template`",
        ),
    ] {
        let text = format!("apiVersion: batch/v1\nkind: CronJob\n{text}");
        assert_eq!(try_convert(&text).unwrap_err().finding.help.as_deref(), Some(help));
    }
}

#[test]
fn templates_in_values_are_named() {
    for (text, what) in [
        (cronjob("  schedule: {{ .Values.schedule }}\n"), "spec.schedule: `{{ .Values.schedule }}`"),
        (cronjob("  schedule: \"{{ .Values.schedule }}\"\n"), "spec.schedule: `\"{{ .Values.schedule }}\"`"),
        (
            cronjob("  schedule: '@daily'\n").replace("backup", "'{{ .Name }}'"),
            "metadata.name: `'{{ .Name }}'`",
        ),
    ] {
        let found = refusal(&text, &from_cronjob());
        let want = format!("{what} is a template; render templates first, for example by `helm template`");
        assert!(found.ends_with(&want), "{found}");
    }
}

#[test]
fn items_without_a_kind_are_refused() {
    let item = "metadata: {name: a}\n  spec: {schedule: '@daily'}\n";
    let text = format!("apiVersion: batch/v1\nkind: CronJobList\nitems:\n- {item}");
    let converted = try_convert(&text).unwrap();
    assert_eq!((converted.converted, converted.refused), (0, 1));
    assert_eq!(
        converted.findings[0].to_string(),
        "line 4: a: it has no `kind`, so it is unclear what it is; write the list by `kubectl get cronjobs -o yaml`"
    );
}

#[test]
fn aliases_between_items() {
    let item = |name: &str, team: &str, schedule: &str| {
        format!(
            "  metadata: {{name: {name}, labels: {{team: {team}}}}}\n  spec:\n    schedule: '{schedule}'\n    jobTemplate: \
             {{spec: {{template: {{spec: {{restartPolicy: Never, containers: [{{name: c, image: i}}]}}}}}}}}\n"
        )
    };
    // The second one cannot be read by itself.
    let [a, b, c] = [item("a", "&t web", "@daily"), item("b", "*t", "@daily"), item("c", "db", "@daily")];
    let some = try_convert(&list(CRONJOB, &[&a, &b, &c])).unwrap();
    assert_eq!((some.converted, some.refused), (2, 1));
    assert_eq!(
        messages(&some, Severity::Error),
        [
            "line 9: b: it has an alias of an anchor in another object of the list; write the value out where the alias is"
        ]
    );
    assert_eq!(
        some.text,
        list(KRONJOB, &[&a, &c])
            .replace("'@daily'", "'@daily'\n    policy:\n      concurrency: allow\n      deadline: 8784h")
    );
    // An item with an anchor that another one names cannot be taken out.
    let refused = item("a", "&t web", "@every 5m");
    let error = try_convert(&list(CRONJOB, &[&refused, &b, &c])).unwrap_err();
    assert_eq!(error.finding.message, "a CronJob that is refused cannot be taken out of this list");
    // One whose alias names its own anchor can.
    let refused = item("a", "&t web, stage: *t", "@every 5m");
    assert_eq!(try_convert(&list(CRONJOB, &[&refused, &c])).unwrap().converted, 1);
}

fn try_convert(
    text: &str,
) -> Result<kron_formats::convert::Converted, Box<kron_formats::convert::ConvertFinding>> {
    convert(&[Source { name: "a.yaml", text }], &from_cronjob())
}
