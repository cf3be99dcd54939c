// SPDX-License-Identifier: GPL-3.0-or-later
// Every dump of golden/hypotheses, made by an independent implementation: exactly the stated
// mistake and its equivalents are exact; a healthy layer has no hypotheses.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/core/compare/mistake_sites.h"

namespace plumbline {
namespace {

using nlohmann::json;

std::vector<json> dumps() {
    std::ifstream file(*test::sharedData() / "golden/hypotheses/index.jsonl");
    std::vector<json> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(json::parse(line));
    return lines;
}

struct RankedDump {
    LayerSite site;
    HypothesisRanking ranking;
};

RankedDump rankDump(const json& dump) {
    const auto data = *test::sharedData();
    static std::map<std::string, LayerRunnerPtr> runners;
    LayerRunnerPtr& runner = runners[dump["model"]];
    if (!runner)
        runner = test::sharedRunner(dump["model"]);
    RankedDump made;
    made.site = *siteOf(runner, test::readBytes(data / dump["input"].get<std::string>()), nullptr,
                        dump["operator"]);
    const Bytes observed =
        test::readBytes(data / "golden/hypotheses" / dump["file"].get<std::string>());
    made.ranking = *rankHypotheses(made.site, npuP0Target().mistakes(), observed);
    return made;
}

std::set<std::string> exactOnes(const HypothesisRanking& ranking) {
    std::set<std::string> names;
    for (const Hypothesis& one : ranking.hypotheses) {
        if (one.exact)
            names.insert(one.name);
    }
    return names;
}

void expectSorted(const HypothesisRanking& ranking) {
    for (std::size_t i = 0; i < ranking.hypotheses.size(); ++i) {
        const Hypothesis& one = ranking.hypotheses[i];
        EXPECT_GT(one.explained, ranking.healthyExplained);
        EXPECT_EQ(one.exact, one.explained == ranking.elements);
        if (i == 0)
            continue;
        const Hypothesis& before = ranking.hypotheses[i - 1];
        EXPECT_TRUE(before.explained > one.explained ||
                    (before.explained == one.explained && before.name < one.name))
            << before.name << " " << one.name;
    }
}

TEST(Hypotheses, ExactlyTheStatedMistakeAndItsEquivalentsAreExact) {
    SKIP_WITHOUT_SHARED_DATA();
    int singles = 0, pairs = 0;
    for (const json& dump : dumps()) {
        if (dump["hypothesis"].is_null())
            continue;
        SCOPED_TRACE(dump.dump());
        const std::string stated = dump["hypothesis"];
        const auto [site, ranking] = rankDump(dump);
        expectSorted(ranking);
        EXPECT_FALSE(ranking.healthy);
        EXPECT_EQ(ranking.elements, dump["elements"]);
        EXPECT_EQ(ranking.elements - ranking.healthyExplained, dump["changed_elements"]);
        auto expected = dump["equivalent"].get<std::set<std::string>>();
        expected.insert(stated);
        EXPECT_EQ(exactOnes(ranking), expected);
        const auto found = std::find_if(ranking.hypotheses.begin(), ranking.hypotheses.end(),
                                        [&](const auto& one) { return one.name == stated; });
        ASSERT_NE(found, ranking.hypotheses.end());
        EXPECT_EQ(json(found->equivalent), dump["equivalent"]);
        ++(stated.find('+') == std::string::npos ? singles : pairs);
    }
    EXPECT_EQ(singles, 158);
    EXPECT_EQ(pairs, 10);
}

TEST(Hypotheses, HealthyLayerHasNone) {
    SKIP_WITHOUT_SHARED_DATA();
    int controls = 0;
    for (const json& dump : dumps()) {
        if (!dump["hypothesis"].is_null())
            continue;
        SCOPED_TRACE(dump.dump());
        const auto [site, ranking] = rankDump(dump);
        EXPECT_TRUE(ranking.healthy);
        EXPECT_TRUE(ranking.hypotheses.empty());
        EXPECT_EQ(ranking.healthyExplained, dump["elements"]);
        ++controls;
    }
    EXPECT_EQ(controls, 10);
}

} // namespace
} // namespace plumbline
