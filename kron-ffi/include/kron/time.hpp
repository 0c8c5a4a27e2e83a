// Times and lengths of time of std::chrono. Part of kron.hpp.
#ifndef KRON_TIME_HPP
#define KRON_TIME_HPP

#include <chrono>
#include <cstdint>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "../kron.h"
#include "error.hpp"
#include "hints.hpp"

namespace kron {

// A time that Kron answers: a whole second of the system clock, std::chrono::sys_seconds in C++20.
using Time = std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds>;

// A time of Unix seconds, and the other way round.
constexpr Time from_unix(std::int64_t seconds) { return Time(std::chrono::seconds(seconds)); }
constexpr std::int64_t to_unix(Time time) { return time.time_since_epoch().count(); }

// A time in RFC 3339, in UTC: 2026-03-01T00:00:00Z.
inline std::string to_string(Time time);
// The other way round: only of such a text, with whole seconds and a `Z`. Throws std::invalid_argument for any other.
inline Time parse_time(std::string_view text);

// A time that is passed to Kron: of std::chrono::system_clock with any precision, or Unix seconds. A fraction of a second makes no
// difference: the answers are those for the exact time.
class Instant {
public:
    // Unix seconds.
    template <typename Number, std::enable_if_t<std::is_integral_v<Number> && !std::is_same_v<Number, bool>, int> = 0>
    constexpr Instant(Number unix_seconds) : floor_(static_cast<std::int64_t>(unix_seconds)), ceil_(floor_) {
        if constexpr (std::is_unsigned_v<Number> && sizeof(Number) >= sizeof(std::int64_t)) {
            if (unix_seconds > static_cast<Number>(last)) floor_ = ceil_ = last;
        }
    }
    template <typename Number, std::enable_if_t<std::is_floating_point_v<Number>, int> = 0> Instant(Number) {
        static_assert(hints::never<Number>, "times are whole Unix seconds or of std::chrono::system_clock: write an std::int64_t");
    }
    template <typename Clock, typename Length> constexpr Instant(std::chrono::time_point<Clock, Length> time) {
        static_assert(std::is_same_v<Clock, std::chrono::system_clock>,
                      "times are of the system clock: write std::chrono::system_clock::now(), or convert with std::chrono::clock_cast "
                      "or zone->to_sys(local)");
        static_assert(std::is_integral_v<typename Length::rep>,
                      "times are whole numbers: write std::chrono::floor<std::chrono::seconds>(time)");
        using Ratio = typename Length::period;
        const std::int64_t count = static_cast<std::int64_t>(time.time_since_epoch().count());
        if constexpr (Ratio::den == 1) {
            constexpr std::int64_t most = last / Ratio::num;
            floor_ = ceil_ = count > most ? last : count < -most ? -last : count * Ratio::num;
        } else {
            static_assert(Ratio::num == 1, "times count seconds, or fractions of a second");
            floor_ = count / Ratio::den - (count % Ratio::den < 0);
            ceil_ = floor_ + (count % Ratio::den != 0);
        }
    }
#if defined(__cpp_lib_chrono) && __cpp_lib_chrono >= 201907L
    template <typename Length, typename Zone>
    Instant(const std::chrono::zoned_time<Length, Zone> &time) : Instant(time.get_sys_time()) {}
#endif

    // Unix seconds, rounded down: what `after`, `at` and `now` mean.
    constexpr std::int64_t floor() const noexcept { return floor_; }
    // Unix seconds, rounded up: what the bounds of ranges mean.
    constexpr std::int64_t ceil() const noexcept { return ceil_; }

private:
    static constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
    std::int64_t floor_ = 0, ceil_ = 0;
};

// A length of time in nanoseconds, 0 or more where Kron takes one: any std::chrono duration of whole numbers, such as `10min`.
class Duration {
public:
    constexpr Duration() = default;
    // Throws std::overflow_error if nanoseconds of 64 bits cannot hold it: about 292 years.
    template <typename Number, typename Period> constexpr Duration(std::chrono::duration<Number, Period> length) {
        static_assert(std::is_integral_v<Number>,
                      "lengths of time are whole numbers: write std::chrono::duration_cast<std::chrono::nanoseconds>(length)");
        using Nanoseconds = std::ratio_divide<Period, std::nano>;
        static_assert(Nanoseconds::den == 1, "lengths of time are nanoseconds or more");
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / Nanoseconds::num;
        bool fits = true;
        if constexpr (std::is_signed_v<Number>) fits = length.count() <= most && length.count() >= -most;
        else fits = length.count() <= static_cast<std::uint64_t>(most);
        if (!fits) throw std::overflow_error("kron::Duration: more than 292 years");
        value_ = std::chrono::nanoseconds(static_cast<std::int64_t>(length.count()) * Nanoseconds::num);
    }
    template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0> Duration(Number) {
        static_assert(hints::never<Number>, "a length of time needs a unit: write std::chrono::seconds(n), or 10min");
    }

    // Reads Go's notation: `1h30m`, `90s`, `1.5s`.
    static Duration parse(std::string_view text) {
        std::int64_t found = 0;
        detail::attempt([&](kron_error **error) { return kron_duration_parse_n(text.data(), text.size(), &found, error); });
        return std::chrono::nanoseconds(found);
    }

    constexpr std::chrono::nanoseconds nanoseconds() const noexcept { return value_; }
    constexpr operator std::chrono::nanoseconds() const noexcept { return value_; }
    // Go's notation: `1h30m0s`. Throws Error for a negative length.
    std::string to_string() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_duration_text(value_.count(), out, error); });
    }

    friend constexpr bool operator==(Duration a, Duration b) noexcept { return a.value_ == b.value_; }
    friend constexpr bool operator!=(Duration a, Duration b) noexcept { return a.value_ != b.value_; }
    friend constexpr bool operator<(Duration a, Duration b) noexcept { return a.value_ < b.value_; }
    friend constexpr bool operator>(Duration a, Duration b) noexcept { return b < a; }
    friend constexpr bool operator<=(Duration a, Duration b) noexcept { return !(b < a); }
    friend constexpr bool operator>=(Duration a, Duration b) noexcept { return !(a < b); }

private:
    std::chrono::nanoseconds value_{0};
};

inline std::string to_string(Time time) {
    // Days since 0000-03-01, in eras of 400 years, so that leap days come last.
    std::int64_t seconds = to_unix(time), second = seconds % 86400;
    std::int64_t day = seconds / 86400;
    if (second < 0) second += 86400, day -= 1;
    day += 719468;
    const std::int64_t era = (day >= 0 ? day : day - 146096) / 146097, of_era = day - era * 146097;
    const std::int64_t of_year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const std::int64_t left = of_era - (365 * of_year + of_year / 4 - of_year / 100), month = (5 * left + 2) / 153;
    const std::int64_t civil_month = month < 10 ? month + 3 : month - 9;
    const std::int64_t year = of_year + era * 400 + (civil_month <= 2);
    auto two = [](std::int64_t number) { return std::string(number < 10 ? "0" : "") + std::to_string(number); };
    std::string digits = std::to_string(year < 0 ? -year : year);
    if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
    return (year < 0 ? "-" : "") + digits + "-" + two(civil_month) + "-" + two(left - (153 * month + 2) / 5 + 1) + "T" +
           two(second / 3600) + ":" + two(second / 60 % 60) + ":" + two(second % 60) + "Z";
}

inline Time parse_time(std::string_view text) {
    auto number = [&](std::size_t from, std::size_t length) {
        std::int64_t value = 0;
        for (std::size_t i = from; i < from + length && i < text.size(); ++i) value = value * 10 + (text[i] - '0');
        return value;
    };
    const std::int64_t month = number(5, 2), year = number(0, 4) - (month <= 2);
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    const std::int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + number(8, 2) - 1;
    const std::int64_t day = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    const Time time = from_unix(day * 86400 + number(11, 2) * 3600 + number(14, 2) * 60 + number(17, 2));
    // Anything else than digits in their places, and a day or an hour that does not exist, gives another text.
    if (to_string(time) != text)
        throw std::invalid_argument("kron::parse_time: `" + std::string(text.substr(0, 60)) +
                                    "` is not a time in UTC with whole seconds; write it as in `2026-03-01T00:00:00Z`");
    return time;
}

} // namespace kron

#endif
