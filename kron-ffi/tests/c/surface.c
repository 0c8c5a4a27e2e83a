/* Every function used as it is meant, with answers that docs/reference/spec.md and README.md give: versions, schedules, errors, jobs,
 * builders. The rest is in many.c and tzdb.c. */
#include "test.h"

static kron_error *error = NULL;

static void versions(void) {
    CHECK(strcmp(kron_version(), KRON_VERSION) == 0);
    CHECK(kron_version_number() == KRON_VERSION_NUMBER && KRON_VERSION_NUMBER >= 100);
    CHECK(strcmp(kron_result_name(KRON_OK), "ok") == 0 && strcmp(kron_result_name(KRON_ERROR_IO), "io") == 0);
    CHECK(strcmp(kron_result_name(KRON_ERROR_CRON_OUT_OF_RANGE), "cron-out-of-range") == 0);
    CHECK(strcmp(kron_result_name(98), "unknown") == 0);
    const char *name = NULL;
    OK(kron_algorithm_name(KRON_ALGORITHM_SIPHASH_CHACHA8, &name, &error));
    CHECK(strcmp(name, "siphash-chacha8/1") == 0);
    OK(kron_algorithm_name(KRON_ALGORITHM_SHA256_SPLITMIX64, &name, &error));
    CHECK(strcmp(name, "sha256-splitmix64/1") == 0);
}

static void durations(void) {
    int64_t nanoseconds = 0;
    kron_string *text = NULL;
    OK(kron_duration_parse("1.5h", &nanoseconds, &error));
    CHECK(nanoseconds == INT64_C(5400000000000));
    OK(kron_duration_parse_n("90sXX", 3, &nanoseconds, &error));
    OK(kron_duration_text(nanoseconds, &text, &error));
    CHECK_STRING(text, "1m30s");
    EXPECT(KRON_ERROR_OUT_OF_BOUNDS, kron_duration_text(-1, &text, &error));
}

static void schedules(void) {
    kron_schedule *schedule = NULL, *other = NULL;
    kron_nominal_series *series = NULL;
    kron_string *text = NULL;
    kron_clock_change change;
    int64_t time = 0;
    OK(kron_schedule_parse("30 2 * * SUN-SAT", "Europe/Paris", NULL, &schedule, &error));
    OK(kron_schedule_text(schedule, &text, &error));
    CHECK_STRING(text, "30 2 * * 0-6");
    OK(kron_schedule_timezone(schedule, &text, &error));
    CHECK_STRING(text, "Europe/Paris");
    OK(kron_schedule_next(schedule, MARCH, &time, &error));
    CHECK(time == MARCH + 90 * 60);
    OK(kron_schedule_prev(schedule, time, &time, &error));
    CHECK(time == MARCH + 90 * 60);
    EXPECT(KRON_END, kron_schedule_next(schedule, INT64_MAX, &time, &error));
    EXPECT(KRON_END, kron_schedule_prev(schedule, -1, &time, &error));
    CHECK(time == MARCH + 90 * 60);
    /* 2026-03-29 has no 02:30 and 2026-10-25 has two. */
    OK(kron_schedule_next_skipped(schedule, MARCH, &change, KRON_CLOCK_CHANGE_SIZE, &error));
    CHECK(change.time == INT64_C(1774746000) && change.offset_before == 3600 && change.offset_after == 7200);
    CHECK(change.civil == INT64_C(1774751400));
    OK(kron_schedule_next_doubled(schedule, MARCH, &change, KRON_CLOCK_CHANGE_SIZE, &error));
    CHECK(change.time == INT64_C(1792890000) && change.offset_before == 7200 && change.offset_after == 3600);
    OK(kron_schedule_clone(schedule, &other, &error));
    kron_schedule_free(schedule);
    OK(kron_schedule_series(other, MARCH, &series, &error));
    OK(kron_nominal_series_next(series, &time, &error));
    CHECK(time == MARCH + 90 * 60);
    OK(kron_nominal_series_next(series, &time, &error));
    CHECK(time == MARCH + 90 * 60 + 86400);
    kron_nominal_series_free(series);
    OK(kron_schedule_series_back(other, MARCH, &series, &error));
    kron_schedule_free(other);
    OK(kron_nominal_series_next(series, &time, &error));
    CHECK(time == MARCH + 90 * 60 - 86400);
    kron_nominal_series_free(series);
    OK(kron_schedule_parse_n("@daily!", 6, "UTC!", 3, NULL, &schedule, &error));
    OK(kron_schedule_series(schedule, INT64_C(4102444799), &series, &error));
    EXPECT(KRON_END, kron_nominal_series_next(series, &time, &error));
    EXPECT(KRON_END, kron_nominal_series_next(series, &time, &error));
    EXPECT(KRON_END, kron_schedule_next_skipped(schedule, 0, &change, KRON_CLOCK_CHANGE_SIZE, &error));
    kron_nominal_series_free(series);
    kron_schedule_free(schedule);
}

static const char *expression(const kron_primed *primed, size_t index) {
    const char *text = "";
    OK(kron_primed_text(primed, index, &text, &error));
    return text;
}

static void primed_schedules(void) {
    const int64_t minute = INT64_C(60000000000);
    kron_schedule *schedule = NULL;
    kron_job *job = NULL;
    kron_primed *primed = NULL;
    kron_string *changes = NULL;
    const char *text = "as before";
    OK(kron_schedule_parse("0/15 0 * * MON-FRI", "Europe/Paris", NULL, &schedule, &error));
    OK(kron_schedule_prime(schedule, 10 * minute, &primed, &error));
    kron_schedule_free(schedule);
    CHECK(kron_primed_length(primed) == 2 && kron_primed_minimal(primed) == 1 && kron_primed_surplus(primed) == 0);
    CHECK(strcmp(expression(primed, 0), "50 23 * * 0-4") == 0);
    CHECK(strcmp(expression(primed, 1), "20,35,5 0 * * 1-5") == 0);
    EXPECT(KRON_ERROR_INDEX, kron_primed_text(primed, 2, &text, &error));
    CHECK(strcmp(text, "as before") == 0);
    kron_primed_free(primed);
    primed = NULL;
    /* 10 minutes before 1 March it is 28 or 29 February. */
    OK(kron_schedule_parse("0 0 1 3 *", "UTC", NULL, &schedule, &error));
    EXPECT(KRON_ERROR_PRIME_IMPOSSIBLE, kron_schedule_prime(schedule, 10 * minute, &primed, &error));
    CHECK(primed == NULL);
    OK(kron_schedule_prime_cover(schedule, 10 * minute, &primed, &error));
    CHECK(kron_primed_length(primed) == 1 && kron_primed_surplus(primed) == 32);
    kron_primed_free(primed);
    EXPECT(KRON_ERROR_OUT_OF_BOUNDS, kron_schedule_prime(schedule, minute / 2, &primed, &error));
    EXPECT(KRON_ERROR_OUT_OF_BOUNDS, kron_schedule_prime(schedule, -minute, &primed, &error));
    EXPECT(KRON_ERROR_OUT_OF_BOUNDS, kron_schedule_prime_cover(schedule, 44641 * minute, &primed, &error));
    OK(kron_schedule_lead_changes_json(schedule, 10 * minute, MARCH, MARCH + 94608000, &changes, &error));
    CHECK_STRING(changes, "[]");
    kron_schedule_free(schedule);
    OK(kron_schedule_parse("0 3 * * *", "Europe/Paris", NULL, &schedule, &error));
    OK(kron_schedule_lead_changes_json(schedule, 10 * minute, MARCH, MARCH + 15768000, &changes, &error));
    CHECK_STRING(changes,
        "[{\"kind\":\"skipped\",\"leadSeconds\":null,"
        "\"message\":\"2026-03-29T02:50 is skipped: nothing fires before the start at 2026-03-29T03:00\","
        "\"primed\":\"2026-03-29T02:50\",\"start\":\"2026-03-29T03:00\",\"time\":1774746000}]");
    kron_schedule_free(schedule);
    OK(kron_job_parse("a/b", "0 9 * * MON-FRI @tz(Europe/Paris)", NULL, &job, &error));
    OK(kron_job_prime(job, 10 * minute, &primed, &error));
    CHECK(kron_primed_length(primed) == 1 && strcmp(expression(primed, 0), "50 8 * * 1-5") == 0);
    kron_primed_free(primed);
    OK(kron_job_prime_cover(job, 10 * minute, &primed, &error));
    CHECK(kron_primed_surplus(primed) == 0);
    kron_primed_free(primed);
    kron_job_free(job);
    OK(kron_job_parse("a/b", "@daily @win(after,1h)", NULL, &job, &error));
    EXPECT(KRON_ERROR_PRIME_NOT_ON_TIME, kron_job_prime(job, 10 * minute, &primed, &error));
    EXPECT(KRON_ERROR_PRIME_NOT_ON_TIME, kron_job_prime_cover(job, 10 * minute, &primed, &error));
    kron_job_free(job);
}

static void placed(void) {
    kron_job *job = NULL;
    kron_string *text = NULL;
    int64_t shift = 0;
    size_t candidates = 0;
    OK(kron_job_parse("ops/backup", "0 0 * * * @win(after,2h)", NULL, &job, &error));
    OK(kron_job_placed(job, &text, &shift, &candidates, &error));
    CHECK(shift == 51 && candidates == 121);
    CHECK_STRING(text, "51 0 * * *");
    kron_job_free(job);
    text = NULL;
    OK(kron_job_parse("ops/backup", "@daily @days(last=1)", NULL, &job, &error));
    EXPECT(KRON_ERROR_PLACE_REFUSED, kron_job_placed(job, &text, &shift, &candidates, &error));
    kron_job_free(job);
    OK(kron_job_parse("ops/backup", "0 9 * * * @win(after,1h) @only(hours=3)", NULL, &job, &error));
    EXPECT(KRON_ERROR_PLACE_NOWHERE, kron_job_placed(job, &text, &shift, &candidates, &error));
    CHECK(text == NULL && shift == 51 && candidates == 121);
    kron_job_free(job);
}

static void calendars(void) {
    const char *file = "holidays = 2026-03-02\nb-days = 2026-03-03..2026-03-04, 2026-03-05\n!";
    kron_calendars *found = NULL, *none = NULL;
    kron_parser *parser = NULL, *plain = NULL;
    kron_job *job = NULL, *built = NULL;
    kron_job_builder *builder = NULL;
    kron_clause_builder *clause = NULL;
    kron_string *text = NULL, *other = NULL, *receipt = NULL;
    kron_verification verification;
    kron_decision start;
    OK(kron_calendars_parse_n(file, strlen(file) - 1, &found, &error));
    CHECK(kron_calendars_length(found) == 2);
    OK(kron_calendars_line(found, 0, &text, &error));
    CHECK_STRING(text, "b-days = 2026-03-03..2026-03-05");
    EXPECT(KRON_ERROR_INDEX, kron_calendars_line(found, 2, &text, &error));
    OK(kron_calendars_content_hash(found, "holidays", &text, &error));
    OK(kron_calendars_content_hash_n(found, "holidays!", 8, &other, &error));
    CHECK(kron_string_length(text) == 64 && strcmp(kron_string_data(text), kron_string_data(other)) == 0);
    kron_string_free(other);
    EXPECT(KRON_ABSENT, kron_calendars_content_hash(found, "holiday", &other, &error));
    EXPECT(KRON_ERROR_CALENDAR_SYNTAX, kron_calendars_parse("holidays = \nx", &none, &error));
    CHECK(kron_error_count(error) == 2 && kron_error_line(error) == 1 && none == NULL);

    OK(kron_parser_new(NULL, found, &parser, &error));
    OK(kron_job_parse("a/b", "@daily @win(after,1h) @avoid(calendar=holidays)", parser, &job, &error));
    EXPECT(KRON_ERROR_CALENDAR_UNKNOWN, kron_job_parse("a/b", "@daily @avoid(calendar=other)", parser, &built, &error));
    OK(kron_job_next_start(job, MARCH + 43200, &start, KRON_DECISION_SIZE, &error));
    CHECK(start.nominal_time == MARCH + 2 * 86400);
    OK(kron_job_receipt_json(job, MARCH + 2 * 86400, &receipt, &error));
    CHECK(strstr(kron_string_data(receipt), kron_string_data(text)) != NULL);
    kron_string_free(text);
    OK(kron_receipt_verify(kron_string_data(receipt), parser, &verification, KRON_VERIFICATION_SIZE, &text, &error));
    CHECK(verification.differences == 0);
    kron_string_free(text);
    EXPECT(KRON_ERROR_CALENDAR_UNKNOWN,
           kron_receipt_verify(kron_string_data(receipt), NULL, &verification, KRON_VERIFICATION_SIZE, &text, &error));
    OK(kron_calendars_parse("holidays = 2026-03-09", &none, &error));
    OK(kron_parser_new(NULL, none, &plain, &error));
    OK(kron_receipt_verify(kron_string_data(receipt), plain, &verification, KRON_VERIFICATION_SIZE, &text, &error));
    CHECK(verification.differences == 1 && strstr(kron_string_data(text), "\"calendars.holidays\"") != NULL);
    kron_string_free(text);
    kron_string_free(receipt);
    kron_parser_free(plain);
    kron_calendars_free(none);

    /* A part of a clause. */
    OK(kron_clause_builder_new(&clause, &error));
    EXPECT(KRON_ERROR_CALENDAR_UNKNOWN, kron_clause_builder_part(clause, "calendar", "holidays", &error));
    EXPECT(KRON_ABSENT, kron_clause_builder_calendar(clause, found, "holiday", &error));
    OK(kron_clause_builder_calendar_n(clause, found, "holidays!", 8, &error));
    EXPECT(KRON_ERROR_TEXT_REPEATED, kron_clause_builder_calendar(clause, found, "holidays", &error));
    OK(kron_job_builder_new("@daily", &builder, &error));
    OK(kron_job_builder_window_ns(builder, KRON_WINDOW_AFTER, INT64_C(3600000000000), &error));
    OK(kron_job_builder_avoid(builder, clause, &error));
    EXPECT(KRON_ERROR_ALREADY_USED, kron_clause_builder_calendar(clause, found, "holidays", &error));
    OK(kron_job_builder_build(builder, "a/b", &built, &error));
    kron_calendars_free(found);
    kron_parser_free(parser);
    OK(kron_job_text(built, &text, &error));
    OK(kron_job_text(job, &other, &error));
    CHECK(strcmp(kron_string_data(text), kron_string_data(other)) == 0);
    kron_string_free(other);
    kron_string_free(text);
    kron_clause_builder_free(clause);
    kron_job_builder_free(builder);
    kron_job_free(built);
    kron_job_free(job);
}

static void errors(void) {
    kron_job *job = NULL;
    size_t start = 7, end = 7, index = 7;
    EXPECT(KRON_ERROR_CRON_BACKWARDS, kron_job_parse("a/b", "0 9 * * FRI-SUN", NULL, &job, &error));
    CHECK(job == NULL);
    CHECK(kron_error_code(error) == KRON_ERROR_CRON_BACKWARDS);
    CHECK(strcmp(kron_error_message(error),
                 "schedule.dayOfWeek: range `FRI-SUN` at column 9 runs backwards; write `FRI-7`") == 0);
    CHECK(strcmp(kron_error_field(error), "schedule.dayOfWeek") == 0);
    CHECK(strcmp(kron_error_help(error), "write `FRI-7`") == 0);
    EXPECT(KRON_OK, kron_error_span(error, &start, &end));
    CHECK(start == 8 && end == 15);
    CHECK(kron_error_line(error) == 0 && kron_error_document(error) == 0);
    CHECK(kron_error_count(error) == 1 && kron_error_at(error, 0) == error && kron_error_at(error, 1) == NULL);
    CHECK(kron_error_job_index(error, &index) == KRON_ABSENT && index == 7);
    /* Another failure takes the place of the first. */
    EXPECT(KRON_ERROR_INVALID_UTF8, kron_job_parse_n("a/\xff", 3, "@daily", 6, NULL, &job, &error));
    CHECK(strcmp(kron_error_message(error), "name: the string is not valid UTF-8 at byte 2") == 0);
    CHECK(kron_error_span(error, &start, &end) == KRON_OK && start == 2 && end == 3);
    EXPECT(KRON_ERROR_STRUCT_SIZE, kron_job_policy(NULL, NULL, 0, NULL) == KRON_ERROR_NULL_POINTER
               ? KRON_ERROR_STRUCT_SIZE : KRON_OK);
    EXPECT(KRON_ERROR_CALENDAR_UNKNOWN, kron_job_parse("a/b", "@daily @avoid(calendar=x)", NULL, &job, &error));
    EXPECT(KRON_ERROR_NULL_POINTER, kron_job_parse("a/b", NULL, NULL, &job, &error));
    CHECK(strcmp(kron_error_field(error), "text") == 0);
    CHECK(kron_error_span(error, &start, &end) == KRON_ABSENT && start == 2);
    kron_error_free(error);
    error = NULL;
}

static void jobs(void) {
    kron_job *job = NULL, *other = NULL;
    kron_string *text = NULL;
    OK(kron_job_parse("prod/db-backup", "@daily @tz(Europe/Paris) @win(after,3h)", NULL, &job, &error));
    CHECK(strcmp(kron_job_name(job), "prod/db-backup") == 0);
    OK(kron_job_text(job, &text, &error));
    CHECK_STRING(text, "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)");
    OK(kron_job_spec_json(job, &text, &error));
    OK(kron_job_from_spec_json("prod/db-backup", kron_string_data(text), NULL, &other, &error));
    CHECK_STRING(text, "{\"schedule\":\"0 0 * * *\",\"timezone\":\"Europe/Paris\","
                       "\"window\":{\"mode\":\"after\",\"duration\":\"3h0m0s\"}}");
    kron_job_free(other);
    kron_decision decision, same;
    OK(kron_job_next_start(job, MARCH, &decision, KRON_DECISION_SIZE, &error));
    CHECK(decision.chosen_time == MARCH + 86400 + 563 && decision.nominal_time == MARCH + 23 * 3600);
    CHECK(strcmp(decision.period_id, "2026-03-01T23:00:00Z") == 0 && decision.flags == KRON_DECISION_CHOSEN);
    OK(kron_job_prev_start(job, decision.chosen_time, &same, KRON_DECISION_SIZE, &error));
    CHECK(memcmp(&same, &decision, sizeof same) == 0);
    OK(kron_job_next_period(job, MARCH, &same, KRON_DECISION_SIZE, &error));
    CHECK(memcmp(&same, &decision, sizeof same) == 0);
    OK(kron_job_prev_period(job, MARCH + 23 * 3600, &same, KRON_DECISION_SIZE, &error));
    CHECK(memcmp(&same, &decision, sizeof same) == 0);
    OK(kron_job_decide(job, MARCH + 23 * 3600, &same, KRON_DECISION_SIZE, &error));
    CHECK(memcmp(&same, &decision, sizeof same) == 0);
    EXPECT(KRON_ERROR_NO_PERIOD, kron_job_next_period(job, INT64_MAX, &same, KRON_DECISION_SIZE, &error));
    EXPECT(KRON_ERROR_NOMINAL_TIME, kron_job_decide(job, -1, &same, KRON_DECISION_SIZE, &error));
    /* The window of 23:00 is open until 02:00. */
    OK(kron_job_current_period(job, MARCH + 86400 + 7200, &same, KRON_DECISION_SIZE, &error));
    CHECK(memcmp(&same, &decision, sizeof same) == 0);
    EXPECT(KRON_ABSENT, kron_job_current_period(job, MARCH + 86400 + 7201, &same, KRON_DECISION_SIZE, &error));
    OK(kron_job_clone(job, &other, &error));
    CHECK(kron_job_equal(job, other) == 1);
    kron_job_free(job);
    CHECK(strcmp(kron_job_name(other), "prod/db-backup") == 0);
    OK(kron_job_cron(other, &text, &error));
    CHECK_STRING(text, "0 0 * * *");
    uint32_t mode = 9;
    int64_t duration_ns = 9;
    OK(kron_job_window(other, &mode, &duration_ns, &error));
    CHECK(mode == KRON_WINDOW_AFTER && duration_ns == 3 * KRON_HOUR);
    OK(kron_job_with_name(other, "b", &job, &error));
    CHECK(strcmp(kron_job_name(job), "b") == 0 && kron_job_equal(job, other) == 0);
    kron_job_free(job);
    OK(kron_job_with_name_n(other, "prod/db-backup!", 14, &job, &error));
    CHECK(kron_job_equal(job, other) == 1);
    EXPECT(KRON_ERROR_NAME, kron_job_with_name(other, "", &job, &error));
    kron_job_free(job);
    kron_job_free(other);

    /* Fact 4 of the specification: nothing is allowed. */
    OK(kron_job_parse_n("a/b!", 3, "0 0 * * * @win(after,1h) @only(dow=TUE)!", 39, NULL, &job, &error));
    OK(kron_job_decide(job, INT64_C(1780272000), &decision, KRON_DECISION_SIZE, &error));
    CHECK(decision.flags == KRON_DECISION_NO_ALLOWED_SECOND && decision.draws == 64 && decision.chosen_time == 0);
    kron_job_free(job);

    /* A KronJob's own rules: the job template is required, the mode `before` refused. */
    const char *spec = "{\"schedule\": \"@daily\", \"window\": {\"mode\": \"after\", \"duration\": \"3h\"}, \"jobTemplate\": "
                       "{\"spec\": {\"template\": {\"spec\": {\"restartPolicy\": \"Never\", \"containers\": "
                       "[{\"name\": \"c\", \"image\": \"i\"}]}}}}}";
    OK(kron_job_from_kronjob_spec_json("a/b", spec, NULL, &job, &error));
    OK(kron_job_from_kronjob_spec_json_n("a/b", 3, spec, strlen(spec), NULL, &other, &error));
    kron_job_free(job);
    kron_job_free(other);
    EXPECT(KRON_ERROR_MANIFEST_MISSING_FIELD,
           kron_job_from_kronjob_spec_json("a/b", "{\"schedule\": \"@daily\"}", NULL, &job, &error));
    EXPECT(KRON_ERROR_MANIFEST_UNKNOWN_FIELD, kron_job_from_spec_json("a/b", spec, NULL, &job, &error));
    EXPECT(KRON_ERROR_DURATION,
           kron_job_from_spec_json("a/b", "{\"schedule\": \"@daily\", \"window\": {\"duration\": \"3\"}}", NULL, &job,
                                   &error));
    CHECK(strcmp(kron_error_field(error), "window.duration") == 0);
    OK(kron_job_from_spec_json_n("a/b", 3, "{\"schedule\": \"@daily\"}!", 22, NULL, &job, &error));
    kron_job_free(job);
}

/* A job that was built is the job that was written. */
static void same_as(kron_job_builder *builder, const char *text) {
    kron_job *built = NULL;
    kron_string *found = NULL;
    OK(kron_job_builder_build(builder, "a/b", &built, &error));
    OK(kron_job_text(built, &found, &error));
    CHECK_STRING(found, text);
    kron_job_free(built);
    /* A copy makes the same job, and its changes are its own. */
    kron_job_builder *copy = NULL;
    OK(kron_job_builder_clone(builder, &copy, &error));
    OK(kron_job_builder_policy(copy, &(kron_policy)KRON_POLICY_INIT, KRON_POLICY_SIZE, &error));
    OK(kron_job_builder_constraints(copy, "@avoid(months=1)", NULL, &error));
    OK(kron_job_builder_days(copy, "@days(last=1)", NULL, &error));
    OK(kron_job_builder_days_n(copy, "@days(last=1) @nodays(months=12)!", 32, NULL, &error));
    kron_job *on_days = NULL;
    OK(kron_job_builder_build(copy, "a/b", &on_days, &error));
    OK(kron_job_text(on_days, &found, &error));
    CHECK(strstr(kron_string_data(found), " @days(last=1) @nodays(months=12)") != NULL);
    kron_string_free(found);
    kron_job_free(on_days);
    kron_job_builder_free(copy);
    OK(kron_job_builder_build(builder, "a/b", &built, &error));
    OK(kron_job_text(built, &found, &error));
    CHECK_STRING(found, text);
    kron_job_free(built);
    kron_job_builder_free(builder);
}

static void builders(void) {
    kron_job_builder *builder = NULL;
    kron_clause_builder *clause = NULL;
    const int64_t minute = INT64_C(60000000000);
    kron_policy policy = {10 * INT64_C(60000000000), KRON_CONCURRENCY_REPLACE, 1};
    OK(kron_job_builder_new_n("@daily!", 6, &builder, &error));
    OK(kron_job_builder_timezone_n(builder, "Europe/Paris!", 12, NULL, &error));
    OK(kron_job_builder_window_ns(builder, KRON_WINDOW_AROUND, 120 * minute, &error));
    EXPECT(KRON_ERROR_OUT_OF_BOUNDS, kron_job_builder_window_ns(builder, 0, INT64_MAX, &error));
    EXPECT(KRON_ERROR_OUT_OF_BOUNDS, kron_job_builder_window_ns(builder, 0, -1, &error));
    OK(kron_job_builder_normal(builder, KRON_MU_START, &policy.deadline_ns, &error));
    OK(kron_job_builder_seed(builder, KRON_SEED_STRATEGY_WEEKLY, "blue", &error));
    OK(kron_job_builder_policy(builder, &policy, KRON_POLICY_SIZE, &error));
    OK(kron_clause_builder_new(&clause, &error));
    EXPECT(KRON_ERROR_CONSTRAINT_EMPTY, kron_job_builder_only(builder, clause, &error));
    OK(kron_clause_builder_part(clause, "hours", "22-5", &error));
    EXPECT(KRON_ERROR_CONSTRAINT_OUT_OF_RANGE, kron_clause_builder_part(clause, "dom", "32", &error));
    EXPECT(KRON_ERROR_CONSTRAINT_UNKNOWN_PART, kron_clause_builder_part(clause, "weekday", "1", &error));
    OK(kron_clause_builder_part_n(clause, "dow!", 3, "MON-FRI!", 7, &error));
    OK(kron_job_builder_only(builder, clause, &error));
    EXPECT(KRON_ERROR_ALREADY_USED, kron_job_builder_avoid(builder, clause, &error));
    EXPECT(KRON_ERROR_ALREADY_USED, kron_clause_builder_part(clause, "hours", "1", &error));
    kron_clause_builder_free(clause);
    OK(kron_clause_builder_new(&clause, &error));
    OK(kron_clause_builder_part(clause, "date", "2026-12-24", &error));
    OK(kron_job_builder_avoid(builder, clause, &error));
    kron_clause_builder_free(clause);
    EXPECT(KRON_ERROR_NAME, kron_job_builder_build_n(builder, NULL, 0, (kron_job *[1]){NULL}, &error));
    same_as(builder, "0 0 * * * @tz(Europe/Paris) @win(around,2h0m0s) @dist(normal,mu=start,sigma=10m0s) "
                     "@seed(weekly,salt=blue) @policy(concurrency=replace,deadline=10m0s,suspend=true) "
                     "@only(hours=22-5;dow=1-5) @avoid(date=2026-12-24)");

    OK(kron_job_builder_new("@hourly", &builder, &error));
    OK(kron_job_builder_window_ns(builder, KRON_WINDOW_BEFORE, 30 * minute, &error));
    OK(kron_job_builder_normal(builder, KRON_MU_DEFAULT, NULL, &error));
    OK(kron_job_builder_exponential(builder, 8, KRON_DIRECTION_LATE, &error));
    OK(kron_job_builder_seed_n(builder, KRON_SEED_STRATEGY_DAILY, NULL, 0, &error));
    same_as(builder, "0 * * * * @win(before,30m0s) @dist(exponential,lambda=8,dir=late) @seed(daily)");

    /* Parts as text. */
    OK(kron_job_builder_new("@hourly", &builder, &error));
    OK(kron_job_builder_window_ns(builder, KRON_WINDOW_AFTER, 3 * KRON_HOUR / 6, &error));
    OK(kron_job_builder_distribution(builder, "skewEarly,shape=3", &error));
    OK(kron_job_builder_distribution_n(builder, "normal!", 6, &error));
    EXPECT(KRON_ERROR_CHOICE, kron_job_builder_distribution(builder, "skewed", &error));
    CHECK(strstr(kron_error_message(error), "skewEarly") != NULL);
    OK(kron_job_builder_constraints(builder, "@only(dow=MON-FRI)", NULL, &error));
    OK(kron_job_builder_constraints_n(builder, "@avoid(hours=9-17;months=8)!", 27, NULL, &error));
    EXPECT(KRON_ERROR_TEXT_SYNTAX, kron_job_builder_constraints(builder, "dow=MON-FRI", NULL, &error));
    same_as(builder, "0 * * * * @win(after,30m0s) @dist(normal) @only(dow=1-5) @avoid(hours=9-17;months=8)");

    OK(kron_job_builder_new("@hourly", &builder, &error));
    OK(kron_job_builder_window_ns(builder, KRON_WINDOW_AFTER, 30 * minute, &error));
    OK(kron_job_builder_skew_late(builder, 3, &error));
    OK(kron_job_builder_skew_early(builder, 2.5, &error));
    OK(kron_job_builder_algorithm(builder, KRON_ALGORITHM_SHA256_SPLITMIX64, &error));
    same_as(builder, "0 * * * * @win(after,30m0s) @dist(skewEarly,shape=2.5) @alg(sha256-splitmix64/1)");

    /* What is wrong only as a whole is found at the end, and can be corrected. */
    OK(kron_job_builder_new("@hourly", &builder, &error));
    OK(kron_job_builder_algorithm(builder, KRON_ALGORITHM_SHA256_SPLITMIX64, &error));
    OK(kron_job_builder_exponential(builder, 8, KRON_DIRECTION_EARLY, &error));
    EXPECT(KRON_ERROR_ALGORITHM_UNSUPPORTED, kron_job_builder_build(builder, "a/b", (kron_job *[1]){NULL}, &error));
    OK(kron_job_builder_uniform(builder, &error));
    same_as(builder, "0 * * * * @alg(sha256-splitmix64/1)");
}

int main(void) {
    versions();
    durations();
    schedules();
    primed_schedules();
    placed();
    calendars();
    errors();
    jobs();
    builders();
    kron_error_free(error);
    return summary("surface");
}
