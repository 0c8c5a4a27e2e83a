//! Salts for schedules of other systems that have declarations, where they stand.
//!
//! The schedules without a declaration, and the jobs of Kron in the same files, are counted where they are.

use std::collections::{BTreeMap, BTreeSet};

use kron_core::{Error, Job, Seed, Severity, Zone};
use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, par_forecast};
use kron_fleet::spread::{CertificateParts, PlacedPart, SpreadJob, SpreadOptions, SpreadPlan, spread_beside};
use kron_formats::place::{Options, Placed, PlacedSchedule, Source, place_with_seeds};
use kron_formats::read::{Origin, ReadJob};

use crate::exit_status::ExitStatus;
use crate::input::Input;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::printable;
use crate::session::{Session, Stop};
use crate::tree;

/// Schedules with declarations, and all else that starts in the same files.
pub(crate) struct Declared<'a> {
    input: &'a Input,
    options: Options,
    /// The files that have declarations, by their numbers.
    files: Vec<usize>,
    schedules: Vec<PlacedSchedule>,
    /// What is declared, in the zones of the other systems; one for each schedule.
    jobs: Vec<Job>,
    /// The jobs whose starts are counted as they are.
    others: Vec<&'a Job>,
}

/// The files with other salts.
pub(crate) struct Spread {
    pub(crate) plan: SpreadPlan,
    /// The texts of the files that have declarations.
    pub(crate) texts: Vec<String>,
    /// The jobs of all files with these texts.
    pub(crate) jobs: Vec<Job>,
    schedules: Vec<PlacedSchedule>,
}

impl<'a> Declared<'a> {
    /// The declared schedules of files; `None` if no file has a declaration. An error in one of them is an end.
    pub(crate) fn of(
        input: &'a Input,
        namespace: Option<&str>,
        timezone: Option<&Zone>,
        session: &mut Session<'_>,
    ) -> Result<Option<Declared<'a>>, Stop> {
        let files = input.with_declarations();
        if files.is_empty() {
            return Ok(None);
        }
        let options = Options {
            timezone: timezone.cloned(),
            namespace: namespace.map(str::to_string),
            from: Some(session.now().timestamp()),
            parser: session.parser()?,
            ..Options::default()
        };
        let mut declared =
            Declared { input, options, files, schedules: vec![], jobs: vec![], others: vec![] };
        let texts: Vec<&str> = (0..input.texts()).map(|number| input.text(number)).collect();
        let placed = declared.place(&texts, &BTreeMap::new(), true, session)?;
        let read = input.read_again(&texts, true).jobs.into_iter();
        let mut found: BTreeMap<(usize, usize), Job> = read
            .filter(|job| job.origin != Origin::Kron)
            .filter_map(|ReadJob { loaded, source, .. }| Some(((source, loaded.line?), loaded.job)))
            .collect();
        for schedule in &placed.schedules {
            let place = (declared.files[schedule.source], schedule.line);
            let job = found.remove(&place).filter(|job| job.name() == schedule.name);
            let Some(job) = job else {
                let message = format!("`{}` is the name of another job, too", printable(&schedule.name));
                let error = Diagnostic::error(message).help("give one of them another name");
                let file = input.label(place.0).map(str::to_string);
                return Err(Diagnostic { file, line: Some(schedule.line), ..error }.into());
            };
            declared.jobs.push(job);
        }
        let schedules = placed.schedules.iter();
        let places: BTreeSet<(usize, usize)> =
            schedules.map(|schedule| (declared.files[schedule.source], schedule.line)).collect();
        let is_placed = |place| places.contains(&place);
        let others = input.entries.iter().filter(|entry| !entry.place_of_schedule().is_some_and(is_placed));
        declared.others = others.map(|entry| entry.job()).collect();
        declared.schedules = placed.schedules;
        Ok(Some(declared))
    }

    /// How many schedules have a declaration.
    pub(crate) fn len(&self) -> usize {
        self.schedules.len()
    }

    /// Places the schedules of texts, which are those of all files. What is found is reported, or errors alone.
    fn place(
        &self,
        texts: &[&str],
        seeds: &BTreeMap<String, Seed>,
        errors_alone: bool,
        session: &mut Session<'_>,
    ) -> Result<Placed, Stop> {
        let sources = self.files.iter().map(|number| self.input.to_place(*number, texts[*number]));
        let sources: Vec<Source<'_>> = sources.collect();
        let options = Options { beside: tree::called_files(&sources), ..self.options.clone() };
        let placed = place_with_seeds(&sources, &options, seeds);
        let is_refused = placed.is_refused();
        let of_interest = |severity| severity == Severity::Error || !errors_alone || is_refused;
        let mut found = Vec::new();
        for finding in placed.findings.iter().filter(|found| of_interest(found.finding.severity)) {
            let file = self.files.get(finding.source).and_then(|number| self.input.label(*number));
            found.push(Diagnostic::of_conversion(finding, file));
        }
        if is_refused {
            return Err(Stop::Failed(found, ExitStatus::Error));
        }
        found.iter().for_each(|diagnostic| session.report(diagnostic));
        Ok(placed)
    }

    /// The jobs to spread. Those that are not in their places yet were added.
    fn to_spread(&self) -> Result<Vec<SpreadJob<'_>>, Error> {
        let jobs = self.jobs.iter().zip(&self.schedules);
        jobs.map(|(job, schedule)| {
            let job = SpreadJob::placed(job, &schedule.declared)?;
            Ok(if schedule.changes() { job.added() } else { job })
        })
        .collect()
    }

    /// Whether a schedule is in a place that is not its declared time, so that somebody placed it.
    pub(crate) fn has_places(&self) -> bool {
        self.schedules.iter().any(|schedule| !schedule.changes() && schedule.shift_minutes != 0)
    }

    /// Chooses salts. The peak is counted again from the texts that come of it.
    pub(crate) fn spread(
        &self,
        base: &[u32],
        range: &ForecastRange,
        options: &SpreadOptions,
        session: &mut Session<'_>,
    ) -> Result<Spread, Stop> {
        let others = counts(self.others.iter().copied(), base, range)?;
        let plan = spread_beside(&self.to_spread()?, &others, range, options, || Ok::<(), Error>(()))?;
        let names = self.jobs.iter().map(|job| job.name().to_string());
        let seeds = names.zip(&plan.seeds).filter_map(|(name, seed)| Some((name, seed.clone()?))).collect();
        let old: Vec<&str> = (0..self.input.texts()).map(|number| self.input.text(number)).collect();
        let placed = self.place(&old, &seeds, false, session)?;
        let mut new = old.clone();
        self.files.iter().zip(&placed.texts).for_each(|(number, text)| new[*number] = text);
        let again = self.place(&new, &BTreeMap::new(), true, session)?;
        let read = self.input.read_again(&new, false).jobs;
        let after = peak(&counts(read.iter().map(|job| &job.loaded.job), base, range)?);
        if after != plan.peak || again.texts != placed.texts {
            let message = format!("the files would have a peak of {after}, not {}", plan.peak);
            return Err(Diagnostic::error(message).into());
        }
        let jobs = read.into_iter().map(|job| job.loaded.job).collect();
        Ok(Spread { plan, texts: placed.texts, jobs, schedules: placed.schedules })
    }

    /// The certificate of files.
    pub(crate) fn certificate(
        &self,
        spread: &Spread,
        base: &[u32],
        range: &ForecastRange,
    ) -> Result<String, Error> {
        let jobs = self.to_spread()?;
        let parts = jobs.iter().zip(&spread.schedules).map(|(job, schedule)| PlacedPart {
            job,
            declaration: &schedule.declaration,
            expression: &schedule.placed,
        });
        let placed: Vec<PlacedPart<'_>> = parts.collect();
        let others = &self.others;
        let parts = CertificateParts { placed: &placed, others, base, ..CertificateParts::default() };
        spread.plan.certificate_of(&parts, range)
    }

    /// Whether jobs that are counted as they are can be in a certificate.
    pub(crate) fn check_certifiable(&self) -> Result<(), Error> {
        SpreadPlan::check_certifiable(&self.others)
    }

    /// Writes the files back that change. Returns how many these are.
    pub(crate) fn write(&self, spread: &Spread) -> Result<usize, Stop> {
        let changes = self.files.iter().zip(&spread.texts);
        let changes = changes.filter(|(number, text)| self.input.text(**number) != **text);
        write(self.input, &changes.map(|(number, text)| (*number, text.as_str())).collect::<Vec<_>>())
    }

    /// The only file, with its text before and after.
    pub(crate) fn only<'s>(&self, spread: &'s Spread) -> Option<(usize, &'s str)> {
        match (self.input.texts(), self.files.as_slice(), spread.texts.as_slice()) {
            (1, [number], [text]) => Some((*number, text)),
            _ => None,
        }
    }
}

/// Writes new texts into files, given by their numbers. Returns how many these are.
pub(crate) fn write(input: &Input, changes: &[(usize, &str)]) -> Result<usize, Stop> {
    let paths: Vec<_> = changes.iter().map(|(number, _)| input.path(*number).to_path_buf()).collect();
    let files = tree::read(&paths)?.files;
    let texts: Vec<String> = changes.iter().map(|(number, text)| input.whole(*number, text)).collect();
    for (file, (number, _)) in files.iter().zip(changes) {
        if file.text != input.whole(*number, input.text(*number)) {
            let error = Diagnostic::error("the file changed since it was read, so nothing is written");
            return Err(error.file(file.path.display()).help("run the command again").into());
        }
    }
    let changes: Vec<_> = files.iter().zip(texts.iter().map(String::as_str)).collect();
    tree::write(&changes)?;
    Ok(changes.len())
}

/// The starts of jobs in each bucket, beside those that are there already.
pub(crate) fn counts<'j>(
    jobs: impl Iterator<Item = &'j Job>,
    base: &[u32],
    range: &ForecastRange,
) -> Result<Vec<u32>, Error> {
    let jobs: Vec<ForecastJob<'_>> = jobs.map(ForecastJob::new).collect();
    let found = par_forecast(&jobs, range, ForecastBy::ChosenTime)?;
    let base = base.iter().copied().chain(std::iter::repeat(0));
    Ok(found.buckets().iter().zip(base).map(|(bucket, base)| bucket.starts.saturating_add(base)).collect())
}

/// The most starts in one bucket.
pub(crate) fn peak(starts: &[u32]) -> u64 {
    starts.iter().copied().max().unwrap_or(0).into()
}
