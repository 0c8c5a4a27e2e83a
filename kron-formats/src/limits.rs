//! Every limit of this crate, defined once.

/// The longest file of jobs that [`load`](crate::load()) reads, in bytes: several hundred thousand jobs.
#[cfg(feature = "kronjob")]
pub const FILE_BYTES: usize = 64 << 20;
/// How long before its end an audit begins at the earliest, in seconds, unless it is asked for more: 366 days.
#[cfg(feature = "kronjob")]
pub const AUDIT_SPAN: i64 = 366 * 86_400;
/// Shortest lead of a primed schedule, in minutes.
pub(crate) const LEAD_MIN_MINUTES: i64 = 1;
/// Longest lead of a primed schedule, 31 days, in minutes.
pub(crate) const LEAD_MAX_MINUTES: i64 = 31 * 1440;
/// Longest lead of a primer, 24 hours, in nanoseconds.
#[cfg(feature = "kronjob")]
pub(crate) const PRIMER_LEAD_MAX_NANOS: i64 = 24 * 3600 * 1_000_000_000;
/// A primer is made only if this many seconds are left until its start: a node needs longer than that to be ready.
#[cfg(feature = "kronjob")]
pub(crate) const PRIMER_LEFT: i64 = 30;
/// Longest image of a primer in characters, in a manifest.
#[cfg(feature = "kronjob")]
pub(crate) const IMAGE_CHARS: usize = 512;
/// Most documents of a YAML file.
#[cfg(feature = "kronjob")]
pub(crate) const YAML_DOCUMENTS: usize = 250_000;
/// Most keys and values of a YAML file, lists and objects included. The densest file of the longest length has as many.
#[cfg(feature = "kronjob")]
pub(crate) const YAML_NODES: usize = 32_000_000;
/// How deeply lists and objects of a YAML file can be nested.
#[cfg(feature = "kronjob")]
pub(crate) const YAML_DEPTH: usize = 64;
/// Most aliases, and most anchors, of a YAML file.
#[cfg(feature = "kronjob")]
pub(crate) const YAML_ALIASES: usize = 50_000;
/// Most parts that the aliases of a YAML file can repeat in all.
#[cfg(feature = "kronjob")]
pub(crate) const YAML_REPEATED: usize = 1_000_000;
/// Longest duration or distribution parameter in characters, in a manifest.
#[cfg(feature = "kronjob")]
pub(crate) const VALUE_CHARS: usize = 128;
/// Most events of an iCalendar file.
#[cfg(feature = "icalendar")]
pub(crate) const CALENDAR_EVENTS: usize = 10_000;
/// Most events with a rule in an iCalendar file.
#[cfg(feature = "icalendar")]
pub(crate) const CALENDAR_RULES: usize = 500;
/// Most dates of the events of an iCalendar file, those that their rules give included.
#[cfg(feature = "icalendar")]
pub(crate) const CALENDAR_OCCURRENCES: usize = 100_000;
/// The year to whose end the rules of an iCalendar file are followed: that of the last second that a window can have.
#[cfg(feature = "icalendar")]
pub(crate) const CALENDAR_LAST_YEAR: u16 = 2101;
/// A KronJob whose windows can overlap in more periods than this is invalid.
#[cfg(feature = "kronjob")]
pub(crate) const OVERLAP_MAX: u64 = 100;
/// So many fields of each job of another system are read without a limit for all jobs together.
#[cfg(feature = "convert")]
pub(crate) const FIELDS_OF_JOB: usize = 16;
/// Most further fields of all jobs of other systems that are read together.
#[cfg(feature = "convert")]
pub(crate) const FURTHER_FIELDS: usize = 250_000;
/// Most rows of a file of a base: one a minute for almost two years.
#[cfg(feature = "convert")]
pub(crate) const BASE_ROWS: usize = 1_000_000;
/// Most different lines `OnCalendar=` of a timer of systemd: each one is compared with all others.
#[cfg(feature = "convert")]
pub(crate) const TIMER_LINES: usize = 1000;
/// Most lines of the schedules of a job of Jenkins, for the same reason.
#[cfg(feature = "convert")]
pub(crate) const TRIGGER_LINES: usize = 1000;
/// Most clauses of days of one job that lines of a timer are united in.
#[cfg(feature = "convert")]
pub(crate) const UNITED_CLAUSES: usize = 100;
/// Most dates of calendars in a timer of systemd that is written.
#[cfg(feature = "convert")]
pub(crate) const EXPORTED_CALENDARS: usize = 100;
