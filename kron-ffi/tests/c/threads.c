/* One time zone database, one job, one fleet and one schedule used by many threads at once, which must all see the same answers. */
#include <pthread.h>

#include "zones.h"

enum { THREADS = 8, PERIODS = 300 };

static kron_tzdb *tzdb;
static kron_job *job;
static kron_fleet *fleet;
static kron_schedule *schedule;
static kron_decision want[PERIODS];
static int rounds = 40;

/* Counters are of the thread: the macros of test.h count without a lock. */
static void *work(void *failed) {
    kron_error *error = NULL;
    kron_job *mine = NULL;
    kron_period_series *series = NULL;
    kron_fleet_start_series *starts = NULL;
    kron_decision batch[PERIODS], decision;
    kron_string *text = NULL;
    kron_tzdb *shared = NULL;
    size_t filled = 0, index = 0, *failures = failed;
#define MUST(condition) *failures += !(condition)
    for (int round = 0; round < rounds; round++) {
        MUST(kron_job_clone(job, &mine, &error) == KRON_OK);
        MUST(kron_job_periods_into(mine, 0, INT64_MAX, batch, PERIODS, KRON_DECISION_SIZE, &filled, &error) == KRON_OK);
        MUST(filled == PERIODS && memcmp(batch, want, sizeof want) == 0);
        MUST(kron_job_periods(mine, 0, INT64_MAX, &series, &error) == KRON_OK);
        kron_job_free(mine);
        for (int i = 0; i < PERIODS; i++) {
            MUST(kron_period_series_next(series, &decision, KRON_DECISION_SIZE, &error) == KRON_OK);
            MUST(memcmp(&decision, &want[i], sizeof decision) == 0);
        }
        kron_period_series_free(series);
        MUST(kron_fleet_starts(fleet, 0, 86400, &starts, &error) == KRON_OK);
        while (kron_fleet_start_series_next(starts, &index, &decision, KRON_DECISION_SIZE, &error) == KRON_OK)
            MUST(index < 2);
        kron_fleet_start_series_free(starts);
        MUST(kron_tzdb_clone(tzdb, &shared, &error) == KRON_OK);
        kron_parser *parser = NULL;
        MUST(kron_parser_new(shared, NULL, &parser, &error) == KRON_OK);
        kron_tzdb_free(shared);
        MUST(kron_job_parse("a/b", "0 8 * * * @tz(Test/Zone)", parser, &mine, &error) == KRON_OK);
        kron_parser_free(parser);
        MUST(kron_job_next_period(mine, CHANGE, &decision, KRON_DECISION_SIZE, &error) == KRON_OK);
        MUST(decision.nominal_time == CHANGE + 6 * 3600);
        kron_job_free(mine);
        int64_t time = 0;
        MUST(kron_schedule_next(schedule, round * 86400, &time, &error) == KRON_OK && time > round * 86400);
        MUST(kron_job_parse("a/b", "61 * * * *", NULL, &mine, &error) == KRON_ERROR_CRON_OUT_OF_RANGE);
        MUST(strstr(kron_error_message(error), "`61`") != NULL);
        MUST(kron_job_text(job, &text, &error) == KRON_OK && kron_string_length(text) > 10);
        kron_string_free(text);
    }
    kron_error_free(error);
    return NULL;
}

int main(int argc, char **argv) {
    kron_error *error = NULL;
    pthread_t threads[THREADS];
    size_t failures[THREADS] = {0}, filled = 0;
    if (argc > 1) rounds = atoi(argv[1]);
    unsigned char data[TZIF_BYTES];
    make_tzif(data, 3600, 7200);
    kron_tzif zone = tzif("Test/Zone", data);
    OK(kron_tzdb_from_tzif("2026z", &zone, 1, KRON_TZIF_SIZE, &tzdb, &error));
    OK(kron_job_parse("a/b", "*/7 * * * * @tz(Europe/Paris) @win(around,2h) @dist(normal) @avoid(hours=3)", NULL, &job,
                      &error));
    OK(kron_fleet_parse("*/9 * * * * @win(after,1h) name=a\n@hourly @win(after,2h) name=b\n", "", NULL, &fleet, &error));
    OK(kron_schedule_parse("30 2 * * *", "Australia/Lord_Howe", NULL, &schedule, &error));
    OK(kron_job_periods_into(job, 0, INT64_MAX, want, PERIODS, KRON_DECISION_SIZE, &filled, &error));
    CHECK(filled == PERIODS);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, &failures[i]) == 0);
    /* The other threads may be in the middle of their work when this one frees its handle of a clone. */
    kron_job *clone = NULL;
    OK(kron_job_clone(job, &clone, &error));
    kron_job_free(clone);
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(failures[i] == 0);
    }
    kron_job_free(job);
    kron_fleet_free(fleet);
    kron_schedule_free(schedule);
    kron_tzdb_free(tzdb);
    printf("threads: %d threads, %d rounds each\n", (int)THREADS, rounds);
    return summary("threads");
}
