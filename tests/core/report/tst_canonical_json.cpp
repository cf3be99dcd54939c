// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of artifacts.
#include <gtest/gtest.h>

#include <algorithm>
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

/// An outline with lists at three places, one of them empty, and the pieces of its text.
JsonOutline outlineOf(std::size_t entries) {
    JsonOutline inner;
    inner.json = {{"a", 1}, {"z", json::array({json::array({2}), json::array()})}};
    inner.addList("list", {entries, [](std::size_t i) -> json {
                               return {{"index", i}, {"list", json::array({i})}};
                           }});
    JsonOutline outline;
    outline.json = {{"", {{"first", "not a list's place"}}}, {"last", nullptr}};
    outline.addList("first", {3, [](std::size_t i) { return json::array({i, "x"}); }});
    outline.addList("none", {0, nullptr});
    outline.add("inner", std::move(inner));
    return outline;
}

TEST(JsonOutline, ExpandsToTheValueWithItsLists) {
    const json expected = json::parse(R"({"": {"first": "not a list's place"},
        "first": [[0, "x"], [1, "x"], [2, "x"]], "last": null, "none": [],
        "inner": {"a": 1, "z": [[2], []],
                  "list": [{"index": 0, "list": [0]}, {"index": 1, "list": [1]}]}})");
    EXPECT_EQ(outlineOf(2).expanded(), expected);
}

TEST(JsonOutline, TextIsThatOfTheWholeValueInPieces) {
    for (const std::size_t entries : {0U, 1U, 2U, 5000U}) {
        const JsonOutline outline = outlineOf(entries);
        std::string text;
        std::size_t longest = 0;
        writeCanonicalJson(outline, [&](std::string_view piece) {
            text += piece;
            longest = std::max(longest, piece.size());
        });
        EXPECT_EQ(text, canonicalJson(outline.expanded())) << entries;
        EXPECT_LT(longest, 70'000U) << entries;
        EXPECT_EQ(json::parse(text), outline.expanded()) << entries;
    }
}

} // namespace
} // namespace plumbline
