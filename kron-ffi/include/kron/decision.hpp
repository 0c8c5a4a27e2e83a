// Decisions: the times of one period, and how they were drawn. Part of kron.hpp.
#ifndef KRON_DECISION_HPP
#define KRON_DECISION_HPP

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "error.hpp"
#include "time.hpp"

namespace kron {

// Why a period has no chosen time.
enum class Unschedulable : std::uint32_t {
    // The constraints allow no second of the window.
    no_allowed_second = KRON_DECISION_NO_ALLOWED_SECOND,
    // The constraints allowed none of the 64 draws. Only with `sha256-splitmix64/1`.
    draws_exhausted = KRON_DECISION_DRAWS_EXHAUSTED,
};

inline std::string to_string(Unschedulable reason) {
    return reason == Unschedulable::no_allowed_second ? "noAllowedSecond" : "drawsExhausted";
}

// The algorithm that makes the decisions.
enum class Algorithm : std::uint32_t {
    // `siphash-chacha8/1`, the default.
    siphash_chacha8 = KRON_ALGORITHM_SIPHASH_CHACHA8,
    // `sha256-splitmix64/1`, the algorithm of the first version of Kron.
    sha256_splitmix64 = KRON_ALGORITHM_SHA256_SPLITMIX64,
};

inline std::string to_string(Algorithm algorithm) {
    const char *name = nullptr;
    detail::attempt([&](kron_error **error) { return kron_algorithm_name(static_cast<std::uint32_t>(algorithm), &name, error); });
    return name;
}

// Everything that is decided for one period. A plain value: copies are cheap, and two are equal if all of it is.
class Decision : public hints::ForDecision {
public:
    // A decision of a function in C.
    explicit Decision(const kron_decision &value) noexcept : value_(value) {}

    // The instant that the schedule matches.
    Time nominal_time() const noexcept { return from_unix(value_.nominal_time); }
    // The first and the last second at which the start may be.
    Time window_start() const noexcept { return from_unix(value_.window_start); }
    Time window_end() const noexcept { return from_unix(value_.window_end); }
    // When the job starts; none if the period is unschedulable. Starts always have one.
    std::optional<Time> chosen_time() const noexcept {
        if (value_.flags & KRON_DECISION_CHOSEN) return from_unix(value_.chosen_time);
        return std::nullopt;
    }
    // Why there is no chosen time; none if there is one.
    std::optional<Unschedulable> unschedulable() const noexcept {
        if (value_.flags & KRON_DECISION_CHOSEN) return std::nullopt;
        return static_cast<Unschedulable>(value_.flags);
    }
    // The period id: the nominal time in RFC 3339, in UTC.
    std::string_view period_id() const noexcept { return value_.period_id; }
    // What periods have in common that share this draw: the period id, the local date, the local ISO week or `fixed`.
    std::string_view period_key() const noexcept { return value_.period_key; }
    // The seed of the draws in 64 lower-case hex digits.
    std::string_view seed_hash() const noexcept { return value_.seed_hash; }
    // The number of draws: 0 if the window is one second, 1 to 64, or 65 if the last one is among the allowed seconds only.
    std::uint32_t draws() const noexcept { return value_.draws; }
    Algorithm algorithm() const noexcept { return static_cast<Algorithm>(value_.algorithm); }
    // The struct of kron.h, for functions in C.
    const kron_decision &get() const noexcept { return value_; }

    // The period id and the chosen time: `2026-03-01T00:00:00Z starts at 2026-03-01T00:19:37Z`.
    std::string to_string() const {
        const auto chosen = chosen_time();
        return std::string(period_id()) +
               (chosen ? " starts at " + kron::to_string(*chosen) : " is unschedulable: " + kron::to_string(*unschedulable()));
    }

    friend bool operator==(const Decision &a, const Decision &b) noexcept {
        const kron_decision &x = a.value_, &y = b.value_;
        return x.nominal_time == y.nominal_time && x.window_start == y.window_start && x.window_end == y.window_end &&
               x.chosen_time == y.chosen_time && x.flags == y.flags && x.draws == y.draws && x.algorithm == y.algorithm &&
               a.period_id() == b.period_id() && a.period_key() == b.period_key() && a.seed_hash() == b.seed_hash();
    }
    friend bool operator!=(const Decision &a, const Decision &b) noexcept { return !(a == b); }

private:
    kron_decision value_;
};

} // namespace kron

#endif
