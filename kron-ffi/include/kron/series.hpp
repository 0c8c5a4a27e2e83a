// Series: ranges for one pass, whose elements are computed when they are asked for. Part of kron.hpp.
#ifndef KRON_SERIES_HPP
#define KRON_SERIES_HPP

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "decision.hpp"
#include "error.hpp"

namespace kron {

// A range for one pass: for a `for` loop, for std::vector(series.begin(), series.end()), and in C++20 for std::views::take and the
// others. It keeps alive what it reads from. Many have no end of their own: stop, or take as many as you need. For one thread at a time.
// `Source` has the type of the elements, that of the handle, and the function that gets the next element.
template <typename Source> class Series {
public:
    using value_type = typename Source::Element;
    using Handle = typename Source::Handle;

    // Takes a series of a function in C.
    explicit Series(std::shared_ptr<Handle> handle, typename Source::Context context = {})
        : handle_(std::move(handle)), context_(std::move(context)) {}
    Series(Series &&) noexcept = default;
    Series &operator=(Series &&) noexcept = default;

    // The next element; nullopt after the last one. Throws errors of the search; a series of a fleet continues afterwards.
    std::optional<value_type> next() {
        if (!handle_) detail::moved_from("a series of kron");
        return Source::next(handle_.get(), context_);
    }
    // The next elements, at most `most` of them.
    std::vector<value_type> take(std::size_t most) {
        std::vector<value_type> taken;
        while (taken.size() < most) {
            auto element = next();
            if (!element) break;
            taken.push_back(std::move(*element));
        }
        return taken;
    }

    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = typename Source::Element;
        using difference_type = std::ptrdiff_t;
        using pointer = const value_type *;
        using reference = const value_type &;

        iterator() = default;
        explicit iterator(Series *series) : series_(series) { ++*this; }
        reference operator*() const { return *series_->current_; }
        pointer operator->() const { return &*series_->current_; }
        iterator &operator++() {
            series_->current_ = series_->next();
            if (!series_->current_) series_ = nullptr;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const iterator &a, const iterator &b) { return a.series_ == b.series_; }
        friend bool operator!=(const iterator &a, const iterator &b) { return !(a == b); }

    private:
        Series *series_ = nullptr;
    };

    // Moves to the next element. A second loop goes on where the first one stopped.
    iterator begin() { return iterator(this); }
    iterator end() { return iterator(); }

private:
    std::shared_ptr<Handle> handle_;
    typename Source::Context context_;
    std::optional<value_type> current_;
};

namespace detail {

struct NoContext {};

// Gets the next decision of a series of one job.
template <typename T, kron_result (*Next)(T *, kron_decision *, std::size_t, kron_error **)> struct DecisionSource {
    using Element = Decision;
    using Handle = T;
    using Context = NoContext;
    static std::optional<Decision> next(T *series, const NoContext &) {
        kron_decision found;
        if (attempt([&](kron_error **error) { return Next(series, &found, KRON_DECISION_SIZE, error); }) != KRON_OK) return std::nullopt;
        return Decision(found);
    }
};

struct NominalSource {
    using Element = Time;
    using Handle = kron_nominal_series;
    using Context = NoContext;
    static std::optional<Time> next(kron_nominal_series *series, const NoContext &) {
        std::int64_t found = 0;
        if (attempt([&](kron_error **error) { return kron_nominal_series_next(series, &found, error); }) != KRON_OK) return std::nullopt;
        return from_unix(found);
    }
};

} // namespace detail

// Starts in order of chosen time, periods in order of nominal time, and nominal times.
using StartSeries = Series<detail::DecisionSource<kron_start_series, kron_start_series_next>>;
using PeriodSeries = Series<detail::DecisionSource<kron_period_series, kron_period_series_next>>;
using NominalSeries = Series<detail::NominalSource>;

namespace detail {

// A range of time has two ends of one kind: `starts(now, 10)` would be a range that ends in 1970.
template <typename From, typename To> constexpr void check_ends() {
    static_assert(std::is_integral_v<From> == std::is_integral_v<To>,
                  "both ends are times, or both are Unix seconds; for n starts write starts(from).take(n)");
}

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max(), no_begin = std::numeric_limits<std::int64_t>::min();

} // namespace detail

} // namespace kron

#endif
