// SPDX-License-Identifier: GPL-3.0-or-later
// plumb explain: the list of mistakes, and their ranking against a layer's observed bytes.
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The every-operator sample and the bytes and shape of its first layer on seed 1.
class ExplainHypotheses : public testing::Test {
  protected:
    ExplainHypotheses()
        : m_model(sampleFile(m_directory.path(), "every-operator")) {
        const fs::path trace = m_directory.path() / "trace";
        EXPECT_EQ(plumb({"run", m_model, "--seed", "1", "--trace", trace.string()}).exitCode, 0);
        const json first = readJson(trace / "trace.json").at("layers").at(0);
        m_operator = std::to_string(first.at("operator").get<int>());
        m_shape = first.at("shape").get<std::vector<std::size_t>>();
        m_healthy = readBytes(trace / first.at("file").get<std::string>());
    }

    /// The healthy bytes stored channel by channel.
    Bytes channelFirst() const {
        const std::size_t channels = m_shape.at(2), pixels = m_shape.at(0) * m_shape.at(1);
        Bytes made(m_healthy.size());
        for (std::size_t i = 0; i < made.size(); ++i)
            made[i % channels * pixels + i / channels] = m_healthy[i];
        return made;
    }

    Outcome rank(const Bytes& observed, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{
            "explain", m_model,    "--seed",     "1",
            "--layer", m_operator, "--observed", writeFile(m_directory.path() / "dump", observed)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return plumb(arguments);
    }

    TemporaryDirectory m_directory;
    std::string m_model, m_operator;
    std::vector<std::size_t> m_shape;
    Bytes m_healthy;
};

TEST_F(ExplainHypotheses, NamesTheMistake) {
    const Outcome outcome = rank(channelFirst(), {"--json"});
    EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
    const json ranking = outcome.json();
    EXPECT_EQ(ranking.at("operator"), std::stoi(m_operator));
    EXPECT_EQ(ranking.at("elements"), m_healthy.size());
    EXPECT_EQ(ranking.at("healthy"), false);
    const json& best = ranking.at("hypotheses").at(0);
    EXPECT_EQ(best.at("name"), "output-channel-first");
    EXPECT_EQ(best.at("explained"), m_healthy.size());
    EXPECT_EQ(best.at("elements"), m_healthy.size());
    EXPECT_EQ(best.at("exact"), true);
    EXPECT_EQ(best.at("equivalent"), json::array());
    EXPECT_LT(ranking.at("healthy_explained"), best.at("explained"));
    const Outcome text = rank(channelFirst());
    EXPECT_EQ(text.exitCode, 1);
    EXPECT_NE(text.out.find("output-channel-first"), std::string::npos) << text.out;
}

TEST_F(ExplainHypotheses, HealthyLayerIsSaidToBe) {
    const Outcome outcome = rank(m_healthy, {"--json"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("healthy"), true);
    EXPECT_EQ(outcome.json().at("hypotheses"), json::array());
    EXPECT_EQ(outcome.json().at("healthy_explained"), m_healthy.size());
    const Outcome text = rank(m_healthy);
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_NE(text.out.find("is healthy"), std::string::npos) << text.out;
}

TEST_F(ExplainHypotheses, OneByteThatNoMistakeMakesHasNoHypothesis) {
    Bytes observed = m_healthy;
    observed.at(0) ^= 1;
    const Outcome outcome = rank(observed, {"--json"});
    EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
    EXPECT_EQ(outcome.json().at("healthy_explained"), m_healthy.size() - 1);
    EXPECT_EQ(outcome.json().at("hypotheses"), json::array());
}

TEST_F(ExplainHypotheses, ObservedOfAnotherLengthIsRefused) {
    EXPECT_EQ(rank(Bytes(m_healthy.size() - 1)).exitCode, 3);
}

TEST_F(ExplainHypotheses, LayerThatIsNoneIsWrongUsage) {
    const std::string dump = writeFile(m_directory.path() / "dump", m_healthy);
    EXPECT_EQ(
        plumb({"explain", m_model, "--seed", "1", "--layer", "4000", "--observed", dump}).exitCode,
        2);
}

TEST(ExplainHypothesesList, HasANameAndASentencePerLine) {
    const Outcome outcome = plumb({"explain", "--list-hypotheses"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    const std::regex form("[a-z0-9-]+ +[A-Z].*\\.");
    std::istringstream lines(outcome.out);
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_TRUE(std::regex_match(line, form)) << line;
        names.push_back(line.substr(0, line.find(' ')));
    }
    EXPECT_GE(names.size(), 39u);
    EXPECT_EQ(names.front(), "single-rounding");
    const json list = plumb({"explain", "--list-hypotheses", "--json"}).json();
    ASSERT_EQ(list.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(list.at(i).at("name"), names[i]);
}

TEST(ExplainHypothesesList, LayerAndObservedGoTogether) {
    EXPECT_EQ(plumb({"explain", "a", "--seed", "1", "--layer", "1"}).exitCode, 2);
    EXPECT_EQ(plumb({"explain", "a", "--seed", "1", "--observed", "b"}).exitCode, 2);
    EXPECT_EQ(plumb({"explain", "a", "--seed", "1", "--layer", "1", "--observed", "b", "--at",
                     "op/0/element/0,0,0"})
                  .exitCode,
              2);
}

} // namespace
} // namespace plumbline::test
