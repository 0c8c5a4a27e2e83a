// What a host does: one period by its policy, all open periods by a plan. Part of kron.hpp.
#ifndef KRON_HOST_HPP
#define KRON_HOST_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "job.hpp"

namespace kron {

// The final result of a period. A period has one outcome, which never changes.
enum class Outcome : std::uint32_t {
    executed = KRON_OUTCOME_EXECUTED,
    skipped = KRON_OUTCOME_SKIPPED, // an earlier execution was active and the policy is `forbid`
    missed = KRON_OUTCOME_MISSED,   // its time and deadline had passed, or a later period was started instead
    unschedulable = KRON_OUTCOME_UNSCHEDULABLE,
};

inline std::string to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::executed: return "executed";
        case Outcome::skipped: return "skipped";
        case Outcome::missed: return "missed";
        case Outcome::unschedulable: return "unschedulable";
    }
    return "unknown";
}

// What to do with a period now.
enum class ActionKind : std::uint32_t {
    nothing = KRON_ACTION_NOTHING, // it has its outcome, or the job is suspended
    wait = KRON_ACTION_WAIT,       // plan again at until()
    execute = KRON_ACTION_EXECUTE, // start the job
    replace = KRON_ACTION_REPLACE, // stop the active execution, then start this one
    record = KRON_ACTION_RECORD,   // start nothing, and record outcome()
};

inline std::string to_string(ActionKind kind) {
    switch (kind) {
        case ActionKind::nothing: return "nothing";
        case ActionKind::wait: return "wait";
        case ActionKind::execute: return "execute";
        case ActionKind::replace: return "replace";
        case ActionKind::record: return "record";
    }
    return "unknown";
}

// What to do with a period now, and what that means for it.
class Action : public hints::ForAction {
public:
    // An action of a function in C.
    explicit Action(const kron_action &value) noexcept : value_(value) {}

    ActionKind kind() const noexcept { return static_cast<ActionKind>(value_.kind); }
    // Whether to start an execution: `execute`, or `replace`, which stops the active one first.
    bool starts() const noexcept { return kind() == ActionKind::execute || kind() == ActionKind::replace; }
    // When to plan again, if it is `wait`.
    std::optional<Time> until() const noexcept {
        if (kind() == ActionKind::wait) return from_unix(value_.until);
        return std::nullopt;
    }
    // The outcome that it gives the period; none for `wait` and `nothing`.
    std::optional<Outcome> outcome() const noexcept {
        if (value_.outcome == KRON_OUTCOME_NONE) return std::nullopt;
        return static_cast<Outcome>(value_.outcome);
    }
    // `execute`, `record missed`, `wait until 2026-03-01T00:19:37Z`.
    std::string to_string() const {
        std::string text = kron::to_string(kind());
        if (auto time = until()) text += " until " + kron::to_string(*time);
        if (kind() == ActionKind::record) text += " " + kron::to_string(*outcome());
        return text;
    }

    friend bool operator==(const Action &a, const Action &b) noexcept {
        return a.value_.kind == b.value_.kind && a.value_.until == b.value_.until && a.value_.outcome == b.value_.outcome;
    }
    friend bool operator!=(const Action &a, const Action &b) noexcept { return !(a == b); }

private:
    kron_action value_;
};

// What to do with one period now: `handled` if it has its outcome, `active` if an execution of the job is active.
inline Action evaluate(const Policy &policy, const Decision &decision, Instant now, bool handled, bool active) {
    const kron_policy value = detail::to_c(policy);
    kron_action found;
    detail::attempt([&](kron_error **error) {
        return kron_policy_evaluate(&value, KRON_POLICY_SIZE, &decision.get(), KRON_DECISION_SIZE, now.floor(), handled ? 1 : 0,
                                    active ? 1 : 0, &found, KRON_ACTION_SIZE, error);
    });
    return Action(found);
}

// A step of a plan: a period and what to do with it. `for (const auto &[decision, action] : plan)`
struct Step {
    Decision decision;
    Action action;
};

} // namespace kron

#endif
