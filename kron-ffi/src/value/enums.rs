//! Enums. Functions and structs take plain integers for them, so that an unknown value is an error.

use kron_core::draw::{Direction, Mu};
use kron_core::plan::Action;
use kron_core::proof::ZoneRules;
use kron_core::{Algorithm, Concurrency, Outcome, SeedStrategy, WindowMode};

use crate::abi::failure::Failure;

/// The position of a window of length D relative to the nominal time N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_window_mode {
    /// From N to N + D.
    After = 0,
    /// From N - D/2 to N + D/2.
    Around = 1,
    /// From N - D to N. KronJob manifests do not have this mode.
    Before = 2,
}

/// How often a new draw is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_seed_strategy {
    /// Every period has its own draw.
    Stable = 0,
    /// All periods of one local day share a draw.
    Daily = 1,
    /// All periods of one local ISO week share a draw.
    Weekly = 2,
    /// All periods share one draw: the start has the same place in every window, unless a constraint forbids it.
    Fixed = 3,
}

/// The effect of an edit on a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_change_kind {
    /// The period has a start that it did not have.
    Appears = 0,
    /// The period loses its start.
    Vanishes = 1,
    /// The period starts at another second.
    Moves = 2,
    /// The edit skips the period: its old start is after the edit, and its new start is not.
    Skipped = 3,
    /// The edit repeats the period: its old start is not after the edit, and its new start is.
    Repeated = 4,
}

/// Where a normal distribution has its peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_mu {
    /// At the nominal time for windows of mode `around`, in the middle of all other windows.
    Default = 0,
    /// At the nominal time.
    Nominal = 1,
    /// At the start of the window.
    Start = 2,
    /// In the middle of the window.
    Mid = 3,
    /// At the window's end.
    End = 4,
}

/// The side of the window where an exponential distribution is densest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_direction {
    /// At the start.
    Early = 0,
    /// At the end.
    Late = 1,
}

/// The algorithm that makes the decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_algorithm {
    /// `siphash-chacha8/1`, the default.
    SiphashChacha8 = 0,
    /// `sha256-splitmix64/1`, the algorithm of the first version of Kron.
    Sha256Splitmix64 = 1,
}

/// What happens while an earlier execution is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_concurrency {
    /// The period is skipped.
    Forbid = 0,
    /// Both run.
    Allow = 1,
    /// The active one is stopped first.
    Replace = 2,
}

/// What to do with one period now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_action_kind {
    /// Nothing: the period has its outcome, or the job is suspended.
    Nothing = 0,
    /// Evaluate again at `until`.
    Wait = 1,
    /// Start the job.
    Execute = 2,
    /// Stop the active execution, then start this one.
    Replace = 3,
    /// Start nothing, and record `outcome`.
    Record = 4,
}

/// The final result of a period. A period has one outcome, which never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_outcome {
    /// Started.
    Executed = 0,
    /// Not started, because an earlier execution was active and the policy is `forbid`.
    Skipped = 1,
    /// Not started, because its time and deadline had passed, or a later period was started instead.
    Missed = 2,
    /// Not started, because the constraints allow no second of its window, and the window has passed.
    Unschedulable = 3,
    /// No outcome yet.
    None = 4,
}

/// How the rules of the time zone in a receipt compare with those in the time zone database that verifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_zone_rules {
    /// The same rules, from the same version of the database.
    Same = 0,
    /// The same rules, from another version of the database. The receipt can still agree.
    OtherRelease = 1,
    /// Different rules. This database cannot verify the receipt.
    Different = 2,
}

/// Reads the numbers of an enum of the core. The compiler asks for a value that is not named.
macro_rules! numbers {
    ($read:ident: $core:ident as $ours:ident { $($value:ident = $name:ident),+ $(,)? }) => {
        impl From<$core> for $ours {
            fn from(value: $core) -> $ours {
                match value {
                    $($core::$value => $ours::$name,)+
                }
            }
        }

        pub(crate) fn $read(value: u32, name: &'static str) -> Result<$core, Failure> {
            let found = $core::ALL.iter().find(|known| $ours::from(**known) as u32 == value);
            found.copied().ok_or(Failure::Choice { name, value, words: $core::WORDS })
        }
    };
}

numbers! {
    window_mode: WindowMode as kron_window_mode { After = After, Around = Around, Before = Before }
}
numbers! {
    seed_strategy: SeedStrategy as kron_seed_strategy {
        Stable = Stable, Daily = Daily, Weekly = Weekly, Fixed = Fixed,
    }
}
numbers! {
    peak: Mu as kron_mu { Nominal = Nominal, Start = Start, Mid = Mid, End = End }
}
numbers! {
    direction: Direction as kron_direction { Early = Early, Late = Late }
}
numbers! {
    algorithm: Algorithm as kron_algorithm {
        SipHashChaCha8 = SiphashChacha8, Sha256SplitMix64 = Sha256Splitmix64,
    }
}
numbers! {
    concurrency: Concurrency as kron_concurrency { Forbid = Forbid, Allow = Allow, Replace = Replace }
}

numbers! {
    outcome: Outcome as kron_outcome {
        Executed = Executed, Skipped = Skipped, Missed = Missed, Unschedulable = Unschedulable,
    }
}

/// `None` is the default.
pub(crate) fn mu(value: u32, name: &'static str) -> Result<Option<Mu>, Failure> {
    const WORDS: [&str; 5] = ["default", "nominal", "start", "mid", "end"];
    if value == kron_mu::Default as u32 {
        return Ok(None);
    }
    peak(value, name).map(Some).map_err(|_| Failure::Choice { name, value, words: &WORDS })
}

pub(crate) fn yes(value: u32, name: &'static str) -> Result<bool, Failure> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Failure::Choice { name, value, words: &["no", "yes"] }),
    }
}

impl From<&ZoneRules> for kron_zone_rules {
    fn from(rules: &ZoneRules) -> kron_zone_rules {
        match rules {
            ZoneRules::Same => kron_zone_rules::Same,
            ZoneRules::OtherRelease { .. } => kron_zone_rules::OtherRelease,
            ZoneRules::Different { .. } => kron_zone_rules::Different,
        }
    }
}

impl From<Action> for kron_action_kind {
    fn from(action: Action) -> kron_action_kind {
        match action {
            Action::Wait { .. } => kron_action_kind::Wait,
            Action::Execute => kron_action_kind::Execute,
            Action::Replace => kron_action_kind::Replace,
            Action::Record(_) => kron_action_kind::Record,
            Action::Nothing => kron_action_kind::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each integer means the value whose word has this index in the core's list, so that the words of an error name it.
    #[test]
    fn integers_follow_the_lists_of_the_core() {
        macro_rules! same {
            ($read:ident, $core:ident) => {
                for (value, known) in (0..).zip($core::ALL) {
                    assert_eq!($read(value, "").unwrap(), *known);
                }
                assert!($read($core::ALL.len() as u32, "").is_err());
                assert!($read(u32::MAX, "").is_err());
            };
        }
        same!(window_mode, WindowMode);
        same!(seed_strategy, SeedStrategy);
        same!(direction, Direction);
        same!(algorithm, Algorithm);
        same!(concurrency, Concurrency);
        same!(outcome, Outcome);
        assert_eq!(mu(0, "").unwrap(), None);
        for (value, known) in (1..).zip(Mu::ALL) {
            assert_eq!(mu(value, "").unwrap(), Some(*known));
        }
        let Err(Failure::Choice { words, .. }) = mu(u32::MAX, "") else { panic!() };
        assert_eq!(words, [&["default"][..], Mu::WORDS].concat());
    }
}
