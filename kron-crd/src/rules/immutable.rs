//! The rule of strict mode: what names the periods of a KronJob and draws their starts stays as it was created.

use super::rule::Rule;

/// Put before the rules of `spec.schedule`, `spec.timezone` and `spec.seed.strategy`.
pub(crate) fn immutable() -> Rule {
    Rule::new("self == oldSelf", "cannot be changed after creation; create another KronJob").forbidding()
}
