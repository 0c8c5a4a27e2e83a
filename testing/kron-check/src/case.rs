//! The KronJobs that are checked.

use std::sync::Arc;

use kron_core::Parser;
use kron_crd::Time;
use kron_operator::object::{Key, KronJobView};
use serde_json::{Value, json};

/// The namespace of everything.
pub const NAMESPACE: &str = "prod";
/// When the KronJobs were created: 2026-03-01T00:00:00Z.
pub const CREATED: i64 = 1_772_323_200;
/// When a run begins: 100 s before the first nominal time.
const BEGIN: i64 = CREATED + 500;
/// The place of the spec that cannot be read among the specs.
pub(crate) const UNREADABLE: usize = 3;
/// The token of every request for a Job now.
pub const TOKEN: &str = "now-1";
/// For how many seconds a run goes on after the deadline of the last start.
const AFTER: i64 = 15;

/// What is checked: a KronJob, what users may make of it, and how long a run lasts.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// How many periods a run has.
    pub periods: u8,
    /// Names of the KronJobs, all with the same specs.
    pub names: Vec<&'static str>,
    /// The specs: as it is, after a first edit, after another one, and unreadable; and each of them suspended.
    views: Vec<Vec<[KronJobView; 2]>>,
    /// The last second at which something happens.
    pub end: i64,
    /// Seconds at which time stops, whether a process waits for them or not.
    pub stops: Vec<i64>,
    /// Whether the watches show no Job before the faults end.
    pub blind: bool,
    /// When a run begins.
    pub begin: i64,
    /// Whether a start may wait for the one before it until its deadline is over.
    pub waits: bool,
    /// The deadline of the first spec.
    pub deadline: i64,
}

fn manifest(name: &str, spec: &Value) -> Value {
    json!({"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "spec": spec, "metadata": {
        "name": name, "namespace": NAMESPACE, "uid": "", "resourceVersion": "1", "generation": 1,
        "creationTimestamp": Time(CREATED).to_string(),
    }})
}

/// What an edit leaves of a spec, with other fields in their place.
fn merged(spec: &Value, fields: &Value) -> Value {
    let mut spec = spec.clone();
    for (key, value) in fields.as_object().into_iter().flatten() {
        spec[key] = value.clone();
    }
    spec
}

impl Case {
    /// The names of all cases.
    pub const NAMES: [&'static str; 7] =
        ["forbid", "deadline", "replace", "overlap", "unschedulable", "brief", "close"];

    /// A case by its name, with so many periods and KronJobs.
    ///
    /// ```
    /// use kron_check::case::Case;
    /// assert!(Case::NAMES.iter().all(|name| Case::new(name, 2, 1).is_some()));
    /// assert!(Case::new("none", 2, 1).is_none());
    /// ```
    pub fn new(name: &str, periods: u8, kronjobs: u8) -> Option<Case> {
        let template = |ttl: Value| {
            json!({"spec": {"ttlSecondsAfterFinished": ttl, "template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}],
            }}}})
        };
        let (name, about, fields) = match name {
            "forbid" => ("forbid", "the defaults: forbid, no deadline, no TTL", json!({})),
            "deadline" => (
                "deadline",
                "forbid with a deadline of 2 minutes and a TTL of a minute",
                json!({"policy": {"deadline": "2m"}, "jobTemplate": template(json!(60))}),
            ),
            "replace" => (
                "replace",
                "replace with a deadline of 30 seconds",
                json!({"policy": {"concurrency": "replace", "deadline": "30s"}}),
            ),
            "overlap" => (
                "overlap",
                "allow, with windows that overlap and chosen times out of order",
                json!({"policy": {"concurrency": "allow", "deadline": "1m"}, "window": {"duration": "25m"}}),
            ),
            "unschedulable" => (
                "unschedulable",
                "forbid, and the constraints allow no second of the second period",
                json!({"policy": {"deadline": "20s"}, "constraints": {"avoid": [{"between": "00:20-00:20"}]}}),
            ),
            "brief" => (
                "brief",
                "allow with a deadline of 2 minutes, a TTL of 20 seconds and no history",
                json!({"policy": {"concurrency": "allow", "deadline": "2m"}, "successfulJobsHistoryLimit": 0,
                    "jobTemplate": template(json!(20))}),
            ),
            "close" => (
                "close",
                "forbid, and the second start follows five seconds after the first one",
                json!({"schedule": "17,18 0 * * *", "window": {"duration": "95s"}}),
            ),
            _ => return None,
        };
        let base =
            merged(&json!({"schedule": "*/10 * * * *", "jobTemplate": template(Value::Null)}), &fields);
        let edited = merged(&base, &json!({"schedule": "5-59/10 * * * *"}));
        let unreadable = merged(&base, &json!({"schedule": "every day"}));
        let moved = merged(&base, &json!({"window": {"duration": "3m"}}));
        let names = ["db", "web"][..usize::from(kronjobs.clamp(1, 2))].to_vec();
        let view = |name: &str, spec: &Value| {
            // OK because the manifests above are objects with metadata.
            KronJobView::read(
                &serde_json::from_value(manifest(name, spec)).unwrap_or_else(|_| unreachable!()),
                &Parser::new(),
            )
        };
        let suspended = |spec: &Value| {
            let mut spec = spec.clone();
            spec["policy"]["suspend"] = json!(true);
            spec
        };
        let views: Vec<Vec<[KronJobView; 2]>> = names
            .iter()
            .map(|name| {
                [&base, &edited, &moved, &unreadable]
                    .map(|spec| [view(name, spec), view(name, &suspended(spec))])
                    .to_vec()
            })
            .collect();
        let spec = views[0][0][0].spec.as_ref().ok()?;
        let deadline = spec.job.spec().policy().deadline().as_secs();
        let within = match name {
            "close" => CREATED..CREATED + 1020 + 60 * i64::from(periods),
            _ => CREATED..CREATED + 600 * i64::from(periods) + 1,
        };
        let starts: Vec<i64> = spec
            .job
            .periods(within)
            .map(|period| period.chosen_timestamp().unwrap_or(period.window_end_timestamp() + 1))
            .collect();
        let mut stops: Vec<i64> = starts.clone();
        if deadline > 0 {
            stops.extend(starts.iter().flat_map(|start| [start + deadline, start + deadline + 1]));
        }
        stops.sort_unstable();
        stops.dedup();
        let end = starts.iter().max().copied().unwrap_or(BEGIN) + deadline + AFTER;
        // A request that is sent at the beginning may arrive at every start.
        let begin = if name == "close" { starts.first()? - 4 } else { BEGIN };
        Some(Case {
            name,
            about,
            periods,
            names,
            views,
            end,
            stops,
            blind: false,
            begin,
            waits: matches!(name, "close" | "overlap"),
            deadline,
        })
    }

    /// The KronJob of that place, as it is created with that UID.
    pub fn created(&self, place: usize, uid: String) -> KronJobView {
        KronJobView { uid: uid.into(), ..self.views[place][0][0].clone() }
    }

    /// The same KronJob with another spec.
    pub fn with_spec(&self, place: usize, before: &KronJobView, edit: usize, suspended: bool) -> KronJobView {
        let view = &self.views[place][edit][usize::from(suspended)];
        KronJobView {
            uid: before.uid.clone(),
            resource_version: before.resource_version.clone(),
            generation: before.generation + 1,
            created: before.created,
            run_now: before.run_now.clone(),
            status: before.status.clone(),
            ..view.clone()
        }
    }

    /// Whether some spec of the KronJob has that chosen time for a period.
    pub fn chooses(&self, place: usize, nominal: i64, chosen: i64) -> bool {
        self.views[place].iter().filter_map(|views| views[0].spec.as_ref().ok()).any(|spec| {
            let decided = spec.job.decide(nominal).ok().and_then(|decision| decision.chosen_timestamp());
            let window = spec.job.spec().window().duration().as_secs();
            decided == Some(chosen) && (nominal..=nominal + window).contains(&chosen)
        })
    }

    /// The nominal time of a period, counted from 0.
    pub fn nominal(&self, period: u8) -> i64 {
        match self.name {
            "close" => CREATED + 1020 + 60 * i64::from(period),
            _ => CREATED + 600 * (i64::from(period) + 1),
        }
    }

    /// The key of the KronJob of that place.
    pub fn key(&self, place: usize) -> Key {
        self.views[place][0][0].key.clone()
    }
}

/// A KronJob, shared by everything that shows this version of it.
pub type Shared = Arc<KronJobView>;
