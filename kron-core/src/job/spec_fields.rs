//! A job spec for serde: the field names of the KronJob spec.
//!
//! Values are read by the same parsers as the text form. Errors have the path of the field.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::constraint::{BadPart, Calendars, Clause, ClauseBuilder, ClauseParts, Constraints};
use crate::cron::Cron;
use crate::days::{DayRules, Days, DaysBuilder};
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::{Distribution, DistributionName};
use crate::draw::seed::{Seed, SeedKey, SeedStrategy};
use crate::draw::window::{Window, WindowMode};
use crate::error::Error;
use crate::job::lookup::Lookup;
use crate::job::modifier::Modifier;
use crate::job::spec::JobSpec;
use crate::plan::policy::{Concurrency, Policy, PolicyKey};
use crate::serde_support::Object;
use crate::time::duration::Duration;
use crate::time::zone::Zone;

/// A spec as a manifest writes it. A field that is absent or null has its default.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SpecFields {
    schedule: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timezone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    days: Option<Vec<ClauseFields>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodays: Option<Vec<ClauseFields>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) window: Option<Object<WindowFields>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) distribution: Option<Object<DistributionFields>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<Object<SeedFields>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    constraints: Option<Object<ConstraintsFields>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<Object<PolicyFields>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    algorithm: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WindowFields {
    pub(crate) mode: Option<String>,
    pub(crate) duration: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DistributionFields {
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) params: Option<BTreeMap<String, Option<String>>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeedFields {
    strategy: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    salt: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConstraintsFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only: Option<Vec<ClauseFields>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    avoid: Option<Vec<ClauseFields>>,
}

/// Parts by name, as in the core's list of parts.
type ClauseFields = BTreeMap<String, Option<String>>;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicyFields {
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

impl SpecFields {
    /// The spec, or the first error with its path within the spec.
    pub(crate) fn into_spec(self, lookup: Lookup<'_>) -> Result<JobSpec, Error> {
        // Every field by name, so that the compiler reports a new one here.
        let SpecFields {
            schedule,
            timezone,
            days,
            nodays,
            window,
            distribution,
            seed,
            constraints,
            policy,
            algorithm,
        } = self;
        let mut builder = JobSpec::builder(Cron::parse(&schedule)?);
        let name = timezone.as_deref();
        let zone = name.map_or_else(|| Ok(lookup.tz_database.utc()), |name| lookup.tz_database.zone(name));
        builder = builder.timezone(zone.map_err(|error| error.located(name.unwrap_or_default()))?);
        let days = clauses::<DaysBuilder>("days", &days, lookup.calendars)?;
        let nodays = clauses::<DaysBuilder>("nodays", &nodays, lookup.calendars)?;
        builder = builder.days(DayRules::from_clauses(days, nodays)?);
        if let Some(Object(WindowFields { mode, duration })) = &window {
            let text = duration.as_deref();
            let mode = read(mode.as_deref(), WindowMode::parse)?;
            let duration = read(text, |text| Duration::parse_field(text, "window.duration"))?;
            builder = builder.window(Window::new(mode, duration)?);
        }
        if let Some(Object(DistributionFields { name, params })) = &distribution {
            let params =
                params.iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_deref()?)));
            let name = name.as_deref().unwrap_or(DistributionName::Uniform.as_str());
            builder = builder.distribution(Distribution::from_params(name, params)?);
        }
        if let Some(Object(SeedFields { strategy, salt })) = &seed {
            let strategy = read(strategy.as_deref(), SeedStrategy::parse)?;
            builder = builder.seed(Seed::new(strategy, salt.as_deref().unwrap_or_default())?);
        }
        if let Some(Object(ConstraintsFields { only, avoid })) = &constraints {
            let (only, avoid) = (
                clauses::<ClauseBuilder>("constraints.only", only, lookup.calendars)?,
                clauses::<ClauseBuilder>("constraints.avoid", avoid, lookup.calendars)?,
            );
            builder = builder.constraints(Constraints::from_clauses(only, avoid)?);
        }
        if let Some(Object(PolicyFields { concurrency, deadline, suspend })) = &policy {
            let policy = Policy::default()
                .with_concurrency(read(concurrency.as_deref(), Concurrency::parse)?)
                .with_deadline(read(deadline.as_deref(), |text| {
                    Duration::parse_field(text, "policy.deadline")
                })?)?
                .with_suspend(suspend.unwrap_or_default());
            builder = builder.policy(policy);
        }
        builder.algorithm(read(algorithm.as_deref(), Algorithm::parse)?).build()
    }

    /// The fields of a spec, without those that have their defaults.
    fn of(spec: &JobSpec) -> SpecFields {
        let mut fields = SpecFields { schedule: spec.schedule().to_string(), ..SpecFields::default() };
        for modifier in Modifier::ALL {
            match modifier {
                Modifier::Timezone => {
                    fields.timezone = unless(&Zone::UTC, spec.timezone()).map(ToString::to_string);
                }
                Modifier::Days => fields.days = day_fields(spec.days().days()),
                Modifier::Nodays => fields.nodays = day_fields(spec.days().nodays()),
                Modifier::Window => {
                    fields.window = unless(&Window::default(), &spec.window()).map(WindowFields::of);
                }
                Modifier::Distribution => {
                    let distribution = unless(&Distribution::default(), spec.distribution());
                    fields.distribution = distribution.map(DistributionFields::of);
                }
                Modifier::Seed => fields.seed = unless(&Seed::DEFAULT, spec.seed()).map(SeedFields::of),
                Modifier::Policy => {
                    fields.policy = unless(&Policy::DEFAULT, spec.policy()).map(PolicyFields::of);
                }
                Modifier::Algorithm => {
                    let algorithm = unless(&Algorithm::default(), &spec.algorithm()).copied();
                    fields.algorithm = algorithm.map(|algorithm| algorithm.to_string());
                }
                Modifier::Only => fields.set_clauses(spec.constraints().only(), |lists| &mut lists.only),
                Modifier::Avoid => fields.set_clauses(spec.constraints().avoid(), |lists| &mut lists.avoid),
            }
        }
        fields
    }

    /// Sets one of the lists of clauses, unless it is empty.
    fn set_clauses(
        &mut self,
        clauses: &[Clause],
        list: fn(&mut ConstraintsFields) -> &mut Option<Vec<ClauseFields>>,
    ) {
        if clauses.is_empty() {
            return;
        }
        let Object(lists) = self.constraints.get_or_insert_with(|| Object(ConstraintsFields::default()));
        let fields = |clause: &Clause| {
            clause.canonical().map(|(part, value)| (part.to_string(), Some(value))).collect()
        };
        *list(lists) = Some(clauses.iter().map(fields).collect());
    }
}

/// A part that differs from its default.
fn unless<'a, T: PartialEq>(default: &T, part: &'a T) -> Option<&'a T> {
    Some(part).filter(|part| *part != default)
}

impl WindowFields {
    fn of(window: &Window) -> Object<WindowFields> {
        let (mode, duration) = (Some(window.mode().to_string()), Some(window.duration().to_string()));
        Object(WindowFields { mode, duration })
    }
}

impl DistributionFields {
    fn of(distribution: &Distribution) -> Object<DistributionFields> {
        let params = distribution.params().into_iter().map(|(key, value)| (key.to_string(), Some(value)));
        let params = Some(params.collect::<BTreeMap<_, _>>()).filter(|params| !params.is_empty());
        Object(DistributionFields { name: Some(distribution.name().to_string()), params })
    }
}

impl SeedFields {
    fn of(seed: &Seed) -> Object<SeedFields> {
        let mut fields = SeedFields { strategy: Some(seed.strategy().to_string()), salt: None };
        for key in SeedKey::ALL {
            match key {
                SeedKey::Salt => fields.salt = Some(seed.salt().to_string()).filter(|salt| !salt.is_empty()),
            }
        }
        Object(fields)
    }
}

impl PolicyFields {
    fn of(policy: &Policy) -> Object<PolicyFields> {
        let mut fields = PolicyFields::default();
        for key in PolicyKey::ALL {
            match key {
                PolicyKey::Concurrency => fields.concurrency = Some(policy.concurrency().to_string()),
                PolicyKey::Deadline => fields.deadline = Some(policy.deadline().to_string()),
                PolicyKey::Suspend => fields.suspend = Some(policy.suspend()),
            }
        }
        Object(fields)
    }
}

fn clauses<B: ClauseParts>(
    path: &str,
    list: &Option<Vec<ClauseFields>>,
    calendars: &Calendars,
) -> Result<Vec<B::Clause>, Error> {
    let mut clauses = Vec::new();
    for (index, parts) in list.iter().flatten().enumerate() {
        let within = |error: Error| error.within(&alloc::format!("{path}[{index}]"));
        let mut builder = B::default();
        for (name, value) in parts {
            let Some(value) = value else { continue };
            builder.set(name, value, calendars).map_err(|bad| match bad {
                BadPart::Name(error) => within(error.located(name)),
                BadPart::Value(error) => within(error.located(value)),
            })?;
        }
        clauses.push(builder.finish().map_err(within)?);
    }
    Ok(clauses)
}

/// A list of clauses, unless it is empty.
fn day_fields(clauses: &[Days]) -> Option<Vec<ClauseFields>> {
    let fields =
        |clause: &Days| clause.canonical().map(|(part, value)| (part.to_string(), Some(value))).collect();
    (!clauses.is_empty()).then(|| clauses.iter().map(fields).collect())
}

impl Serialize for JobSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SpecFields::of(self).serialize(serializer)
    }
}

/// With the compiled-in time zone database and without calendars; [`Parser`](crate::Parser) reads with others.
impl<'de> Deserialize<'de> for JobSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JobSpec, D::Error> {
        Object::<SpecFields>::deserialize(deserializer)?
            .0
            .into_spec(Lookup::compiled_in())
            .map_err(D::Error::custom)
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
