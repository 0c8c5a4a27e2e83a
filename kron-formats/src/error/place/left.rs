//! Why a schedule that stands in a text is left alone.

use kron_core::word_enum;

word_enum! {
    in "kron_formats::place";
    /// Why adopting leaves a schedule alone, by its stable name.
    #[non_exhaustive]
    pub LeftReason {
        /// It has a declaration.
        Declared = "declared",
        /// A comment says that it stays.
        Kept = "kept",
        /// Its name is not chosen.
        NotChosen = "not-chosen",
        /// It runs more often than every 10 minutes.
        TooOften = "too-often",
        /// No date matches it.
        Never = "never",
        /// Its line has no command.
        NoCommand = "no-command",
        /// It is read in a time zone that is not known.
        UnknownZone = "unknown-zone",
        /// Only its own minute would be a place.
        NoRoom = "no-room",
        /// It is no plain expression of five fields.
        NotPlain = "not-plain",
        /// Crons read it in different ways.
        CronsDiffer = "crons-differ",
        /// It begins a window, which has a duration or an end.
        OpensWindow = "opens-window",
        /// It is not written as its value: it has escapes, or is a block, an alias or an anchor.
        NotItsBytes = "not-its-bytes",
        /// Its line has more than it.
        NotItsLine = "not-its-line",
        /// It is an item of a list on one line.
        OneLineList = "one-line-list",
        /// Its object has several schedules, or none where one must be.
        SeveralSchedules = "several-schedules",
        /// The annotations of its object are empty, or are shared with other objects.
        Annotations = "annotations",
        /// Its object has no name.
        NoName = "no-name",
        /// It needs a name, and nothing says how names begin.
        NoPrefix = "no-prefix",
        /// Its name would be too long, or would have control characters.
        BadName = "bad-name",
        /// Its key is not among those that are adopted.
        OtherKey = "other-key",
        /// It is in a text within the file.
        InText = "in-text",
        /// A JSON patch sets it.
        JsonPatch = "json-patch",
        /// Its file has a syntax in which schedules are not adopted.
        OtherSyntax = "other-syntax",
        /// A template makes it.
        Template = "template",
        /// It stands in a template, which cannot be read before it is rendered.
        InTemplate = "in-template",
        /// Another program writes its line or its file.
        Generated = "generated",
        /// The file is encrypted by SOPS.
        Sops = "sops",
        /// JSON has no comments.
        StrictJson = "strict-json",
        /// The file cannot be read.
        Broken = "broken",
        /// The workflow, or one that it calls, compares the text of its schedules.
        Compared = "compared",
        /// It belongs to a KronJob.
        KronJob = "kronjob",
        /// It is not an object of the cluster that can be applied, as others of the text are.
        NotLive = "not-live",
        /// Another object owns the object.
        Owned = "owned",
        /// Helm installs the object.
        Helm = "helm",
        /// Argo CD keeps the object.
        ArgoCd = "argo-cd",
        /// Flux keeps the object.
        Flux = "flux",
        /// Read again, the file would have another change than the intended one.
        NotConfirmed = "not-confirmed",
    }
}

impl LeftReason {
    /// The reason as the end of a sentence about one schedule.
    ///
    /// ```
    /// use kron_formats::place::LeftReason;
    /// assert_eq!(LeftReason::TooOften.sentence(), "runs more often than every 10 minutes");
    /// ```
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            LeftReason::Declared => "has a declaration",
            LeftReason::Kept => "is marked `kron: keep`",
            LeftReason::NotChosen => "is not chosen by `--select` and `--skip`",
            LeftReason::TooOften => "runs more often than every 10 minutes",
            LeftReason::Never => "never runs, because no date matches",
            LeftReason::NoCommand => "has no command",
            LeftReason::UnknownZone => "is read in a time zone that is not known",
            LeftReason::NoRoom => "has no other minute in the window",
            LeftReason::NotPlain => "is no plain expression of five fields",
            LeftReason::CronsDiffer => "has a form such as `5/15`, which crons read in different ways",
            LeftReason::OpensWindow => "begins a window, because it has a `duration` or an `end`",
            LeftReason::NotItsBytes => {
                "is written with escapes, as a block, between brackets, or with an anchor or an alias"
            }
            LeftReason::NotItsLine => "shares its line with more than a comment can be about",
            LeftReason::OneLineList => "is in a list on one line",
            LeftReason::SeveralSchedules => "is not the only schedule of its object",
            LeftReason::Annotations => "is in an object whose `annotations` are empty, shared or merged",
            LeftReason::NoName => "is in an object without a name",
            LeftReason::NoPrefix => "needs a name, and no `--prefix` is given",
            LeftReason::BadName => "would have a name that is too long or has control characters",
            LeftReason::OtherKey => "has a key of another name: adopt it by `--key KEY`",
            LeftReason::InText => {
                "is in a text within its file: write that as YAML of its own, or declare the schedule by hand"
            }
            LeftReason::JsonPatch => "is set by a JSON patch: write a patch that has `spec.schedule` instead",
            LeftReason::OtherSyntax => "is in a file that is not YAML, TOML or JSON: declare it by hand",
            LeftReason::Template => "is made by a template: change the values instead",
            LeftReason::InTemplate => "is in a template: declare it by hand, or make it a value",
            LeftReason::Generated => "is written by another program: change its source instead",
            LeftReason::Sops => "is in a file that SOPS encrypts",
            LeftReason::StrictJson => "is in JSON, which has no comments",
            LeftReason::Broken => "is in a file that cannot be read",
            LeftReason::Compared => "is compared as a text by its workflow or one that it calls",
            LeftReason::KronJob => "belongs to a KronJob, which has a window of its own",
            LeftReason::NotLive => {
                "is not in a CronJob or CronWorkflow that was read from the cluster, as others are"
            }
            LeftReason::Owned => "is in an object that another object owns: change the owner",
            LeftReason::Helm => "is in an object that Helm installs: change the chart's values",
            LeftReason::ArgoCd => "is in an object that Argo CD keeps: change its repository",
            LeftReason::Flux => "is in an object that Flux keeps: change its repository",
            LeftReason::NotConfirmed => "could not be changed without another change of the file",
        }
    }
}
