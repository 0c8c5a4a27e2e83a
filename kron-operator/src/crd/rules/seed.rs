//! The rule of `spec.seed.salt`.

use super::rule::Rule;

/// Its bound in bytes; maxLength counts characters.
pub(in crate::crd) const SALT: &[Rule] = &[Rule {
    rule: "bytes(self).size() <= 1024",
    message: "must be at most 1024 bytes in UTF-8",
    ..Rule::NEW
}];
