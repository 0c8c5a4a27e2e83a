//! What the operator counts and measures, in the OpenMetrics text format. Every label has a fixed set of values.

use std::time::Duration;

use chrono::TimeDelta;
use kron_core::{Outcome, TzDatabase};
use kron_host::HostMetric;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry, Unit};

/// The content type of [`Metrics::encode`].
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Seconds for one object, API calls included.
const DURATION: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// Labels with their values.
type Labels<const N: usize> = [(&'static str, &'static str); N];

/// All metrics of a process. The labels that change are `&'static str`, so that no name, message or number of a cluster
/// becomes one.
///
/// ```
/// use kron_crd::Outcome;
/// use kron_operator::metrics::Metrics;
/// let metrics = Metrics::default();
/// metrics.outcome(Outcome::Executed);
/// assert!(metrics.encode().contains("kron_outcomes_total{outcome=\"executed\"} 1\n"));
/// ```
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    skew_chosen: Histogram,
    skew_nominal: Histogram,
    outcomes: Family<Labels<1>, Counter>,
    requests: Family<Labels<2>, Counter>,
    durations: Histogram,
    errors: Family<Labels<1>, Counter>,
    queues: Family<Labels<1>, Gauge>,
    /// 1 if this replica may write, or 0.
    pub leader: Gauge,
    /// KronJobs that were evaluated because their time had come.
    pub evaluations: Counter,
    /// How many KronJobs there are.
    pub kronjobs: Gauge,
    /// How many Jobs of KronJobs there are.
    pub jobs: Gauge,
    /// Periods that were missed and too many to be handled one by one.
    pub missed_older: Counter,
    /// Events that were not written.
    pub events_dropped: Counter,
    /// Steps of the wall clock.
    pub clock_steps: Counter,
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics::new(&TzDatabase::COMPILED_IN)
    }
}

impl Metrics {
    /// Metrics that are all zero, and the information about this build with the version of its tz database. All outcomes
    /// are exported as zero from the start, so that a rate of the first one is right.
    ///
    /// ```
    /// use kron_core::TzDatabase;
    /// use kron_operator::metrics::Metrics;
    /// let database = TzDatabase::from_tzif::<&str, &[u8]>(Some("2026z"), [])?;
    /// let text = Metrics::new(&database).encode();
    /// assert!(text.contains("kron_build_info{version=\"0.1.0\",tzdb=\"2026z\"} 1\n"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(tz_database: &TzDatabase) -> Metrics {
        let mut registry = Registry::with_prefix(HostMetric::PREFIX);
        let build = Info::new([
            ("version", env!("CARGO_PKG_VERSION").to_string()),
            ("tzdb", crate::tzdb::version(tz_database).to_string()),
        ]);
        registry.register(HostMetric::Build.name(), HostMetric::Build.help(), build);

        let chosen = HostMetric::CHOSEN_BUCKETS;
        let nominal = chosen.into_iter().chain(HostMetric::WINDOW_BUCKETS);
        let mut skew =
            |metric: HostMetric, histogram| seconds(&mut registry, metric.name(), metric.help(), histogram);
        let skew_chosen = skew(HostMetric::SkewFromChosen, Histogram::new(chosen));
        let skew_nominal = skew(HostMetric::SkewFromNominal, Histogram::new(nominal));
        let outcomes = Family::default();
        for outcome in Outcome::WORDS {
            let _: &Counter = &outcomes.get_or_create(&[("outcome", *outcome)]);
        }
        let own = registry.sub_registry_with_prefix("operator");
        let durations = seconds(
            own,
            "request_duration",
            "Time that one request for a KronJob took, answer included",
            Histogram::new(DURATION),
        );
        let requests =
            register(own, "api_requests", "Requests to the API server by verb and result", Family::default());
        let queues = register(own, "queue_depth", "Objects that wait in a lane", Family::default());
        let evaluated = "KronJobs whose periods were decided because their time had come";
        let evaluations = register(own, "evaluations", evaluated, Counter::default());
        let events_dropped =
            register(own, "events_dropped", "Events that were not written", Counter::default());
        Metrics {
            skew_chosen,
            skew_nominal,
            outcomes: shared(&mut registry, HostMetric::Outcomes, outcomes),
            requests,
            durations,
            errors: shared(&mut registry, HostMetric::Errors, Family::default()),
            queues,
            leader: shared(&mut registry, HostMetric::Leader, Gauge::default()),
            evaluations,
            kronjobs: shared(&mut registry, HostMetric::Jobs, Gauge::default()),
            jobs: shared(&mut registry, HostMetric::Executions, Gauge::default()),
            missed_older: shared(&mut registry, HostMetric::MissedOlder, Counter::default()),
            events_dropped,
            clock_steps: shared(&mut registry, HostMetric::ClockSteps, Counter::default()),
            registry,
        }
    }

    /// A Job was created: how long after its chosen time, and how far from its nominal time.
    pub fn created(&self, from_chosen: TimeDelta, from_nominal: TimeDelta) {
        // The wall clock may have stepped back in between. A histogram with a sum must not go down.
        self.skew_chosen.observe(from_chosen.as_seconds_f64().max(0.0));
        self.skew_nominal.observe(from_nominal.as_seconds_f64().abs());
    }

    /// A period got its outcome.
    pub fn outcome(&self, outcome: Outcome) {
        self.outcomes.get_or_create(&[("outcome", outcome.as_str())]).inc();
    }

    /// A request was answered, a read as well as a write: `verb` says which (`create`, `update_status`, `get`), `code` is `ok`
    /// or a [`Failure::code`](crate::client::Failure::code).
    pub fn requested(&self, verb: &'static str, code: &'static str) {
        self.requests.get_or_create(&[("verb", verb), ("code", code)]).inc();
    }

    /// A request for a KronJob took this long, answer included.
    pub fn request_took(&self, duration: Duration) {
        self.durations.observe(duration.as_secs_f64());
    }

    /// Something failed.
    pub fn error(&self, code: &'static str) {
        self.errors.get_or_create(&[("code", code)]).inc();
    }

    /// How many objects wait in a lane now.
    pub fn queue(&self, lane: &'static str, depth: usize) {
        self.queues.get_or_create(&[("lane", lane)]).set(signed(depth));
    }

    /// Everything as OpenMetrics text, see [`CONTENT_TYPE`].
    pub fn encode(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail. If it did, the end marker would be missing, which every reader refuses.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn register<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

/// A metric that `kron run` has, too.
fn shared<M: Metric + Clone>(registry: &mut Registry, metric: HostMetric, value: M) -> M {
    register(registry, metric.name(), metric.help(), value)
}

/// A histogram of seconds.
fn seconds(registry: &mut Registry, name: &str, help: &str, histogram: Histogram) -> Histogram {
    registry.register_with_unit(name, help, Unit::Seconds, histogram.clone());
    histogram
}

/// A number of objects, for a gauge.
pub(crate) fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Failure;

    fn filled() -> Metrics {
        let metrics = Metrics::default();
        metrics.created(TimeDelta::milliseconds(12), TimeDelta::seconds(-90));
        metrics.created(TimeDelta::milliseconds(-3), TimeDelta::hours(30));
        metrics.outcome(Outcome::Missed);
        metrics.requested("create", "ok");
        metrics.requested("update_status", Failure::Conflict.code());
        metrics.request_took(Duration::from_millis(3));
        metrics.error("invalid_spec");
        metrics.queue("creates", 7);
        metrics.queue("creates", 2);
        metrics.leader.set(1);
        metrics.evaluations.inc_by(5);
        metrics.kronjobs.set(10_000);
        metrics.jobs.set(50_000);
        metrics.missed_older.inc_by(120);
        metrics.events_dropped.inc();
        metrics.clock_steps.inc();
        metrics
    }

    #[test]
    fn the_build_names_its_tz_database() {
        let found = |database: &TzDatabase| {
            let text = Metrics::new(database).encode();
            text.lines().find(|line| line.starts_with("kron_build_info")).unwrap().to_string()
        };
        let line = |tzdb: &str| format!("kron_build_info{{version=\"0.1.0\",tzdb=\"{tzdb}\"}} 1");
        assert_eq!(found(&TzDatabase::COMPILED_IN), line(TzDatabase::COMPILED_IN_VERSION));
        let given = |version| TzDatabase::from_tzif::<&str, &[u8]>(version, []).unwrap();
        assert_eq!(found(&given(Some("2027c"))), line("2027c"));
        assert_eq!(found(&given(None)), line("unknown"));
    }

    #[test]
    fn values_are_what_was_counted() {
        let text = filled().encode();
        for line in [
            "kron_start_skew_from_chosen_seconds_sum 0.012",
            "kron_start_skew_from_chosen_seconds_bucket{le=\"0.005\"} 1",
            "kron_start_skew_from_chosen_seconds_bucket{le=\"0.025\"} 2",
            "kron_start_skew_from_nominal_seconds_sum 108090.0",
            "kron_start_skew_from_nominal_seconds_bucket{le=\"86400.0\"} 1",
            "kron_start_skew_from_nominal_seconds_bucket{le=\"+Inf\"} 2",
            "kron_outcomes_total{outcome=\"executed\"} 0",
            "kron_outcomes_total{outcome=\"missed\"} 1",
            "kron_operator_api_requests_total{verb=\"create\",code=\"ok\"} 1",
            "kron_operator_api_requests_total{verb=\"update_status\",code=\"conflict\"} 1",
            "kron_operator_request_duration_seconds_count 1",
            "kron_errors_total{code=\"invalid_spec\"} 1",
            "kron_operator_queue_depth{lane=\"creates\"} 2",
            "kron_leader 1",
            "kron_operator_evaluations_total 5",
            "kron_jobs 10000",
            "kron_executions 50000",
            "kron_missed_older_total 120",
            "kron_operator_events_dropped_total 1",
            "kron_clock_steps_total 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        assert!(!text.contains("no-such-outcome"));
    }

    /// The rules of OpenMetrics 1.0.0 that concern names, units, order and the end.
    #[test]
    fn the_text_obeys_openmetrics() {
        let text = filled().encode();
        assert!(text.ends_with("# EOF\n") && text.matches("# EOF").count() == 1);
        let (mut family, mut kind) = (String::new(), String::new());
        let mut families = Vec::new();
        for line in text.lines().take_while(|line| *line != "# EOF") {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            match (words[0], words[1]) {
                ("#", "HELP") => {
                    family = words[2].to_string();
                    assert!(family.starts_with("kron_"), "{line}");
                    assert!(!families.contains(&family), "{family} appears twice");
                    families.push(family.clone());
                }
                ("#", "TYPE") => {
                    assert_eq!(words[2], family);
                    kind = words[3].to_string();
                    assert!(!family.ends_with("_total") && !family.ends_with("_info"));
                    assert_eq!(kind == "histogram", family.ends_with("_seconds"), "{line}");
                }
                ("#", "UNIT") => assert!(words[2] == family && family.ends_with(&format!("_{}", words[3]))),
                _ => {
                    let name = line.split(['{', ' ']).next().unwrap();
                    let suffix = name.strip_prefix(&family).unwrap_or_else(|| panic!("{line} in {family}"));
                    let suffixes: &[&str] = match kind.as_str() {
                        "counter" => &["_total"],
                        "gauge" => &[""],
                        "info" => &["_info"],
                        "histogram" => &["_bucket", "_sum", "_count"],
                        other => panic!("{other}"),
                    };
                    assert!(suffixes.contains(&suffix), "{line}");
                }
            }
        }
        assert!(families.len() >= 14, "{families:?}");
    }
}
