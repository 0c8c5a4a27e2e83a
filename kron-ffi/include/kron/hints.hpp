// Names that people type and that are not there: a use does not compile, and the compiler's error says what to write. Nothing here does
// anything. Part of kron.hpp.
#ifndef KRON_HINTS_HPP
#define KRON_HINTS_HPP

namespace kron {
namespace hints {

template <typename...> inline constexpr bool never = false;

// A member function that is not there. The compiler also shows the name of its template parameter, so that this is the right word.
#define KRON_HINT(wrong, right, message)                                       \
    template <typename... write_##right> auto wrong(write_##right &&...) const { \
        static_assert(kron::hints::never<write_##right...>, message);          \
    }
#define KRON_STATIC_HINT(wrong, right, message)                                \
    template <typename... write_##right> static auto wrong(write_##right &&...) { \
        static_assert(kron::hints::never<write_##right...>, message);          \
    }

// Members that are no data: every error of a use has the name of the type.
struct write_chosen_time {};
struct write_nominal_time {};
struct write_window_start_or_window_end {};
struct write_unschedulable {};
struct write_period {};

struct ForDecision {
    static constexpr write_chosen_time chosen{}, start{}, time{}, schedulable{};
    static constexpr write_nominal_time nominal{};
    static constexpr write_window_start_or_window_end window{};
    static constexpr write_unschedulable status{}, reason{};
    KRON_HINT(explain, explain_json, "write job.explain_json(decision.nominal_time())")
    KRON_HINT(to_json, explain_json, "write job.explain_json(decision.nominal_time())")
    KRON_HINT(delay, chosen_time, "write *chosen_time() - nominal_time()")
    KRON_HINT(offset, chosen_time, "write *chosen_time() - nominal_time()")
    KRON_HINT(name, job, "a decision does not keep its job: write job.name() of the job that made it, or `for (auto &[start, job] : fleet.starts(...))`")
    KRON_HINT(job_name, job, "a decision does not keep its job: write job.name() of the job that made it")
    KRON_HINT(job, fleet, "a decision does not keep its job: `for (auto &[start, job] : fleet.starts(...))` has both")
};

struct ForError {
    KRON_HINT(message, what, "write what()")
    KRON_HINT(position, span, "write span(), which has the bytes `start` and `end`")
    KRON_HINT(offset, span, "write span(), which has the bytes `start` and `end`")
    KRON_HINT(render, what, "write what(): it names the field, the text and the help; span() has the bytes")
};

struct ForJobSpec {
    KRON_HINT(text, to_string, "write to_string()")
    KRON_HINT(schedule, cron, "write cron()")
    KRON_HINT(tz, timezone, "write timezone()")
    KRON_HINT(time_zone, timezone, "write timezone()")
    KRON_HINT(describe, to_string, "write to_string(), or job.explain_json(nominal) for the steps of one decision")
    KRON_HINT(deadline, policy, "write policy().deadline")
    KRON_STATIC_HINT(try_parse, parse, "write JobSpec::parse(text) and catch kron::Error")
    KRON_HINT(named, Job, "write kron::Job(name, spec)")
    KRON_HINT(name, Job, "a JobSpec has no name: write kron::Job(name, spec)")
    KRON_HINT(next_start, Job, "starts depend on the name: write kron::Job(name, spec).next_start(after)")
    KRON_HINT(starts, Job, "starts depend on the name: write kron::Job(name, spec).starts(from, to)")
};

struct ForJob : ForJobSpec {
    KRON_STATIC_HINT(builder, JobBuilder, "write kron::JobBuilder(cron), whose build(name) makes a Job")
    KRON_HINT(identity, name, "write name()")
    KRON_HINT(id, name, "write name()")
    KRON_HINT(next, next_start, "write next_start(after): the first start after a time, as a Decision with chosen_time()")
    KRON_HINT(next_after, next_start, "write next_start(after): the first start after a time, as a Decision with chosen_time()")
    KRON_HINT(prev, prev_start, "write prev_start(at): the last start at or before a time, as a Decision with chosen_time()")
    KRON_HINT(previous, prev_start, "write prev_start(at): the last start at or before a time, as a Decision with chosen_time()")
    KRON_HINT(previous_start, prev_start, "write prev_start(at): the last start at or before a time, as a Decision")
    KRON_HINT(next_n, take, "write starts(from).take(n)")
    KRON_HINT(starts_after, starts, "write starts(from), which includes a start at `from`")
    KRON_HINT(nominal_times, periods, "write periods(from, to), whose decisions have nominal_time()")
    KRON_HINT(decisions, periods, "write periods(from, to), one decision for each nominal time, or starts(from, to)")
    KRON_HINT(period_at, current_period, "write current_period(now)")
    KRON_HINT(explain, explain_json, "write explain_json(nominal)")
    KRON_HINT(matches, periods, "write periods(time, time + 1s) and look whether it is empty")
    KRON_HINT(is_due, plan, "write plan(state, now), whose steps say what to start")
    KRON_HINT(record, record, "a Job does not change: write state.record(step) of a kron::HostState")
};

struct ForJobBuilder {
    KRON_HINT(cron, JobBuilder, "the cron expression comes first: kron::JobBuilder(\"0 0 * * *\")")
    KRON_HINT(name, build, "write build(name) for a Job, build() for a JobSpec")
    KRON_HINT(tz, timezone, "write timezone(name)")
    KRON_HINT(time_zone, timezone, "write timezone(name)")
    KRON_HINT(database, timezone, "write timezone(name, tzdb)")
    KRON_HINT(win, window, "write window(kron::Window::after(2h))")
    KRON_HINT(window_after, window, "write window(kron::Window::after(2h))")
    KRON_HINT(window_around, window, "write window(kron::Window::around(2h))")
    KRON_HINT(window_before, window, "write window(kron::Window::before(2h))")
    KRON_HINT(dist, distribution, "write distribution(kron::Distribution::skew_early()) or distribution(\"skewEarly\")")
    KRON_HINT(weekdays, days, "write days(\"@days(dow=MON-FRI)\") for nominal days, or only(kron::Clause().dow(\"MON-FRI\")) for starts")
    KRON_HINT(nodays, days, "write days(\"@nodays(dow=SAT,SUN)\")")
};

struct ForClause {
    KRON_HINT(weekdays, dow, "write dow(\"MON-FRI\")")
    KRON_HINT(days_of_week, dow, "write dow(\"MON-FRI\")")
    KRON_HINT(days, dom, "write dom(\"1-7\") for days of the month, dow(\"MON-FRI\") for days of the week")
};

struct ForStep {
    static constexpr write_period decision{};
    KRON_HINT(starts, action, "write action.starts()")
    KRON_HINT(outcome, action, "write action.outcome()")
    KRON_HINT(job, plan, "a step does not keep its job: it is the job whose plan this is")
};

struct ForAction {
    KRON_HINT(time, chosen_time, "write step.period.chosen_time()")
    KRON_HINT(is_start, starts, "write starts()")
    KRON_HINT(reason, outcome, "write to_string(action)")
};

struct ForHostState {
    KRON_HINT(save, to_json, "write to_json(), and the text to a file")
    KRON_HINT(done, set_active, "write set_active(false) when the execution has ended")
    KRON_HINT(mark, record, "write record(step) before you start it")
    KRON_HINT(since, to_json, "write to_json(), whose field `since` has it")
    KRON_HINT(active, is_active, "write is_active()")
    KRON_HINT(handled_through, is_handled, "write is_handled(nominal), or to_json(), whose field `handled_through` has it")
    KRON_STATIC_HINT(load, from_json, "write HostState::from_json(text)")
};

struct ForFleet {
    KRON_STATIC_HINT(load, load_file, "write Fleet::load_file(path) or Fleet::parse(text)")
    KRON_STATIC_HINT(from_file, load_file, "write Fleet::load_file(path)")
    KRON_STATIC_HINT(read, parse, "write Fleet::parse(text) or Fleet::load_file(path)")
    KRON_HINT(add, Fleet, "a Fleet does not change: make one of all jobs, kron::Fleet(jobs)")
    KRON_HINT(push_back, Fleet, "a Fleet does not change: make one of all jobs, kron::Fleet(jobs)")
    KRON_HINT(emplace, Fleet, "a Fleet does not change: make one of all jobs, kron::Fleet({{name, text}, {name, text}})")
    KRON_HINT(erase, Fleet, "a Fleet does not change: make one of all jobs, kron::Fleet(jobs)")
    KRON_HINT(next, starts, "write starts(from).next()")
    KRON_HINT(next_start, starts, "write starts(from).next()")
    KRON_HINT(plan, plan, "write job.plan(state, now) for each job of the fleet, each with a kron::HostState")
};

} // namespace hints

// Names beside the classes.
template <typename... write_JobSpec_parse> auto parse(write_JobSpec_parse &&...) {
    static_assert(hints::never<write_JobSpec_parse...>, "write kron::JobSpec::parse(text), or kron::Job(name, text)");
}
template <typename... write_Job> auto make_job(write_Job &&...) {
    static_assert(hints::never<write_Job...>, "write kron::Job(name, text), or kron::JobSpec::parse(text)");
}
template <typename... write_next_start> auto next(write_next_start &&...) {
    static_assert(hints::never<write_next_start...>, "write job.next_start(after)");
}
template <typename... write_system_clock_now> auto now(write_system_clock_now &&...) {
    static_assert(hints::never<write_system_clock_now...>, "Kron reads no clock: write std::chrono::system_clock::now()");
}
template <typename... write_parse_time> auto from_rfc3339(write_parse_time &&...) {
    static_assert(hints::never<write_parse_time...>, "write kron::parse_time(text)");
}
template <typename... write_to_string> auto to_rfc3339(write_to_string &&...) {
    static_assert(hints::never<write_to_string...>, "write kron::to_string(time)");
}
template <typename... write_to_string> auto format_time(write_to_string &&...) {
    static_assert(hints::never<write_to_string...>, "write kron::to_string(time)");
}
struct Database {
    KRON_STATIC_HINT(load, TzDatabase, "write kron::TzDatabase::read_dir(path)")
    KRON_STATIC_HINT(system, TzDatabase, "write kron::TzDatabase::read_dir(\"/usr/share/zoneinfo\")")
    KRON_STATIC_HINT(bundled, TzDatabase, "write kron::TzDatabase()")
};

} // namespace kron

#endif
