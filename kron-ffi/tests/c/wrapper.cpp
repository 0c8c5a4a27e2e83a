// kron.hpp: what it wraps answers as C does, and objects may outlive and precede one another.
#include <cstdio>
#include <cstdlib>

#include "kron.hpp"

static unsigned long checks;

#define CHECK(condition)                                                            \
    do {                                                                            \
        checks++;                                                                   \
        if (!(condition)) {                                                         \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                           \
        }                                                                           \
    } while (0)

template <typename Call> static kron_result refused(Call &&call) {
    try {
        call();
    } catch (const kron::Error &error) {
        CHECK(*error.what() != '\0');
        return error.code();
    }
    return KRON_RESULT_OK;
}

int main() {
    const std::int64_t march = INT64_C(1772323200);
    std::optional<kron::StartSeries> left;
    std::size_t want = 0;
    {
        kron::Job job("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)");
        kron::Decision start = job.next_start(march);
        CHECK(kron::chosen(start) == march + 86400 + 563);
        CHECK(job.prev_start(*kron::chosen(start)).nominal_time == start.nominal_time);
        CHECK(job.next_period(march).nominal_time == start.nominal_time);
        CHECK(job.prev_period(start.nominal_time).nominal_time == start.nominal_time);
        CHECK(job.decide(start.nominal_time).draws == start.draws);
        CHECK(job.name() == "prod/db-backup");
        CHECK(job.text() == "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)");
        CHECK(job.explain_json(start.nominal_time).find("\"onSchedule\":true") != std::string::npos);
        CHECK(job.receipt_json(start.nominal_time).find("kron.io/receipt/v1") != std::string::npos);
        std::size_t count = 0;
        for (const kron::Decision &period : job.periods(march, march + 10 * 86400)) count += period.flags == KRON_DECISION_CHOSEN;
        CHECK(count == 10);
        kron::Job copy = job;
        left = copy.starts(march, march + 10 * 86400);
        for (start = job.next_start(march - 1); start.chosen_time < march + 10 * 86400; want++)
            start = job.next_start(start.chosen_time);
    }
    std::size_t count = 0;
    for (const kron::Decision &start : *left) count += start.chosen_time >= march;
    CHECK(count == want && want >= 9);
    CHECK(!left->next());

    kron::Schedule schedule("30 2 * * *", "Europe/Paris");
    CHECK(schedule.next(march) == march + 5400 && schedule.prev(march + 5400) == march + 5400);
    CHECK(!schedule.next(INT64_MAX) && schedule.text() == "30 2 * * *");
    kron::NominalSeries nominals = schedule.series(march);
    CHECK(nominals.next() == march + 5400);
    CHECK(kron::Schedule("@daily").next(0) == 86400);

    kron::Fleet fleet({kron::Job("a/early", "0 1 * * * @win(after,1h)"), kron::Job("b/late", "0 2 * * * @win(after,1h)")});
    CHECK(fleet.size() == 2 && fleet.job(1).name() == "b/late");
    std::string order;
    for (const kron::FleetDecision &start : fleet.starts(0, 2 * 86400)) order += static_cast<char>('0' + start.job);
    CHECK(order == "0101");
    order.clear();
    for (const auto &period : fleet.periods(0, 86400)) order += static_cast<char>('0' + period.job);
    CHECK(order == "01");

    CHECK(refused([] { kron::Job("a/b", "61 * * * *"); }) == KRON_RESULT_CRON_OUT_OF_RANGE);
    CHECK(refused([] { kron::Job("a/\xff", "@daily"); }) == KRON_RESULT_INVALID_UTF8);
    CHECK(refused([] { kron::Job::from_spec_json("a/b", "{}"); }) == KRON_RESULT_MANIFEST_MISSING_FIELD);
    CHECK(refused([&] { fleet.job(2); }) == KRON_RESULT_INDEX);
    CHECK(refused([] { kron::Fleet::load("@daily name=a\n@daily name=a\n"); }) == KRON_RESULT_FILE_REPEATED_NAME);
    try {
        kron::Job("a/b", "0 9 * * FRI-SUN");
        CHECK(false);
    } catch (const kron::Error &error) {
        CHECK(error.field() == "schedule.dayOfWeek" && error.help() == "write `FRI-7`" && !error.job());
    }
    // A job that fails says which it is, and the others go on.
    kron::FleetStarts starts = kron::Fleet::load("@daily name=a\n@hourly @only(hours=1) @avoid(hours=1) name=b\n").starts(0, INT64_MAX);
    try {
        starts.next();
        CHECK(false);
    } catch (const kron::Error &error) {
        CHECK(error.code() == KRON_RESULT_NO_START_IN_SIGHT && error.job() == std::size_t{1});
    }
    CHECK(starts.next()->job == 0);
    std::printf("wrapper: %lu checks passed\n", checks);
}
