/* Prints the next starts of the jobs in a file, as `kron next -f` does.
 *
 *     cc next.c $(pkg-config --cflags --libs kron) -o next
 *     ./next jobs.kron 2026-03-01T00:00:00Z 8
 */
#define _DEFAULT_SOURCE /* timegm, from POSIX 2024 on in the standard */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <kron.h>

static void print_time(int64_t seconds) {
    time_t time = (time_t)seconds;
    struct tm civil;
    char text[32];
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time, &civil));
    printf("%s", text);
}

static int parse_time(const char *text, int64_t *seconds) {
    struct tm civil = {0};
    char z;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%c", &civil.tm_year, &civil.tm_mon, &civil.tm_mday, &civil.tm_hour,
               &civil.tm_min, &civil.tm_sec, &z) != 7 || z != 'Z')
        return 0;
    civil.tm_year -= 1900;
    civil.tm_mon -= 1;
    *seconds = (int64_t)timegm(&civil);
    return 1;
}

int main(int argc, char **argv) {
    int64_t from;
    if (argc != 4 || !parse_time(argv[2], &from)) {
        fprintf(stderr, "usage: next FILE TIME COUNT, with a time such as 2026-03-01T00:00:00Z\n");
        return 2;
    }
    kron_error *error = NULL;
    kron_fleet *fleet = NULL;
    kron_fleet_start_series *starts = NULL;
    int status = 1;
    if (kron_fleet_load_file(argv[1], "", NULL, &fleet, &error) != KRON_OK) {
        for (size_t i = 0; i < kron_error_count(error); i++)
            fprintf(stderr, "%s: %s\n", argv[1], kron_error_message(kron_error_at(error, i)));
        goto done;
    }
    /* Starts after the time, as `kron next` counts. */
    if (kron_fleet_starts(fleet, from + 1, INT64_MAX, &starts, &error) != KRON_OK) goto refused;

    for (long left = strtol(argv[3], NULL, 10); left > 0; left--) {
        size_t index;
        kron_decision start;
        kron_result result = kron_fleet_start_series_next(starts, &index, &start, KRON_DECISION_SIZE, &error);
        if (result == KRON_END) break;
        if (result != KRON_OK) {
            /* A job without a start in sight says so, and the others go on. */
            fprintf(stderr, "%s\n", kron_error_message(error));
            continue;
        }
        kron_job *job = NULL;
        if (kron_fleet_job(fleet, index, &job, &error) != KRON_OK) goto refused;
        print_time(start.chosen_time);
        printf("  %-30s  %s\n", kron_job_name(job), start.period_id);
        kron_job_free(job);
    }
    status = 0;
    goto done;

refused:
    fprintf(stderr, "%s\n", kron_error_message(error));
done:
    kron_fleet_start_series_free(starts);
    kron_fleet_free(fleet);
    kron_error_free(error);
    return status;
}
