// Jobs: decisions, searches, series. Part of kron.hpp.
#ifndef KRON_JOB_HPP
#define KRON_JOB_HPP

#include <optional>
#include <string>
#include <string_view>

#include "schedule.hpp"
#include "series.hpp"
#include "spec.hpp"

namespace kron {

class HostState;
class Plan;

// A name and a spec, which together determine start times. Immutable: any number of threads may use one at once. Copies share it.
class Job : public detail::SpecObject<Job>, public hints::ForJob {
public:
    // Reads the text form: kron::Job("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)").
    Job(std::string_view name, std::string_view text, const Parser &parser = {}) : SpecObject(detail::parse_job(name, text, parser)) {}
    static Job parse(std::string_view name, std::string_view text, const Parser &parser = {}) { return Job(name, text, parser); }
    template <typename Text, std::enable_if_t<std::is_convertible_v<Text, std::string_view>, int> = 0> explicit Job(const Text &)
        : SpecObject(std::shared_ptr<kron_job>()) {
        static_assert(hints::never<Text>, "starts depend on the name: write kron::Job(name, text), or kron::JobSpec::parse(text)");
    }
    // A name of 1 to 1024 bytes, and a spec.
    Job(std::string_view name, const JobSpec &spec) : SpecObject(detail::with_name(spec.get(), name)) {}
    // Takes a job of a function in C.
    explicit Job(std::shared_ptr<kron_job> handle) : SpecObject(std::move(handle)) {}

    // Reads a whole KronJob spec in JSON.
    static Job from_kronjob_spec_json(std::string_view name, std::string_view json, const Parser &parser = {}) {
        return Job(detail::handle<kron_job>(kron_job_free, [&](kron_job **out, kron_error **error) {
            return kron_job_from_kronjob_spec_json_n(name.data(), name.size(), json.data(), json.size(), parser.get(), out, error);
        }));
    }

    std::string name() const { return kron_job_name(get()); }
    JobSpec spec() const { return JobSpec(detail::with_name(get(), detail::no_name)); }

    // Decides the period of a nominal time: any whole second of the years 1970 to 2099. The schedule need not match it.
    Decision decide(Instant nominal) const { return decision(kron_job_decide, whole(nominal)); }
    // The first start after a time, by chosen time. Throws Error if there is none in five years.
    Decision next_start(Instant after) const { return decision(kron_job_next_start, after); }
    template <typename T = void> Decision next_start() const {
        static_assert(hints::never<T>, "Kron reads no clock: write next_start(std::chrono::system_clock::now())");
        return decide(0);
    }
    // The last start at or before a time.
    Decision prev_start(Instant at) const { return decision(kron_job_prev_start, at); }
    // The first period after a time, and the last at or before it, by nominal time. They may be unschedulable.
    Decision next_period(Instant after) const { return decision(kron_job_next_period, after); }
    Decision prev_period(Instant at) const { return decision(kron_job_prev_period, at); }
    // The period whose window began last; nullopt if there is none, or if its window has ended and its deadline has passed.
    std::optional<Decision> current_period(Instant now) const {
        kron_decision found;
        auto call = [&](kron_error **error) {
            return kron_job_current_period(get(), now.floor(), &found, KRON_DECISION_SIZE, error);
        };
        if (detail::attempt(call) != KRON_OK) return std::nullopt;
        return Decision(found);
    }

    // The starts with chosen times in [from, to): a start at `from` is one of them.
    template <typename From, typename To> StartSeries starts(const From &from, const To &to) const {
        detail::check_ends<From, To>();
        return series<StartSeries>(kron_start_series_free, kron_job_starts, Instant(from).ceil(), Instant(to).ceil());
    }
    // All starts from a time on, without an end.
    StartSeries starts(Instant from) const {
        return series<StartSeries>(kron_start_series_free, kron_job_starts, from.ceil(), detail::no_end);
    }
    // The starts in [from, to), and all before `to`, latest first.
    template <typename From, typename To> StartSeries starts_back(const From &from, const To &to) const {
        detail::check_ends<From, To>();
        return series<StartSeries>(kron_start_series_free, kron_job_starts_back, Instant(from).ceil(), Instant(to).ceil());
    }
    StartSeries starts_back(Instant to) const {
        return series<StartSeries>(kron_start_series_free, kron_job_starts_back, detail::no_begin, to.ceil());
    }
    // The periods with nominal times in [from, to), in order of nominal time; they may be unschedulable.
    template <typename From, typename To> PeriodSeries periods(const From &from, const To &to) const {
        detail::check_ends<From, To>();
        return series<PeriodSeries>(kron_period_series_free, kron_job_periods, Instant(from).ceil(), Instant(to).ceil());
    }
    // All periods from a time on, to 2099.
    PeriodSeries periods(Instant from) const {
        return series<PeriodSeries>(kron_period_series_free, kron_job_periods, from.ceil(), detail::no_end);
    }
    // The periods in [from, to), and all before `to`, latest first.
    template <typename From, typename To> PeriodSeries periods_back(const From &from, const To &to) const {
        detail::check_ends<From, To>();
        return series<PeriodSeries>(kron_period_series_free, kron_job_periods_back, Instant(from).ceil(), Instant(to).ceil());
    }
    PeriodSeries periods_back(Instant to) const {
        return series<PeriodSeries>(kron_period_series_free, kron_job_periods_back, detail::no_begin, to.ceil());
    }

    // What a host has to do now, and when to plan again. `now` is std::chrono::system_clock::now() in most programs.
    Plan plan(const HostState &state, Instant now) const;
    template <typename Now> auto plan(const Now &) const {
        static_assert(hints::never<Now>, "write plan(state, now), with a kron::HostState that the host keeps");
    }

    // The cron expressions that fire a lead before each start; throws Error if the job has a window or constraints.
    Primed prime(Duration lead) const {
        return detail::primed(
            [&](auto **out, kron_error **error) { return kron_job_prime(get(), lead.nanoseconds().count(), out, error); });
    }
    // The same, with expressions that also fire at other times where no others exist.
    Primed prime_cover(Duration lead) const {
        return detail::primed(
            [&](auto **out, kron_error **error) { return kron_job_prime_cover(get(), lead.nanoseconds().count(), out, error); });
    }
    // The one plain cron expression that takes the place of this job in a system without windows; throws Error for what one place cannot
    // keep.
    Placed placed() const {
        Placed placed{};
        std::int64_t shift = 0;
        placed.expression = detail::string([&](auto **out, kron_error **error) {
            return kron_job_placed(get(), out, &shift, &placed.candidates, error);
        });
        placed.shift = std::chrono::minutes(shift);
        return placed;
    }
    // The steps of a decision, as a JSON object.
    std::string explain_json(Instant nominal) const {
        return detail::string(
            [&](auto **out, kron_error **error) { return kron_job_explain_json(get(), whole(nominal), out, error); });
    }
    // A receipt: a decision with everything that is needed to compute it again. kron::verify_receipt checks it.
    std::string receipt_json(Instant nominal) const {
        return detail::string(
            [&](auto **out, kron_error **error) { return kron_job_receipt_json(get(), whole(nominal), out, error); });
    }

    static const char *type_name() noexcept { return "kron::Job"; }

private:
    // A nominal time in Unix seconds. No period is between two seconds.
    static std::int64_t whole(Instant nominal) {
        if (nominal.floor() != nominal.ceil())
            throw std::invalid_argument("nominal: a nominal time is a whole second; write std::chrono::floor<std::chrono::seconds>(time)");
        return nominal.floor();
    }

    using Search = kron_result (*)(const kron_job *, std::int64_t, kron_decision *, std::size_t, kron_error **);
    Decision decision(Search search, Instant at) const {
        kron_decision found;
        detail::attempt([&](kron_error **error) { return search(get(), at.floor(), &found, KRON_DECISION_SIZE, error); });
        return Decision(found);
    }
    template <typename Made, typename Free, typename Make> Made series(Free free, Make make, std::int64_t from, std::int64_t to) const {
        return Made(detail::handle<typename Made::Handle>(
            free, [&](auto **out, kron_error **error) { return make(get(), from, to, out, error); }));
    }
};

} // namespace kron

#endif
