/* Every function used as it is meant: series, batches, explanations, plans, fleets. The rest is in surface.c and
 * tzdb.c. */
#include <unistd.h>

#include "test.h"

static kron_error *error = NULL;

static void series(void) {
    kron_job *job = NULL;
    kron_period_series *periods = NULL;
    kron_start_series *starts = NULL;
    kron_decision decision, batch[24];
    OK(kron_job_parse("web/ping", "@hourly @win(after,3h) @avoid(hours=2-3)", NULL, &job, &error));
    size_t filled = 99, count = 0;
    OK(kron_job_periods_into(job, 0, 10 * 3600, batch, 24, KRON_DECISION_SIZE, &filled, &error));
    CHECK(filled == 10);
    OK(kron_job_periods(job, 0, 10 * 3600, &periods, &error));
    for (; kron_period_series_next(periods, &decision, KRON_DECISION_SIZE, &error) == KRON_OK; count++)
        CHECK(memcmp(&decision, &batch[count], sizeof decision) == 0);
    CHECK(count == 10);
    kron_period_series_free(periods);
    /* All starts, then as many as there is room for. */
    kron_start_series *all = NULL;
    OK(kron_job_starts_into(job, 0, 86400, batch, 24, KRON_DECISION_SIZE, &filled, &error));
    OK(kron_job_starts(job, 0, 86400, &all, &error));
    size_t starts_seen = 0;
    for (; kron_start_series_next(all, &decision, KRON_DECISION_SIZE, &error) == KRON_OK; starts_seen++)
        CHECK(memcmp(&decision, &batch[starts_seen], sizeof decision) == 0);
    CHECK(starts_seen == filled && filled > 15);
    kron_start_series_free(all);
    OK(kron_job_starts_into(job, 0, INT64_MAX, batch, 5, KRON_DECISION_SIZE, &filled, &error));
    CHECK(filled == 5);
    OK(kron_job_periods_into(job, 0, 10 * 3600, batch, 24, KRON_DECISION_SIZE, &filled, &error));
    OK(kron_job_periods_back(job, 0, 10 * 3600, &periods, &error));
    for (; kron_period_series_next(periods, &decision, KRON_DECISION_SIZE, &error) == KRON_OK; count--)
        CHECK(memcmp(&decision, &batch[count - 1], sizeof decision) == 0);
    CHECK(count == 0);
    kron_period_series_free(periods);

    int64_t nominals[3] = {7200, 3600, 0};
    OK(kron_job_decide_into(job, nominals, 3, batch + 12, 12, KRON_DECISION_SIZE, &filled, &error));
    CHECK(filled == 3 && memcmp(&batch[12], &batch[2], sizeof decision) == 0);
    nominals[1] = -1;
    batch[12].draws = 1000;
    EXPECT(KRON_ERROR_NOMINAL_TIME,
           kron_job_decide_into(job, nominals, 3, batch + 12, 12, KRON_DECISION_SIZE, &filled, &error));
    CHECK(batch[12].draws == 1000 && filled == 3);

    /* Starts up and down are the same ones; their order is that of the chosen times. */
    int64_t chosen[64];
    OK(kron_job_starts(job, 0, 86400, &starts, &error));
    for (; kron_start_series_next(starts, &decision, KRON_DECISION_SIZE, &error) == KRON_OK; count++) {
        CHECK(decision.flags == KRON_DECISION_CHOSEN && (count == 0 || chosen[count - 1] <= decision.chosen_time));
        chosen[count] = decision.chosen_time;
    }
    CHECK(count > 20);
    kron_start_series_free(starts);
    OK(kron_job_starts_back(job, 0, 86400, &starts, &error));
    for (; kron_start_series_next(starts, &decision, KRON_DECISION_SIZE, &error) == KRON_OK; count--)
        CHECK(chosen[count - 1] == decision.chosen_time);
    CHECK(count == 0);
    kron_start_series_free(starts);
    kron_job_free(job);

    /* A search that fails ends its series. */
    OK(kron_job_parse("never/starts", "@hourly @only(hours=1;dates=2027-01-01..2027-01-02) @avoid(hours=1)", NULL, &job,
                      &error));
    OK(kron_job_starts(job, 0, INT64_MAX, &starts, &error));
    EXPECT(KRON_ERROR_NO_START_IN_SIGHT, kron_start_series_next(starts, &decision, KRON_DECISION_SIZE, &error));
    EXPECT(KRON_END, kron_start_series_next(starts, &decision, KRON_DECISION_SIZE, &error));
    kron_start_series_free(starts);
    kron_job_free(job);
}

static void explanations(void) {
    kron_job *job = NULL;
    kron_string *text = NULL, *details = NULL;
    kron_verification found;
    OK(kron_job_parse("prod/db-backup", "@daily @win(after,3h) @seed(stable,salt=backup)", NULL, &job, &error));
    OK(kron_job_explain_json(job, MARCH, &text, &error));
    CHECK(strstr(kron_string_data(text), "\"chosenTime\":\"2026-03-01T00:19:37Z\"") != NULL);
    CHECK(strstr(kron_string_data(text), "\"candidates\":10801") != NULL);
    kron_string_free(text);
    OK(kron_job_receipt_json(job, MARCH, &text, &error));
    OK(kron_receipt_verify(kron_string_data(text), NULL, &found, KRON_VERIFICATION_SIZE, &details, &error));
    CHECK(found.differences == 0 && found.zone_rules == KRON_ZONE_RULES_SAME && found.flags == 0);
    /* The receipt says nothing of the schedule's other times. */
    CHECK_STRING(details, "{\"differences\":[],\"notProven\":[\"other times of the schedule\"]}");
    char *tampered = malloc(kron_string_length(text) + 1);
    CHECK(tampered != NULL);
    strcpy(tampered, kron_string_data(text));
    memcpy(strstr(tampered, "00:19:37"), "00:19:38", 8);
    OK(kron_receipt_verify_n(tampered, kron_string_length(text), NULL, &found, KRON_VERIFICATION_SIZE, &details,
                             &error));
    CHECK(found.differences == 1);
    CHECK_STRING(details, "{\"differences\":[{\"computed\":\"2026-03-01T00:19:37Z\",\"field\":\"decision.chosenTime\","
                          "\"receipt\":\"2026-03-01T00:19:38Z\"}],\"notProven\":[\"other times of the schedule\"]}");
    EXPECT(KRON_ERROR_MANIFEST_SYNTAX,
           kron_receipt_verify("{", NULL, &found, KRON_VERIFICATION_SIZE, &details, &error));
    free(tampered);
    kron_string_free(text);
    kron_job_free(job);

    /* Another policy leaves the decision as it is: the receipt still agrees, and does not prove the policy. */
    OK(kron_job_parse("prod/db-backup", "@daily @win(after,3h) @policy(deadline=5m0s)", NULL, &job, &error));
    OK(kron_job_receipt_json(job, MARCH, &text, &error));
    kron_job_free(job);
    tampered = malloc(kron_string_length(text) + 1);
    CHECK(tampered != NULL);
    strcpy(tampered, kron_string_data(text));
    memcpy(strstr(tampered, "deadline=5m0s"), "deadline=9m0s", 13);
    OK(kron_receipt_verify(tampered, NULL, &found, KRON_VERIFICATION_SIZE, &details, &error));
    CHECK(found.differences == 0);
    CHECK_STRING(details, "{\"differences\":[],\"notProven\":[\"other times of the schedule\",\"policy\"]}");
    free(tampered);
    kron_string_free(text);
}

static void plans(void) {
    kron_job *job = NULL;
    kron_plan *plan = NULL;
    kron_policy policy;
    kron_decision decision;
    kron_action action;
    int64_t time = 0;
    OK(kron_job_parse("prod/db-backup", "@daily @win(after,3h) @seed(stable,salt=backup) @policy(deadline=10m)", NULL,
                      &job, &error));
    OK(kron_job_policy(job, &policy, KRON_POLICY_SIZE, &error));
    CHECK(policy.deadline_ns == INT64_C(600000000000) && policy.concurrency == KRON_CONCURRENCY_FORBID && !policy.suspend);
    OK(kron_job_decide(job, MARCH, &decision, KRON_DECISION_SIZE, &error));
    int64_t chosen = decision.chosen_time;
    kron_step found;
    OK(kron_policy_evaluate(&policy, KRON_POLICY_SIZE, &decision, KRON_DECISION_SIZE, chosen - 1, 0, 0, &action,
                            KRON_ACTION_SIZE, &error));
    CHECK(action.kind == KRON_ACTION_WAIT && action.until == chosen && action.outcome == KRON_OUTCOME_NONE);
    OK(kron_policy_evaluate(&policy, KRON_POLICY_SIZE, &decision, KRON_DECISION_SIZE, chosen + 601, 0, 0, &action,
                            KRON_ACTION_SIZE, &error));
    CHECK(action.kind == KRON_ACTION_RECORD && action.outcome == KRON_OUTCOME_MISSED);
    OK(kron_policy_evaluate(&policy, KRON_POLICY_SIZE, &decision, KRON_DECISION_SIZE, chosen, 1, 0, &action,
                            KRON_ACTION_SIZE, &error));
    CHECK(action.kind == KRON_ACTION_NOTHING);
    OK(kron_policy_plan(&policy, KRON_POLICY_SIZE, &decision, 1, KRON_DECISION_SIZE, chosen - 7, 0, &plan, &error));
    OK(kron_plan_step(plan, 0, &found, KRON_STEP_SIZE, &error));
    CHECK(memcmp(&found.period, &decision, sizeof decision) == 0 && found.action.until == chosen);
    kron_plan_free(plan);
    /* Two decisions that have the same times: each comes back once, as it was given. */
    kron_decision twins[2] = {decision, decision};
    twins[0].draws = 1000;
    twins[1].draws = 1001;
    OK(kron_policy_plan(&policy, KRON_POLICY_SIZE, twins, 2, KRON_DECISION_SIZE, chosen - 7, 0, &plan, &error));
    for (size_t i = 0; i < 2; i++) {
        OK(kron_plan_step(plan, i, &found, KRON_STEP_SIZE, &error));
        CHECK(memcmp(&found.period, &twins[i], sizeof decision) == 0);
    }
    kron_plan_free(plan);
    OK(kron_policy_plan(&policy, KRON_POLICY_SIZE, NULL, 0, KRON_DECISION_SIZE, 0, 0, &plan, &error));
    CHECK(kron_plan_length(plan) == 0);
    EXPECT(KRON_ABSENT, kron_plan_wake_up(plan, &time, &error));
    kron_plan_free(plan);

    decision.flags = 3;
    EXPECT(KRON_ERROR_ENUM_VALUE, kron_policy_evaluate(&policy, KRON_POLICY_SIZE, &decision, KRON_DECISION_SIZE, 0, 0,
                                                        0, &action, KRON_ACTION_SIZE, &error));
    decision.flags = 1;
    kron_policy wrong[3] = {{-1, 0, 0}, {0, 3, 0}, {0, 0, 2}};
    for (int i = 0; i < 3; i++)
        EXPECT(i == 0 ? KRON_ERROR_OUT_OF_BOUNDS : KRON_ERROR_ENUM_VALUE,
               kron_policy_evaluate(&wrong[i], KRON_POLICY_SIZE, &decision, KRON_DECISION_SIZE, 0, 0, 0, &action,
                                    KRON_ACTION_SIZE, &error));
    kron_job_free(job);
}

/* A file of jobs, one that is not there, and one that is not text. */
static void load_files(void) {
    char path[64] = "/tmp/kron-many-XXXXXX";
    kron_fleet *fleet = NULL;
    int file = mkstemp(path);
    CHECK(file >= 0 && write(file, "@daily name=a\n61 * * * * name=b\n", 33) == 33);
    EXPECT(KRON_ERROR_CRON_OUT_OF_RANGE, kron_fleet_load_file(path, "", NULL, &fleet, &error));
    CHECK(kron_error_line(error) == 2 && fleet == NULL);
    CHECK(ftruncate(file, 14) == 0);
    OK(kron_fleet_load_file_n(path, strlen(path), NULL, 0, NULL, &fleet, &error));
    CHECK(kron_fleet_length(fleet) == 1);
    kron_fleet_free(fleet);
    CHECK(write(file, "\xff", 1) == 1 && close(file) == 0);
    EXPECT(KRON_ERROR_IO, kron_fleet_load_file(path, "", NULL, &fleet, &error));
    CHECK(strstr(kron_error_message(error), "not UTF-8 at byte 33") != NULL && remove(path) == 0);
    EXPECT(KRON_ERROR_IO, kron_fleet_load_file(path, "", NULL, &fleet, &error));
    CHECK(strncmp(kron_error_message(error), "path: cannot read `/tmp/kron-many-", 34) == 0);
}

static void fleets(void) {
    kron_fleet_builder *builder = NULL;
    kron_fleet *fleet = NULL, *other = NULL;
    kron_fleet_start_series *starts = NULL, *starts_back = NULL;
    kron_fleet_period_series *periods = NULL, *periods_back = NULL;
    kron_job *job = NULL;
    kron_string *text = NULL;
    kron_decision decision;
    size_t index = 99, order[4], count = 0;
    OK(kron_fleet_builder_new(&builder, &error));
    OK(kron_job_parse("a/early", "0 1 * * * @win(after,1h)", NULL, &job, &error));
    OK(kron_fleet_builder_add(builder, job, &error));
    kron_job_free(job);
    OK(kron_job_parse("b/late", "0 2 * * * @win(after,1h)", NULL, &job, &error));
    OK(kron_fleet_builder_add(builder, job, &error));
    kron_job_free(job);
    OK(kron_fleet_builder_build(builder, &fleet, &error));
    EXPECT(KRON_ERROR_ALREADY_USED, kron_fleet_builder_build(builder, &other, &error));
    kron_fleet_builder_free(builder);
    CHECK(kron_fleet_length(fleet) == 2);
    EXPECT(KRON_ABSENT, kron_fleet_field(fleet, 0, "owner", &text, &error));
    OK(kron_fleet_clone(fleet, &other, &error));
    OK(kron_fleet_starts(fleet, 0, 2 * 86400, &starts, &error));
    OK(kron_fleet_periods(other, 0, 2 * 86400, &periods, &error));
    OK(kron_fleet_starts_back(fleet, 0, 2 * 86400, &starts_back, &error));
    OK(kron_fleet_periods_back(other, 0, 2 * 86400, &periods_back, &error));
    kron_fleet_free(fleet);
    kron_fleet_free(other);
    for (; kron_fleet_start_series_next(starts, &index, &decision, KRON_DECISION_SIZE, &error) == KRON_OK; count++)
        order[count] = index;
    CHECK(count == 4 && order[0] == 0 && order[1] == 1 && order[2] == 0 && order[3] == 1);
    for (count = 0; kron_fleet_period_series_next(periods, &index, &decision, KRON_DECISION_SIZE, &error) == KRON_OK; count++)
        CHECK(index == count % 2 && decision.nominal_time == (int64_t)(3600 * (1 + index) + 86400 * (count / 2)));
    CHECK(count == 4);
    /* Latest first. */
    for (; kron_fleet_start_series_next(starts_back, &index, &decision, KRON_DECISION_SIZE, &error) == KRON_OK; count--)
        CHECK(index == order[count - 1]);
    CHECK(count == 0);
    for (; kron_fleet_period_series_next(periods_back, &index, &decision, KRON_DECISION_SIZE, &error) == KRON_OK; count++)
        CHECK(index == 1 - count % 2 && decision.nominal_time == (int64_t)(3600 * (1 + index) + 86400 * (1 - count / 2)));
    CHECK(count == 4);
    kron_fleet_start_series_free(starts);
    kron_fleet_period_series_free(periods);
    kron_fleet_start_series_free(starts_back);
    kron_fleet_period_series_free(periods_back);

    const char *file = "# jobs\n@daily name=a/b owner=\"team db\"\n@hourly @only(hours=1) @avoid(hours=1) name=never\n";
    OK(kron_fleet_parse(file, "", NULL, &fleet, &error));
    CHECK(kron_fleet_length(fleet) == 2);
    OK(kron_fleet_field(fleet, 0, "owner", &text, &error));
    CHECK_STRING(text, "team db");
    EXPECT(KRON_ABSENT, kron_fleet_field_n(fleet, 0, "ownerX", 6, &text, &error));
    OK(kron_fleet_field_n(fleet, 0, "ownerX", 5, &text, &error));
    CHECK_STRING(text, "team db");
    OK(kron_fleet_find(fleet, "never", &index, &error));
    CHECK(index == 1);
    OK(kron_fleet_find_n(fleet, "a/b!", 3, &index, &error));
    CHECK(index == 0);
    EXPECT(KRON_ABSENT, kron_fleet_find(fleet, "a", &index, &error));
    CHECK(index == 0);
    OK(kron_fleet_findings_json(fleet, &text, &error));
    CHECK_STRING(text, "[]");
    OK(kron_fleet_job(fleet, 1, &job, &error));
    CHECK(strcmp(kron_job_name(job), "never") == 0);
    kron_job_free(job);
    EXPECT(KRON_ERROR_INDEX, kron_fleet_job(fleet, 2, &job, &error));
    /* The job without starts says so once, at once, and the other goes on. */
    OK(kron_fleet_starts(fleet, 0, 3 * 86400, &starts, &error));
    EXPECT(KRON_END, kron_fleet_start_series_next(starts, &index, &decision, KRON_DECISION_SIZE, &error) == KRON_OK
               ? KRON_END : KRON_OK);
    kron_fleet_start_series_free(starts);
    OK(kron_fleet_starts(fleet, 0, INT64_MAX, &starts, &error));
    EXPECT(KRON_ERROR_NO_START_IN_SIGHT, kron_fleet_start_series_next(starts, &index, &decision, KRON_DECISION_SIZE, &error));
    CHECK(kron_error_job_index(error, &index) == KRON_OK && index == 1);
    OK(kron_fleet_start_series_next(starts, &index, &decision, KRON_DECISION_SIZE, &error));
    CHECK(index == 0);
    kron_fleet_start_series_free(starts);
    kron_fleet_free(fleet);

    EXPECT(KRON_ERROR_CRON_OUT_OF_RANGE,
           kron_fleet_parse("61 * * * * name=a\n@daily\n@daily name=c\n", "", NULL, &fleet, &error));
    CHECK(kron_error_count(error) == 2 && kron_error_line(error) == 1);
    CHECK(kron_error_code(kron_error_at(error, 1)) == KRON_ERROR_FILE_MISSING_NAME);
    CHECK(kron_error_line(kron_error_at(error, 1)) == 2);
    OK(kron_fleet_parse("@daily name=a x=\"\\u{0}\"\n", "", NULL, &fleet, &error));
    EXPECT(KRON_ERROR_CONTAINS_NUL, kron_fleet_field(fleet, 0, "x", &text, &error));
    kron_fleet_free(fleet);

    const char *yaml = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: db}\nspec:\n  schedule: \"@daily\"\n"
                       "  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}\n";
    OK(kron_fleet_parse_n(yaml, strlen(yaml), "prod", 4, NULL, &fleet, &error));
    OK(kron_fleet_job(fleet, 0, &job, &error));
    CHECK(strcmp(kron_job_name(job), "prod/db") == 0);
    kron_job_free(job);
    kron_fleet_free(fleet);
    OK(kron_fleet_parse(yaml, "", NULL, &fleet, &error));
    OK(kron_fleet_findings_json(fleet, &text, &error));
    CHECK(strstr(kron_string_data(text), "\"code\":\"namespace-assumed\"") != NULL);
    load_files();
    kron_string_free(text);
    kron_fleet_free(fleet);
}

static void spreads(void) {
    const int64_t minute = INT64_C(60000000000);
    kron_fleet *fleet = NULL, *found = NULL, *again = NULL;
    kron_spread *spread = NULL;
    kron_job *job = NULL;
    kron_string *text = NULL, *certificate = NULL;
    kron_calendars *calendars = NULL;
    kron_parser *parser = NULL;
    int64_t time = 0;
    size_t changed = 0;
    char file[4096] = "* * * * * @policy(suspend=true) name=suspended owner=ann\n";
    for (int i = 0; i < 30; i++) {
        size_t used = strlen(file);
        snprintf(file + used, sizeof file - used, "0 0 * * * @win(after,1h) name=job/%d\n", i);
    }
    OK(kron_fleet_parse(file, "", NULL, &fleet, &error));
    OK(kron_fleet_spread(fleet, MARCH, MARCH + 86400, minute, 1, 0, &spread, &error));
    CHECK(kron_spread_present_peak(spread) > 1 && kron_spread_peak(spread) == 1 && kron_spread_bound(spread) == 1);
    OK(kron_spread_peak_time(spread, &time, &error));
    CHECK(time >= MARCH && time <= MARCH + 3600 && (time - MARCH) % 60 == 0);
    OK(kron_spread_fleet(spread, &found, &error));
    CHECK(kron_fleet_length(found) == 31);
    OK(kron_fleet_field(found, 0, "owner", &text, &error));
    CHECK_STRING(text, "ann");
    EXPECT(KRON_ABSENT, kron_spread_seed(spread, 0, &text, &error));
    EXPECT(KRON_ERROR_INDEX, kron_spread_seed(spread, 31, &text, &error));
    for (size_t i = 1; i < 31; i++) {
        char want[128];
        kron_string *seed = NULL;
        OK(kron_spread_seed(spread, i, &seed, &error));
        OK(kron_fleet_job(found, i, &job, &error));
        OK(kron_job_text(job, &text, &error));
        snprintf(want, sizeof want, "0 0 * * * @win(after,1h0m0s) @seed(%s)", kron_string_data(seed));
        CHECK_STRING(text, want);
        kron_string_free(seed);
        kron_job_free(job);
        changed++;
    }
    CHECK(changed == 30);
    OK(kron_spread_certificate_json(spread, &certificate, &error));
    CHECK(strstr(kron_string_data(certificate), "\"bound\":1,") != NULL);
    CHECK(strstr(kron_string_data(certificate), " name=job/29\"\n]}") != NULL);
    kron_string_free(certificate);
    kron_spread_free(spread);
    /* The jobs of the answer need nothing else. */
    OK(kron_fleet_spread(found, MARCH, MARCH + 86400, minute, 0, 1, &spread, &error));
    CHECK(kron_spread_present_peak(spread) == 1);
    EXPECT(KRON_ABSENT, kron_spread_seed(spread, 7, &text, &error));
    kron_spread_free(spread);
    EXPECT(KRON_ERROR_OUT_OF_BOUNDS, kron_fleet_spread(found, MARCH, MARCH + 86400, minute / 120, 0, 0, &spread, &error));
    EXPECT(KRON_ERROR_OUT_OF_BOUNDS, kron_fleet_spread(found, MARCH, MARCH + 86400, -1, 0, 0, &spread, &error));
    kron_fleet_free(found);
    kron_fleet_free(fleet);

    OK(kron_calendars_parse("x = 2026-12-25", &calendars, &error));
    OK(kron_parser_new(NULL, calendars, &parser, &error));
    OK(kron_fleet_parse("@daily @win(after,1h) @avoid(calendar=x) name=a", "", parser, &again, &error));
    OK(kron_fleet_spread(again, MARCH, MARCH + 86400, minute, 0, 0, &spread, &error));
    OK(kron_spread_certificate_json(spread, &certificate, &error));
    CHECK(strstr(kron_string_data(certificate), "\"calendars\":{\"x\":[\"2026-12-25..2026-12-25\"]}") != NULL);
    kron_string_free(certificate);
    kron_spread_free(spread);
    kron_fleet_free(again);
    kron_parser_free(parser);
    kron_calendars_free(calendars);
}

static void diffs(void) {
    kron_fleet *old_fleet = NULL, *new_fleet = NULL;
    kron_diff *diff = NULL;
    kron_change change;
    OK(kron_fleet_parse("@weekly name=b/same\n0 1 * * * @win(after,4h) @only(hours=2) name=a\n0 6 * * * name=c\n", "", NULL,
                       &old_fleet, &error));
    OK(kron_fleet_parse("0 1 * * * @win(after,4h) @only(hours=4) name=a\n@weekly name=b/same\n0 5 * * * name=d\n", "", NULL,
                       &new_fleet, &error));
    OK(kron_fleet_diff(old_fleet, new_fleet, MARCH + 3 * 3600, MARCH + 86400, &diff, &error));
    /* In order of names: `a` starts after 04:00 although it started after 02:00; `c` is gone, `d` is new. */
    CHECK(kron_diff_length(diff) == 4);
    const kron_change_kind kinds[] = {KRON_CHANGE_KIND_MOVES, KRON_CHANGE_KIND_REPEATED, KRON_CHANGE_KIND_VANISHES,
                                      KRON_CHANGE_KIND_APPEARS};
    for (size_t i = 0; i < 4; i++) {
        OK(kron_diff_change(diff, i, &change, KRON_CHANGE_SIZE, &error));
        CHECK(change.kind == (uint32_t)kinds[i]);
        if (i < 2) {
            CHECK(change.nominal_time == MARCH + 3600 && change.flags == 15 && change.old_job == 1 && change.new_job == 0);
            CHECK((change.old_start - MARCH) / 3600 == 2 && (change.new_start - MARCH) / 3600 == 4);
        }
    }
    CHECK(change.new_start == MARCH + 5 * 3600 && change.new_job == 2 && change.old_start == 0);
    CHECK(change.flags == (KRON_CHANGE_NEW_START | KRON_CHANGE_NEW_JOB));
    OK(kron_diff_change(diff, 2, &change, KRON_CHANGE_SIZE, &error));
    CHECK(change.old_start == MARCH + 6 * 3600 && change.old_job == 2);
    CHECK(change.flags == (KRON_CHANGE_OLD_START | KRON_CHANGE_OLD_JOB));
    EXPECT(KRON_ERROR_INDEX, kron_diff_change(diff, 4, &change, KRON_CHANGE_SIZE, &error));
    kron_diff_free(diff);
    /* The other way round, the edit skips the period. */
    OK(kron_fleet_diff(new_fleet, old_fleet, MARCH + 3 * 3600, MARCH + 7200, &diff, &error));
    CHECK(kron_diff_length(diff) == 1);
    OK(kron_diff_change(diff, 0, &change, KRON_CHANGE_SIZE, &error));
    CHECK(change.kind == KRON_CHANGE_KIND_SKIPPED);
    kron_diff_free(diff);
    kron_fleet_free(old_fleet);
    OK(kron_fleet_parse("* * * * * @only(date=1999-01-01) name=a\n", "", NULL, &old_fleet, &error));
    EXPECT(KRON_ERROR_NO_SCHEDULABLE_PERIOD, kron_fleet_diff(old_fleet, new_fleet, MARCH, INT64_MAX, &diff, &error));
    kron_fleet_free(old_fleet);
    kron_fleet_free(new_fleet);
}

int main(void) {
    series();
    explanations();
    plans();
    fleets();
    spreads();
    diffs();
    kron_error_free(error);
    return summary("many");
}
