//! Receipts: a decision with everything that is needed to compute it again, without other input.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::{String, ToString},
    vec,
    vec::Vec,
};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize};

use crate::constraint::Calendars;
use crate::decision::Decision;
use crate::error::{Error, ReceiptSchema, Snippet};
use crate::job::Job;
use crate::job::lookup::Lookup;
use crate::plan::policy::Policy;
use crate::serde_support::Object;
use crate::text::parse_canonical;
use crate::time::zone::{TzDatabase, Zone};

/// A decision and its inputs: canonical text, name, algorithm, version and fingerprint of the rules of the time zone, and hashes
/// of the dates of calendars.
///
/// As JSON it is what `kron explain -o json` prints and `kron verify` reads.
///
/// ```
/// use kron_core::{Calendars, Job, TzDatabase};
/// use kron_core::proof::Receipt;
/// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h)")?;
/// let receipt = Receipt::new(&job, &job.next_start(0)?);
/// assert!(receipt.verify(&TzDatabase::COMPILED_IN, &Calendars::new())?.agrees());
///
/// let tampered = receipt.to_json().replace("@win(after,3h0m0s)", "@win(after,4h0m0s)");
/// let tampered = Receipt::from_json(&tampered)?;
/// assert!(!tampered.verify(&TzDatabase::COMPILED_IN, &Calendars::new())?.agrees());
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Receipt {
    schema: String,
    name: String,
    text: String,
    algorithm: String,
    /// `unknown` for a database without a version.
    tzdb_version: String,
    timezone_fingerprint: String,
    /// The content hash of each calendar that the text names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    calendars: BTreeMap<String, String>,
    /// Whether the schedule has the decision's nominal time.
    on_schedule: bool,
    decision: Object<DecisionWire>,
}

/// The decision as the receipt states it, before it is verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DecisionWire {
    name: String,
    algorithm: String,
    period_id: String,
    period_key: String,
    nominal_time: String,
    window_start: String,
    window_end: String,
    #[serde(deserialize_with = "present")]
    chosen_time: Option<String>,
    seed_input: String,
    seed_hash: String,
    draws: u64,
    #[serde(deserialize_with = "present")]
    unschedulable: Option<String>,
}

/// Reads a field that may be null and may not be absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

/// A field of a receipt that does not hold what the core computes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The field by its path, such as `decision.chosenTime`.
    pub field: String,
    /// The value in the receipt. A field that is null is `null`; the string `null` has quotes.
    pub receipt: String,
    /// The value that the core computes, in the same form.
    pub computed: String,
}

/// The result of [`Receipt::verify`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// The fields that do not hold what the core computes; none if the receipt holds.
    pub differences: Vec<Difference>,
    /// How the time zone's rules compare.
    pub zone_rules: ZoneRules,
    /// Parts of the text on which the decision does not depend, so they can be changed in a receipt that still holds:
    /// `other times of the schedule`, and `policy` if the text has one.
    pub not_proven: Vec<&'static str>,
}

/// How the rules of a receipt's time zone compare with those of the database that verifies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZoneRules {
    /// The same rules, from a release of the same version.
    Same,
    /// The same rules, from another release. The receipt is still valid.
    OtherRelease {
        /// The version in the receipt.
        receipt: String,
        /// The version of the database that verifies.
        computed: String,
    },
    /// Other rules. The receipt cannot be proved with this database.
    Different {
        /// The first instant since 1968-12-01 at which the offsets differ; `None` if the compiled-in database does not
        /// have the receipt's rules either, because then only their fingerprint is known.
        first_difference: Option<DateTime<Utc>>,
    },
}

impl Verification {
    /// Whether the receipt holds.
    pub fn agrees(&self) -> bool {
        self.differences.is_empty()
    }
}

const SCHEMA: &str = "kron.io/receipt/v1";
const UNKNOWN_VERSION: &str = "unknown";

impl DecisionWire {
    fn of(decision: &Decision<'_>) -> DecisionWire {
        let time = |timestamp| crate::time::rfc3339::Rfc3339(timestamp).to_string();
        DecisionWire {
            name: decision.name().to_string(),
            algorithm: decision.algorithm().to_string(),
            period_id: decision.period_id(),
            period_key: decision.period_key(),
            nominal_time: time(decision.nominal_timestamp()),
            window_start: time(decision.window_start_timestamp()),
            window_end: time(decision.window_end_timestamp()),
            chosen_time: decision.chosen_timestamp().map(time),
            seed_input: decision.seed_input(),
            seed_hash: decision.seed_hash().to_string(),
            draws: decision.draws().into(),
            unschedulable: decision.unschedulable().map(|why| why.to_string()),
        }
    }

    fn fields(&self) -> [(&'static str, Option<String>); 12] {
        let text = |text: &String| Some(text.clone());
        [
            ("decision.name", text(&self.name)),
            ("decision.algorithm", text(&self.algorithm)),
            ("decision.periodId", text(&self.period_id)),
            ("decision.periodKey", text(&self.period_key)),
            ("decision.nominalTime", text(&self.nominal_time)),
            ("decision.windowStart", text(&self.window_start)),
            ("decision.windowEnd", text(&self.window_end)),
            ("decision.chosenTime", self.chosen_time.clone()),
            ("decision.seedInput", text(&self.seed_input)),
            ("decision.seedHash", text(&self.seed_hash)),
            ("decision.draws", Some(self.draws.to_string())),
            ("decision.unschedulable", self.unschedulable.clone()),
        ]
    }
}

/// A value as a difference shows it. Null and the string `null` differ.
fn shown(value: Option<String>) -> String {
    match value {
        None => "null".to_string(),
        Some(text) if text == "null" => "\"null\"".to_string(),
        Some(text) => text,
    }
}

impl Receipt {
    /// The receipt of a decision that the job made.
    ///
    /// ```
    /// use kron_core::{Calendars, Job, TzDatabase};
    /// use kron_core::proof::Receipt;
    /// let job = Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
    /// let receipt = Receipt::new(&job, &job.next_start(0)?);
    /// // The receipt is enough: a verifier needs neither the job nor its file.
    /// assert!(receipt.verify(&TzDatabase::COMPILED_IN, &Calendars::new())?.agrees());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(job: &Job, decision: &Decision<'_>) -> Receipt {
        Receipt {
            schema: SCHEMA.to_string(),
            name: job.name().to_string(),
            text: job.spec().to_string(),
            algorithm: job.spec().algorithm().to_string(),
            tzdb_version: job.spec().timezone().tzdb_version().unwrap_or(UNKNOWN_VERSION).to_string(),
            timezone_fingerprint: job.spec().timezone().fingerprint(),
            calendars: job
                .spec()
                .calendars()
                .iter()
                .map(|calendar| (calendar.name().to_string(), calendar.content_hash()))
                .collect(),
            on_schedule: job.is_on_schedule(decision.nominal_timestamp()),
            decision: Object(DecisionWire::of(decision)),
        }
    }

    /// The version of the time zone database that the receipt names; `None` if the database had none.
    ///
    /// ```
    /// use kron_core::{Job, TzDatabase};
    /// use kron_core::proof::Receipt;
    /// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h)")?;
    /// let receipt = Receipt::new(&job, &job.next_start(0)?);
    /// assert_eq!(receipt.tzdb_version(), Some(TzDatabase::COMPILED_IN_VERSION));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn tzdb_version(&self) -> Option<&str> {
        Some(self.tzdb_version.as_str()).filter(|version| *version != UNKNOWN_VERSION)
    }

    /// Computes the decision again from the receipt's text, name and nominal time, with the zones of a time zone
    /// database and the dates of calendars, and compares.
    ///
    /// Another version of the database is not a difference as long as the zone's rules are the same. Other rules are one, in
    /// the field `timezoneFingerprint`. A calendar with other dates is one in the field `calendars.NAME`, even if the decision
    /// does not depend on these dates.
    ///
    /// # Errors
    ///
    /// If the receipt has another schema, or its text, name or nominal time cannot be read;
    /// [`CalendarUnknown`](crate::ErrorCode::CalendarUnknown) if its text names a calendar that is not given.
    ///
    /// ```
    /// use kron_core::{Calendars, Job, TzDatabase};
    /// use kron_core::proof::Receipt;
    /// let job = Job::parse("prod/db-backup", "@daily @win(after,3h) @policy(deadline=10m)")?;
    /// let receipt = Receipt::new(&job, &job.decide(1_772_323_200)?);
    /// let forged = receipt.to_json().replace("prod/db-backup", "prod/db-backup-2");
    /// let found = Receipt::from_json(&forged)?.verify(&TzDatabase::COMPILED_IN, &Calendars::new())?;
    /// assert_eq!(found.differences[0].field, "decision.chosenTime");
    /// assert_eq!(found.not_proven, ["other times of the schedule", "policy"]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn verify(&self, database: &TzDatabase, calendars: &Calendars) -> Result<Verification, Error> {
        if self.schema != SCHEMA {
            let kind = ReceiptSchema { text: Snippet::of(&self.schema), known: SCHEMA };
            return Err(Error::of("schema", kind));
        }
        let job =
            Job::new(&self.name, parse_canonical(&self.text, Lookup { tz_database: database, calendars })?)?;
        let nominal = chrono::DateTime::parse_from_rfc3339(&self.decision.0.nominal_time).map_err(|_| {
            let text = Snippet::of(&self.decision.0.nominal_time);
            Error::of("decision.nominalTime", crate::error::ValueError::Instant { text })
        })?;
        let computed = Receipt::new(&job, &job.decide(nominal)?);
        let top = |receipt: &Receipt| {
            [
                ("text", Some(receipt.text.clone())),
                ("algorithm", Some(receipt.algorithm.clone())),
                ("timezoneFingerprint", Some(receipt.timezone_fingerprint.clone())),
                ("onSchedule", Some(receipt.on_schedule.to_string())),
            ]
        };
        let (claimed, found) = (top(self), top(&computed));
        let claimed = claimed.into_iter().chain(self.decision.0.fields());
        let found = found.into_iter().chain(computed.decision.0.fields());
        let names: BTreeSet<&String> = self.calendars.keys().chain(computed.calendars.keys()).collect();
        let of_calendars = names.into_iter().map(|name| {
            let hash = |receipt: &Receipt| receipt.calendars.get(name).cloned();
            let field = alloc::format!("calendars.{name}");
            (field, hash(self), hash(&computed))
        });
        let differences = claimed
            .zip(found)
            .map(|((field, claimed), (_, found))| (field.to_string(), claimed, found))
            .chain(of_calendars)
            .filter(|(_, claimed, found)| claimed != found)
            .map(|(field, receipt, computed)| Difference {
                field,
                receipt: shown(receipt),
                computed: shown(computed),
            })
            .collect();
        let mut not_proven = vec!["other times of the schedule"];
        if *job.spec().policy() != Policy::default() {
            not_proven.push("policy");
        }
        let zone_rules = self.zone_rules(&computed, job.spec().timezone());
        Ok(Verification { differences, zone_rules, not_proven })
    }

    fn zone_rules(&self, computed: &Receipt, zone: &Zone) -> ZoneRules {
        if self.timezone_fingerprint == computed.timezone_fingerprint {
            if self.tzdb_version == computed.tzdb_version {
                return ZoneRules::Same;
            }
            let (receipt, computed) = (self.tzdb_version.clone(), computed.tzdb_version.clone());
            return ZoneRules::OtherRelease { receipt, computed };
        }
        let compiled_in = Zone::parse(zone.name()).ok();
        let known = compiled_in.filter(|compiled| compiled.fingerprint() == self.timezone_fingerprint);
        let first_difference = known.and_then(|known| zone.first_difference(&known, i64::MIN));
        ZoneRules::Different { first_difference }
    }

    /// The receipt as indented JSON.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::proof::Receipt;
    /// let job = Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
    /// let json = Receipt::new(&job, &job.decide(1_772_323_200)?).to_json();
    /// assert!(json.contains(r#""nominalTime": "2026-03-01T00:00:00Z""#));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> String {
        // OK because strings and numbers always serialize.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads a receipt from JSON.
    ///
    /// # Errors
    ///
    /// [`ManifestSyntax`](crate::ErrorCode::ManifestSyntax) and its family, with the field's path.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::proof::Receipt;
    /// let job = Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
    /// let receipt = Receipt::new(&job, &job.next_start(0)?);
    /// assert_eq!(Receipt::from_json(&receipt.to_json())?, receipt);
    /// assert!(Receipt::from_json("{}").is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "json")]
    pub fn from_json(text: &str) -> Result<Receipt, Error> {
        crate::text::json::read_json::<Object<Receipt>>(text).map(|Object(receipt)| receipt)
    }
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use alloc::format;

    use super::*;

    const NOMINAL: &str = "2026-03-01T00:00:00Z";

    fn receipt(text: &str) -> String {
        let job = Job::parse("db/a", text).unwrap();
        let nominal = DateTime::parse_from_rfc3339(NOMINAL).unwrap();
        Receipt::new(&job, &job.decide(nominal).unwrap()).to_json()
    }

    fn verify(json: &str) -> Verification {
        Receipt::from_json(json).unwrap().verify(&TzDatabase::COMPILED_IN, &Calendars::new()).unwrap()
    }

    /// The fields that differ after a change to a receipt that held.
    fn fields(json: &str, from: &str, to: &str) -> Vec<(String, String, String)> {
        assert!(verify(json).agrees());
        assert!(json.contains(from), "{from} in {json}");
        let found = verify(&json.replace(from, to)).differences;
        found.into_iter().map(|it| (it.field, it.receipt, it.computed)).collect()
    }

    fn difference(field: &str, receipt: &str, computed: &str) -> (String, String, String) {
        (field.to_string(), receipt.to_string(), computed.to_string())
    }

    #[test]
    fn the_string_null_is_not_null() {
        let json = receipt("@daily @win(after,1h)");
        assert_eq!(
            fields(&json, "\"unschedulable\": null", "\"unschedulable\": \"null\""),
            [difference("decision.unschedulable", "\"null\"", "null")]
        );
        let none = receipt("@daily @win(after,1h) @only(hours=12)");
        assert_eq!(
            fields(&none, "\"chosenTime\": null", "\"chosenTime\": \"null\""),
            [difference("decision.chosenTime", "\"null\"", "null")]
        );
    }

    #[test]
    fn absent_fields_are_errors() {
        let json = receipt("@daily @win(after,1h)");
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let error =
            |value: &serde_json::Value| Receipt::from_json(&value.to_string()).unwrap_err().to_string();
        for field in value.as_object().unwrap().keys() {
            let mut value = value.clone();
            value.as_object_mut().unwrap().remove(field);
            assert_eq!(error(&value), format!("field `{field}` is missing"));
        }
        for field in value["decision"].as_object().unwrap().keys() {
            let mut value = value.clone();
            value["decision"].as_object_mut().unwrap().remove(field);
            assert_eq!(error(&value), format!("decision: field `{field}` is missing"));
        }
    }

    #[test]
    fn the_nominal_time_has_to_be_on_the_schedule() {
        let json = receipt("0 0 * * * @win(after,1h)");
        assert!(json.contains("\"onSchedule\": true"), "{json}");
        let other = difference("onSchedule", "true", "false");
        assert_eq!(fields(&json, "0 0 * * *", "0 5 * * *"), [other]);
        let off = receipt("0 5 * * * @win(after,1h)");
        assert_eq!(
            fields(&off, "\"onSchedule\": false", "\"onSchedule\": true"),
            [difference("onSchedule", "true", "false")]
        );
    }

    #[test]
    fn what_is_not_proven_is_named() {
        let schedule = "other times of the schedule";
        assert_eq!(verify(&receipt("@daily @win(after,1h)")).not_proven, [schedule]);
        let json = receipt("@daily @win(after,1h) @policy(deadline=1h)");
        assert_eq!(verify(&json).not_proven, [schedule, "policy"]);
        // Both can be changed in a receipt that holds.
        assert_eq!(fields(&json, "deadline=1h0m0s", "deadline=2h0m0s"), []);
        assert_eq!(fields(&json, "0 0 * * *", "0 0,12 * * *"), []);
    }
}
