// Fleets: many jobs, their merged series, salts that keep starts apart, and what an edit changes. Part of kron.hpp.
#ifndef KRON_FLEET_HPP
#define KRON_FLEET_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "job.hpp"
#include "series.hpp"

namespace kron {

// A decision of a fleet, and its job: `for (const auto &[start, job] : fleet.starts(from, to))`.
struct FleetDecision {
    Decision decision;
    Job job;
};

namespace detail {

using Jobs = std::shared_ptr<const std::vector<Job>>;

// Gets the next decision of a series of a fleet.
template <typename T, kron_result (*Next)(T *, std::size_t *, kron_decision *, std::size_t, kron_error **)> struct FleetSource {
    using Element = FleetDecision;
    using Handle = T;
    using Context = Jobs;
    static std::optional<FleetDecision> next(T *series, const Jobs &jobs) {
        std::size_t index = 0;
        kron_decision found;
        auto call = [&](kron_error **error) { return Next(series, &index, &found, KRON_DECISION_SIZE, error); };
        if (attempt(call) != KRON_OK) return std::nullopt;
        return FleetDecision{Decision(found), (*jobs)[index]};
    }
};

} // namespace detail

// The starts of all jobs of a fleet in order of chosen time, and the periods in order of nominal time.
using FleetStartSeries = Series<detail::FleetSource<kron_fleet_start_series, kron_fleet_start_series_next>>;
using FleetPeriodSeries = Series<detail::FleetSource<kron_fleet_period_series, kron_fleet_period_series_next>>;

// Jobs with distinct names, in the order in which they were given. Immutable: any number of threads may use one at once. Copies share it.
class Fleet : public detail::Object<Fleet, kron_fleet>, public hints::ForFleet {
public:
    using value_type = Job;
    using const_iterator = std::vector<Job>::const_iterator;
    using iterator = const_iterator;

    explicit Fleet(const std::vector<Job> &jobs) : Fleet(jobs.begin(), jobs.end()) {}
    // Jobs, or their names and texts: kron::Fleet({{"backup", "0 0 * * *"}, {"report", "0 9 * * 1"}}).
    Fleet(std::initializer_list<Job> jobs) : Fleet(jobs.begin(), jobs.end()) {}
    template <typename Iterator, typename = typename std::iterator_traits<Iterator>::iterator_category>
    Fleet(Iterator first, Iterator last) : Fleet(build(first, last)) {}

    // Reads the text of a job file, or KronJob manifests in YAML or JSON. `ns` is the namespace of manifests that have none.
    static Fleet parse(std::string_view text, std::string_view ns = "", const Parser &parser = {}) {
        return Fleet(detail::handle<kron_fleet>(kron_fleet_free, [&](kron_fleet **out, kron_error **error) {
            return kron_fleet_parse_n(text.data(), text.size(), ns.data(), ns.size(), parser.get(), out, error);
        }));
    }
    // Reads such a file. The path may also be a std::filesystem::path.
    template <typename Path> static Fleet load_file(const Path &path, std::string_view ns = "", const Parser &parser = {}) {
        return read_file(path_text(path, 0), ns, parser);
    }

    std::size_t size() const { return kron_fleet_length(get()); }
    bool empty() const { return size() == 0; }
    const_iterator begin() const { return jobs().begin(); }
    const_iterator end() const { return jobs().end(); }
    // The job with an index, or with a name. Throws std::out_of_range if there is none.
    const Job &at(std::size_t index) const {
        if (index >= size()) throw std::out_of_range("kron::Fleet: there are " + std::to_string(size()) + " jobs, and none with index " + std::to_string(index));
        return jobs()[index];
    }
    const Job &at(std::string_view name) const {
        const const_iterator found = find(name);
        if (found == end()) throw std::out_of_range("kron::Fleet: no job has the name `" + std::string(name) + "`");
        return *found;
    }
    template <typename Key> const Job &operator[](const Key &key) const { return at(key); }
    // The job with a name; end() if there is none. Its index is find(name) - begin().
    const_iterator find(std::string_view name) const {
        std::size_t index = 0;
        auto call = [&](kron_error **error) { return kron_fleet_find_n(get(), name.data(), name.size(), &index, error); };
        if (detail::attempt(call) != KRON_OK) return end();
        return begin() + static_cast<std::ptrdiff_t>(index);
    }
    bool contains(std::string_view name) const { return find(name) != end(); }
    // The jobs, and their names, in the order in which they were given.
    const std::vector<Job> &jobs() const {
        get(); // throws if the fleet was moved from
        return *jobs_;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const Job &job : jobs()) names.push_back(job.name());
        return names;
    }
    using Object::get;
    template <typename Name> auto get(const Name &) const {
        static_assert(hints::never<Name>, "write at(name), which throws if there is none, or find(name), which may be end()");
    }
    // A further field of a job's line in a job file, such as `owner`; nullopt if the line has none of that name.
    std::optional<std::string> field(std::size_t index, std::string_view key) const {
        return detail::optional_string([&](auto **out, kron_error **error) {
            return kron_fleet_field_n(get(), index, key.data(), key.size(), out, error);
        });
    }
    // What is strange about the file: a JSON array of objects with severity, code and message.
    std::string findings_json() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_fleet_findings_json(get(), out, error); });
    }

    // The starts of all jobs with chosen times in [from, to): a start at `from` is one of them. A job whose search fails throws its error
    // once, and the others go on.
    template <typename From, typename To> FleetStartSeries starts(const From &from, const To &to) const {
        detail::check_ends<From, To>();
        return series<FleetStartSeries>(kron_fleet_start_series_free, kron_fleet_starts, Instant(from).ceil(), Instant(to).ceil());
    }
    // All starts from a time on, without an end.
    FleetStartSeries starts(Instant from) const {
        return series<FleetStartSeries>(kron_fleet_start_series_free, kron_fleet_starts, from.ceil(), detail::no_end);
    }
    // The periods of all jobs with nominal times in [from, to), and from a time on.
    template <typename From, typename To> FleetPeriodSeries periods(const From &from, const To &to) const {
        detail::check_ends<From, To>();
        return series<FleetPeriodSeries>(kron_fleet_period_series_free, kron_fleet_periods, Instant(from).ceil(), Instant(to).ceil());
    }
    FleetPeriodSeries periods(Instant from) const {
        return series<FleetPeriodSeries>(kron_fleet_period_series_free, kron_fleet_periods, from.ceil(), detail::no_end);
    }
    // The starts and periods in [from, to), and all before `to`, latest first.
    template <typename From, typename To> FleetStartSeries starts_back(const From &from, const To &to) const {
        detail::check_ends<From, To>();
        return series<FleetStartSeries>(kron_fleet_start_series_free, kron_fleet_starts_back, Instant(from).ceil(), Instant(to).ceil());
    }
    FleetStartSeries starts_back(Instant to) const {
        return series<FleetStartSeries>(kron_fleet_start_series_free, kron_fleet_starts_back, detail::no_begin, to.ceil());
    }
    template <typename From, typename To> FleetPeriodSeries periods_back(const From &from, const To &to) const {
        detail::check_ends<From, To>();
        return series<FleetPeriodSeries>(kron_fleet_period_series_free, kron_fleet_periods_back, Instant(from).ceil(), Instant(to).ceil());
    }
    FleetPeriodSeries periods_back(Instant to) const {
        return series<FleetPeriodSeries>(kron_fleet_period_series_free, kron_fleet_periods_back, detail::no_begin, to.ceil());
    }

    static const char *type_name() noexcept { return "kron::Fleet"; }

private:
    friend class Spread;
    explicit Fleet(std::shared_ptr<kron_fleet> handle) : Object(std::move(handle)) {
        auto jobs = std::make_shared<std::vector<Job>>();
        jobs->reserve(size());
        for (std::size_t i = 0; i < size(); ++i)
            jobs->emplace_back(detail::handle<kron_job>(
                kron_job_free, [&](kron_job **out, kron_error **error) { return kron_fleet_job(get(), i, out, error); }));
        jobs_ = std::move(jobs);
    }

    static Fleet read_file(std::string_view path, std::string_view ns, const Parser &parser) {
        return Fleet(detail::handle<kron_fleet>(kron_fleet_free, [&](kron_fleet **out, kron_error **error) {
            return kron_fleet_load_file_n(path.data(), path.size(), ns.data(), ns.size(), parser.get(), out, error);
        }));
    }
    // A std::filesystem::path has u8string(); other texts are views.
    template <typename Path> static auto path_text(const Path &path, int) -> decltype(path.u8string(), std::string()) {
        const auto text = path.u8string();
        return std::string(text.begin(), text.end());
    }
    static std::string path_text(std::string_view path, long) { return std::string(path); }

    template <typename Iterator> static std::shared_ptr<kron_fleet> build(Iterator first, Iterator last) {
        auto builder = detail::handle<kron_fleet_builder>(kron_fleet_builder_free, kron_fleet_builder_new);
        for (; first != last; ++first) {
            const Job &job = *first;
            detail::attempt([&](kron_error **error) { return kron_fleet_builder_add(builder.get(), job.get(), error); });
        }
        return detail::handle<kron_fleet>(kron_fleet_free, [&](kron_fleet **out, kron_error **error) {
            return kron_fleet_builder_build(builder.get(), out, error);
        });
    }
    template <typename Made, typename Free, typename Make> Made series(Free free, Make make, std::int64_t from, std::int64_t to) const {
        return Made(detail::handle<typename Made::Handle>(
                        free, [&](auto **out, kron_error **error) { return make(get(), from, to, out, error); }),
                    jobs_);
    }

    detail::Jobs jobs_;
};

// Salts with which few jobs of a fleet start in the same bucket of time.
class Spread : public detail::Object<Spread, kron_spread> {
public:
    // Searches in [from, to), in buckets of 1 second to 1 hour. `fixed` gives jobs the seed strategy `fixed`. With a `peak` above 0 the
    // search ends when no bucket has more starts; otherwise it looks for the lowest peak.
    Spread(const Fleet &fleet, Instant from, Instant to, Duration per, bool fixed = false, std::int64_t peak = 0)
        : Object(detail::handle<kron_spread>(kron_spread_free, [&](kron_spread **out, kron_error **error) {
              return kron_fleet_spread(fleet.get(), from.ceil(), to.ceil(), per.nanoseconds().count(), fixed ? 1 : 0, peak, out, error);
          })) {}

    // The most starts in one bucket with the seeds that the jobs had, and with those that were found; and a lower bound.
    std::uint64_t present_peak() const { return kron_spread_present_peak(get()); }
    std::uint64_t peak() const { return kron_spread_peak(get()); }
    std::uint64_t bound() const { return kron_spread_bound(get()); }
    // The first second of the first bucket with the peak.
    Time peak_time() const {
        std::int64_t time = 0;
        detail::attempt([&](kron_error **error) { return kron_spread_peak_time(get(), &time, error); });
        return from_unix(time);
    }
    // The fleet with the seeds that were found. Jobs have the indexes that they had.
    Fleet fleet() const {
        return Fleet(detail::handle<kron_fleet>(kron_fleet_free, [&](kron_fleet **out, kron_error **error) {
            return kron_spread_fleet(get(), out, error);
        }));
    }
    // The seed that was found for a job, as in the brackets of `@seed(...)`; nullopt if it keeps the one that it had.
    std::optional<std::string> seed(std::size_t index) const {
        return detail::optional_string([&](auto **out, kron_error **error) { return kron_spread_seed(get(), index, out, error); });
    }
    // The proof of the peak and of the bound.
    std::string certificate_json() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_spread_certificate_json(get(), out, error); });
    }

    static const char *type_name() noexcept { return "kron::Spread"; }
};

// The effect of an edit on a period.
enum class ChangeKind : std::uint32_t {
    appears = KRON_CHANGE_KIND_APPEARS,   // it has a start that it did not have
    vanishes = KRON_CHANGE_KIND_VANISHES, // it loses its start
    moves = KRON_CHANGE_KIND_MOVES,       // it starts at another second
    skipped = KRON_CHANGE_KIND_SKIPPED,   // its old start is after the edit, and its new start is not
    repeated = KRON_CHANGE_KIND_REPEATED, // its old start is not after the edit, and its new start is
};

// A period whose start an edit changes.
struct Change {
    ChangeKind kind;
    Time nominal_time;
    // The starts before and after the edit, and the indexes of the job in both fleets, where there are any.
    std::optional<Time> old_start, new_start;
    std::optional<std::size_t> old_job, new_job;
};

// What an edit of a fleet changes in [from, to): starts that appear, vanish or move, and periods that the edit at `from` skips or
// repeats.
inline std::vector<Change> diff(const Fleet &old_fleet, const Fleet &new_fleet, Instant from, Instant to) {
    const auto made = detail::handle<kron_diff>(kron_diff_free, [&](kron_diff **out, kron_error **error) {
        return kron_fleet_diff(old_fleet.get(), new_fleet.get(), from.ceil(), to.ceil(), out, error);
    });
    std::vector<Change> changes;
    for (std::size_t i = 0; i < kron_diff_length(made.get()); ++i) {
        kron_change found;
        detail::attempt([&](kron_error **error) { return kron_diff_change(made.get(), i, &found, KRON_CHANGE_SIZE, error); });
        Change change{static_cast<ChangeKind>(found.kind), from_unix(found.nominal_time), {}, {}, {}, {}};
        if (found.flags & KRON_CHANGE_OLD_START) change.old_start = from_unix(found.old_start);
        if (found.flags & KRON_CHANGE_NEW_START) change.new_start = from_unix(found.new_start);
        if (found.flags & KRON_CHANGE_OLD_JOB) change.old_job = static_cast<std::size_t>(found.old_job);
        if (found.flags & KRON_CHANGE_NEW_JOB) change.new_job = static_cast<std::size_t>(found.new_job);
        changes.push_back(change);
    }
    return changes;
}

} // namespace kron

#endif
