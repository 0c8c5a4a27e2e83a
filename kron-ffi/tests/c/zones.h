/* TZif data for tests, and directories of it, so that tests have zones with rules of their own. */
#ifndef KRON_TEST_ZONES_H
#define KRON_TEST_ZONES_H

#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

enum { TZIF_BYTES = 122 };

/* When the rules of the test zones change: 2030-01-01T00:00:00Z. */
#define CHANGE INT64_C(1893456000)

static inline void big_endian(unsigned char *data, uint64_t value, int bytes) {
    while (bytes-- > 0) {
        data[bytes] = (unsigned char)value;
        value >>= 8;
    }
}

/* Writes TZif data of version 2 for a zone with one offset before CHANGE and one from it on, which may be the same. */
static inline void make_tzif(unsigned char *data, int32_t before, int32_t after) {
    memset(data, 0, TZIF_BYTES);
    /* The block of version 1 has one type and nothing else. */
    memcpy(data, "TZif2", 5);
    big_endian(data + 36, 1, 4);
    big_endian(data + 40, 1, 4);
    unsigned char *second = data + 44 + 7;
    memcpy(second, "TZif2", 5);
    big_endian(second + 32, 1, 4); /* changes */
    big_endian(second + 36, 2, 4); /* types */
    big_endian(second + 40, 4, 4); /* characters */
    big_endian(second + 44, (uint64_t)CHANGE, 8);
    second[52] = 1;
    big_endian(second + 53, (uint32_t)before, 4);
    big_endian(second + 59, (uint32_t)after, 4);
    memcpy(second + 65, "LMT\0\n\n", 6);
}

/* A zone of such data. */
static inline kron_tzif tzif(const char *name, const unsigned char *data) {
    kron_tzif zone = {name, strlen(name), data, TZIF_BYTES};
    return zone;
}

/* A parser with a database, and without calendars. */
static inline kron_parser *parser_with(const kron_tzdb *tzdb) {
    kron_error *error = NULL;
    kron_parser *parser = NULL;
    OK(kron_parser_new(tzdb, NULL, &parser, &error));
    return parser;
}

static inline void write_file(const char *dir, const char *name, const void *data, size_t length) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *out = fopen(path, "wb");
    CHECK(out != NULL && fwrite(data, 1, length, out) == length && fclose(out) == 0);
}

/* A new directory with the file +VERSION and the zones Asia/Tokyo and Test/Zone. */
static inline const char *make_zoneinfo(void) {
    static char dir[64];
    char path[96];
    unsigned char data[TZIF_BYTES];
    strcpy(dir, "/tmp/kron-zoneinfo-XXXXXX");
    CHECK(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/Asia", dir);
    CHECK(mkdir(path, 0700) == 0);
    snprintf(path, sizeof path, "%s/Test", dir);
    CHECK(mkdir(path, 0700) == 0);
    write_file(dir, "+VERSION", "2026z\n", 6);
    make_tzif(data, 32400, 32400);
    write_file(dir, "Asia/Tokyo", data, sizeof data);
    make_tzif(data, 3600, 7200);
    write_file(dir, "Test/Zone", data, sizeof data);
    return dir;
}

static inline void remove_zoneinfo(const char *dir) {
    static const char *const names[] = {"+VERSION", "Asia/Tokyo", "Test/Zone", "Asia", "Test", ""};
    char path[96];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        CHECK(remove(path) == 0);
    }
}

#endif
