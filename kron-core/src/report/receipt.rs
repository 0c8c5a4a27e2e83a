//! Receipts: a decision with all that is needed to make it again, with no other input.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::decision::Decision;
use crate::error::{Error, ManifestError, Snippet};
use crate::job::Job;
use crate::serde_support::Object;
use crate::text::parse_canonical;
use crate::time::zone::{TzDatabase, Zone};

/// A decision and what it follows from: canonical text, name, algorithm, and the rules of the time zone.
///
/// As JSON it is what `kron explain -o json` prints and `kron verify` reads.
///
/// ```
/// use kron_core::{Job, Receipt, TzDatabase};
/// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h)")?;
/// let receipt = Receipt::new(&job, &job.next_start(0)?);
/// assert!(receipt.verify(&TzDatabase::COMPILED_IN)?.agrees());
///
/// let tampered = receipt.to_json().replace("@win(after,3h0m0s)", "@win(after,4h0m0s)");
/// assert!(!Receipt::from_json(&tampered)?.verify(&TzDatabase::COMPILED_IN)?.agrees());
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
    decision: Object<DecisionWire>,
}

/// The decision as a receipt holds it: claims, not facts.
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
    chosen_time: Option<String>,
    seed_input: String,
    seed_hash: String,
    draws: u64,
    unschedulable: Option<String>,
}

/// A field of a receipt that does not hold what the core computes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The field by its path, such as `decision.chosenTime`.
    pub field: String,
    /// What the receipt says.
    pub receipt: String,
    /// What the core says.
    pub computed: String,
}

/// What [`Receipt::verify`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// The fields that do not hold what the core computes; none if the receipt holds.
    pub differences: Vec<Difference>,
    /// How the time zone's rules compare.
    pub zone_rules: ZoneRules,
}

/// How the rules of a receipt's time zone compare with those of the database that verifies it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ZoneRules {
    /// The same rules, from a release of the same version.
    Same,
    /// The same rules, from another release. The receipt holds all the same.
    OtherRelease {
        /// The version in the receipt.
        receipt: String,
        /// The version of the database that verifies.
        computed: String,
    },
    /// Other rules. The receipt cannot be proved with this database.
    Different {
        /// The first instant since 1968-12-01 at which the offsets differ; `None` if the compiled-in database does not have the
        /// receipt's rules either, so that nothing is known of them but their fingerprint.
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

    fn fields(&self) -> [(&'static str, String); 12] {
        let or_null = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".to_string());
        [
            ("decision.name", self.name.clone()),
            ("decision.algorithm", self.algorithm.clone()),
            ("decision.periodId", self.period_id.clone()),
            ("decision.periodKey", self.period_key.clone()),
            ("decision.nominalTime", self.nominal_time.clone()),
            ("decision.windowStart", self.window_start.clone()),
            ("decision.windowEnd", self.window_end.clone()),
            ("decision.chosenTime", or_null(&self.chosen_time)),
            ("decision.seedInput", self.seed_input.clone()),
            ("decision.seedHash", self.seed_hash.clone()),
            ("decision.draws", self.draws.to_string()),
            ("decision.unschedulable", or_null(&self.unschedulable)),
        ]
    }
}

impl Receipt {
    /// The receipt of a decision that the job made.
    pub fn new(job: &Job, decision: &Decision<'_>) -> Receipt {
        Receipt {
            schema: SCHEMA.to_string(),
            name: job.name().to_string(),
            text: job.spec().to_string(),
            algorithm: job.spec().algorithm().to_string(),
            tzdb_version: job.spec().timezone().tzdb_version().unwrap_or(UNKNOWN_VERSION).to_string(),
            timezone_fingerprint: job.spec().timezone().fingerprint(),
            decision: Object(DecisionWire::of(decision)),
        }
    }

    /// Makes the decision again from the receipt's text, name and nominal time, with the zones of a tz database, and
    /// compares.
    ///
    /// Another version of the database is no difference as long as the zone's rules are the same. Other rules are one, in
    /// the field `timezoneFingerprint`.
    ///
    /// # Errors
    ///
    /// If the receipt is of another schema, or its text, name or nominal time do not read.
    pub fn verify(&self, database: &TzDatabase) -> Result<Verification, Error> {
        if self.schema != SCHEMA {
            let kind = ManifestError::Schema { text: Snippet::of(&self.schema), known: SCHEMA };
            return Err(Error::new("schema", kind));
        }
        let job = Job::new(&self.name, parse_canonical(&self.text, database)?)?;
        let nominal = chrono::DateTime::parse_from_rfc3339(&self.decision.0.nominal_time).map_err(|_| {
            let text = Snippet::of(&self.decision.0.nominal_time);
            Error::new("decision.nominalTime", crate::error::ValueError::Instant { text })
        })?;
        let computed = Receipt::new(&job, &job.decide(nominal)?);
        let top = |receipt: &Receipt| {
            [
                ("text", receipt.text.clone()),
                ("algorithm", receipt.algorithm.clone()),
                ("timezoneFingerprint", receipt.timezone_fingerprint.clone()),
            ]
        };
        let (claimed, found) = (top(self), top(&computed));
        let claimed = claimed.into_iter().chain(self.decision.0.fields());
        let found = found.into_iter().chain(computed.decision.0.fields());
        let differences = claimed
            .zip(found)
            .filter(|((_, claimed), (_, found))| claimed != found)
            .map(|((field, receipt), (_, computed))| Difference {
                field: field.to_string(),
                receipt,
                computed,
            })
            .collect();
        Ok(Verification { differences, zone_rules: self.zone_rules(&computed, job.spec().timezone()) })
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
    #[cfg(feature = "manifest")]
    pub fn to_json(&self) -> String {
        // OK because strings and numbers always serialize.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads a receipt from JSON.
    ///
    /// # Errors
    ///
    /// [`ManifestSyntax`](crate::ErrorCode::ManifestSyntax) and its family, with the field's path.
    #[cfg(feature = "manifest")]
    pub fn from_json(text: &str) -> Result<Receipt, Error> {
        crate::manifest::read_json::<Object<Receipt>>(text).map(|Object(receipt)| receipt)
    }
}
