//! The kinds of findings about a file.

use kron_core::error::FindingCode;

/// The kinds of findings about a file, by their stable names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadCode {
    /// `namespace-assumed`: a manifest names no namespace.
    NamespaceAssumed,
    /// `foreign-document`: objects in manifests are not jobs.
    ForeignDocument,
    /// `other-system`: schedules of other systems are read as jobs.
    OtherSystem,
}

impl LoadCode {
    /// All kinds.
    pub const ALL: [LoadCode; 3] =
        [LoadCode::NamespaceAssumed, LoadCode::ForeignDocument, LoadCode::OtherSystem];

    /// The stable name.
    ///
    /// ```
    /// assert_eq!(kron_formats::LoadCode::NamespaceAssumed.as_str(), "namespace-assumed");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            LoadCode::NamespaceAssumed => "namespace-assumed",
            LoadCode::ForeignDocument => "foreign-document",
            LoadCode::OtherSystem => "other-system",
        }
    }

    /// A short description of what it finds.
    ///
    /// ```
    /// assert_eq!(kron_formats::LoadCode::NamespaceAssumed.summary(), "a manifest names no namespace");
    /// ```
    pub const fn summary(self) -> &'static str {
        match self {
            LoadCode::NamespaceAssumed => "a manifest names no namespace",
            LoadCode::ForeignDocument => "objects in manifests are not jobs",
            LoadCode::OtherSystem => "schedules of other systems are read as jobs",
        }
    }
}

impl From<LoadCode> for FindingCode {
    fn from(code: LoadCode) -> FindingCode {
        FindingCode::new(code.as_str())
    }
}
