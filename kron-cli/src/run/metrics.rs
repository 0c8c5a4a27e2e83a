//! What the runner counts and measures, under the names of the operator, so that one dashboard shows both.

use std::sync::atomic::{AtomicBool, Ordering};

use kron_core::HostReport;
use kron_runner::{Report, RunnerEvent};
use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

/// The content type of [`Metrics::encode`].
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Seconds between a chosen time and the start, as the operator has them.
const SKEW: [f64; 18] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0,
    1024.0,
];
/// Windows are minutes and hours wide.
const WINDOWS: [f64; 5] = [1800.0, 3600.0, 7200.0, 21600.0, 86400.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CodeLabel {
    code: &'static str,
}

/// All metrics of a process, and whether it is ready.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    ready: AtomicBool,
    skew_chosen: Histogram,
    skew_nominal: Histogram,
    outcomes: Family<OutcomeLabel, Counter>,
    missed_older: Counter,
    errors: Family<CodeLabel, Counter>,
    jobs_known: Gauge,
    active: Gauge,
    clock_steps: Counter,
}

impl Metrics {
    /// Metrics that are all zero. All outcomes are exported as zero from the start, so that a rate of the first one is right.
    pub(crate) fn new(tz_database: &str) -> Metrics {
        let mut registry = Registry::with_prefix("kron_operator");
        let build = Info::new([
            ("version", env!("CARGO_PKG_VERSION").to_string()),
            ("tzdb", tz_database.to_string()),
        ]);
        registry.register("build", "The version that runs and its tz database", build);
        let skew_chosen = Histogram::new(SKEW);
        registry.register_with_unit(
            "creation_skew_from_chosen",
            "Time from the chosen second to the start of the command",
            Unit::Seconds,
            skew_chosen.clone(),
        );
        let skew_nominal = Histogram::new(SKEW.into_iter().chain(WINDOWS));
        registry.register_with_unit(
            "creation_skew_from_nominal",
            "Time between the nominal second and the start of the command, whichever came first",
            Unit::Seconds,
            skew_nominal.clone(),
        );
        let outcomes = Family::default();
        for outcome in ["executed", "skipped", "missed", "unschedulable"] {
            let _: &Counter = &outcomes.get_or_create(&OutcomeLabel { outcome });
        }
        registry.register("outcomes", "Periods by what became of them", outcomes.clone());
        let errors: Family<CodeLabel, Counter> = Family::default();
        drop(errors.get_or_create(&CodeLabel { code: "store" }));
        registry.register("errors", "Failures by code", errors.clone());
        let (missed_older, clock_steps) = (Counter::default(), Counter::default());
        registry.register(
            "missed_older",
            "Missed periods that were too many to be handled one by one",
            missed_older.clone(),
        );
        registry.register("clock_steps", "Steps of the wall clock", clock_steps.clone());
        let (leader, jobs_known, active): (Gauge, Gauge, Gauge) = Default::default();
        leader.set(1);
        registry.register("leader", "1, because a state file has one runner", leader);
        registry.register("kronjobs", "Jobs of the job files", jobs_known.clone());
        registry.register("jobs", "Commands that are active", active.clone());
        Metrics {
            registry,
            ready: AtomicBool::new(false),
            skew_chosen,
            skew_nominal,
            outcomes,
            missed_older,
            errors,
            jobs_known,
            active,
            clock_steps,
        }
    }

    /// Counts what happened.
    pub(crate) fn event(&self, event: &RunnerEvent) {
        match event {
            RunnerEvent::Ready => self.ready.store(true, Ordering::Relaxed),
            RunnerEvent::Started(execution) => {
                let Some(began) = execution.began else { return };
                if let kron_core::Trigger::Period { nominal, chosen } = execution.trigger {
                    let since = |second: i64| (began - second.saturating_mul(1000)) as f64 / 1000.0;
                    // The wall clock may have stepped back in between. A histogram with a sum must not go down.
                    self.skew_chosen.observe(since(chosen).max(0.0));
                    self.skew_nominal.observe(since(nominal).abs());
                }
            }
            RunnerEvent::Reported { report: HostReport::PeriodHandled { outcome, .. }, .. } => {
                self.outcomes.get_or_create(&OutcomeLabel { outcome: outcome.as_str() }).inc();
            }
            RunnerEvent::Reported { report: HostReport::OlderMissed(count), .. } => {
                self.missed_older.inc_by(*count);
            }
            RunnerEvent::StoreFailed { .. } => {
                self.errors.get_or_create(&CodeLabel { code: "store" }).inc();
            }
            RunnerEvent::ClockSet => {
                self.clock_steps.inc();
            }
            _ => {}
        }
    }

    /// Whether the state file has been read.
    pub(crate) fn ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    /// Enters what is known of the jobs.
    pub(crate) fn report(&self, report: &Report) {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.jobs_known.set(number(report.jobs));
        self.active.set(number(report.active));
    }

    /// The metrics in the OpenMetrics text format.
    pub(crate) fn encode(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
