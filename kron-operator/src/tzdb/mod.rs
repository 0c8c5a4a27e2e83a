//! The tz database that a replica runs with: where it is from, what identifies it, and what is wrong with it.

use std::path::PathBuf;
use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use kron_core::{Parser, TzDatabase, Zone};
use kron_fleet::lint::lint_tzdb;
use kron_tzdb::Setting;

/// How many warnings are logged before the rest is only counted.
const LINES: usize = 20;

/// The tz database of this process.
#[derive(Clone, Debug)]
pub struct Tzdb {
    database: TzDatabase,
    source: String,
}

/// Reads the tz database that a flag names, or else the environment (`KRON_TZDB`, then `TZDIR`). Without either, it is the
/// compiled-in one.
///
/// # Errors
///
/// If the directory is not a tz database.
///
/// ```
/// let error = kron_operator::tzdb::read(Some("/does/not/exist".into())).unwrap_err();
/// assert!(error.starts_with("--tzdb: /does/not/exist: "));
/// ```
pub fn read(flag: Option<PathBuf>) -> Result<Tzdb, String> {
    read_setting(Setting::new(flag, |name| std::env::var_os(name)))
}

fn read_setting(setting: Setting) -> Result<Tzdb, String> {
    let (from, source) = match &setting {
        Setting::CompiledIn => ("", kron_tzdb::COMPILED_IN.to_string()),
        Setting::Dir { path, from } => (*from, path.display().to_string()),
    };
    let database = setting.read().map_err(|error| {
        let help = error.help().map_or(String::new(), |help| format!("; {help}"));
        format!("{from}: {error}{help}")
    })?;
    Ok(Tzdb { database, source })
}

impl Tzdb {
    /// A parser that looks time zones up in this database.
    ///
    /// ```
    /// let parser = kron_operator::tzdb::read(Some("compiled-in".into()))?.parser();
    /// assert!(parser.tz_database().is_compiled_in());
    /// # Ok::<(), String>(())
    /// ```
    pub fn parser(&self) -> Parser {
        Parser::new().with_tz_database(self.database.clone())
    }

    /// Logs which database this is, and a warning for each thing that an operator of a cluster should know about it.
    pub fn log(&self, now: DateTime<Utc>) {
        let (version, fingerprint) = (version(&self.database), fingerprint(&self.database));
        tracing::info!(version, source = self.source, fingerprint, "tz database");
        for warning in warnings(&self.database, now) {
            tracing::warn!("{warning}");
        }
    }
}

/// The version of a database, or `unknown`.
///
/// ```
/// use kron_core::TzDatabase;
/// assert_eq!(kron_operator::tzdb::version(&TzDatabase::COMPILED_IN), TzDatabase::COMPILED_IN_VERSION);
/// ```
pub fn version(database: &TzDatabase) -> &str {
    database.version().unwrap_or("unknown")
}

/// Identifies a database: its version, or `unknown`, a space, and 16 hex digits that are the same for two databases with the
/// same names and rules. The digits are the first of the SHA-256 over a line `<name> <fingerprint of the zone>\n` for each
/// zone, in the order of names.
///
/// ```
/// use kron_core::TzDatabase;
/// let empty = TzDatabase::from_tzif::<&str, &[u8]>(Some("2026z"), [])?;
/// // printf '' | sha256sum
/// assert_eq!(kron_operator::tzdb::identify(&empty), "2026z e3b0c44298fc1c14");
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn identify(database: &TzDatabase) -> String {
    format!("{} {}", version(database), fingerprint(database))
}

/// The first digits of the database's fingerprint: enough to distinguish databases in a log line or an annotation.
fn fingerprint(database: &TzDatabase) -> String {
    // It takes milliseconds to compute, and a simulation starts thousands of operators.
    static COMPILED_IN: LazyLock<String> = LazyLock::new(|| TzDatabase::COMPILED_IN.fingerprint());
    match database.is_compiled_in() {
        true => COMPILED_IN[..16].to_string(),
        false => database.fingerprint()[..16].to_string(),
    }
}

/// What an operator of a cluster should know about a database: that it is old, where its rules are not the compiled-in
/// ones within the next years, and which zones it lacks.
fn warnings(database: &TzDatabase, now: DateTime<Utc>) -> Vec<String> {
    let zones: Vec<Zone> = database.zones().collect();
    let findings = lint_tzdb(&zones, database, now);
    let more = findings.len().saturating_sub(LINES);
    let mut lines: Vec<String> = findings.into_iter().take(LINES).map(|finding| finding.message).collect();
    if more > 0 {
        let warnings = if more == 1 { "warning" } else { "warnings" };
        lines.push(format!("{more} more {warnings} about tz database {}", version(database)));
    }
    let missing: Vec<Zone> =
        TzDatabase::COMPILED_IN.zones().filter(|zone| database.zone(zone.name()).is_err()).collect();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().take(LINES).map(Zone::name).collect();
        let more = if missing.len() > LINES { ", …" } else { "" };
        lines.push(format!(
            "the tz database {} lacks {} of the compiled-in zones; KronJobs in them are invalid: {}{more}",
            version(database),
            missing.len(),
            names.join(", ")
        ));
    }
    lines
}

#[cfg(test)]
mod tests;
