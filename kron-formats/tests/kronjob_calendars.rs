//! The resource has no calendars.

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
