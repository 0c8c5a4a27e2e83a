/* The layout that programs are built with: sizes and offsets of all structs, values of all constants. A change here breaks
 * programs that were built before. */
#include "test.h"

/* C99 has no static assertion. */
#define HOLDS(name, condition) typedef char assert_##name[(condition) ? 1 : -1]
#define AT(type, field, offset) HOLDS(type##_##field, offsetof(type, field) == (offset))

HOLDS(char_is_a_byte, sizeof(char) == 1);
HOLDS(result_size, sizeof(kron_result) == 4);
HOLDS(result_unsigned, (kron_result)-1 > 0);

HOLDS(decision_size, KRON_DECISION_SIZE == 168);
AT(kron_decision, nominal_time, 0);
AT(kron_decision, window_start, 8);
AT(kron_decision, window_end, 16);
AT(kron_decision, chosen_time, 24);
AT(kron_decision, flags, 32);
AT(kron_decision, draws, 36);
AT(kron_decision, algorithm, 40);
AT(kron_decision, reserved, 44);
AT(kron_decision, period_id, 48);
AT(kron_decision, period_key, 72);
AT(kron_decision, seed_hash, 96);

HOLDS(policy_size, KRON_POLICY_SIZE == 16);
AT(kron_policy, deadline_ns, 0);
AT(kron_policy, concurrency, 8);
AT(kron_policy, suspend, 12);

HOLDS(action_size, KRON_ACTION_SIZE == 16);
AT(kron_action, until, 0);
AT(kron_action, kind, 8);
AT(kron_action, outcome, 12);

HOLDS(clock_change_size, KRON_CLOCK_CHANGE_SIZE == 24);
AT(kron_clock_change, time, 0);
AT(kron_clock_change, civil, 8);
AT(kron_clock_change, offset_before, 16);
AT(kron_clock_change, offset_after, 20);

HOLDS(step_size, KRON_STEP_SIZE == 200);
AT(kron_step, period, 0);
AT(kron_step, action, 168);
AT(kron_step, previous_open, 184);
AT(kron_step, flags, 192);
AT(kron_step, reserved, 196);

HOLDS(plan_counts_size, KRON_PLAN_COUNTS_SIZE == 32);
AT(kron_plan_counts, steps, 0);
AT(kron_plan_counts, older_missed, 8);
AT(kron_plan_counts, wake_up, 16);
AT(kron_plan_counts, flags, 24);
AT(kron_plan_counts, reserved, 28);

HOLDS(verification_size, KRON_VERIFICATION_SIZE == 24);
AT(kron_verification, differences, 0);
AT(kron_verification, first_difference, 8);
AT(kron_verification, zone_rules, 16);
AT(kron_verification, flags, 20);

HOLDS(tzif_size, KRON_TZIF_SIZE == 2 * (sizeof(void *) + sizeof(size_t)));
AT(kron_tzif, name, 0);
AT(kron_tzif, name_length, sizeof(void *));
AT(kron_tzif, data, sizeof(void *) + sizeof(size_t));
AT(kron_tzif, data_length, 2 * sizeof(void *) + sizeof(size_t));

HOLDS(change_size, KRON_CHANGE_SIZE == 48);
AT(kron_change, nominal_time, 0);
AT(kron_change, old_start, 8);
AT(kron_change, new_start, 16);
AT(kron_change, old_job, 24);
AT(kron_change, new_job, 32);
AT(kron_change, kind, 40);
AT(kron_change, flags, 44);

int main(void) {
    CHECK(strcmp(KRON_VERSION, kron_version()) == 0);
    CHECK(KRON_DECISION_CHOSEN == 1 && KRON_DECISION_NO_ALLOWED_SECOND == 2 && KRON_DECISION_DRAWS_EXHAUSTED == 4);
    CHECK(KRON_STEP_PREVIOUS_OPEN == 1 && KRON_PLAN_WAKE_UP == 1);
    CHECK(KRON_WINDOW_AFTER == 0 && KRON_WINDOW_AROUND == 1 && KRON_WINDOW_BEFORE == 2);
    CHECK(KRON_SEED_STRATEGY_STABLE == 0 && KRON_SEED_STRATEGY_DAILY == 1 && KRON_SEED_STRATEGY_WEEKLY == 2);
    CHECK(KRON_SEED_STRATEGY_FIXED == 3);
    CHECK(KRON_MU_DEFAULT == 0 && KRON_MU_NOMINAL == 1 && KRON_MU_START == 2 && KRON_MU_MID == 3 && KRON_MU_END == 4);
    CHECK(KRON_DIRECTION_EARLY == 0 && KRON_DIRECTION_LATE == 1);
    CHECK(KRON_ALGORITHM_SIPHASH_CHACHA8 == 0 && KRON_ALGORITHM_SHA256_SPLITMIX64 == 1);
    CHECK(KRON_CONCURRENCY_FORBID == 0 && KRON_CONCURRENCY_ALLOW == 1 && KRON_CONCURRENCY_REPLACE == 2);
    CHECK(KRON_ACTION_NOTHING == 0 && KRON_ACTION_WAIT == 1 && KRON_ACTION_EXECUTE == 2);
    CHECK(KRON_ACTION_REPLACE == 3 && KRON_ACTION_RECORD == 4);
    CHECK(KRON_OUTCOME_EXECUTED == 0 && KRON_OUTCOME_SKIPPED == 1 && KRON_OUTCOME_MISSED == 2);
    CHECK(KRON_OUTCOME_UNSCHEDULABLE == 3 && KRON_OUTCOME_NONE == 4);
    CHECK(KRON_OK == 0 && KRON_END == 1 && KRON_ABSENT == 2 && KRON_ERROR_PANIC == 99);
    CHECK(KRON_ZONE_RULES_SAME == 0 && KRON_ZONE_RULES_OTHER_RELEASE == 1 && KRON_ZONE_RULES_DIFFERENT == 2);
    CHECK(KRON_VERIFICATION_FIRST_DIFFERENCE == 1);
    CHECK(KRON_PERIOD_ID_SIZE == 24 && KRON_PERIOD_KEY_SIZE == 24 && KRON_SEED_HASH_SIZE == 72);
    CHECK(KRON_CHANGE_KIND_APPEARS == 0 && KRON_CHANGE_KIND_VANISHES == 1 && KRON_CHANGE_KIND_MOVES == 2);
    CHECK(KRON_CHANGE_KIND_SKIPPED == 3 && KRON_CHANGE_KIND_REPEATED == 4);
    CHECK(KRON_CHANGE_OLD_START == 1 && KRON_CHANGE_NEW_START == 2 && KRON_CHANGE_OLD_JOB == 4 && KRON_CHANGE_NEW_JOB == 8);
    CHECK(KRON_ERROR_IO == 19 && KRON_ERROR_NAME == 306 && KRON_ERROR_TZ_DATA == 309);
    CHECK(KRON_ERROR_CRON_OUT_OF_RANGE == 103 && KRON_ERROR_NO_PERIOD == 603);
    return summary("abi");
}
