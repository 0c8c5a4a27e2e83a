// Texts of values: to_string, operator<<, std::format in C++20, and hashes. Part of kron.hpp.
#ifndef KRON_FORMAT_HPP
#define KRON_FORMAT_HPP

#include <functional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#if defined(__has_include) && __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_format) && __cpp_lib_format >= 201907L
#include <format>
#endif

#include "fleet.hpp"
#include "host.hpp"
#include "receipt.hpp"

namespace kron {

// The words of the text form.
inline std::string to_string(WindowMode mode) {
    return mode == WindowMode::after ? "after" : mode == WindowMode::around ? "around" : "before";
}
inline std::string to_string(SeedStrategy strategy) {
    static const char *const words[] = {"stable", "daily", "weekly", "fixed"};
    return words[static_cast<std::uint32_t>(strategy) & 3];
}
inline std::string to_string(Concurrency concurrency) {
    return concurrency == Concurrency::forbid ? "forbid" : concurrency == Concurrency::allow ? "allow" : "replace";
}
inline std::string to_string(ChangeKind kind) {
    switch (kind) {
        case ChangeKind::appears: return "appears";
        case ChangeKind::vanishes: return "vanishes";
        case ChangeKind::moves: return "moves";
        case ChangeKind::skipped: return "skipped";
        case ChangeKind::repeated: return "repeated";
    }
    return "unknown";
}
inline std::string to_string(ZoneRules rules) {
    return rules == ZoneRules::same ? "same" : rules == ZoneRules::other_release ? "other-release" : "different";
}
inline std::string to_string(Window window) { return to_string(window.mode()) + "," + window.duration().to_string(); }
inline std::string to_string(const FleetDecision &found) { return found.job.name() + " " + found.decision.to_string(); }

namespace detail {

// Types of kron with a text.
template <typename T>
using HasText = std::enable_if_t<std::is_same_v<T, Duration> || std::is_same_v<T, Decision> || std::is_same_v<T, Job> ||
                                     std::is_same_v<T, JobSpec> || std::is_same_v<T, Schedule> || std::is_same_v<T, Action> ||
                                     std::is_same_v<T, Step> || std::is_same_v<T, Plan>,
                                 int>;
template <typename T>
using HasWord = std::enable_if_t<std::is_same_v<T, Window> || std::is_same_v<T, WindowMode> || std::is_same_v<T, SeedStrategy> ||
                                     std::is_same_v<T, Concurrency> || std::is_same_v<T, Unschedulable> || std::is_same_v<T, Algorithm> ||
                                     std::is_same_v<T, ErrorCode> || std::is_same_v<T, Outcome> || std::is_same_v<T, ActionKind> ||
                                     std::is_same_v<T, ChangeKind> || std::is_same_v<T, ZoneRules> || std::is_same_v<T, FleetDecision>,
                                 int>;

} // namespace detail

template <typename T, detail::HasText<T> = 0> std::string to_string(const T &value) { return value.to_string(); }
template <typename T, detail::HasText<T> = 0> std::ostream &operator<<(std::ostream &out, const T &value) { return out << value.to_string(); }
template <typename T, detail::HasWord<T> = 0> std::ostream &operator<<(std::ostream &out, const T &value) { return out << to_string(value); }

} // namespace kron

// Equal specs and jobs have equal texts.
template <> struct std::hash<kron::JobSpec> {
    std::size_t operator()(const kron::JobSpec &spec) const { return std::hash<std::string>()(spec.to_string()); }
};
template <> struct std::hash<kron::Job> {
    std::size_t operator()(const kron::Job &job) const { return std::hash<std::string>()(job.name() + '\n' + job.to_string()); }
};

#if defined(__cpp_lib_format) && __cpp_lib_format >= 201907L
// `{}` and the options of strings: width, alignment.
template <typename T>
    requires requires(const T &value) { typename kron::detail::HasText<T>; } || requires(const T &value) { typename kron::detail::HasWord<T>; }
struct std::formatter<T, char> : std::formatter<std::string, char> {
    template <typename Context> auto format(const T &value, Context &context) const {
        return std::formatter<std::string, char>::format(kron::to_string(value), context);
    }
};
#endif

#endif
