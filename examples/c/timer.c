/* A job in an event loop on Linux: the plan says what to do now and when to look again, a timerfd wakes the loop then.
 *
 *     cc timer.c $(pkg-config --cflags --libs kron) -o timer
 *     ./timer 'every/minute' '* * * * * @win(after,30s) @policy(deadline=1m)'
 *
 * Here each execution prints a line; your program would start something. To see a night pass in a moment, pass a start
 * time and a speed: `./timer a/b '@hourly @win(after,50m) @policy(deadline=5m)' 1772323200 7200` runs two hours a
 * second for five executions. Without them the clock of the machine counts and the loop never ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <kron.h>

/* The clock, which may run faster than the machine's for a demonstration. */
static struct {
    int64_t from;      /* Unix second at which the program began */
    double speed;      /* seconds a second */
    struct timespec began;
} clock_;

static double elapsed(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - clock_.began.tv_sec) + (double)(now.tv_nsec - clock_.began.tv_nsec) / 1e9;
}

static int64_t now(void) {
    return clock_.speed == 1 ? (int64_t)time(NULL) : clock_.from + (int64_t)(elapsed() * clock_.speed);
}

/* Arms the timer for a Unix second. */
static int arm(int timer, int64_t at) {
    struct itimerspec wake = {0};
    if (clock_.speed == 1) {
        wake.it_value.tv_sec = at > 0 ? (time_t)at : 1;
        /* A change of the system clock also wakes the loop, which then makes a new plan. */
        return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &wake, NULL);
    }
    double wait = (double)(at - clock_.from) / clock_.speed - elapsed();
    if (wait < 1e-6) wait = 1e-6;
    wake.it_value.tv_sec = (time_t)wait;
    wake.it_value.tv_nsec = (long)((wait - (double)wake.it_value.tv_sec) * 1e9);
    return timerfd_settime(timer, 0, &wake, NULL);
}

/* The periods that have their outcome, ascending, which the host remembers. Your program would store them on disk. The
 * room is enough for jobs whose windows overlap in up to 2048 periods. */
enum { ROOM = 4096 };
static int64_t handled[ROOM + 1];

static void remember(kron_host_state *state, int64_t nominal) {
    size_t at = state->handled_length++;
    for (; at > 0 && handled[at - 1] > nominal; at--) handled[at] = handled[at - 1];
    handled[at] = nominal;
    if (state->handled_length > ROOM) {
        /* The older half is summed up in one number. */
        size_t half = state->handled_length / 2;
        state->handled_through = handled[half - 1];
        state->flags |= KRON_HOST_STATE_HANDLED_THROUGH;
        state->handled_length -= half;
        memmove(handled, handled + half, state->handled_length * sizeof *handled);
    }
}

/* Carries out a plan. Counts executions. */
static kron_result carry_out(const kron_plan *plan, kron_host_state *state, long *executions, kron_error **error) {
    for (size_t i = 0; i < kron_plan_length(plan); i++) {
        kron_decision period;
        kron_action action;
        kron_result result = kron_plan_step(plan, i, &period, KRON_DECISION_SIZE, &action, KRON_ACTION_SIZE, error);
        if (result != KRON_OK) return result;
        switch (action.kind) {
            case KRON_ACTION_EXECUTE:
            case KRON_ACTION_REPLACE:
                printf("execute %s at %" PRId64 "\n", period.period_id, period.chosen_time);
                ++*executions;
                break;
            case KRON_ACTION_RECORD:
                printf("record %s: outcome %u\n", period.period_id, (unsigned)action.outcome);
                break;
            default: continue; /* it waits, or the job is suspended */
        }
        remember(state, period.nominal_time);
    }
    return KRON_OK;
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: timer IDENTITY JOB [START SPEED]\n");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &clock_.began);
    clock_.from = argc == 5 ? strtoll(argv[3], NULL, 10) : (int64_t)time(NULL);
    clock_.speed = argc == 5 ? strtod(argv[4], NULL) : 1;
    long most = argc == 5 ? 5 : -1, executions = 0;

    kron_error *error = NULL;
    kron_job *job = NULL;
    int status = 1, timer = timerfd_create(argc == 5 ? CLOCK_MONOTONIC : CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    kron_host_state state = {clock_.from, 0, handled, 0, 0, 0};
    if (timer < 0) {
        perror("timerfd");
        return 1;
    }
    if (kron_job_parse(argv[1], argv[2], NULL, &job, &error) != KRON_OK) goto refused;
    while (most < 0 || executions < most) {
        kron_plan *plan = NULL;
        int64_t wake_up = 0;
        if (kron_job_plan(job, &state, KRON_HOST_STATE_SIZE, now(), &plan, &error) != KRON_OK) goto refused;
        kron_result result = carry_out(plan, &state, &executions, &error);
        kron_result waits = kron_plan_wake_up(plan, &wake_up, &error);
        kron_plan_free(plan);
        if (result != KRON_OK) goto refused;
        if (waits != KRON_OK) break; /* nothing is left to wait for */
        fflush(stdout);
        if (arm(timer, wake_up) != 0) {
            perror("timerfd");
            goto done;
        }
        /* The loop of the program: its other files would be in this list, too. */
        struct pollfd files[1] = {{timer, POLLIN, 0}};
        uint64_t expirations;
        if (poll(files, 1, -1) < 0 && errno != EINTR) goto done;
        if (read(timer, &expirations, sizeof expirations) < 0 && errno != EAGAIN && errno != ECANCELED) goto done;
    }
    status = 0;
    goto done;

refused:
    fprintf(stderr, "%s\n", kron_error_message(error));
done:
    kron_job_free(job);
    kron_error_free(error);
    close(timer);
    return status;
}
