// Time zone databases, calendars, and parsers, which look the names in a text up in them. Part of kron.hpp.
#ifndef KRON_TZDB_HPP
#define KRON_TZDB_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "time.hpp"

namespace kron {

// The TZif data of one zone, such as the content of /usr/share/zoneinfo/Europe/Paris.
struct Tzif {
    std::string_view name;
    std::string_view data;
};

// A time zone database: the time zones of one release. Objects that are read with a database keep the zones that they use.
class TzDatabase : public detail::Object<TzDatabase, kron_tzdb> {
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
    std::size_t size() const { return kron_tzdb_length(get()); }
    // The name of a zone by its index; names are sorted.
    std::string zone(std::size_t index) const {
        return detail::string([&](auto **out, kron_error **error) { return kron_tzdb_zone(get(), index, out, error); });
    }
    // The offset of a zone at a time, in seconds east of UTC.
    std::chrono::seconds offset_at(std::string_view timezone, Instant at) const {
        std::int32_t offset = 0;
        detail::attempt([&](kron_error **error) {
            return kron_zone_offset_at_n(timezone.data(), timezone.size(), get(), at.floor(), &offset, error);
        });
        return std::chrono::seconds(offset);
    }
    // The fingerprint of the rules of a zone. Equal rules have equal fingerprints.
    std::string fingerprint(std::string_view timezone) const {
        return detail::string([&](auto **out, kron_error **error) {
            return kron_zone_fingerprint_n(timezone.data(), timezone.size(), get(), out, error);
        });
    }

    static const char *type_name() noexcept { return "kron::TzDatabase"; }

private:
    explicit TzDatabase(std::shared_ptr<kron_tzdb> handle) : Object(std::move(handle)) {}
};

// Named lists of dates, which the part `calendar` of constraints names.
class Calendars : public detail::Object<Calendars, kron_calendars> {
public:
    // No calendars.
    Calendars() = default;
    // Reads a calendar file: lines such as `holidays = 2026-12-25, 2027-01-01`.
    explicit Calendars(std::string_view text)
        : Object(detail::handle<kron_calendars>(kron_calendars_free, [&](kron_calendars **out, kron_error **error) {
              return kron_calendars_parse_n(text.data(), text.size(), out, error);
          })) {}
    static Calendars parse(std::string_view text) { return Calendars(text); }

    // The number of calendars.
    std::size_t size() const { return kron_calendars_length(get()); }
    // The line of a calendar in a calendar file, by its index; calendars are sorted by name.
    std::string line(std::size_t index) const {
        return detail::string([&](auto **out, kron_error **error) { return kron_calendars_line(get(), index, out, error); });
    }
    // The hash of the dates of a calendar; nullopt if there is none of that name.
    std::optional<std::string> content_hash(std::string_view name) const {
        return detail::optional_string([&](auto **out, kron_error **error) {
            return kron_calendars_content_hash_n(get(), name.data(), name.size(), out, error);
        });
    }

    static const char *type_name() noexcept { return "kron::Calendars"; }
};

// What the names in a text mean: time zones by a database, calendars by their dates. A database alone is a parser, too.
class Parser : public detail::Object<Parser, kron_parser> {
public:
    // The compiled-in database and no calendars.
    Parser() = default;
    Parser(const TzDatabase &tzdb, const Calendars &calendars = {})
        : Object(detail::handle<kron_parser>(kron_parser_free, [&](kron_parser **out, kron_error **error) {
              return kron_parser_new(tzdb.get(), calendars.get(), out, error);
          })) {}
    // The compiled-in database with calendars.
    Parser(const Calendars &calendars) : Parser(TzDatabase(), calendars) {}

    static const char *type_name() noexcept { return "kron::Parser"; }
};

} // namespace kron

#endif
