//! The rule by which a start is chosen among the seconds of a window: frozen, and said only here.
//!
//! Candidates are drawn until one is allowed. After 64 draws `siphash-chacha8/1` closes the gaps up: one more draw chooses among
//! the allowed seconds alone. `sha256-splitmix64/1` gives up.
//!
//! [`Candidates`] draw seconds and know which are allowed. There are three kinds, which differ in speed and not in their result.

use super::Unschedulable;
use crate::draw::algorithm::Algorithm;
use crate::limits::DRAWS;

/// How many draws were made, and the second that was chosen or why there is none.
pub(super) type Choice = (u8, Result<i64, Unschedulable>);

/// The seconds of a window that has several, and the stream of its period.
pub(super) trait Candidates {
    /// Draws a second of the window. Returns it if it is allowed.
    fn draw(&mut self) -> Option<i64>;

    /// How many seconds of the window are allowed.
    fn allowed(&self) -> u64;

    /// Draws one of the allowed seconds, of which there are so many.
    fn draw_allowed(&mut self, allowed: u64) -> i64;
}

/// The choice, if one of the first draws makes it.
#[inline(always)]
pub(super) fn choose_among_first(draws: u8, candidates: &mut impl Candidates) -> Option<Choice> {
    choose_in(0, draws, candidates)
}

/// The choice, where so many draws were made and none was allowed.
#[inline(always)]
pub(super) fn choose(algorithm: Algorithm, drawn: u8, candidates: &mut impl Candidates) -> Choice {
    if let Some(choice) = choose_in(drawn, DRAWS, candidates) {
        return choice;
    }
    if algorithm == Algorithm::Sha256SplitMix64 {
        return nothing_allowed(algorithm);
    }
    match candidates.allowed() {
        0 => nothing_allowed(algorithm),
        allowed => (DRAWS + 1, Ok(candidates.draw_allowed(allowed))),
    }
}

#[inline(always)]
fn choose_in(drawn: u8, until: u8, candidates: &mut impl Candidates) -> Option<Choice> {
    (drawn..until).find_map(|drawn| candidates.draw().map(|chosen| (drawn + 1, Ok(chosen))))
}

/// The choice in a window of several seconds of which none is allowed: all draws fail, so none need be made.
#[inline]
pub(super) fn nothing_allowed(algorithm: Algorithm) -> Choice {
    let why = match algorithm {
        Algorithm::SipHashChaCha8 => Unschedulable::NoAllowedSecond,
        Algorithm::Sha256SplitMix64 => Unschedulable::DrawsExhausted,
    };
    (DRAWS, Err(why))
}

/// The choice in a window of one second, for which nothing is drawn.
#[inline]
pub(super) fn choose_undrawn(second: i64, is_allowed: bool) -> Choice {
    (0, if is_allowed { Ok(second) } else { Err(Unschedulable::NoAllowedSecond) })
}

/// The index of a position in `[0, 1)` among so many: `floor(position * count)`, limited to `0..count`.
#[inline]
pub(crate) fn pick(position: f64, count: u64) -> i64 {
    // OK because counts are below 2^26 seconds, exact in floating point, and the cast turns NaN and negatives into 0.
    ((position * count as f64) as u64).min(count - 1) as i64
}
