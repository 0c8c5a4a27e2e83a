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

/* The steps of one plan. Windows that overlap much may need more; the error says how many. */
enum { ROOM = 64 };

/* Carries out a plan. Counts executions. */
static kron_result carry_out(const kron_step *steps, uint64_t count, kron_host_state *state, long *executions, kron_error **error) {
    for (uint64_t i = 0; i < count; i++) {
        const kron_decision *period = &steps[i].period;
        kron_result result = kron_host_state_record(state, &steps[i], KRON_STEP_SIZE, error);
        if (result != KRON_OK) return result;
        /* Your program would write kron_host_state_to_json to a file here, before it starts something. */
        switch (steps[i].action.kind) {
            case KRON_ACTION_EXECUTE:
            case KRON_ACTION_REPLACE:
                printf("execute %s at %" PRId64 "\n", period->period_id, period->chosen_time);
                ++*executions;
                /* It has ended at once. */
                result = kron_host_state_set_active(state, 0, error);
                if (result != KRON_OK) return result;
                break;
            case KRON_ACTION_RECORD:
                printf("record %s: outcome %u\n", period->period_id, (unsigned)steps[i].action.outcome);
                break;
            default: break; /* it waits, or the job is suspended */
        }
    }
    return KRON_OK;
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: timer NAME JOB [START SPEED]\n");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &clock_.began);
    clock_.from = argc == 5 ? strtoll(argv[3], NULL, 10) : (int64_t)time(NULL);
    clock_.speed = argc == 5 ? strtod(argv[4], NULL) : 1;
    long most = argc == 5 ? 5 : -1, executions = 0;

    kron_error *error = NULL;
    kron_job *job = NULL;
    int status = 1, timer = timerfd_create(argc == 5 ? CLOCK_MONOTONIC : CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    kron_host_state *state = NULL;
    static kron_step steps[ROOM];
    if (timer < 0) {
        perror("timerfd");
        return 1;
    }
    if (kron_job_parse(argv[1], argv[2], NULL, &job, &error) != KRON_OK ||
        kron_host_state_new(clock_.from, &state, &error) != KRON_OK)
        goto refused;
    while (most < 0 || executions < most) {
        kron_plan_counts plan;
        if (kron_job_plan_into(job, state, now(), steps, ROOM, KRON_STEP_SIZE, &plan, KRON_PLAN_COUNTS_SIZE, &error) != KRON_OK ||
            carry_out(steps, plan.steps, state, &executions, &error) != KRON_OK)
            goto refused;
        if (!(plan.flags & KRON_PLAN_WAKE_UP)) break; /* nothing is left to wait for */
        fflush(stdout);
        if (arm(timer, plan.wake_up) != 0) {
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
    kron_host_state_free(state);
    kron_job_free(job);
    kron_error_free(error);
    close(timer);
    return status;
}
