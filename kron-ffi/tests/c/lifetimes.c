/* Handles freed in every order that is allowed: what is left must go on working. */
#include "zones.h"

enum { HANDLES = 9 };

static kron_error *error = NULL;
static kron_tzdb *tzdb;
static kron_job *job, *clone;
static kron_fleet *fleet;
static kron_period_series *periods;
static kron_start_series *starts;
static kron_fleet_start_series *fleet_starts;
static kron_fleet_period_series *fleet_periods;
static kron_plan *plan;
static int live[HANDLES];

static void make(void) {
    kron_fleet_builder *builder = NULL;
    kron_host_state *state = NULL;
    OK(kron_host_state_new(0, &state, &error));
    unsigned char data[TZIF_BYTES];
    make_tzif(data, 32400, 36000);
    kron_tzif zone = tzif("Asia/Tokyo", data);
    OK(kron_tzdb_from_tzif("2026z", &zone, 1, KRON_TZIF_SIZE, &tzdb, &error));
    kron_parser *parser = parser_with(tzdb);
    OK(kron_job_parse("a/b", "0 */3 * * * @tz(Asia/Tokyo) @win(after,1h) @dist(normal) @only(hours=0-12;dow=0-6) "
                             "@seed(daily,salt=x)", parser, &job, &error));
    kron_parser_free(parser);
    OK(kron_job_clone(job, &clone, &error));
    OK(kron_fleet_builder_new(&builder, &error));
    OK(kron_fleet_builder_add(builder, job, &error));
    OK(kron_fleet_builder_build(builder, &fleet, &error));
    kron_fleet_builder_free(builder);
    OK(kron_job_periods(job, 0, 864000, &periods, &error));
    OK(kron_job_starts(clone, 0, 864000, &starts, &error));
    OK(kron_fleet_starts(fleet, 0, 864000, &fleet_starts, &error));
    OK(kron_fleet_periods(fleet, 0, 864000, &fleet_periods, &error));
    OK(kron_job_plan(job, state, 86400, &plan, &error));
    kron_host_state_free(state);
    for (int i = 0; i < HANDLES; i++) live[i] = 1;
}

static void use_what_is_left(void) {
    kron_decision decision;
    kron_step step;
    kron_string *text = NULL;
    size_t index = 9;
    if (live[0]) OK(kron_job_next_start(job, 0, &decision, KRON_DECISION_SIZE, &error));
    if (live[1]) {
        OK(kron_job_tzdb_version(clone, &text, &error));
        CHECK_STRING(text, "2026z");
        CHECK(strcmp(kron_job_name(clone), "a/b") == 0);
    }
    if (live[2]) CHECK(kron_fleet_length(fleet) == 1);
    if (live[3]) OK(kron_period_series_next(periods, &decision, KRON_DECISION_SIZE, &error));
    if (live[4]) OK(kron_start_series_next(starts, &decision, KRON_DECISION_SIZE, &error));
    if (live[5]) OK(kron_fleet_start_series_next(fleet_starts, &index, &decision, KRON_DECISION_SIZE, &error));
    if (live[6]) OK(kron_fleet_period_series_next(fleet_periods, &index, &decision, KRON_DECISION_SIZE, &error));
    if (live[8]) CHECK(strcmp(kron_tzdb_version(tzdb), "2026z") == 0);
    if (live[7]) OK(kron_plan_step(plan, 0, &step, KRON_STEP_SIZE, &error));
}

static void let_go(int handle) {
    CHECK(live[handle]);
    live[handle] = 0;
    switch (handle) {
        case 0: kron_job_free(job); break;
        case 1: kron_job_free(clone); break;
        case 2: kron_fleet_free(fleet); break;
        case 3: kron_period_series_free(periods); break;
        case 4: kron_start_series_free(starts); break;
        case 5: kron_fleet_start_series_free(fleet_starts); break;
        case 6: kron_fleet_period_series_free(fleet_periods); break;
        case 7: kron_plan_free(plan); break;
        default: kron_tzdb_free(tzdb); break;
    }
}

int main(int argc, char **argv) {
    /* Every `step`th of the 362880 orders; valgrind is slow. */
    int step = argc > 1 ? atoi(argv[1]) : 1;
    unsigned orders = 0;
    for (int number = 0; number < 362880; number += step, orders++) {
        int rest = number, handles[HANDLES] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        make();
        for (int left = HANDLES; left > 0; left--) {
            int pick = rest % left, handle = handles[pick];
            rest /= left;
            handles[pick] = handles[left - 1];
            let_go(handle);
            use_what_is_left();
        }
    }
    kron_error_free(error);
    printf("lifetimes: %u orders of freeing\n", orders);
    return summary("lifetimes");
}
