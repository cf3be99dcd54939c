// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every text: no crash, and printing what was parsed changes nothing.
#include <gtest/gtest.h>

#include "core/filter/completion.h"
#include "tests/core/filter/filter_samples.h"

namespace plumbline::test {
namespace {

std::string randomCondition(SplitMix64& random, int depth) {
    static constexpr const char* kConditions[] = {"cout > 32",
                                                  "opcode == ADD",
                                                  "opcode in {ADD, CONV2D}",
                                                  "k in 8..64",
                                                  "conv",
                                                  "\"a \\\" b\"",
                                                  "name ~ \"^c.*d\"",
                                                  "tensor contains x",
                                                  "INPUT_H <= cin",
                                                  "mismatches == unknown",
                                                  "severity > note",
                                                  "dma.bytes >= 1.5KiB",
                                                  "input.scale < 1e-3",
                                                  "h not in {1, 3..5}"};
    if (depth == 0 || random.below(3) == 0)
        return kConditions[random.below(std::size(kConditions))];
    switch (random.below(4)) {
    case 0:
        return "not " + randomCondition(random, depth - 1);
    case 1:
        return "(" + randomCondition(random, depth - 1) + ")";
    case 2:
        return randomCondition(random, depth - 1) + " and " + randomCondition(random, depth - 1);
    default:
        return "(" + randomCondition(random, depth - 1) + " or " +
               randomCondition(random, depth - 1) + ")";
    }
}

TEST(FilterProperties, PrintingAndParsingChangesNeitherTextNorMeaning) {
    SplitMix64 random(5);
    const Lowering& lowering = loweredSample("every-operator");
    const FilterSource source(lowering);
    for (int i = 0; i < 500; ++i) {
        const std::string text = randomCondition(random, 4);
        const Result<Filter> filter = parseFilter(text, schema());
        ASSERT_TRUE(filter) << text << ": " << toText(filter.diagnostics().front());
        const std::string printed = toText(*filter);
        const Result<Filter> again = parseFilter(printed, schema());
        ASSERT_TRUE(again) << printed;
        EXPECT_EQ(toText(*again), printed) << text;
        EXPECT_EQ(source.matching(*again), source.matching(*filter)) << text;
        const Filter negated = *parseFilter("not (" + text + ")", schema());
        for (std::size_t op = 0; op < source.size(); ++op)
            EXPECT_NE(source.matches(negated, op), source.matches(*filter, op)) << text;
    }
}

/// Bytes that are likely to mean something to the lexer.
std::string randomText(SplitMix64& random) {
    static constexpr const char* kParts[] = {
        "cout", "opcode", "and ", "or ", "not ", "in ",      "==",        "<",      "..",
        "{",    "}",      "(",    ")",   "\"",   "\\",       "~",         ",",      "1",
        "0x",   "KiB",    " ",    ".",   "-",    "unknown ", "contains ", "field.", "ADD"};
    std::string text;
    for (std::uint64_t n = random.below(14); n > 0; --n) {
        if (random.below(8) == 0)
            text += static_cast<char>(random.below(256));
        else
            text += kParts[random.below(std::size(kParts))];
    }
    return text;
}

TEST(FilterProperties, AnyTextIsAFilterOrAnErrorInsideIt) {
    SplitMix64 random(6);
    const FilterSource source(loweredSample("refused"));
    std::size_t parsed = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::string text = randomText(random);
        const Result<Filter> filter = parseFilter(text, schema());
        if (filter) {
            ++parsed;
            source.matching(*filter);
            const std::string printed = toText(*filter);
            const Result<Filter> again = parseFilter(printed, schema());
            ASSERT_TRUE(again) << text << " printed as " << printed;
            ASSERT_EQ(toText(*again), printed);
        } else {
            ASSERT_EQ(filter.diagnostics().size(), 1U);
            const Location& where = filter.diagnostics().front().where;
            ASSERT_LE(where.byte.value() + where.part.size(), text.size()) << text;
            markedText(text, filter.diagnostics().front());
        }
        const std::size_t cursor = random.below(text.size() + 1);
        for (const Completion& completion : complete(text, cursor, schema())) {
            ASSERT_LE(completion.begin, cursor);
            ASSERT_LE(completion.end, text.size());
        }
    }
    EXPECT_GT(parsed, 300U);
}

} // namespace
} // namespace plumbline::test
