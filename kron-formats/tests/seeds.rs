//! Other seeds in the text of KronJobs.

use kron_core::{JobSpec, Seed};
use kron_formats::convert::{Options, with_seeds};

use crate::support::jobs;

const TAIL: &str =
    "  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}\n";

fn kronjob(spec: &str) -> String {
    format!(
        "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {{name: a, namespace: b}}\nspec:\n{spec}{TAIL}"
    )
}

fn seed(text: &str) -> Seed {
    JobSpec::parse(&format!("@daily @seed({text})")).unwrap().seed().clone()
}

#[track_caller]
fn edited(text: &str, wanted: &str) -> String {
    let edited = with_seeds(text, &[("b/a", &seed(wanted))], &Options::default());
    let edited = edited.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let jobs = jobs(&edited);
    let job = jobs.iter().find(|loaded| loaded.job.name() == "b/a").unwrap();
    assert_eq!(*job.job.spec().seed(), seed(wanted), "{edited}");
    edited
}

fn err(text: &str) -> String {
    with_seeds(text, &[("b/a", &seed("fixed,salt=7"))], &Options::default()).unwrap_err().to_string()
}

#[test]
fn a_seed_is_written_after_the_schedule() {
    let p = |before: &str, after: &str| assert_eq!(edited(&kronjob(before), "fixed,salt=7"), kronjob(after));
    p(
        "  schedule: '@daily' # x\n",
        "  schedule: '@daily' # x\n  seed:\n    strategy: fixed\n    salt: '7'\n",
    );
    p(
        "  # y\n  window:\n    duration: 1h\n  schedule: \"@daily\"\n",
        "  # y\n  window:\n    duration: 1h\n  schedule: \"@daily\"\n  seed:\n    strategy: fixed\n    salt: '7'\n",
    );
    let text = kronjob("  schedule: '@daily'\n");
    assert_eq!(edited(&text, "stable,salt=7"), kronjob("  schedule: '@daily'\n  seed:\n    salt: '7'\n"));
    assert_eq!(edited(&text, "stable"), text);
    assert_eq!(edited(&text.replace('\n', "\r\n"), "fixed"), edited(&text, "fixed").replace('\n', "\r\n"));
}

#[test]
fn fields_of_a_seed_are_replaced_in_place() {
    let p = |before: &str, wanted: &str, after: &str| {
        let spec = |seed: &str| kronjob(&format!("  schedule: '@daily'\n{seed}  # end\n"));
        assert_eq!(edited(&spec(before), wanted), spec(after), "{before}");
    };
    p("  seed: {salt: x} # s\n", "fixed,salt=7", "  seed: {salt: \"7\", \"strategy\": \"fixed\"} # s\n");
    p(
        "  seed: {\"salt\": \"x\", strategy: stable}\n",
        "stable,salt=\"a b\"",
        "  seed: {\"salt\": \"a b\", strategy: stable}\n",
    );
    p(
        "  seed:\n    # why\n    strategy: daily # s\n    salt: old # t\n",
        "fixed,salt=7",
        "  seed:\n    # why\n    strategy: fixed # s\n    salt: '7' # t\n",
    );
    p("  seed:\n    strategy: stable\n", "stable,salt=7", "  seed:\n    strategy: stable\n    salt: '7'\n");
    p("  seed:\n    salt: x\n", "stable", "  seed:\n    salt: ''\n");
    p("  seed:\n", "fixed", "  seed: {\"strategy\":\"fixed\"}\n");
    p("  seed: {}\n", "fixed,salt=7", "  seed: {\"salt\":\"7\",\"strategy\":\"fixed\"}\n");
    p("  seed: null\n", "stable,salt=7", "  seed: {\"salt\":\"7\"}\n");
    p("  seed: {}\n", "stable", "  seed: {}\n");
    // The same seed changes nothing, however it is written.
    p(
        "  seed: {salt: !!str 7,   strategy: \"fixed\"}\n",
        "fixed,salt=7",
        "  seed: {salt: !!str 7,   strategy: \"fixed\"}\n",
    );
}

#[test]
fn other_objects_and_kronjobs_stay() {
    let other = kronjob("  schedule: '@hourly'\n").replace("name: a", "name: z");
    let text = format!(
        "apiVersion: v1\nkind: ConfigMap\ndata: {{a: [1,  2]}}\n---\n{other}---\n{}",
        kronjob("  schedule: '@daily'\n")
    );
    let after = edited(&text, "fixed");
    assert_eq!(after, text.replace("'@daily'\n", "'@daily'\n  seed:\n    strategy: fixed\n"));
    let json = r#"{"apiVersion": "v1", "kind": "List", "items": [
    {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "a", "namespace": "b"}, "spec": {
        "schedule": "@daily",
        "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}}}}]}"#;
    let want =
        json.replace("@daily\",", "@daily\",\n        \"seed\": {\"strategy\": \"fixed\", \"salt\": \"7\"},");
    assert_eq!(edited(json, "fixed,salt=7"), want);
    // A byte order mark stays.
    let marked = format!("\u{feff}{}", kronjob("  schedule: '@daily'\n"));
    assert!(edited(&marked, "fixed").starts_with("\u{feff}apiVersion"));
    // A manifest without a namespace is in that of the options, or in `default`.
    let bare = kronjob("  schedule: '@daily'\n").replace(", namespace: b", "");
    let options = Options { namespace: Some("n".to_string()), ..Options::default() };
    let fixed = seed("fixed");
    assert!(with_seeds(&bare, &[("n/a", &fixed)], &options).unwrap().contains("strategy: fixed"));
    assert!(
        with_seeds(&bare, &[("default/a", &fixed)], &Options::default()).unwrap().contains("strategy: fixed")
    );
}

#[test]
fn err_what_cannot_be_edited() {
    assert_eq!(
        err("kind: CronJob\nmetadata: {name: a, namespace: b}\n"),
        "b/a: this file has no KronJob of that name; convert CronJobs first: `kron convert FILE`"
    );
    assert!(err("a: [").contains("the bracket `[` is not closed"));
    assert!(err("a: 1\rb: 2\n").contains("save it with line feeds"));
    let merged = kronjob("  <<: {window: {duration: 1h}}\n  schedule: '@daily'\n");
    assert_eq!(err(&merged), "line 1: b/a: spec has a merge key `<<`; write its fields out");
    let seed = kronjob("  schedule: '@daily'\n  seed: {<<: {salt: x}}\n");
    assert_eq!(err(&seed), "line 1: b/a: spec.seed has a merge key `<<`; write its fields out");
    // Another KronJob repeats the spec, and would get the seed too.
    let first = kronjob("  schedule: '@daily'\n").replace("spec:\n", "spec: &s\n");
    let list = format!(
        "kind: List\nitems:\n- {}- {{kind: KronJob, apiVersion: kron.io/v1alpha1, metadata: {{name: z, namespace: b}}, spec: *s}}\n",
        first.replace('\n', "\n  ").trim_end_matches(' ')
    );
    assert!(err(&list).contains("the seeds cannot be written into this text"), "{}", err(&list));
    let lacking = kronjob("  schedule: '@daily'\n  seed: [1]\n");
    assert!(err(&lacking).contains("`spec.seed` is not a map"), "{}", err(&lacking));
}
