//! The wire form of specs, decisions and explanations: the field names of the KronJob spec, for serde.
//!
//! Reading goes through the same parsers as the text form; what they refuse is refused here with the field's path.

use alloc::{
    borrow::Cow,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use core::fmt;
use core::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::algorithm::Algorithm;
use crate::constraint::{BadPart, Clause, Constraints, Forbidden};
use crate::cron::Cron;
use crate::decision::Decision;
use crate::distribution::Distribution;
use crate::duration::Duration;
use crate::error::Error;
use crate::explain::{ClosedUp, DrawStep, Explanation};
use crate::period::Rfc3339;
use crate::policy::{Concurrency, Policy};
use crate::seed::{Seed, SeedStrategy};
use crate::spec::JobSpec;
use crate::window::{Window, WindowMode};
use crate::zone::{TzDatabase, Zone};

/// A structure that is written as an object and nothing else: serde's own structures also read from lists, by position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(fields))
            }
        }

        deserializer.deserialize_map(Fields(PhantomData)).map(Object)
    }
}

/// A spec as it stands in a manifest. A field that is absent or null has its default.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SpecWire {
    schedule: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timezone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) window: Option<Object<WindowWire>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) distribution: Option<Object<DistributionWire>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<Object<SeedWire>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    constraints: Option<Object<ConstraintsWire>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<Object<PolicyWire>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    algorithm: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WindowWire {
    pub(crate) mode: Option<String>,
    pub(crate) duration: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DistributionWire {
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) params: Option<BTreeMap<String, Option<String>>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeedWire {
    strategy: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    salt: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConstraintsWire {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only: Option<Vec<ClauseWire>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    avoid: Option<Vec<ClauseWire>>,
}

/// Parts by name; the core's own list of parts decides which there are.
type ClauseWire = BTreeMap<String, Option<String>>;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicyWire {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    concurrency: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) deadline: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    suspend: Option<bool>,
}

/// Reads a value that may be absent.
fn read<T: Default>(text: Option<&str>, parse: impl Fn(&str) -> Result<T, Error>) -> Result<T, Error> {
    text.map_or_else(|| Ok(T::default()), |text| parse(text).map_err(|error| error.located(text)))
}

impl SpecWire {
    /// The spec, or the first error with its path within the spec.
    pub(crate) fn into_spec(self, database: &TzDatabase) -> Result<JobSpec, Error> {
        let mut builder = JobSpec::builder(Cron::parse(&self.schedule)?);
        let name = self.timezone.as_deref();
        let zone = name.map_or_else(|| Ok(database.utc()), |name| database.zone(name));
        builder = builder.timezone(zone.map_err(|error| error.located(name.unwrap_or_default()))?);
        if let Some(Object(WindowWire { mode, duration })) = &self.window {
            let text = duration.as_deref();
            let mode = read(mode.as_deref(), WindowMode::parse)?;
            let duration = read(text, |text| Duration::parse_field(text, "window.duration"))?;
            builder = builder.window(Window::new(mode, duration)?);
        }
        if let Some(Object(DistributionWire { name, params })) = &self.distribution {
            let params =
                params.iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_deref()?)));
            let name = name.as_deref().unwrap_or_else(|| Distribution::uniform().name());
            builder = builder.distribution(Distribution::from_params(name, params)?);
        }
        if let Some(Object(SeedWire { strategy, salt })) = &self.seed {
            let strategy = read(strategy.as_deref(), SeedStrategy::parse)?;
            builder = builder.seed(Seed::new(strategy, salt.as_deref().unwrap_or_default())?);
        }
        if let Some(Object(ConstraintsWire { only, avoid })) = &self.constraints {
            let (only, avoid) = (clauses("constraints.only", only)?, clauses("constraints.avoid", avoid)?);
            builder = builder.constraints(Constraints::new(only, avoid)?);
        }
        if let Some(Object(PolicyWire { concurrency, deadline, suspend })) = &self.policy {
            let policy = Policy::default()
                .with_concurrency(read(concurrency.as_deref(), Concurrency::parse)?)
                .with_deadline(read(deadline.as_deref(), |text| {
                    Duration::parse_field(text, "policy.deadline")
                })?)
                .with_suspend(suspend.unwrap_or_default());
            builder = builder.policy(policy);
        }
        builder.algorithm(read(self.algorithm.as_deref(), Algorithm::parse)?).build()
    }

    /// The wire form of a spec, with all that is not default.
    fn of(spec: &JobSpec) -> SpecWire {
        let window = Some(spec.window()).filter(|window| *window != Window::default());
        let distribution =
            Some(spec.distribution()).filter(|distribution| **distribution != Distribution::default());
        let seed = Some(spec.seed()).filter(|seed| **seed != Seed::default());
        let policy = Some(spec.policy()).filter(|policy| **policy != Policy::default());
        let list = |clauses: &[Clause]| {
            let wire = |clause: &Clause| {
                clause.canonical().map(|(name, value)| (name.to_string(), Some(value))).collect()
            };
            (!clauses.is_empty()).then(|| clauses.iter().map(wire).collect())
        };
        let constraints = spec.constraints();
        let window = window.map(|window| WindowWire {
            mode: Some(window.mode().to_string()),
            duration: Some(window.duration().to_string()),
        });
        let distribution = distribution.map(|distribution| {
            let params = distribution.params().into_iter().map(|(key, value)| (key.to_string(), Some(value)));
            let params = Some(params.collect::<BTreeMap<_, _>>()).filter(|params| !params.is_empty());
            DistributionWire { name: Some(distribution.name().to_string()), params }
        });
        let seed = seed.map(|seed| SeedWire {
            strategy: Some(seed.strategy().to_string()),
            salt: Some(seed.salt().to_string()).filter(|salt| !salt.is_empty()),
        });
        let policy = policy.map(|policy| PolicyWire {
            concurrency: Some(policy.concurrency().to_string()),
            deadline: Some(policy.deadline().to_string()),
            suspend: Some(policy.suspend()),
        });
        let clauses = || ConstraintsWire { only: list(constraints.only()), avoid: list(constraints.avoid()) };
        SpecWire {
            schedule: spec.schedule().to_string(),
            timezone: (*spec.timezone() != Zone::UTC).then(|| spec.timezone().to_string()),
            window: window.map(Object),
            distribution: distribution.map(Object),
            seed: seed.map(Object),
            constraints: (!constraints.is_empty()).then(clauses).map(Object),
            policy: policy.map(Object),
            algorithm: (spec.algorithm() != Algorithm::default()).then(|| spec.algorithm().to_string()),
        }
    }
}

fn clauses(path: &str, list: &Option<Vec<ClauseWire>>) -> Result<Vec<Clause>, Error> {
    let mut clauses = Vec::new();
    for (index, parts) in list.iter().flatten().enumerate() {
        let within = |error: Error| error.within(&alloc::format!("{path}[{index}]"));
        let mut builder = Clause::builder();
        for (name, value) in parts {
            let Some(value) = value else { continue };
            builder.set(name, value).map_err(|bad| match bad {
                BadPart::Name(error) => within(error.located(name)),
                BadPart::Value(error) => within(error.located(value)),
            })?;
        }
        clauses.push(builder.build().map_err(within)?);
    }
    Ok(clauses)
}

impl Serialize for JobSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SpecWire::of(self).serialize(serializer)
    }
}

/// With the compiled-in tz database; [`Parser`](crate::Parser) reads with another.
impl<'de> Deserialize<'de> for JobSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JobSpec, D::Error> {
        Object::<SpecWire>::deserialize(deserializer)?
            .0
            .into_spec(TzDatabase::compiled_in())
            .map_err(D::Error::custom)
    }
}

/// Types whose text form is their wire form.
macro_rules! through_text {
    ($($name:ident),*) => {
        $(impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        })*
    };
}

through_text!(Cron, Zone, Duration, Algorithm);

/// The record as an object, times in RFC 3339, UTC; `chosenTime` and `unschedulable` are null where they do not apply.
impl Serialize for Decision<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time = |timestamp| Rfc3339(timestamp).to_string();
        let mut object = serializer.serialize_struct("Decision", 12)?;
        object.serialize_field("name", self.name())?;
        object.serialize_field("algorithm", self.algorithm())?;
        object.serialize_field("periodId", &self.period_id())?;
        object.serialize_field("periodKey", &self.period_key())?;
        object.serialize_field("nominalTime", &time(self.nominal_timestamp()))?;
        object.serialize_field("windowStart", &time(self.window_start_timestamp()))?;
        object.serialize_field("windowEnd", &time(self.window_end_timestamp()))?;
        object.serialize_field("chosenTime", &self.chosen_timestamp().map(time))?;
        object.serialize_field("seedInput", &self.seed_input())?;
        object.serialize_field("seedHash", &self.seed_hash().to_string())?;
        object.serialize_field("draws", &self.draws())?;
        object.serialize_field("unschedulable", &self.unschedulable().map(|why| why.as_str()))?;
        object.end()
    }
}

impl Serialize for Forbidden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Forbidden::NoOnlyClause => serializer.serialize_str("only"),
            Forbidden::AvoidClause(index) => serializer.collect_str(&format_args!("avoid[{index}]")),
        }
    }
}

impl Serialize for DrawStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("u", &self.u)?;
        object.serialize_entry("quantile", &self.quantile)?;
        object.serialize_entry("candidate", &Rfc3339(self.candidate).to_string())?;
        object.serialize_entry("forbiddenBy", &self.forbidden)?;
        object.end()
    }
}

impl Serialize for ClosedUp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("u", &self.u)?;
        object.serialize_entry("quantile", &self.quantile)?;
        object.serialize_entry("chosen", &Rfc3339(self.chosen).to_string())?;
        object.end()
    }
}

/// The decision and its steps as an object, times in RFC 3339, UTC.
impl Serialize for Explanation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = |(first, last): &(i64, i64)| [Rfc3339(*first).to_string(), Rfc3339(*last).to_string()];
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("decision", &self.decision)?;
        object.serialize_entry("onSchedule", &self.on_schedule)?;
        object.serialize_entry("candidates", &self.candidates)?;
        object.serialize_entry("draws", &self.draws)?;
        object.serialize_entry("closedUp", &self.closed_up)?;
        object.serialize_entry("allowed", &self.allowed)?;
        object.serialize_entry("allowedRuns", &self.allowed_runs.iter().map(run).collect::<Vec<_>>())?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip_and_leave_defaults_out() {
        let text = "0 0 * * 1-5 @tz(Europe/Paris) @win(around,3h0m0s) @dist(exponential,lambda=8,dir=late) \
                    @seed(weekly,salt=blue) @policy(concurrency=replace,deadline=1m0s) @only(hours=1,2) \
                    @avoid(dow=0;dom=24&months=12)";
        let spec: JobSpec = text.parse().unwrap();
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(
            json,
            r#"{"schedule":"0 0 * * 1-5","timezone":"Europe/Paris","window":{"mode":"around","duration":"3h0m0s"},"distribution":{"name":"exponential","params":{"dir":"late","lambda":"8"}},"seed":{"strategy":"weekly","salt":"blue"},"constraints":{"only":[{"hours":"1,2"}],"avoid":[{"dow":"0"},{"dom":"24","months":"12"}]},"policy":{"concurrency":"replace","deadline":"1m0s","suspend":false}}"#
        );
        assert_eq!(serde_json::from_str::<JobSpec>(&json).unwrap(), spec);
        let plain: JobSpec =
            serde_json::from_str(r#"{"schedule":"@daily","timezone":null,"window":{},"seed":null}"#).unwrap();
        assert_eq!(serde_json::to_string(&plain).unwrap(), r#"{"schedule":"0 0 * * *"}"#);
    }

    #[test]
    fn err_paths() {
        let p = |json: &str| serde_json::from_str::<JobSpec>(json).unwrap_err().to_string();
        assert!(p(r#"{"schedule":"@daily","timeZone":"UTC"}"#).starts_with("unknown field `timeZone`"));
        assert!(p(r#"{}"#).starts_with("missing field `schedule`"));
        assert!(
            p(r#"{"schedule":"61 * * * *"}"#)
                .starts_with("schedule.minute: `61` at column 1 is not in 0 to 59")
        );
        let clause = r#"{"schedule":"@daily","constraints":{"avoid":[{"hours":"1"},{"hours":"x"}]}}"#;
        assert!(p(clause).starts_with("constraints.avoid[1].hours: `x` at column 1"), "{}", p(clause));
        let part = r#"{"schedule":"@daily","constraints":{"only":[{"hour":"1"}]}}"#;
        assert!(p(part).contains("constraints.only[0]: unknown part `hour`"), "{}", p(part));
    }
}
