// kron.hpp: times of std::chrono, texts, builders, moved-from objects, ranges.
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <unordered_set>

#include <unistd.h>

#include "test.hpp"

using namespace std::chrono_literals;

static const std::int64_t march = INT64_C(1772323200); // 2026-03-01T00:00:00Z
static const char *const text = "0 0 * * * @tz(Europe/Paris) @win(after,3h)";

// A call of an object that was moved from says so.
template <typename Call> static bool says_moved(const char *type, Call &&call) {
    try {
        call();
    } catch (const std::logic_error &error) {
        return std::string(error.what()) == std::string(type) + " was moved from: it can only be assigned or destroyed";
    }
    return false;
}

template <typename T> static std::string printed(const T &value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

static void times(std::int64_t step) {
    using std::chrono::system_clock;
    CHECK(kron::to_string(at(0)) == "1970-01-01T00:00:00Z" && kron::to_string(at(-1)) == "1969-12-31T23:59:59Z");
    CHECK(kron::to_string(at(951782399)) == "2000-02-28T23:59:59Z" && kron::to_string(at(951782400)) == "2000-02-29T00:00:00Z");
    CHECK(kron::to_string(at(4107542400)) == "2100-03-01T00:00:00Z" && kron::to_string(at(march)) == "2026-03-01T00:00:00Z");
    // The days from the year 0 to 9999, at changing seconds, and texts that are no time.
    bool same = true;
    for (std::int64_t day = -719528; day <= 2932896; day += step) {
        const kron::Time time = at(day * 86400 + (day * 7919 % 86400 + 86400) % 86400);
        same = same && kron::parse_time(kron::to_string(time)) == time;
    }
    CHECK(same);
    for (const char *wrong : {"", "2026", "2026-03-01", "2026-03-01T00:00:00", "2026-03-01 00:00:00Z", "2026-03-01T00:00:00z", "2026-02-29T00:00:00Z",
                              "2026-03-01T24:00:00Z", "2026-03-01T00:60:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-03-00T00:00:00Z",
                              "2026-03-01T00:00:00.5Z", "2026-03-01T01:00:00+01:00", "+026-03-01T00:00:00Z", "2026-03-01T00:00:00Z ", "\xff\xff\xff\xff-03-01T00:00:00Z"}) {
        try {
            kron::parse_time(wrong);
            CHECK(!wrong);
        } catch (const std::invalid_argument &error) {
            CHECK(std::string(error.what()).find("write it as in `2026-03-01T00:00:00Z`") != std::string::npos);
        }
    }
    CHECK(kron::to_string(at(-62167219200)) == "0000-01-01T00:00:00Z" && kron::to_string(at(253402300800)) == "10000-01-01T00:00:00Z");
    // The days of up to 130 years as period ids have them, which Rust writes.
    const kron::Job daily("a", "0 0 * * *");
    for (const kron::Decision &period : daily.periods(0, 4102444800 / step)) CHECK(kron::to_string(period.nominal_time()) == period.period_id());

    const system_clock::time_point half = system_clock::time_point(std::chrono::seconds(7)) + 500ms, before = system_clock::time_point(-500ms);
    CHECK(kron::Instant(half).floor() == 7 && kron::Instant(half).ceil() == 8);
    CHECK(kron::Instant(before).floor() == -1 && kron::Instant(before).ceil() == 0);
    CHECK(kron::Instant(at(7)).floor() == 7 && kron::Instant(7u).ceil() == 7 && kron::Instant(UINT64_MAX).floor() == INT64_MAX);
    using Hours = std::chrono::time_point<system_clock, std::chrono::duration<std::int64_t, std::ratio<3600>>>;
    CHECK(kron::Instant(Hours::max()).floor() == INT64_MAX && kron::Instant(Hours::min()).floor() == -INT64_MAX);
    CHECK(kron::Instant(system_clock::time_point::max()).floor() == 9223372036 && kron::Instant(system_clock::time_point::min()).ceil() == -9223372036);

    // A start at 7 s is after 6.5 s and not after 7 s; a range from 6.5 s has it, one from 7.5 s has not.
    const kron::Job minutely("a", "* * * * *");
    const auto start = at(60);
    CHECK(minutely.next_start(start - 500ms).chosen_time() == start && minutely.next_start(start).chosen_time() == at(120));
    CHECK(minutely.prev_start(start + 500ms).chosen_time() == start && minutely.prev_start(start - 500ms).chosen_time() == at(0));
    CHECK(minutely.starts(start, start + 1s).next()->chosen_time() == start && !minutely.starts(start + 1ms, start + 1min).next());
    CHECK(minutely.starts(start - 1ms, start + 1ms).next().has_value() && !minutely.starts(start, start).next());
    CHECK(minutely.next_start(system_clock::now()).chosen_time() > system_clock::now() - 1s);
    CHECK(minutely.decide(start).nominal_time() == start);
    try {
        minutely.decide(start + 1ms);
        CHECK(false);
    } catch (const std::invalid_argument &error) {
        CHECK(std::string(error.what()).find("whole second") != std::string::npos);
    }

    CHECK(kron::Duration::parse("1h30m") == 90min && kron::Duration(90min).to_string() == "1h30m0s" && printed(kron::Duration(1500ms)) == "1.5s");
    CHECK(kron::Duration() == 0s && kron::Duration(1s) < kron::Duration(2s) && std::chrono::nanoseconds(kron::Duration(1us)).count() == 1000);
    CHECK(refused([] { kron::Duration::parse("1x"); }) == kron::ErrorCode::duration);
    try {
        kron::Duration(std::chrono::seconds::max());
        CHECK(false);
    } catch (const std::overflow_error &error) {
        CHECK(std::string(error.what()).find("292 years") != std::string::npos);
    }
}

static void texts() {
    const kron::Job job("prod/db-backup", text);
    const kron::Decision start = job.next_start(march);
    CHECK(printed(start) == "2026-03-01T23:00:00Z starts at 2026-03-02T00:09:23Z" && to_string(start) == printed(start));
    CHECK(printed(job) == "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)" && to_string(job.spec()) == job.to_string());
    const kron::Decision none = kron::Job("a", "@daily @only(hours=1)").next_period(march);
    CHECK(printed(none) == "2026-03-02T00:00:00Z is unschedulable: noAllowedSecond" && !none.chosen_time());
    CHECK(none.unschedulable() == kron::Unschedulable::no_allowed_second && printed(*none.unschedulable()) == "noAllowedSecond");
    CHECK(printed(kron::ErrorCode::cron_out_of_range) == "cron-out-of-range" && printed(kron::Algorithm::sha256_splitmix64) == "sha256-splitmix64/1");
    CHECK(printed(kron::Window::around(90min)) == "around,1h30m0s" && printed(kron::Concurrency::replace) == "replace");
    CHECK(printed(kron::SeedStrategy::weekly) == "weekly" && printed(kron::ChangeKind::moves) == "moves");
    const kron::Fleet fleet({{"a", "0 1 * * *"}, {"b", "0 2 * * *"}});
    CHECK(printed(*fleet.starts(0).next()) == "a 1970-01-01T01:00:00Z starts at 1970-01-01T01:00:00Z");
    const kron::Policy policy{10min, kron::Concurrency::forbid, false};
    const kron::Decision decision = job.decide(march);
    CHECK(printed(kron::evaluate(policy, decision, *decision.chosen_time(), false, false)) == "execute");
    const kron::Action wait = kron::evaluate(policy, decision, march, false, false);
    CHECK(wait.kind() == kron::ActionKind::wait && wait.until() == decision.chosen_time() && !wait.outcome() && !wait.starts());
    CHECK(printed(wait) == "wait until " + kron::to_string(*decision.chosen_time()));
    const kron::Action late = kron::evaluate(policy, decision, *decision.chosen_time() + 11min, false, false);
    CHECK(printed(late) == "record missed" && late.outcome() == kron::Outcome::missed && !(late == wait) && late != wait);

    try {
        kron::Job("a/b", "0 9 * * FRI-SUN");
        CHECK(false);
    } catch (const kron::Error &error) {
        CHECK(error.code() == kron::ErrorCode::cron_backwards && error.field() == "schedule.dayOfWeek" && error.help() == "write `FRI-7`");
        CHECK(error.span() == kron::Span{8, 15} && error.line() == 0 && error.errors().size() == 1);
    }
    try {
        kron::Fleet::parse("61 * * * * name=a\n@daily\n@daily name=c\n");
        CHECK(false);
    } catch (const kron::Error &error) {
        CHECK(error.line() == 1 && error.errors().size() == 2 && error.errors()[1].code() == kron::ErrorCode::file_missing_name);
    }
}

static void specs() {
    const kron::JobSpec spec("@daily @tz(Europe/Paris) @win(around,90m) @policy(deadline=10m,concurrency=replace)");
    CHECK(spec.cron() == "0 0 * * *" && spec.timezone() == "Europe/Paris" && spec.window() == kron::Window::around(90min));
    CHECK(spec.policy() == kron::Policy{10min, kron::Concurrency::replace, false} && spec.policy().deadline == 10min);
    CHECK(kron::JobSpec::parse(spec.to_string()) == spec && spec != kron::JobSpec("@daily"));
    CHECK(kron::JobSpec::from_json(spec.spec_json()) == spec);
    const kron::Job job("a", spec);
    CHECK(job.spec() == spec && job == kron::Job("a", spec.to_string()) && job != kron::Job("b", spec) && job.name() == "a");
    CHECK(std::unordered_set<kron::JobSpec>({spec, spec, kron::JobSpec("@daily")}).size() == 2);
    CHECK(std::unordered_set<kron::Job>({job, kron::Job("b", spec)}).count(job) == 1);

    kron::JobBuilder builder("@daily");
    builder.timezone("Europe/Paris").window(kron::WindowMode::around, 90min).concurrency(kron::Concurrency::replace).deadline(10min);
    CHECK(builder.build() == spec && builder.build("a") == job);
    auto other = kron::JobBuilder(builder).suspend().salt("blue").seed(kron::SeedStrategy::weekly);
    CHECK(builder.build() == spec);
    CHECK(other.build().to_string() == "0 0 * * * @tz(Europe/Paris) @win(around,1h30m0s) @seed(weekly,salt=blue) "
                                       "@policy(concurrency=replace,deadline=10m0s,suspend=true)");
    auto text_of = [](const kron::JobBuilder &made) { return made.build().to_string(); };
    const std::string start = "0 * * * * @win(after,30m0s)";
    auto hourly = [] { return kron::JobSpec::builder("@hourly").window(kron::Window::after(30min)); };
    CHECK(text_of(hourly().distribution(kron::Distribution::uniform())) == start);
    CHECK(text_of(hourly().distribution(kron::Distribution::skew_early())) == start + " @dist(skewEarly)");
    CHECK(text_of(hourly().distribution(kron::Distribution::skew_late(3))) == start + " @dist(skewLate,shape=3)");
    CHECK(text_of(hourly().distribution(kron::Distribution::normal())) == start + " @dist(normal)");
    CHECK(text_of(hourly().distribution(kron::Distribution::normal(2min, kron::Mu::start))) == start + " @dist(normal,mu=start,sigma=2m0s)");
    CHECK(text_of(hourly().distribution(kron::Distribution::exponential(8, kron::Direction::late))) == start + " @dist(exponential,lambda=8,dir=late)");
    CHECK(text_of(hourly().distribution("skewEarly,shape=3")) == start + " @dist(skewEarly,shape=3)");
    CHECK(text_of(hourly().algorithm(kron::Algorithm::sha256_splitmix64)) == start + " @alg(sha256-splitmix64/1)");
    const kron::Calendars calendars("x = 2030-01-02\n");
    CHECK(text_of(hourly().only(kron::Clause().dow("MON-FRI").hours("9-17")).avoid(kron::Clause().calendar(calendars, "x"))) ==
          start + " @only(hours=9-17;dow=1-5) @avoid(calendar=x)");
    CHECK(text_of(hourly().constraints("@only(dow=MON-FRI) @avoid(calendar=x)", calendars)) == start + " @only(dow=1-5) @avoid(calendar=x)");
    CHECK(text_of(hourly().only(kron::Clause().dom("1").months("2").between("09:00-10:00"))
                      .avoid(kron::Clause().date("2026-12-24").dates("2026-01-01..2026-01-03"))).size() > 60);

    // What is wrong, and nothing that was set before is lost.
    CHECK(refused([&] { builder.timezone("Europe/Pariss"); }) == kron::ErrorCode::time_zone);
    CHECK(refused([&] { builder.window(kron::Window::after(-1s)); }) == kron::ErrorCode::out_of_bounds);
    CHECK(refused([&] { builder.deadline(-1s); }) == kron::ErrorCode::out_of_bounds);
    CHECK(refused([&] { builder.distribution(kron::Distribution::skew_early(0)); }) == kron::ErrorCode::number);
    CHECK(refused([&] { builder.only(kron::Clause()); }) == kron::ErrorCode::constraint_empty);
    CHECK(refused([&] { builder.only(kron::Clause().part("weekday", "1")); }) == kron::ErrorCode::constraint_unknown_part);
    CHECK(refused([&] { builder.build(""); }) == kron::ErrorCode::name && builder.build() == spec);
}

static void fleets() {
    const kron::Job job("c", "0 3 * * *");
    const std::vector<kron::Job> jobs = {{"a", "0 1 * * *"}, {"b", "0 2 * * *"}, job};
    const kron::Fleet fleet(jobs), same(jobs.begin(), jobs.end()), inits{jobs[0], jobs[1], job};
    CHECK(fleet.size() == 3 && !fleet.empty() && same.at("b").name() == "b" && fleet["c"] == job && inits[2] == job && fleet[0].name() == "a");
    CHECK(fleet.contains("b") && fleet.find("d") == fleet.end() && fleet.find("b")->name() == "b" && fleet.find("c") - fleet.begin() == 2);
    std::string names;
    for (const kron::Job &each : fleet) names += each.name();
    for (const auto &[start, of] : fleet.starts(at(0), at(2 * 86400))) names += of.name() + std::to_string(kron::to_unix(*start.chosen_time()) / 3600);
    CHECK(names == "abca1b2c3a25b26c27");
    CHECK(fleet.starts(at(0)).take(4).size() == 4 && fleet.periods(at(0)).take(2)[1].job.name() == "b");
    for (auto wrong : {0, 1}) try {
        wrong ? fleet.at("d") : fleet.at(3);
        CHECK(false);
    } catch (const std::out_of_range &error) {
        CHECK(std::string(error.what()).find(wrong ? "`d`" : "index 3") != std::string::npos);
    }

    const std::filesystem::path path = std::filesystem::temp_directory_path() / ("kron-objects-" + std::to_string(getpid()));
    std::ofstream(path) << "@daily name=a owner=ann\n";
    CHECK(kron::Fleet::load_file(path).size() == 1 && kron::Fleet::load_file(path.string()).field(0, "owner") == "ann");
    CHECK(!kron::Fleet::load_file(path.c_str()).field(0, "team") && kron::Fleet::load_file(path).findings_json() == "[]");
    std::filesystem::remove(path);
    CHECK(refused([&] { kron::Fleet::load_file(path); }) == kron::ErrorCode::io);
}

static void ranges() {
    const kron::Job job("a", "0 0 * * * @win(after,3h)");
    const std::vector<kron::Decision> week = job.starts(march).take(7);
    auto series = job.starts(at(march), at(march + 7 * 86400));
    CHECK(std::vector<kron::Decision>(series.begin(), series.end()) == week && week.size() == 7);
    // Latest first.
    std::vector<kron::Decision> back;
    for (const kron::Decision &start : job.starts_back(march, march + 7 * 86400)) back.insert(back.begin(), start);
    CHECK(back == week && job.starts_back(march + 7 * 86400).take(1).front() == week.back());
    CHECK(job.periods_back(march).next()->nominal_time() == at(march - 86400) && job.periods(march).next()->nominal_time() == at(march));
    CHECK(job.periods_back(march, march + 2 * 86400).take(9).size() == 2);
    // The same of a fleet, with ties.
    const kron::Fleet twins({job, kron::Job("b", "0 0 * * *"), kron::Job("c", "0 0 * * *")});
    std::vector<std::string> forth, reversed;
    for (const auto &start : twins.starts(march, march + 7 * 86400)) forth.push_back(kron::to_string(start));
    for (const auto &start : twins.starts_back(march, march + 7 * 86400)) reversed.insert(reversed.begin(), kron::to_string(start));
    CHECK(forth == reversed && forth.size() == 21 && kron::to_string(*twins.starts_back(march + 7 * 86400).next()) == forth.back());
    forth.clear(), reversed.clear();
    for (const auto &period : twins.periods(march, march + 7 * 86400)) forth.push_back(kron::to_string(period));
    for (const auto &period : twins.periods_back(march, march + 7 * 86400)) reversed.insert(reversed.begin(), kron::to_string(period));
    CHECK(forth == reversed && forth.size() == 21 && kron::to_string(*twins.periods_back(march + 7 * 86400).next()) == forth.back());
    const kron::Schedule schedule("0 0 * * *");
    CHECK(schedule.series_back(march).next() == at(march) && schedule.series(at(march)).take(2)[1] == at(march + 2 * 86400));
    CHECK(schedule.timezone() == "UTC" && printed(schedule) == "0 0 * * *");
    // A range of a job that is gone, in other hands.
    kron::StartSeries gone = kron::Job("a", "0 0 * * * @win(after,3h)").starts(march);
    kron::StartSeries taken = std::move(gone);
    CHECK(taken.next() == week[0]);
    CHECK(says_moved("a series of kron", [&] { gone.next(); }) && says_moved("a series of kron", [&] { gone.begin(); }));
    gone = job.starts(march);
    CHECK(gone.next() == week[0]);
}

template <typename T, typename... Uses> static void moved(const char *type, T object, Uses... uses) {
    T copy = object, target = std::move(object);
    CHECK((says_moved(type, [&] { uses(object); }) && ...));
    CHECK(says_moved(type, [&] { object.get(); }) && says_moved(type, [&] { T again(object); }) && says_moved(type, [&] { target = object; }));
    CHECK(!says_moved(type, [&] { target.get(); }));
    // A move of it leaves the target moved-from, too: moves throw nothing.
    T third = std::move(object);
    CHECK(says_moved(type, [&] { third.get(); }));
    object = copy;
    third = std::move(object);
    CHECK(!says_moved(type, [&] { third.get(); }) && says_moved(type, [&] { object.get(); }));
    third = *&third;
    CHECK(!says_moved(type, [&] { third.get(); }));
    std::swap(object, third);
    CHECK(!says_moved(type, [&] { object.get(); }) && says_moved(type, [&] { third.get(); }));
}

static void moved_objects() {
    static_assert(std::is_nothrow_move_constructible_v<kron::Job> && std::is_nothrow_move_assignable_v<kron::Fleet>);
    static_assert(!std::is_default_constructible_v<kron::Job> && std::is_copy_assignable_v<kron::Job>);
    static_assert(std::is_nothrow_move_constructible_v<kron::JobBuilder> && std::is_trivially_copyable_v<kron::Decision>);
    moved("kron::Job", kron::Job("a", "@daily"), [](auto &job) { job.next_start(0); }, [](auto &job) { job.name(); },
          [](auto &job) { job.starts(0); }, [](auto &job) { (void)(job == job); }, [](auto &job) { kron::Fleet({job}); });
    moved("kron::JobSpec", kron::JobSpec("@daily"), [](auto &spec) { spec.to_string(); }, [](auto &spec) { kron::Job("a", spec); });
    // The default objects are no handles, and yet not what moved-from ones become.
    moved("kron::TzDatabase", kron::TzDatabase(), [](auto &tzdb) { tzdb.version(); }, [](auto &tzdb) { tzdb.size(); },
          [](auto &tzdb) { kron::Schedule("@daily", "UTC", tzdb); }, [](auto &tzdb) { kron::JobBuilder("@daily").timezone("UTC", tzdb); },
          [](auto &tzdb) { kron::Job("a", "@daily", tzdb); });
    moved("kron::Calendars", kron::Calendars(), [](auto &calendars) { calendars.size(); }, [](auto &calendars) { kron::Parser{calendars}; });
    moved("kron::Calendars", kron::Calendars("x = 2030-01-02\n"), [](auto &calendars) { calendars.line(0); });
    moved("kron::Parser", kron::Parser(), [](auto &parser) { kron::Job("a", "@daily", parser); }, [](auto &parser) { kron::Fleet::parse("", "", parser); },
          [](auto &parser) { kron::verify_receipt("{}", parser); });
    moved("kron::Schedule", kron::Schedule("@daily"), [](auto &schedule) { schedule.next(0); }, [](auto &schedule) { schedule.series(0); });
    const kron::Fleet fleet({{"a", "@daily"}});
    moved("kron::Fleet", fleet, [](auto &each) { each.size(); }, [](auto &each) { each.begin(); }, [](auto &each) { each.starts(0); },
          [](auto &each) { each.at(0); }, [](auto &each) { each["a"]; });
    moved("kron::Spread", kron::Spread(fleet, 0, 86400, 1h), [](auto &spread) { spread.peak(); }, [](auto &spread) { spread.fleet(); });
    moved("kron::HostState", kron::HostState(0), [](auto &state) { state.is_active(); }, [](auto &state) { state.set_active(true); },
          [](auto &state) { kron::Job("a", "@daily").plan(state, 0); });
    moved("kron::JobBuilder", kron::JobBuilder("@daily"), [](auto &builder) { builder.build(); }, [](auto &builder) { builder.suspend(); });
}

static void hosts() {
    const kron::Job job("a", "0 0 * * * @win(after,3h) @policy(deadline=10m)");
    const kron::Time chosen = *job.decide(march).chosen_time();
    kron::HostState state(march - 1);
    const kron::Plan before = job.plan(state, march);
    CHECK(before.size() == 1 && before.wake_up() == chosen && before[0].action.kind() == kron::ActionKind::wait && before.older_missed() == 0);
    const kron::Plan plan = job.plan(state, chosen + 500ms);
    CHECK(plan.size() == 1 && !plan.empty() && plan.steps()[0].period == job.decide(march) && plan[0].action.starts());
    CHECK(plan[0].action.outcome() == kron::Outcome::executed && printed(plan[0].action) == "execute" && plan[0] != before[0]);
    kron::HostState copy = state;
    for (const auto &[decision, action, previous_open] : plan) CHECK(decision.nominal_time() == at(march) && action.starts() && !previous_open);
    state.record(plan[0]);
    CHECK(state.is_handled(march) && state.is_active() && !copy.is_handled(march) && copy != state && job.plan(state, chosen).empty());
    CHECK(kron::HostState::from_json(state.to_json()) == state);
    state.set_active(false);
    CHECK(!state.is_active());
    copy = state;
    CHECK(copy == state);
    state.reconfigure(chosen + 24h);
    CHECK(state.is_handled(march) && job.plan(state, chosen + 24h).size() <= 1);
    CHECK(refused([] { kron::HostState::from_json("[]"); }) == kron::ErrorCode::host_state);
    // A step that C made, and one of a host that has its own periods.
    const kron_step step = plan[0].get();
    CHECK(kron::Step::from(step) == plan[0]);
    const kron::Plan own = kron::plan(job.policy(), {job.decide(march), job.decide(march + 86400)}, chosen, true);
    CHECK(own.size() == 2 && own[0].action.outcome() == kron::Outcome::skipped && own[1].action.kind() == kron::ActionKind::wait);
    CHECK(own[1].previous_open == at(march) && kron::Step::from(own[1].get()) == own[1]);
    CHECK(!kron::plan(job.policy(), {}, chosen, false).wake_up());

    kron::Plan moved = plan, taken = std::move(moved);
    CHECK(taken.size() == 1 && moved.size() == 1);
}

static void threads() {
    const kron::Job job("a", text);
    const kron::Fleet fleet({job, kron::Job("b", "@hourly")});
    const kron::Decision want = job.next_start(march);
    std::array<bool, 4> same{};
    std::vector<std::thread> running;
    for (bool &found : same)
        running.emplace_back([&] {
            found = true;
            for (int i = 0; i < 200; ++i) {
                const kron::Job copy = job;
                found = found && copy.next_start(march) == want && fleet.starts(march).take(3).size() == 3;
            }
        });
    for (std::thread &thread : running) thread.join();
    for (bool found : same) CHECK(found);
}

// The argument, 1 without one: each how many days are tried.
int main(int count, char **arguments) {
    times(count > 1 ? std::atoi(arguments[1]) : 1);
    texts();
    specs();
    fleets();
    ranges();
    moved_objects();
    hosts();
    threads();
    std::printf("objects: %lu checks passed\n", checks);
}
