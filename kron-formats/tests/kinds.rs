//! Manifests of several kinds in one text: every job is converted, stays or is named.

use kron_core::Severity;
use kron_formats::convert::{ConvertCode, Converted, Format, Options, Source, convert, recognize};

const TEMPLATE: &str =
    "jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}";

/// Kind, and what is in an object of it beside its name.
fn kinds() -> [(&'static str, String); 4] {
    [
        ("CronJob", format!("apiVersion: batch/v1\nspec:\n  schedule: 0 3 * * *\n  {TEMPLATE}\n")),
        (
            "CronWorkflow",
            "apiVersion: argoproj.io/v1alpha1\nspec:\n  schedule: 0 4 * * *\n  workflowSpec: {}\n"
                .to_string(),
        ),
        ("KronJob", format!("apiVersion: kron.io/v1alpha1\nspec:\n  schedule: 0 5 * * *\n  {TEMPLATE}\n")),
        ("ConfigMap", "apiVersion: v1\ndata: {}\n".to_string()),
    ]
}

/// The texts of two objects, as two documents and as a list.
fn texts(one: &str, other: &str) -> [String; 2] {
    let list = [one, other].map(|text| format!("- {}\n", text.trim_end().replace('\n', "\n  "))).concat();
    [format!("{one}---\n{other}"), format!("apiVersion: v1\nkind: List\nitems:\n{list}")]
}

/// Whether an object is in the result, or a finding names it or counts it.
fn is_accounted_for(converted: &Converted, name: &str, kind: &str) -> bool {
    let text = converted.text.contains(name);
    let named = converted.findings.iter().any(|found| found.job.as_deref() == Some(name));
    let counted = kind == "ConfigMap"
        && converted.findings.iter().any(|found| found.finding.message.contains("of another kind"));
    usize::from(text) + usize::from(named) + usize::from(counted) > 0
}

#[test]
fn no_object_of_a_text_with_two_kinds_is_lost() {
    let mut converted_pairs = 0;
    for (one_kind, one) in kinds() {
        for (other_kind, other) in kinds() {
            let object = |kind: &str, name: &str, rest: &str| {
                format!("kind: {kind}\nmetadata: {{name: {name}}}\n{rest}")
            };
            let (first, second) = (object(one_kind, "one", &one), object(other_kind, "other", &other));
            for text in texts(&first, &second) {
                for format in [None, Some(Format::CronJob), Some(Format::Argo)] {
                    let options = Options { format, timezone: Some("UTC".into()), ..Options::default() };
                    let Ok(converted) = convert(&[Source { name: "file", text: &text }], &options) else {
                        let kinds = [one_kind, other_kind];
                        let wanted = |kind: &&str| match format {
                            None => ["CronJob", "CronWorkflow"].contains(kind),
                            Some(Format::CronJob) => **kind == *"CronJob",
                            _ => **kind == *"CronWorkflow",
                        };
                        assert!(!kinds.iter().any(wanted), "{format:?}\n{text}");
                        continue;
                    };
                    for (name, kind) in [("one", one_kind), ("other", other_kind)] {
                        assert!(is_accounted_for(&converted, name, kind), "{name}: {converted:?}\n{text}");
                    }
                    // Documents in: jobs, objects that stay, and objects that are left out.
                    let kept = converted.text.matches("kind: ").count();
                    let jobs = converted.text.lines().filter(|line| line.contains(" name=")).count();
                    let is_left_out = |found: &&kron_formats::convert::ConvertFinding| {
                        found.finding.message.contains("left out")
                    };
                    let left_out = converted.findings.iter().filter(is_left_out).count();
                    let lists = usize::from(converted.text.contains("kind: List"));
                    assert_eq!(kept - lists + jobs + left_out, 2, "{converted:?}\n{text}");
                    converted_pairs += 1;
                }
            }
        }
    }
    assert!(converted_pairs > 30, "{converted_pairs}");
}

#[test]
fn a_cronworkflow_beside_a_cronjob_is_refused_with_what_reads_it() {
    let [cronjob, workflow, ..] =
        kinds().map(|(kind, rest)| format!("kind: {kind}\nmetadata: {{name: a, namespace: b}}\n{rest}"));
    let [text, _] = texts(&cronjob, &workflow);
    assert_eq!(recognize(&text), Some(Format::CronJob));
    let options = Options { timezone: Some("UTC".into()), ..Options::default() };
    let converted = convert(&[Source { name: "file", text: &text }], &options).expect("a conversion");
    let found: Vec<_> =
        converted.findings.iter().filter(|found| found.finding.severity == Severity::Error).collect();
    assert_eq!((converted.converted, converted.refused, found.len()), (1, 1, 1));
    assert_eq!(found[0].finding.code, ConvertCode::MixedOutputs.into());
    assert_eq!(
        found[0].to_string(),
        "line 8: b/a: this CronWorkflow is not converted to a KronJob: it can only be a line of a job file; convert it with \
         `--format argo`"
    );
    // Who asks for one kind has it, and a warning.
    let argo =
        convert(&[Source { name: "file", text: &text }], &Options { format: Some(Format::Argo), ..options });
    let argo = argo.expect("a conversion");
    let warnings = crate::support::messages(&argo, Severity::Warning);
    assert_eq!((argo.converted, argo.refused), (1, 0));
    assert_eq!(warnings, ["line 1: b/a: this CronJob is left out; convert it with `--format cronjob`"]);
}

/// A kind in a comment, or in the text of a field, is no object.
#[test]
fn a_kind_that_is_only_text_does_not_count() {
    let (_, workflow) = &kinds()[1];
    let text = format!("# kind: CronJob\nkind: CronWorkflow\nmetadata: {{name: a}}\n{workflow}");
    assert_eq!(recognize(&text), Some(Format::Argo));
}
