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

    // The struct of kron.h, for functions in C.
    const kron_action &get() const noexcept { return value_; }

    // The kinds by the class: `step.action == kron::Action::execute`.
    static constexpr ActionKind nothing = ActionKind::nothing, wait = ActionKind::wait, execute = ActionKind::execute,
                                replace = ActionKind::replace, record = ActionKind::record;
    friend bool operator==(const Action &a, ActionKind kind) noexcept { return a.kind() == kind; }
    friend bool operator!=(const Action &a, ActionKind kind) noexcept { return a.kind() != kind; }
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

// A step of a plan: a period, with its decision, and what to do with it.
struct Step : hints::ForStep {
    Decision period;
    Action action;
    // The nominal time of the open period before it; HostState::record needs it.
    std::optional<Time> previous_open;

    Step(const Decision &period, const Action &action, std::optional<Time> previous_open = std::nullopt) noexcept
        : period(period), action(action), previous_open(previous_open) {}
    // A step of a function in C, and the other way round.
    static Step from(const kron_step &step) noexcept {
        return {Decision(step.period), Action(step.action),
                step.flags & KRON_STEP_PREVIOUS_OPEN ? std::optional<Time>(from_unix(step.previous_open)) : std::nullopt};
    }
    kron_step get() const noexcept {
        return {period.get(), action.get(), previous_open ? to_unix(*previous_open) : 0,
                previous_open ? std::uint32_t(KRON_STEP_PREVIOUS_OPEN) : 0u, 0};
    }

    // The action and the period: `execute: 2026-03-01T00:00:00Z starts at 2026-03-01T00:19:37Z`.
    std::string to_string() const { return action.to_string() + ": " + period.to_string(); }

    friend bool operator==(const Step &a, const Step &b) noexcept {
        return a.period == b.period && a.action == b.action && a.previous_open == b.previous_open;
    }
    friend bool operator!=(const Step &a, const Step &b) noexcept { return !(a == b); }
};

// What a host keeps of a job between its plans and its processes: since when its configuration is in force, which periods are handled, and
// whether an execution is active. Record a step and store the state before you start an execution: then no period is started twice, however
// the program ends. For one thread at a time; copies have their own state.
class HostState : public hints::ForHostState {
public:
    // The configuration begins at `since`, which is exclusive: what starts up to then, `since` included, is not in force.
    explicit HostState(Instant since) {
        handle_ = detail::handle<kron_host_state>(kron_host_state_free, [&](kron_host_state **out, kron_error **error) {
            return kron_host_state_new(since.floor(), out, error);
        });
    }
    template <typename T = void> HostState() {
        static_assert(hints::never<T>, "say when the host began: kron::HostState(std::chrono::system_clock::now())");
    }
    // Reads what to_json wrote. Throws Error for any other text.
    static HostState from_json(std::string_view json) {
        return HostState(detail::handle<kron_host_state>(kron_host_state_free, [&](kron_host_state **out, kron_error **error) {
            return kron_host_state_from_json_n(json.data(), json.size(), out, error);
        }), 0);
    }
    HostState(const HostState &other)
        : handle_(detail::handle<kron_host_state>(kron_host_state_free, [&](kron_host_state **out, kron_error **error) {
              return kron_host_state_clone(other.get(), out, error);
          })) {}
    HostState(HostState &&) noexcept = default;
    HostState &operator=(HostState other) noexcept {
        handle_ = std::move(other.handle_);
        return *this;
    }

    // Notes that a step of a plan is carried out: its period is handled if the action gives it an outcome, and an execution is active if it
    // starts one. Steps may be recorded in any order; one that is not recorded stays open.
    void record(const Step &step) {
        const kron_step value = step.get();
        detail::attempt([&](kron_error **error) { return kron_host_state_record(get(), &value, KRON_STEP_SIZE, error); });
    }
    // Says whether an execution is active. `record` says that one is when it begins; say here that it has ended.
    void set_active(bool active) {
        detail::attempt([&](kron_error **error) { return kron_host_state_set_active(get(), active ? 1 : 0, error); });
    }
    // Begins another configuration, because the text of the job has changed in anything but its policy: what was chosen up to `since` is not in force any more. No
    // period that is handled is open again.
    void reconfigure(Instant since) {
        detail::attempt([&](kron_error **error) { return kron_host_state_reconfigure(get(), since.floor(), error); });
    }

    // Whether the period of a nominal time is handled, and whether an execution is active.
    bool is_handled(Instant nominal) const { return kron_host_state_is_handled(get(), nominal.floor()) == 1; }
    bool is_active() const { return kron_host_state_is_active(get()) == 1; }
    // A JSON object, for a file.
    std::string to_json() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_host_state_to_json(get(), out, error); });
    }
    friend bool operator==(const HostState &a, const HostState &b) { return a.to_json() == b.to_json(); }
    friend bool operator!=(const HostState &a, const HostState &b) { return !(a == b); }

    // The handle of kron.h, for functions in C. It belongs to the state.
    kron_host_state *get() const {
        if (!handle_) detail::moved_from("kron::HostState");
        return handle_.get();
    }

private:
    // Not a constructor of one argument, so that HostState(0) has one meaning.
    HostState(std::shared_ptr<kron_host_state> handle, int) : handle_(std::move(handle)) {}

    std::shared_ptr<kron_host_state> handle_;
};

// All that a host has to do now, in the order in which to carry it out: `for (const kron::Step &step : job.plan(state, now))`.
class Plan {
public:
    using value_type = Step;
    using const_iterator = std::vector<Step>::const_iterator;

    // Takes a plan of a function in C.
    explicit Plan(const kron_plan *plan) : older_missed_(kron_plan_older_missed(plan)) {
        wake_up_ = detail::optional_time([&](auto *out, kron_error **error) { return kron_plan_wake_up(plan, out, error); });
        const std::size_t length = kron_plan_length(plan);
        steps_.reserve(length);
        for (std::size_t i = 0; i < length; ++i) {
            kron_step step;
            detail::attempt([&](kron_error **error) { return kron_plan_step(plan, i, &step, KRON_STEP_SIZE, error); });
            steps_.push_back(Step::from(step));
        }
    }
    // There are only copies: a plan that was moved from would be a plan with nothing to do.
    Plan(const Plan &) = default;
    Plan &operator=(const Plan &) = default;

    const std::vector<Step> &steps() const noexcept { return steps_; }
    const_iterator begin() const noexcept { return steps_.begin(); }
    const_iterator end() const noexcept { return steps_.end(); }
    std::size_t size() const noexcept { return steps_.size(); }
    bool empty() const noexcept { return steps_.empty(); }
    const Step &operator[](std::size_t index) const { return steps_.at(index); }
    // When to plan again; nullopt if there is nothing to wait for.
    std::optional<Time> wake_up() const noexcept { return wake_up_; }
    // How many missed periods are older than those that the plan lists.
    std::uint64_t older_missed() const noexcept { return older_missed_; }
    // The steps, one a line, and when to plan again.
    std::string to_string() const {
        std::string text;
        for (const Step &step : steps_) text += step.to_string() + "\n";
        if (older_missed_ > 0) text += std::to_string(older_missed_) + " older missed\n";
        return text + (wake_up_ ? "plan again at " + kron::to_string(*wake_up_) : "nothing to wait for");
    }

private:
    std::vector<Step> steps_;
    std::uint64_t older_missed_;
    std::optional<Time> wake_up_;
};

inline Plan Job::plan(const HostState &state, Instant now) const {
    const auto made = detail::handle<kron_plan>(kron_plan_free, [&](kron_plan **out, kron_error **error) {
        return kron_job_plan(get(), state.get(), now.floor(), out, error);
    });
    return Plan(made.get());
}

// Plans for open periods that the host knows, in any order. `active` says whether an execution of the job is active.
inline Plan plan(const Policy &policy, const std::vector<Decision> &open, Instant now, bool active) {
    const kron_policy value = detail::to_c(policy);
    std::vector<kron_decision> decisions;
    for (const Decision &decision : open) decisions.push_back(decision.get());
    const auto made = detail::handle<kron_plan>(kron_plan_free, [&](kron_plan **out, kron_error **error) {
        return kron_policy_plan(&value, KRON_POLICY_SIZE, decisions.data(), decisions.size(), KRON_DECISION_SIZE, now.floor(),
                                active ? 1 : 0, out, error);
    });
    return Plan(made.get());
}

} // namespace kron

#endif
