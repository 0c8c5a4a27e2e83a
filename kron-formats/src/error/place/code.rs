//! The kinds of findings of placing, by their stable names.

use kron_core::error::FindingCode;
use kron_core::word_enum;

word_enum! {
    in "kron_formats::place";
    /// The kind of a finding of placing, by its stable name. A declaration that Kron refuses has the name of an
    /// [`ErrorCode`](kron_core::ErrorCode) instead.
    #[non_exhaustive]
    pub PlaceCode {
        /// A declaration stands where no schedule is.
        NoSchedule = "no-schedule",
        /// A schedule has two declarations.
        SeveralDeclarations = "several-declarations",
        /// The line of a declaration has several schedules.
        SeveralSchedules = "several-schedules",
        /// The schedule has a field of seconds or of years.
        SixFields = "six-fields",
        /// The schedule is neither the declared one nor the placed one.
        EditedByHand = "edited-by-hand",
        /// A comment looks like a declaration and is none.
        NoDeclaration = "no-declaration",
        /// A comment behind a line of a crontab is a part of the command.
        BehindCommand = "behind-command",
        /// The declaration names another time zone than that of the schedule, or one where the other system has none.
        OtherZone = "other-zone",
        /// The schedule has a form that crons read in different ways.
        CronsDiffer = "crons-differ",
        /// The text compares schedules, so that another one is not found.
        ComparedText = "compared-text",
        /// The name has `{host}`, and no host is given.
        HostUnknown = "host-unknown",
        /// The schedule of an object is written so that its bytes are not its value.
        NotEditable = "not-editable",
        /// Two declarations have one name, and so one place.
        SameName = "same-name",
        /// The rules leave less than half of the window.
        FewPlaces = "few-places",
        /// A change of the clocks meets the placed schedule, and not the declared one.
        ClockChange = "clock-change",
        /// An adopted schedule needs a name, and no prefix of names is known.
        NoPrefix = "no-prefix",
        /// The input of a KRM function is no `ResourceList`, or its configuration has a value that is no text.
        FunctionInput = "function-input",
        /// The file is not changed, because a second reader finds another change than the intended one.
        NotConfirmed = "not-confirmed",
    }
}

impl From<PlaceCode> for FindingCode {
    fn from(code: PlaceCode) -> FindingCode {
        FindingCode::new(code.as_str())
    }
}
