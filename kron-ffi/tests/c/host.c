/* What a host keeps and plans: states, steps, plans into an array. */
#include "test.h"

static kron_error *error = NULL;

enum { ROOM = 300 };

static kron_step steps[ROOM];

/* A plan in the array, which must be the plan that is a handle. */
static kron_plan_counts plan(const kron_job *job, const kron_host_state *state, int64_t now) {
    kron_plan_counts counts;
    kron_plan *made = NULL;
    kron_step step;
    int64_t wake_up = 0;
    memset(steps, 0x5a, sizeof steps);
    OK(kron_job_plan_into(job, state, now, steps, ROOM, KRON_STEP_SIZE, &counts, KRON_PLAN_COUNTS_SIZE, &error));
    OK(kron_job_plan(job, state, now, &made, &error));
    CHECK(counts.steps == kron_plan_length(made) && counts.older_missed == kron_plan_older_missed(made) && !counts.reserved);
    CHECK(kron_plan_wake_up(made, &wake_up, &error) == (counts.flags == KRON_PLAN_WAKE_UP ? KRON_OK : KRON_ABSENT));
    CHECK(wake_up == counts.wake_up);
    for (size_t i = 0; i < counts.steps; i++) {
        OK(kron_plan_step(made, i, &step, KRON_STEP_SIZE, &error));
        CHECK(memcmp(&step, &steps[i], sizeof step) == 0);
    }
    EXPECT(KRON_ERROR_INDEX, kron_plan_step(made, counts.steps, &step, KRON_STEP_SIZE, &error));
    kron_plan_free(made);
    if (counts.steps > 0) {
        kron_plan_counts none;
        memset(&none, 0x5a, sizeof none);
        EXPECT(KRON_ERROR_TOO_SHORT, kron_job_plan_into(job, state, now, steps + ROOM / 2, counts.steps - 1, KRON_STEP_SIZE, &none,
                                                        KRON_PLAN_COUNTS_SIZE, &error));
        CHECK(none.steps == UINT64_C(0x5a5a5a5a5a5a5a5a) && strstr(kron_error_help(error), "pass an array of ") != NULL);
    }
    return counts;
}

static void one_night(void) {
    kron_job *job = NULL;
    kron_host_state *state = NULL, *copy = NULL;
    kron_string *json = NULL;
    kron_decision decision;
    OK(kron_job_parse("prod/db-backup", "@daily @win(after,3h) @seed(stable,salt=backup) @policy(deadline=10m)", NULL, &job, &error));
    OK(kron_job_decide(job, MARCH, &decision, KRON_DECISION_SIZE, &error));
    const int64_t chosen = decision.chosen_time;
    OK(kron_host_state_new(MARCH - 1, &state, &error));
    kron_plan_counts counts = plan(job, state, chosen + 5);
    CHECK(counts.steps == 1 && counts.older_missed == 0 && counts.wake_up == MARCH + 86400);
    CHECK(memcmp(&steps[0].period, &decision, sizeof decision) == 0 && steps[0].action.kind == KRON_ACTION_EXECUTE);
    CHECK(steps[0].action.outcome == KRON_OUTCOME_EXECUTED && steps[0].flags == 0 && steps[0].previous_open == 0);
    OK(kron_host_state_clone(state, &copy, &error));
    OK(kron_host_state_record(state, &steps[0], KRON_STEP_SIZE, &error));
    CHECK(kron_host_state_is_handled(state, MARCH) == 1 && kron_host_state_is_active(state) == 1);
    CHECK(kron_host_state_is_handled(copy, MARCH) == 0 && kron_host_state_is_active(copy) == 0);
    CHECK(plan(job, state, chosen + 5).steps == 0);

    /* Written and read, it is the same. */
    OK(kron_host_state_to_json(state, &json, &error));
    kron_host_state_free(copy);
    OK(kron_host_state_from_json(kron_string_data(json), &copy, &error));
    CHECK(kron_host_state_is_handled(copy, MARCH) == 1 && kron_host_state_is_active(copy) == 1);
    kron_string *again = NULL;
    OK(kron_host_state_to_json(copy, &again, &error));
    CHECK(strcmp(kron_string_data(json), kron_string_data(again)) == 0 && strstr(kron_string_data(json), "\"active\":true") != NULL);
    kron_string_free(again);
    kron_host_state_free(copy);
    OK(kron_host_state_from_json_n(kron_string_data(json), kron_string_length(json), &copy, &error));
    kron_string_free(json);
    EXPECT(KRON_ERROR_HOST_STATE, kron_host_state_from_json("{\"since\": true}", &(kron_host_state *){NULL}, &error));
    CHECK(strcmp(kron_error_field(error), "json") == 0 && strstr(kron_error_message(error), "kron_host_state_to_json") != NULL);

    /* An execution that runs into the next night. */
    kron_decision next;
    OK(kron_job_next_start(job, chosen, &next, KRON_DECISION_SIZE, &error));
    CHECK(plan(job, state, next.chosen_time).steps == 1 && steps[0].action.outcome == KRON_OUTCOME_SKIPPED);
    OK(kron_host_state_set_active(state, 0, &error));
    CHECK(plan(job, state, next.chosen_time).steps == 1 && steps[0].action.kind == KRON_ACTION_EXECUTE);
    EXPECT(KRON_ERROR_ENUM_VALUE, kron_host_state_set_active(state, 2, &error));

    /* A new configuration: what was chosen up to then does not start, and what is handled stays so. */
    OK(kron_host_state_reconfigure(state, next.chosen_time, &error));
    CHECK(plan(job, state, next.chosen_time).steps == 0 && kron_host_state_is_handled(state, MARCH) == 1);

    /* `since` is exclusive, the first second of a range is not. */
    kron_host_state *since = NULL;
    size_t filled = 0;
    OK(kron_host_state_new(chosen, &since, &error));
    CHECK(plan(job, since, chosen).steps == 0);
    OK(kron_job_starts_into(job, chosen, chosen + 1, &next, 1, KRON_DECISION_SIZE, &filled, &error));
    CHECK(filled == 1 && next.chosen_time == chosen);
    kron_host_state_free(since);
    kron_host_state_free(copy);
    kron_host_state_free(state);
    kron_job_free(job);
}

/* Windows that overlap: periods start out of their order, each once, also if steps are recorded in another order or later. */
static void overlapping(int reverse) {
    enum { PERIODS = 72 };
    int started[PERIODS] = {0};
    kron_job *job = NULL;
    kron_host_state *state = NULL;
    OK(kron_job_parse("web/ping", "*/20 * * * * @win(after,2h) @policy(deadline=5m,concurrency=allow)", NULL, &job, &error));
    OK(kron_host_state_new(-1, &state, &error));
    unsigned out_of_order = 0;
    int64_t last = -1;
    for (int64_t now = 0; now < PERIODS * 1200 + 7500; now += 60) {
        const kron_plan_counts counts = plan(job, state, now);
        for (size_t i = 0; i < counts.steps; i++) {
            const kron_step *step = &steps[reverse ? counts.steps - 1 - i : i];
            OK(kron_host_state_record(state, step, KRON_STEP_SIZE, &error));
            if (step->action.kind != KRON_ACTION_EXECUTE) {
                CHECK(step->action.kind == KRON_ACTION_WAIT);
                continue;
            }
            const int64_t nominal = step->period.nominal_time;
            out_of_order += nominal < last;
            last = nominal;
            if (nominal / 1200 < PERIODS) CHECK(++started[nominal / 1200] == 1);
        }
        if (now % 3600 == 0) {
            kron_string *json = NULL;
            OK(kron_host_state_to_json(state, &json, &error));
            kron_host_state_free(state);
            OK(kron_host_state_from_json(kron_string_data(json), &state, &error));
            CHECK(kron_string_length(json) < 400);
            kron_string_free(json);
        }
    }
    for (int i = 0; i < PERIODS; i++) CHECK(started[i] == 1);
    CHECK(out_of_order > 5);
    kron_host_state_free(state);
    kron_job_free(job);
}

/* Steps that no plan made. */
static void wrong_steps(void) {
    kron_job *job = NULL;
    kron_host_state *state = NULL;
    OK(kron_job_parse("a", "0 * * * * @policy(deadline=10m)", NULL, &job, &error));
    OK(kron_host_state_new(-1, &state, &error));
    CHECK(plan(job, state, 0).steps == 1);
    const kron_step right = steps[0];
    kron_step wrong = right;
    wrong.flags = 2;
    EXPECT(KRON_ERROR_ENUM_VALUE, kron_host_state_record(state, &wrong, KRON_STEP_SIZE, &error));
    CHECK(strcmp(kron_error_field(error), "step.flags") == 0);
    wrong = right;
    wrong.action.kind = 5;
    EXPECT(KRON_ERROR_ENUM_VALUE, kron_host_state_record(state, &wrong, KRON_STEP_SIZE, &error));
    wrong = right;
    wrong.action.kind = KRON_ACTION_RECORD;
    wrong.action.outcome = KRON_OUTCOME_NONE;
    EXPECT(KRON_ERROR_ENUM_VALUE, kron_host_state_record(state, &wrong, KRON_STEP_SIZE, &error));
    CHECK(strcmp(kron_error_field(error), "step.action.outcome") == 0);
    wrong = right;
    wrong.period.flags = 3;
    EXPECT(KRON_ERROR_ENUM_VALUE, kron_host_state_record(state, &wrong, KRON_STEP_SIZE, &error));
    CHECK(kron_host_state_is_handled(state, 0) == 0);
    /* A step that waits, or does nothing, settles nothing. */
    for (uint32_t kind = KRON_ACTION_NOTHING; kind <= KRON_ACTION_WAIT; kind++) {
        wrong = right;
        wrong.action.kind = kind;
        OK(kron_host_state_record(state, &wrong, KRON_STEP_SIZE, &error));
        CHECK(kron_host_state_is_handled(state, 0) == 0);
    }
    OK(kron_host_state_record(state, &right, KRON_STEP_SIZE, &error));
    CHECK(kron_host_state_is_handled(state, 0) == 1);
    kron_host_state_free(state);
    kron_job_free(job);
}

int main(void) {
    one_night();
    overlapping(0);
    overlapping(1);
    wrong_steps();
    kron_error_free(error);
    return summary("host");
}
