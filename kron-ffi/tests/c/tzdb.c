/* Time zone databases that a program gives: every function that takes one uses it, damaged data is an error, and what was
 * read with a database outlives it. */
#include "zones.h"

static kron_error *error = NULL;
static unsigned char tokyo[TZIF_BYTES], later_tokyo[TZIF_BYTES], other_tokyo[TZIF_BYTES], zone[TZIF_BYTES];

/* A database with Asia/Tokyo by these rules, and Test/Zone. */
static kron_tzdb *database(const char *version, const unsigned char *rules) {
    kron_tzif zones[2] = {tzif("Test/Zone", zone), tzif("Asia/Tokyo", rules)};
    kron_tzdb *tzdb = NULL;
    OK(kron_tzdb_from_tzif(version, zones, 2, KRON_TZIF_SIZE, &tzdb, &error));
    return tzdb;
}

static void facts(void) {
    kron_tzdb *tzdb = database("2026z", tokyo), *other = NULL;
    kron_string *text = NULL, *compiled_in = NULL;
    int32_t offset = 7;
    CHECK(strcmp(kron_tzdb_version(tzdb), "2026z") == 0 && kron_tzdb_length(tzdb) == 2);
    OK(kron_tzdb_zone(tzdb, 0, &text, &error));
    CHECK_STRING(text, "Asia/Tokyo");
    OK(kron_tzdb_clone(tzdb, &other, &error));
    kron_tzdb_free(tzdb);
    OK(kron_tzdb_zone(other, 1, &text, &error));
    CHECK_STRING(text, "Test/Zone");
    EXPECT(KRON_ERROR_INDEX, kron_tzdb_zone(other, 2, &text, &error));
    OK(kron_zone_offset_at("Test/Zone", other, CHANGE - 1, &offset, &error));
    CHECK(offset == 3600);
    OK(kron_zone_offset_at_n("Test/Zone!", 9, other, CHANGE, &offset, &error));
    CHECK(offset == 7200);
    EXPECT(KRON_ERROR_TIME_ZONE, kron_zone_offset_at("Europe/Paris", other, 0, &offset, &error));
    CHECK(offset == 7200);
    OK(kron_zone_fingerprint("Asia/Tokyo", NULL, &compiled_in, &error));
    OK(kron_zone_fingerprint_n("Asia/Tokyo!", 10, other, &text, &error));
    CHECK(kron_string_length(text) == 64);
    CHECK_STRING(text, kron_string_data(compiled_in));
    OK(kron_zone_fingerprint("Test/Zone", other, &text, &error));
    CHECK(strcmp(kron_string_data(text), kron_string_data(compiled_in)) != 0);
    kron_string_free(text);
    kron_string_free(compiled_in);
    kron_tzdb_free(other);

    /* The compiled-in database. */
    size_t count = kron_tzdb_length(NULL);
    CHECK(count > 400 && strcmp(kron_tzdb_version(NULL), "2026e") >= 0);
    OK(kron_tzdb_zone(NULL, 0, &text, &error));
    CHECK_STRING(text, "Africa/Abidjan");
    OK(kron_tzdb_zone(NULL, count - 1, &text, &error));
    CHECK_STRING(text, "Zulu");
    EXPECT(KRON_ERROR_INDEX, kron_tzdb_zone(NULL, count, &text, &error));
    /* British Columbia stays on UTC-7 from November 2026 on. */
    OK(kron_zone_offset_at("America/Vancouver", NULL, INT64_C(1796000000), &offset, &error));
    CHECK(offset == -7 * 3600);

    /* A database without a version, and one without zones, which still has UTC. */
    tzdb = database(NULL, tokyo);
    CHECK(kron_tzdb_version(tzdb) == NULL);
    kron_tzdb_free(tzdb);
    OK(kron_tzdb_from_tzif_n("2026z!", 5, NULL, 0, KRON_TZIF_SIZE, &tzdb, &error));
    CHECK(strcmp(kron_tzdb_version(tzdb), "2026z") == 0 && kron_tzdb_length(tzdb) == 0);
    OK(kron_zone_offset_at("UTC", tzdb, 0, &offset, &error));
    CHECK(offset == 0);
    kron_tzdb_free(tzdb);
    OK(kron_tzdb_from_tzif_n(NULL, 9, NULL, 0, KRON_TZIF_SIZE, &tzdb, &error));
    CHECK(kron_tzdb_version(tzdb) == NULL);
    kron_tzdb_free(tzdb);
}

/* A job that starts at 08:00 in Test/Zone, which only the given database has. Frees it. */
static void starts_by_the_given_rules(kron_job *job) {
    kron_decision decision;
    kron_string *text = NULL;
    OK(kron_job_next_period(job, CHANGE - 86400, &decision, KRON_DECISION_SIZE, &error));
    CHECK(decision.nominal_time == CHANGE - 86400 + 7 * 3600);
    OK(kron_job_next_period(job, CHANGE, &decision, KRON_DECISION_SIZE, &error));
    CHECK(decision.nominal_time == CHANGE + 6 * 3600);
    OK(kron_job_timezone(job, &text, &error));
    CHECK_STRING(text, "Test/Zone");
    OK(kron_job_tzdb_version(job, &text, &error));
    CHECK_STRING(text, "2026z");
    kron_job_free(job);
}

#define SPEC "{\"schedule\": \"0 8 * * *\", \"timezone\": \"Test/Zone\"}"
#define KRONJOB_SPEC "{\"schedule\": \"0 8 * * *\", \"timezone\": \"Test/Zone\", \"jobTemplate\": {\"spec\": {\"template\": " \
    "{\"spec\": {\"restartPolicy\": \"Never\", \"containers\": [{\"name\": \"c\", \"image\": \"i\"}]}}}}}"
#define FLEET "0 8 * * * @tz(Test/Zone) name=a/b\n"

/* Every function that reads a zone's name looks it up in the database that it is given. The handle of the database is freed
 * before what was read with it is used. */
static void readers(void) {
    kron_job *jobs[10] = {NULL}, *none = NULL;
    kron_schedule *schedules[2] = {NULL}, *no_schedule = NULL;
    kron_fleet *fleets[2] = {NULL}, *no_fleet = NULL;
    kron_job_builder *builder = NULL;
    const char *text = "0 8 * * * @tz(Test/Zone)", *cron = "0 8 * * *", *name = "Test/Zone";
    kron_tzdb *tzdb = database("2026z", tokyo);
    kron_parser *parser = parser_with(tzdb);
    OK(kron_job_parse("a/b", text, parser, &jobs[0], &error));
    OK(kron_job_parse_n("a/b", 3, text, strlen(text), parser, &jobs[1], &error));
    OK(kron_job_from_spec_json("a/b", SPEC, parser, &jobs[2], &error));
    OK(kron_job_from_spec_json_n("a/b", 3, SPEC, strlen(SPEC), parser, &jobs[3], &error));
    OK(kron_job_from_kronjob_spec_json("a/b", KRONJOB_SPEC, parser, &jobs[4], &error));
    OK(kron_job_from_kronjob_spec_json_n("a/b", 3, KRONJOB_SPEC, strlen(KRONJOB_SPEC), parser, &jobs[5], &error));
    OK(kron_fleet_parse(FLEET, "", parser, &fleets[0], &error));
    OK(kron_fleet_parse_n(FLEET, strlen(FLEET), "", 0, parser, &fleets[1], &error));
    OK(kron_schedule_parse(cron, name, tzdb, &schedules[0], &error));
    OK(kron_schedule_parse_n(cron, strlen(cron), name, strlen(name), tzdb, &schedules[1], &error));
    for (int i = 0; i < 2; i++) {
        OK(kron_job_builder_new(cron, &builder, &error));
        if (i == 0) OK(kron_job_builder_timezone(builder, name, tzdb, &error));
        else OK(kron_job_builder_timezone_n(builder, name, strlen(name), tzdb, &error));
        OK(kron_job_builder_build(builder, "a/b", &jobs[8 + i], &error));
        kron_job_builder_free(builder);
    }
    kron_tzdb_free(tzdb);
    kron_parser_free(parser);
    for (int i = 0; i < 2; i++) {
        int64_t time = 0;
        OK(kron_fleet_job(fleets[i], 0, &jobs[6 + i], &error));
        kron_fleet_free(fleets[i]);
        OK(kron_schedule_next(schedules[i], CHANGE, &time, &error));
        CHECK(time == CHANGE + 6 * 3600);
        kron_schedule_free(schedules[i]);
    }
    for (int i = 0; i < 10; i++) starts_by_the_given_rules(jobs[i]);

    /* The compiled-in database has no such zone. */
    EXPECT(KRON_ERROR_TIME_ZONE, kron_job_parse("a/b", text, NULL, &none, &error));
    EXPECT(KRON_ERROR_TIME_ZONE, kron_job_from_spec_json("a/b", SPEC, NULL, &none, &error));
    EXPECT(KRON_ERROR_TIME_ZONE, kron_job_from_kronjob_spec_json("a/b", KRONJOB_SPEC, NULL, &none, &error));
    EXPECT(KRON_ERROR_TIME_ZONE, kron_fleet_parse(FLEET, "", NULL, &no_fleet, &error));
    EXPECT(KRON_ERROR_TIME_ZONE, kron_schedule_parse(cron, name, NULL, &no_schedule, &error));
    OK(kron_job_builder_new(cron, &builder, &error));
    EXPECT(KRON_ERROR_TIME_ZONE, kron_job_builder_timezone(builder, name, NULL, &error));
    kron_job_builder_free(builder);
}

/* What the verification of a job's receipt finds, with a database. */
static kron_verification verification(const char *receipt, const kron_tzdb *tzdb) {
    kron_verification found = {99, 99, 99, 99};
    kron_string *details = NULL;
    kron_parser *parser = parser_with(tzdb);
    OK(kron_receipt_verify(receipt, parser, &found, KRON_VERIFICATION_SIZE, &details, &error));
    CHECK((found.differences == 0) == (strstr(kron_string_data(details), "\"differences\":[],") != NULL));
    CHECK((found.zone_rules == KRON_ZONE_RULES_DIFFERENT) ==
          (strstr(kron_string_data(details), "\"field\":\"timezoneFingerprint\"") != NULL));
    CHECK(found.flags != 0 || found.first_difference == 0);
    kron_string_free(details);
    kron_parser_free(parser);
    return found;
}

static void receipts(void) {
    kron_job *job = NULL;
    kron_string *receipt = NULL, *given_receipt = NULL, *text = NULL;
    const char *job_text = "0 8 * * * @tz(Asia/Tokyo) @win(after,1h)";
    kron_tzdb *same = database(kron_tzdb_version(NULL), tokyo), *release = database("2026z", tokyo);
    kron_tzdb *later = database("2027a", later_tokyo), *other = database(NULL, other_tokyo);
    OK(kron_job_parse("a/b", job_text, NULL, &job, &error));
    OK(kron_job_tzdb_version(job, &text, &error));
    CHECK_STRING(text, kron_tzdb_version(NULL));
    OK(kron_job_timezone_fingerprint(job, &text, &error));
    OK(kron_job_receipt_json(job, MARCH - 3600, &receipt, &error));
    CHECK(strstr(kron_string_data(receipt), kron_string_data(text)) != NULL);
    kron_string_free(text);
    kron_job_free(job);
    const char *json = kron_string_data(receipt);
    kron_verification found = verification(json, NULL);
    CHECK(found.differences == 0 && found.zone_rules == KRON_ZONE_RULES_SAME && found.flags == 0);
    found = verification(json, same);
    CHECK(found.differences == 0 && found.zone_rules == KRON_ZONE_RULES_SAME && found.flags == 0);
    found = verification(json, release);
    CHECK(found.differences == 0 && found.zone_rules == KRON_ZONE_RULES_OTHER_RELEASE && found.flags == 0);
    /* The offset changes in 2030, and the receipt is of 2026: only the rules differ. */
    found = verification(json, later);
    CHECK(found.differences == 1 && found.zone_rules == KRON_ZONE_RULES_DIFFERENT);
    CHECK(found.flags == KRON_VERIFICATION_FIRST_DIFFERENCE && found.first_difference == CHANGE);

    /* A receipt by rules that the compiled-in database does not have. */
    kron_parser *parser = parser_with(other);
    OK(kron_job_parse("a/b", job_text, parser, &job, &error));
    kron_parser_free(parser);
    EXPECT(KRON_ABSENT, kron_job_tzdb_version(job, &text, &error));
    kron_decision decision;
    OK(kron_job_next_period(job, MARCH, &decision, KRON_DECISION_SIZE, &error));
    OK(kron_job_receipt_json(job, decision.nominal_time, &given_receipt, &error));
    kron_job_free(job);
    json = kron_string_data(given_receipt);
    found = verification(json, other);
    CHECK(found.differences == 0 && found.zone_rules == KRON_ZONE_RULES_SAME);
    found = verification(json, NULL);
    CHECK(found.differences > 0 && found.zone_rules == KRON_ZONE_RULES_DIFFERENT && found.flags == 0);
    kron_string_free(receipt);
    kron_string_free(given_receipt);
    kron_tzdb_free(same);
    kron_tzdb_free(release);
    kron_tzdb_free(later);
    kron_tzdb_free(other);
}

static kron_result from(const char *version, const kron_tzif *zones, size_t count) {
    kron_tzdb *tzdb = NULL;
    kron_result found = kron_tzdb_from_tzif(version, zones, count, KRON_TZIF_SIZE, &tzdb, &error);
    CHECK((tzdb != NULL) == (found == KRON_OK));
    kron_tzdb_free(tzdb);
    return found;
}

static void damaged(void) {
    kron_tzif one = tzif("Test/Zone", zone);
    OK(from(NULL, &one, 1));
    /* Cut off. The last two bytes are the footer. */
    for (one.data_length = 0; one.data_length < TZIF_BYTES - 2; one.data_length++) {
        EXPECT(KRON_ERROR_TZ_DATA, from(NULL, &one, 1));
        CHECK(strcmp(kron_error_field(error), "tzdb.Test/Zone") == 0);
    }
    one.data_length = TZIF_BYTES;
    one.data = NULL;
    EXPECT(KRON_ERROR_NULL_POINTER, from(NULL, &one, 1));
    one.data_length = 0;
    EXPECT(KRON_ERROR_TZ_DATA, from(NULL, &one, 1));
    /* Each byte changed. */
    static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x7f};
    unsigned char data[TZIF_BYTES];
    unsigned refused = 0;
    one = tzif("Test/Zone", data);
    for (size_t at = 0; at < TZIF_BYTES; at++) {
        for (size_t i = 0; i < sizeof changes; i++) {
            memcpy(data, zone, sizeof data);
            data[at] ^= changes[i];
            kron_result found = from(NULL, &one, 1);
            CHECK(found == KRON_OK || found == KRON_ERROR_TZ_DATA);
            refused += found == KRON_ERROR_TZ_DATA;
        }
    }
    CHECK(refused > 100);

    /* Names, versions, and arrays of zones of which one is wrong. */
    kron_tzif zones[3] = {tzif("Asia/Tokyo", tokyo), tzif("Test/Zone", zone), tzif("Asia/Tokyo", tokyo)};
    EXPECT(KRON_ERROR_TZ_DATA, from("2026z", zones, 3));
    CHECK(strstr(kron_error_message(error), "`Asia/Tokyo`") != NULL);
    OK(from("2026z", zones, 2));
    EXPECT(KRON_ERROR_TZ_DATA, from("2026 z", zones, 2));
    CHECK(strcmp(kron_error_field(error), "tzdb.version") == 0);
    EXPECT(KRON_ERROR_TZ_DATA, from("", zones, 2));
    EXPECT(KRON_ERROR_INVALID_UTF8, from("2026\xff", zones, 2));
    zones[2] = tzif("../etc", zone);
    EXPECT(KRON_ERROR_TZ_DATA, from(NULL, zones, 3));
    zones[2] = tzif("UTC", zone);
    EXPECT(KRON_ERROR_TZ_DATA, from(NULL, zones, 3));
    zones[2] = tzif("A/\xff", zone);
    size_t start = 7, end = 7;
    EXPECT(KRON_ERROR_INVALID_UTF8, from(NULL, zones, 3));
    CHECK(strcmp(kron_error_message(error), "zones[2].name: the string is not valid UTF-8 at byte 2") == 0);
    CHECK(strcmp(kron_error_field(error), "zones") == 0);
    CHECK(kron_error_span(error, &start, &end) == KRON_OK && start == 2 && end == 3);
    zones[2].name = NULL;
    EXPECT(KRON_ERROR_NULL_POINTER, from(NULL, zones, 3));
    CHECK(strcmp(kron_error_message(error), "zones[2].name: the pointer is NULL") == 0);
    zones[2] = tzif("A", zone);
    zones[2].data_length = SIZE_MAX;
    EXPECT(KRON_ERROR_LENGTH, from(NULL, zones, 3));
}

static void directories(void) {
    const char *dir = make_zoneinfo();
    kron_tzdb *tzdb = NULL, *none = NULL;
    kron_string *text = NULL;
    char path[96];
    snprintf(path, sizeof path, "%s!", dir);
    OK(kron_tzdb_read_dir_n(path, strlen(dir), &tzdb, &error));
    kron_tzdb_free(tzdb);
    OK(kron_tzdb_read_dir(dir, &tzdb, &error));
    CHECK(strcmp(kron_tzdb_version(tzdb), "2026z") == 0 && kron_tzdb_length(tzdb) == 2);
    OK(kron_tzdb_zone(tzdb, 1, &text, &error));
    CHECK_STRING(text, "Test/Zone");
    kron_job *job = NULL;
    kron_parser *parser = parser_with(tzdb);
    OK(kron_job_parse("a/b", "0 8 * * * @tz(Test/Zone)", parser, &job, &error));
    kron_parser_free(parser);
    kron_tzdb_free(tzdb);
    starts_by_the_given_rules(job);

    EXPECT(KRON_ERROR_IO, kron_tzdb_read_dir(path, &none, &error));
    CHECK(strncmp(kron_error_message(error), path, strlen(path)) == 0);
    CHECK(strcmp(kron_error_field(error), "path") == 0 && *kron_error_help(error) != '\0');
    EXPECT(KRON_ERROR_IO, kron_tzdb_read_dir("/no\nsuch", &none, &error));
    CHECK(strncmp(kron_error_message(error), "/no\\nsuch: ", 11) == 0);
    EXPECT(KRON_ERROR_IO, kron_tzdb_read_dir_n("/no\0such", 8, &none, &error));
    snprintf(path, sizeof path, "%s/+VERSION", dir);
    EXPECT(KRON_ERROR_IO, kron_tzdb_read_dir(path, &none, &error));
    /* A damaged file of a zone. */
    write_file(dir, "Asia/Tokyo", "TZif", 4);
    EXPECT(KRON_ERROR_TZ_DATA, kron_tzdb_read_dir(dir, &none, &error));
    CHECK(strcmp(kron_error_field(error), "tzdb.Asia/Tokyo") == 0);
    CHECK(strncmp(kron_error_message(error), dir, strlen(dir)) == 0);
    /* A directory of which no file is a zone. */
    snprintf(path, sizeof path, "%s/Test", dir);
    write_file(path, "Zone", "text", 4);
    EXPECT(KRON_ERROR_TZ_DATA, kron_tzdb_read_dir(path, &none, &error));
    CHECK(strstr(kron_error_message(error), "no TZif file") != NULL && none == NULL);
    remove_zoneinfo(dir);
}

int main(void) {
    make_tzif(tokyo, 32400, 32400);
    make_tzif(later_tokyo, 32400, 36000);
    make_tzif(other_tokyo, 28800, 28800);
    make_tzif(zone, 3600, 7200);
    facts();
    readers();
    receipts();
    damaged();
    directories();
    kron_error_free(error);
    return summary("tzdb");
}
