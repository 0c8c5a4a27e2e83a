//! Every limit of the core, defined once, for parsers, messages and tests.

/// First second of the first nominal time's year: 1970-01-01T00:00:00Z.
pub const NOMINAL_MIN: i64 = 0;
/// Last second in which a nominal time may lie: 2099-12-31T23:59:59Z. Tables of offsets reach one year further.
pub const NOMINAL_MAX: i64 = 4_102_444_799;

/// Longest window, 8784 hours (366 days), in nanoseconds.
pub(crate) const WINDOW_MAX_NANOS: i64 = 8784 * 3600 * 1_000_000_000;

/// Longest cron expression in bytes.
pub(crate) const CRON_BYTES: usize = 256;
/// Shortest lead of a primed schedule, in minutes.
pub(crate) const LEAD_MIN_MINUTES: i64 = 1;
/// Longest lead of a primed schedule, 31 days, in minutes.
pub(crate) const LEAD_MAX_MINUTES: i64 = 31 * 1440;
/// Longest lead of a primer, 24 hours, in nanoseconds.
pub(crate) const PRIMER_LEAD_MAX_NANOS: i64 = 24 * 3600 * 1_000_000_000;
/// A primer is made only if this many seconds are left until its start: a node needs longer than that to be ready.
pub(crate) const PRIMER_LEFT: i64 = 30;
/// Longest image of a primer in characters, in a manifest.
#[cfg(feature = "manifest")]
pub(crate) const IMAGE_CHARS: usize = 512;
/// Longest job text in bytes.
pub(crate) const TEXT_BYTES: usize = 65_536;
/// The longest file of jobs that [`load`](crate::load) reads, in bytes: several hundred thousand jobs.
#[cfg(feature = "manifest")]
pub const FILE_BYTES: usize = 64 << 20;
/// Most documents of a YAML file.
#[cfg(feature = "manifest")]
pub(crate) const YAML_DOCUMENTS: usize = 250_000;
/// Most keys and values of a YAML file, lists and objects included. The densest file of the longest length has as many.
#[cfg(feature = "manifest")]
pub(crate) const YAML_NODES: usize = 32_000_000;
/// How deeply lists and objects of a YAML file can be nested.
#[cfg(feature = "manifest")]
pub(crate) const YAML_DEPTH: usize = 64;
/// Most aliases, and most anchors, of a YAML file.
#[cfg(feature = "manifest")]
pub(crate) const YAML_ALIASES: usize = 50_000;
/// Most parts that the aliases of a YAML file can repeat in all.
#[cfg(feature = "manifest")]
pub(crate) const YAML_REPEATED: usize = 1_000_000;
/// How long before its end an audit begins at the earliest, in seconds, unless it is asked for more: 366 days.
#[cfg(feature = "manifest")]
pub const AUDIT_SPAN: i64 = 366 * 86_400;
/// The errors of a file that are kept; further ones are counted.
pub(crate) const FILE_ERRORS: usize = 1000;
/// Longest name in bytes.
pub(crate) const NAME_BYTES: usize = 1024;
/// Longest salt in bytes.
pub(crate) const SALT_BYTES: usize = 1024;
/// Longest zone name, and longest version of a time zone database, in bytes.
pub(crate) const ZONE_BYTES: usize = 64;
/// Most zones of a time zone database; the IANA's has about 600 names.
pub(crate) const TZDB_ZONES: usize = 4096;
/// Most clauses in each of `only` and `avoid`.
pub(crate) const CLAUSES: usize = 128;
/// Longest value of one constraint part in characters; days of the month have another limit.
pub(crate) const PART_CHARS: usize = 128;
/// Longest list of days of the month in characters.
pub(crate) const DOM_CHARS: usize = 96;
/// Longest duration or distribution parameter in characters, in a manifest.
#[cfg(feature = "manifest")]
pub(crate) const VALUE_CHARS: usize = 128;
/// Most ranges of dates of a calendar.
pub(crate) const CALENDAR_RANGES: usize = 10_000;
/// Longest name of a calendar in characters.
pub(crate) const CALENDAR_NAME_CHARS: usize = 64;
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

/// A search for the next start looks this far: the most seconds that five calendar years can have (1827 days).
pub(crate) const SEARCH_SECONDS: i64 = 1827 * 86_400;
/// A search for the next start gives up after this many unschedulable periods in a row.
pub(crate) const SEARCH_UNSCHEDULABLE: u32 = 100_000;

/// Longest bucket of a forecast, in seconds.
pub(crate) const FORECAST_PER_MAX: i64 = 3600;
/// Most buckets of a forecast: more than the seconds of 31 days.
pub(crate) const FORECAST_BUCKETS: u64 = 3_000_000;
/// Longest duration of an execution in a forecast, 366 days, in seconds.
pub(crate) const FORECAST_DURATION_MAX: i64 = 366 * 86_400;
/// A forecast is computed in slices of this many seconds; only one slice is in memory second by second.
pub(crate) const FORECAST_SLICE: i64 = 3 * 86_400;

/// Salts with different starts that a search for salts compares for one job.
pub(crate) const SPREAD_OPTIONS: usize = 64;
/// Starts that such a search keeps for all salts of the jobs that do not start at the same place of every window.
pub(crate) const SPREAD_STARTS: usize = 64 << 20;
/// Salts that a search for salts tries in a later round, for all jobs together.
pub(crate) const SPREAD_TRIES: usize = 50_000_000;
/// Rounds of a search for salts.
pub(crate) const SPREAD_ROUNDS: u32 = 3;
/// Starts that a search for salts examines in all.
pub(crate) const SPREAD_WORK: u64 = 20_000_000_000;
/// Starts that a search for salts examines for weights that prove a higher lower bound.
pub(crate) const SPREAD_BOUND_WORK: usize = 2_000_000_000;

/// Draws tried before the closed-up choice (or before giving up, in the older algorithm).
pub(crate) const DRAWS: u8 = 64;

/// Open periods up to this many seconds late are all considered by a plan; of the later ones, only one is.
pub(crate) const CATCH_UP_GRACE: i64 = 10;
/// Of the open periods whose windows have ended, a plan decides this many, the newest: more than can overlap for one
/// job. Older ones are counted as missed without being decided.
pub(crate) const ENDED_DECIDED: u32 = 1_000_000;
/// Unschedulable periods whose windows have ended, and periods of a suspended job whose time has come, that a plan lists.
pub(crate) const ENDED_LISTED: usize = 100_000;
/// Missed periods that a plan names one by one; older ones are counted.
pub(crate) const MISSED_LISTED: usize = 100;
/// A KronJob whose windows can overlap in more periods than this is invalid.
#[cfg(feature = "manifest")]
pub(crate) const OVERLAP_MAX: u64 = 100;

/// A start whose request fails is tried again for at least this many seconds from the first failure.
pub(crate) const RETRY_SECONDS: i64 = 10;
/// A start that was decided in time waits for its turn for at most this many seconds.
pub(crate) const QUEUE_SECONDS: i64 = 300;
/// A start whose claim another process holds is left to that process until this many seconds after the chosen time, after the
/// claim of a late start, and after the second in which an edit or a change of the clock made it due.
pub(crate) const HOLDER_SECONDS: i64 = 10;
/// A claim that is missing this many seconds before the start is written before anything else.
pub(crate) const CLAIM_SECONDS: i64 = 5;
/// The clocks of two machines may differ by this many seconds: a stored time that is further ahead is not used.
pub(crate) const CLOCK_DIFFERENCE: i64 = 60;
/// A search that found no start is made again after this many seconds.
pub(crate) const SEARCH_AGAIN: i64 = 86_400;
/// Periods whose windows have ended that a dispatcher decides in one step. More of them, after a long absence, are decided by
/// a search, which a host can run elsewhere.
pub(crate) const ENDED_AT_ONCE: u64 = 200;
/// Most handled periods beyond the watermark that a record lists.
pub(crate) const HANDLED_LISTED: usize = 100;
