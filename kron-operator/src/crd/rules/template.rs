//! Rules of `spec.jobTemplate.spec`.

use super::rule::Rule;

/// Every Job of a template would carry the same selector and count the Pods of the others as its own. The two fields are
/// declared in the schema for these rules alone: CEL sees no field that the schema does not name.
pub(in crate::crd) const JOB_SPEC: &[Rule] = &[
    Rule {
        rule: "!has(self.selector)",
        field_path: Some(".selector"),
        reason: Some("FieldValueForbidden"),
        message: "a Job chooses its selector by itself; Jobs that share one count each other's Pods",
        ..Rule::NEW
    },
    Rule {
        rule: "!has(self.manualSelector)",
        field_path: Some(".manualSelector"),
        reason: Some("FieldValueForbidden"),
        message: "a Job chooses its selector by itself; Jobs that share one count each other's Pods",
        ..Rule::NEW
    },
];
