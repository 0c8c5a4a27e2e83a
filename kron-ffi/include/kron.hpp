// libkron for C++17: handles that free themselves, errors as exceptions, series as ranges. Header only, over kron.h.
//
//     kron::Job job("prod/db-backup", "0 0 * * * @win(after,3h)");
//     for (const kron::Decision &start : job.starts(from, to)) use(start.chosen_time);
//
// Times are Unix seconds. Copies of an object share its handle. Any number of threads may use a const object at once.
// Strings need no NUL at their end.
#ifndef KRON_HPP
#define KRON_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kron.h"

namespace kron {

using Decision = kron_decision;

// The chosen time of a decision; nullopt if the period is unschedulable.
inline std::optional<std::int64_t> chosen(const Decision &decision) {
    if (decision.flags & KRON_DECISION_CHOSEN) return decision.chosen_time;
    return std::nullopt;
}

// An error of libkron: code, message, field and help, as in kron_error.
class Error : public std::runtime_error {
public:
    Error(kron_result code, const kron_error *error)
        : std::runtime_error(kron_error_message(error)), code_(code), field_(kron_error_field(error)),
          help_(kron_error_help(error)) {
        std::size_t index = 0;
        if (error != nullptr && kron_error_job_index(error, &index) == KRON_RESULT_OK) job_ = index;
    }

    kron_result code() const noexcept { return code_; }
    const std::string &field() const noexcept { return field_; }
    const std::string &help() const noexcept { return help_; }
    // The index of the job that the error is about, in a series of a fleet.
    std::optional<std::size_t> job() const noexcept { return job_; }

private:
    kron_result code_;
    std::string field_, help_;
    std::optional<std::size_t> job_;
};

namespace detail {

// Calls a function with an error, and throws the error. Returns OK, END or ABSENT.
template <typename Call> kron_result attempt(Call &&call) {
    struct Holder {
        kron_error *error = nullptr;
        ~Holder() { kron_error_free(error); }
    } holder;
    kron_result result = call(&holder.error);
    if (result >= KRON_RESULT_NULL_POINTER) throw Error(result, holder.error);
    return result;
}

// Copies a string of the library, and frees it.
inline std::string take(kron_string *made) {
    std::unique_ptr<kron_string, void (*)(kron_string *)> owner(made, kron_string_free);
    return std::string(kron_string_data(made), kron_string_length(made));
}

// Calls a function that makes a string.
template <typename Call> std::string string(Call &&call) {
    kron_string *made = nullptr;
    attempt([&](kron_error **error) { return call(&made, error); });
    return take(made);
}

// Calls a function that makes a handle.
template <typename T, typename Call> std::shared_ptr<T> handle(void (*free)(T *), Call &&call) {
    T *made = nullptr;
    attempt([&](kron_error **error) { return call(&made, error); });
    return std::shared_ptr<T>(made, free);
}

// A series as a range for one pass.
template <typename Element, typename Series, kron_result (*Next)(Series *, Element &, kron_error **)> class Range {
public:
    explicit Range(std::shared_ptr<Series> series) : series_(std::move(series)) {}

    // The next element; nullopt after the last one. Throws errors of the search; a series of a fleet continues afterwards.
    std::optional<Element> next() {
        Element element{};
        auto call = [&](kron_error **error) { return Next(series_.get(), element, error); };
        if (attempt(call) == KRON_RESULT_OK) return element;
        return std::nullopt;
    }

    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Element;
        using difference_type = std::ptrdiff_t;
        using pointer = const Element *;
        using reference = const Element &;

        iterator() = default;
        explicit iterator(Range *range) : range_(range) { ++*this; }
        reference operator*() const { return *element_; }
        pointer operator->() const { return &*element_; }
        iterator &operator++() {
            element_ = range_->next();
            if (!element_) range_ = nullptr;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const iterator &a, const iterator &b) { return a.range_ == b.range_; }
        friend bool operator!=(const iterator &a, const iterator &b) { return !(a == b); }

    private:
        Range *range_ = nullptr;
        std::optional<Element> element_;
    };

    iterator begin() { return iterator(this); }
    iterator end() { return iterator(); }

private:
    std::shared_ptr<Series> series_;
};

inline kron_result next_start(kron_start_series *series, Decision &decision, kron_error **error) {
    return kron_start_series_next(series, &decision, KRON_DECISION_SIZE, error);
}
inline kron_result next_period(kron_period_series *series, Decision &decision, kron_error **error) {
    return kron_period_series_next(series, &decision, KRON_DECISION_SIZE, error);
}
inline kron_result next_nominal(kron_nominal_series *series, std::int64_t &time, kron_error **error) {
    return kron_nominal_series_next(series, &time, error);
}

} // namespace detail

using StartSeries = detail::Range<Decision, kron_start_series, detail::next_start>;
using PeriodSeries = detail::Range<Decision, kron_period_series, detail::next_period>;
using NominalSeries = detail::Range<std::int64_t, kron_nominal_series, detail::next_nominal>;

// A decision of a fleet, and the index of its job.
struct FleetDecision {
    std::size_t job;
    Decision decision;
};

namespace detail {
inline kron_result next_fleet_start(kron_fleet_start_series *series, FleetDecision &next, kron_error **error) {
    return kron_fleet_start_series_next(series, &next.job, &next.decision, KRON_DECISION_SIZE, error);
}
inline kron_result next_fleet_period(kron_fleet_period_series *series, FleetDecision &next, kron_error **error) {
    return kron_fleet_period_series_next(series, &next.job, &next.decision, KRON_DECISION_SIZE, error);
}
} // namespace detail

using FleetStarts = detail::Range<FleetDecision, kron_fleet_start_series, detail::next_fleet_start>;
using FleetPeriods = detail::Range<FleetDecision, kron_fleet_period_series, detail::next_fleet_period>;

// The TZif data of one zone, such as the content of /usr/share/zoneinfo/Europe/Paris.
struct Tzif {
    std::string_view name;
    std::string_view data;
};

// A time zone database: the time zones of one release. Objects that are read with a database keep the zones that they use.
class TzDatabase {
public:
    // The database that is compiled into the library.
    TzDatabase() = default;

    // Reads a directory of TZif files, such as /usr/share/zoneinfo.
    static TzDatabase read_dir(std::string_view path) {
        return TzDatabase(detail::handle<kron_tzdb>(kron_tzdb_free, [&](kron_tzdb **out, kron_error **error) {
            return kron_tzdb_read_dir_n(path.data(), path.size(), out, error);
        }));
    }
    // Makes a database from data in memory.
    static TzDatabase from_tzif(std::optional<std::string_view> version, const std::vector<Tzif> &zones) {
        std::vector<kron_tzif> list;
        for (const Tzif &zone : zones)
            list.push_back({zone.name.data(), zone.name.size(),
                            reinterpret_cast<const std::uint8_t *>(zone.data.data()), zone.data.size()});
        // An empty view may have no pointer, which would mean no version at all.
        const char *text = version ? (version->data() ? version->data() : "") : nullptr;
        return TzDatabase(detail::handle<kron_tzdb>(kron_tzdb_free, [&](kron_tzdb **out, kron_error **error) {
            return kron_tzdb_from_tzif_n(text, version ? version->size() : 0, list.data(), list.size(), KRON_TZIF_SIZE,
                                         out, error);
        }));
    }

    // The version, such as 2026e; nullopt if the database has none.
    std::optional<std::string> version() const {
        const char *text = kron_tzdb_version(get());
        if (text == nullptr) return std::nullopt;
        return text;
    }
    // The number of zones.
    std::size_t size() const noexcept { return kron_tzdb_length(get()); }
    // The name of a zone by its index; names are sorted.
    std::string zone(std::size_t index) const {
        return detail::string([&](auto **out, kron_error **error) { return kron_tzdb_zone(get(), index, out, error); });
    }
    // The offset of a zone in seconds east of UTC at a Unix second.
    std::int32_t offset_at(std::string_view timezone, std::int64_t at) const {
        std::int32_t offset = 0;
        detail::attempt([&](kron_error **error) {
            return kron_zone_offset_at_n(timezone.data(), timezone.size(), get(), at, &offset, error);
        });
        return offset;
    }
    // The fingerprint of the rules of a zone. Equal rules have equal fingerprints.
    std::string fingerprint(std::string_view timezone) const {
        return detail::string([&](auto **out, kron_error **error) {
            return kron_zone_fingerprint_n(timezone.data(), timezone.size(), get(), out, error);
        });
    }
    // The handle; NULL for the compiled-in database.
    const kron_tzdb *get() const noexcept { return handle_.get(); }

private:
    explicit TzDatabase(std::shared_ptr<kron_tzdb> handle) : handle_(std::move(handle)) {}

    std::shared_ptr<kron_tzdb> handle_;
};

// Named lists of dates, which the part `calendar` of constraints names.
class Calendars {
public:
    // No calendars.
    Calendars() = default;
    // Reads a calendar file.
    explicit Calendars(std::string_view text)
        : handle_(detail::handle<kron_calendars>(kron_calendars_free, [&](kron_calendars **out, kron_error **error) {
              return kron_calendars_parse_n(text.data(), text.size(), out, error);
          })) {}

    // The number of calendars.
    std::size_t size() const noexcept { return kron_calendars_length(get()); }
    // The line of a calendar in a calendar file, by its index; calendars are sorted by name.
    std::string line(std::size_t index) const {
        return detail::string([&](auto **out, kron_error **error) { return kron_calendars_line(get(), index, out, error); });
    }
    // The hash of the dates of a calendar; nullopt if there is none of that name.
    std::optional<std::string> content_hash(std::string_view name) const {
        kron_string *made = nullptr;
        auto call = [&](kron_error **error) {
            return kron_calendars_content_hash_n(get(), name.data(), name.size(), &made, error);
        };
        if (detail::attempt(call) != KRON_RESULT_OK) return std::nullopt;
        return detail::take(made);
    }
    // The handle; NULL for no calendars.
    const kron_calendars *get() const noexcept { return handle_.get(); }

private:
    std::shared_ptr<kron_calendars> handle_;
};

// What the names in a text mean: time zones by a database, calendars by their dates. A database alone is a parser, too.
class Parser {
public:
    // The compiled-in database and no calendars.
    Parser() = default;
    Parser(const TzDatabase &tzdb, const Calendars &calendars = {})
        : handle_(detail::handle<kron_parser>(kron_parser_free, [&](kron_parser **out, kron_error **error) {
              return kron_parser_new(tzdb.get(), calendars.get(), out, error);
          })) {}
    // The compiled-in database with calendars.
    Parser(const Calendars &calendars) : Parser(TzDatabase(), calendars) {}

    // The handle; NULL for the compiled-in database and no calendars.
    const kron_parser *get() const noexcept { return handle_.get(); }

private:
    std::shared_ptr<kron_parser> handle_;
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
} // namespace detail

// A cron expression read in a time zone.
class Schedule {
public:
    explicit Schedule(std::string_view cron, std::string_view timezone = "UTC", const TzDatabase &tzdb = {})
        : handle_(detail::handle<kron_schedule>(kron_schedule_free, [&](kron_schedule **out, kron_error **error) {
              return kron_schedule_parse_n(cron.data(), cron.size(), timezone.data(), timezone.size(), tzdb.get(), out,
                                           error);
          })) {}

    // The first nominal time after an instant; nullopt if there is none before 2100.
    std::optional<std::int64_t> next(std::int64_t after) const { return time(kron_schedule_next, after); }
    // The last nominal time at or before an instant; nullopt if there is none since 1970.
    std::optional<std::int64_t> prev(std::int64_t at) const { return time(kron_schedule_prev, at); }

    NominalSeries series(std::int64_t after) const {
        return NominalSeries(detail::handle<kron_nominal_series>(
            kron_nominal_series_free,
            [&](auto **out, kron_error **error) { return kron_schedule_series(get(), after, out, error); }));
    }
    std::string text() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_schedule_text(get(), out, error); });
    }
    // The cron expressions that fire a lead, in nanoseconds, before this schedule.
    Primed prime(std::int64_t lead) const {
        return detail::primed([&](auto **out, kron_error **error) { return kron_schedule_prime(get(), lead, out, error); });
    }
    // The same, with expressions that also fire at other times where no others exist.
    Primed prime_cover(std::int64_t lead) const {
        return detail::primed(
            [&](auto **out, kron_error **error) { return kron_schedule_prime_cover(get(), lead, out, error); });
    }
    // What changes of the clocks between two Unix seconds do to the lead: a JSON array; see kron_schedule_lead_changes_json.
    std::string lead_changes_json(std::int64_t lead, std::int64_t after, std::int64_t until) const {
        return detail::string([&](auto **out, kron_error **error) {
            return kron_schedule_lead_changes_json(get(), lead, after, until, out, error);
        });
    }
    const kron_schedule *get() const noexcept { return handle_.get(); }

private:
    using Search = kron_result (*)(const kron_schedule *, std::int64_t, std::int64_t *, kron_error **);
    std::optional<std::int64_t> time(Search search, std::int64_t at) const {
        std::int64_t found = 0;
        auto call = [&](kron_error **error) { return search(get(), at, &found, error); };
        if (detail::attempt(call) == KRON_RESULT_OK) return found;
        return std::nullopt;
    }

    std::shared_ptr<kron_schedule> handle_;
};

// A name and a spec, which together determine start times.
class Job {
public:
    Job(std::string_view name, std::string_view text, const Parser &parser = {})
        : Job(detail::handle<kron_job>(kron_job_free, [&](kron_job **out, kron_error **error) {
              return kron_job_parse_n(name.data(), name.size(), text.data(), text.size(), parser.get(), out, error);
          })) {}
    // Takes a handle, for example one that a builder made.
    explicit Job(std::shared_ptr<kron_job> handle) : handle_(std::move(handle)) {}

    static Job from_spec_json(std::string_view name, std::string_view json, const Parser &parser = {}) {
        return Job(detail::handle<kron_job>(kron_job_free, [&](kron_job **out, kron_error **error) {
            return kron_job_from_spec_json_n(name.data(), name.size(), json.data(), json.size(), parser.get(), out,
                                             error);
        }));
    }

    Decision decide(std::int64_t nominal) const { return decision(kron_job_decide, nominal); }
    Decision next_start(std::int64_t after) const { return decision(kron_job_next_start, after); }
    Decision prev_start(std::int64_t at) const { return decision(kron_job_prev_start, at); }
    Decision next_period(std::int64_t after) const { return decision(kron_job_next_period, after); }
    Decision prev_period(std::int64_t at) const { return decision(kron_job_prev_period, at); }

    // The period whose window began last; nullopt if there is none, or if its window has ended and its deadline has passed.
    std::optional<Decision> current_period(std::int64_t now) const {
        Decision found;
        auto call = [&](kron_error **error) {
            return kron_job_current_period(get(), now, &found, KRON_DECISION_SIZE, error);
        };
        if (detail::attempt(call) != KRON_RESULT_OK) return std::nullopt;
        return found;
    }

    StartSeries starts(std::int64_t from, std::int64_t to) const {
        return StartSeries(detail::handle<kron_start_series>(
            kron_start_series_free,
            [&](auto **out, kron_error **error) { return kron_job_starts(get(), from, to, out, error); }));
    }
    PeriodSeries periods(std::int64_t from, std::int64_t to) const {
        return PeriodSeries(detail::handle<kron_period_series>(
            kron_period_series_free,
            [&](auto **out, kron_error **error) { return kron_job_periods(get(), from, to, out, error); }));
    }

    std::string name() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_job_name(get(), out, error); });
    }
    std::string text() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_job_text(get(), out, error); });
    }
    // The cron expressions that fire a lead, in nanoseconds, before each start; none if the job has a window or constraints.
    Primed prime(std::int64_t lead) const {
        return detail::primed([&](auto **out, kron_error **error) { return kron_job_prime(get(), lead, out, error); });
    }
    // The same, with expressions that also fire at other times where no others exist.
    Primed prime_cover(std::int64_t lead) const {
        return detail::primed([&](auto **out, kron_error **error) { return kron_job_prime_cover(get(), lead, out, error); });
    }
    std::string timezone() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_job_timezone(get(), out, error); });
    }
    // The version of the time zone database that the time zone is from; nullopt if that database has none.
    std::optional<std::string> tzdb_version() const {
        kron_string *made = nullptr;
        auto call = [&](kron_error **error) { return kron_job_tzdb_version(get(), &made, error); };
        if (detail::attempt(call) != KRON_RESULT_OK) return std::nullopt;
        return detail::take(made);
    }
    std::string timezone_fingerprint() const {
        return detail::string(
            [&](auto **out, kron_error **error) { return kron_job_timezone_fingerprint(get(), out, error); });
    }
    std::string explain_json(std::int64_t nominal) const {
        return detail::string(
            [&](auto **out, kron_error **error) { return kron_job_explain_json(get(), nominal, out, error); });
    }
    std::string receipt_json(std::int64_t nominal) const {
        return detail::string(
            [&](auto **out, kron_error **error) { return kron_job_receipt_json(get(), nominal, out, error); });
    }
    const kron_job *get() const noexcept { return handle_.get(); }

private:
    using Search = kron_result (*)(const kron_job *, std::int64_t, kron_decision *, std::size_t, kron_error **);
    Decision decision(Search search, std::int64_t at) const {
        Decision found;
        detail::attempt([&](kron_error **error) { return search(get(), at, &found, KRON_DECISION_SIZE, error); });
        return found;
    }

    std::shared_ptr<kron_job> handle_;
};

// Jobs with distinct names.
class Fleet {
public:
    explicit Fleet(const std::vector<Job> &jobs) : handle_(build(jobs)) {}

    // Reads a job file, or KronJob manifests in YAML or JSON.
    static Fleet load(std::string_view text, std::string_view ns = "", const Parser &parser = {}) {
        return Fleet(detail::handle<kron_fleet>(kron_fleet_free, [&](kron_fleet **out, kron_error **error) {
            return kron_fleet_load_n(text.data(), text.size(), ns.data(), ns.size(), parser.get(), out, error);
        }));
    }

    std::size_t size() const noexcept { return kron_fleet_length(get()); }
    // The index of the job with a name; nullopt if there is none.
    std::optional<std::size_t> find(std::string_view name) const {
        std::size_t index = 0;
        auto call = [&](kron_error **error) { return kron_fleet_find_n(get(), name.data(), name.size(), &index, error); };
        if (detail::attempt(call) != KRON_RESULT_OK) return std::nullopt;
        return index;
    }
    Job job(std::size_t index) const {
        return Job(detail::handle<kron_job>(kron_job_free, [&](kron_job **out, kron_error **error) {
            return kron_fleet_job(get(), index, out, error);
        }));
    }
    FleetStarts starts(std::int64_t from, std::int64_t to) const {
        return FleetStarts(detail::handle<kron_fleet_start_series>(
            kron_fleet_start_series_free,
            [&](auto **out, kron_error **error) { return kron_fleet_starts(get(), from, to, out, error); }));
    }
    FleetPeriods periods(std::int64_t from, std::int64_t to) const {
        return FleetPeriods(detail::handle<kron_fleet_period_series>(
            kron_fleet_period_series_free,
            [&](auto **out, kron_error **error) { return kron_fleet_periods(get(), from, to, out, error); }));
    }
    const kron_fleet *get() const noexcept { return handle_.get(); }

private:
    friend class Spread;
    explicit Fleet(std::shared_ptr<kron_fleet> handle) : handle_(std::move(handle)) {}

    static std::shared_ptr<kron_fleet> build(const std::vector<Job> &jobs) {
        auto builder = detail::handle<kron_fleet_builder>(kron_fleet_builder_free, kron_fleet_builder_new);
        for (const Job &job : jobs)
            detail::attempt([&](auto **error) { return kron_fleet_builder_add(builder.get(), job.get(), error); });
        return detail::handle<kron_fleet>(kron_fleet_free, [&](kron_fleet **out, kron_error **error) {
            return kron_fleet_builder_build(builder.get(), out, error);
        });
    }

    std::shared_ptr<kron_fleet> handle_;
};

// Salts with which few jobs of a fleet start in the same bucket of time.
class Spread {
public:
    // Searches in [from, to), in buckets of `per` nanoseconds, 1 second to 1 hour. `fixed` gives jobs the seed strategy `fixed`. With a
    // `peak` above 0 the search ends when no bucket has more starts; otherwise it looks for the lowest peak.
    Spread(const Fleet &fleet, std::int64_t from, std::int64_t to, std::int64_t per, bool fixed = false, std::int64_t peak = 0)
        : handle_(detail::handle<kron_spread>(kron_spread_free, [&](kron_spread **out, kron_error **error) {
              return kron_fleet_spread(fleet.get(), from, to, per, fixed ? 1 : 0, peak, out, error);
          })) {}

    // The most starts in one bucket with the seeds that the jobs had, and with those that were found; and a lower bound.
    std::uint64_t present_peak() const noexcept { return kron_spread_present_peak(get()); }
    std::uint64_t peak() const noexcept { return kron_spread_peak(get()); }
    std::uint64_t bound() const noexcept { return kron_spread_bound(get()); }
    // The first second of the first bucket with the peak.
    std::int64_t peak_time() const {
        std::int64_t time = 0;
        detail::attempt([&](kron_error **error) { return kron_spread_peak_time(get(), &time, error); });
        return time;
    }
    // The fleet with the seeds that were found. Jobs have the indexes that they had.
    Fleet fleet() const {
        return Fleet(detail::handle<kron_fleet>(kron_fleet_free, [&](kron_fleet **out, kron_error **error) {
            return kron_spread_fleet(get(), out, error);
        }));
    }
    // The seed that was found for a job, as in the brackets of `@seed(...)`; nullopt if it keeps the one that it had.
    std::optional<std::string> seed(std::size_t index) const {
        kron_string *made = nullptr;
        auto call = [&](kron_error **error) { return kron_spread_seed(get(), index, &made, error); };
        if (detail::attempt(call) != KRON_RESULT_OK) return std::nullopt;
        return detail::take(made);
    }
    // The proof of the peak and of the bound.
    std::string certificate_json() const {
        return detail::string([&](auto **out, kron_error **error) { return kron_spread_certificate_json(get(), out, error); });
    }
    // The handle.
    const kron_spread *get() const noexcept { return handle_.get(); }

private:
    std::shared_ptr<kron_spread> handle_;
};

// A period whose start an edit changes.
struct Change {
    // One of KRON_CHANGE_KIND_...
    std::uint32_t kind;
    std::int64_t nominal_time;
    // The starts before and after the edit, and the indexes of the job in both fleets, where there are any.
    std::optional<std::int64_t> old_start, new_start;
    std::optional<std::size_t> old_job, new_job;
};

// What an edit of a fleet changes in [from, to): starts that appear, vanish or move, and periods that the edit at `from` skips or
// repeats.
inline std::vector<Change> diff(const Fleet &old_fleet, const Fleet &new_fleet, std::int64_t from, std::int64_t to) {
    const auto made = detail::handle<kron_diff>(kron_diff_free, [&](kron_diff **out, kron_error **error) {
        return kron_fleet_diff(old_fleet.get(), new_fleet.get(), from, to, out, error);
    });
    std::vector<Change> changes;
    for (std::size_t i = 0; i < kron_diff_length(made.get()); ++i) {
        kron_change found;
        detail::attempt([&](kron_error **error) { return kron_diff_change(made.get(), i, &found, KRON_CHANGE_SIZE, error); });
        Change change{found.kind, found.nominal_time, {}, {}, {}, {}};
        if (found.flags & KRON_CHANGE_OLD_START) change.old_start = found.old_start;
        if (found.flags & KRON_CHANGE_NEW_START) change.new_start = found.new_start;
        if (found.flags & KRON_CHANGE_OLD_JOB) change.old_job = static_cast<std::size_t>(found.old_job);
        if (found.flags & KRON_CHANGE_NEW_JOB) change.new_job = static_cast<std::size_t>(found.new_job);
        changes.push_back(change);
    }
    return changes;
}

// What the verification of a receipt found.
struct Verification {
    // How many fields differ; 0 if the receipt agrees.
    std::uint64_t differences;
    // A JSON object: differences, an array of objects with field, receipt and computed; and notProven, an array of strings
    // that name what the receipt's text says and its decision does not depend on.
    std::string details_json;
    // How the rules of the time zone compare: one of KRON_ZONE_RULES_...
    std::uint32_t zone_rules;
    // The first Unix second at which different rules give different offsets, where it is known.
    std::optional<std::int64_t> first_difference;

    // Whether the receipt agrees with the decision that was made again.
    bool agrees() const noexcept { return differences == 0; }
};

// Makes the decision of a receipt again, with the zones and the calendars of a parser, and compares.
inline Verification verify_receipt(std::string_view json, const Parser &parser = {}) {
    kron_verification found;
    std::string details = detail::string([&](auto **out, kron_error **error) {
        return kron_receipt_verify_n(json.data(), json.size(), parser.get(), &found, KRON_VERIFICATION_SIZE, out, error);
    });
    Verification verification{found.differences, std::move(details), found.zone_rules, std::nullopt};
    if (found.flags & KRON_VERIFICATION_FIRST_DIFFERENCE) verification.first_difference = found.first_difference;
    return verification;
}

} // namespace kron

#endif
