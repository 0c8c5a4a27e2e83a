//! What an edit of jobs changes: jobs that are added, removed, renamed or changed, their starts, and the peak.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::RangeBounds;

use kron_core::job::{Chooser, StartSeries};
use kron_core::time::seconds_of;
use kron_core::{Decision, Error, Instant, Job};

use crate::fleet::Fleet;

/// The effect of an edit on a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JobChange {
    /// Name and text are the same.
    Unchanged,
    /// The text differs.
    Changed,
    /// The name differs, and the text is the same.
    Renamed,
    /// The job is new.
    Added,
    /// The job is gone.
    Removed,
}

impl JobChange {
    /// All values, in order.
    pub const ALL: [JobChange; 5] =
        [JobChange::Unchanged, JobChange::Changed, JobChange::Renamed, JobChange::Added, JobChange::Removed];

    /// The word for the value.
    ///
    /// ```
    /// assert_eq!(kron_fleet::diff::JobChange::Renamed.as_str(), "renamed");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            JobChange::Unchanged => "unchanged",
            JobChange::Changed => "changed",
            JobChange::Renamed => "renamed",
            JobChange::Added => "added",
            JobChange::Removed => "removed",
        }
    }
}

/// The effect of an edit on a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StartChangeKind {
    /// The period has a start that it did not have.
    Appears,
    /// The period loses its start.
    Vanishes,
    /// The period starts at another second.
    Moves,
}

impl StartChangeKind {
    /// The word for the value.
    ///
    /// ```
    /// assert_eq!(kron_fleet::diff::StartChangeKind::Moves.as_str(), "moves");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            StartChangeKind::Appears => "appears",
            StartChangeKind::Vanishes => "vanishes",
            StartChangeKind::Moves => "moves",
        }
    }
}

/// One job before and after an edit: the old job, the new job, or both. Made by [`Fleet::pair_with`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JobPair<'a> {
    /// The job before the edit; `None` if it is added.
    pub old: Option<&'a Job>,
    /// The job after the edit; `None` if it is removed.
    pub new: Option<&'a Job>,
}

/// A period whose start differs. Made by [`JobPair::start_changes`], [`JobPair::at_edit`] and
/// [`compare_starts`](crate::compare::compare_starts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StartChange {
    /// The nominal time of the period, in Unix seconds.
    pub nominal: i64,
    /// The start before the edit, in Unix seconds; `None` without one.
    pub old: Option<i64>,
    /// The start after the edit, in Unix seconds; `None` without one.
    pub new: Option<i64>,
}

/// The busiest minute of a fleet. Made by [`Fleet::peak`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Peak {
    /// All starts in the range.
    pub starts: u64,
    /// The most starts in one minute of UTC.
    pub per_minute: u64,
    /// The first minute with this number, as its first Unix second; `None` if nothing starts.
    pub minute: Option<i64>,
    /// The jobs whose search for starts failed, by their place in the fleet, with the errors. Their later starts are not
    /// counted.
    pub errors: Vec<(usize, Error)>,
}

impl StartChange {
    /// What happens to the start: it appears, vanishes or moves. A start with two equal times moves by 0 s.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// use kron_fleet::diff::StartChangeKind;
    /// let old = Fleet::new(vec![Job::parse("db/backup", "0 1 * * *")?])?;
    /// let new = Fleet::default();
    /// let pair = old.pair_with(&new)[0];
    /// let change = pair.start_changes(0..86_400).next().unwrap()?;
    /// assert_eq!((change.kind(), change.old, change.new), (StartChangeKind::Vanishes, Some(3600), None));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn kind(&self) -> StartChangeKind {
        match (self.old, self.new) {
            (None, _) => StartChangeKind::Appears,
            (Some(_), None) => StartChangeKind::Vanishes,
            (Some(_), Some(_)) => StartChangeKind::Moves,
        }
    }

    /// The earlier of the two times, by which changes are ordered.
    pub(crate) fn first(&self) -> Option<i64> {
        self.old.into_iter().chain(self.new).min()
    }
}

impl Fleet {
    /// Pairs each job with the job that replaces it in another fleet, in order of names (of the new name, if there are two).
    ///
    /// Jobs of one name belong together. A job is renamed if its name is gone, and exactly one new name has an equal spec,
    /// which no other job whose name is gone has.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// use kron_fleet::diff::JobChange;
    /// let old = Fleet::new(vec![Job::parse("a", "@daily")?, Job::parse("b", "@hourly")?, Job::parse("c", "@weekly")?])?;
    /// let new = Fleet::new(vec![Job::parse("z", "@hourly")?, Job::parse("a", "0 1 * * *")?])?;
    /// let changes: Vec<JobChange> = old.pair_with(&new).iter().map(|pair| pair.change()).collect();
    /// assert_eq!(changes, [JobChange::Changed, JobChange::Removed, JobChange::Renamed]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn pair_with<'a>(&'a self, new: &'a Fleet) -> Vec<JobPair<'a>> {
        let mut pairs: BTreeMap<&str, JobPair<'a>> = BTreeMap::new();
        for job in self.jobs() {
            pairs.insert(job.name(), JobPair { old: Some(job), new: None });
        }
        for job in new.jobs() {
            pairs.entry(job.name()).or_insert(JobPair { old: None, new: None }).new = Some(job);
        }
        // The jobs of each text that only one side has.
        let mut single: BTreeMap<String, (Vec<&Job>, Vec<&Job>)> = BTreeMap::new();
        for pair in pairs.values() {
            match (pair.old, pair.new) {
                (Some(old), None) => single.entry(old.spec().to_string()).or_default().0.push(old),
                (None, Some(new)) => single.entry(new.spec().to_string()).or_default().1.push(new),
                _ => {}
            }
        }
        for (olds, news) in single.values() {
            if let ([old], [new]) = (olds.as_slice(), news.as_slice())
                && old.spec() == new.spec()
            {
                pairs.remove(old.name());
                pairs.insert(new.name(), JobPair { old: Some(old), new: Some(new) });
            }
        }
        pairs.into_values().collect()
    }

    /// Counts the starts with chosen times in a range in each minute, and finds the busiest minute. Suspended jobs start
    /// nothing.
    ///
    /// Exact. A range of up to 366 days takes four bytes of memory for each of its minutes, a longer one takes no more than the
    /// series of [`starts`](Fleet::starts).
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::new(vec![Job::parse("a", "0 1 * * *")?, Job::parse("b", "0,30 1 * * *")?])?;
    /// let peak = fleet.peak(0..86_400);
    /// assert_eq!((peak.starts, peak.per_minute, peak.minute), (3, 2, Some(3600)));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn peak<I: Instant>(&self, range: impl RangeBounds<I>) -> Peak {
        let Ok(peak) = self.peak_with(range, || Ok::<(), Infallible>(()));
        peak
    }

    /// [`peak`](Fleet::peak) with a callback, which is called for each job or for each start. An error of it ends the count.
    ///
    /// # Errors
    ///
    /// Those of `check`.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::new(vec![Job::parse("a", "0 1 * * *")?])?;
    /// assert_eq!(fleet.peak_with(0..86_400, || Ok::<(), kron_core::Error>(()))?, fleet.peak(0..86_400));
    /// assert_eq!(fleet.peak_with(0..86_400, || Err("enough")), Err("enough"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn peak_with<I: Instant, E>(
        &self,
        range: impl RangeBounds<I>,
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<Peak, E> {
        let seconds = seconds_of(range);
        let (from, to) = (seconds.start, seconds.end);
        if to.saturating_sub(from) <= COUNTED_MAX {
            return self.counted_peak(from, to, check);
        }
        let mut peak = Peak { starts: 0, per_minute: 0, minute: None, errors: Vec::new() };
        let (mut minute, mut in_minute) = (i64::MIN, 0);
        for (index, start) in self.starts(from..to) {
            check()?;
            if self.jobs()[index].spec().policy().suspend() {
                continue;
            }
            match start {
                Err(error) => peak.errors.push((index, error)),
                Ok(start) => {
                    let this = start.order_timestamp().div_euclid(60) * 60;
                    in_minute = if this == minute { in_minute + 1 } else { 1 };
                    minute = this;
                    peak.starts += 1;
                    if in_minute > peak.per_minute {
                        (peak.per_minute, peak.minute) = (in_minute, Some(this));
                    }
                }
            }
        }
        Ok(peak)
    }

    /// The same for a short range: the starts of each minute are counted, in any order, which is less work than to find them in
    /// order where windows overlap.
    fn counted_peak<E>(
        &self,
        from: i64,
        to: i64,
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<Peak, E> {
        let mut peak = Peak { starts: 0, per_minute: 0, minute: None, errors: Vec::new() };
        let first = from.div_euclid(60);
        // OK because the range has at most as many minutes as 366 days.
        let minutes = (to.saturating_sub(1).div_euclid(60) - first + 1).max(0) as usize;
        let mut counts = vec![0_u32; minutes];
        for (index, job) in self.jobs().iter().enumerate() {
            check()?;
            if job.spec().policy().suspend() {
                continue;
            }
            let counted = job.each_start(from..to, |start| {
                // OK because the start is in the range.
                let count = &mut counts[(start.div_euclid(60) - first) as usize];
                *count = count.saturating_add(1);
                peak.starts += 1;
            });
            if let Err(error) = counted {
                peak.errors.push((index, error));
            }
        }
        for (minute, count) in (first..).zip(counts) {
            if u64::from(count) > peak.per_minute {
                (peak.per_minute, peak.minute) = (count.into(), Some(minute * 60));
            }
        }
        Ok(peak)
    }
}

/// The longest range, in seconds, of which the starts of each minute are counted: 366 days.
const COUNTED_MAX: i64 = 366 * 86_400;

impl<'a> JobPair<'a> {
    /// The effect of the edit on the job. A job whose text is only written in another way is unchanged.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// use kron_fleet::diff::JobChange;
    /// let old = Fleet::new(vec![Job::parse("a", "@daily @win(after,60m)")?])?;
    /// let new = Fleet::new(vec![Job::parse("a", "0 0 * * * @win(after,1h)")?])?;
    /// assert_eq!(old.pair_with(&new)[0].change(), JobChange::Unchanged);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn change(&self) -> JobChange {
        match (self.old, self.new) {
            (None, _) => JobChange::Added,
            (Some(_), None) => JobChange::Removed,
            (Some(old), Some(new)) if old.name() != new.name() => JobChange::Renamed,
            (Some(old), Some(new)) if old.spec() != new.spec() => JobChange::Changed,
            (Some(_), Some(_)) => JobChange::Unchanged,
        }
    }

    /// The starts that appear, vanish or move, of those with an old or a new chosen time in a range: in order of their
    /// old time, or of the new one if the old one is not in the range.
    ///
    /// Starts belong together if they are of one period, that is of one nominal time. A suspended job starts nothing.
    ///
    /// Lazy, as [`Job::starts`] is. An error of one of the two searches ends the changes.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// use kron_fleet::diff::StartChangeKind;
    /// let old = Fleet::new(vec![Job::parse("db/backup", "0 1 * * * @win(after,3h)")?])?;
    /// let new = Fleet::new(vec![Job::parse("db/backup", "0 1 * * * @win(after,3h) @seed(stable,salt=v2)")?])?;
    /// let pair = old.pair_with(&new)[0];
    /// let changes = pair.start_changes(0..7 * 86_400).collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(changes.len(), 7);
    /// assert!(changes.iter().all(|change| change.kind() == StartChangeKind::Moves));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn start_changes<I: Instant>(&self, range: impl RangeBounds<I>) -> StartChanges<'a> {
        let seconds = seconds_of(range);
        let (from, to) = (seconds.start, seconds.end);
        let [old, new] = [active(self.old), active(self.new)].map(|job| Side {
            job,
            series: job.map(|job| job.starts(from..to).with_pending(PENDING)),
            head: None,
            chooser: job.map(Job::chooser),
        });
        StartChanges { old, new, from, to, failed: false }
    }

    /// The periods that an edit at an instant skips or repeats, in order of nominal time.
    ///
    /// Starts up to the instant are those of the old job, later ones those of the new job. A period is *skipped* if its old
    /// start is after the edit and its new start is not: it starts under neither. It is *repeated* if its old start is not
    /// after the edit and its new start is: it starts under both, unless the host remembers which periods it has started.
    /// Only periods of both schedules are compared. A suspended job starts nothing.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let old = Fleet::new(vec![Job::parse("db/backup", "0 1 * * * @win(after,4h) @only(hours=2)")?])?;
    /// let new = Fleet::new(vec![Job::parse("db/backup", "0 1 * * * @win(after,4h) @only(hours=4)")?])?;
    /// let edit = 3 * 3600;
    /// let repeated = old.pair_with(&new)[0].at_edit(edit).next().unwrap();
    /// assert!(repeated.old.unwrap() <= edit && repeated.new.unwrap() > edit);
    /// let skipped = new.pair_with(&old)[0].at_edit(edit).next().unwrap();
    /// assert!(skipped.old.unwrap() > edit && skipped.new.unwrap() <= edit);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn at_edit<I: Instant>(&self, at: I) -> impl Iterator<Item = StartChange> + use<'a, I> {
        let at = at.floor();
        let pair =
            if self.change() == JobChange::Unchanged { None } else { active(self.old).zip(active(self.new)) };
        pair.into_iter().flat_map(move |(old, new)| {
            // Periods whose windows, taken together, reach both sides of the edit.
            let (a, b) = (old.spec().reach(), new.spec().reach());
            let after = at.saturating_sub(a.last.max(b.last)).saturating_sub(1);
            let last = at.saturating_sub(a.first.min(b.first));
            let nominal = core::iter::successors(old.next_nominal_timestamp(after), |nominal| {
                old.next_nominal_timestamp(*nominal)
            });
            let (mut of_old, mut of_new) = (old.chooser(), new.chooser());
            nominal.take_while(move |nominal| *nominal <= last).filter_map(move |nominal| {
                let before = chosen_of(old, nominal, &mut of_old)?;
                let after = chosen_of(new, nominal, &mut of_new)?;
                ((before <= at) != (after <= at)).then_some(StartChange {
                    nominal,
                    old: Some(before),
                    new: Some(after),
                })
            })
        })
    }
}

/// The job, unless it is suspended.
fn active(job: Option<&Job>) -> Option<&Job> {
    job.filter(|job| !job.spec().policy().suspend())
}

/// The start of a period, if the job has this period and it has a start.
fn chosen_of(job: &Job, nominal: i64, chooser: &mut Chooser<'_>) -> Option<i64> {
    // OK because it is a nominal time then.
    job.is_on_schedule(nominal).then(|| chooser.choose(nominal).ok().flatten()).flatten()
}

/// Starts that each of the two series of a pair keeps: with windows of 366 days, each period of a job of every minute is
/// decided a few times instead of seventeen times. Two series take four megabytes each at most.
const PENDING: usize = 262_144;

/// The starts of a job that an edit changes. Made by [`JobPair::start_changes`].
#[derive(Clone, Debug)]
pub struct StartChanges<'a> {
    old: Side<'a>,
    new: Side<'a>,
    from: i64,
    to: i64,
    failed: bool,
}

/// The starts of one version of a job.
#[derive(Clone, Debug)]
struct Side<'a> {
    job: Option<&'a Job>,
    series: Option<StartSeries<'a>>,
    /// The next start, once it was searched for: chosen and nominal time.
    head: Option<(i64, i64)>,
    /// Chooses the starts of single periods.
    chooser: Option<Chooser<'a>>,
}

impl Side<'_> {
    /// The next start, without moving past it.
    fn peek(&mut self) -> Result<Option<(i64, i64)>, Error> {
        if self.head.is_none() {
            let next = self.series.as_mut().and_then(Iterator::next).transpose()?;
            let times = |start: Decision<'_>| (start.order_timestamp(), start.nominal_timestamp());
            self.head = next.map(times);
        }
        Ok(self.head)
    }

    fn chosen_of(&mut self, nominal: i64) -> Option<i64> {
        chosen_of(self.job?, nominal, self.chooser.as_mut()?)
    }
}

impl StartChanges<'_> {
    fn next_change(&mut self) -> Result<Option<StartChange>, Error> {
        loop {
            let (old, new) = (self.old.peek()?, self.new.peek()?);
            let old_is_next = match (old, new) {
                (None, None) => return Ok(None),
                (Some(old), Some(new)) if old == new => {
                    (self.old.head, self.new.head) = (None, None);
                    continue;
                }
                (Some(old), Some(new)) => old < new,
                (old, None) => old.is_some(),
                (None, _) => false,
            };
            if old_is_next {
                let Some((chosen, nominal)) = self.old.head.take() else { continue };
                let new = self.new.chosen_of(nominal);
                return Ok(Some(StartChange { nominal, old: Some(chosen), new }));
            }
            let Some((chosen, nominal)) = self.new.head.take() else { continue };
            let old = self.old.chosen_of(nominal);
            // A start that moves within the range comes at its old time.
            if !old.is_some_and(|old| (self.from..self.to).contains(&old)) {
                return Ok(Some(StartChange { nominal, old, new: Some(chosen) }));
            }
        }
    }
}

impl Iterator for StartChanges<'_> {
    type Item = Result<StartChange, Error>;

    fn next(&mut self) -> Option<Result<StartChange, Error>> {
        if self.failed {
            return None;
        }
        let next = self.next_change();
        self.failed = next.is_err();
        next.transpose()
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    const DAY: i64 = 86_400;
    const MARCH: i64 = 1_772_323_200;

    fn fleet(jobs: &[(&str, &str)]) -> Fleet {
        Fleet::new(jobs.iter().map(|(name, text)| Job::parse(name, text).unwrap()).collect()).unwrap()
    }

    /// The starts of a job by nominal time, from its periods alone.
    fn starts_by_period(job: &Job) -> BTreeMap<i64, i64> {
        let periods = job.periods(MARCH - 10 * DAY..MARCH + 20 * DAY);
        periods.filter_map(|period| Some((period.nominal_timestamp(), period.chosen_timestamp()?))).collect()
    }

    #[test]
    fn changes_agree_with_two_tables_of_periods() {
        let texts = [
            "0 1 * * * @win(after,3h)",
            "0 1 * * * @win(after,1h)",
            "0 1 * * * @win(before,50h)",
            "0 1 * * * @win(after,3h) @seed(stable,salt=v2)",
            "0 1 * * * @tz(Europe/Paris) @win(after,3h)",
            "0 1 * * * @win(after,30h) @only(hours=2)",
            "0 1 * * * @win(after,3h) @avoid(dow=SUN)",
            "*/20 * * * * @win(around,2h)",
            "0 1,2 * * * @win(after,3h) @seed(daily)",
            "0 0 1 1 *",
        ];
        let (from, to) = (MARCH + 3600, MARCH + 4 * DAY + 7200);
        for old in texts {
            for new in texts {
                let (olds, news) = (fleet(&[("a/b", old)]), fleet(&[("a/b", new)]));
                let (old_starts, new_starts) =
                    (starts_by_period(&olds.jobs()[0]), starts_by_period(&news.jobs()[0]));
                let range = |time: &Option<i64>| time.is_some_and(|time| (from..to).contains(&time));
                let mut want = Vec::new();
                let (mut skipped, mut repeated) = (0, 0);
                let mut nominal: Vec<i64> = old_starts.keys().chain(new_starts.keys()).copied().collect();
                nominal.sort_unstable();
                nominal.dedup();
                for nominal in nominal {
                    let (old, new) = (old_starts.get(&nominal).copied(), new_starts.get(&nominal).copied());
                    if old != new && (range(&old) || range(&new)) {
                        want.push(StartChange { nominal, old, new });
                    }
                    if let (Some(old), Some(new)) = (old, new) {
                        skipped += usize::from(old > from && new <= from);
                        repeated += usize::from(old <= from && new > from);
                    }
                }
                let pair = olds.pair_with(&news)[0];
                let mut found: Vec<StartChange> =
                    pair.start_changes(from..to).collect::<Result<_, _>>().unwrap();
                let time = |change: &StartChange| if range(&change.old) { change.old } else { change.new };
                assert!(found.is_sorted_by_key(time), "{old} / {new}");
                found.sort_by_key(|change| change.nominal);
                assert_eq!(found, want, "{old} / {new}");
                let (again, never): (Vec<_>, Vec<_>) =
                    pair.at_edit(from).partition(|change| change.old <= Some(from));
                assert_eq!((never.len(), again.len()), (skipped, repeated), "{old} / {new}");
                assert_eq!(pair.change() == JobChange::Unchanged, old == new);
            }
        }
    }

    #[test]
    fn what_a_name_decides() {
        let old = fleet(&[
            ("a", "@daily"),
            ("b", "@hourly"),
            ("twin/1", "@weekly"),
            ("twin/2", "@weekly"),
            ("z", "@daily"),
        ]);
        let new =
            fleet(&[("twin/3", "@weekly"), ("a", "0 0 * * *"), ("c", "@hourly"), ("twin/4", "@weekly")]);
        let pairs: Vec<_> = old
            .pair_with(&new)
            .into_iter()
            .map(|pair| format!("{} {}", pair.change().as_str(), pair.new.or(pair.old).unwrap().name()))
            .collect();
        // Jobs with equal texts cannot be paired. `z` has the text of `a`, which is still there.
        let want = [
            "unchanged a",
            "renamed c",
            "removed twin/1",
            "removed twin/2",
            "added twin/3",
            "added twin/4",
            "removed z",
        ];
        assert_eq!(pairs, want);
    }

    #[test]
    fn suspended_jobs_start_nothing() {
        let old = fleet(&[("a", "@daily")]);
        let new = fleet(&[("a", "@daily @policy(suspend=true)")]);
        let kinds = |pair: JobPair<'_>| -> Vec<StartChangeKind> {
            pair.start_changes(MARCH..MARCH + 2 * DAY).map(|change| change.unwrap().kind()).collect()
        };
        assert_eq!(kinds(old.pair_with(&new)[0]), [StartChangeKind::Vanishes; 2]);
        assert_eq!(kinds(new.pair_with(&old)[0]), [StartChangeKind::Appears; 2]);
        assert_eq!((old.peak(MARCH..MARCH + DAY).starts, new.peak(MARCH..MARCH + DAY).starts), (1, 0));
        assert_eq!(new.peak(MARCH..MARCH + DAY).minute, None);
    }

    #[test]
    fn the_peak_agrees_with_a_table_of_minutes() {
        let jobs = (0..200).map(|i| Job::parse(&format!("job/{i}"), "@hourly @win(around,20m)").unwrap());
        let fleet = Fleet::new(jobs.collect()).unwrap();
        let mut minutes: BTreeMap<i64, u64> = BTreeMap::new();
        for start in fleet.jobs().iter().flat_map(|job| job.starts(MARCH + 5..MARCH + DAY)) {
            *minutes.entry(start.unwrap().order_timestamp() / 60 * 60).or_default() += 1;
        }
        let peak = fleet.peak(MARCH + 5..MARCH + DAY);
        let most = *minutes.values().max().unwrap();
        assert_eq!((peak.per_minute, peak.starts), (most, minutes.values().sum()));
        assert_eq!(peak.minute, minutes.iter().find(|(_, count)| **count == most).map(|(minute, _)| *minute));
    }

    #[test]
    fn the_peak_of_a_long_range_is_that_of_its_parts() {
        let texts = ["0 1 * * * @win(after,3h)", "30 1 * * * @win(around,2h) @only(hours=2)", "0 2 1 * *"];
        let jobs = (0..30).map(|i| Job::parse(&format!("long/{i}"), texts[i % 3]).unwrap());
        let fleet = Fleet::new(jobs.collect()).unwrap();
        let (middle, end) = (MARCH + 365 * DAY, MARCH + 700 * DAY);
        let (long, first, second) =
            (fleet.peak(MARCH..end), fleet.peak(MARCH..middle), fleet.peak(middle..end));
        assert_eq!(long.starts, first.starts + second.starts);
        let best = if second.per_minute > first.per_minute { second } else { first };
        assert_eq!((long.per_minute, long.minute), (best.per_minute, best.minute));
    }

    #[test]
    fn a_search_that_fails_ends_the_changes() {
        let never = "* * * * * @only(date=1999-01-01)";
        let (old, new) = (fleet(&[("a", never)]), fleet(&[("a", "@daily")]));
        let changes: Vec<_> = old.pair_with(&new)[0].start_changes(MARCH..).collect();
        assert!(matches!(changes.as_slice(), [.., Err(_)]));
        assert_eq!(old.peak(MARCH..).errors[0].0, 0);
    }
}
