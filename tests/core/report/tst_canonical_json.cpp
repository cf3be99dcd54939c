// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of artifacts.
#include <gtest/gtest.h>

#include <bit>

#include "core/base/bytes.h"
#include "core/report/p0_report.h"

namespace plumbline {
namespace {

using nlohmann::json;

TEST(CanonicalJson, SortsIndentsAndEndsWithOneNewline) {
    const json value{{"b", json::array({1, "x"})},
                     {"a", {{"n", nullptr}, {"t", true}}},
                     {"e", json::array()},
                     {"o", json::object()}};
    EXPECT_EQ(canonicalJson(value), "{\n  \"a\": {\n    \"n\": null,\n    \"t\": true\n  },\n"
                                    "  \"b\": [\n    1,\n    \"x\"\n  ],\n  \"e\": [],\n"
                                    "  \"o\": {}\n}\n");
}

TEST(CanonicalJson, IntegersHaveNoPointAndOthersAreShortest) {
    EXPECT_EQ(canonicalJson(0), "0\n");
    EXPECT_EQ(canonicalJson(-128), "-128\n");
    EXPECT_EQ(canonicalJson(1.0), "1.0\n");
    EXPECT_EQ(canonicalJson(0.1), "0.1\n");
    EXPECT_EQ(canonicalJson(0.00390625), "0.00390625\n");
    EXPECT_EQ(canonicalJson(5e-324), "5e-324\n");
    EXPECT_EQ(canonicalJson(9007199254740993.0), "9007199254740992.0\n");
}

TEST(CanonicalJson, NonAsciiIsNotEscaped) {
    EXPECT_EQ(canonicalJson("Größe 量"), "\"Größe 量\"\n");
    EXPECT_EQ(canonicalJson("a\"\n"), "\"a\\\"\\n\"\n");
}

TEST(CanonicalJson, RandomDoublesParseBackToTheSameBits) {
    SplitMix64 random(7);
    for (int i = 0; i < 20000; ++i) {
        const auto value = std::bit_cast<double>(random.next());
        if (!(value - value == 0)) // infinite or not a number
            continue;
        const auto parsed = json::parse(canonicalJson(value)).get<double>();
        ASSERT_EQ(std::bit_cast<std::uint64_t>(parsed), std::bit_cast<std::uint64_t>(value));
    }
}

} // namespace
} // namespace plumbline
