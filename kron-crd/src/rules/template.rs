//! Rules of `spec.jobTemplate.spec`.

use super::rule::Rule;

/// Every Job of a template would carry the same selector and count the Pods of the others as its own. The two fields are
/// declared in the schema for these rules alone: CEL sees no field that the schema does not name.
pub(crate) fn job_spec() -> [Rule; 2] {
    let message = "a Job chooses its selector by itself; Jobs that share one count each other's Pods";
    [
        Rule::new("!has(self.selector)", message).at(".selector").forbidding(),
        Rule::new("!has(self.manualSelector)", message).at(".manualSelector").forbidding(),
    ]
}
