// kron.hpp: what it wraps answers as C does, and objects may outlive and precede one another.
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "test.hpp"

// TZif data of version 2 for a zone with one offset before a Unix second and another one from it on.
static std::string tzif(std::int32_t before, std::int64_t time, std::int32_t after) {
    auto number = [](std::uint64_t value, int bytes) {
        std::string text(static_cast<std::size_t>(bytes), '\0');
        for (; bytes > 0; value >>= 8) text[static_cast<std::size_t>(--bytes)] = static_cast<char>(value & 0xff);
        return text;
    };
    auto header = [&](std::uint64_t times, std::uint64_t types, std::uint64_t characters) {
        return "TZif2" + std::string(15 + 12, '\0') + number(times, 4) + number(types, 4) + number(characters, 4);
    };
    auto type = [&](std::int32_t offset) { return number(static_cast<std::uint32_t>(offset), 4) + number(0, 2); };
    return header(0, 1, 1) + std::string(7, '\0') + header(1, 2, 4) + number(static_cast<std::uint64_t>(time), 8) +
           number(1, 1) + type(before) + type(after) + std::string("LMT\0\n\n", 6);
}

static void databases() {
    const std::int64_t change = INT64_C(1893456000);
    const std::string rules = tzif(32400, change, 36000), same = tzif(32400, change, 32400);
    const kron::TzDatabase compiled_in;
    CHECK(compiled_in.get() == nullptr && compiled_in.version() >= "2026e" && compiled_in.size() > 400);
    CHECK(compiled_in.zone(0) == "Africa/Abidjan" && compiled_in.offset_at("Asia/Tokyo", change) == std::chrono::hours(9));

    // Objects that were read with a database, after the last handle of it is gone.
    std::optional<kron::Job> job, from_json;
    std::optional<kron::Schedule> schedule;
    std::optional<kron::Fleet> fleet;
    {
        kron::TzDatabase made = kron::TzDatabase::from_tzif("2026z", {{"Test/Zone", rules}, {"Asia/Tokyo", rules}});
        CHECK(made.version() == "2026z" && made.size() == 2 && made.zone(1) == "Test/Zone");
        CHECK(made.offset_at("Test/Zone", change - 1) == std::chrono::hours(9) && made.offset_at("Test/Zone", change) == std::chrono::hours(10));
        CHECK(made.fingerprint("Test/Zone") == made.fingerprint("Asia/Tokyo"));
        CHECK(made.fingerprint("Asia/Tokyo") != compiled_in.fingerprint("Asia/Tokyo"));
        kron::TzDatabase copy = made;
        CHECK(copy.get() == made.get());
        kron::TzDatabase moved = std::move(made);
        CHECK(moved.get() == copy.get());
        made = copy;
        CHECK(made.version() == "2026z");
        job.emplace("a/b", "0 8 * * * @tz(Test/Zone)", copy);
        from_json = kron::Job("a/b", kron::JobSpec::from_json(R"({"schedule": "0 8 * * *", "timezone": "Test/Zone"})", copy));
        schedule.emplace("0 8 * * *", "Test/Zone", copy);
        fleet = kron::Fleet::parse("0 8 * * * @tz(Test/Zone) name=a/b\n", "", copy);
    }
    const kron::Time eight = at(change + 22 * 3600);
    CHECK(job->next_period(change).nominal_time() == eight && from_json->next_period(change).nominal_time() == eight);
    CHECK(schedule->next(change) == eight && fleet->at(0).next_period(change).nominal_time() == eight);
    CHECK(job->timezone() == "Test/Zone" && job->tzdb_version() == "2026z");
    CHECK(job->timezone_fingerprint() == fleet->at(0).timezone_fingerprint());
    CHECK(!kron::Job("a/b", "@daily @tz(A)", kron::TzDatabase::from_tzif({}, {{"A", rules}})).tzdb_version());
    CHECK(!kron::TzDatabase::from_tzif({}, {}).version());

    // A database and calendars together.
    const kron::Calendars calendars("x = 2030-01-02\n");
    CHECK(calendars.size() == 1 && calendars.line(0) == "x = 2030-01-02" && calendars.content_hash("x")->size() == 64);
    CHECK(!calendars.content_hash("y") && kron::Calendars().size() == 0);
    const kron::Job avoids("a/b", "0 8 * * * @tz(A) @avoid(calendar=x)", {kron::TzDatabase::from_tzif({}, {{"A", rules}}), calendars});
    CHECK(avoids.next_start(change).nominal_time() == at(change + 46 * 3600));
    CHECK(kron::Job("a/b", "@daily @avoid(calendar=x)", calendars).next_start(change).nominal_time() == at(change + 48 * 3600));
    CHECK(avoids.current_period(change + 46 * 3600)->nominal_time() == at(change + 46 * 3600));
    CHECK(!avoids.current_period(change + 47 * 3600));

    const std::int64_t nominal = INT64_C(1772323200) - 3600;
    const std::string receipt = kron::Job("a/b", "0 8 * * * @tz(Asia/Tokyo)").receipt_json(nominal);
    kron::Verification found = kron::verify_receipt(receipt);
    CHECK(found.agrees() && found.zone_rules == kron::ZoneRules::same && !found.first_difference);
    found = kron::verify_receipt(receipt, kron::TzDatabase::from_tzif("2026z", {{"Asia/Tokyo", same}}));
    CHECK(found.agrees() && found.zone_rules == kron::ZoneRules::other_release && found.details_json == R"({"differences":[],"notProven":["other times of the schedule"]})");
    found = kron::verify_receipt(receipt, kron::TzDatabase::from_tzif("2026z", {{"Asia/Tokyo", rules}}));
    CHECK(!found.agrees() && found.zone_rules == kron::ZoneRules::different && found.first_difference == at(change));
    CHECK(found.differences == 1 && found.details_json.find("timezoneFingerprint") != std::string::npos);

    CHECK(refused([] { kron::Job("a/b", "@daily @tz(Test/Zone)"); }) == kron::ErrorCode::time_zone);
    CHECK(refused([] { kron::TzDatabase::from_tzif({}, {{"A", "TZif"}}); }) == kron::ErrorCode::tz_data);
    CHECK(refused([] { kron::TzDatabase::from_tzif(std::string_view(), {}); }) == kron::ErrorCode::tz_data);
    CHECK(refused([] { kron::TzDatabase::read_dir("/does/not/exist"); }) == kron::ErrorCode::io);
    const std::filesystem::path dir = std::filesystem::temp_directory_path() / ("kron-" + std::to_string(getpid()));
    std::filesystem::create_directories(dir / "Test");
    std::ofstream(dir / "Test" / "Zone", std::ios::binary) << rules;
    CHECK(kron::TzDatabase::read_dir(dir.string()).zone(0) == "Test/Zone");
    std::filesystem::remove_all(dir);
}

int main() {
    databases();
    const std::int64_t march = INT64_C(1772323200);
    std::optional<kron::StartSeries> left;
    std::size_t want = 0;
    {
        kron::Job job("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)");
        kron::Decision start = job.next_start(march);
        CHECK(start.chosen_time() == at(march + 86400 + 563) && !start.unschedulable());
        CHECK(job.prev_start(*start.chosen_time()) == start && job.next_period(march) == start);
        CHECK(job.prev_period(start.nominal_time()) == start && job.decide(start.nominal_time()) == start);
        CHECK(start.period_id() == "2026-03-01T23:00:00Z" && start.period_key() == start.period_id() && start.draws() == 1);
        CHECK(start.window_start() == start.nominal_time() && start.window_end() - start.window_start() == std::chrono::hours(3));
        CHECK(start.seed_hash().size() == 64 && start.algorithm() == kron::Algorithm::siphash_chacha8);
        CHECK(job.name() == "prod/db-backup");
        CHECK(job.to_string() == "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)");
        CHECK(job.explain_json(start.nominal_time()).find("\"onSchedule\":true") != std::string::npos);
        CHECK(job.receipt_json(start.nominal_time()).find("kron.io/receipt/v1") != std::string::npos);
        std::size_t count = 0;
        for (const kron::Decision &period : job.periods(march, march + 10 * 86400)) count += period.chosen_time().has_value();
        CHECK(count == 10);
        kron::Job copy = job;
        left = copy.starts(march, march + 10 * 86400);
        for (start = job.next_start(march - 1); *start.chosen_time() < at(march + 10 * 86400); want++)
            start = job.next_start(*start.chosen_time());
    }
    std::size_t count = 0;
    for (const kron::Decision &start : *left) count += *start.chosen_time() >= at(march);
    CHECK(count == want && want >= 9);
    CHECK(!left->next());

    kron::Schedule schedule("30 2 * * *", "Europe/Paris");
    CHECK(schedule.next(march) == at(march + 5400) && schedule.prev(march + 5400) == at(march + 5400));
    CHECK(!schedule.next(INT64_MAX) && schedule.to_string() == "30 2 * * *");
    kron::NominalSeries nominals = schedule.series(march);
    CHECK(nominals.next() == at(march + 5400));
    CHECK(kron::Schedule("@daily").next(0) == at(86400));
    const std::chrono::minutes ten_minutes(10);
    kron::Primed primed = kron::Schedule("0/15 0 * * MON-FRI").prime(ten_minutes);
    CHECK(primed.expressions == std::vector<std::string>({"50 23 * * 0-4", "20,35,5 0 * * 1-5"}) && primed.minimal);
    CHECK(primed.surplus == 0 && kron::Schedule("0 0 1 3 *").prime_cover(ten_minutes).surplus == 32);
    CHECK(schedule.lead_changes_json(ten_minutes, march, march + 86400) == "[]");
    CHECK(kron::Job("a/b", "0 9 * * *").prime(ten_minutes).expressions.front() == "50 8 * * *");
    CHECK(kron::Job("a/b", "0 0 1 3 *").prime_cover(ten_minutes).surplus == 32);
    const kron::Placed placed = kron::Job("ops/backup", "0 0 * * * @win(after,2h)").placed();
    CHECK(placed.expression == "51 0 * * *" && placed.shift == std::chrono::minutes(51) && placed.candidates == 121);

    kron::Fleet fleet({kron::Job("a/early", "0 1 * * * @win(after,1h)"), kron::Job("b/late", "0 2 * * * @win(after,1h)")});
    CHECK(fleet.size() == 2 && fleet.at(1).name() == "b/late");
    CHECK(fleet.find("b/late") == fleet.begin() + 1 && !fleet.contains("b"));
    std::string order;
    for (const kron::FleetDecision &start : fleet.starts(0, 2 * 86400)) order += start.job.name().front();
    CHECK(order == "abab");
    order.clear();
    for (const auto &period : fleet.periods(0, 86400)) order += period.job.name().front();
    CHECK(order == "ab");

    const std::string hourly = "0 1 * * * @win(after,1h) name=a\n0 1 * * * @win(after,1h) name=b\n@daily @policy(suspend=true) name=c\n";
    const kron::Spread spread(kron::Fleet::parse(hourly), 0, 86400, std::chrono::minutes(1), true);
    CHECK(spread.peak() == 1 && spread.bound() == 1 && spread.present_peak() >= 1 && spread.peak_time() >= at(3600));
    CHECK(spread.seed(0)->compare(0, 5, "fixed") == 0 && !spread.seed(2) && spread.fleet().at(1).name() == "b");
    CHECK(refused([&] { spread.seed(3); }) == kron::ErrorCode::index);
    CHECK(spread.certificate_json().find("\"bound\":1,") != std::string::npos);
    const std::vector<kron::Change> changes =
        kron::diff(kron::Fleet::parse("0 1 * * * name=a\n"), kron::Fleet::parse("0 2 * * * name=a\n"), 0, 86400);
    CHECK(changes.size() == 2 && changes[0].kind == kron::ChangeKind::vanishes && changes[0].old_start == at(3600));
    CHECK(!changes[0].new_start && changes[1].new_start == at(7200) && changes[1].new_job == std::size_t{0});
    CHECK(changes[1].nominal_time == at(7200) && changes[1].kind == kron::ChangeKind::appears);

    CHECK(refused([] { kron::Job("a/b", "61 * * * *"); }) == kron::ErrorCode::cron_out_of_range);
    CHECK(refused([] { kron::Job("a/\xff", "@daily"); }) == kron::ErrorCode::invalid_utf8);
    CHECK(refused([] { kron::JobSpec::from_json("{}"); }) == kron::ErrorCode::manifest_missing_field);
    CHECK(refused([] { kron::Fleet::parse("@daily name=a\n@daily name=a\n"); }) == kron::ErrorCode::file_repeated_name);
    try {
        kron::Job("a/b", "0 9 * * FRI-SUN");
        CHECK(false);
    } catch (const kron::Error &error) {
        CHECK(error.field() == "schedule.dayOfWeek" && error.help() == "write `FRI-7`" && !error.job_index());
    }
    // A job that fails says which it is, and the others go on.
    kron::FleetStartSeries starts = kron::Fleet::parse("@daily name=a\n@hourly @only(hours=1) @avoid(hours=1) name=b\n").starts(0, INT64_MAX);
    try {
        starts.next();
        CHECK(false);
    } catch (const kron::Error &error) {
        CHECK(error.code() == kron::ErrorCode::no_start_in_sight && error.job_index() == std::size_t{1});
    }
    CHECK(starts.next()->job.name() == "a");
    std::printf("wrapper: %lu checks passed\n", checks);
}
