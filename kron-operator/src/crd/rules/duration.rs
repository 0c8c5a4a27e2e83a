//! Rules of durations: `spec.window.duration`, `spec.policy.deadline` and `spec.primer.lead`.

use super::rule::Rule;

/// Signs are refused here: CEL's `duration()` would take them.
const GO_DURATION: Rule = Rule {
    rule: r"self.matches(r'^(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$')",
    message: "must be a Go duration such as 90s, 15m or 1h30m, without sign or blanks",
    ..Rule::NEW
};

/// The length of a window: a year at most.
pub(in crate::crd) const WINDOW: &[Rule] = &[
    GO_DURATION,
    Rule {
        rule: r"
            !self.matches(r'^(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$') ||
            duration(self) <= duration('8784h')",
        message: "must be at most 8784h (366 days)",
        ..Rule::NEW
    },
];

/// A deadline: as far as durations go. Beyond that `duration()` fails, and the server shows this message after its own.
pub(in crate::crd) const DEADLINE: &[Rule] = &[
    GO_DURATION,
    Rule {
        rule: r"
            !self.matches(r'^(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$') ||
            duration(self) >= duration('0s')",
        message: "must be less than 2562047h47m16.854775808s (64-bit nanoseconds)",
        ..Rule::NEW
    },
];

/// The lead of a primer: a day at most.
pub(in crate::crd) const LEAD: &[Rule] = &[
    GO_DURATION,
    Rule {
        rule: r"
            !self.matches(r'^(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$') ||
            duration(self) > duration('0s') && duration(self) <= duration('24h')",
        message: "must be above 0s and at most 24h",
        ..Rule::NEW
    },
];
