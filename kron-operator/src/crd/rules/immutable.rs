//! The rule of strict mode: what names the periods of a KronJob and draws their starts stays as it was created.

use super::rule::Rule;

/// Put before the rules of `spec.schedule`, `spec.timezone` and `spec.seed.strategy`.
pub(in crate::crd) const IMMUTABLE: &[Rule] = &[Rule {
    rule: "self == oldSelf",
    reason: Some("FieldValueForbidden"),
    message: "cannot be changed after creation; create another KronJob",
    ..Rule::NEW
}];
