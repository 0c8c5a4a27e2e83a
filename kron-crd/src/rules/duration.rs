//! Rules of durations: `spec.window.duration`, `spec.policy.deadline` and `spec.primer.lead`.

use super::items::DURATION;
use super::rule::Rule;

/// The grammar, and a bound of those that keep to it. Signs are refused: CEL's `duration()` would take them.
fn duration(bound: &str, message: &str) -> [Rule; 2] {
    let is_duration = format!("self.matches(r'^(0|{DURATION})$')");
    let bounded = format!("!{is_duration} || {bound}");
    let shape = "must be a Go duration such as 90s, 15m or 1h30m, without sign or blanks";
    [Rule::new(&is_duration, shape), Rule::new(&bounded, message)]
}

/// The length of a window: a year at most.
pub(crate) fn window() -> [Rule; 2] {
    duration("duration(self) <= duration('8784h')", "must be at most 8784h (366 days)")
}

/// A deadline: as far as durations go. Beyond that `duration()` fails, and the server shows this message after its own.
pub(crate) fn deadline() -> [Rule; 2] {
    let message = "must be less than 2562047h47m16.854775808s (64-bit nanoseconds)";
    duration("duration(self) >= duration('0s')", message)
}

/// The lead of a primer: a day at most.
pub(crate) fn lead() -> [Rule; 2] {
    let bound = "duration(self) > duration('0s') && duration(self) <= duration('24h')";
    duration(bound, "must be above 0s and at most 24h")
}
