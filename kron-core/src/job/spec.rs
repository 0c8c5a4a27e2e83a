//! Job specs: everything about a job except its name.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::constraint::{Calendar, Constraints, by_name, check_calendars};
use crate::cron::{Cron, Schedule};
use crate::days::DayRules;
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::Distribution;
use crate::draw::seed::{Seed, SeedStrategy};
use crate::draw::window::{Reach, Window, WindowMode};
use crate::error::{Error, ValueError};
use crate::job::modifier::Modifier;
use crate::plan::policy::Policy;
use crate::time::duration::Duration;
use crate::time::zone::Zone;

/// Everything about a job except its name: schedule, zone, window, distribution, seed, constraints, policy, algorithm.
///
/// It is valid by construction. Built by [`builder`](JobSpec::builder), read from the text form by `parse`, or, with
/// feature `serde`, from the fields of a KronJob spec. `S` is the source of nominal times: Kron's own [`Cron`] by
/// default.
///
/// ```
/// use kron_core::{JobSpec, Window};
/// use std::time::Duration;
/// let built = JobSpec::builder("@daily")
///     .timezone("Europe/Paris")
///     .window(Window::after(Duration::from_secs(3 * 3600))?)
///     .build()?;
/// let parsed: JobSpec = "0 0 * * * @tz(Europe/Paris) @win(after,3h)".parse()?;
/// assert_eq!(built, parsed);
/// assert_eq!(parsed.to_string(), "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone)]
pub struct JobSpec<S = Cron> {
    schedule: S,
    distribution: Distribution,
    constraints: Constraints,
    /// `None` while all of them have their defaults, as in most jobs of a large fleet.
    rest: Option<Box<Rest>>,
    duration: Duration,
    mode: WindowMode,
    /// The number of a zone of the compiled-in database, which is the zone unless one of another database is given.
    compiled_zone: u16,
    given_zone: Option<Box<Zone>>,
    algorithm: Algorithm,
}

/// The parts that few jobs set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Rest {
    seed: Seed,
    policy: Policy,
    days: DayRules,
}

static DEFAULT_REST: Rest = Rest { seed: Seed::DEFAULT, policy: Policy::DEFAULT, days: DayRules::EVERY_DAY };

/// Collects the parts of a [`JobSpec`]; [`build`](JobSpecBuilder::build) checks them together. Parts not set have their
/// defaults.
///
/// Each part is given as a value, as text, or as the type of another crate that stands for it: a method takes whatever converts
/// by [`TryInto`] into its part. The first conversion that fails is the error of [`build`](JobSpecBuilder::build).
#[derive(Clone, Debug)]
pub struct JobSpecBuilder<S = Cron>(Result<JobSpec<S>, Error>);

impl Rest {
    fn boxed(self) -> Option<Box<Rest>> {
        (self != DEFAULT_REST).then(|| Box::new(self))
    }
}

impl<S> JobSpecBuilder<S> {
    /// Sets a part, unless a part is not valid.
    fn with<T, V>(self, value: V, set: impl FnOnce(&mut JobSpec<S>, T)) -> Self
    where
        V: TryInto<T>,
        Error: From<V::Error>,
    {
        JobSpecBuilder(self.0.and_then(|mut spec| {
            set(&mut spec, value.try_into()?);
            Ok(spec)
        }))
    }

    /// The zone in which schedule and constraints are read; default `UTC`. It is a [`Zone`], a name, a `chrono_tz::Tz`, or with
    /// the feature `jiff_1` a `jiff::tz::TimeZone`.
    ///
    /// ```
    /// use kron_core::JobSpec;
    /// let spec = JobSpec::builder("@daily").timezone("Asia/Tokyo").build()?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @tz(Asia/Tokyo)");
    /// let error = JobSpec::builder("@daily").timezone("Asia/Tokio").build().unwrap_err();
    /// assert!(error.to_string().contains("did you mean `Asia/Tokyo`?"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "tz")]
    #[doc(alias = "time_zone")]
    #[doc(alias = "zone")]
    pub fn timezone<Z>(self, timezone: Z) -> Self
    where
        Z: TryInto<Zone>,
        Error: From<Z::Error>,
    {
        self.with(timezone, JobSpec::set_timezone)
    }

    /// The window; default `after,0s`. It is a [`Window`], a result of [`Window::after`] and its like, or a text.
    ///
    /// ```
    /// use kron_core::{JobSpec, Window};
    /// use std::time::Duration;
    /// let spec = JobSpec::builder("@daily").window(Window::before(Duration::from_secs(5400))).build()?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @win(before,1h30m0s)");
    /// assert_eq!(JobSpec::builder("@daily").window("before,90m").build()?, spec);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "jitter")]
    #[doc(alias = "win")]
    pub fn window<W>(self, window: W) -> Self
    where
        W: TryInto<Window>,
        Error: From<W::Error>,
    {
        self.with(window, |spec, window: Window| {
            (spec.mode, spec.duration) = (window.mode(), window.duration());
        })
    }

    /// How the start is spread over the window; default `uniform`.
    ///
    /// ```
    /// use kron_core::{Distribution, JobSpec};
    /// let spec =
    ///     JobSpec::builder("@daily").window("after,3h").distribution(Distribution::skew_early(3.0)).build()?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @win(after,3h0m0s) @dist(skewEarly,shape=3)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "dist")]
    pub fn distribution<P>(self, distribution: P) -> Self
    where
        P: TryInto<Distribution>,
        Error: From<P::Error>,
    {
        self.with(distribution, |spec, distribution| spec.distribution = distribution)
    }

    /// How often a new start is drawn; default `stable` without salt. It is a [`Seed`], a [`SeedStrategy`] or a text.
    ///
    /// ```
    /// use kron_core::{JobSpec, SeedStrategy};
    /// let spec = JobSpec::builder("@daily").seed(SeedStrategy::Weekly).build()?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @seed(weekly)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "salt")]
    pub fn seed<E>(self, seed: E) -> Self
    where
        E: TryInto<Seed>,
        Error: From<E::Error>,
    {
        self.with(seed, |spec, seed| spec.rest = Rest { seed, ..spec.rest().clone() }.boxed())
    }

    /// Calendar rules on the chosen time; default none.
    ///
    /// ```
    /// use kron_core::constraint::{FRI, MON};
    /// use kron_core::{Clause, Constraints, JobSpec};
    /// let office = Clause::hours(9..=17).weekdays(MON..=FRI);
    /// let spec = JobSpec::builder("@daily").constraints(Constraints::new().avoid(office)).build()?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @avoid(hours=9-17&dow=1-5)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "avoid")]
    #[doc(alias = "only")]
    pub fn constraints<C>(self, constraints: C) -> Self
    where
        C: TryInto<Constraints>,
        Error: From<C::Error>,
    {
        self.with(constraints, |spec, constraints| spec.constraints = constraints)
    }

    /// Rules that choose nominal days; default every day.
    ///
    /// ```
    /// use kron_core::JobSpec;
    /// use kron_core::days::{DayRules, Days};
    /// let spec = JobSpec::builder("@daily").days(DayRules::new().days(Days::workday(1))).build()?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @days(workday=1)");
    /// assert_eq!(JobSpec::builder("@daily").days("@days(workday=1)").build()?, spec);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "nodays")]
    pub fn days<R>(self, days: R) -> Self
    where
        R: TryInto<DayRules>,
        Error: From<R::Error>,
    {
        self.with(days, |spec, days| spec.rest = Rest { days, ..spec.rest().clone() }.boxed())
    }

    /// How a host treats the periods; default `forbid`, deadline `0s`, not suspended. With the default deadline a start that is a
    /// second late is missed.
    ///
    /// ```
    /// use kron_core::{JobSpec, Policy};
    /// use std::time::Duration;
    /// let spec =
    ///     JobSpec::builder("@daily").policy(Policy::default().with_deadline(Duration::from_secs(600))?).build()?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @policy(deadline=10m0s)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "deadline")]
    #[doc(alias = "concurrency")]
    #[doc(alias = "suspend")]
    pub fn policy<P>(self, policy: P) -> Self
    where
        P: TryInto<Policy>,
        Error: From<P::Error>,
    {
        self.with(policy, |spec, policy| spec.rest = Rest { policy, ..spec.rest().clone() }.boxed())
    }

    /// The algorithm; default `siphash-chacha8/1`.
    ///
    /// ```
    /// use kron_core::{Algorithm, JobSpec};
    /// let spec = JobSpec::builder("@daily").algorithm(Algorithm::Sha256SplitMix64).build()?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @alg(sha256-splitmix64/1)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn algorithm<A>(self, algorithm: A) -> Self
    where
        A: TryInto<Algorithm>,
        Error: From<A::Error>,
    {
        self.with(algorithm, |spec, algorithm| spec.algorithm = algorithm)
    }

    /// The spec.
    ///
    /// # Errors
    ///
    /// That of the first part that is not valid. [`AlgorithmUnsupported`](crate::ErrorCode::AlgorithmUnsupported) if
    /// `sha256-splitmix64/1` cannot compute the spec: it has few distributions, only windows of whole seconds, and no seed
    /// strategy `fixed`.
    ///
    /// ```
    /// use kron_core::{Algorithm, ErrorCode, JobSpec};
    /// let builder = JobSpec::builder("@daily").window("after,1.5s");
    /// assert!(builder.clone().build().is_ok());
    /// let error = builder.algorithm(Algorithm::Sha256SplitMix64).build().unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::AlgorithmUnsupported);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn build(self) -> Result<JobSpec<S>, Error> {
        let mut spec = self.0?;
        // Each of them is without contradictions.
        if !spec.days().is_empty() && !spec.constraints.is_empty() {
            let (days, constraints) = (spec.days().calendars(), spec.constraints.calendars());
            check_calendars("constraints", &[days, constraints].concat())?;
        }
        if spec.algorithm == Algorithm::Sha256SplitMix64 {
            let what = if !spec.distribution.is_of_first_algorithm() {
                Some("distributions other than `uniform`, `skewEarly` and `skewLate`")
            } else if spec.duration.as_nanos() % 1_000_000_000 != 0 {
                Some("windows with fractions of a second")
            } else if spec.seed().strategy() == SeedStrategy::Fixed {
                Some("the seed strategy `fixed`")
            } else {
                None
            };
            if let Some(what) = what {
                return Err(Error::of("algorithm", ValueError::Algorithm { what }));
            }
        }
        spec.distribution = spec.distribution.normalized(spec.window());
        Ok(spec)
    }
}

impl JobSpec {
    /// The schedule of the job: its expression, read in its zone, on the days of its rules.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("0 9 * * * @tz(Asia/Tokyo) @days(last=1)")?;
    /// assert_eq!(spec.in_zone().next(0).unwrap().to_rfc3339(), "1970-01-31T00:00:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn in_zone(&self) -> Schedule {
        self.schedule.in_zone(self.timezone().clone()).on_days(self.days().clone())
    }

    /// Begins a spec with its schedule: a [`Cron`] or the text of one.
    ///
    /// ```
    /// use kron_core::JobSpec;
    /// let spec = JobSpec::builder("@daily").window("after,3h").build()?;
    /// assert_eq!(spec, JobSpec::parse("@daily @win(after,3h)")?);
    /// let error = JobSpec::builder("0 24 * * *").build().unwrap_err();
    /// assert_eq!(error.field(), "schedule.hour");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn builder<C>(schedule: C) -> JobSpecBuilder
    where
        C: TryInto<Cron>,
        Error: From<C::Error>,
    {
        match schedule.try_into() {
            Ok(schedule) => JobSpec::builder_for(schedule),
            Err(error) => JobSpecBuilder(Err(error.into())),
        }
    }
}

impl<S> JobSpec<S> {
    /// Begins a spec with a source of nominal times of another kind.
    ///
    /// ```
    /// use kron_core::{Cron, JobSpec};
    /// let spec = JobSpec::builder_for(Cron::parse("@daily")?).window("after,3h").build()?;
    /// assert_eq!(spec.window(), "after,3h".parse()?);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn builder_for(schedule: S) -> JobSpecBuilder<S> {
        JobSpecBuilder(Ok(JobSpec {
            schedule,
            distribution: Distribution::default(),
            constraints: Constraints::default(),
            rest: None,
            duration: Duration::default(),
            mode: WindowMode::default(),
            compiled_zone: Zone::UTC_INDEX,
            given_zone: None,
            algorithm: Algorithm::default(),
        }))
    }

    /// Begins another spec with the parts of this one.
    ///
    /// ```
    /// use kron_core::JobSpec;
    /// let spec = JobSpec::parse("@daily @win(after,3h) @avoid(dow=SUN)")?;
    /// let wider = spec.to_builder().window("after,6h").build()?;
    /// assert_eq!(wider, JobSpec::parse("@daily @win(after,6h) @avoid(dow=SUN)")?);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn to_builder(&self) -> JobSpecBuilder<S>
    where
        S: Clone,
    {
        JobSpecBuilder(Ok(self.clone()))
    }

    /// The source of nominal times.
    pub const fn schedule(&self) -> &S {
        &self.schedule
    }

    /// The zone in which schedule and constraints are read.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @tz(Asia/Tokyo)")?;
    /// assert_eq!(spec.timezone().name(), "Asia/Tokyo");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn timezone(&self) -> &Zone {
        match &self.given_zone {
            None => Zone::of_compiled_index(self.compiled_zone),
            Some(zone) => zone,
        }
    }

    fn set_timezone(&mut self, zone: Zone) {
        match zone.compiled_index() {
            Some(index) => (self.compiled_zone, self.given_zone) = (index, None),
            None => self.given_zone = Some(Box::new(zone)),
        }
    }

    /// The window.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @win(around,90m)")?;
    /// assert_eq!(spec.window(), "around,1h30m".parse()?);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn window(&self) -> Window {
        Window::of_parts(self.mode, self.duration)
    }

    /// Where the first and the last candidate of each window lie, seen from its nominal time.
    ///
    /// ```
    /// let reach = kron_core::JobSpec::parse("@daily @win(around,1h)")?.reach();
    /// assert_eq!((reach.first, reach.last), (-1800, 1800));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn reach(&self) -> Reach {
        self.window().reach(self.algorithm)
    }

    /// How the start is spread over the window.
    pub const fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// How often a new start is drawn.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @seed(weekly,salt=blue)")?;
    /// assert_eq!(spec.seed().salt(), "blue");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn seed(&self) -> &Seed {
        &self.rest().seed
    }

    /// Calendar rules on the chosen time.
    pub const fn constraints(&self) -> &Constraints {
        &self.constraints
    }

    /// Rules that choose nominal days.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @days(last=1)")?;
    /// assert_eq!(spec.days().to_string(), "@days(last=1)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn days(&self) -> &DayRules {
        &self.rest().days
    }

    /// The rules of days, if there are any: one look for the jobs that have none.
    #[inline]
    pub(crate) fn day_rules(&self) -> Option<&DayRules> {
        self.rest.as_deref().map(|rest| &rest.days).filter(|days| !days.is_empty())
    }

    /// The calendars that clauses name, of days and of constraints, each once, in order of their names.
    ///
    /// ```
    /// use kron_core::{Calendars, Parser};
    /// let parser = Parser::new().with_calendars(Calendars::parse("b = 2026-12-25\na = 2026-12-24")?);
    /// let spec = parser.spec("@daily @nodays(calendar=b) @avoid(calendar=b&hours=2;calendar=a)")?;
    /// assert!(spec.calendars().iter().map(|calendar| calendar.name()).eq(["a", "b"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn calendars(&self) -> Vec<&Calendar> {
        by_name(self.days().calendars().into_iter().chain(self.constraints.calendars()))
    }

    /// How a host treats the periods.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @policy(deadline=10m)")?;
    /// assert_eq!(spec.policy().deadline().as_secs(), 600);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn policy(&self) -> &Policy {
        &self.rest().policy
    }

    #[inline]
    fn rest(&self) -> &Rest {
        self.rest.as_deref().unwrap_or(&DEFAULT_REST)
    }

    /// The algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The modifiers that differ from their defaults, in canonical order, each with a blank before it.
    pub(crate) fn modifiers(&self) -> String {
        let mut out = String::new();
        for modifier in Modifier::ALL {
            let inside = match modifier {
                Modifier::Timezone => unless_default(self.timezone(), &Zone::UTC),
                Modifier::Window => unless_default(&self.window(), &Window::default()),
                Modifier::Distribution => unless_default(&self.distribution, &Distribution::default()),
                Modifier::Seed => unless_default(self.seed(), &Seed::DEFAULT),
                Modifier::Policy => unless_default(self.policy(), &Policy::DEFAULT),
                Modifier::Algorithm => unless_default(&self.algorithm, &Algorithm::default()),
                // Constraints print their own modifiers: one for each clause of `only`, and then one for `avoid`.
                // As constraints do: one modifier for each clause of `days`, and then one for `nodays`.
                Modifier::Days if !self.days().is_empty() => {
                    out.push(' ');
                    out.push_str(&self.days().to_string());
                    None
                }
                Modifier::Days | Modifier::Nodays => None,
                Modifier::Only if !self.constraints.is_empty() => {
                    out.push(' ');
                    out.push_str(&self.constraints.to_string());
                    None
                }
                Modifier::Only | Modifier::Avoid => None,
            };
            if let Some(inside) = inside {
                out.push_str(&alloc::format!(" @{modifier}({inside})"));
            }
        }
        out
    }

    #[cfg(feature = "rand_distr")]
    pub(crate) fn with_algorithm(mut self, algorithm: Algorithm) -> JobSpec<S> {
        self.algorithm = algorithm;
        self
    }
}

/// A part as text, unless it is the default.
fn unless_default<T: PartialEq + ToString>(part: &T, default: &T) -> Option<String> {
    (part != default).then(|| part.to_string())
}

/// Two specs are equal if all their parts are, from whichever databases their zones are.
impl<S: PartialEq> PartialEq for JobSpec<S> {
    fn eq(&self, other: &JobSpec<S>) -> bool {
        // Every field by name, so that the compiler reports a new one here.
        let JobSpec {
            schedule,
            distribution,
            constraints,
            rest,
            duration,
            mode,
            compiled_zone: _,
            given_zone: _,
            algorithm,
        } = self;
        *schedule == other.schedule
            && *distribution == other.distribution
            && *constraints == other.constraints
            && *rest == other.rest
            && *duration == other.duration
            && *mode == other.mode
            && *self.timezone() == *other.timezone()
            && *algorithm == other.algorithm
    }
}

impl<S: Eq> Eq for JobSpec<S> {}

impl<S: Hash> Hash for JobSpec<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.schedule.hash(state);
        (&self.distribution, &self.constraints, &self.rest).hash(state);
        (self.duration, self.mode, self.timezone(), self.algorithm).hash(state);
    }
}

impl<S: fmt::Debug> fmt::Debug for JobSpec<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JobSpec({:?}{})", self.schedule, self.modifiers())
    }
}

/// The canonical text form, which parses to an equal spec.
impl fmt::Display for JobSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.schedule, self.modifiers())
    }
}
