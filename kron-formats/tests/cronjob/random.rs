//! Random CronJobs, whose times an independent reader computes.

use super::*;

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
            let job = &jobs.next().unwrap().job;
            if case % 4 == 0 {
                // One that never matches is suspended, with a schedule of its own.
                let starts = if want.is_empty() && job.spec().policy().suspend() {
                    Vec::new()
                } else {
                    nominal_times(job)
                };
                assert_eq!(starts, want, "{schedule}");
                compared += 1;
            }
        }
        assert_eq!(converted.refused, 0, "{text}");
        same_template(&text, &converted.text);
        assert_eq!(
            text.matches("# right").count(),
            converted.text.matches("# right").count() + lost(&text),
            "{text}\n{}",
            converted.text
        );
    }
    assert!(compared > 100, "{compared} compared");
}

/// How many comments follow a field on its line that no KronJob has: `timeZone: null`.
fn lost(text: &str) -> usize {
    text.lines()
        .filter(|line| {
            line.contains("timeZone:")
                && (line.contains("null") || line.contains("timeZone: #"))
                && line.contains("# right")
        })
        .count()
}
