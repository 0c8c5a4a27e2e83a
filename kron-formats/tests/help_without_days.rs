//! Where rules of days cannot stand, no help says that they should be written there.

use kron_core::Parser;
use kron_formats::convert::{self, Format, convert};
use kron_formats::kronjob::KronJob;
use kron_formats::place;
use kron_formats::read::{Options, Source, read};

const HELP: &str =
    "write `0 0 * * *` and check the day in the command, or write a job file with `0 0 * * * @days(last=1)`";

fn object(version: &str, kind: &str) -> String {
    format!(
        "apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a, namespace: prod}}\nspec:\n  schedule: '0 0 L * *'\n  \
         jobTemplate: {{spec: {{template: {{spec: {{restartPolicy: Never, containers: [{{name: c, image: c}}]}}}}}}}}\n"
    )
}

#[test]
fn kronjobs() {
    let text = object("kron.io/v1alpha1", "KronJob");
    let found = read(&[Source::new("a.yaml", &text)], &Options::default());
    assert_eq!(found.errors[0].1.help().as_deref(), Some(HELP));
    let spec = serde_json::json!({"schedule": "0 0 * * *", "constraints": {"only": [{"last": "1"}]}, "jobTemplate": {}});
    let help = KronJob::spec_from_value(&Parser::new(), &spec).unwrap_err().help().unwrap_or_default();
    assert!(!help.contains("write `@days"), "{help}");
}

#[test]
fn schedules_of_other_systems() {
    let cronjob = object("batch/v1", "CronJob");
    let found = read(&[Source::new("a.yaml", &cronjob).named()], &Options::default());
    let said: Vec<String> = found.findings.iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|said| said.ends_with(HELP)), "{found:?}");
    let options = convert::Options { format: Some(Format::CronJob), ..convert::Options::default() };
    let converted = convert(&[convert::Source { name: "a.yaml", text: &cronjob }], &options).unwrap();
    let said = converted.findings[0].to_string();
    assert!(said.ends_with(HELP), "{said}");
}

#[test]
fn declarations() {
    let text = "# kron: 0 0 L * * @win(after,1h) name=a\n0 0 * * * root /usr/bin/true\n";
    let found = place::place(&[place::Source::new("/etc/cron.d/a", text)], &place::Options::default());
    let said = found.findings[0].to_string();
    assert!(said.contains("write `0 0 * * * @win(after,1h)` and check the day in the command"), "{said}");
}
