//! What the list of formats needs of each one.

use crate::convert::conversion::{Conversion, Input};
use crate::convert::finding::ConvertFinding;

/// How a format is recognized, and what is made of its texts.
pub(crate) struct Reader {
    /// By what a text is recognized. Where two formats recognize a text, the one with the stronger evidence has it.
    pub(crate) evidence: Evidence,
    /// Whether a text has that evidence.
    pub(crate) recognizes: fn(&str) -> bool,
    pub(crate) convert: Convert,
}

/// By what a format is recognized, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    /// All lines look like it.
    Lines,
    /// A part that only this program reads.
    Syntax,
    /// The kind of an object.
    Kind,
    /// The name of a section.
    Section,
}

impl Evidence {
    /// From the strongest to the weakest.
    pub(crate) const STRONGEST_FIRST: [Evidence; 4] =
        [Evidence::Section, Evidence::Kind, Evidence::Syntax, Evidence::Lines];
}

/// The conversion of the sources of one format. An error is one of a whole source.
pub(crate) enum Convert {
    /// Each source by itself.
    Each(fn(&Input<'_>, &mut Conversion<'_>) -> Result<(), Box<ConvertFinding>>),
    /// All together, because they name each other.
    Together(fn(&[Input<'_>], &mut Conversion<'_>) -> Result<(), Box<ConvertFinding>>),
}
