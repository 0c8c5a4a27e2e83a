//! Whether the contenders agree with Kron.

use kron_core::Zone;

use crate::contender::{Contender, Cronp, ExpressionParser as _, Kron};
use crate::{Case, FROM, TO};

/// The contender with this case, if it has what the case needs. Asserts that it gives Kron's answers at all instants.
pub fn agreeing<C: Contender>(case: Case, instants: &[i64]) -> Option<C> {
    let contender = C::new(case)?;
    let ours = case.schedule();
    for at in instants {
        assert_eq!(contender.next(*at), ours.next_timestamp(*at), "{} {case} after {at}", C::NAME);
    }
    Some(contender)
}

/// Seconds around Kron's clock changes of 2020 to 2035 at which a contender gives another answer than Kron, and how many
/// were asked: every quarter of an hour from three hours before a change to three hours after it.
pub fn disagreements<C: Contender>(case: Case) -> Option<(usize, usize)> {
    let contender = C::new(case)?;
    let (ours, zone) = (case.schedule(), Zone::parse(case.zone).expect("a zone of the list"));
    let mut asked = (0, 0);
    let changes = (FROM..TO).step_by(900).filter(|at| zone.offset_at(*at) != zone.offset_at(at - 900));
    for at in changes.flat_map(|change| (change - 10_800..=change + 10_800).step_by(900)) {
        asked.0 += usize::from(contender.next(at) != ours.next_timestamp(at));
        asked.1 += 1;
    }
    Some(asked)
}

/// Asserts that `cronp` means the same by an expression: its first occurrences match, and the minutes after them match if
/// they are occurrences.
pub fn assert_cronp_agrees(expression: &'static str) {
    let Some(cronp) = Cronp::new(expression) else { return };
    let case = Case { expression, zone: "UTC" };
    let kron = Kron::new(case).expect("Kron takes every case");
    let mut at = FROM;
    // The years of a `cronp` schedule end earlier than Kron's.
    for _ in 0..case.occurrences().min(50) {
        at = kron.next(at).expect("an occurrence");
        let after = at + 60;
        let found = (cronp.matches(at), cronp.matches(after));
        assert_eq!(found, (true, kron.next(at) == Some(after)), "{} {case} at {at}", Cronp::NAME);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn cronp_means_the_same() {
        crate::EXPRESSIONS.into_iter().for_each(super::assert_cronp_agrees);
    }
}
