//! Decisions as a plain struct that the caller allocates.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use kron_core::{Algorithm, Decision, Period, SeedStrategy, Unschedulable};

use crate::abi::failure::Failure;
use crate::abi::output::Out;
use crate::abi::size::Struct;
use crate::value::enums::kron_algorithm;

/// Flag of kron_decision: the period has a start, at `chosen_time`.
pub const KRON_DECISION_CHOSEN: u32 = 1;
/// Flag of kron_decision: no start, because the constraints allow no second of the window.
pub const KRON_DECISION_NO_ALLOWED_SECOND: u32 = 2;
/// Flag of kron_decision: no start, because the constraints allowed none of the 64 draws. Only with
/// `sha256-splitmix64/1`.
pub const KRON_DECISION_DRAWS_EXHAUSTED: u32 = 4;

/// Size of a period id with the NUL at its end; unused bytes are 0.
pub const KRON_PERIOD_ID_SIZE: usize = 24;
/// Size of a period key with the NUL at its end; unused bytes are 0.
pub const KRON_PERIOD_KEY_SIZE: usize = 24;
/// Size of a seed hash with the NUL at its end; unused bytes are 0.
pub const KRON_SEED_HASH_SIZE: usize = 72;

/// The decision of one period. Times are Unix seconds. Later versions may add fields at the end; functions take the
/// size, KRON_DECISION_SIZE.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_decision {
    /// The instant that the schedule matches.
    pub nominal_time: i64,
    /// The first candidate of the window.
    pub window_start: i64,
    /// The last candidate of the window.
    pub window_end: i64,
    /// The start, if `flags` is KRON_DECISION_CHOSEN; else 0.
    pub chosen_time: i64,
    /// One of KRON_DECISION_CHOSEN, KRON_DECISION_NO_ALLOWED_SECOND and KRON_DECISION_DRAWS_EXHAUSTED.
    pub flags: u32,
    /// The number of draws: 0 if the window is one second, 1 to 64, or 65 if the last one is the closed-up choice (a
    /// draw among the allowed seconds only).
    pub draws: u32,
    /// The algorithm: enum kron_algorithm.
    pub algorithm: u32,
    /// 0.
    pub reserved: u32,
    /// The period id: the nominal time in RFC 3339, in UTC.
    pub period_id: [c_char; KRON_PERIOD_ID_SIZE],
    /// What periods have in common that share this draw: the period id, the local date, the local ISO week or
    /// `fixed`.
    pub period_key: [c_char; KRON_PERIOD_KEY_SIZE],
    /// The seed of the draws in 64 lower-case hex digits.
    pub seed_hash: [c_char; KRON_SEED_HASH_SIZE],
}

impl Struct for kron_decision {}

/// Text for C, padded with zeros. It is copied as a whole, because a copy of single bytes would be slower.
#[inline(always)]
fn chars<const N: usize, const M: usize>(text: [u8; M]) -> [c_char; N] {
    const { assert!(M < N) };
    let mut chars = [0; N];
    // SAFETY: a character of C is a byte, and there is room for all of them.
    unsafe { chars.as_mut_ptr().copy_from_nonoverlapping(text.as_ptr().cast(), M) };
    chars
}

impl Out<kron_decision> {
    /// Writes a decision field by field: a copy of a struct whose fields were just written would stall the processor.
    #[inline(always)]
    pub(crate) fn set_decision(self, decision: &Decision<'_>) {
        let period_id = chars(decision.period_id_ascii());
        // Most keys are the id, and need not be written again.
        let period_key = if decision.seed_strategy() == SeedStrategy::Stable {
            period_id
        } else {
            chars(decision.period_key_ascii().0)
        };
        let algorithm = if decision.algorithm() == Algorithm::Sha256SplitMix64.as_str() {
            kron_algorithm::Sha256Splitmix64
        } else {
            kron_algorithm::SiphashChacha8
        };
        let place = self.place();
        // SAFETY: the place is valid for writing a decision, and no field has a destructor.
        unsafe {
            (*place).nominal_time = decision.nominal_timestamp();
            (*place).window_start = decision.window_start_timestamp();
            (*place).window_end = decision.window_end_timestamp();
            (*place).chosen_time = decision.chosen_timestamp().unwrap_or(0);
            (*place).flags = match decision.unschedulable() {
                None => KRON_DECISION_CHOSEN,
                Some(Unschedulable::NoAllowedSecond) => KRON_DECISION_NO_ALLOWED_SECOND,
                Some(Unschedulable::DrawsExhausted) => KRON_DECISION_DRAWS_EXHAUSTED,
            };
            (*place).draws = decision.draws().into();
            (*place).algorithm = algorithm as u32;
            (*place).reserved = 0;
            (*place).period_id = period_id;
            (*place).period_key = period_key;
            (*place).seed_hash = chars(decision.seed_hash().to_hex());
        }
    }
}

impl From<Decision<'_>> for kron_decision {
    #[inline(always)]
    fn from(decision: Decision<'_>) -> kron_decision {
        let mut made = MaybeUninit::uninit();
        Out::of(&mut made).set_decision(&decision);
        // SAFETY: all fields were written.
        unsafe { made.assume_init() }
    }
}

impl kron_decision {
    /// The times of a decision that the caller kept.
    pub(crate) fn period(&self) -> Result<Period, Failure> {
        let chosen = match self.flags {
            KRON_DECISION_CHOSEN => Some(self.chosen_time),
            KRON_DECISION_NO_ALLOWED_SECOND | KRON_DECISION_DRAWS_EXHAUSTED => None,
            value => {
                let known = "one of 1 (chosen), 2 (no allowed second), 4 (draws exhausted)";
                return Err(Failure::Flags { name: "decision.flags", value, known });
            }
        };
        Ok(Period::new(self.nominal_time, (self.window_start, self.window_end), chosen))
    }
}
