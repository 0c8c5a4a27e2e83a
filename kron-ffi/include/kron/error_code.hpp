// Codes of errors. Generated from kron.h by the test `header`; do not edit. Part of kron.hpp.
#ifndef KRON_ERROR_CODE_HPP
#define KRON_ERROR_CODE_HPP

#include <cstdint>

#include "../kron.h"

namespace kron {

// What kind of error an Error is. A number never gets another meaning.
enum class ErrorCode : std::uint32_t {
    // A pointer is NULL, but must not be.
    null_pointer = KRON_ERROR_NULL_POINTER,
    // A string is not valid UTF-8.
    invalid_utf8 = KRON_ERROR_INVALID_UTF8,
    // This version of the library does not know a struct of this size.
    struct_size = KRON_ERROR_STRUCT_SIZE,
    // An integer is not a value of its enum, or contains unknown flags.
    enum_value = KRON_ERROR_ENUM_VALUE,
    // An array is longer than memory allows.
    length = KRON_ERROR_LENGTH,
    // An index is not less than the number of elements.
    index = KRON_ERROR_INDEX,
    // The builder has already been used.
    already_used = KRON_ERROR_ALREADY_USED,
    // A text contains a NUL character, which a C string cannot hold.
    contains_nul = KRON_ERROR_CONTAINS_NUL,
    // A file or directory cannot be read.
    io = KRON_ERROR_IO,
    // An array is too short for what it must hold.
    too_short = KRON_ERROR_TOO_SHORT,
    // A text is not the state of a host.
    host_state = KRON_ERROR_HOST_STATE,
    // A bug in libkron, which was caught; please report it. Invalid input never has this result.
    panic = KRON_ERROR_PANIC,
    // A cron expression is longer than 256 bytes.
    cron_too_long = KRON_ERROR_CRON_TOO_LONG,
    // A cron expression does not have five fields.
    cron_field_count = KRON_ERROR_CRON_FIELD_COUNT,
    // A part of a cron field has none of the forms `*`, `n`, `a-b`, `/step`.
    cron_syntax = KRON_ERROR_CRON_SYNTAX,
    // A number or step in a cron field is out of its range.
    cron_out_of_range = KRON_ERROR_CRON_OUT_OF_RANGE,
    // A range in a cron field is backwards.
    cron_backwards = KRON_ERROR_CRON_BACKWARDS,
    // A cron expression matches no day.
    cron_never_matches = KRON_ERROR_CRON_NEVER_MATCHES,
    // Syntax of other schedulers: `@reboot`, `@every`, `TZ=`, `L`, `W`, `#`, seconds, years.
    cron_unsupported = KRON_ERROR_CRON_UNSUPPORTED,
    // A job text is longer than 65536 bytes.
    text_too_long = KRON_ERROR_TEXT_TOO_LONG,
    // A job text has a syntax error: brackets, quotes, or words in the wrong place.
    text_syntax = KRON_ERROR_TEXT_SYNTAX,
    // An unknown modifier.
    text_unknown_modifier = KRON_ERROR_TEXT_UNKNOWN_MODIFIER,
    // An unknown key in a modifier.
    text_unknown_key = KRON_ERROR_TEXT_UNKNOWN_KEY,
    // A modifier or key is given twice.
    text_repeated = KRON_ERROR_TEXT_REPEATED,
    // A line of a job file has no `name=`.
    file_missing_name = KRON_ERROR_FILE_MISSING_NAME,
    // Two jobs have the same name.
    file_repeated_name = KRON_ERROR_FILE_REPEATED_NAME,
    // An invalid duration.
    duration = KRON_ERROR_DURATION,
    // An unknown time zone.
    time_zone = KRON_ERROR_TIME_ZONE,
    // A word that is not one of the allowed words.
    choice = KRON_ERROR_CHOICE,
    // An invalid number.
    number = KRON_ERROR_NUMBER,
    // A parameter that the distribution does not have.
    parameter = KRON_ERROR_PARAMETER,
    // A value below or above its limits.
    out_of_bounds = KRON_ERROR_OUT_OF_BOUNDS,
    // An invalid name.
    name = KRON_ERROR_NAME,
    // A spec that the algorithm does not support.
    algorithm_unsupported = KRON_ERROR_ALGORITHM_UNSUPPORTED,
    // An invalid instant.
    instant = KRON_ERROR_INSTANT,
    // A time zone database that is damaged or invalid: its TZif data, the name of a zone, its version.
    tz_data = KRON_ERROR_TZ_DATA,
    // A constraint clause without parts.
    constraint_empty = KRON_ERROR_CONSTRAINT_EMPTY,
    // An unknown constraint part.
    constraint_unknown_part = KRON_ERROR_CONSTRAINT_UNKNOWN_PART,
    // A part of a constraint has a syntax error.
    constraint_syntax = KRON_ERROR_CONSTRAINT_SYNTAX,
    // A number, time or date in a constraint does not exist.
    constraint_out_of_range = KRON_ERROR_CONSTRAINT_OUT_OF_RANGE,
    // A range of days or dates is backwards.
    constraint_backwards = KRON_ERROR_CONSTRAINT_BACKWARDS,
    // More clauses or characters than allowed.
    constraint_too_long = KRON_ERROR_CONSTRAINT_TOO_LONG,
    // A part of a clause needs another part.
    constraint_incomplete = KRON_ERROR_CONSTRAINT_INCOMPLETE,
    // A document that is not YAML or JSON.
    manifest_syntax = KRON_ERROR_MANIFEST_SYNTAX,
    // A field that KronJobs do not have.
    manifest_unknown_field = KRON_ERROR_MANIFEST_UNKNOWN_FIELD,
    // A required field is missing.
    manifest_missing_field = KRON_ERROR_MANIFEST_MISSING_FIELD,
    // A field has the wrong type.
    manifest_type = KRON_ERROR_MANIFEST_TYPE,
    // A document that is not a KronJob.
    manifest_kind = KRON_ERROR_MANIFEST_KIND,
    // A value that other inputs allow and KronJobs do not.
    manifest_refused = KRON_ERROR_MANIFEST_REFUSED,
    // Windows that can overlap in more than 100 periods.
    manifest_overlap = KRON_ERROR_MANIFEST_OVERLAP,
    // A nominal time outside the years 1970 to 2099, or not at a whole second.
    nominal_time = KRON_ERROR_NOMINAL_TIME,
    // No start within five years of the beginning of the search.
    no_start_in_sight = KRON_ERROR_NO_START_IN_SIGHT,
    // 100,000 periods in a row are unschedulable.
    no_schedulable_period = KRON_ERROR_NO_SCHEDULABLE_PERIOD,
    // No more nominal times before the year 2100, or none since 1970.
    no_period = KRON_ERROR_NO_PERIOD,
    // A schedule for which no cron expressions fire a lead before it.
    prime_impossible = KRON_ERROR_PRIME_IMPOSSIBLE,
    // A job with a window or constraints, whose starts cannot be primed by cron expressions.
    prime_not_on_time = KRON_ERROR_PRIME_NOT_ON_TIME,
    // A text that is no declaration of a schedule's place: a part that one place for all periods cannot keep.
    place_refused = KRON_ERROR_PLACE_REFUSED,
    // A declaration whose window has no minute in which the schedule could stand.
    place_nowhere = KRON_ERROR_PLACE_NOWHERE,
    // A name that no given calendar has.
    calendar_unknown = KRON_ERROR_CALENDAR_UNKNOWN,
    // A calendar file or an iCalendar file that cannot be read, or a calendar without dates.
    calendar_syntax = KRON_ERROR_CALENDAR_SYNTAX,
    // An event of an iCalendar file that is not of whole days, or has a rule that is not supported.
    calendar_unsupported = KRON_ERROR_CALENDAR_UNSUPPORTED,
    // More ranges, events or dates than a calendar may have.
    calendar_too_long = KRON_ERROR_CALENDAR_TOO_LONG,
    // Two calendars of one name.
    calendar_repeated = KRON_ERROR_CALENDAR_REPEATED,
};

} // namespace kron

#endif
