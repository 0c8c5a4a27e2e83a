// The builder of specs and jobs. Part of kron.hpp.
#ifndef KRON_BUILDER_HPP
#define KRON_BUILDER_HPP

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "job.hpp"
#include "spec.hpp"

namespace kron {

// Makes a job from parts. Parts that are not set have their defaults, as in the text form. Each setter checks its part, and throws Error.
//
//     kron::Job job = kron::JobBuilder("0 0 * * *").timezone("Europe/Paris").window(kron::Window::after(3h)).build("prod/db-backup");
class JobBuilder : public hints::ForJobBuilder {
public:
    explicit JobBuilder(std::string_view cron) {
        builder_ = detail::handle<kron_job_builder>(kron_job_builder_free, [&](kron_job_builder **out, kron_error **error) {
            return kron_job_builder_new_n(cron.data(), cron.size(), out, error);
        });
    }
    template <typename T = void> JobBuilder() {
        static_assert(hints::never<T>, "the cron expression comes first: kron::JobBuilder(\"0 0 * * *\")");
    }
    template <typename T> JobBuilder(std::string_view, const T &) {
        static_assert(hints::never<T>, "the name comes last: kron::JobBuilder(cron).build(name)");
    }
    JobBuilder(const JobBuilder &other)
        : builder_(detail::handle<kron_job_builder>(kron_job_builder_free, [&](kron_job_builder **out, kron_error **error) {
              return kron_job_builder_clone(other.get(), out, error);
          })),
          strategy_(other.strategy_), salt_(other.salt_), policy_(other.policy_) {}
    JobBuilder(JobBuilder &&) noexcept = default;
    JobBuilder &operator=(JobBuilder other) noexcept {
        builder_ = std::move(other.builder_);
        strategy_ = other.strategy_;
        salt_ = std::move(other.salt_);
        policy_ = other.policy_;
        return *this;
    }

    // The time zone of the schedule and the constraints, by its IANA name. Default: UTC.
    JobBuilder &timezone(std::string_view name, const TzDatabase &tzdb = {}) {
        return set([&](auto *b, kron_error **e) { return kron_job_builder_timezone_n(b, name.data(), name.size(), tzdb.get(), e); });
    }
#if defined(__cpp_lib_chrono) && __cpp_lib_chrono >= 201907L
    JobBuilder &timezone(const std::chrono::time_zone *zone) { return timezone(zone->name()); }
#endif
    // Where the start may be. Default: the nominal time alone. At most 8784 hours.
    JobBuilder &window(Window window) {
        return set([&](auto *b, kron_error **e) {
            return kron_job_builder_window_ns(b, static_cast<std::uint32_t>(window.mode()), window.duration().nanoseconds().count(), e);
        });
    }
    // A window that begins at the nominal time: `window(3h)`.
    JobBuilder &window(Duration duration) { return window(Window::after(duration)); }
    JobBuilder &window(WindowMode mode, Duration duration) { return window(Window(mode, duration)); }
    template <typename Text, std::enable_if_t<std::is_convertible_v<Text, std::string_view>, int> = 0> JobBuilder &window(const Text &) {
        static_assert(hints::never<Text>, "write window(kron::Window::around(3h)), or window(3h) for one that begins at the nominal time");
        return *this;
    }
    // How starts are spread over the window. Default: uniform.
    JobBuilder &distribution(const Distribution &distribution) { return set(distribution.set_); }
    // The same by its text, as in `@dist(...)`: `skewEarly`, or `normal,sigma=15m`.
    JobBuilder &distribution(std::string_view text) {
        return set([&](auto *b, kron_error **e) { return kron_job_builder_distribution_n(b, text.data(), text.size(), e); });
    }
    // How often a new draw is made. Default: stable. Keeps the salt.
    JobBuilder &seed(SeedStrategy strategy) { return seed(strategy, std::string(salt_)); }
    JobBuilder &seed(SeedStrategy strategy, std::string_view salt) {
        set([&](auto *b, kron_error **e) {
            return kron_job_builder_seed_n(b, static_cast<std::uint32_t>(strategy), salt.data(), salt.size(), e);
        });
        strategy_ = strategy;
        salt_ = salt;
        return *this;
    }
    template <typename Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0> JobBuilder &seed(Number) {
        static_assert(hints::never<Number>, "write salt(\"42\") for other starts, or seed(kron::SeedStrategy::weekly)");
        return *this;
    }
    // A text of at most 1024 bytes. Another salt gives other starts. Keeps the strategy.
    JobBuilder &salt(std::string_view salt) { return seed(strategy_, salt); }

    // The start must match one of the clauses `only`, and none of the clauses `avoid`.
    JobBuilder &only(const Clause &clause) { return add(kron_job_builder_only, clause); }
    JobBuilder &avoid(const Clause &clause) { return add(kron_job_builder_avoid, clause); }
    template <typename Text, std::enable_if_t<std::is_convertible_v<Text, std::string_view>, int> = 0> JobBuilder &only(const Text &) {
        static_assert(hints::never<Text>, "write constraints(\"@only(dow=MON-FRI)\"), or only(kron::Clause().dow(\"MON-FRI\"))");
        return *this;
    }
    template <typename Text, std::enable_if_t<std::is_convertible_v<Text, std::string_view>, int> = 0> JobBuilder &avoid(const Text &) {
        static_assert(hints::never<Text>, "write constraints(\"@avoid(hours=9-17)\"), or avoid(kron::Clause().hours(\"9-17\"))");
        return *this;
    }
    // Adds clauses by their text: `@only(dow=MON-FRI) @avoid(hours=9-17)`. The parser has the calendars that they name.
    JobBuilder &constraints(std::string_view text, const Parser &parser = {}) {
        return set([&](auto *b, kron_error **e) { return kron_job_builder_constraints_n(b, text.data(), text.size(), parser.get(), e); });
    }

    // Rules that choose nominal days, by their text: `@days(dow=MON;dom=1-7) @nodays(months=8)`. Default: every day.
    JobBuilder &days(std::string_view text, const Parser &parser = {}) {
        return set([&](auto *b, kron_error **e) { return kron_job_builder_days_n(b, text.data(), text.size(), parser.get(), e); });
    }

    // How a host treats the periods. Default: forbid, a deadline of 0, not suspended.
    JobBuilder &policy(const Policy &policy) {
        const kron_policy value = detail::to_c(policy);
        set([&](auto *b, kron_error **e) { return kron_job_builder_policy(b, &value, KRON_POLICY_SIZE, e); });
        policy_ = policy;
        return *this;
    }
    // The parts of the policy, each of which keeps the others.
    JobBuilder &deadline(Duration deadline) { return policy({deadline, policy_.concurrency, policy_.suspend}); }
    JobBuilder &concurrency(Concurrency concurrency) { return policy({policy_.deadline, concurrency, policy_.suspend}); }
    JobBuilder &suspend(bool suspend = true) { return policy({policy_.deadline, policy_.concurrency, suspend}); }
    template <typename Text, std::enable_if_t<std::is_convertible_v<Text, std::string_view>, int> = 0> JobBuilder &policy(const Text &) {
        static_assert(hints::never<Text>, "write deadline(10min) and concurrency(kron::Concurrency::allow)");
        return *this;
    }
    template <typename Text, std::enable_if_t<std::is_convertible_v<Text, std::string_view>, int> = 0> JobBuilder &concurrency(const Text &) {
        static_assert(hints::never<Text>, "write concurrency(kron::Concurrency::allow), or forbid, or replace");
        return *this;
    }

    JobBuilder &algorithm(Algorithm algorithm) {
        return set([&](auto *b, kron_error **e) { return kron_job_builder_algorithm(b, static_cast<std::uint32_t>(algorithm), e); });
    }

    // Makes a spec, or a job with a name of 1 to 1024 bytes. The builder does not change, and can make more.
    JobSpec build() const { return JobSpec(make(detail::no_name)); }
    Job build(std::string_view name) const { return Job(make(name)); }

    // The handle of kron.h, for functions in C. It belongs to the builder.
    kron_job_builder *get() const {
        if (!builder_) detail::moved_from("kron::JobBuilder");
        return builder_.get();
    }

private:
    template <typename Set> JobBuilder &set(const Set &set) {
        detail::attempt([&](kron_error **error) { return set(get(), error); });
        return *this;
    }
    JobBuilder &add(kron_result (*list)(kron_job_builder *, kron_clause_builder *, kron_error **), const Clause &clause) {
        const auto made = clause.build();
        return set([&](auto *b, kron_error **e) { return list(b, made.get(), e); });
    }
    std::shared_ptr<kron_job> make(std::string_view name) const {
        return detail::handle<kron_job>(kron_job_free, [&](kron_job **out, kron_error **error) {
            return kron_job_builder_build_n(get(), name.data(), name.size(), out, error);
        });
    }

    std::shared_ptr<kron_job_builder> builder_;
    SeedStrategy strategy_ = SeedStrategy::stable;
    std::string salt_;
    Policy policy_;
};

inline JobBuilder JobSpec::builder(std::string_view cron) { return JobBuilder(cron); }

} // namespace kron

#endif
