// Errors as exceptions, and the objects that hold handles of kron.h. Part of kron.hpp.
#ifndef KRON_ERROR_HPP
#define KRON_ERROR_HPP

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../kron.h"
#include "error_code.hpp"
#include "hints.hpp"

namespace kron {

// The bytes of a text that an error is about: [start, end), from 0.
struct Span {
    std::size_t start, end;
    friend bool operator==(Span a, Span b) noexcept { return a.start == b.start && a.end == b.end; }
    friend bool operator!=(Span a, Span b) noexcept { return !(a == b); }
};

// An error of libkron. what() is the whole message: the field, the text and the help.
class Error : public std::runtime_error, public hints::ForError {
public:
    Error(kron_result code, const kron_error *error)
        : std::runtime_error(kron_error_message(error)), code_(static_cast<ErrorCode>(code)), field_(kron_error_field(error)),
          help_(kron_error_help(error)), line_(kron_error_line(error)), document_(kron_error_document(error)) {
        std::size_t start = 0, end = 0, index = 0;
        if (error == nullptr) return;
        if (kron_error_span(error, &start, &end) == KRON_OK) span_ = Span{start, end};
        if (kron_error_job_index(error, &index) == KRON_OK) job_index_ = index;
        auto others = std::make_shared<std::vector<Error>>();
        for (std::size_t i = 1; i < kron_error_count(error); ++i) {
            const kron_error *other = kron_error_at(error, i);
            others->push_back(Error(kron_error_code(other), other));
        }
        if (!others->empty()) others_ = std::move(others);
    }

    // What kind of error it is: kron::ErrorCode::cron_out_of_range.
    ErrorCode code() const noexcept { return code_; }
    // The field that is invalid: its path in the KronJob spec, such as `schedule.minute`, or the name of an argument; empty if none.
    const std::string &field() const noexcept { return field_; }
    // What to write instead; empty if there is no help. what() contains it.
    const std::string &help() const noexcept { return help_; }
    // The invalid bytes: of the text that was read, of the line for a job file, of the one value for a manifest.
    std::optional<Span> span() const noexcept { return span_; }
    // The line of the job file, from 1; 0 if the error has none.
    std::size_t line() const noexcept { return line_; }
    // The document of the manifest file, from 1, if it has several; 0 if the error has none.
    std::size_t document() const noexcept { return document_; }
    // The index of the job that the error is about, in a series of a fleet.
    std::optional<std::size_t> job_index() const noexcept { return job_index_; }
    // All errors of a file, this one first. Fleet::parse and Fleet::load_file report several; all others one.
    std::vector<Error> errors() const {
        std::vector<Error> all(1, *this);
        if (others_) all.insert(all.end(), others_->begin(), others_->end());
        return all;
    }

private:
    ErrorCode code_;
    std::string field_, help_;
    std::size_t line_, document_;
    std::optional<Span> span_;
    std::optional<std::size_t> job_index_;
    std::shared_ptr<const std::vector<Error>> others_;
};

// The version of the library, such as 0.1.0. KRON_VERSION is that of the header.
inline std::string version() { return kron_version(); }

// The word of a code, such as `cron-out-of-range`.
inline std::string to_string(ErrorCode code) { return kron_result_name(static_cast<std::uint32_t>(code)); }

namespace detail {

// Calls a function with an error, and throws the error. Returns OK, END or ABSENT.
template <typename Call> kron_result attempt(Call &&call) {
    struct Holder {
        kron_error *error = nullptr;
        ~Holder() { kron_error_free(error); }
    } holder;
    kron_result result = call(&holder.error);
    if (result >= KRON_ERROR_NULL_POINTER) throw Error(result, holder.error);
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

// Calls a function that makes a string, or none.
template <typename Call> std::optional<std::string> optional_string(Call &&call) {
    kron_string *made = nullptr;
    if (attempt([&](kron_error **error) { return call(&made, error); }) != KRON_OK) return std::nullopt;
    return take(made);
}

// Calls a function that makes a handle.
template <typename T, typename Call> std::shared_ptr<T> handle(void (*free)(T *), Call &&call) {
    T *made = nullptr;
    attempt([&](kron_error **error) { return call(&made, error); });
    return std::shared_ptr<T>(made, free);
}

// An object that was moved from can be assigned or destroyed, and nothing else.
[[noreturn]] inline void moved_from(const char *type) {
    throw std::logic_error(std::string(type) + " was moved from: it can only be assigned or destroyed");
}

// An object that holds a handle. Copies share it. NULL is a default of the library, such as its compiled-in database.
template <typename Derived, typename T> class Object {
public:
    Object(const Object &other) : handle_(other.shared()) {}
    Object(Object &&other) noexcept : handle_(std::move(other.handle_)), moved_(std::exchange(other.moved_, true)) {}
    Object &operator=(const Object &other) {
        handle_ = other.shared();
        moved_ = false;
        return *this;
    }
    Object &operator=(Object &&other) noexcept {
        if (this != &other) {
            handle_ = std::move(other.handle_);
            moved_ = std::exchange(other.moved_, true);
        }
        return *this;
    }

    // The handle of kron.h, for functions in C. It belongs to the object. Throws std::logic_error if the object was moved from.
    const T *get() const {
        if (moved_) moved_from(Derived::type_name());
        return handle_.get();
    }

protected:
    Object() = default;
    explicit Object(std::shared_ptr<T> handle) : handle_(std::move(handle)) {}
    ~Object() = default;

    const std::shared_ptr<T> &shared() const {
        if (moved_) moved_from(Derived::type_name());
        return handle_;
    }

private:
    std::shared_ptr<T> handle_;
    bool moved_ = false;
};

} // namespace detail

} // namespace kron

#endif
