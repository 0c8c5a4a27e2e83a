// Schedules: cron expressions in a time zone. Part of kron.hpp.
#ifndef KRON_SCHEDULE_HPP
#define KRON_SCHEDULE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "series.hpp"
#include "time.hpp"
#include "tzdb.hpp"

namespace kron {

// The place of a job in a system that runs plain cron expressions.
struct Placed {
    // Five fields, as every cron reads them.
    std::string expression;
    // How much later the placed times are than the declared ones; negative if they are earlier.
    std::chrono::minutes shift{0};
    // Among how many shifts this one was chosen.
    std::size_t candidates = 0;
};

// The cron expressions that fire a lead before a schedule.
struct Primed {
    std::vector<std::string> expressions;
    // Whether no fewer expressions say the same.
    bool minimal;
    // How many times in the years 1970 to 2099 the expressions fire beyond those of the primed schedule; 0 unless they are a cover.
    std::uint64_t surplus;
};

namespace detail {

// Reads the primed schedule that a function makes.
template <typename Call> Primed primed(Call &&call) {
    const std::shared_ptr<kron_primed> made = handle<kron_primed>(kron_primed_free, call);
    Primed primed{{}, kron_primed_minimal(made.get()) == 1, kron_primed_surplus(made.get())};
    for (std::size_t i = 0; i < kron_primed_length(made.get()); ++i) {
        const char *text = nullptr;
        attempt([&](kron_error **error) { return kron_primed_text(made.get(), i, &text, error); });
        primed.expressions.emplace_back(text);
    }
    return primed;
}

// Calls a search for a time, which may find none.
template <typename Call> std::optional<Time> optional_time(Call &&call) {
    std::int64_t found = 0;
    if (attempt([&](kron_error **error) { return call(&found, error); }) != KRON_OK) return std::nullopt;
    return from_unix(found);
}

} // namespace detail

// A cron expression read in a time zone.
class Schedule : public detail::Object<Schedule, kron_schedule> {
public:
    explicit Schedule(std::string_view cron, std::string_view timezone = "UTC", const TzDatabase &tzdb = {})
        : Object(detail::handle<kron_schedule>(kron_schedule_free, [&](kron_schedule **out, kron_error **error) {
              return kron_schedule_parse_n(cron.data(), cron.size(), timezone.data(), timezone.size(), tzdb.get(), out,
                                           error);
          })) {}

    // The first nominal time after a time; nullopt if there is none before 2100.
    std::optional<Time> next(Instant after) const {
        return detail::optional_time([&](auto *out, kron_error **error) { return kron_schedule_next(get(), after.floor(), out, error); });
    }
    // The last nominal time at or before a time; nullopt if there is none since 1970.
    std::optional<Time> prev(Instant at) const {
        return detail::optional_time([&](auto *out, kron_error **error) { return kron_schedule_prev(get(), at.floor(), out, error); });
    }
    // The nominal times after a time, in order, to 2099.
    NominalSeries series(Instant after) const {
        return NominalSeries(detail::handle<kron_nominal_series>(
            kron_nominal_series_free,
            [&](auto **out, kron_error **error) { return kron_schedule_series(get(), after.floor(), out, error); }));
    }
    // The nominal times at or before a time, latest first, back to 1970.
    NominalSeries series_back(Instant at) const {
        return NominalSeries(detail::handle<kron_nominal_series>(
            kron_nominal_series_free,
            [&](auto **out, kron_error **error) { return kron_schedule_series_back(get(), at.floor(), out, error); }));
    }
    // The cron expression in its canonical form.
    std::string to_string() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_schedule_text(get(), out, error); });
    }
    // The IANA name of the time zone.
    std::string timezone() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_schedule_timezone(get(), out, error); });
    }
    // The cron expressions that fire a lead before this schedule: whole minutes, from one minute to 24 hours.
    Primed prime(Duration lead) const {
        return detail::primed([&](auto **out, kron_error **error) {
            return kron_schedule_prime(get(), lead.nanoseconds().count(), out, error);
        });
    }
    // The same, with expressions that also fire at other times where no others exist.
    Primed prime_cover(Duration lead) const {
        return detail::primed([&](auto **out, kron_error **error) {
            return kron_schedule_prime_cover(get(), lead.nanoseconds().count(), out, error);
        });
    }
    // What changes of the clocks between two times do to the lead: a JSON array; see kron_schedule_lead_changes_json.
    std::string lead_changes_json(Duration lead, Instant after, Instant until) const {
        return detail::string([&](auto **out, kron_error **error) {
            return kron_schedule_lead_changes_json(get(), lead.nanoseconds().count(), after.floor(), until.ceil(), out, error);
        });
    }

    static const char *type_name() noexcept { return "kron::Schedule"; }
};

} // namespace kron

#endif
