//! Receipts: a decision with all that is needed to make it again, with no other input.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::decision::Decision;
use crate::error::{Error, ManifestError, Snippet};
use crate::job::Job;
use crate::text::parse_canonical;
use crate::wire::Object;
use crate::zone::TZDB_VERSION;

/// A decision and what it follows from: canonical text, identity, algorithm and version of the tz database.
///
/// As JSON it is what `kron explain -o json` prints and `kron verify` reads.
///
/// ```
/// use kron_core::{Job, Receipt};
/// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h)")?;
/// let receipt = Receipt::new(&job, &job.next_start(0)?);
/// assert_eq!(receipt.verify()?, []);
///
/// let tampered = receipt.to_json().replace("@win(after,3h0m0s)", "@win(after,4h0m0s)");
/// assert!(!Receipt::from_json(&tampered)?.verify()?.is_empty());
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Receipt {
    schema: String,
    identity: String,
    text: String,
    algorithm: String,
    tzdb_version: String,
    decision: Object<DecisionWire>,
}

/// The decision as a receipt holds it: claims, not facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DecisionWire {
    identity: String,
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

const SCHEMA: &str = "kron.io/receipt/v1";

impl DecisionWire {
    fn of(decision: &Decision<'_>) -> DecisionWire {
        let time = |timestamp| crate::period::Rfc3339(timestamp).to_string();
        DecisionWire {
            identity: decision.identity().to_string(),
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
            ("decision.identity", self.identity.clone()),
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
            identity: job.identity().to_string(),
            text: job.spec().to_string(),
            algorithm: job.spec().algorithm().to_string(),
            tzdb_version: TZDB_VERSION.to_string(),
            decision: Object(DecisionWire::of(decision)),
        }
    }

    /// Makes the decision again from the receipt's text, identity and nominal time, and says what differs; nothing, if
    /// the receipt holds.
    ///
    /// # Errors
    ///
    /// If the receipt is of another schema, or its text, identity or nominal time do not read.
    pub fn verify(&self) -> Result<Vec<Difference>, Error> {
        if self.schema != SCHEMA {
            let kind = ManifestError::Schema { text: Snippet::of(&self.schema), known: SCHEMA };
            return Err(Error::new("schema", kind));
        }
        let job = Job::new(&self.identity, parse_canonical(&self.text)?)?;
        let nominal = chrono::DateTime::parse_from_rfc3339(&self.decision.0.nominal_time).map_err(|_| {
            let text = Snippet::of(&self.decision.0.nominal_time);
            Error::new("decision.nominalTime", crate::error::ValueError::Instant { text })
        })?;
        let computed = Receipt::new(&job, &job.decide(nominal)?);
        let top = |receipt: &Receipt| {
            [
                ("text", receipt.text.clone()),
                ("algorithm", receipt.algorithm.clone()),
                ("tzdbVersion", receipt.tzdb_version.clone()),
            ]
        };
        let (claimed, found) = (top(self), top(&computed));
        let claimed = claimed.into_iter().chain(self.decision.0.fields());
        let found = found.into_iter().chain(computed.decision.0.fields());
        Ok(claimed
            .zip(found)
            .filter(|((_, claimed), (_, found))| claimed != found)
            .map(|((field, receipt), (_, computed))| Difference {
                field: field.to_string(),
                receipt,
                computed,
            })
            .collect())
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
