#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// In the order in which data flows: a module imports only from those above it.
mod audit;
mod constraint;
mod cron;
mod decision;
mod draw;
mod error;
mod forecast;
mod host;
mod job;
#[cfg(feature = "manifest")]
mod json;
mod kubernetes;
mod limits;
#[cfg(feature = "manifest")]
mod manifest;
mod math;
mod parser;
mod planted;
mod report;
#[cfg(feature = "serde")]
mod serde_support;
mod spread;
mod text;
mod time;
mod word_enum;

pub use audit::kept::{HistoryRules, kept_since};
pub use audit::{AuditView, AuditedPeriod, KnownExecution, KnownOutcome, PeriodState, audit, audit_since};
pub use constraint::{Calendar, Calendars, Clause, ClauseBuilder, ClausePart, Constraints, Forbidden};
pub use cron::clock_changes::ClockChange;
pub use cron::iterate::NominalSeries;
pub use cron::nominal_times::NominalTimes;
pub use cron::prime::Primed;
pub use cron::prime::lead_changes::{LeadChange, LeadChangeKind};
pub use cron::{Cron, Schedule};
pub use decision::owned::OwnedDecision;
pub use decision::period::Period;
pub use decision::{Decision, Unschedulable};
pub use draw::algorithm::Algorithm;
pub use draw::distribution::{
    Direction, Distribution, DistributionName, DistributionParam, Mu, Quantile, Spread,
};
pub use draw::seed::{Seed, SeedHash, SeedKey, SeedStrategy};
pub use draw::window::{Window, WindowMode};
pub use error::list::Errors;
pub use error::{Error, ErrorCode};
pub use forecast::clock_change_day::{ClockChangeDay, clock_change_days};
pub use forecast::heat_map::{HeatMap, HeatMapCell};
pub use forecast::range::ForecastRange;
pub use forecast::summary::{Bucket, Forecast, Summary};
pub use forecast::{ForecastBy, ForecastJob, forecast, forecast_with, jobs_in_buckets};
#[cfg(feature = "rayon")]
pub use forecast::{par_forecast, par_forecast_with};
pub use host::backoff::Backoff;
pub use host::dispatcher::{Dispatcher, HostView};
pub use host::evaluate::Action;
pub use host::handled::Handled;
pub use host::metric::HostMetric;
pub use host::miss_cause::MissCause;
pub use host::periods::Ignored;
pub use host::plan::{HostState, Plan, Step, plan};
pub use host::primer::{PrimerAction, PrimerLead};
pub use host::record::{Claim, Configuration, HandledPeriod, NextStart, Record, RunNow};
pub use host::report::{Cause, HostReport};
pub use host::request::{Execution, ExecutionState, HostRequest, NextRequest, StartAnswer, Trigger};
pub use host::search::{SearchResult, StartSearch};
pub use job::Job;
#[cfg(feature = "rand_distr")]
pub use job::custom::Custom;
pub use job::fleet::{Fleet, FleetPeriods, FleetStarts};
pub use job::modifier::{Modifier, Modifiers};
pub use job::policy::{Concurrency, Outcome, Policy, PolicyKey};
pub use job::series::{PeriodSeries, StartSeries};
pub use job::spec::{JobSpec, JobSpecBuilder};
pub use kubernetes::names::{
    CAUSE_ANNOTATION, CHOSEN_TIME_LABEL, NAME_LABEL, OUTCOME_ANNOTATION, PERIOD_ID_LABEL, PRIMER_FOR_LABEL,
    RUN_NOW, configuration_hash, is_label_value, job_name, label_of_name, label_time, primer_job_name,
    run_now_job_name, time_of_label,
};
#[cfg(feature = "manifest")]
pub use limits::{AUDIT_SPAN, FILE_BYTES};
pub use limits::{NOMINAL_MAX, NOMINAL_MIN};
#[cfg(feature = "manifest")]
pub use manifest::{
    API_VERSION, AuditSpan, FAILED_JOBS_KEPT, JobRequests, KIND, KronJob, KronJobAudit, KronJobSnapshot,
    LoadError, LoadOptions, Loaded, LoadedJob, ObjectFinding, ObjectFindingCode, PodResources, Primer,
    Quantity, SUCCESSFUL_JOBS_KEPT, Snapshot, UnreadQuantity, pods_at_once,
};
#[cfg(feature = "manifest")]
pub use parser::load;
pub use parser::{Parser, parse_job_file};
#[cfg(feature = "planted-bugs")]
pub use planted::{PLANTED_BUGS, is_planted, plant};
pub use report::compare::{ListedStart, compare_starts};
pub use report::diff::{JobChange, JobPair, Peak, StartChange, StartChangeKind, StartChanges};
pub use report::explain::{ClosedUp, DrawStep, Explanation};
pub use report::finding::{Finding, FindingCode, LintCode, Severity};
pub use report::lint::fleet::{FleetFinding, FleetJob, lint_fleet};
pub use report::lint::tzdb::lint_tzdb;
pub use report::lint::{LintOptions, lint};
#[cfg(feature = "serde")]
pub use report::receipt::{Difference, Receipt, Verification, ZoneRules};
pub use spread::bound::{BucketWeight, PeakBound};
pub use spread::{SpreadOptions, SpreadPlan, spread, spread_with};
pub use text::{JobLine, quoted_value};
pub use time::duration::Duration;
pub use time::instant::Instant;
pub use time::zone::{OffsetChange, TzDatabase, Zone, ZoneOffset};
