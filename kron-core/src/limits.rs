//! Every limit of this crate, defined once.

/// First second of the first nominal time's year: 1970-01-01T00:00:00Z.
pub const NOMINAL_MIN: i64 = 0;
/// Last second in which a nominal time may lie: 2099-12-31T23:59:59Z. Tables of offsets reach one year further.
pub const NOMINAL_MAX: i64 = 4_102_444_799;
/// Longest window, 8784 hours (366 days), in nanoseconds.
pub(crate) const WINDOW_MAX_NANOS: i64 = 8784 * 3600 * 1_000_000_000;
/// Longest cron expression in bytes.
pub(crate) const CRON_BYTES: usize = 256;
/// Longest job text in bytes.
pub(crate) const TEXT_BYTES: usize = 65_536;
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
/// Most clauses in each of `only`, `avoid`, `days` and `nodays`.
pub(crate) const CLAUSES: usize = 128;
/// Longest value of one constraint part in characters; days of the month have another limit.
pub(crate) const PART_CHARS: usize = 128;
/// Longest list of days of the month in characters.
pub(crate) const DOM_CHARS: usize = 96;
/// Most days or weeks of the part `every`.
pub(crate) const EVERY_MAX: u16 = 3660;
/// Most ranges of dates of a calendar.
pub(crate) const CALENDAR_RANGES: usize = 10_000;
/// Longest name of a calendar in characters.
pub(crate) const CALENDAR_NAME_CHARS: usize = 64;
/// A search for the next start looks this far: the most seconds that five calendar years can have (1827 days).
pub(crate) const SEARCH_SECONDS: i64 = 1827 * 86_400;
/// A search for the next start gives up after this many unschedulable periods in a row.
pub(crate) const SEARCH_UNSCHEDULABLE: u32 = 100_000;
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
pub const MISSED_LISTED: usize = 100;
