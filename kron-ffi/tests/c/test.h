/* What all C tests share: checks that count, and a summary. Not for production: it ends the program at the first failure. */
#ifndef KRON_TEST_H
#define KRON_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kron.h"

static unsigned long checks;

#define CHECK(condition)                                                              \
    do {                                                                              \
        checks++;                                                                     \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);   \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

/* A call that must have this result; the message of its error helps if it has another. */
#define EXPECT(want, call)                                                            \
    do {                                                                              \
        kron_result found_ = (call);                                                  \
        checks++;                                                                     \
        if (found_ != (want)) {                                                       \
            fprintf(stderr, "%s:%d: %s gave %u, not %u: %s\n", __FILE__, __LINE__,    \
                    #call, (unsigned)found_, (unsigned)(want),                        \
                    kron_error_message(error));                                       \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

#define OK(call) EXPECT(KRON_OK, call)

/* A string of the library that must be this text; frees it. */
#define CHECK_STRING(string, text)                                                    \
    do {                                                                              \
        kron_string *string_ = (string);                                              \
        checks++;                                                                     \
        if (strcmp(kron_string_data(string_), (text)) != 0 ||                         \
            kron_string_length(string_) != strlen(text)) {                            \
            fprintf(stderr, "%s:%d: %s is not %s\n", __FILE__, __LINE__,              \
                    kron_string_data(string_), (text));                               \
            exit(1);                                                                  \
        }                                                                             \
        kron_string_free(string_);                                                    \
    } while (0)

static inline int summary(const char *name) {
    printf("%s: %lu checks passed\n", name, checks);
    return 0;
}

/* 2026-03-01T00:00:00Z */
#define MARCH INT64_C(1772323200)

#endif
