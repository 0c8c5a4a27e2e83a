//! What the runner counts and measures, under the names of the operator, so that one dashboard shows both.

use std::sync::atomic::{AtomicBool, Ordering};

use kron_core::Outcome;
use kron_host::{HostMetric, HostReport};
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
        let mut registry = Registry::with_prefix(HostMetric::PREFIX);
        let build = Info::new([
            ("version", env!("CARGO_PKG_VERSION").to_string()),
            ("tzdb", tz_database.to_string()),
        ]);
        registry.register(HostMetric::Build.name(), HostMetric::Build.help(), build);
        let chosen = HostMetric::CHOSEN_BUCKETS;
        let skew_chosen = Histogram::new(chosen);
        let skew_nominal = Histogram::new(chosen.into_iter().chain(HostMetric::WINDOW_BUCKETS));
        for (metric, histogram) in
            [(HostMetric::SkewFromChosen, &skew_chosen), (HostMetric::SkewFromNominal, &skew_nominal)]
        {
            registry.register_with_unit(metric.name(), metric.help(), Unit::Seconds, histogram.clone());
        }
        let outcomes = Family::default();
        for outcome in [Outcome::Executed, Outcome::Skipped, Outcome::Missed, Outcome::Unschedulable] {
            let _: &Counter = &outcomes.get_or_create(&OutcomeLabel { outcome: outcome.as_str() });
        }
        register(&mut registry, HostMetric::Outcomes, &outcomes);
        let errors: Family<CodeLabel, Counter> = Family::default();
        drop(errors.get_or_create(&CodeLabel { code: "store" }));
        register(&mut registry, HostMetric::Errors, &errors);
        let (missed_older, clock_steps) = (Counter::default(), Counter::default());
        register(&mut registry, HostMetric::MissedOlder, &missed_older);
        register(&mut registry, HostMetric::ClockSteps, &clock_steps);
        let (leader, jobs_known, active): (Gauge, Gauge, Gauge) = Default::default();
        // A state file has one runner.
        leader.set(1);
        register(&mut registry, HostMetric::Leader, &leader);
        register(&mut registry, HostMetric::Jobs, &jobs_known);
        register(&mut registry, HostMetric::Executions, &active);
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
                if let kron_host::Trigger::Period { nominal, chosen } = execution.trigger {
                    let since = |second: i64| (began - second.saturating_mul(1000)) as f64 / 1000.0;
                    // The wall clock may have stepped back in between. A histogram with a sum must not go down.
                    self.skew_chosen.observe(since(chosen).max(0.0));
                    self.skew_nominal.observe(since(nominal).abs());
                }
            }
            RunnerEvent::Reported { report: HostReport::Handled(handled), .. }
                if handled.nominal().is_some() =>
            {
                let outcome = handled.outcome.as_str();
                self.outcomes.get_or_create(&OutcomeLabel { outcome }).inc();
            }
            RunnerEvent::Reported { report: HostReport::OlderMissed(count), .. } => {
                self.missed_older.inc_by(*count);
            }
            RunnerEvent::StoreFailed { .. } => {
                self.errors.get_or_create(&CodeLabel { code: "store" }).inc();
            }
            RunnerEvent::ClockSet | RunnerEvent::ClockSetBack { .. } => {
                self.clock_steps.inc();
            }
            _ => {}
        }
    }

    /// Whether the state file has the jobs.
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

fn register(
    registry: &mut Registry,
    metric: HostMetric,
    value: &(impl prometheus_client::registry::Metric + Clone),
) {
    registry.register(metric.name(), metric.help(), value.clone());
}
