//! The texts of files as `kron place` sees them.

use std::path::Path;

use kron_formats::place;
use kron_formats::read::{Options, Read, read};

use super::Input;

impl Input {
    /// The number of texts.
    pub(crate) fn texts(&self) -> usize {
        self.sources.len()
    }

    /// The text of a file, by its number.
    pub(crate) fn text(&self, number: usize) -> &str {
        &self.sources[number].text
    }

    /// The bytes of a file with another text.
    pub(crate) fn whole(&self, number: usize, text: &str) -> String {
        self.sources[number].whole(text)
    }

    /// A file as messages name it.
    pub(crate) fn label(&self, number: usize) -> Option<&str> {
        self.sources.get(number)?.file.as_deref()
    }

    /// The path of a file; `-` for standard input.
    pub(crate) fn path(&self, number: usize) -> &Path {
        &self.places[number].file
    }

    /// The files that have declarations, by their numbers. In job files, comments declare nothing.
    pub(crate) fn with_declarations(&self) -> Vec<usize> {
        let has = |(place, source): (&super::Place, &super::Source)| {
            place::has_declarations(&source.text) && !place.source(&source.text).is_job_file()
        };
        let numbers = self.places.iter().zip(&self.sources).enumerate();
        numbers.filter(|(_, text)| has(*text)).map(|(number, _)| number).collect()
    }

    /// A text of a file, as its schedules are placed.
    pub(crate) fn to_place<'a>(&'a self, number: usize, text: &'a str) -> place::Source<'a> {
        self.places[number].to_place(text)
    }

    /// Reads the jobs of all files again, with other texts: those with a declaration as it says, or as they stand.
    pub(crate) fn read_again(&self, texts: &[&str], declared: bool) -> Read {
        let sources = self.places.iter().zip(texts).map(|(place, text)| place.source(text));
        read(&sources.collect::<Vec<_>>(), &Options { declared, ..self.options.clone() })
    }
}
