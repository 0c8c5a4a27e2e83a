// What the tests in C++ share.
#ifndef KRON_TEST_HPP
#define KRON_TEST_HPP

#include <cstdio>
#include <cstdlib>

#include "kron.hpp"

static unsigned long checks;

#define CHECK(...)                                                                     \
    do {                                                                               \
        checks++;                                                                      \
        if (!(__VA_ARGS__)) {                                                          \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
            std::exit(1);                                                              \
        }                                                                              \
    } while (0)

// The code of the error that a call throws; none if it throws none.
template <typename Call> static std::optional<kron::ErrorCode> refused(Call &&call) {
    try {
        call();
    } catch (const kron::Error &error) {
        CHECK(*error.what() != '\0');
        return error.code();
    }
    return std::nullopt;
}

// A time of Unix seconds.
constexpr kron::Time at(std::int64_t seconds) { return kron::from_unix(seconds); }

#endif
