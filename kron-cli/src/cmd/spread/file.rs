//! Files of Kron's own jobs whose seeds can be edited.

use kron_core::{Parser, Seed};
use kron_formats::convert::{Options, with_seeds};

use crate::files::Source;
use crate::input::Input;
use crate::output::diagnostic::Diagnostic;

/// A file of jobs whose seeds can be edited.
pub(super) enum File<'a> {
    /// A job file, with the line of each job.
    Lines(&'a str, Vec<usize>),
    Manifests(&'a Source),
}

impl<'a> File<'a> {
    pub(super) fn of(input: &'a Input) -> Option<File<'a>> {
        let lines = input.job_file().map(|(text, lines)| File::Lines(text, lines));
        lines.or_else(|| input.manifests().map(File::Manifests))
    }

    /// The text with other seeds, for those jobs that have one here.
    pub(super) fn with_seeds(
        &self,
        input: &Input,
        seeds: &[Option<Seed>],
        namespace: Option<&str>,
        parser: &Parser,
    ) -> Result<String, Box<Diagnostic>> {
        match self {
            File::Lines(text, lines) => {
                let seeds = lines.iter().zip(seeds).filter_map(|(line, seed)| Some((*line, seed.as_ref()?)));
                let edited = parser.job_file_with_seeds(text, &seeds.collect::<Vec<_>>());
                edited.map_err(|error| Box::new(Diagnostic::of_error(&error)))
            }
            File::Manifests(source) => {
                let names = input.entries.iter().map(|entry| entry.job().name());
                let seeds = names.zip(seeds).filter_map(|(name, seed)| Some((name, seed.as_ref()?)));
                let options = Options {
                    namespace: namespace.map(str::to_string),
                    parser: parser.clone(),
                    ..Options::default()
                };
                let edited = with_seeds(&source.text, &seeds.collect::<Vec<_>>(), &options);
                edited.map_err(|found| Box::new(Diagnostic::of_conversion(&found, source.file.as_deref())))
            }
        }
    }
}
