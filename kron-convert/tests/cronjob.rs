//! CronJobs become KronJobs that run the same Jobs at the same times.

use kron_convert::{Format, Options, Severity, Source, convert};
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
    assert_eq!(messages(&converted, Severity::Refusal), [""; 0]);
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
            "line 1: prod/backup: a window of 10m is longer than a gap of its schedule, so starts can change their order; \
          give it a shorter window"
        ]
    );
    assert_eq!(
        refusal(&text, &with_window(Format::CronJob, "10h", false)),
        "line 1: prod/backup: spec.window.duration: windows can overlap in 121 periods, and at most 100 may"
    );
}

/// What `kubectl get cronjobs -A -o yaml` prints.
const KUBECTL: &str = r#"apiVersion: v1
items:
- apiVersion: batch/v1
  kind: CronJob
  metadata:
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
- apiVersion: batch/v1
  kind: CronJob
  metadata:
    annotations:
      team: web
      kubectl.kubernetes.io/last-applied-configuration: '{}'
    name: two
    namespace: prod
  spec:
    jobTemplate:
      spec:
        template:
          spec:
            containers:
            - image: busybox
              name: c
            restartPolicy: OnFailure
    schedule: '@every 5m'
  status: {}
- apiVersion: batch/v1
  kind: CronJob
  metadata:
    name: three
    namespace: test
  spec:
    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}
    schedule: 0 0 1 * *
    timeZone: Asia/Tokyo
kind: List
metadata:
  resourceVersion: ""
"#;

#[test]
fn lists_of_kubectl() {
    let converted = converted(KUBECTL, &from(Format::CronJob));
    assert_eq!(
        converted.text,
        r#"apiVersion: v1
items:
- apiVersion: kron.io/v1alpha1
  kind: KronJob
  metadata:
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
- apiVersion: kron.io/v1alpha1
  kind: KronJob
  metadata:
    name: three
    namespace: test
  spec:
    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}
    schedule: 0 0 1 * *
    timezone: Asia/Tokyo
    policy:
      concurrency: allow
      deadline: 8784h
kind: List
metadata:
  resourceVersion: ""
"#
    );
    let refusals = messages(&converted, Severity::Refusal);
    assert_eq!(refusals.len(), 1);
    assert!(refusals[0].starts_with("line 33: prod/two: spec.schedule"), "{refusals:?}");
    assert_eq!(
        messages(&converted, Severity::Note),
        [
            "2 CronJobs have no `timeZone`, which means the time zone of the controller manager; KronJobs without \
             `timezone` are in UTC, as most controller managers are",
            "3 CronJobs have no `startingDeadlineSeconds`, which means that no start is too late; `policy.deadline: 8784h` \
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
        messages(&same, Severity::Refusal),
        ["line 1: prod/backup: another CronJob has the same name; convert each CronJob once"]
    );
    let two =
        [cronjob("  schedule: '@daily'\n"), cronjob("  schedule: '@daily'\n").replace("backup", "other")];
    let two = two.each_ref().map(|text| Source { name: "a", text });
    let both = convert(&two, &Options::default()).unwrap();
    assert_eq!((both.text.matches("\n---\n").count(), loaded(&both).jobs.len()), (1, 2));
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
            "line 33: prod/backup: field `extra` is left out: objects have no such field",
            "line 7: prod/backup: `metadata.ownerReferences` is left out: the owner made a CronJob, and will make it again",
            "line 6: prod/backup: `metadata.finalizers` is left out: who set them for the CronJob does not know the KronJob",
            "line 13: prod/backup: field `spec.paused` is left out: KronJobs have no such field",
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
        "spec.suspend: `true` is not `true` or `false`; write it without quotes"
    );
    assert!(p("  timeZone: Europe/Pariss\n").ends_with("did you mean `Europe/Paris`?"));
    assert!(p("  timeZone: Local\n").starts_with("spec.timezone"));
    assert!(p("  successfulJobsHistoryLimit: -1\n").starts_with("spec.successfulJobsHistoryLimit"));
    let p =
        |schedule: &str| refused(&format!("  schedule: '{schedule}'\n")).replace("line 1: prod/backup: ", "");
    assert!(p("0 0 30 2 *").starts_with("spec.schedule: "));
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
    assert!(broken("kind: CronJob\napiVersion: [").starts_with("line 2: this is not YAML"));
    assert_eq!(
        broken("kind: x\r y"),
        "the file has carriage returns without line feeds; save it with line feeds"
    );
    assert_eq!(broken("kind: {{ .Values.kind }}\n"), broken("kind: {{ .Values.kind }}\n"));
}

fn from_cronjob() -> Options {
    from(Format::CronJob)
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

/// A random item of a cron field, as the CronJob controller takes it.
fn item(random: &mut Random, low: u32, high: u32, names: &[&str]) -> String {
    let value = |random: &mut Random| low + random.below(high - low + 1);
    let word = |random: &mut Random, value: u32| match names.get((value - low) as usize) {
        Some(name) if random.one_in(2) => {
            if random.one_in(2) {
                name.to_string()
            } else {
                name.to_uppercase()
            }
        }
        _ if random.one_in(5) => format!("0{value}"),
        _ => value.to_string(),
    };
    let step = |random: &mut Random| format!("/{}", 1 + random.below(high));
    let (first, second) = (value(random), value(random));
    let (start, end) = (first.min(second), first.max(second));
    match random.below(7) {
        0 => "*".into(),
        1 => "?".into(),
        2 => format!("*{}", step(random)),
        3 => word(random, first),
        4 => format!("{}-{}", word(random, start), word(random, end)),
        5 => format!("{}-{}{}", word(random, start), word(random, end), step(random)),
        _ => format!("{start}{}", step(random)),
    }
}

fn schedule(random: &mut Random) -> String {
    if random.one_in(20) {
        return random
            .pick(&["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"])
            .to_string();
    }
    let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
    let fields: [(u32, u32, &[&str]); 5] =
        [(0, 59, &[]), (0, 23, &[]), (1, 31, &[]), (1, 12, &months), (0, 6, &days)];
    let mut texts = Vec::new();
    for (low, high, names) in fields {
        let count = if random.one_in(3) { 1 + random.below(3) } else { 1 };
        let items: Vec<String> = (0..count).map(|_| item(random, low, high, names)).collect();
        texts.push(items.join(","));
    }
    texts.join(if random.one_in(5) { "  " } else { " " })
}

/// A CronJob with random fields in a random order and style.
fn random_cronjob(random: &mut Random, schedule: &str, name: &str) -> String {
    let mut spec = vec![format!(
        "schedule: {}",
        if random.one_in(2) { format!("'{schedule}'") } else { format!("\"{schedule}\"  # when") }
    )];
    let mut maybe = |random: &mut Random, choices: &[&str]| {
        if random.one_in(2) {
            let text = random.pick(choices).to_string();
            let comment = *random.pick(&["", "", " # right"]);
            let above = *random.pick(&["", "", "# above\n", "\n# above\n# twice\n"]);
            spec.push(format!("{above}{text}{comment}"));
        }
    };
    maybe(random, &["timeZone: UTC", "timeZone: \"Etc/UTC\"", "timeZone: null", "timeZone:"]);
    maybe(random, &["concurrencyPolicy: Allow", "concurrencyPolicy: 'Forbid'", "concurrencyPolicy: Replace"]);
    maybe(random, &["suspend: true", "suspend: false", "suspend: ~"]);
    maybe(random, &["startingDeadlineSeconds: 10", "startingDeadlineSeconds:   86400"]);
    maybe(random, &["successfulJobsHistoryLimit: 0", "failedJobsHistoryLimit: 5"]);
    let template = "jobTemplate:\n  spec:\n    template:\n      spec:\n        restartPolicy: Never\n        containers:\n        - name: c\n          image: x\n          args: [\"a\",\n            'b']\n          env:\n            - name: T\n              value: |\n                # not a comment\n                  suspend: true\n\n                end\n";
    spec.push(template.trim_end().to_string());
    for at in (1..spec.len()).rev() {
        spec.swap(at, random.below(at as u32 + 1) as usize);
    }
    let mut metadata = vec![format!("name: {name}"), "namespace: ns".to_string()];
    for text in [
        "uid: x-y",
        "annotations:\n  a: b\n  kubectl.kubernetes.io/last-applied-configuration: |\n    {}\n",
        "labels: {a: b}",
        "managedFields:\n- apiVersion: batch/v1\n  fieldsV1:\n    f:spec: {}\n",
        "annotations:\n  kubectl.kubernetes.io/last-applied-configuration: '{}'",
    ] {
        if random.one_in(3)
            && !(text.starts_with("annotations")
                && metadata.iter().any(|line| line.starts_with("annotations")))
        {
            let at = random.below(metadata.len() as u32 + 1) as usize;
            metadata.insert(at, text.trim_end().to_string());
        }
    }
    let indented = |lines: &[String]| {
        lines
            .join("\n")
            .lines()
            .map(|line| if line.is_empty() { "\n".into() } else { format!("  {line}\n") })
            .collect::<String>()
    };
    let mut parts = vec![
        "apiVersion: batch/v1\n".to_string(),
        "kind: CronJob\n".into(),
        format!("metadata:\n{}", indented(&metadata)),
        format!("spec:\n{}", indented(&spec)),
    ];
    if random.one_in(2) {
        parts.push("status:\n  lastScheduleTime: x\n".into());
    }
    for at in (1..parts.len()).rev() {
        parts.swap(at, random.below(at as u32 + 1) as usize);
    }
    parts.concat()
}

#[test]
fn random_cronjobs_fire_as_before() {
    let mut random = Random::new(17);
    let mut compared = 0;
    for case in 0..400 {
        let schedules: Vec<String> = (0..1 + random.below(3)).map(|_| schedule(&mut random)).collect();
        let objects: Vec<String> = schedules
            .iter()
            .enumerate()
            .map(|(at, schedule)| random_cronjob(&mut random, schedule, &format!("job-{at}")))
            .collect();
        let mut text = if random.one_in(2) {
            objects.join("---\n")
        } else {
            let indent = *random.pick(&["", "  "]);
            let items = objects.iter().map(|object| {
                let lines = object.trim_end().lines().map(|line| {
                    if line.is_empty() { "\n".to_string() } else { format!("{indent}  {line}\n") }
                });
                let item: String = lines.collect();
                format!("{indent}- {}", item.trim_start())
            });
            format!("apiVersion: v1\nkind: List\nitems:\n{}", items.collect::<String>())
        };
        if random.one_in(4) {
            text = text.replace('\n', "\r\n");
        }
        let converted = converted(&text, &from_cronjob());
        let jobs = loaded(&converted).jobs;
        let mut jobs = jobs.iter();
        for schedule in &schedules {
            let reader = robfig::reader(schedule).unwrap_or_else(|| panic!("case {case}: {schedule}"));
            let want = minutes(reader);
            // A schedule that never matches is refused.
            let ever = !want.is_empty() || converted.refused == 0;
            if ever {
                if case % 4 == 0 {
                    assert_eq!(nominal_times(&jobs.next().unwrap().job), want, "{schedule}");
                    compared += 1;
                } else {
                    jobs.next().unwrap();
                }
            }
        }
        if converted.refused == 0 {
            same_template(&text, &converted.text);
            assert_eq!(
                text.matches("# right").count(),
                converted.text.matches("# right").count() + lost(&text),
                "{text}\n{}",
                converted.text
            );
        }
    }
    assert!(compared > 100, "{compared} compared");
}

/// How many comments stand to the right of a field that no KronJob has: `timeZone: null`.
fn lost(text: &str) -> usize {
    text.lines()
        .filter(|line| {
            line.contains("timeZone:")
                && (line.contains("null") || line.contains("timeZone: #"))
                && line.contains("# right")
        })
        .count()
}
