//! The forms of output that `-o` selects.

use clap::ValueEnum;

/// The forms of `next` and `zones`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListForm {
    /// Columns to read
    #[default]
    Text,
    /// One array of objects
    Json,
    /// One object a line
    Ndjson,
    /// Comma-separated values under the names that JSON uses
    Csv,
}

/// The forms of `explain`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainForm {
    /// Plain words, and the window as a strip
    #[default]
    Text,
    /// The receipt that `kron verify` reads
    Json,
    /// A picture of the window, as SVG
    Svg,
}

/// The forms of `status` and `history`.
#[cfg(all(feature = "run", target_os = "linux"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StateForm {
    /// Columns to read
    #[default]
    Text,
    /// One array of objects
    Json,
}

/// The forms of `place --check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlaceForm {
    /// The differences of the files, as `patch` reads them
    #[default]
    Text,
    /// Commands of GitHub Actions, which show each schedule at its line
    Github,
}

/// The forms of `prime`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrimeForm {
    /// One expression a line
    #[default]
    Text,
    /// One array of objects, one for each schedule
    Json,
}

/// The forms of `forecast`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ForecastForm {
    /// The result in a sentence, a picture, and what starts in the fullest buckets
    #[default]
    Text,
    /// One object with all of it and all buckets
    Json,
    /// A row for each bucket
    Csv,
    /// A page for a browser with the picture and what starts at each time; it needs no network
    Html,
    /// The picture as SVG
    Svg,
    /// The same picture as PNG
    Png,
}

/// The forms of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportForm {
    /// Lines to read
    #[default]
    Text,
    /// One JSON value
    Json,
}

/// The forms of `lint`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintForm {
    /// Findings with their places, to read
    #[default]
    Text,
    /// One array of findings
    Json,
    /// A log in SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}
