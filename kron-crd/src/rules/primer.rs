//! Rules of `spec.primer`.

use super::rule::Rule;

/// What the primer runs is said once.
pub(crate) fn primer() -> [Rule; 1] {
    let rule = "!has(self.image) || !has(self.jobTemplate)";
    [Rule::new(rule, "a primer has an image or a jobTemplate, not both")]
}
