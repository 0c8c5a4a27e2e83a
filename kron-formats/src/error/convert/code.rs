//! The kinds of findings of conversions, by their stable names.

use kron_core::error::FindingCode;
use kron_core::word_enum;

word_enum! {
    in "kron_formats::convert";
    /// The kind of a finding of a conversion or an export, by its stable name. A job that Kron refuses has the name of an
    /// [`ErrorCode`](kron_core::ErrorCode) instead.
    #[non_exhaustive]
    pub ConvertCode {
        /// The text, or a part of it, exceeds a limit.
        TooLong = "too-long",
        /// The source is a job file of Kron already.
        JobFile = "job-file",
        /// The content of the source does not show its format.
        FormatUnclear = "format-unclear",
        /// One conversion would make manifests and a job file.
        MixedOutputs = "mixed-outputs",
        /// The text breaks the rules of its format.
        NotReadable = "not-readable",
        /// The source has nothing of its format.
        NothingToConvert = "nothing-to-convert",
        /// The text cannot be edited in place, for example because an alias repeats it.
        NotEditable = "not-editable",
        /// A template of Helm or the like that has to be rendered first.
        NotRendered = "not-rendered",
        /// A field that is required is missing.
        MissingField = "missing-field",
        /// A field or a setting has a wrong value or type.
        BadValue = "bad-value",
        /// Two settings exclude each other.
        Conflict = "conflict",
        /// Two jobs would have one name.
        RepeatedName = "repeated-name",
        /// A part of a schedule breaks the rules of its format.
        BadSchedule = "bad-schedule",
        /// What starts the job is not a time of a calendar, such as `@reboot`.
        NotATime = "not-a-time",
        /// Neither a schedule nor a job of Kron can express it, or the target of an export cannot.
        NotExpressible = "not-expressible",
        /// The program decides it each time that it runs.
        KnownAtRunTime = "known-at-run-time",
        /// Two lines of the source match one time: two jobs would start, and the other program starts one.
        StartsTwice = "starts-twice",
        /// The job has no command.
        NoCommand = "no-command",
        /// A command that the target cannot have.
        BadCommand = "bad-command",
        /// A field or a setting has no effect on the job, and is left out.
        LeftOut = "left-out",
        /// The source names no time zone.
        TimeZoneAssumed = "time-zone-assumed",
        /// A time that the other program chooses at random, or by a hash, became a window.
        RandomTime = "random-time",
        /// A step of `H` that does not divide its range, so that the number of starts depends on a hash.
        HashedStep = "hashed-step",
        /// The window is as long as a gap of the schedule or longer, so that it can overlap the next one.
        OverlappingWindow = "overlapping-window",
        /// The other program makes late or missed starts by other rules.
        LateStarts = "late-starts",
        /// The other program does something else with a start while an earlier run is active.
        ActiveRun = "active-run",
        /// The command runs as another user.
        User = "user",
        /// The command runs in another directory.
        WorkingDirectory = "working-directory",
        /// The job is suspended, as it is in the source.
        Suspended = "suspended",
        /// The source starts the job as long as nobody suspends it there.
        StartsInSource = "starts-in-source",
    }
}

impl From<ConvertCode> for FindingCode {
    fn from(code: ConvertCode) -> FindingCode {
        FindingCode::new(code.as_str())
    }
}
