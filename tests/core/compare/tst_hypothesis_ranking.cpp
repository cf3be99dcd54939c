// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the ranking, with made-up mistakes on a real layer: order, pairs, equivalents.
#include <gtest/gtest.h>

#include "core/samples/samples.h"
#include "tests/core/compare/mistake_sites.h"

namespace plumbline {
namespace {

using Names = std::vector<std::string>;

/// Mistakes that leave chosen bytes: by default the healthy ones.
class Ranking : public testing::Test {
  protected:
    Ranking() {
        const LayerRunnerPtr runner = test::runnerOf(*makeSample("every-operator"));
        m_site = *siteOf(runner, seededBytes(1, runner->job().inputBytes), nullptr,
                         runner->steps()[0].operatorIndex);
        m_observed = m_site.healthy;
        for (std::size_t i = 0; i < kWrong; ++i)
            m_observed[i] ^= 1;
    }

    /// A mistake that makes elements begin .. end - 1 as they were observed.
    void add(std::string_view name, std::uint32_t actsOn, std::size_t begin, std::size_t end) {
        m_mistakes.push_back({name, "", kConv, actsOn});
        m_parts.push_back({begin, end});
    }

    std::optional<Bytes> run(std::span<const std::size_t> indices) {
        Bytes made = m_site.healthy;
        for (const std::size_t index : indices) {
            if (m_parts[index].first > m_parts[index].second)
                return std::nullopt;
            for (std::size_t i = m_parts[index].first; i < m_parts[index].second; ++i)
                made[i] = m_observed[i];
        }
        m_tried += indices.size() == 2 ? 1 : 0;
        return made;
    }

    Result<HypothesisRanking> rank(const JobContext& context = {}) {
        return rankHypotheses(
            m_site, m_mistakes, m_observed, [this](auto indices) { return run(indices); }, context);
    }

    static Names namesOf(const HypothesisRanking& ranking) {
        Names names;
        for (const Hypothesis& one : ranking.hypotheses)
            names.push_back(one.name);
        return names;
    }

    static constexpr std::size_t kWrong = 100; ///< elements that differ from the healthy ones
    static constexpr std::uint32_t kConv = 1u << 1;

    LayerSite m_site;
    Bytes m_observed;
    std::vector<MistakeInfo> m_mistakes;
    std::vector<std::pair<std::size_t, std::size_t>> m_parts;
    int m_tried = 0; ///< pairs
};

TEST_F(Ranking, OrdersByExplainedThenByName) {
    add("zebra", 1, 0, 50), add("fox", 1, 0, 60), add("ant", 1, 0, 50);
    const auto ranking = rank();
    ASSERT_TRUE(ranking);
    EXPECT_EQ(namesOf(*ranking), (Names{"fox", "ant", "zebra"}));
    EXPECT_EQ(ranking->healthyExplained, ranking->elements - 100);
    EXPECT_EQ(ranking->hypotheses[0].explained, ranking->healthyExplained + 60);
    EXPECT_FALSE(ranking->hypotheses[0].exact);
    EXPECT_EQ(ranking->hypotheses[0].equivalent, Names{});
    EXPECT_EQ(ranking->hypotheses[1].equivalent, Names{"zebra"});
    EXPECT_EQ(ranking->hypotheses[2].equivalent, Names{"ant"});
}

TEST_F(Ranking, SaysWhatChangesNothingAndWhatIsImpossible) {
    add("same", 1, 0, 0), add("faults", 1, 1, 0), add("good", 1, 0, 100);
    m_mistakes.push_back({"of another kind", "", 1u << 4, 1});
    const auto ranking = rank();
    ASSERT_TRUE(ranking);
    EXPECT_EQ(namesOf(*ranking), Names{"good"});
    EXPECT_EQ(ranking->unchanged, Names{"same"});
    EXPECT_EQ(ranking->impossible, Names{"faults"});
}

TEST_F(Ranking, PairsWhatActsOnDifferentThingsWhenNoneIsExact) {
    add("late", 1, 0, 60), add("early", 2, 60, 100), add("alike", 2, 50, 100);
    const auto ranking = rank();
    ASSERT_TRUE(ranking);
    EXPECT_EQ(namesOf(*ranking), (Names{"alike+late", "early+late", "late", "alike", "early"}));
    EXPECT_EQ(m_tried, 2) << "alike and early act on one thing";
    EXPECT_TRUE(ranking->hypotheses[0].exact);
    EXPECT_EQ(ranking->hypotheses[0].equivalent, Names{"early+late"});
    EXPECT_EQ(ranking->hypotheses[0].mistakes, (std::vector<std::size_t>{2, 0}));
}

TEST_F(Ranking, PairThatExplainsNoMoreThanItsBetterHalfIsNotListed) {
    add("all", 1, 0, 60), add("part", 2, 0, 20);
    const auto ranking = rank();
    ASSERT_TRUE(ranking);
    EXPECT_EQ(m_tried, 1);
    EXPECT_EQ(namesOf(*ranking), (Names{"all", "part"}));
}

TEST_F(Ranking, ExactOneNeedsNoPairs) {
    add("exact", 1, 0, 100), add("half", 2, 0, 50);
    ASSERT_TRUE(rank());
    EXPECT_EQ(m_tried, 0);
}

TEST_F(Ranking, OnlyTheTenBestArePaired) {
    const char* const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    for (std::size_t i = 0; i < std::size(names); ++i)
        add(names[i], 1u << i, i, i + 1);
    ASSERT_TRUE(rank());
    EXPECT_EQ(m_tried, 10 * 9 / 2);
}

TEST_F(Ranking, HealthyBytesHaveNoHypotheses) {
    add("one", 1, 0, 0);
    m_observed = m_site.healthy;
    const auto ranking = rank();
    ASSERT_TRUE(ranking);
    EXPECT_TRUE(ranking->healthy);
    EXPECT_TRUE(ranking->hypotheses.empty());
    EXPECT_EQ(m_tried, 0);
}

TEST_F(Ranking, OtherLengthIsRefused) {
    m_observed.pop_back();
    const auto ranking = rank();
    ASSERT_FALSE(ranking);
    EXPECT_EQ(ranking.diagnostics().front().code, Code::InputSize);
}

TEST_F(Ranking, StopsWhenAskedTo) {
    add("one", 1, 0, 50), add("two", 2, 0, 50);
    std::stop_source stop;
    JobContext context;
    context.stop = stop.get_token();
    for (const char* const at : {"Trying mistakes", "Trying pairs of mistakes"}) {
        context.progress = [&](double fraction, std::string_view what) {
            EXPECT_GE(fraction, 0.0);
            EXPECT_LE(fraction, 1.0);
            if (what == at)
                stop.request_stop();
        };
        const auto ranking = rank(context);
        ASSERT_FALSE(ranking) << at;
        EXPECT_EQ(ranking.diagnostics().front().code, Code::Cancelled);
        stop = std::stop_source();
        context.stop = stop.get_token();
    }
}

} // namespace
} // namespace plumbline
