// Receipts: decisions that are made again and compared. Part of kron.hpp.
#ifndef KRON_RECEIPT_HPP
#define KRON_RECEIPT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "time.hpp"
#include "tzdb.hpp"

namespace kron {

// How the rules of the time zone in a receipt compare with those of the parser.
enum class ZoneRules : std::uint32_t {
    same = KRON_ZONE_RULES_SAME,
    other_release = KRON_ZONE_RULES_OTHER_RELEASE, // the same rules, from another version of the database
    different = KRON_ZONE_RULES_DIFFERENT,         // this database cannot verify the receipt
};

// What the verification of a receipt found.
struct Verification {
    // How many fields differ; 0 if the receipt agrees.
    std::uint64_t differences;
    // A JSON object: differences, an array of objects with field, receipt and computed; and notProven, an array of strings
    // that name what the receipt's text says and its decision does not depend on.
    std::string details_json;
    ZoneRules zone_rules;
    // The first second at which different rules give different offsets, where it is known.
    std::optional<Time> first_difference;

    // Whether the receipt agrees with the decision that was made again.
    bool agrees() const noexcept { return differences == 0; }
};

// Makes the decision of a receipt again, with the zones and the calendars of a parser, and compares.
inline Verification verify_receipt(std::string_view json, const Parser &parser = {}) {
    kron_verification found;
    std::string details = detail::string([&](auto **out, kron_error **error) {
        return kron_receipt_verify_n(json.data(), json.size(), parser.get(), &found, KRON_VERIFICATION_SIZE, out, error);
    });
    Verification verification{found.differences, std::move(details), static_cast<ZoneRules>(found.zone_rules), std::nullopt};
    if (found.flags & KRON_VERIFICATION_FIRST_DIFFERENCE) verification.first_difference = from_unix(found.first_difference);
    return verification;
}

} // namespace kron

#endif
