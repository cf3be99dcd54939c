// SPDX-License-Identifier: GPL-3.0-or-later
// Regular expressions: what they find, what is refused, and that none takes long.
#include <regex>

#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "core/filter/pattern.h"

namespace plumbline {
namespace {

struct FindRow {
    const char* pattern;
    const char* text;
    bool found;
};

class PatternFinds : public testing::TestWithParam<FindRow> {};

TEST_P(PatternFinds, AsExpected) {
    const auto [expression, text, found] = GetParam();
    const Result<Pattern> pattern = Pattern::compile(expression);
    ASSERT_TRUE(pattern) << expression;
    EXPECT_EQ(pattern->isFoundIn(text), found) << expression << " in " << text;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, PatternFinds,
    testing::Values(
        FindRow{"", "", true}, FindRow{"", "a", true}, FindRow{"conv", "DEPTHWISE_CONV_2D", true},
        FindRow{"^conv", "DEPTHWISE_CONV_2D", false}, FindRow{"2d$", "CONV_2D", true},
        FindRow{"^$", "", true}, FindRow{"^$", "a", false}, FindRow{"a.c", "xabcx", true},
        FindRow{"a.c", "ac", false}, FindRow{"ab*c", "ac", true}, FindRow{"ab+c", "ac", false},
        FindRow{"ab?c", "abbc", false}, FindRow{"(ab|cd)+$", "xabcdab", true},
        FindRow{"^(a|b|)$", "", true}, FindRow{"[a-c]x", "bx", true},
        FindRow{"[^a-c]x", "bx", false}, FindRow{"[^a-c]x", "dx", true}, FindRow{"[]]", "]", true},
        FindRow{"[a-]", "-", true}, FindRow{"[A-C]", "b", true}, FindRow{"\\d+", "conv12", true},
        FindRow{"^\\d+$", "conv12", false}, FindRow{"\\D", "12", false},
        FindRow{"\\w\\s\\w", "a b", true}, FindRow{"a\\.b", "axb", false},
        FindRow{"a\\.b", "a.b", true}, FindRow{"^conv_2d(/relu)?$", "CONV_2D/Relu", true}));

struct RefusedRow {
    const char* pattern;
    std::size_t at;
};

class PatternRefused : public testing::TestWithParam<RefusedRow> {};

TEST_P(PatternRefused, WithThePlace) {
    const Result<Pattern> pattern = Pattern::compile(GetParam().pattern);
    ASSERT_FALSE(pattern);
    EXPECT_EQ(pattern.diagnostics().front().code, Code::FilterPattern);
    EXPECT_EQ(pattern.diagnostics().front().where.byte, GetParam().at);
}

INSTANTIATE_TEST_SUITE_P(Rows, PatternRefused,
                         testing::Values(RefusedRow{"a(b", 1}, RefusedRow{"a)b", 1},
                                         RefusedRow{"*a", 0}, RefusedRow{"a|+", 2},
                                         RefusedRow{"[a", 0}, RefusedRow{"ab\\", 3},
                                         RefusedRow{"[z-a]", 2}, RefusedRow{"([a)", 1}));

TEST(Pattern, RefusesDeepNestingWithoutRecursingFurther) {
    EXPECT_TRUE(Pattern::compile(std::string(64, '(') + std::string(64, ')')));
    EXPECT_FALSE(Pattern::compile(std::string(65, '(') + std::string(65, ')')));
    EXPECT_FALSE(Pattern::compile(std::string(4000, '(')));
}

TEST(Pattern, NeedsTimeInProportionToTextAndPattern) {
    // Backtracking engines need 2^200 steps here.
    std::string expression;
    for (int i = 0; i < 200; ++i)
        expression += "a?";
    const Result<Pattern> pattern =
        Pattern::compile("^" + expression + std::string(200, 'a') + "$");
    ASSERT_TRUE(pattern);
    EXPECT_TRUE(pattern->isFoundIn(std::string(200, 'a')));
    EXPECT_FALSE(pattern->isFoundIn(std::string(401, 'a')));
    EXPECT_FALSE(Pattern::compile("^((a*)*)*b$")->isFoundIn(std::string(5000, 'a')));
}

/// An expression over few letters that both engines read the same way.
std::string randomExpression(SplitMix64& random, int depth) {
    static constexpr const char* kAtoms[] = {"a", "b", ".", "[ab]", "[^a]"};
    std::string out;
    const std::uint64_t count = 1 + random.below(3);
    for (std::uint64_t i = 0; i < count; ++i) {
        const bool group = depth > 0 && random.below(3) == 0;
        out += group ? "(" + randomExpression(random, depth - 1) + ")"
                     : std::string(kAtoms[random.below(5)]);
        static constexpr const char* kSuffixes[] = {"", "", "*", "+", "?"};
        out += kSuffixes[random.below(5)];
    }
    if (depth > 0 && random.below(3) == 0)
        out += "|" + randomExpression(random, depth - 1);
    return out;
}

TEST(Pattern, AgreesWithTheStandardLibrary) {
    SplitMix64 random(11);
    for (int i = 0; i < 400; ++i) {
        std::string expression = randomExpression(random, 2);
        if (random.below(2) == 0)
            expression = "^(" + expression + ")$";
        const Result<Pattern> pattern = Pattern::compile(expression);
        ASSERT_TRUE(pattern) << expression;
        const std::regex standard(expression);
        for (int j = 0; j < 8; ++j) {
            std::string text;
            for (std::uint64_t n = random.below(7); n > 0; --n)
                text += static_cast<char>('a' + random.below(3));
            EXPECT_EQ(pattern->isFoundIn(text), std::regex_search(text, standard))
                << expression << " in '" << text << "'";
        }
    }
}

} // namespace
} // namespace plumbline
