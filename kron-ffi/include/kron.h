/* libkron: deterministic jitter for cron.
 *
 * Written by cbindgen from kron-ffi/src; do not edit. See kron-ffi/README.md for how to build and link.
 *
 * Results.   Every function that can fail returns a kron_result, 0 for success, and takes `kron_error **error` last. That
 *            may be NULL. Otherwise `*error` must be NULL or an error of an earlier call: a call that fails frees the
 *            earlier one and puts its own there, and one that succeeds, or answers KRON_RESULT_END or
 *            KRON_RESULT_ABSENT, leaves it alone. Free it once, at the end, with kron_error_free.
 * Outputs    come last, before the error, and are written on success only.
 * Strings in are UTF-8: NUL-terminated, or, in the functions that end in `_n`, with a length in bytes. They are not kept.
 * Pointers   are NULL, where the function says so, or valid; handles are live. That is checked for NULL only.
 * Times      are Unix seconds.
 * Zones      are looked up in the tz database that a call takes as `tzdb`; NULL is the one that is compiled in.
 * Structs    are allocated by the caller. Calls take their size, KRON_..._SIZE, so that they can grow.
 * Handles    are opaque. Each has one function that frees it. Jobs, fleets, schedules and tz databases are immutable and
 *            may be used by any number of threads at once; builders, series, strings, errors and plans belong to one
 *            thread at a time, or to several that only read.
 * Order      Handles may be freed in any order: a series keeps its job or fleet alive, a job keeps its time zone, and all
 *            other handles are independent.
 */

#ifndef KRON_H
#define KRON_H

#include <stddef.h>
#include <stdint.h>

/* The version of this header; kron_version() is that of the library. */
#define KRON_VERSION "0.1.0"
#define KRON_VERSION_MAJOR 0
#define KRON_VERSION_MINOR 1
#define KRON_VERSION_PATCH 0

/* The sizes that calls take. */
#define KRON_CLOCK_CHANGE_SIZE (sizeof(kron_clock_change))
#define KRON_POLICY_SIZE (sizeof(kron_policy))
#define KRON_ACTION_SIZE (sizeof(kron_action))
#define KRON_DECISION_SIZE (sizeof(kron_decision))
#define KRON_HOST_STATE_SIZE (sizeof(kron_host_state))
#define KRON_VERIFICATION_SIZE (sizeof(kron_verification))
#define KRON_TZIF_SIZE (sizeof(kron_tzif))


/**
 * Flag of kron_decision: there is a start, at `chosen_time`.
 */
#define KRON_DECISION_CHOSEN 1

/**
 * Flag of kron_decision: no start, because the constraints allow no second of the window.
 */
#define KRON_DECISION_NO_ALLOWED_SECOND 2

/**
 * Flag of kron_decision: no start, because none of the 64 draws was allowed; only with `sha256-splitmix64/1`.
 */
#define KRON_DECISION_DRAWS_EXHAUSTED 4

/**
 * Bytes of a period id with its NUL, and zeros.
 */
#define KRON_PERIOD_ID_SIZE 24

/**
 * Bytes of a period key with its NUL, and zeros.
 */
#define KRON_PERIOD_KEY_SIZE 24

/**
 * Bytes of a seed hash with its NUL, and zeros.
 */
#define KRON_SEED_HASH_SIZE 72

/**
 * Flag of kron_verification: `first_difference` is known. It is known for different rules if the receipt's rules are those
 * of the compiled-in database.
 */
#define KRON_VERIFICATION_FIRST_DIFFERENCE 1

/**
 * Flag of kron_host_state: an execution of the job is active.
 */
#define KRON_HOST_STATE_ACTIVE 1

/**
 * Flag of kron_host_state: `handled_through` counts.
 */
#define KRON_HOST_STATE_HANDLED_THROUGH 2

/**
 * What a function answers: 0 is success. Numbers below 100 are of this layer, the others are the core's error codes. A
 * number is never used again for another meaning.
 */
enum kron_result
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Success.
   */
  KRON_RESULT_OK = 0,
  /**
   * An answer, not an error: the series or the schedule has no further element. No error handle is made.
   */
  KRON_RESULT_END = 1,
  /**
   * An answer, not an error: what was asked for does not exist. No error handle is made.
   */
  KRON_RESULT_ABSENT = 2,
  /**
   * A pointer is NULL that must not be.
   */
  KRON_RESULT_NULL_POINTER = 10,
  /**
   * A string is not UTF-8.
   */
  KRON_RESULT_INVALID_UTF8 = 11,
  /**
   * The size given for a struct is none that this version of the library knows.
   */
  KRON_RESULT_STRUCT_SIZE = 12,
  /**
   * An integer for a choice or for flags has no meaning.
   */
  KRON_RESULT_ENUM_VALUE = 13,
  /**
   * A length that no object in memory can have.
   */
  KRON_RESULT_LENGTH = 14,
  /**
   * An index at or above the number of elements.
   */
  KRON_RESULT_INDEX = 15,
  /**
   * Numbers that must ascend do not.
   */
  KRON_RESULT_ORDER = 16,
  /**
   * A builder that was used up.
   */
  KRON_RESULT_ALREADY_USED = 17,
  /**
   * A text that holds a NUL, which a string of C cannot.
   */
  KRON_RESULT_CONTAINS_NUL = 18,
  /**
   * A file or directory cannot be read.
   */
  KRON_RESULT_IO = 19,
  /**
   * A bug of this library, which was caught; please report it. User errors never have this code.
   */
  KRON_RESULT_PANIC = 99,
  /**
   * A cron expression is longer than 256 bytes.
   */
  KRON_RESULT_CRON_TOO_LONG = 100,
  /**
   * A cron expression has not five fields.
   */
  KRON_RESULT_CRON_FIELD_COUNT = 101,
  /**
   * A part of a cron field follows none of the forms `*`, `n`, `a-b`, `/step`.
   */
  KRON_RESULT_CRON_SYNTAX = 102,
  /**
   * A number or step in a cron field is out of its range.
   */
  KRON_RESULT_CRON_OUT_OF_RANGE = 103,
  /**
   * A range in a cron field runs backwards.
   */
  KRON_RESULT_CRON_BACKWARDS = 104,
  /**
   * A cron expression that no day can match.
   */
  KRON_RESULT_CRON_NEVER_MATCHES = 105,
  /**
   * Something other schedulers know and cron does not: `@reboot`, `@every`, `TZ=`, `L`, `W`, `#`, seconds, years.
   */
  KRON_RESULT_CRON_UNSUPPORTED = 106,
  /**
   * A job text is longer than 65536 bytes.
   */
  KRON_RESULT_TEXT_TOO_LONG = 200,
  /**
   * A job text that breaks the grammar: brackets, quotes, stray words.
   */
  KRON_RESULT_TEXT_SYNTAX = 201,
  /**
   * An unknown modifier.
   */
  KRON_RESULT_TEXT_UNKNOWN_MODIFIER = 202,
  /**
   * An unknown key in a modifier.
   */
  KRON_RESULT_TEXT_UNKNOWN_KEY = 203,
  /**
   * A modifier or key that is given twice.
   */
  KRON_RESULT_TEXT_REPEATED = 204,
  /**
   * A job file line without `name=`.
   */
  KRON_RESULT_FILE_MISSING_NAME = 210,
  /**
   * Two jobs with the same name.
   */
  KRON_RESULT_FILE_REPEATED_NAME = 211,
  /**
   * A bad duration.
   */
  KRON_RESULT_DURATION = 300,
  /**
   * An unknown time zone.
   */
  KRON_RESULT_TIME_ZONE = 301,
  /**
   * A word that is none of the allowed ones.
   */
  KRON_RESULT_CHOICE = 302,
  /**
   * A bad number.
   */
  KRON_RESULT_NUMBER = 303,
  /**
   * A parameter that the distribution does not take.
   */
  KRON_RESULT_PARAMETER = 304,
  /**
   * A value above or below its bounds.
   */
  KRON_RESULT_OUT_OF_BOUNDS = 305,
  /**
   * A bad name.
   */
  KRON_RESULT_NAME = 306,
  /**
   * A spec that its algorithm cannot compute.
   */
  KRON_RESULT_ALGORITHM_UNSUPPORTED = 307,
  /**
   * A bad instant.
   */
  KRON_RESULT_INSTANT = 308,
  /**
   * A tz database that is damaged or cannot be used: its TZif data, a zone's name, its version.
   */
  KRON_RESULT_TZ_DATA = 309,
  /**
   * A constraint clause without parts.
   */
  KRON_RESULT_CONSTRAINT_EMPTY = 400,
  /**
   * An unknown constraint part.
   */
  KRON_RESULT_CONSTRAINT_UNKNOWN_PART = 401,
  /**
   * A part of a constraint that does not read.
   */
  KRON_RESULT_CONSTRAINT_SYNTAX = 402,
  /**
   * A number, time or date of a constraint that does not exist.
   */
  KRON_RESULT_CONSTRAINT_OUT_OF_RANGE = 403,
  /**
   * A range of days or dates that runs backwards.
   */
  KRON_RESULT_CONSTRAINT_BACKWARDS = 404,
  /**
   * More clauses or characters than allowed.
   */
  KRON_RESULT_CONSTRAINT_TOO_LONG = 405,
  /**
   * A document that is not YAML or JSON.
   */
  KRON_RESULT_MANIFEST_SYNTAX = 500,
  /**
   * A field that a KronJob does not have.
   */
  KRON_RESULT_MANIFEST_UNKNOWN_FIELD = 501,
  /**
   * A field that is missing.
   */
  KRON_RESULT_MANIFEST_MISSING_FIELD = 502,
  /**
   * A field of the wrong type.
   */
  KRON_RESULT_MANIFEST_TYPE = 503,
  /**
   * A document that is not a KronJob.
   */
  KRON_RESULT_MANIFEST_KIND = 504,
  /**
   * A value that the core knows and the KronJob resource refuses.
   */
  KRON_RESULT_MANIFEST_REFUSED = 505,
  /**
   * Windows that can overlap in more than 100 periods.
   */
  KRON_RESULT_MANIFEST_OVERLAP = 506,
  /**
   * Nominal time out of the years 1970 to 2099, or not at a whole second.
   */
  KRON_RESULT_NOMINAL_TIME = 600,
  /**
   * No start within five years of the search's beginning.
   */
  KRON_RESULT_NO_START_IN_SIGHT = 601,
  /**
   * 100,000 periods in a row are unschedulable.
   */
  KRON_RESULT_NO_SCHEDULABLE_PERIOD = 602,
  /**
   * No nominal time is left in the years 1970 to 2099.
   */
  KRON_RESULT_NO_PERIOD = 603,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_result kron_result;
#else
typedef uint32_t kron_result;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * On which side of the nominal time N a window of duration D lies.
 */
enum kron_window_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * From N to N + D.
   */
  KRON_WINDOW_MODE_AFTER = 0,
  /**
   * From N - D/2 to N + D/2.
   */
  KRON_WINDOW_MODE_AROUND = 1,
  /**
   * From N - D to N. Not for KronJob manifests.
   */
  KRON_WINDOW_MODE_BEFORE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_window_mode kron_window_mode;
#else
typedef uint32_t kron_window_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How often a new draw is made.
 */
enum kron_seed_strategy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Every period has its own draw.
   */
  KRON_SEED_STRATEGY_STABLE = 0,
  /**
   * All periods of one local day share a draw.
   */
  KRON_SEED_STRATEGY_DAILY = 1,
  /**
   * All periods of one local ISO week share a draw.
   */
  KRON_SEED_STRATEGY_WEEKLY = 2,
  /**
   * All periods share one draw: the job keeps its place in its window, unless a constraint forbids it there.
   */
  KRON_SEED_STRATEGY_FIXED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_seed_strategy kron_seed_strategy;
#else
typedef uint32_t kron_seed_strategy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where the peak of a normal distribution lies in the window.
 */
enum kron_mu
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Nominal in windows `around`, else in the middle.
   */
  KRON_MU_DEFAULT = 0,
  /**
   * At the nominal time.
   */
  KRON_MU_NOMINAL = 1,
  /**
   * At the window's start.
   */
  KRON_MU_START = 2,
  /**
   * In the window's middle.
   */
  KRON_MU_MID = 3,
  /**
   * At the window's end.
   */
  KRON_MU_END = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_mu kron_mu;
#else
typedef uint32_t kron_mu;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * On which side of the window an exponential distribution is densest.
 */
enum kron_direction
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * At the start.
   */
  KRON_DIRECTION_EARLY = 0,
  /**
   * At the end.
   */
  KRON_DIRECTION_LATE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_direction kron_direction;
#else
typedef uint32_t kron_direction;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Which frozen algorithm makes the decisions.
 */
enum kron_algorithm
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * `siphash-chacha8/1`, the default.
   */
  KRON_ALGORITHM_SIPHASH_CHACHA8 = 0,
  /**
   * `sha256-splitmix64/1`, that of the first Kron.
   */
  KRON_ALGORITHM_SHA256_SPLITMIX64 = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_algorithm kron_algorithm;
#else
typedef uint32_t kron_algorithm;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What happens when a period's time comes while an earlier execution is still active.
 */
enum kron_concurrency
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The period is skipped.
   */
  KRON_CONCURRENCY_FORBID = 0,
  /**
   * Both run.
   */
  KRON_CONCURRENCY_ALLOW = 1,
  /**
   * The active one is stopped first.
   */
  KRON_CONCURRENCY_REPLACE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_concurrency kron_concurrency;
#else
typedef uint32_t kron_concurrency;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What to do with one period now.
 */
enum kron_action_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Nothing: the period was handled before, or the job is suspended.
   */
  KRON_ACTION_KIND_NOTHING = 0,
  /**
   * Look again at `until`.
   */
  KRON_ACTION_KIND_WAIT = 1,
  /**
   * Start it.
   */
  KRON_ACTION_KIND_EXECUTE = 2,
  /**
   * Stop the active execution, then start this one.
   */
  KRON_ACTION_KIND_REPLACE = 3,
  /**
   * Do not start it, and record `outcome`.
   */
  KRON_ACTION_KIND_RECORD = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_action_kind kron_action_kind;
#else
typedef uint32_t kron_action_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What became of a period. A period gets exactly one outcome, for ever.
 */
enum kron_outcome
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * It was started.
   */
  KRON_OUTCOME_EXECUTED = 0,
  /**
   * An earlier execution was active and the policy forbids two.
   */
  KRON_OUTCOME_SKIPPED = 1,
  /**
   * Its time and its deadline had passed, or a later period caught up for it.
   */
  KRON_OUTCOME_MISSED = 2,
  /**
   * No second of its window was allowed, and the window has passed.
   */
  KRON_OUTCOME_UNSCHEDULABLE = 3,
  /**
   * It has none yet.
   */
  KRON_OUTCOME_NONE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_outcome kron_outcome;
#else
typedef uint32_t kron_outcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How the rules of a receipt's time zone compare with those of the tz database that verifies it.
 */
enum kron_zone_rules
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The same rules, from a release of the same version.
   */
  KRON_ZONE_RULES_SAME = 0,
  /**
   * The same rules, from another release. The receipt can still hold.
   */
  KRON_ZONE_RULES_OTHER_RELEASE = 1,
  /**
   * Different rules. This database cannot prove the receipt.
   */
  KRON_ZONE_RULES_DIFFERENT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kron_zone_rules kron_zone_rules;
#else
typedef uint32_t kron_zone_rules;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A clause of a constraint that is being built: calendar parts that must all match. For one thread at a time.
 */
typedef struct kron_clause_builder kron_clause_builder;

/**
 * What went wrong: code, message, field, place and help. Functions make one where their `error` argument is not NULL.
 */
typedef struct kron_error kron_error;

/**
 * Jobs with distinct names, in order of insertion. Immutable; any number of threads may use it at once.
 */
typedef struct kron_fleet kron_fleet;

/**
 * A fleet that is being built. For one thread at a time.
 */
typedef struct kron_fleet_builder kron_fleet_builder;

/**
 * The periods of all jobs of a fleet, merged. For one thread at a time. It keeps the fleet alive.
 */
typedef struct kron_fleet_period_series kron_fleet_period_series;

/**
 * The starts of all jobs of a fleet, merged. For one thread at a time. It keeps the fleet alive.
 */
typedef struct kron_fleet_start_series kron_fleet_start_series;

/**
 * A job. Immutable; any number of threads may use it at once.
 */
typedef struct kron_job kron_job;

/**
 * A job that is being built. For one thread at a time.
 */
typedef struct kron_job_builder kron_job_builder;

/**
 * The nominal times of a schedule, one after another. For one thread at a time. It needs nothing of the schedule that it
 * was made from.
 */
typedef struct kron_nominal_series kron_nominal_series;

/**
 * The periods of a job, one after another by nominal time. For one thread at a time. It keeps the job alive.
 */
typedef struct kron_period_series kron_period_series;

/**
 * All actions and outcomes of one evaluation, in the order in which to carry them out. Immutable.
 */
typedef struct kron_plan kron_plan;

/**
 * A cron expression read in a time zone. Immutable; any number of threads may use it at once.
 */
typedef struct kron_schedule kron_schedule;

/**
 * The starts of a job, one after another by chosen time. For one thread at a time. It keeps the job alive.
 */
typedef struct kron_start_series kron_start_series;

/**
 * A string that the library made: UTF-8 without NUL inside, and a NUL at its end.
 */
typedef struct kron_string kron_string;

/**
 * A tz database: the time zones of one release. Immutable; any number of threads may use it at once. Where a function
 * takes one, NULL means the database that is compiled into the library.
 */
typedef struct kron_tzdb kron_tzdb;

/**
 * The record of one period: when it starts and what this follows from. Times are Unix seconds. It grows at its end in
 * later versions; calls take its size, KRON_DECISION_SIZE.
 */
typedef struct {
  /**
   * The instant that the schedule names.
   */
  int64_t nominal_time;
  /**
   * The first candidate of the window.
   */
  int64_t window_start;
  /**
   * The last candidate of the window.
   */
  int64_t window_end;
  /**
   * The decided start if `flags` has KRON_DECISION_CHOSEN; else 0.
   */
  int64_t chosen_time;
  /**
   * One of KRON_DECISION_CHOSEN, KRON_DECISION_NO_ALLOWED_SECOND and KRON_DECISION_DRAWS_EXHAUSTED.
   */
  uint32_t flags;
  /**
   * How many draws were made: 0 where the window has one second, 1 to 64, or 65 for the closed-up choice.
   */
  uint32_t draws;
  /**
   * Which algorithm decided: enum kron_algorithm.
   */
  uint32_t algorithm;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * The period's name: its nominal time in RFC 3339, UTC.
   */
  char period_id[KRON_PERIOD_ID_SIZE];
  /**
   * What periods that share this draw have in common: the period id, the local date or the local ISO week.
   */
  char period_key[KRON_PERIOD_KEY_SIZE];
  /**
   * The seed of the draws, 64 lower-case hex digits.
   */
  char seed_hash[KRON_SEED_HASH_SIZE];
} kron_decision;

/**
 * How a host treats a job's periods.
 */
typedef struct {
  /**
   * How long after its chosen time a period may still start, in nanoseconds from 0 on.
   */
  int64_t deadline;
  /**
   * What happens when an earlier execution is active: enum kron_concurrency.
   */
  uint32_t concurrency;
  /**
   * 1 if periods are neither started nor recorded, else 0.
   */
  uint32_t suspend;
} kron_policy;

/**
 * What kron_receipt_verify found.
 */
typedef struct {
  /**
   * How many fields of the receipt differ from what the library computes; 0 if the receipt holds.
   */
  uint64_t differences;
  /**
   * The first Unix second from 1968-12-01 on at which the receipt's rules of the time zone and those of the database give
   * different offsets, if the flag KRON_VERIFICATION_FIRST_DIFFERENCE is set, else 0.
   */
  int64_t first_difference;
  /**
   * How the rules of the time zone compare: enum kron_zone_rules.
   */
  uint32_t zone_rules;
  /**
   * KRON_VERIFICATION_FIRST_DIFFERENCE, or 0.
   */
  uint32_t flags;
} kron_verification;

/**
 * What a host remembers of a job between evaluations.
 */
typedef struct {
  /**
   * Unix second at which the job's configuration began: periods chosen up to then are not in force.
   */
  int64_t since;
  /**
   * Periods with nominal times up to this Unix second are handled, if the flag KRON_HOST_STATE_HANDLED_THROUGH is set.
   */
  int64_t handled_through;
  /**
   * Nominal times of further handled periods in Unix seconds, ascending; NULL if there are none.
   */
  const int64_t *handled;
  /**
   * How many those are.
   */
  size_t handled_length;
  /**
   * KRON_HOST_STATE_ACTIVE and KRON_HOST_STATE_HANDLED_THROUGH, or 0.
   */
  uint32_t flags;
  /**
   * 0.
   */
  uint32_t reserved;
} kron_host_state;

/**
 * What to do with one period now.
 */
typedef struct {
  /**
   * When to look again, in Unix seconds, if `kind` is KRON_ACTION_KIND_WAIT; else 0.
   */
  int64_t until;
  /**
   * What to do: enum kron_action_kind.
   */
  uint32_t kind;
  /**
   * The outcome that this gives the period: enum kron_outcome, KRON_OUTCOME_NONE if it gives none.
   */
  uint32_t outcome;
} kron_action;

/**
 * A change of offset that meets a schedule.
 */
typedef struct {
  /**
   * The Unix second at which the offset changes.
   */
  int64_t time;
  /**
   * The first civil minute of the schedule that is skipped or doubled, in seconds since 1970-01-01T00:00 on a clock
   * without zone.
   */
  int64_t civil;
  /**
   * Seconds east of UTC before the change.
   */
  int32_t offset_before;
  /**
   * Seconds east of UTC from the change on.
   */
  int32_t offset_after;
} kron_clock_change;

/**
 * The TZif data (RFC 9636) of one zone, such as the content of `/usr/share/zoneinfo/Europe/Paris`.
 */
typedef struct {
  /**
   * The zone's name, such as `Europe/Paris`; no NUL is needed at its end.
   */
  const char *name;
  /**
   * The length of the name in bytes, 1 to 64.
   */
  size_t name_length;
  /**
   * The data.
   */
  const uint8_t *data;
  /**
   * The length of the data in bytes, up to 65536.
   */
  size_t data_length;
} kron_tzif;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Decides the periods of many nominal times in Unix seconds into the first elements of an array, as many as both
 * arrays have. `decision_size` is KRON_DECISION_SIZE. The arrays must not overlap.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL, and an array if its length is 0.
 * On error: `*filled` and the array keep their values; one nominal time that cannot be decided fails all.
 */
kron_result kron_job_decide_into(const kron_job *job,
                                 const int64_t *nominals,
                                 size_t nominals_length,
                                 kron_decision *decisions,
                                 size_t decisions_length,
                                 size_t decision_size,
                                 size_t *filled,
                                 kron_error **error);

/**
 * Decides the periods with nominal times in [from, to), in order, into the first elements of an array. If all were
 * filled there may be more: go on from a second after the last nominal time. `decision_size` is KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL, and the array if its length is 0.
 * On error: `*filled` and the array keep their values.
 */
kron_result kron_job_periods_into(const kron_job *job,
                                  int64_t from,
                                  int64_t to,
                                  kron_decision *decisions,
                                  size_t decisions_length,
                                  size_t decision_size,
                                  size_t *filled,
                                  kron_error **error);

/**
 * Begins a job with its cron expression. Parts not set have their defaults, as in the text form.
 *
 * Ownership: `*out` becomes a new builder of the caller, freed with kron_job_builder_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_builder_new(const char *schedule, kron_job_builder **out, kron_error **error);

/**
 * As kron_job_builder_new, with the length of the text in bytes.
 *
 * Ownership: `*out` becomes a new builder of the caller, freed with kron_job_builder_free.
 * NULL: only `error` may be NULL, and `schedule` if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_builder_new_n(const char *schedule,
                                   size_t schedule_length,
                                   kron_job_builder **out,
                                   kron_error **error);

/**
 * Makes the job and uses up the builder, which can then only be freed.
 *
 * Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value, and the builder is as before.
 */
kron_result kron_job_builder_build(kron_job_builder *builder,
                                   const char *name,
                                   kron_job **out,
                                   kron_error **error);

/**
 * As kron_job_builder_build, with the length of the text in bytes.
 *
 * Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
 * NULL: only `error` may be NULL, and `name` if its length is 0.
 * On error: `*out` keeps its value, and the builder is as before.
 */
kron_result kron_job_builder_build_n(kron_job_builder *builder,
                                     const char *name,
                                     size_t name_length,
                                     kron_job **out,
                                     kron_error **error);

/**
 * Frees a builder.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_job_builder_free(kron_job_builder *builder);

/**
 * Spreads starts evenly over the window, which is the default.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_uniform(kron_job_builder *builder, kron_error **error);

/**
 * Makes early starts likelier, for shapes above 1; the shape is finite and above 0.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_skew_early(kron_job_builder *builder, double shape, kron_error **error);

/**
 * Makes late starts likelier, for shapes above 1; the shape is finite and above 0.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_skew_late(kron_job_builder *builder, double shape, kron_error **error);

/**
 * Spreads starts by a normal distribution that is cut to the window: its peak (enum kron_mu), and its standard deviation
 * in nanoseconds, above 0; NULL means a sixth of the window.
 *
 * Ownership: none passes; `*sigma` is only read.
 * NULL: only `sigma` and `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_normal(kron_job_builder *builder,
                                    uint32_t mu,
                                    const int64_t *sigma,
                                    kron_error **error);

/**
 * Spreads starts by an exponential distribution of rate `lambda` (finite, above 0) for each window length, densest
 * on one side (enum kron_direction).
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_exponential(kron_job_builder *builder,
                                         double lambda,
                                         uint32_t dir,
                                         kron_error **error);

/**
 * Sets the zone in which schedule and constraints are read, by its IANA name in a tz database; default `UTC`.
 *
 * Ownership: none passes; the text is only read.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_timezone(kron_job_builder *builder,
                                      const char *timezone,
                                      const kron_tzdb *tzdb,
                                      kron_error **error);

/**
 * As kron_job_builder_timezone, with the length of the text in bytes.
 *
 * Ownership: none passes; the text is only read.
 * NULL: only `error` and `tzdb` may be NULL, and `timezone` if its length is 0.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_timezone_n(kron_job_builder *builder,
                                        const char *timezone,
                                        size_t timezone_length,
                                        const kron_tzdb *tzdb,
                                        kron_error **error);

/**
 * Sets the window: its mode (enum kron_window_mode) and its length of at most 8784 hours, in nanoseconds. Default:
 * after, 0.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_window(kron_job_builder *builder,
                                    uint32_t mode,
                                    int64_t nanoseconds,
                                    kron_error **error);

/**
 * Sets how often a new start is drawn (enum kron_seed_strategy) and the salt, up to 1024 bytes; another salt gives
 * other starts. Default: stable, without salt.
 *
 * Ownership: none passes; the text is only read.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_seed(kron_job_builder *builder,
                                  uint32_t strategy,
                                  const char *salt,
                                  kron_error **error);

/**
 * As kron_job_builder_seed, with the length of the text in bytes.
 *
 * Ownership: none passes; the text is only read.
 * NULL: only `error` may be NULL, and `salt` if its length is 0.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_seed_n(kron_job_builder *builder,
                                    uint32_t strategy,
                                    const char *salt,
                                    size_t salt_length,
                                    kron_error **error);

/**
 * Adds a clause of which one must match, if there are any, and uses up its builder. A job has at most 128; more are
 * refused when it is built.
 *
 * Ownership: none passes; the used-up clause builder stays the caller's to free.
 * NULL: only `error` may be NULL.
 * On error: both builders are as before.
 */
kron_result kron_job_builder_only(kron_job_builder *builder,
                                  kron_clause_builder *clause,
                                  kron_error **error);

/**
 * Adds a clause of which none may match, and uses up its builder. A job has at most 128; more are refused when it is
 * built.
 *
 * Ownership: none passes; the used-up clause builder stays the caller's to free.
 * NULL: only `error` may be NULL.
 * On error: both builders are as before.
 */
kron_result kron_job_builder_avoid(kron_job_builder *builder,
                                   kron_clause_builder *clause,
                                   kron_error **error);

/**
 * Sets how a host treats the periods. `policy_size` is KRON_POLICY_SIZE. Default: forbid, deadline 0, not suspended.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_policy(kron_job_builder *builder,
                                    const kron_policy *policy,
                                    size_t policy_size,
                                    kron_error **error);

/**
 * Sets the algorithm (enum kron_algorithm); default `siphash-chacha8/1`.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_job_builder_algorithm(kron_job_builder *builder, uint32_t algorithm, kron_error **error);

/**
 * Begins a clause without parts.
 *
 * Ownership: `*out` becomes a new builder of the caller, freed with kron_clause_builder_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_clause_builder_new(kron_clause_builder **out, kron_error **error);

/**
 * Adds a part: `hours`, `dow`, `dom`, `months`, `between`, `date` or `dates`, with its value as in the text form.
 *
 * Ownership: none passes; the texts are only read.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_clause_builder_part(kron_clause_builder *clause,
                                     const char *name,
                                     const char *value,
                                     kron_error **error);

/**
 * As kron_clause_builder_part, with the lengths of the texts in bytes.
 *
 * Ownership: none passes; the texts are only read.
 * NULL: only `error` may be NULL, and a text if its length is 0.
 * On error: the builder is as before.
 */
kron_result kron_clause_builder_part_n(kron_clause_builder *clause,
                                       const char *name,
                                       size_t name_length,
                                       const char *value,
                                       size_t value_length,
                                       kron_error **error);

/**
 * Frees a builder.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_clause_builder_free(kron_clause_builder *clause);

/**
 * Decides the period of a nominal time in Unix seconds: any whole second of the years 1970 to 2099, on the schedule
 * or not. `decision_size` is KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*decision` keeps its value.
 */
kron_result kron_job_decide(const kron_job *job,
                            int64_t nominal,
                            kron_decision *decision,
                            size_t decision_size,
                            kron_error **error);

/**
 * The period with the smallest nominal time after a Unix second, schedulable or not. KRON_RESULT_NO_PERIOD if there
 * is none up to 2099. `decision_size` is KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*decision` keeps its value.
 */
kron_result kron_job_next_period(const kron_job *job,
                                 int64_t after,
                                 kron_decision *decision,
                                 size_t decision_size,
                                 kron_error **error);

/**
 * The period with the greatest nominal time at or before a Unix second, schedulable or not. KRON_RESULT_NO_PERIOD if
 * there is none from 1970 on. `decision_size` is KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*decision` keeps its value.
 */
kron_result kron_job_prev_period(const kron_job *job,
                                 int64_t at,
                                 kron_decision *decision,
                                 size_t decision_size,
                                 kron_error **error);

/**
 * The start with the smallest chosen time after a Unix second. KRON_RESULT_NO_START_IN_SIGHT,
 * KRON_RESULT_NO_SCHEDULABLE_PERIOD or KRON_RESULT_NO_PERIOD if the search finds none. `decision_size` is
 * KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*decision` keeps its value.
 */
kron_result kron_job_next_start(const kron_job *job,
                                int64_t after,
                                kron_decision *decision,
                                size_t decision_size,
                                kron_error **error);

/**
 * The start with the greatest chosen time at or before a Unix second. Fails as kron_job_next_start does.
 * `decision_size` is KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*decision` keeps its value.
 */
kron_result kron_job_prev_start(const kron_job *job,
                                int64_t at,
                                kron_decision *decision,
                                size_t decision_size,
                                kron_error **error);

/**
 * Reads a duration such as `1h30m` or `1.5s`, without sign, into nanoseconds.
 *
 * Ownership: none passes; the text is only read.
 * NULL: only `error` may be NULL.
 * On error: `*nanoseconds` keeps its value.
 */
kron_result kron_duration_parse(const char *text, int64_t *nanoseconds, kron_error **error);

/**
 * As kron_duration_parse, with the text's length in bytes.
 *
 * Ownership: none passes; the text is only read.
 * NULL: only `error` may be NULL, and `text` if its length is 0.
 * On error: `*nanoseconds` keeps its value.
 */
kron_result kron_duration_parse_n(const char *text,
                                  size_t text_length,
                                  int64_t *nanoseconds,
                                  kron_error **error);

/**
 * Writes nanoseconds as a duration in its canonical form, such as `1h30m0s`.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_duration_text(int64_t nanoseconds, kron_string **out, kron_error **error);

/**
 * The code of an error: what the function that made it returned.
 *
 * Ownership: none passes.
 * NULL: KRON_RESULT_OK.
 * On error: this cannot fail.
 */
kron_result kron_error_code(const kron_error *error);

/**
 * The whole message: place, offending text and help, in one lower-case sentence.
 *
 * Ownership: the string belongs to the error and lives as long.
 * NULL: the empty string.
 * On error: this cannot fail.
 */
const char *kron_error_message(const kron_error *error);

/**
 * The field by its path in the KronJob spec, such as `schedule.minute` or `window.duration`; the argument's name where an
 * argument is wrong by itself; empty if there is none.
 *
 * Ownership: the string belongs to the error and lives as long.
 * NULL: the empty string.
 * On error: this cannot fail.
 */
const char *kron_error_field(const kron_error *error);

/**
 * What to write or do instead; the message contains it too. Empty if there is no advice.
 *
 * Ownership: the string belongs to the error and lives as long.
 * NULL: the empty string.
 * On error: this cannot fail.
 */
const char *kron_error_help(const kron_error *error);

/**
 * The offending bytes of the string that was read: of the whole text for a text form, of the line for a job file, of the
 * one value for a manifest. `*end` is the first byte after them.
 *
 * Ownership: none passes.
 * NULL: no pointer may be NULL.
 * On error: outputs keep their values. KRON_RESULT_ABSENT if the error speaks of no bytes.
 */
kron_result kron_error_span(const kron_error *error,
                            size_t *start,
                            size_t *end);

/**
 * The line of a job file, from 1; 0 if the error has none.
 *
 * Ownership: none passes.
 * NULL: 0.
 * On error: this cannot fail.
 */
size_t kron_error_line(const kron_error *error);

/**
 * The document of a manifest file, from 1, if the file has several; 0 if the error has none.
 *
 * Ownership: none passes.
 * NULL: 0.
 * On error: this cannot fail.
 */
size_t kron_error_document(const kron_error *error);

/**
 * The index of the job that the error is about, in a series of a fleet.
 *
 * Ownership: none passes.
 * NULL: no pointer may be NULL.
 * On error: `*index` keeps its value. KRON_RESULT_ABSENT if the error is about no job of a fleet.
 */
kron_result kron_error_job_index(const kron_error *error, size_t *index);

/**
 * How many errors there are: those of a file of jobs are reported together, all others one by one.
 *
 * Ownership: none passes.
 * NULL: 0.
 * On error: this cannot fail.
 */
size_t kron_error_count(const kron_error *error);

/**
 * One of several errors, in the order of the file; 0 is the error itself.
 *
 * Ownership: the result belongs to `error`, lives as long and is not freed by itself.
 * NULL: the result is NULL.
 * On error: the result is NULL at and above the count.
 */
const kron_error *kron_error_at(const kron_error *error, size_t index);

/**
 * Frees an error.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_error_free(kron_error *error);

/**
 * Decides as kron_job_decide does and explains it: the decision and every step that led to it, as a JSON object on one
 * line.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_explain_json(const kron_job *job,
                                  int64_t nominal,
                                  kron_string **out,
                                  kron_error **error);

/**
 * The receipt of the decision for a nominal time, as JSON: the decision with all that is needed to make it again.
 * `kron verify` and kron_receipt_verify read it.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_receipt_json(const kron_job *job,
                                  int64_t nominal,
                                  kron_string **out,
                                  kron_error **error);

/**
 * Computes the decision of a receipt again from its text, name and nominal time, with the zones of a tz database, and says
 * what differs. `*verification` has the number of differences, 0 if the receipt holds, and how the rules of the time zone
 * compare; `verification_size` is KRON_VERIFICATION_SIZE. `*out` is a JSON array of objects with `field`, `receipt` and
 * `computed`. Another version of the database is no difference as long as the zone's rules are the same.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: outputs keep their values.
 */
kron_result kron_receipt_verify(const char *json,
                                const kron_tzdb *tzdb,
                                kron_verification *verification,
                                size_t verification_size,
                                kron_string **out,
                                kron_error **error);

/**
 * As kron_receipt_verify, with the length of the text in bytes.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` and `tzdb` may be NULL, and `json` if its length is 0.
 * On error: outputs keep their values.
 */
kron_result kron_receipt_verify_n(const char *json,
                                  size_t json_length,
                                  const kron_tzdb *tzdb,
                                  kron_verification *verification,
                                  size_t verification_size,
                                  kron_string **out,
                                  kron_error **error);

/**
 * Reads a fleet from the text of a job file, or of KronJob manifests in YAML or JSON. `ns` is the namespace of
 * manifests that name none; the empty string means `default`.
 *
 * Ownership: `*out` becomes a new fleet of the caller, freed with kron_fleet_free.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: `*out` keeps its value. The error handle holds all errors of the text.
 */
kron_result kron_fleet_load(const char *text,
                            const char *ns,
                            const kron_tzdb *tzdb,
                            kron_fleet **out,
                            kron_error **error);

/**
 * As kron_fleet_load, with the lengths of the texts in bytes.
 *
 * Ownership: `*out` becomes a new fleet of the caller, freed with kron_fleet_free.
 * NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
 * On error: `*out` keeps its value. The error handle holds all errors of the text.
 */
kron_result kron_fleet_load_n(const char *text,
                              size_t text_length,
                              const char *ns,
                              size_t ns_length,
                              const kron_tzdb *tzdb,
                              kron_fleet **out,
                              kron_error **error);

/**
 * How many jobs a fleet has.
 *
 * Ownership: none passes.
 * NULL: 0.
 * On error: this cannot fail.
 */
size_t kron_fleet_length(const kron_fleet *fleet);

/**
 * A copy of a job of a fleet, by its index from 0.
 *
 * Ownership: `*out` becomes a new job of the caller, freed with kron_job_free. It needs nothing of the fleet.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value. KRON_RESULT_INDEX for an index from the length on.
 */
kron_result kron_fleet_job(const kron_fleet *fleet, size_t index, kron_job **out, kron_error **error);

/**
 * A further field of a job's line in a job file, such as `command`. KRON_RESULT_ABSENT if the line has no such
 * field; KRON_RESULT_CONTAINS_NUL if its value holds a NUL.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_fleet_field(const kron_fleet *fleet,
                             size_t index,
                             const char *key,
                             kron_string **out,
                             kron_error **error);

/**
 * As kron_fleet_field, with the length of the text in bytes.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL, and `key` if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_fleet_field_n(const kron_fleet *fleet,
                               size_t index,
                               const char *key,
                               size_t key_length,
                               kron_string **out,
                               kron_error **error);

/**
 * Another handle of the same fleet, which costs a counter.
 *
 * Ownership: `*out` becomes a new handle of the caller, freed with kron_fleet_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_fleet_clone(const kron_fleet *fleet, kron_fleet **out, kron_error **error);

/**
 * Frees a handle of a fleet. The fleet itself lives as long as another handle or a series needs it.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_fleet_free(kron_fleet *fleet);

/**
 * What a reader of a loaded file should know, as a JSON array of objects with `severity`, `code` and `message`: namespaces
 * that were assumed and documents that are no KronJobs.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_fleet_findings_json(const kron_fleet *fleet,
                                     kron_string **out,
                                     kron_error **error);

/**
 * Begins a fleet without jobs.
 *
 * Ownership: `*out` becomes a new builder of the caller, freed with kron_fleet_builder_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_fleet_builder_new(kron_fleet_builder **out, kron_error **error);

/**
 * Adds a copy of a job; its index is the number of jobs added before.
 *
 * Ownership: none passes; the job stays the caller's.
 * NULL: only `error` may be NULL.
 * On error: the builder is as before.
 */
kron_result kron_fleet_builder_add(kron_fleet_builder *builder, const kron_job *job, kron_error **error);

/**
 * Makes the fleet and uses up the builder, which can then only be freed. KRON_RESULT_FILE_REPEATED_NAME if two jobs
 * have the same name.
 *
 * Ownership: `*out` becomes a new fleet of the caller, freed with kron_fleet_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value, and the builder is as before.
 */
kron_result kron_fleet_builder_build(kron_fleet_builder *builder,
                                     kron_fleet **out,
                                     kron_error **error);

/**
 * Frees a builder.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_fleet_builder_free(kron_fleet_builder *builder);

/**
 * The starts of all jobs with chosen times in [from, to), in Unix seconds, merged in order of chosen time, ties by
 * nominal time, then by index.
 *
 * Ownership: `*out` becomes a new series of the caller, freed with kron_fleet_start_series_free. It keeps the fleet
 * alive.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_fleet_starts(const kron_fleet *fleet,
                              int64_t from,
                              int64_t to,
                              kron_fleet_start_series **out,
                              kron_error **error);

/**
 * The periods of all jobs with nominal times in [from, to), in Unix seconds, merged in order of nominal time, ties
 * by index.
 *
 * Ownership: `*out` becomes a new series of the caller, freed with kron_fleet_period_series_free. It keeps the fleet
 * alive.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_fleet_periods(const kron_fleet *fleet,
                               int64_t from,
                               int64_t to,
                               kron_fleet_period_series **out,
                               kron_error **error);

/**
 * The next start of a fleet and the index of its job. KRON_RESULT_END after the last one. A job whose search fails
 * yields its error once and leaves the series, which goes on; kron_error_job_index tells which. `decision_size` is
 * KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: outputs keep their values.
 */
kron_result kron_fleet_start_series_next(kron_fleet_start_series *series,
                                         size_t *index,
                                         kron_decision *decision,
                                         size_t decision_size,
                                         kron_error **error);

/**
 * Frees a series.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_fleet_start_series_free(kron_fleet_start_series *series);

/**
 * The next period of a fleet and the index of its job. KRON_RESULT_END after the last one. `decision_size` is
 * KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: outputs keep their values.
 */
kron_result kron_fleet_period_series_next(kron_fleet_period_series *series,
                                          size_t *index,
                                          kron_decision *decision,
                                          size_t decision_size,
                                          kron_error **error);

/**
 * Frees a series.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_fleet_period_series_free(kron_fleet_period_series *series);

/**
 * Makes a job from its name, 1 to 1024 bytes, and its text form, such as `0 0 * * * @tz(Europe/Paris)
 * @win(after,3h)`.
 *
 * Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_parse(const char *name,
                           const char *text,
                           const kron_tzdb *tzdb,
                           kron_job **out,
                           kron_error **error);

/**
 * As kron_job_parse, with the lengths of the texts in bytes.
 *
 * Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
 * NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_parse_n(const char *name,
                             size_t name_length,
                             const char *text,
                             size_t text_length,
                             const kron_tzdb *tzdb,
                             kron_job **out,
                             kron_error **error);

/**
 * Makes a job from its name and a JSON object with the fields of a KronJob spec that decide times: schedule,
 * timezone, window, distribution, seed, constraints, policy, algorithm.
 *
 * Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_from_spec_json(const char *name,
                                    const char *json,
                                    const kron_tzdb *tzdb,
                                    kron_job **out,
                                    kron_error **error);

/**
 * As kron_job_from_spec_json, with the lengths of the texts in bytes.
 *
 * Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
 * NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_from_spec_json_n(const char *name,
                                      size_t name_length,
                                      const char *json,
                                      size_t json_length,
                                      const kron_tzdb *tzdb,
                                      kron_job **out,
                                      kron_error **error);

/**
 * Makes a job from its name and the whole `spec` of a KronJob manifest as JSON, job template included, by the
 * rules of the resource. Manifests in files are read by kron_fleet_load.
 *
 * Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_from_kronjob_spec_json(const char *name,
                                            const char *json,
                                            const kron_tzdb *tzdb,
                                            kron_job **out,
                                            kron_error **error);

/**
 * As kron_job_from_kronjob_spec_json, with the lengths of the texts in bytes.
 *
 * Ownership: `*out` becomes a new job of the caller, freed with kron_job_free.
 * NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_from_kronjob_spec_json_n(const char *name,
                                              size_t name_length,
                                              const char *json,
                                              size_t json_length,
                                              const kron_tzdb *tzdb,
                                              kron_job **out,
                                              kron_error **error);

/**
 * The name of a job.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_name(const kron_job *job, kron_string **out, kron_error **error);

/**
 * The canonical text of a job, which parses to an equal job.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_text(const kron_job *job, kron_string **out, kron_error **error);

/**
 * The spec of a job as a JSON object, with all that is not default; kron_job_from_spec_json reads it back.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_spec_json(const kron_job *job, kron_string **out, kron_error **error);

/**
 * The IANA name of a job's time zone.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_timezone(const kron_job *job, kron_string **out, kron_error **error);

/**
 * The version of the tz database that a job's time zone is from, such as `2026e`. KRON_RESULT_ABSENT if that database has
 * no version.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_tzdb_version(const kron_job *job,
                                  kron_string **out,
                                  kron_error **error);

/**
 * The fingerprint of the rules of a job's time zone, as kron_zone_fingerprint has it. Receipts hold it.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_timezone_fingerprint(const kron_job *job, kron_string **out, kron_error **error);

/**
 * Another handle of the same job, which costs a counter.
 *
 * Ownership: `*out` becomes a new handle of the caller, freed with kron_job_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_clone(const kron_job *job, kron_job **out, kron_error **error);

/**
 * Frees a handle of a job. The job itself lives as long as another handle, a series or a fleet needs it.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_job_free(kron_job *job);

/**
 * The nominal times after a Unix second, in order.
 *
 * Ownership: `*out` becomes a new series of the caller, freed with kron_nominal_series_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_schedule_series(const kron_schedule *schedule,
                                 int64_t after,
                                 kron_nominal_series **out,
                                 kron_error **error);

/**
 * The nominal times at or before a Unix second, latest first.
 *
 * Ownership: `*out` becomes a new series of the caller, freed with kron_nominal_series_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_schedule_series_back(const kron_schedule *schedule,
                                      int64_t at,
                                      kron_nominal_series **out,
                                      kron_error **error);

/**
 * The next nominal time of a series, in Unix seconds. KRON_RESULT_END after the last one.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*time` keeps its value and the series its place.
 */
kron_result kron_nominal_series_next(kron_nominal_series *series, int64_t *time, kron_error **error);

/**
 * Frees a series.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_nominal_series_free(kron_nominal_series *series);

/**
 * Plans one evaluation of a job: finds the open periods, applies policy and catch-up rule, and says when to look
 * again. `state_size` is KRON_HOST_STATE_SIZE.
 *
 * Ownership: `*out` becomes a new plan of the caller, freed with kron_plan_free. It needs nothing of the job.
 * NULL: only `error` may be NULL, and `state->handled` if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_plan(const kron_job *job,
                          const kron_host_state *state,
                          size_t state_size,
                          int64_t now,
                          kron_plan **out,
                          kron_error **error);

/**
 * Plans one evaluation for open periods that the caller knows, in any order; `active` is 1 if an execution of the
 * job is active, else 0. Of the decisions the times and the flags count; the steps return the decisions as they were
 * given. The sizes are KRON_POLICY_SIZE and KRON_DECISION_SIZE.
 *
 * Ownership: `*out` becomes a new plan of the caller, freed with kron_plan_free.
 * NULL: only `error` may be NULL, and `decisions` if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_policy_plan(const kron_policy *policy,
                             size_t policy_size,
                             const kron_decision *decisions,
                             size_t decisions_length,
                             size_t decision_size,
                             int64_t now,
                             uint32_t active,
                             kron_plan **out,
                             kron_error **error);

/**
 * How many steps a plan has.
 *
 * Ownership: none passes.
 * NULL: 0.
 * On error: this cannot fail.
 */
size_t kron_plan_length(const kron_plan *plan);

/**
 * A step of a plan: a period and what to do with it. Steps are in order of chosen time (window end if
 * unschedulable), ties by nominal time. The sizes are KRON_DECISION_SIZE and KRON_ACTION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: outputs keep their values. KRON_RESULT_INDEX for an index from the length on.
 */
kron_result kron_plan_step(const kron_plan *plan,
                           size_t index,
                           kron_decision *decision,
                           size_t decision_size,
                           kron_action *action,
                           size_t action_size,
                           kron_error **error);

/**
 * How many missed periods are older than those that the plan lists one by one.
 *
 * Ownership: none passes.
 * NULL: 0.
 * On error: this cannot fail.
 */
uint64_t kron_plan_older_missed(const kron_plan *plan);

/**
 * The Unix second at which to plan again. KRON_RESULT_ABSENT if nothing is left to wait for.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*time` keeps its value.
 */
kron_result kron_plan_wake_up(const kron_plan *plan, int64_t *time, kron_error **error);

/**
 * Frees a plan.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_plan_free(kron_plan *plan);

/**
 * The policy of a job. `out_size` is KRON_POLICY_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_policy(const kron_job *job, kron_policy *out, size_t out_size, kron_error **error);

/**
 * What to do with one period now: `handled` is 1 if the period has its outcome, `active` is 1 if an execution of the
 * job is active, else 0. Of the decision the window, the chosen time and the flags count. The sizes are
 * KRON_POLICY_SIZE, KRON_DECISION_SIZE and KRON_ACTION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*action` keeps its value.
 */
kron_result kron_policy_evaluate(const kron_policy *policy,
                                 size_t policy_size,
                                 const kron_decision *decision,
                                 size_t decision_size,
                                 int64_t now,
                                 uint32_t handled,
                                 uint32_t active,
                                 kron_action *action,
                                 size_t action_size,
                                 kron_error **error);

/**
 * Makes a schedule from a five-field cron expression or a macro such as `@daily`, and the IANA name of a zone such
 * as `UTC`.
 *
 * Ownership: `*out` becomes a new schedule of the caller, freed with kron_schedule_free.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: `*out` keeps its value.
 */
kron_result kron_schedule_parse(const char *cron,
                                const char *timezone,
                                const kron_tzdb *tzdb,
                                kron_schedule **out,
                                kron_error **error);

/**
 * As kron_schedule_parse, with the lengths of the texts in bytes.
 *
 * Ownership: `*out` becomes a new schedule of the caller, freed with kron_schedule_free.
 * NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_schedule_parse_n(const char *cron,
                                  size_t cron_length,
                                  const char *timezone,
                                  size_t timezone_length,
                                  const kron_tzdb *tzdb,
                                  kron_schedule **out,
                                  kron_error **error);

/**
 * The smallest nominal time after a Unix second. KRON_RESULT_END if there is none up to 2099.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*time` keeps its value.
 */
kron_result kron_schedule_next(const kron_schedule *schedule,
                               int64_t after,
                               int64_t *time,
                               kron_error **error);

/**
 * The greatest nominal time at or before a Unix second. KRON_RESULT_END if there is none from 1970 on.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*time` keeps its value.
 */
kron_result kron_schedule_prev(const kron_schedule *schedule, int64_t at, int64_t *time, kron_error **error);

/**
 * The next change of offset after a Unix second that skips a civil time of the schedule, which yields no nominal
 * time. KRON_RESULT_END if there is none up to 2099. `out_size` is KRON_CLOCK_CHANGE_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_schedule_next_skipped(const kron_schedule *schedule,
                                       int64_t after,
                                       kron_clock_change *out,
                                       size_t out_size,
                                       kron_error **error);

/**
 * The next change of offset after a Unix second that doubles a civil time of the schedule, which yields two nominal
 * times. KRON_RESULT_END if there is none up to 2099. `out_size` is KRON_CLOCK_CHANGE_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_schedule_next_doubled(const kron_schedule *schedule,
                                       int64_t after,
                                       kron_clock_change *out,
                                       size_t out_size,
                                       kron_error **error);

/**
 * The canonical text of the cron expression, five fields.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_schedule_text(const kron_schedule *schedule, kron_string **out, kron_error **error);

/**
 * The IANA name of the zone.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_schedule_timezone(const kron_schedule *schedule, kron_string **out, kron_error **error);

/**
 * Another handle of the same schedule, which costs a counter.
 *
 * Ownership: `*out` becomes a new handle of the caller, freed with kron_schedule_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_schedule_clone(const kron_schedule *schedule, kron_schedule **out, kron_error **error);

/**
 * Frees a schedule.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_schedule_free(kron_schedule *schedule);

/**
 * The periods with nominal times in [from, to), in Unix seconds, in order of nominal time.
 *
 * Ownership: `*out` becomes a new series of the caller, freed with kron_period_series_free. It keeps the job alive.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_periods(const kron_job *job,
                             int64_t from,
                             int64_t to,
                             kron_period_series **out,
                             kron_error **error);

/**
 * The periods with nominal times in [from, to), in Unix seconds, latest first.
 *
 * Ownership: `*out` becomes a new series of the caller, freed with kron_period_series_free. It keeps the job alive.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_periods_back(const kron_job *job,
                                  int64_t from,
                                  int64_t to,
                                  kron_period_series **out,
                                  kron_error **error);

/**
 * The starts with chosen times in [from, to), in Unix seconds, in order of chosen time, ties by nominal time.
 *
 * Ownership: `*out` becomes a new series of the caller, freed with kron_start_series_free. It keeps the job alive.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_starts(const kron_job *job,
                            int64_t from,
                            int64_t to,
                            kron_start_series **out,
                            kron_error **error);

/**
 * The starts with chosen times in [from, to), in Unix seconds, latest first.
 *
 * Ownership: `*out` becomes a new series of the caller, freed with kron_start_series_free. It keeps the job alive.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_job_starts_back(const kron_job *job,
                                 int64_t from,
                                 int64_t to,
                                 kron_start_series **out,
                                 kron_error **error);

/**
 * The next period of a series. KRON_RESULT_END after the last one. `decision_size` is KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*decision` keeps its value.
 */
kron_result kron_period_series_next(kron_period_series *series,
                                    kron_decision *decision,
                                    size_t decision_size,
                                    kron_error **error);

/**
 * Frees a series.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_period_series_free(kron_period_series *series);

/**
 * The next start of a series. KRON_RESULT_END after the last one; the errors are those of kron_job_next_start, and
 * end the series. `decision_size` is KRON_DECISION_SIZE.
 *
 * Ownership: none passes.
 * NULL: only `error` may be NULL.
 * On error: `*decision` keeps its value.
 */
kron_result kron_start_series_next(kron_start_series *series,
                                   kron_decision *decision,
                                   size_t decision_size,
                                   kron_error **error);

/**
 * Frees a series.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_start_series_free(kron_start_series *series);

/**
 * The bytes of a string, with a NUL at the end.
 *
 * Ownership: the bytes belong to the string and live as long.
 * NULL: the empty string.
 * On error: this cannot fail.
 */
const char *kron_string_data(const kron_string *string);

/**
 * The length of a string in bytes, without the NUL.
 *
 * Ownership: none passes.
 * NULL: 0.
 * On error: this cannot fail.
 */
size_t kron_string_length(const kron_string *string);

/**
 * Frees a string.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_string_free(kron_string *string);

/**
 * Reads a tz database from a directory of TZif files, such as `/usr/share/zoneinfo`. Zones have the names of their
 * paths in it. The version is the content of the file `+VERSION`, or is read from the first line of `tzdata.zi`.
 * KRON_RESULT_IO if a file or directory cannot be read, KRON_RESULT_TZ_DATA if there is no zone or if a file is damaged.
 *
 * Ownership: `*out` becomes a new database of the caller, freed with kron_tzdb_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_tzdb_read_dir(const char *path,
                               kron_tzdb **out,
                               kron_error **error);

/**
 * As kron_tzdb_read_dir, with the length of the text in bytes.
 *
 * Ownership: `*out` becomes a new database of the caller, freed with kron_tzdb_free.
 * NULL: only `error` may be NULL, and `path` if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_tzdb_read_dir_n(const char *path, size_t path_length, kron_tzdb **out, kron_error **error);

/**
 * Makes a tz database from the TZif data of its zones, at most 4096. `version` is up to 64 printable ASCII characters,
 * by convention those of the IANA release, such as `2026e`. `zone_size` is KRON_TZIF_SIZE. KRON_RESULT_TZ_DATA, with the
 * zone in the error's field, if the data is damaged, counts leap seconds or has an offset of 24 hours or more, if a name
 * is repeated or is no IANA name, or if `UTC` is not at offset 0.
 *
 * Ownership: `*out` becomes a new database of the caller, freed with kron_tzdb_free. It keeps nothing of the zones.
 * NULL: only `error` and `version` may be NULL, and `zones` if its length is 0; a NULL `version` is an unknown one.
 * On error: `*out` keeps its value.
 */
kron_result kron_tzdb_from_tzif(const char *version,
                                const kron_tzif *zones,
                                size_t zones_length,
                                size_t zone_size,
                                kron_tzdb **out,
                                kron_error **error);

/**
 * As kron_tzdb_from_tzif, with the length of the version in bytes.
 *
 * Ownership: `*out` becomes a new database of the caller, freed with kron_tzdb_free. It keeps nothing of the zones.
 * NULL: only `error` and `version` may be NULL, and `zones` if its length is 0; a NULL `version` is an unknown one.
 * On error: `*out` keeps its value.
 */
kron_result kron_tzdb_from_tzif_n(const char *version,
                                  size_t version_length,
                                  const kron_tzif *zones,
                                  size_t zones_length,
                                  size_t zone_size,
                                  kron_tzdb **out,
                                  kron_error **error);

/**
 * The version of a tz database, such as `2026e`. The same start times need the same rules of a zone.
 *
 * Ownership: the string belongs to the database and lives as long; that of the compiled-in database is static.
 * NULL: the version of the compiled-in database.
 * On error: this cannot fail. The result is NULL if the database has no version.
 */
const char *kron_tzdb_version(const kron_tzdb *tzdb);

/**
 * How many zones a tz database has.
 *
 * Ownership: none passes.
 * NULL: the number of zones of the compiled-in database.
 * On error: this cannot fail.
 */
size_t kron_tzdb_length(const kron_tzdb *tzdb);

/**
 * The name of a zone of a tz database, by its index from 0; names are sorted.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: `*out` keeps its value. KRON_RESULT_INDEX for an index from the length on.
 */
kron_result kron_tzdb_zone(const kron_tzdb *tzdb, size_t index, kron_string **out, kron_error **error);

/**
 * Another handle of the same tz database, which costs a counter.
 *
 * Ownership: `*out` becomes a new handle of the caller, freed with kron_tzdb_free.
 * NULL: only `error` may be NULL.
 * On error: `*out` keeps its value.
 */
kron_result kron_tzdb_clone(const kron_tzdb *tzdb, kron_tzdb **out, kron_error **error);

/**
 * Frees a handle of a tz database. Jobs, schedules and fleets that were read with it keep the zones that they use.
 *
 * Ownership: takes the handle.
 * NULL: nothing happens.
 * On error: this cannot fail.
 */
void kron_tzdb_free(kron_tzdb *tzdb);

/**
 * The version of the library that runs, such as `0.1.0`. The macro KRON_VERSION is that of the header.
 *
 * Ownership: the string is static.
 * NULL: there is no pointer to pass.
 * On error: this cannot fail.
 */
const char *kron_version(void);

/**
 * The name of an algorithm (enum kron_algorithm), such as `siphash-chacha8/1`.
 *
 * Ownership: the string is static.
 * NULL: only `error` may be NULL.
 * On error: `*name` keeps its value.
 */
kron_result kron_algorithm_name(uint32_t algorithm, const char **name, kron_error **error);

/**
 * The offset of a zone in seconds east of UTC at a Unix second: exact from 1968-12-01 to 2101-02-01, else the nearest
 * known offset.
 *
 * Ownership: none passes; the text is only read.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: `*offset` keeps its value.
 */
kron_result kron_zone_offset_at(const char *timezone,
                                const kron_tzdb *tzdb,
                                int64_t at,
                                int32_t *offset,
                                kron_error **error);

/**
 * As kron_zone_offset_at, with the length of the text in bytes.
 *
 * Ownership: none passes; the text is only read.
 * NULL: only `error` and `tzdb` may be NULL, and `timezone` if its length is 0.
 * On error: `*offset` keeps its value.
 */
kron_result kron_zone_offset_at_n(const char *timezone,
                                  size_t timezone_length,
                                  const kron_tzdb *tzdb,
                                  int64_t at,
                                  int32_t *offset,
                                  kron_error **error);

/**
 * The fingerprint of a zone's rules, a SHA-256 in 64 hex digits. Zones with the same fingerprint have the same offsets
 * from 1968-12-01 to 2101-02-01, whatever their names and the versions of their databases.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
 * On error: `*out` keeps its value.
 */
kron_result kron_zone_fingerprint(const char *timezone,
                                  const kron_tzdb *tzdb,
                                  kron_string **out,
                                  kron_error **error);

/**
 * As kron_zone_fingerprint, with the length of the text in bytes.
 *
 * Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
 * NULL: only `error` and `tzdb` may be NULL, and `timezone` if its length is 0.
 * On error: `*out` keeps its value.
 */
kron_result kron_zone_fingerprint_n(const char *timezone,
                                    size_t timezone_length,
                                    const kron_tzdb *tzdb,
                                    kron_string **out,
                                    kron_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KRON_H */
