/* The golden vectors, which every language must answer alike. Reads the lines that vectors.py writes from the file of its
 * first argument. */
#include <inttypes.h>

#include "test.h"

enum { FIELDS = 14, LINE = 1 << 20 };

static char line[LINE];
static char *fields[FIELDS];
static FILE *file;

/* Reads a line and cuts it at its tabs. */
static size_t next_line(void) {
    if (fgets(line, sizeof line, file) == NULL) return 0;
    line[strcspn(line, "\n")] = '\0';
    size_t count = 0;
    for (char *at = line; at != NULL && count < FIELDS; count++) {
        fields[count] = at;
        at = strchr(at, '\t');
        if (at != NULL) *at++ = '\0';
    }
    return count;
}

static int64_t number(const char *text) {
    char *end;
    int64_t value = strtoll(text, &end, 10);
    CHECK(end != text && *end == '\0');
    return value;
}

/* A text in hex, behind an x: its bytes, and how many. The caller frees them. */
static char *bytes(const char *hex, size_t *length) {
    CHECK(*hex == 'x');
    hex++;
    *length = strlen(hex) / 2;
    char *text = malloc(*length + 1);
    CHECK(text != NULL);
    for (size_t i = 0; i < *length; i++) {
        unsigned byte;
        CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1);
        text[i] = (char)byte;
    }
    text[*length] = '\0';
    return text;
}

static void check_decision(const kron_decision *decision) {
    CHECK(decision->nominal_time == number(fields[4]));
    CHECK(strcmp(decision->period_id, fields[5]) == 0);
    CHECK(strcmp(decision->period_key, fields[6]) == 0);
    CHECK(decision->window_start == number(fields[7]));
    CHECK(decision->window_end == number(fields[8]));
    CHECK(decision->chosen_time == (strcmp(fields[9], "-") == 0 ? 0 : number(fields[9])));
    CHECK(strcmp(decision->seed_hash, fields[10]) == 0);
    CHECK(decision->draws == number(fields[11]));
    CHECK(decision->flags == number(fields[12]));
    CHECK(decision->algorithm == number(fields[13]));
}

static void decide(void) {
    kron_error *error = NULL;
    kron_job *from_text = NULL, *from_json = NULL, *again = NULL;
    size_t name_length, text_length, json_length;
    char *name = bytes(fields[1], &name_length), *text = bytes(fields[2], &text_length);
    char *json = bytes(fields[3], &json_length);
    OK(kron_job_parse_n(name, name_length, text, text_length, NULL, &from_text, &error));
    OK(kron_job_from_spec_json_n(name, name_length, json, json_length, NULL, &from_json, &error));
    kron_string *canonical = NULL;
    OK(kron_job_text(from_json, &canonical, &error));
    OK(kron_job_parse_n(name, name_length, kron_string_data(canonical), kron_string_length(canonical), NULL,
                        &again, &error));
    kron_job *jobs[] = {from_text, from_json, again};
    for (size_t i = 0; i < 3; i++) {
        kron_decision decision;
        memset(&decision, 0x5a, sizeof decision);
        OK(kron_job_decide(jobs[i], number(fields[4]), &decision, KRON_DECISION_SIZE, &error));
        check_decision(&decision);
        int64_t nominal = decision.nominal_time;
        size_t filled = 0;
        memset(&decision, 0x5a, sizeof decision);
        OK(kron_job_decide_into(jobs[i], &nominal, 1, &decision, 1, KRON_DECISION_SIZE, &filled, &error));
        CHECK(filled == 1);
        check_decision(&decision);
        kron_job_free(jobs[i]);
    }
    kron_string_free(canonical);
    free(name);
    free(text);
    free(json);
}

static void cron_list(kron_nominal_series *series, char *list) {
    kron_error *error = NULL;
    int64_t time = 0;
    for (char *at = strtok(list, ","); at != NULL; at = strtok(NULL, ",")) {
        OK(kron_nominal_series_next(series, &time, &error));
        CHECK(time == number(at));
    }
    kron_nominal_series_free(series);
}

static void cron(void) {
    kron_error *error = NULL;
    kron_schedule *schedule = NULL;
    kron_nominal_series *series = NULL;
    size_t length;
    char *text = bytes(fields[1], &length);
    OK(kron_schedule_parse_n(text, length, fields[2], strlen(fields[2]), NULL, &schedule, &error));
    int64_t after = number(fields[3]), time = 0;
    kron_result found = kron_schedule_next(schedule, after, &time, &error);
    CHECK(*fields[4] == '\0' ? found == KRON_END : time == strtoll(fields[4], NULL, 10));
    found = kron_schedule_prev(schedule, after, &time, &error);
    CHECK(*fields[5] == '\0' ? found == KRON_END : time == strtoll(fields[5], NULL, 10));
    OK(kron_schedule_series(schedule, after, &series, &error));
    cron_list(series, fields[4]);
    OK(kron_schedule_series_back(schedule, after, &series, &error));
    cron_list(series, fields[5]);
    kron_schedule_free(schedule);
    free(text);
}

static void plan(void) {
    kron_error *error = NULL;
    kron_policy policy = {0, (uint32_t)number(fields[1]), (uint32_t)number(fields[3])};
    OK(kron_duration_parse(fields[2], &policy.deadline_ns, &error));
    int64_t now = number(fields[4]);
    uint32_t active = (uint32_t)number(fields[5]);
    size_t open = (size_t)number(fields[6]), steps = (size_t)number(fields[7]);
    uint64_t older_missed = (uint64_t)number(fields[8]);
    kron_decision *decisions = calloc(open + 1, sizeof *decisions);
    CHECK(decisions != NULL);
    for (size_t i = 0; i < open; i++) {
        CHECK(next_line() == 5 && strcmp(fields[0], "period") == 0);
        int chosen = strcmp(fields[4], "-") != 0;
        decisions[i].nominal_time = number(fields[1]);
        decisions[i].window_start = number(fields[2]);
        decisions[i].window_end = number(fields[3]);
        decisions[i].chosen_time = chosen ? number(fields[4]) : 0;
        decisions[i].flags = chosen ? KRON_DECISION_CHOSEN : KRON_DECISION_NO_ALLOWED_SECOND;
        decisions[i].draws = (uint32_t)i; /* comes back as it was */
    }
    kron_plan *made = NULL;
    OK(kron_policy_plan(&policy, KRON_POLICY_SIZE, decisions, open, KRON_DECISION_SIZE, now, active, &made, &error));
    CHECK(kron_plan_length(made) == steps);
    CHECK(kron_plan_older_missed(made) == older_missed);
    for (size_t i = 0; i < steps; i++) {
        CHECK(next_line() == 5 && strcmp(fields[0], "step") == 0);
        kron_step step;
        OK(kron_plan_step(made, i, &step, KRON_STEP_SIZE, &error));
        const kron_decision decision = step.period;
        const kron_action action = step.action;
        CHECK(decision.nominal_time == number(fields[1]));
        CHECK(decision.draws < open && decisions[decision.draws].nominal_time == decision.nominal_time);
        CHECK(action.kind == number(fields[2]) && action.outcome == number(fields[3]));
        CHECK(action.until == (strcmp(fields[4], "-") == 0 ? 0 : number(fields[4])));
    }
    if (open == 1 && !active) {
        kron_action action;
        kron_step step;
        OK(kron_policy_evaluate(&policy, KRON_POLICY_SIZE, &decisions[0], KRON_DECISION_SIZE, now, 0, 0, &action,
                                KRON_ACTION_SIZE, &error));
        OK(kron_plan_step(made, 0, &step, KRON_STEP_SIZE, &error));
        CHECK(memcmp(&action, &step.action, sizeof action) == 0);
    }
    kron_plan_free(made);
    free(decisions);
}

static void duration(void) {
    kron_error *error = NULL;
    size_t length, canonical_length;
    char *text = bytes(fields[1], &length), *canonical = bytes(fields[3], &canonical_length);
    int64_t nanoseconds = -7;
    kron_result found = kron_duration_parse_n(text, length, &nanoseconds, &error);
    if (strcmp(fields[2], "-") == 0) {
        CHECK(found == KRON_ERROR_DURATION && nanoseconds == -7 && kron_error_code(error) == found);
    } else {
        CHECK(found == KRON_OK && nanoseconds == number(fields[2]));
        kron_string *printed = NULL;
        OK(kron_duration_text(nanoseconds, &printed, &error));
        CHECK_STRING(printed, canonical);
    }
    kron_error_free(error);
    free(text);
    free(canonical);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    file = fopen(argv[1], "r");
    CHECK(file != NULL);
    unsigned long cases[4] = {0};
    while (next_line() > 0) {
        switch (fields[0][0]) {
            case 'd':
                if (fields[0][1] == 'e') cases[0]++, decide();
                else cases[1]++, duration();
                break;
            case 'c': cases[2]++, cron(); break;
            case 'p': cases[3]++, plan(); break;
            default: CHECK(0);
        }
    }
    fclose(file);
    /* A file that was cut would pass otherwise. */
    CHECK(cases[0] >= 531 && cases[1] >= 187 && cases[2] >= 194 && cases[3] >= 129);
    printf("vectors: %lu decisions, %lu durations, %lu schedules, %lu plans\n", cases[0], cases[1], cases[2], cases[3]);
    return summary("vectors");
}
