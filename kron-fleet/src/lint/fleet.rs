//! Findings about the jobs of a file together.

use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Reverse;

use kron_core::error::FindingCode;
use kron_core::time::Rfc3339;
use kron_core::{Finding, Instant, Job, Severity};

use crate::lint::code::LintCode;
use crate::{DAY, HumanLength};

/// The least number of starts in one second or minute that is a finding.
const MANY: usize = 50;
/// How far ahead starts are examined, in seconds.
const AHEAD: i64 = 366 * DAY;
/// Nominal times that are examined. Those of jobs with the same schedule count once.
const LOOKED_AT: usize = 1_000_000;
/// Most names that a message lists.
const NAMES: usize = 3;

/// A job among others, as [`lint_fleet`] sees it.
#[derive(Clone, Copy, Debug)]
pub struct FleetJob<'a> {
    /// The job.
    pub job: &'a Job,
    /// The command that it runs, if that is known.
    pub command: Option<&'a str>,
    /// The kinds of findings that do not apply to it.
    pub allowed: &'a [FindingCode],
}

/// A finding about several jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FleetFinding {
    /// The finding.
    pub finding: Finding,
    /// The jobs that it is about: their places in the list that [`lint_fleet`] was given, in ascending order.
    pub jobs: Vec<usize>,
}

/// Finds probable mistakes in a list of jobs: many starts in one second or one minute, windows with fewer seconds than
/// jobs, and identical jobs.
///
/// `at` is where the look ahead begins; it covers the next
/// 366 days, or a million nominal times if those come first. Jobs that are suspended start nothing and are left out.
///
/// ```
/// use kron_core::Job;
/// use kron_fleet::lint::{FleetJob, lint_fleet};
/// let jobs: Vec<Job> = (0..60).map(|i| Job::parse(&format!("report/{i}"), "@daily")).collect::<Result<_, _>>()?;
/// let findings = lint_fleet(jobs.iter().map(|job| FleetJob { job, command: None, allowed: &[] }), 1);
/// assert_eq!((findings[0].finding.code.as_str(), findings[0].jobs.len()), ("same-second", 60));
/// assert!(findings[0].finding.message.starts_with("60 jobs without a window start at 1970-01-02T00:00:00Z"));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn lint_fleet<'a>(jobs: impl IntoIterator<Item = FleetJob<'a>>, at: impl Instant) -> Vec<FleetFinding> {
    let jobs: Vec<FleetJob<'_>> = jobs.into_iter().collect();
    let (second, narrow) = (same_second(&jobs, at.floor()), narrow_windows(&jobs, at.floor()));
    // What these findings say of the same jobs is worse.
    let is_known = |job: &usize| second.iter().chain(&narrow).any(|it| it.jobs.binary_search(job).is_ok());
    let minute = same_minute(&jobs, at.floor()).filter(|it| !it.jobs.iter().all(is_known));
    second.into_iter().chain(minute).chain(narrow).chain(identical_jobs(&jobs)).collect()
}

/// Jobs with the same windows.
struct Group<'a> {
    job: &'a Job,
    members: Vec<usize>,
}

impl Group<'_> {
    /// The first second of the next window that begins after this second. If it is the only one, the jobs start in it unless
    /// the constraints forbid it.
    fn next(&self, second: i64, until: i64) -> Option<i64> {
        let offset = self.job.spec().reach().first;
        let next = self.job.next_nominal_timestamp(second.saturating_sub(offset))?.saturating_add(offset);
        (next <= until).then_some(next)
    }

    /// How many seconds a window has.
    fn seconds(&self) -> i64 {
        let reach = self.job.spec().reach();
        reach.last - reach.first + 1
    }

    /// Whether the constraints allow a start in a window that begins in a second that [`next`](Group::next) gave.
    fn is_allowed(&self, second: i64) -> bool {
        let nominal = second - self.job.spec().reach().first;
        // OK because `next` gives windows of nominal times only.
        self.job.spec().constraints().is_empty()
            || self.job.unschedulable(nominal).is_ok_and(|why| why.is_none())
    }
}

/// The second with the most starts of jobs without a window, if they are many.
fn same_second(jobs: &[FleetJob<'_>], at: i64) -> Option<FleetFinding> {
    let mut groups = groups(jobs, &[LintCode::SameSecond]);
    groups.retain(|group| group.seconds() == 1);
    let total: usize = groups.iter().map(|group| group.members.len()).sum();
    if total < MANY {
        return None;
    }
    let until = at.saturating_add(AHEAD);
    let mut coming: BinaryHeap<Reverse<(i64, usize)>> = BinaryHeap::new();
    for (index, group) in groups.iter().enumerate() {
        coming.extend(group.next(at, until).map(|start| Reverse((start, index))));
    }
    let mut best: (usize, i64, Vec<usize>) = (MANY - 1, 0, Vec::new());
    let mut looked_at = 0;
    while let Some(Reverse((second, _))) = coming.peek().copied() {
        let mut here = Vec::new();
        while let Some(Reverse((_, index))) = coming.peek().copied().filter(|Reverse((at, _))| *at == second)
        {
            coming.pop();
            looked_at += 1;
            if groups[index].is_allowed(second) {
                here.push(index);
            }
            coming.extend(groups[index].next(second, until).map(|start| Reverse((start, index))));
        }
        let count = here.iter().map(|index| groups[*index].members.len()).sum();
        if count > best.0 {
            best = (count, second, here);
        }
        // No second has more starts than there are jobs.
        if best.0 == total || looked_at >= LOOKED_AT {
            break;
        }
    }
    let (count, second, here) = best;
    let gaps = here.iter().filter_map(|index| groups[*index].job.next_nominal_timestamp(second));
    let gap = gaps.min().map_or(DAY, |next| next - second);
    let mut members: Vec<usize> =
        here.into_iter().flat_map(|index| groups[index].members.iter().copied()).collect();
    if members.is_empty() {
        return None;
    }
    members.sort_unstable();
    let message = format!(
        "{count} jobs without a window start at {}, in the same second: {}",
        Rfc3339(second),
        names(jobs, &members)
    );
    // A window with a second for each job, in whole minutes, that ends before the next start.
    let minutes = i64::try_from(count.div_ceil(60)).map_or(DAY, |minutes| minutes.saturating_mul(60));
    let window = HumanLength::of_seconds(minutes.min(gap - 1).clamp(1, DAY));
    let finding = Finding::new(Severity::Warning, LintCode::SameSecond, message).with_help(format!(
        "add a window to each, such as `@win(after,{window:#})`, in which the starts are spread"
    ));
    Some(FleetFinding { finding, jobs: members })
}

/// A window, and the jobs that have to start in it.
struct Narrow {
    first: i64,
    last: i64,
    /// The groups of jobs with a window that lies in this one.
    groups: BTreeSet<usize>,
    /// The number of these jobs.
    jobs: usize,
}

impl Narrow {
    fn seconds(&self) -> usize {
        // OK because windows are not longer than 366 days.
        (self.last - self.first + 1) as usize
    }

    /// Whether it has more jobs for its seconds than another.
    fn is_denser(&self, other: &Narrow) -> bool {
        self.jobs.saturating_mul(other.seconds()) > other.jobs.saturating_mul(self.seconds())
    }
}

/// The window with the most jobs for its seconds, if they are many and have less than a second each.
fn narrow_windows(jobs: &[FleetJob<'_>], at: i64) -> Option<FleetFinding> {
    let mut groups = groups(jobs, &[LintCode::NarrowWindows]);
    groups.retain(|group| group.seconds() > 1);
    let total: usize = groups.iter().map(|group| group.members.len()).sum();
    // Longer windows have a second for every job.
    groups.retain(|group| group.seconds() < i64::try_from(total).unwrap_or(i64::MAX));
    let mut best: Option<Narrow> = None;
    let mut judge = |window: Narrow| {
        let is_narrow = window.jobs >= MANY && window.jobs > window.seconds();
        if is_narrow && best.as_ref().is_none_or(|best| window.is_denser(best)) {
            best = Some(window);
        }
    };
    let until = at.saturating_add(AHEAD);
    let mut coming: BinaryHeap<Reverse<(i64, usize)>> = BinaryHeap::new();
    for (index, group) in groups.iter().enumerate() {
        coming.extend(group.next(at, until).map(|first| Reverse((first, index))));
    }
    // Windows that have not ended, in order of their beginnings.
    let mut open: Vec<Narrow> = Vec::new();
    let mut looked_at = 0;
    while let Some(Reverse((first, _))) = coming.peek().copied().filter(|_| looked_at < LOOKED_AT) {
        let (ended, still_open) = open.into_iter().partition(|window| window.last < first);
        open = still_open;
        Vec::into_iter(ended).for_each(&mut judge);
        // The windows that begin here, by their ends: the longest first, so that the others lie in those before them.
        let mut here: BTreeMap<Reverse<i64>, Vec<usize>> = BTreeMap::new();
        while let Some(Reverse((_, index))) = coming.peek().copied().filter(|Reverse((at, _))| *at == first) {
            coming.pop();
            let group = &groups[index];
            looked_at += 1;
            if group.is_allowed(first) {
                here.entry(Reverse(first + group.seconds() - 1)).or_default().push(index);
            }
            coming.extend(group.next(first, until).map(|next| Reverse((next, index))));
        }
        for (Reverse(last), indices) in here {
            open.push(Narrow { first, last, groups: BTreeSet::new(), jobs: 0 });
            for window in open.iter_mut().filter(|window| last <= window.last) {
                let new = indices.iter().filter(|index| window.groups.insert(**index));
                window.jobs += new.map(|index| groups[*index].members.len()).sum::<usize>();
            }
            looked_at += open.len();
        }
    }
    open.into_iter().for_each(&mut judge);
    let window = best?;
    let mut members: Vec<usize> =
        window.groups.iter().flat_map(|index| &groups[*index].members).copied().collect();
    members.sort_unstable();
    let message = format!(
        "the windows of {} jobs lie in the {} seconds from {} on, fewer than the jobs: {}",
        members.len(),
        window.seconds(),
        Rfc3339(window.first),
        names(jobs, &members)
    );
    let finding = Finding::new(Severity::Warning, LintCode::NarrowWindows, message)
        .with_help("give them longer windows, or other nominal times");
    Some(FleetFinding { finding, jobs: members })
}

/// The minute in which the windows of the most jobs begin and end, if they are many. A minute begins with a window, in any
/// second.
fn same_minute(jobs: &[FleetJob<'_>], at: i64) -> Option<FleetFinding> {
    const MINUTE: i64 = 60;
    // A job that allows one of these does so for all that it says.
    let codes = [LintCode::SameSecond, LintCode::SameMinute, LintCode::NarrowWindows];
    let mut groups = groups(jobs, &codes);
    groups.retain(|group| group.seconds() <= MINUTE + 1);
    let total: usize = groups.iter().map(|group| group.members.len()).sum();
    if total < MANY {
        return None;
    }
    let until = at.saturating_add(AHEAD);
    let mut coming: BinaryHeap<Reverse<(i64, usize)>> = BinaryHeap::new();
    for (index, group) in groups.iter().enumerate() {
        coming.extend(group.next(at, until).map(|first| Reverse((first, index))));
    }
    let mut best = Narrow { first: 0, last: 0, groups: BTreeSet::new(), jobs: MANY - 1 };
    let mut judge = |minute: Narrow| {
        if minute.jobs > best.jobs {
            best = minute;
        }
    };
    // Minutes that have not ended, in order of their beginnings: no two begin in one second, so they are at most 60.
    let mut open: Vec<Narrow> = Vec::new();
    let mut looked_at = 0;
    while let Some(Reverse((first, index))) = coming.peek().copied().filter(|_| looked_at < LOOKED_AT) {
        coming.pop();
        looked_at += 1;
        let group = &groups[index];
        coming.extend(group.next(first, until).map(|next| Reverse((next, index))));
        // A window that begins with the next minute does not belong to this one.
        let (ended, still_open) = open.into_iter().partition(|minute| minute.last <= first);
        open = still_open;
        Vec::into_iter(ended).for_each(&mut judge);
        if !group.is_allowed(first) {
            continue;
        }
        if open.last().is_none_or(|minute| minute.first < first) {
            open.push(Narrow { first, last: first + MINUTE, groups: BTreeSet::new(), jobs: 0 });
        }
        let last = first + group.seconds() - 1;
        for minute in open.iter_mut().filter(|minute| last <= minute.last) {
            if minute.groups.insert(index) {
                minute.jobs += group.members.len();
            }
        }
    }
    open.into_iter().for_each(&mut judge);
    let mut members: Vec<usize> =
        best.groups.iter().flat_map(|index| &groups[*index].members).copied().collect();
    if members.is_empty() {
        return None;
    }
    members.sort_unstable();
    let message = format!(
        "{} jobs start in the minute from {} on, in which their windows end: {}",
        members.len(),
        Rfc3339(best.first),
        names(jobs, &members)
    );
    let finding = Finding::new(Severity::Warning, LintCode::SameMinute, message)
        .with_help("give them longer windows, or other nominal times");
    Some(FleetFinding { finding, jobs: members })
}

/// The jobs grouped by everything that decides their windows, without those that allow one of these findings.
fn groups<'a>(jobs: &[FleetJob<'a>], codes: &[LintCode]) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<String, Group<'_>> = BTreeMap::new();
    for (index, FleetJob { job, allowed, .. }) in jobs.iter().enumerate() {
        let (spec, reach) = (job.spec(), job.spec().reach());
        if spec.policy().suspend() || codes.iter().any(|code| allowed.contains(&(*code).into())) {
            continue;
        }
        let key = format!(
            "{} {} {} {} {} {}",
            spec.schedule(),
            spec.timezone(),
            spec.days(),
            reach.first,
            reach.last,
            spec.constraints()
        );
        let group = groups.entry(key).or_insert_with(|| Group { job, members: Vec::new() });
        group.members.push(index);
    }
    groups.into_values().collect()
}

/// Jobs that differ only in their names.
fn identical_jobs(jobs: &[FleetJob<'_>]) -> Vec<FleetFinding> {
    let mut same: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
    for (index, FleetJob { job, command, allowed }) in jobs.iter().enumerate() {
        if let Some(command) = command.filter(|_| !allowed.contains(&LintCode::IdenticalJobs.into())) {
            same.entry((command, job.spec().to_string())).or_default().push(index);
        }
    }
    let mut repeated: Vec<Vec<usize>> = same.into_values().filter(|members| members.len() > 1).collect();
    repeated.sort_unstable();
    let finding = |members: Vec<usize>| {
        let message = format!(
            "{} jobs have the same text and the same command, which therefore runs {} times: {}",
            members.len(),
            members.len(),
            names(jobs, &members)
        );
        let finding = Finding::new(Severity::Warning, LintCode::IdenticalJobs, message);
        FleetFinding { finding: finding.with_help("delete all of them but one"), jobs: members }
    };
    repeated.into_iter().map(finding).collect()
}

/// The first names of jobs, and how many more there are.
fn names(jobs: &[FleetJob<'_>], members: &[usize]) -> String {
    let shown: Vec<String> =
        members.iter().take(NAMES).map(|index| format!("`{}`", jobs[*index].job.name())).collect();
    match members.len() - shown.len() {
        0 => crate::lint::words::enumeration(&shown),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-01T00:00:00Z, a Sunday.
    const AT: i64 = 1_772_323_200;

    fn fleet(texts: &[(usize, &str)]) -> Vec<Job> {
        let numbered = texts.iter().flat_map(|(count, text)| core::iter::repeat_n(*text, *count)).enumerate();
        numbered.map(|(i, text)| Job::parse(&format!("a/{i}"), text).unwrap()).collect()
    }

    fn of(jobs: &[Job]) -> impl Iterator<Item = FleetJob<'_>> {
        jobs.iter().map(|job| FleetJob { job, command: None, allowed: &[] })
    }

    fn found(texts: &[(usize, &str)]) -> Vec<(String, usize, String)> {
        let jobs = fleet(texts);
        let findings = lint_fleet(of(&jobs), AT);
        let parts =
            |it: FleetFinding| (it.finding.message, it.jobs.len(), it.finding.help.unwrap_or_default());
        findings.into_iter().map(parts).collect()
    }

    #[test]
    fn many_starts_in_one_second() {
        let help = |window: &str| {
            format!("add a window to each, such as `@win(after,{window})`, in which the starts are spread")
        };
        // Two schedules meet at midnight, and only there; a third one, with a window, does not count.
        let texts = [(1200, "0 0 * * *"), (800, "@hourly"), (3000, "0 0 * * * @win(after,1h)")];
        assert_eq!(
            found(&texts),
            [(
                "2000 jobs without a window start at 2026-03-02T00:00:00Z, in the same second: `a/0`, `a/1`, `a/2` and 1997 more"
                    .to_string(),
                2000,
                help("34m")
            )]
        );
        // Of jobs that start each minute, the window ends before the next one.
        assert_eq!(found(&[(60, "* * * * *")])[0].2, help("59s"));
        assert_eq!(found(&[(50, "0 0 1 1 *")])[0].1, 50);
        assert_eq!(found(&[(49, "0 0 1 1 *")]), []);
        // The same second in different zones: 02:00 in Paris is 01:00 in London.
        let zones = [(25, "0 2 * * * @tz(Europe/Paris)"), (25, "0 1 * * * @tz(Europe/London)")];
        assert_eq!(found(&zones)[0].1, 50);
        let apart = [(25, "0 2 * * * @tz(Europe/Paris)"), (25, "0 2 * * * @tz(Europe/London)")];
        assert_eq!(found(&apart), []);
    }

    #[test]
    fn windows_with_fewer_seconds_than_jobs() {
        let narrow = |texts: &[(usize, &str)]| {
            let jobs = fleet(texts);
            let findings = lint_fleet(of(&jobs), AT).into_iter();
            let narrow = findings.filter(|it| it.finding.code.as_str() == "narrow-windows");
            narrow.map(|it| (it.finding.message, it.jobs)).collect::<Vec<_>>()
        };
        // A window of a minute has 61 seconds.
        assert_eq!(narrow(&[(61, "0 0 * * * @win(after,1m)")]), []);
        assert_eq!(
            narrow(&[(62, "0 0 * * * @win(after,1m)"), (500, "0 1 * * * @win(after,10m)")]),
            [(
                "the windows of 62 jobs lie in the 61 seconds from 2026-03-02T00:00:00Z on, fewer than the jobs: \
                 `a/0`, `a/1`, `a/2` and 59 more"
                    .to_string(),
                (0..62).collect()
            )]
        );
        // Shorter windows in longer ones, of other schedules and zones, count with these; windows that reach out do not.
        let inside = [
            (20, "0 0 * * * @win(after,1m)"),
            (20, "0 1 * * * @tz(Europe/Paris) @win(after,1m)"),
            (22, "*/10 0 * * * @win(after,30s)"),
        ];
        assert_eq!(narrow(&inside)[0].1.len(), 62);
        let outside = [(40, "0 0 * * * @win(after,1m)"), (40, "0 0 * * * @win(around,30s)")];
        assert_eq!(narrow(&outside), []);
        // Of two places, the one with less time for each job.
        let two = [(70, "0 0 * * * @win(after,1m)"), (60, "0 5 * * * @win(after,20s)")];
        assert!(narrow(&two)[0].0.starts_with("the windows of 60 jobs lie in the 21 seconds"));
        // Few jobs do no harm, and neither do those that do not start.
        assert_eq!(narrow(&[(49, "0 0 * * * @win(after,1s)")]), []);
        assert_eq!(narrow(&[(62, "0 0 * * * @win(after,1m) @policy(suspend=true)")]), []);
        assert_eq!(narrow(&[(62, "0 0 * * * @win(after,1m) @avoid(hours=0)")]), []);
        // A job that starts often counts once.
        assert_eq!(narrow(&[(30, "* * * * * @win(after,10s)"), (30, "0 * * * * @win(after,58m)")]), []);
    }

    #[test]
    fn many_windows_in_one_minute() {
        let minute = |texts: &[(usize, &str)]| {
            let jobs = fleet(texts);
            let findings = lint_fleet(of(&jobs), AT).into_iter();
            let minute = findings.filter(|it| it.finding.code.as_str() == "same-minute");
            minute.map(|it| (it.finding.message, it.jobs.len())).collect::<Vec<_>>()
        };
        assert_eq!(
            minute(&[(30, "0 0 * * * @win(after,1m)"), (25, "0 0 * * *"), (100, "0 0 * * * @win(after,62s)")]),
            [(
                "55 jobs start in the minute from 2026-03-02T00:00:00Z on, in which their windows end: `a/0`, `a/1`, `a/2` and \
                 52 more"
                    .to_string(),
                55
            )]
        );
        assert_eq!(minute(&[(49, "0 0 * * * @win(after,1m)")]), []);
        // A minute begins anywhere, and its last second is the first one of the next.
        let around = [(30, "0 5 * * * @win(around,20s)"), (20, "0 5 * * * @win(after,40s)")];
        assert!(minute(&around)[0].0.starts_with("50 jobs start in the minute from 2026-03-01T04:59:50Z on"));
        assert_eq!(minute(&[(30, "0 5 * * * @win(around,20s)"), (20, "0 5 * * * @win(after,51s)")]), []);
        assert_eq!(minute(&[(30, "0 5 * * *"), (30, "1 5 * * *")]), []);
        // A job that starts often counts once, and one that does not start there does not count.
        assert_eq!(minute(&[(49, "* * * * * @win(after,1m)")]), []);
        assert_eq!(
            minute(&[(49, "0 5 * * * @win(after,1m)"), (49, "0 5 * * * @win(after,1m) @avoid(hours=5)")]),
            []
        );
        // What another finding says of all of them is not said twice.
        assert_eq!(minute(&[(60, "0 0 * * *")]), []);
        assert_eq!(minute(&[(70, "0 0 * * * @win(after,1m)")]), []);
        assert_eq!(minute(&[(60, "0 0 * * *"), (10, "0 0 * * * @win(after,1m)")])[0].1, 70);
        // Of the minutes with the most jobs, the first.
        let often = [(30, "*/10 * * * * @win(after,30s)"), (30, "20 * * * * @win(after,1m)")];
        assert!(minute(&often)[0].0.starts_with("60 jobs start in the minute from 2026-03-01T00:20:00Z on"));
    }

    #[test]
    fn jobs_that_do_not_start_do_not_count() {
        assert_eq!(found(&[(60, "@daily @policy(suspend=true)")]), []);
        assert_eq!(found(&[(60, "@daily @only(hours=1)")]), []);
        // Half of them do not start on Mondays, so the next Tuesday has more starts than the next day.
        let message = &found(&[(60, "@daily"), (60, "@daily @avoid(dow=MON)")])[0].0;
        assert!(message.starts_with("120 jobs without a window start at 2026-03-03T00:00:00Z"), "{message}");
    }

    #[test]
    fn the_count_is_that_of_the_starts() {
        let texts = [
            (30, "*/20 3 * * *"),
            (30, "40 3 * * FRI"),
            (20, "40 2 * * * @tz(Europe/London)"),
            (5, "40 3 13 * *"),
        ];
        let jobs = fleet(&texts);
        let findings = lint_fleet(of(&jobs), AT);
        // All starts of the range, counted one by one.
        let mut seconds: BTreeMap<i64, usize> = BTreeMap::new();
        for job in &jobs {
            for start in job.starts(AT + 1..AT + AHEAD + 1) {
                *seconds.entry(start.unwrap().order_timestamp()).or_default() += 1;
            }
        }
        let most = *seconds.values().max().unwrap();
        let (first, _) = seconds.iter().find(|(_, count)| **count == most).unwrap();
        assert_eq!(findings[0].jobs.len(), most);
        let want = format!("{most} jobs without a window start at {}", Rfc3339(*first));
        assert!(findings[0].finding.message.starts_with(&want), "{} {want}", findings[0].finding.message);
    }

    #[test]
    fn identical_jobs_run_the_same_command() {
        let jobs = fleet(&[(2, "@daily"), (1, "0 0 * * *"), (1, "@hourly")]);
        let commands = [Some("x"), Some("y"), Some("x"), Some("x")];
        let with_commands = || of(&jobs).zip(commands).map(|(job, command)| FleetJob { command, ..job });
        let findings = lint_fleet(with_commands(), AT);
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].finding.code.as_str(), &*findings[0].jobs), ("identical-jobs", &[0, 2][..]));
        assert_eq!(
            findings[0].finding.message,
            "2 jobs have the same text and the same command, which therefore runs 2 times: `a/0` and `a/2`"
        );
        assert_eq!(lint_fleet(of(&jobs), AT), []);
        let allowed = [LintCode::SameSecond, LintCode::IdenticalJobs].map(FindingCode::from);
        assert_eq!(lint_fleet(with_commands().map(|job| FleetJob { allowed: &allowed, ..job }), AT), []);
    }

    #[test]
    fn jobs_that_allow_a_finding_are_left_out() {
        let jobs = fleet(&[(60, "@daily")]);
        let same_second = [LintCode::SameSecond.into()];
        let allowing = |count| {
            let same_second = &same_second;
            let allowed = move |index| if index < count { &same_second[..] } else { &[] };
            of(&jobs).enumerate().map(move |(index, job)| FleetJob { allowed: allowed(index), ..job })
        };
        assert_eq!(lint_fleet(allowing(10), AT)[0].jobs.len(), 50);
        assert_eq!(lint_fleet(allowing(11), AT), []);
    }
}
