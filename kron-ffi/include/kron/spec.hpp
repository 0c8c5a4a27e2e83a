// The parts of a job: window, distribution, seed, constraints and policy; specs, and their builder. Part of kron.hpp.
#ifndef KRON_SPEC_HPP
#define KRON_SPEC_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decision.hpp"
#include "error.hpp"
#include "time.hpp"
#include "tzdb.hpp"

namespace kron {

// The position of a window of length D relative to the nominal time N.
enum class WindowMode : std::uint32_t {
    after = KRON_WINDOW_AFTER,   // from N to N + D
    around = KRON_WINDOW_AROUND, // from N - D/2 to N + D/2
    before = KRON_WINDOW_BEFORE, // from N - D to N
};

// Where the start may be, seen from the nominal time.
class Window {
public:
    constexpr Window(WindowMode mode, Duration duration) : mode_(mode), duration_(duration) {}
    static constexpr Window after(Duration duration) { return {WindowMode::after, duration}; }
    static constexpr Window around(Duration duration) { return {WindowMode::around, duration}; }
    static constexpr Window before(Duration duration) { return {WindowMode::before, duration}; }

    constexpr WindowMode mode() const noexcept { return mode_; }
    constexpr Duration duration() const noexcept { return duration_; }

    friend constexpr bool operator==(Window a, Window b) noexcept { return a.mode_ == b.mode_ && a.duration_ == b.duration_; }
    friend constexpr bool operator!=(Window a, Window b) noexcept { return !(a == b); }

private:
    WindowMode mode_;
    Duration duration_;
};

// Where a normal distribution has its peak.
enum class Mu : std::uint32_t { nominal = KRON_MU_NOMINAL, start = KRON_MU_START, mid = KRON_MU_MID, end = KRON_MU_END };

// The side of the window where an exponential distribution is densest.
enum class Direction : std::uint32_t { early = KRON_DIRECTION_EARLY, late = KRON_DIRECTION_LATE };

// How starts are spread over the window. `uniform` is the default. Numbers are checked by JobBuilder::distribution.
class Distribution {
public:
    static Distribution uniform() { return Distribution([](kron_job_builder *b, kron_error **e) { return kron_job_builder_uniform(b, e); }); }
    // Shape: finite and above 0; 1 is uniform.
    static Distribution skew_early(double shape = 2) {
        return Distribution([=](kron_job_builder *b, kron_error **e) { return kron_job_builder_skew_early(b, shape, e); });
    }
    static Distribution skew_late(double shape = 2) {
        return Distribution([=](kron_job_builder *b, kron_error **e) { return kron_job_builder_skew_late(b, shape, e); });
    }
    // The standard deviation, by default a sixth of the window; the peak, by default at the nominal time for windows `around`, in the
    // middle of all others.
    static Distribution normal(std::optional<Duration> sigma = std::nullopt, std::optional<Mu> mu = std::nullopt) {
        return Distribution([=](kron_job_builder *b, kron_error **e) {
            const std::int64_t length = sigma ? sigma->nanoseconds().count() : 0;
            return kron_job_builder_normal(b, mu ? static_cast<std::uint32_t>(*mu) : KRON_MU_DEFAULT, sigma ? &length : nullptr, e);
        });
    }
    // Lambda: per window length, finite and above 0.
    static Distribution exponential(double lambda = 1, Direction direction = Direction::early) {
        return Distribution([=](kron_job_builder *b, kron_error **e) {
            return kron_job_builder_exponential(b, lambda, static_cast<std::uint32_t>(direction), e);
        });
    }

private:
    friend class JobBuilder;
    explicit Distribution(std::function<kron_result(kron_job_builder *, kron_error **)> set) : set_(std::move(set)) {}

    std::function<kron_result(kron_job_builder *, kron_error **)> set_;
};

// How often a new draw is made: for every period, for every local day, for every local ISO week, or never.
enum class SeedStrategy : std::uint32_t {
    stable = KRON_SEED_STRATEGY_STABLE,
    daily = KRON_SEED_STRATEGY_DAILY,
    weekly = KRON_SEED_STRATEGY_WEEKLY,
    fixed = KRON_SEED_STRATEGY_FIXED,
};

// What happens while an earlier execution is active: skip the period, run both, or stop the active one first.
enum class Concurrency : std::uint32_t {
    forbid = KRON_CONCURRENCY_FORBID,
    allow = KRON_CONCURRENCY_ALLOW,
    replace = KRON_CONCURRENCY_REPLACE,
};

// How a host treats the periods of a job.
struct Policy {
    // How late a start may be. With 0, the default, a start that is a second late is missed.
    Duration deadline{};
    Concurrency concurrency = Concurrency::forbid;
    // Whether to start nothing and record nothing.
    bool suspend = false;

    friend bool operator==(const Policy &a, const Policy &b) noexcept {
        return a.deadline == b.deadline && a.concurrency == b.concurrency && a.suspend == b.suspend;
    }
    friend bool operator!=(const Policy &a, const Policy &b) noexcept { return !(a == b); }
};

namespace detail {

inline kron_policy to_c(const Policy &policy) {
    return {policy.deadline.nanoseconds().count(), static_cast<std::uint32_t>(policy.concurrency), policy.suspend ? 1u : 0u};
}

} // namespace detail

// A clause of a constraint: parts that must all match. Values are as in the text form: `9-17`, `MON-FRI`, `2026-12-24`. They are checked
// by JobBuilder::only and JobBuilder::avoid.
class Clause : public hints::ForClause {
public:
    Clause() = default;
    template <typename Text, std::enable_if_t<std::is_convertible_v<Text, std::string_view>, int> = 0> explicit Clause(const Text &) {
        static_assert(hints::never<Text>, "write kron::Clause().dow(\"MON-FRI\").hours(\"9-17\"), or constraints(\"@only(dow=MON-FRI)\")");
    }
    Clause &hours(std::string_view value) { return part("hours", value); }
    Clause &dow(std::string_view value) { return part("dow", value); }
    Clause &dom(std::string_view value) { return part("dom", value); }
    Clause &months(std::string_view value) { return part("months", value); }
    Clause &between(std::string_view value) { return part("between", value); }
    Clause &date(std::string_view value) { return part("date", value); }
    Clause &dates(std::string_view value) { return part("dates", value); }
    Clause &part(std::string_view name, std::string_view value) {
        parts_.push_back({std::string(name), std::string(value), {}});
        return *this;
    }
    // The dates of a calendar.
    Clause &calendar(const Calendars &calendars, std::string_view name) {
        parts_.push_back({"calendar", std::string(name), calendars});
        return *this;
    }

private:
    friend class JobBuilder;
    struct Part {
        std::string name, value;
        std::optional<Calendars> calendars;
    };

    std::shared_ptr<kron_clause_builder> build() const {
        auto made = detail::handle<kron_clause_builder>(kron_clause_builder_free, kron_clause_builder_new);
        for (const Part &part : parts_) {
            const std::string &value = part.value;
            const kron_result found = detail::attempt([&](kron_error **error) {
                return part.calendars ? kron_clause_builder_calendar_n(made.get(), part.calendars->get(), value.data(), value.size(), error)
                                      : kron_clause_builder_part_n(made.get(), part.name.data(), part.name.size(), value.data(),
                                                                   value.size(), error);
            });
            if (found != KRON_OK) throw std::out_of_range("kron::Clause: no calendar has the name `" + value + "`");
        }
        return made;
    }

    std::vector<Part> parts_;
};

namespace detail {

// What a job and a spec have in common.
template <typename Derived> class SpecObject : public Object<Derived, kron_job> {
public:
    // The cron expression in its canonical form: `@daily` is `0 0 * * *`.
    std::string cron() const { return made(kron_job_cron); }
    // The IANA name of the time zone.
    std::string timezone() const { return made(kron_job_timezone); }
    // The version of the time zone database that the time zone is from; nullopt if that database has none.
    std::optional<std::string> tzdb_version() const {
        return optional_string([&](auto **out, kron_error **error) { return kron_job_tzdb_version(this->get(), out, error); });
    }
    // The fingerprint of the rules of the time zone.
    std::string timezone_fingerprint() const { return made(kron_job_timezone_fingerprint); }
    Window window() const {
        std::uint32_t mode = 0;
        std::int64_t length = 0;
        attempt([&](kron_error **error) { return kron_job_window(this->get(), &mode, &length, error); });
        return Window(static_cast<WindowMode>(mode), std::chrono::nanoseconds(length));
    }
    Policy policy() const {
        kron_policy found;
        attempt([&](kron_error **error) { return kron_job_policy(this->get(), &found, KRON_POLICY_SIZE, error); });
        return {std::chrono::nanoseconds(found.deadline_ns), static_cast<Concurrency>(found.concurrency), found.suspend != 0};
    }
    // The text in its canonical form; to parse it gives an equal object.
    std::string to_string() const { return made(kron_job_text); }
    // The spec as a JSON object, without defaults.
    std::string spec_json() const { return made(kron_job_spec_json); }

    // Whether all parts are equal, with the rules of the time zone and the dates of calendars; of jobs also the names.
    friend bool operator==(const Derived &a, const Derived &b) { return kron_job_equal(a.get(), b.get()) == 1; }
    friend bool operator!=(const Derived &a, const Derived &b) { return !(a == b); }

protected:
    using Object<Derived, kron_job>::Object;

private:
    std::string made(kron_result (*get)(const kron_job *, kron_string **, kron_error **)) const {
        return string([&](auto **out, kron_error **error) { return get(this->get(), out, error); });
    }
};

// Makes a job of a job with another name.
inline std::shared_ptr<kron_job> with_name(const kron_job *job, std::string_view name) {
    return handle<kron_job>(kron_job_free, [&](kron_job **out, kron_error **error) {
        return kron_job_with_name_n(job, name.data(), name.size(), out, error);
    });
}

inline std::shared_ptr<kron_job> parse_job(std::string_view name, std::string_view text, const Parser &parser) {
    return handle<kron_job>(kron_job_free, [&](kron_job **out, kron_error **error) {
        return kron_job_parse_n(name.data(), name.size(), text.data(), text.size(), parser.get(), out, error);
    });
}

// The name of the jobs that specs are inside. It decides nothing.
constexpr std::string_view no_name = "-";

} // namespace detail

class JobBuilder;
class Job;

// Everything about a job except its name: kron::Job(name, spec) makes a job of it.
class JobSpec : public detail::SpecObject<JobSpec>, public hints::ForJobSpec {
public:
    // Reads the text form: `0 0 * * * @tz(Europe/Paris) @win(after,3h)`.
    explicit JobSpec(std::string_view text, const Parser &parser = {})
        : SpecObject(detail::parse_job(detail::no_name, text, parser)) {}
    static JobSpec parse(std::string_view text, const Parser &parser = {}) { return JobSpec(text, parser); }
    // Reads the fields of a KronJob spec that determine times.
    static JobSpec from_json(std::string_view json, const Parser &parser = {}) {
        return JobSpec(detail::handle<kron_job>(kron_job_free, [&](kron_job **out, kron_error **error) {
            return kron_job_from_spec_json_n(detail::no_name.data(), detail::no_name.size(), json.data(), json.size(),
                                             parser.get(), out, error);
        }));
    }
    // Begins a spec with a cron expression.
    static JobBuilder builder(std::string_view cron);

    static const char *type_name() noexcept { return "kron::JobSpec"; }

private:
    friend class JobBuilder;
    friend class Job;
    explicit JobSpec(std::shared_ptr<kron_job> handle) : SpecObject(std::move(handle)) {}
};

} // namespace kron

#endif
