//! Lint: what a valid job says that its writer may not have meant.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::ops::Range;

use crate::constraint::Clause;
use crate::cron::clock_changes::ClockChange;
use crate::cron::{self, Item};
use crate::error::{Error, ErrorCode};
use crate::job::Job;
use crate::job::spec::JobSpec;
use crate::time::calendar_field::{DAY_OF_MONTH, DAY_OF_WEEK};
use crate::time::civil::DAY;
use crate::time::instant::Instant;
use crate::time::rfc3339::Rfc3339;
use crate::word_enum::word_enum;

word_enum! {
    /// How much a finding weighs.
    Severity, "severity" {
        /// Good to know.
        #[default]
        Note = "note",
        /// Probably not meant.
        Warning = "warning",
        /// Refused.
        Error = "error",
    }
}

/// One finding about a job.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How much it weighs.
    pub severity: Severity,
    /// A stable name for the kind of finding, such as `window-longer-than-gap`: one of [`CODES`](Finding::CODES), or for an
    /// error one of [`ERROR_CODES`](Finding::ERROR_CODES).
    pub code: &'static str,
    /// The finding in a sentence.
    pub message: String,
    /// The bytes of the text form it speaks of, where it speaks of a part and the text is known.
    pub span: Option<Range<usize>>,
    /// What to do about it, where that can be said.
    pub help: Option<String>,
}

/// How far [`lint`] looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LintOptions {
    years: u32,
}

impl Default for LintOptions {
    fn default() -> LintOptions {
        LintOptions { years: 5 }
    }
}

impl LintOptions {
    /// Looks ahead so many years of 366 days; at least one. The default is 5.
    ///
    /// ```
    /// use kron_core::{Job, LintOptions, lint};
    /// let job = Job::parse("prod/leap-day", "0 0 29 2 * @policy(deadline=1h)")?;
    /// let never = |years| {
    ///     let findings = lint(&job, None, 1_772_323_200, &LintOptions::default().with_years(years));
    ///     findings.iter().any(|finding| finding.code == "never-fires")
    /// };
    /// assert!(never(1)); // the next 29 February is in 2028
    /// assert!(!never(5));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub const fn with_years(mut self, years: u32) -> LintOptions {
        self.years = if years == 0 { 1 } else { years };
        self
    }
}

/// Periods among which a lint looks for unschedulable ones: the first ones after its instant.
const PERIODS_LOOKED_AT: usize = 10_000;

impl Finding {
    /// The codes of all warnings and notes.
    ///
    /// ```
    /// assert!(kron_core::Finding::CODES.contains(&"window-longer-than-gap"));
    /// ```
    pub const CODES: &'static [&'static str] = &[
        "step-beyond-range",
        "step-in-day-field",
        "no-deadline",
        "only-clauses-apart",
        "window-longer-than-gap",
        "never-fires",
        "never-schedulable",
        "unschedulable-periods",
        "skipped-by-clock-change",
        "doubled-by-clock-change",
        "tzdb-rules-differ",
        "tzdb-old",
        "namespace-assumed",
        "foreign-document",
    ];

    /// The codes of errors, in the order of [`ErrorCode`]: `CronOutOfRange` is `cron-out-of-range`.
    ///
    /// ```
    /// use kron_core::{Finding, JobSpec};
    /// let finding = Finding::from_error(&JobSpec::parse("61 * * * *").unwrap_err());
    /// assert!(Finding::ERROR_CODES.contains(&finding.code));
    /// ```
    pub const ERROR_CODES: &'static [&'static str] = &[
        "cron-too-long",
        "cron-field-count",
        "cron-syntax",
        "cron-out-of-range",
        "cron-backwards",
        "cron-never-matches",
        "cron-unsupported",
        "text-too-long",
        "text-syntax",
        "text-unknown-modifier",
        "text-unknown-key",
        "text-repeated",
        "file-missing-name",
        "file-repeated-name",
        "duration",
        "time-zone",
        "choice",
        "number",
        "parameter",
        "out-of-bounds",
        "name",
        "algorithm-unsupported",
        "instant",
        "tz-data",
        "constraint-empty",
        "constraint-unknown-part",
        "constraint-syntax",
        "constraint-out-of-range",
        "constraint-backwards",
        "constraint-too-long",
        "manifest-syntax",
        "manifest-unknown-field",
        "manifest-missing-field",
        "manifest-type",
        "manifest-kind",
        "manifest-refused",
        "manifest-overlap",
        "nominal-time",
        "no-start-in-sight",
        "no-schedulable-period",
        "no-period",
    ];

    pub(crate) fn new(severity: Severity, code: &'static str, message: String) -> Finding {
        debug_assert!(Finding::CODES.contains(&code), "{code} is not in the list of codes");
        Finding { severity, code, message, span: None, help: None }
    }

    fn at(mut self, span: Range<usize>) -> Finding {
        self.span = Some(span);
        self
    }

    pub(super) fn help(mut self, help: &str) -> Finding {
        self.help = Some(help.to_string());
        self
    }

    /// An error as a finding.
    ///
    /// ```
    /// use kron_core::{Finding, JobSpec, Severity};
    /// let error = JobSpec::parse("61 * * * *").unwrap_err();
    /// let finding = Finding::from_error(&error);
    /// assert_eq!((finding.severity, finding.code), (Severity::Error, "cron-out-of-range"));
    /// ```
    pub fn from_error(error: &Error) -> Finding {
        Finding {
            severity: Severity::Error,
            code: code_word(error.code()),
            message: match error.field() {
                "" => error.reason(),
                field => format!("{field}: {}", error.reason()),
            },
            span: error.span(),
            help: error.help(),
        }
    }
}

/// Looks for what a valid job may not mean: text that reads otherwise than it looks, windows and constraints at odds with
/// the schedule, and what the next changes of offset do. The gravest come first. `text` is the job's text form, if it has one; `at` is where the
/// look ahead begins.
///
/// ```
/// use kron_core::{Job, LintOptions, lint};
/// let text = "0 * * * * @win(after,2h)";
/// let findings = lint(&Job::parse("web/report", text)?, Some(text), 0, &LintOptions::default());
/// assert_eq!(findings[0].code, "window-longer-than-gap");
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn lint(job: &Job, text: Option<&str>, at: impl Instant, options: &LintOptions) -> Vec<Finding> {
    let at = at.floor();
    let mut findings = Vec::new();
    if let Some(text) = text {
        written(text, &mut findings);
    }
    policy(job.spec(), &mut findings);
    clauses(job.spec(), &mut findings);
    gaps(job, at, &mut findings);
    ahead(job, at, options, &mut findings);
    clock_changes(job.spec(), at, &mut findings);
    findings.sort_by_key(|finding| core::cmp::Reverse(finding.severity));
    findings
}

/// What the text of the schedule looks like and does not mean.
fn written(text: &str, findings: &mut Vec<Finding>) {
    let schedule = match text.find(" @").or_else(|| text.find("\t@")) {
        Some(end) => &text[..end],
        None => text,
    };
    let mut items: Vec<Item> = Vec::new();
    // A schedule that does not read here is not the job's own text; then there is nothing to say about it.
    if cron::parse(schedule, &mut |item| items.push(item)).is_err() {
        return;
    }
    for item in items {
        let written = &schedule[item.span.clone()];
        if written.starts_with('@') {
            continue;
        }
        let day_field = *item.field == DAY_OF_MONTH || *item.field == DAY_OF_WEEK;
        let warn = |code, message| Finding::new(Severity::Warning, code, message).at(item.span.clone());
        if item.step > u32::from(item.high - item.low) && item.step > 1 {
            let message = format!("step of `{written}` is larger than its range: only {} matches", item.low);
            findings.push(warn("step-beyond-range", message));
        } else if day_field && item.star && item.step > 1 {
            let message = format!(
                "`{written}` restricts the day field: with both day fields restricted, a day matches when either does \
                 (as in Kubernetes; cronie takes `*/n` as unrestricted)"
            );
            findings.push(warn("step-in-day-field", message));
        }
    }
}

fn policy(spec: &JobSpec, findings: &mut Vec<Finding>) {
    if spec.policy().deadline().is_zero() {
        let message = "the deadline is 0s: a host that is a second late, say while its leader changes, misses the start";
        let finding = Finding::new(Severity::Note, "no-deadline", message.to_string());
        findings.push(finding.help("add `@policy(deadline=1m)`"));
    }
}

/// `only` clauses are alternatives; where they share no part, both were probably meant to hold.
fn clauses(spec: &JobSpec, findings: &mut Vec<Finding>) {
    let only = spec.constraints().only();
    let parts = |clause: &Clause| clause.parts().collect::<Vec<_>>();
    for (index, clause) in only.iter().enumerate().skip(1) {
        let apart = |other: &&Clause| other.parts().all(|part| !parts(clause).contains(&part));
        if let Some(other) = only[..index].iter().find(apart) {
            let message = format!(
                "`@only({other})` and `@only({clause})` are alternatives: a time that meets one of them is allowed"
            );
            let finding = Finding::new(Severity::Warning, "only-clauses-apart", message);
            findings.push(finding.help(&format!("to have both hold, write `@only({other};{clause})`")));
            return;
        }
    }
}

/// Windows longer than the gap to the next period.
fn gaps(job: &Job, at: i64, findings: &mut Vec<Finding>) {
    let reach = job.rules().reach;
    let length = reach.last - reach.first;
    let mut previous = job.next_nominal(at);
    for _ in 0..1000 {
        let Some(first) = previous else { return };
        let Some(second) = job.next_nominal(first) else { return };
        if second - first <= length {
            let message = format!(
                "the window of {} is longer than the gap of {} from {} to {}: starts may come out of order, and several \
                 periods can be pending at once",
                job.spec().window().duration(),
                seconds(second - first),
                Rfc3339(first),
                Rfc3339(second)
            );
            findings.push(Finding::new(Severity::Warning, "window-longer-than-gap", message));
            return;
        }
        previous = Some(second);
    }
}

fn seconds(seconds: i64) -> String {
    // OK because a gap is never negative and below 2^32 seconds.
    crate::Duration::from_nanos(seconds.saturating_mul(1_000_000_000))
        .map_or_else(String::new, |gap| gap.to_string())
}

/// Schedules that never fire in the years ahead, and periods that the constraints make unschedulable.
fn ahead(job: &Job, at: i64, options: &LintOptions, findings: &mut Vec<Finding>) {
    let until = at.saturating_add(i64::from(options.years) * 366 * DAY);
    let years = options.years;
    if job.next_nominal(at).is_none_or(|nominal| nominal > until) {
        let message =
            format!("the schedule has no nominal time in the next {years} years, until {}", Rfc3339(until));
        findings.push(Finding::new(Severity::Warning, "never-fires", message));
        return;
    }
    if job.spec().constraints().is_empty() {
        return;
    }
    let rules = job.rules();
    let nominals = core::iter::successors(job.next_nominal(at), |nominal| job.next_nominal(*nominal));
    let (mut seen, mut bad, mut first) = (0, 0, None);
    for nominal in nominals.take_while(|nominal| *nominal <= until).take(PERIODS_LOOKED_AT) {
        seen += 1;
        if let Some(why) = rules.unschedulable(nominal) {
            bad += 1;
            first = first.or(Some((nominal, why)));
        }
    }
    let Some((nominal, why)) = first else { return };
    let reason = match why {
        crate::Unschedulable::NoAllowedSecond => "no second of its window is allowed",
        crate::Unschedulable::DrawsExhausted => "none of its 64 draws is allowed",
    };
    let message = if bad == seen {
        format!(
            "the constraints leave none of the next {seen} periods a start: of {}, {reason}",
            Rfc3339(nominal)
        )
    } else {
        format!("{bad} of the next {seen} periods are unschedulable, first {}: {reason}", Rfc3339(nominal))
    };
    let code = if bad == seen { "never-schedulable" } else { "unschedulable-periods" };
    findings.push(
        Finding::new(Severity::Warning, code, message).help("widen the window or loosen the constraints"),
    );
}

/// The next skipped and doubled nominal times. A schedule of every hour hardly minds, so there it is a note.
fn clock_changes(spec: &JobSpec, at: i64, findings: &mut Vec<Finding>) {
    let schedule = spec.schedule().in_zone(spec.timezone().clone());
    let severity = if spec.schedule().every_hour() { Severity::Note } else { Severity::Warning };
    let mut tell = |change: Option<ClockChange>, code, what: &str| {
        if let Some(change) = change {
            let message = format!(
                "{} {what} in {} when clocks change at {}",
                change.civil_text(),
                spec.timezone(),
                Rfc3339(change.timestamp)
            );
            findings.push(Finding::new(severity, code, message));
        }
    };
    tell(schedule.next_skipped(at), "skipped-by-clock-change", "does not exist and yields no period");
    tell(schedule.next_doubled(at), "doubled-by-clock-change", "occurs twice and yields two periods");
}

/// The word of an error code, for findings: `CronOutOfRange` is `cron-out-of-range`.
fn code_word(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::CronTooLong => "cron-too-long",
        ErrorCode::CronFieldCount => "cron-field-count",
        ErrorCode::CronSyntax => "cron-syntax",
        ErrorCode::CronOutOfRange => "cron-out-of-range",
        ErrorCode::CronBackwards => "cron-backwards",
        ErrorCode::CronNeverMatches => "cron-never-matches",
        ErrorCode::CronUnsupported => "cron-unsupported",
        ErrorCode::TextTooLong => "text-too-long",
        ErrorCode::TextSyntax => "text-syntax",
        ErrorCode::TextUnknownModifier => "text-unknown-modifier",
        ErrorCode::TextUnknownKey => "text-unknown-key",
        ErrorCode::TextRepeated => "text-repeated",
        ErrorCode::FileMissingName => "file-missing-name",
        ErrorCode::FileRepeatedName => "file-repeated-name",
        ErrorCode::Duration => "duration",
        ErrorCode::TimeZone => "time-zone",
        ErrorCode::Choice => "choice",
        ErrorCode::Number => "number",
        ErrorCode::Parameter => "parameter",
        ErrorCode::OutOfBounds => "out-of-bounds",
        ErrorCode::Name => "name",
        ErrorCode::AlgorithmUnsupported => "algorithm-unsupported",
        ErrorCode::Instant => "instant",
        ErrorCode::TzData => "tz-data",
        ErrorCode::ConstraintEmpty => "constraint-empty",
        ErrorCode::ConstraintUnknownPart => "constraint-unknown-part",
        ErrorCode::ConstraintSyntax => "constraint-syntax",
        ErrorCode::ConstraintOutOfRange => "constraint-out-of-range",
        ErrorCode::ConstraintBackwards => "constraint-backwards",
        ErrorCode::ConstraintTooLong => "constraint-too-long",
        ErrorCode::ManifestSyntax => "manifest-syntax",
        ErrorCode::ManifestUnknownField => "manifest-unknown-field",
        ErrorCode::ManifestMissingField => "manifest-missing-field",
        ErrorCode::ManifestType => "manifest-type",
        ErrorCode::ManifestKind => "manifest-kind",
        ErrorCode::ManifestRefused => "manifest-refused",
        ErrorCode::ManifestOverlap => "manifest-overlap",
        ErrorCode::NominalTime => "nominal-time",
        ErrorCode::NoStartInSight => "no-start-in-sight",
        ErrorCode::NoSchedulablePeriod => "no-schedulable-period",
        ErrorCode::NoPeriod => "no-period",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-01T00:00:00Z.
    const AT: i64 = 1_772_323_200;

    fn codes(text: &str) -> Vec<(&'static str, Severity)> {
        let job = Job::parse("lint/test", &format!("{text} @policy(deadline=1m)")).unwrap();
        let findings = lint(&job, Some(text), AT, &LintOptions::default());
        findings.iter().map(|finding| (finding.code, finding.severity)).collect()
    }

    fn messages(text: &str) -> Vec<String> {
        let job = Job::parse("lint/test", text).unwrap();
        let findings = lint(&job, Some(text), AT, &LintOptions::default());
        findings.into_iter().map(|finding| finding.message).collect()
    }

    /// The codes that the source uses are those in the lists: no more, no less.
    #[test]
    fn every_code_is_in_a_list() {
        let files =
            [include_str!("lint.rs"), include_str!("lint_tzdb.rs"), include_str!("../manifest/load.rs")];
        let mut used = Vec::new();
        for file in files {
            let code = file.split("#[cfg(test)]").next().unwrap();
            for line in code.lines().map(str::trim) {
                // Comments, and the lines of the lists themselves.
                if line.starts_with("//") || (line.starts_with('"') && line.ends_with("\",")) {
                    continue;
                }
                let is_code = |word: &&str| {
                    word.starts_with(|c: char| c.is_ascii_lowercase())
                        && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
                        && (word.contains('-') || line.starts_with("ErrorCode::"))
                };
                used.extend(line.split('"').skip(1).step_by(2).filter(is_code));
            }
        }
        used.sort_unstable();
        let mut listed = [Finding::CODES, Finding::ERROR_CODES].concat();
        listed.sort_unstable();
        assert_eq!(used, listed);
    }

    #[test]
    fn nothing_to_say() {
        for text in [
            "0 3 * * *",
            "*/15 * * * * @win(after,10m)",
            "@daily @tz(Europe/Paris) @win(around,2h)",
            "0 0 */1 * ?",
        ] {
            assert_eq!(codes(text), [], "{text}");
        }
    }

    #[test]
    fn text_that_reads_otherwise_than_it_looks() {
        let warning = Severity::Warning;
        assert_eq!(codes("0 0 */2 * *"), [("step-in-day-field", warning)]);
        assert_eq!(codes("0 0 * * ?/3"), [("step-in-day-field", warning)]);
        assert_eq!(codes("*/90 * * * *"), [("step-beyond-range", warning)]);
        assert_eq!(codes("10-20/15 * * * *"), [("step-beyond-range", warning)]);
        assert_eq!(
            messages("50/30 * * * * @policy(deadline=1s)"),
            ["step of `50/30` is larger than its range: only 50 matches"]
        );
        let job = Job::parse("a", "  0 0 */2 * *").unwrap();
        let finding = &lint(&job, Some("  0 0 */2 * *"), AT, &LintOptions::default())[0];
        assert_eq!(finding.span, Some(6..9));
    }

    #[test]
    fn windows_and_constraints_at_odds_with_the_schedule() {
        let warning = Severity::Warning;
        assert_eq!(codes("0 9-17 * * * @win(after,1h)"), [("window-longer-than-gap", warning)]);
        assert_eq!(codes("0 * * * * @win(after,59m)"), []);
        assert_eq!(codes("@daily @win(after,1h) @only(hours=12)"), [("never-schedulable", warning)]);
        assert_eq!(codes("@daily @win(after,1h) @avoid(dow=SUN)"), [("unschedulable-periods", warning)]);
        assert_eq!(
            codes("@daily @win(after,24h) @only(hours=1) @only(dow=MON)")[0],
            ("only-clauses-apart", warning)
        );
        assert_eq!(codes("@daily @win(after,23h) @only(hours=1;dow=1-5) @only(hours=2)"), []);
        assert_eq!(codes("0 0 29 2 * @win(after,1h)"), []);
        let text = "0 0 29 2 *";
        let findings =
            lint(&Job::parse("a", text).unwrap(), Some(text), AT, &LintOptions::default().with_years(1));
        assert!(findings.iter().any(|finding| finding.code == "never-fires"));
    }

    #[test]
    fn clock_changes_ahead() {
        let (warning, note) = (Severity::Warning, Severity::Note);
        assert_eq!(
            codes("30 2 * * * @tz(Europe/Paris)"),
            [("skipped-by-clock-change", warning), ("doubled-by-clock-change", warning)]
        );
        assert_eq!(
            codes("0 * * * * @tz(Europe/Paris)"),
            [("skipped-by-clock-change", note), ("doubled-by-clock-change", note)]
        );
        assert_eq!(
            messages("30 2 * * * @tz(Europe/Paris) @policy(deadline=1s)")[0],
            "2026-03-29T02:30 does not exist and yields no period in Europe/Paris when clocks change at 2026-03-29T01:00:00Z"
        );
    }

    #[test]
    fn a_deadline_of_nothing_is_a_note() {
        let job = Job::parse("a", "@daily").unwrap();
        let findings = lint(&job, None, AT, &LintOptions::default());
        assert_eq!((findings[0].code, findings[0].severity), ("no-deadline", Severity::Note));
    }
}
