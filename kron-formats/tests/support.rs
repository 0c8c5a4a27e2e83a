//! Conversions of one source, and random choices.

use kron_core::Severity;
use kron_core::{Duration, Parser};
use kron_formats::convert::{Converted, Format, Options, Source, convert};
use kron_formats::{LoadError, LoadOptions, Loaded, LoadedJob};

/// Options with a format.
pub fn from(format: Format) -> Options {
    Options { format: Some(format), ..Options::default() }
}

/// With a window, at a fixed place in it or not.
pub fn with_window(format: Format, window: &str, fixed: bool) -> Options {
    Options { window: Some(Duration::parse(window).unwrap()), fixed, ..from(format) }
}

/// Converts one source.
#[track_caller]
pub fn converted(text: &str, options: &Options) -> Converted {
    let converted =
        convert(&[Source { name: "file", text }], options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let refusals =
        converted.findings.iter().filter(|found| found.finding.severity == Severity::Error).count();
    // A job can be refused for several reasons.
    assert!(converted.refused <= refusals && (converted.refused == 0) == (refusals == 0), "{converted:?}");
    assert_eq!(loaded(&converted).jobs.len(), converted.converted, "{}", converted.text);
    converted
}

/// The jobs of a text.
pub fn load(text: &str) -> Result<Loaded, LoadError> {
    kron_formats::load(&Parser::new(), text, &LoadOptions::default())
}

/// The jobs of a text without errors.
#[track_caller]
pub fn jobs(text: &str) -> Vec<LoadedJob> {
    load(text).unwrap_or_else(|error| panic!("{error}")).jobs
}

/// The jobs of a conversion.
#[track_caller]
pub fn loaded(converted: &Converted) -> Loaded {
    load(&converted.text).unwrap_or_else(|error| panic!("{error}\n{}", converted.text))
}

/// The messages of a severity.
pub fn messages(converted: &Converted, severity: Severity) -> Vec<String> {
    let messages = converted.findings.iter().filter(|found| found.finding.severity == severity);
    messages.map(ToString::to_string).collect()
}

/// Why the only job of a source is refused.
#[track_caller]
pub fn refusal(text: &str, options: &Options) -> String {
    let mut converted = converted(text, options);
    assert_eq!((converted.converted, converted.refused, converted.text.as_str()), (0, 1, ""), "{text}");
    converted.findings.retain(|found| found.finding.severity == Severity::Error);
    converted.findings[0].to_string()
}

/// Numbers of a linear congruential generator: the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(2).wrapping_add(1))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(end)) as u32
    }

    /// Whether one of so many cases is there.
    pub fn one_in(&mut self, cases: u32) -> bool {
        self.below(cases) == 0
    }

    /// One of several.
    pub fn pick<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len() as u32) as usize]
    }

    /// One of some texts, changed a few times: words are put in, and parts are taken out or replaced by those of others.
    pub fn changed(&mut self, seeds: &[impl AsRef<[u8]>], words: &[&str]) -> Vec<u8> {
        let mut text = self.pick(seeds).as_ref().to_vec();
        for _ in 0..1 + self.below(5) {
            let at = self.below(text.len() as u32 + 1) as usize;
            let end = (at + self.below(12) as usize).min(text.len());
            match self.below(4) {
                0 => drop(text.splice(at..at, self.pick(words).bytes())),
                1 => drop(text.splice(at..end, self.pick(words).bytes())),
                2 => drop(text.drain(at..end)),
                _ => {
                    let other = self.pick(seeds).as_ref();
                    let from = self.below(other.len() as u32 + 1) as usize;
                    drop(text.splice(at.., other[from..].iter().copied()));
                }
            }
        }
        text
    }
}
