//! Jobs of files in any format: job files, KronJobs, and the schedules of other systems, which are read as the jobs that
//! [`convert`](crate::convert::convert) makes of them.
//!
//! [`read`] takes the texts of all files together: units of systemd name each other, and jobs of other systems get names that no other
//! has. A text that cannot be read leaves the others as they are.
//!
//! It reads no files, no clock and no environment, and decides nothing about start times.
//!
//! ```
//! use kron_formats::read::{Options, Source, read};
//! let sources = [
//!     Source::new("jobs/web.kron", "0 3 * * * @win(after,1h) name=web/clean\n"),
//!     Source::new("/etc/cron.d/backup", "CRON_TZ=Europe/Paris\n0 3 * * * root /usr/bin/backup\n@reboot root x\n"),
//! ];
//! let read = read(&sources, &Options::default());
//! let names: Vec<&str> = read.jobs.iter().map(|job| job.loaded.job.name()).collect();
//! assert_eq!(names, ["web/clean", "backup"]);
//! assert_eq!((read.jobs[1].source, read.jobs[1].loaded.line), (1, Some(2)));
//! assert_eq!(
//!     read.findings[0].to_string(),
//!     "line 3: this schedule is left out: `@reboot` is not a time; start the command by the system's service manager"
//! );
//! ```

mod declared;
mod findings;
mod keys;
mod kind;
mod source;

pub use self::source::{Differences, Jobs, Options, Origin, Source};

use kron_core::{Error, Finding};

use crate::convert::conversion::{Conversion, ConvertedJob, Purpose};
use crate::convert::job_line::Names;
use crate::convert::yaml::{Lines, has_kind, read as documents};
use crate::convert::{self, ConvertFinding, Format, check_unit, convert_sources, without_mark};
use crate::error::convert::yaml::RENDER;
use crate::kronjob::KIND;
use crate::load::{LoadOptions, LoadedJob, Others, Parts, load_apart, load_lines};
use crate::place::has_declarations;

use self::declared::{Beside, Known, declare};
use self::findings::{of_other_systems, of_reading, of_unknown_zone};
use self::keys::{job_of, keys_of, name_of};
use self::kind::Kind;

/// What [`read`] found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Read {
    /// The jobs, in the order of the sources and of their places in them.
    pub jobs: Vec<ReadJob>,
    /// The errors of job files and of KronJobs, with their sources.
    pub errors: Vec<(usize, Error)>,
    /// Sources that cannot be read in their formats, with the reasons, in order.
    pub unread: Vec<ConvertFinding>,
    /// What a reader of the sources should know, in order of the sources.
    pub findings: Vec<ConvertFinding>,
    /// What holds for all sources together.
    pub notes: Vec<Finding>,
}

/// A job and its source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadJob {
    /// The job, with what its file says beside it. A schedule of another system has a line.
    pub loaded: LoadedJob,
    /// In which source, from 0.
    pub source: usize,
    /// What it is read from.
    pub origin: Origin,
}

/// Reads the jobs of sources. See the [module](self) for an example.
///
/// The jobs of Kron keep their names, which can be those of other sources. Schedules of other systems get the names that `convert` gives
/// them, with a number behind those that are taken.
#[must_use]
pub fn read(sources: &[Source<'_>], options: &Options) -> Read {
    let mut reading = Reading {
        sources,
        options,
        out: Read::default(),
        others: Others::default(),
        schedules: Vec::new(),
        keys: Vec::new(),
    };
    for (index, source) in sources.iter().enumerate() {
        match source.kind(options) {
            Ok(None) => {}
            Ok(Some(Kind::JobFile)) => reading.job_file(index, source),
            Ok(Some(Kind::Manifests)) => reading.manifests(index, source),
            Ok(Some(Kind::Schedules(format))) => reading.schedules.push((index, format)),
            Ok(Some(Kind::Keys)) => reading.keys.push(index),
            Err(finding) => reading.out.unread.push(ConvertFinding::new(index, finding)),
        }
    }
    if options.jobs == Jobs::All {
        reading.schedules();
    }
    reading.out.notes.extend(match options.jobs {
        Jobs::All => reading.others.not_jobs(),
        Jobs::OfKron => reading.others.not_kronjobs(),
    });
    reading.out.in_order(sources)
}

struct Reading<'a> {
    sources: &'a [Source<'a>],
    options: &'a Options,
    out: Read,
    /// The objects that are no jobs.
    others: Others,
    /// The sources of other systems. One of objects has several formats.
    schedules: Vec<(usize, Format)>,
    /// The sources whose keys may have schedules.
    keys: Vec<usize>,
}

impl Reading<'_> {
    fn job_file(&mut self, index: usize, source: &Source<'_>) {
        let parts = load_lines(&self.options.parser, without_mark(source.text));
        self.take(index, parts);
    }

    /// Reads the KronJobs of a source. Objects of other formats are read with those of all sources.
    fn manifests(&mut self, index: usize, source: &Source<'_>) {
        let mut options = LoadOptions::default();
        if let Some(namespace) = &self.options.namespace {
            options = options.with_namespace(namespace);
        }
        let mut parts = match load_apart(&self.options.parser, source.text, &options) {
            Ok(parts) => parts,
            // A file that nobody names may be a template.
            Err(error) if !source.is_named => {
                let mut finding = Finding::from_error(&error);
                if source.text.contains("{{") {
                    finding.help.get_or_insert_with(|| RENDER.to_string());
                }
                self.out.unread.push(ConvertFinding::new(index, finding).at(error.line()));
                return;
            }
            Err(error) => {
                self.out.errors.push((index, error));
                return;
            }
        };
        if self.options.jobs == Jobs::All {
            for (format, version, kind) in
                [(Format::CronJob, "batch/", "CronJob"), (Format::Argo, "", "CronWorkflow")]
            {
                if parts.2.remove(version, kind) {
                    self.schedules.push((index, format));
                }
            }
            self.keys.push(index);
        }
        self.take(index, parts);
    }

    fn take(&mut self, index: usize, (loaded, errors, others): Parts) {
        let jobs =
            loaded.jobs.into_iter().map(|loaded| ReadJob { loaded, source: index, origin: Origin::Kron });
        self.out.jobs.extend(jobs);
        let source = &self.sources[index];
        if source.is_named || source.path.ends_with(".kron") || has_kind(source.text, KIND) {
            self.out.errors.extend(errors.into_iter().map(|error| (index, error)));
        } else {
            // Values of a chart, for example, can have a `kind` and be no objects.
            let unread = errors
                .iter()
                .map(|error| ConvertFinding::new(index, Finding::from_error(error)).at(error.line()));
            self.out.unread.extend(unread);
        }
        self.out
            .findings
            .extend(loaded.findings.into_iter().map(|finding| ConvertFinding::new(index, finding)));
        self.others.extend(others);
    }

    /// Reads the schedules of other systems, all of them together.
    fn schedules(&mut self) {
        let options = convert::Options {
            namespace: self.options.namespace.clone(),
            timezone: self.options.timezone.clone(),
            host_timezone: self.options.host_timezone.clone(),
            parser: self.options.parser.clone(),
            // Who names a format asks for nothing else.
            format: self.options.format,
            ..convert::Options::default()
        };
        let mut conversion = Conversion::new(&options, Purpose::Jobs);
        for job in &self.out.jobs {
            conversion.names.take(job.loaded.job.name());
        }
        let mut sources: Vec<(usize, convert::Source<'_>, Format)> = Vec::new();
        for (index, format) in &self.schedules {
            let Source { path: name, text, .. } = self.sources[*index];
            let source = convert::Source { name, text };
            // All sources of systemd are read together, so one of something else would be an error of all of them.
            match check_unit(&source, *format) {
                Ok(()) => sources.push((*index, source, *format)),
                Err(finding) => self.out.unread.push(ConvertFinding::new(*index, finding)),
            }
        }
        let failed = convert_sources(&sources, &mut conversion);
        self.out.unread.extend(failed);
        let findings = conversion.out.findings.into_iter();
        self.out.findings.extend(findings.filter_map(|found| {
            let source = self.sources.get(found.source)?;
            of_reading(found, source, self.options)
        }));
        self.out.jobs.extend(conversion.jobs.into_iter().map(|ConvertedJob { loaded, source, format }| {
            ReadJob { loaded, source, origin: Origin::Schedule(format) }
        }));
        let mut without_zone = None;
        for index in std::mem::take(&mut self.keys) {
            let names_zones = self.keys(index, &mut conversion.names);
            without_zone = without_zone.or((!names_zones).then_some(index));
        }
        if let Some(index) = without_zone.filter(|_| self.options.timezone.is_none()) {
            let found = of_unknown_zone(index);
            // A schedule of another format may have said the same.
            if self.out.findings.iter().all(|other| other.finding != found.finding) {
                self.out.findings.push(found);
            }
        }
        let is_declared = |source: &Source<'_>| {
            has_declarations(source.text) && !matches!(source.kind(self.options), Ok(Some(Kind::JobFile)))
        };
        let declared: Vec<usize> =
            (0..self.sources.len()).filter(|index| is_declared(&self.sources[*index])).collect();
        let mut known = Known::new(&self.out.jobs);
        for beside in [Beside::Jobs, Beside::NoJobs] {
            for index in &declared {
                declare(*index, &self.sources[*index], beside, self.options, &mut known, &mut self.out);
            }
        }
        let origins = self.out.jobs.iter().map(|job| job.origin);
        self.out.notes.extend(of_other_systems(origins));
    }

    /// Reads the schedules under the keys of a source. Returns whether all of them name their zones.
    fn keys(&mut self, index: usize, names: &mut Names) -> bool {
        let source = &self.sources[index];
        let schedules = keys_of(source);
        let names_zones = schedules.iter().all(|schedule| schedule.timezone.is_some());
        for schedule in schedules {
            let name = match &schedule.object {
                // Another patch of an object, or of one that is read, is no second job.
                Some(object) if !names.take(object) => continue,
                Some(object) => object.clone(),
                None => names.numbered(name_of(source, &schedule)),
            };
            match job_of(index, &schedule, &name, self.options) {
                Ok(loaded) => self.out.jobs.push(ReadJob { loaded, source: index, origin: Origin::Key }),
                Err(found) => self.out.findings.push(*found),
            }
        }
        names_zones
    }
}

impl Read {
    /// Puts everything in the order of the sources and the places in them.
    fn in_order(mut self, sources: &[Source<'_>]) -> Read {
        // By stable sorts, jobs of a job file and items of a list stay as they are.
        let starts = document_starts(&self.jobs, sources);
        self.jobs.sort_by_cached_key(|job| {
            let line = match (job.origin, job.loaded.document) {
                (Origin::Kron, Some(document)) => starts[job.source].get(document - 1).copied().unwrap_or(0),
                _ => job.loaded.line.unwrap_or(0),
            };
            (job.source, line)
        });
        self.errors.sort_by_key(|(source, _)| *source);
        self.unread.sort_by_key(|found| found.source);
        self.findings.sort_by_key(|found| (found.source, found.line.unwrap_or(usize::MAX)));
        self
    }
}

/// The first line of each document of the sources that have KronJobs beside schedules of other systems, from 1.
fn document_starts(jobs: &[ReadJob], sources: &[Source<'_>]) -> Vec<Vec<usize>> {
    let mut has = vec![(false, false); sources.len()];
    for job in jobs {
        let (kronjobs, others) = &mut has[job.source];
        *kronjobs |= job.origin == Origin::Kron && job.loaded.document.is_some();
        *others |= job.origin != Origin::Kron;
    }
    let starts = |(source, has): (&Source<'_>, (bool, bool))| {
        if has != (true, true) {
            return Vec::new();
        }
        let text = without_mark(source.text);
        let lines = Lines::new(text);
        let documents = documents(text).unwrap_or_default();
        documents.iter().map(|document| lines.of(document.root.start) + 1).collect()
    };
    sources.iter().zip(has).map(starts).collect()
}
