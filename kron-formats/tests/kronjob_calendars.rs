//! The resource has no calendars and no rules of days.

use kron_core::{Calendars, ErrorCode, Parser};
use kron_formats::kronjob::KronJob;

#[test]
fn a_kronjob_has_no_calendars() {
    let manifest = serde_json::json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "x"},
        "spec": {"schedule": "@daily", "constraints": {"avoid": [{"dow": "SUN"}, {"calendar": "a"}]},
            "jobTemplate": {"spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "c", "image": "c:1"}],
            }}}}},
    });
    let parser = Parser::new().with_calendars(Calendars::parse("a = 2026-12-25").unwrap());
    let error = KronJob::from_value(&parser, &manifest).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ManifestRefused);
    assert_eq!(
        error.to_string(),
        "spec.constraints.avoid[1].calendar: a KronJob has no calendars; write the dates as `date` or `dates`, each in its \
         own clause"
    );
}

#[test]
fn a_kronjob_has_no_rules_of_days() {
    for list in ["days", "nodays"] {
        let mut manifest = serde_json::json!({
            "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "x"},
            "spec": {"schedule": "@daily", "jobTemplate": {"spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "c", "image": "c:1"}],
            }}}}},
        });
        assert!(KronJob::from_value(&Parser::new(), &manifest).is_ok());
        manifest["spec"][list] = serde_json::json!([{"last": "1"}]);
        let error = KronJob::from_value(&Parser::new(), &manifest).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ManifestRefused);
        let start = format!("spec.{list}: a KronJob has no rules of days; choose the days by `schedule`");
        assert!(error.to_string().starts_with(&start), "{error}");
    }
}
