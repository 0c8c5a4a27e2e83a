//! Plans: all actions and outcomes of one evaluation of a job, in order of chosen time.
//!
//! A host that wakes up late finds several open periods. The catch-up rule keeps it from starting all of them: of the
//! open periods that are inside their deadline but more than ten seconds late, only the one with the latest chosen time
//! is considered. Those up to ten seconds late are all considered, so that a slow evaluation loses none.
//!
//! The list of steps is a vector, or a slice of the caller: see `step_list.rs`.

use alloc::vec::Vec;
use core::{fmt, slice};

use crate::decision::period::Period;
use crate::limits::{CATCH_UP_GRACE, ENDED_LISTED, MISSED_LISTED};
use crate::plan::action::{Action, Lateness};
use crate::plan::policy::{Outcome, Policy};
use crate::plan::step::Step;
use crate::plan::step_list::StepList;
use crate::time::instant::Instant;

/// All actions and outcomes of one evaluation. `P` is the type of the periods that were given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan<P> {
    /// In order of chosen time (window end if unschedulable), ties by nominal time: to be carried out in this order.
    pub steps: Vec<Step<P>>,
    /// Missed periods that are not in `steps`, which lists the newest 100 past their deadline and the newest 100 that the
    /// catch-up rule drops. Unschedulable periods count here too if they are older than the newest 100,000 whose windows
    /// have ended, or, in a plan of a job, than the newest 1,000,000 open periods whose windows have ended.
    pub older_missed: u64,
    /// Unix second at which to plan again: the earliest wait of the steps or, from [`Job::plan`](crate::Job::plan), the
    /// opening of the next window. `None` if nothing is left to wait for. [`SystemTime::from_timestamp`](crate::time::FromTimestamp) makes a
    /// time of it.
    pub wake_up: Option<i64>,
}

/// The steps, in order.
impl<P> IntoIterator for Plan<P> {
    type Item = Step<P>;
    type IntoIter = alloc::vec::IntoIter<Step<P>>;

    fn into_iter(self) -> Self::IntoIter {
        self.steps.into_iter()
    }
}

/// The steps, in order.
impl<'a, P> IntoIterator for &'a Plan<P> {
    type Item = &'a Step<P>;
    type IntoIter = slice::Iter<'a, Step<P>>;

    fn into_iter(self) -> Self::IntoIter {
        self.steps.iter()
    }
}

/// Plans one evaluation of a job: what to do with its open periods, given whether an execution is active.
///
/// *Open* periods are in force, not handled, and their window has begun; they may come in any order. Within one plan,
/// `active` takes the earlier actions of the plan into account.
///
/// Periods are given as [`Period`], as [`Decision`](crate::Decision) or as a type of the host that has a period; the steps return them,
/// so a host needs no map from periods to its own data.
///
/// ```
/// use kron_core::{Job, Outcome};
/// use kron_core::plan::{Action, plan};
/// let job = Job::parse("prod/sync", "*/5 * * * * @policy(deadline=1h)")?;
/// let open = [job.decide(0)?, job.decide(300)?, job.decide(600)?];
/// let plan = plan(open, job.spec().policy(), 605, false);
/// let actions: Vec<Action> = plan.steps.iter().map(|step| step.action).collect();
/// // Two are more than ten seconds late, so only the later one catches up; the third is in time, but one is active then.
/// assert_eq!(actions, [Action::Record(Outcome::Missed), Action::Execute, Action::Record(Outcome::Skipped)]);
/// assert_eq!(plan.steps[1].period.period_id(), "1970-01-01T00:05:00Z");
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn plan<P: AsRef<Period>>(
    open: impl IntoIterator<Item = P>,
    policy: &Policy,
    now: impl Instant,
    active: bool,
) -> Plan<P> {
    let mut planner = Planner::new(policy, now.floor(), Vec::new());
    open.into_iter().for_each(|period| planner.add(period));
    let (steps, counts) = planner.finish(active);
    Plan { steps, older_missed: counts.older_missed, wake_up: counts.wake_up }
}

/// A plan whose steps are in a slice of the caller. Made by [`Job::plan_into`](crate::Job::plan_into).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanCounts {
    /// How many places have a step, from the first one on.
    pub steps: usize,
    /// As in a [`Plan`].
    pub older_missed: u64,
    /// As in a [`Plan`].
    pub wake_up: Option<i64>,
}

/// A slice is too short for a plan: it needs this many places. They are more than the steps where more periods are missed than a plan
/// lists one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotsNeeded(pub usize);

impl fmt::Display for SlotsNeeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the slice is too short for the plan; give one of {} places", self.0)
    }
}

impl core::error::Error for SlotsNeeded {}

/// Sorts open periods one by one. Of the missed ones it keeps only those that a plan lists, so its memory is bounded.
///
/// All of them are in one list. Until [`finish`](Planner::finish) each has the action of its [`Class`].
#[derive(Debug)]
pub(crate) struct Planner<'p, P, L> {
    policy: &'p Policy,
    now: i64,
    list: L,
    /// The one that catches up.
    latest: Option<P>,
    /// How many are considered by the rules of policy.
    considered: usize,
    dropped: Newest,
    past: Newest,
    /// Unschedulable ones whose windows have ended; all whose time has come, of a suspended job.
    ended: Newest,
    /// Whether a step did not fit into the list. Steps are then only counted.
    overflow: bool,
}

/// What a period is in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Considered,
    Dropped,
    Past,
    Ended,
}

impl Class {
    /// The action that stands for the class while the plan is made.
    const fn mark(self) -> Action {
        match self {
            Class::Considered => Action::Nothing,
            Class::Dropped => Action::Record(Outcome::Skipped),
            Class::Past => Action::Record(Outcome::Missed),
            Class::Ended => Action::Record(Outcome::Unschedulable),
        }
    }
}

/// The newest periods of a class, and a count of the others.
#[derive(Debug)]
struct Newest {
    /// How many are in the list.
    kept: usize,
    most: usize,
    older: u64,
    /// The order of the oldest period that is kept, once others were dropped: older ones are only counted.
    oldest: Option<(i64, i64)>,
}

fn order(period: &Period) -> (i64, i64) {
    (period.order_timestamp(), period.nominal_timestamp())
}

impl Newest {
    const fn new(most: usize) -> Newest {
        Newest { kept: 0, most, older: 0, oldest: None }
    }

    /// How many a plan lists.
    fn listed(&self) -> usize {
        self.kept.min(self.most)
    }

    /// How many places of a slice it may need: beside those that are listed some that are counted later, so that the list is cut rarely.
    fn places(&self) -> usize {
        self.most + self.most / 4
    }

    /// How many places it needs, now that all periods are known.
    fn needed(&self) -> usize {
        if self.older > 0 || self.kept > self.most { self.places() } else { self.kept }
    }

    /// How many a plan only counts.
    fn counted(&self) -> u64 {
        self.older + (self.kept - self.listed()) as u64
    }

    /// Whether a period only counts whose window ends at `last`, and whose nominal time is before that of all so far.
    fn only_counts(&self, last: i64) -> bool {
        self.oldest.is_some_and(|(chosen, _)| last <= chosen)
    }
}

impl<'p, P: AsRef<Period>, L: StepList<P>> Planner<'p, P, L> {
    pub(crate) fn new(policy: &'p Policy, now: i64, list: L) -> Planner<'p, P, L> {
        Planner {
            policy,
            now,
            list,
            latest: None,
            considered: 0,
            dropped: Newest::new(MISSED_LISTED),
            past: Newest::new(MISSED_LISTED),
            ended: Newest::new(ENDED_LISTED),
            overflow: false,
        }
    }

    pub(crate) fn add(&mut self, period: P) {
        let times = *period.as_ref();
        let Some(chosen) = times.chosen_timestamp().filter(|_| !self.policy.suspend()) else {
            return match times.order_timestamp() < self.now {
                true => self.keep_newest(Class::Ended, period),
                false => self.consider(period),
            };
        };
        match self.policy.lateness(chosen, self.now) {
            Lateness::Past => self.keep_newest(Class::Past, period),
            Lateness::Due(late) if late > CATCH_UP_GRACE => {
                let (earlier, later) = match self.latest.take() {
                    Some(latest) if order(latest.as_ref()) > order(&times) => (Some(period), latest),
                    latest => (latest, period),
                };
                self.latest = Some(later);
                if let Some(earlier) = earlier {
                    self.keep_newest(Class::Dropped, earlier);
                }
            }
            _ => self.consider(period),
        }
    }

    /// The count of a class that has a limit.
    fn newest(&mut self, class: Class) -> Option<&mut Newest> {
        match class {
            Class::Considered => None,
            Class::Dropped => Some(&mut self.dropped),
            Class::Past => Some(&mut self.past),
            Class::Ended => Some(&mut self.ended),
        }
    }

    fn consider(&mut self, period: P) {
        self.make_room();
        self.considered += 1;
        self.push(Class::Considered, period);
    }

    fn keep_newest(&mut self, class: Class, period: P) {
        // Twice as many as are listed, so that the list is cut rarely.
        if !self.overflow && self.newest(class).is_some_and(|newest| newest.kept >= 2 * newest.most) {
            self.cut(class);
        }
        self.make_room();
        let times = order(period.as_ref());
        let Some(newest) = self.newest(class) else { return };
        if newest.oldest.is_some_and(|oldest| times < oldest) {
            newest.older += 1;
            return;
        }
        newest.kept += 1;
        self.push(class, period);
    }

    /// If the list is full, those that a plan only counts give their places, where they are many enough that this is rare.
    fn make_room(&mut self) {
        if self.overflow || !self.list.is_full() {
            return;
        }
        for class in [Class::Past, Class::Dropped, Class::Ended] {
            if self.newest(class).is_some_and(|newest| newest.kept >= newest.places()) {
                self.cut(class);
            }
        }
    }

    /// Puts a period on the list, which has been counted.
    fn push(&mut self, class: Class, period: P) {
        if !self.overflow {
            self.overflow = !self.list.push(period, class.mark());
        }
    }

    /// Removes those of a class that a plan only counts.
    fn cut(&mut self, class: Class) {
        let overflow = self.overflow;
        let Some(newest) = self.newest(class) else { return };
        let older = newest.kept.saturating_sub(newest.most);
        if older == 0 || overflow {
            return;
        }
        let kept = newest.kept;
        let slots = self.list.slots();
        // Those of the class come last.
        let mut others = 0;
        for index in 0..slots.len() {
            if L::read(&slots[index]).1 != class.mark() {
                slots.swap(others, index);
                others += 1;
            }
        }
        debug_assert_eq!(slots.len() - others, kept);
        let of_class = &mut slots[others..];
        let (_, oldest, _) = of_class.select_nth_unstable_by_key(older, |slot| order(&L::read(slot).0));
        let oldest = order(&L::read(oldest).0);
        of_class.rotate_left(older);
        let left = slots.len() - older;
        self.list.truncate(left);
        if let Some(newest) = self.newest(class) {
            newest.kept -= older;
            newest.older += older as u64;
            newest.oldest = Some(oldest);
        }
    }

    /// Whether a period only counts as missed if it is schedulable, wherever in its window it was chosen. Its nominal time
    /// is before that of all so far.
    pub(crate) fn only_counts(&self, first: i64, last: i64) -> bool {
        if self.policy.suspend() {
            return self.ended.only_counts(last);
        }
        match self.is_missed(last) {
            true => self.past.only_counts(last),
            false => !self.is_missed(first) && self.is_late(last) && self.dropped.only_counts(last),
        }
    }

    /// Whether a chosen time is past its deadline.
    pub(crate) fn is_missed(&self, chosen: i64) -> bool {
        !self.policy.suspend() && self.policy.lateness(chosen, self.now) == Lateness::Past
    }

    /// The first nominal time whose window begins inside the deadline, for windows that begin `reach` seconds after it.
    pub(crate) fn in_time_from(&self, reach: i64) -> i64 {
        self.now.saturating_sub(self.policy.deadline().as_secs()).saturating_sub(reach)
    }

    /// Counts periods that are missed and not listed.
    pub(crate) fn count_missed(&mut self, periods: u64) {
        self.past.older += periods;
    }

    pub(crate) fn is_late(&self, chosen: i64) -> bool {
        chosen < self.now.saturating_sub(CATCH_UP_GRACE)
    }

    /// The list of the steps, in order, and what else a plan has.
    pub(crate) fn finish(mut self, mut active: bool) -> (L, PlanCounts) {
        if let Some(latest) = self.latest.take() {
            self.consider(latest);
        }
        [Class::Past, Class::Dropped, Class::Ended].into_iter().for_each(|class| self.cut(class));
        // Those of a suspended job are neither missed nor handled.
        let ended_older = if self.policy.suspend() { 0 } else { self.ended.counted() };
        let steps = self.considered + self.past.listed() + self.dropped.listed() + self.ended.listed();
        let older_missed = self.past.counted() + self.dropped.counted() + ended_older;
        if self.overflow {
            let [past, dropped, ended] = [&self.past, &self.dropped, &self.ended].map(Newest::needed);
            let steps = self.considered + past + dropped + ended;
            return (self.list, PlanCounts { steps, older_missed, wake_up: None });
        }
        let slots = self.list.slots();
        slots.sort_unstable_by_key(|slot| L::read(slot).0.nominal_timestamp());
        let mut previous_open = None;
        for slot in slots.iter_mut() {
            let (period, mark) = L::read(slot);
            L::write(slot, mark, previous_open);
            previous_open = Some(period.nominal_timestamp());
        }
        if !slots.is_sorted_by_key(|slot| order(&L::read(slot).0)) {
            slots.sort_unstable_by_key(|slot| order(&L::read(slot).0));
        }
        // The actions for those that are considered depend on `active`, so they are decided in order.
        let mut wake_up: Option<i64> = None;
        for slot in slots {
            let (period, mark) = L::read(slot);
            let action = match mark {
                Action::Record(Outcome::Missed | Outcome::Skipped) => Action::Record(Outcome::Missed),
                _ => self.policy.evaluate(period, self.now, false, active),
            };
            match action {
                Action::Execute | Action::Replace => active = true,
                Action::Wait { until } => {
                    wake_up = Some(wake_up.map_or(until, |earlier| earlier.min(until)));
                }
                Action::Nothing | Action::Record(_) => {}
            }
            L::set_action(slot, action);
        }
        (self.list, PlanCounts { steps, older_missed, wake_up })
    }
}
