//! Rules of `spec.primer`.

use super::rule::Rule;

/// What the primer runs is said once.
pub(in crate::crd) const PRIMER: &[Rule] = &[Rule {
    rule: "!has(self.image) || !has(self.jobTemplate)",
    message: "a primer has an image or a jobTemplate, not both",
    ..Rule::NEW
}];
