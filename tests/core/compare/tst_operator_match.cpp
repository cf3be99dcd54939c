// SPDX-License-Identifier: GPL-3.0-or-later
// Matching of operators: rows of short texts, and properties over random lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/compare/operator_match.h"

namespace plumbline {
namespace {

/// Operators from words such as "C3": the letter is the name, the number the output channels, an
/// apostrophe other quantization.
Lowering made(const std::string& text) {
    Lowering lowering;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        LoweredOperator op;
        op.index = static_cast<std::int64_t>(lowering.operators.size());
        op.name = word.substr(0, 1);
        op.placement = Placement::Npu;
        op.geometry.cout = std::stoi("0" + word.substr(1));
        op.quantization.outputZeroPoint = word.ends_with('\'') ? 5 : 0;
        lowering.operators.push_back(op);
    }
    return lowering;
}

/// "0-0 2-1", with an asterisk behind a pair that has moved.
std::string matched(const Lowering& first, const Lowering& second) {
    std::string text;
    for (const MatchedOperators& m : matchOperators(first, second))
        text += (text.empty() ? "" : " ") + std::to_string(m.pair.first) + "-" +
                std::to_string(m.pair.second) + (m.hasMoved ? "*" : "");
    return text;
}

struct MatchRow {
    const char* name;
    const char* first;
    const char* second;
    const char* pairs;
};

class OperatorMatching : public testing::TestWithParam<MatchRow> {};

TEST_P(OperatorMatching, GivesThePairs) {
    EXPECT_EQ(matched(made(GetParam().first), made(GetParam().second)), GetParam().pairs);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, OperatorMatching,
    testing::Values(MatchRow{"Nothing", "", "", ""}, MatchRow{"OneSideEmpty", "A1 B1", "", ""},
                    MatchRow{"Equal", "A1 B2 A1", "A1 B2 A1", "0-0 1-1 2-2"},
                    MatchRow{"OneRemoved", "A1 B2 C3", "A1 C3", "0-0 2-1"},
                    MatchRow{"OneAdded", "A1 C3", "A1 B2 C3", "0-0 1-2"},
                    MatchRow{"OneOfAKindRemoved", "C1 C2 C3", "C1 C3", "0-0 2-1"},
                    MatchRow{"ChangedGeometryBetweenNeighbours", "A1 C2 B3", "A1 C9 B3",
                             "0-0 1-1 2-2"},
                    MatchRow{"ChangedQuantization", "C1 C2 C3", "C1 C2' C3", "0-0 1-1 2-2"},
                    MatchRow{"AddedAndChanged", "A1 C2 D4 B3", "A1 X1 C9 D4 B3", "0-0 1-2 2-3 3-4"},
                    MatchRow{"OtherNameIsAnother", "A1 C2 B3", "A1 D2 B3", "0-0 2-2"},
                    MatchRow{"ClosestOfAKind", "C1 C2", "C7 C1 C8 C2", "0-1 1-3"},
                    MatchRow{"MovedToTheEnd", "M7 A1 B2 C3", "A1 B2 C3 M7", "0-3* 1-0 2-1 3-2"},
                    MatchRow{"AllChanged", "A1 B1 C1", "A2 B2 C2", "0-0 1-1 2-2"}),
    [](const auto& row) { return std::string(row.param.name); });

/// A list of `count` random words of few kinds, so that many are alike.
std::string randomWords(SplitMix64& random, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += static_cast<char>('A' + random.below(3));
        text += std::to_string(random.below(4)) + (random.below(4) == 0 ? "' " : " ");
    }
    return text;
}

TEST(OperatorMatch, IsOneToOneBetweenEqualNamesAndMirrors) {
    SplitMix64 random(3);
    for (int round = 0; round < 300; ++round) {
        const Lowering a = made(randomWords(random, random.below(12)));
        const Lowering b = made(randomWords(random, random.below(12)));
        std::vector<std::pair<std::int64_t, std::int64_t>> there, back;
        std::vector<bool> taken(b.operators.size());
        for (const MatchedOperators& m : matchOperators(a, b)) {
            there.emplace_back(m.pair.first, m.pair.second);
            const auto i = static_cast<std::size_t>(m.pair.first);
            const auto j = static_cast<std::size_t>(m.pair.second);
            EXPECT_EQ(a.operators.at(i).name, b.operators.at(j).name);
            EXPECT_FALSE(taken.at(j));
            taken[j] = true;
        }
        for (const MatchedOperators& m : matchOperators(b, a))
            back.emplace_back(m.pair.second, m.pair.first);
        std::sort(back.begin(), back.end());
        EXPECT_EQ(there, back);
    }
}

/// Words "A0 A1 A2 …" of which `keeps(i)` holds.
template <class Keeps> Lowering numbered(std::size_t count, const Keeps& keeps) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += keeps(i) ? "A" + std::to_string(i) + " " : std::string();
    return made(text);
}

TEST(OperatorMatch, ManyOperatorsWithScatteredOnesLeftOutAreAllFound) {
    constexpr std::size_t kCount = 5000;
    const auto inFirst = [](std::size_t i) { return i % 7 != 3; };
    const auto inSecond = [](std::size_t i) { return i % 11 != 5; };
    const Lowering a = numbered(kCount, inFirst), b = numbered(kCount, inSecond);
    std::vector<OperatorMatch> expected;
    OperatorMatch next;
    for (std::size_t i = 0; i < kCount; ++i) {
        if (inFirst(i) && inSecond(i))
            expected.push_back(next);
        next.first += inFirst(i) ? 1 : 0;
        next.second += inSecond(i) ? 1 : 0;
    }
    const std::vector<MatchedOperators> matches = matchOperators(a, b);
    std::size_t found = 0;
    for (const MatchedOperators& m : matches)
        found += std::binary_search(expected.begin(), expected.end(), m.pair,
                                    [](const OperatorMatch& x, const OperatorMatch& y) {
                                        return std::pair(x.first, x.second) <
                                               std::pair(y.first, y.second);
                                    })
                     ? 1
                     : 0;
    EXPECT_EQ(found, expected.size());
}

TEST(OperatorMatch, ManyOperatorsOfOtherQuantizationAreMatchedInOrder) {
    constexpr std::size_t kCount = 10'000;
    Lowering a = numbered(kCount, [](std::size_t) { return true; });
    Lowering b = a;
    for (LoweredOperator& op : b.operators)
        op.quantization.outputZeroPoint = 9;
    b.operators.erase(b.operators.begin() + 40);
    const std::vector<MatchedOperators> matches = matchOperators(a, b);
    ASSERT_EQ(matches.size(), kCount - 1);
    for (const MatchedOperators& m : matches)
        ASSERT_EQ(m.pair.second, m.pair.first < 40 ? m.pair.first : m.pair.first - 1);
}

} // namespace
} // namespace plumbline
