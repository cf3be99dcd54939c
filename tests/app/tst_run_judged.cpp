// SPDX-License-Identifier: GPL-3.0-or-later
// plumb run with a reference to judge by and with a mistake made on purpose.
#include <gtest/gtest.h>

#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

using nlohmann::json;

class JudgedRun : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }
    Outcome run(const std::string& subject, const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"run", subject, "--seed", "1", "--json", "--quiet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return plumb(arguments);
    }

    TemporaryDirectory m_directory;
    std::string m_model = sampleFile(m_directory.path(), "ds-cnn");
};

TEST_F(JudgedRun, AnInjectedMistakeIsTheCulprit) {
    const Outcome outcome =
        run(m_model, {"--reference", "reference", "--inject", "op/2:output-zero-missing"});
    EXPECT_EQ(outcome.exitCode, 1) << outcome.out << outcome.err;
    const json result = outcome.json();
    EXPECT_EQ(result.at("injected").at("operator"), 2);
    EXPECT_EQ(result.at("injected").at("name"), "output-zero-missing");
    EXPECT_GT(result.at("injected").at("changed_elements"), 0);
    EXPECT_EQ(result.at("culprit"), 2);
}

TEST_F(JudgedRun, TheVerdictNamesTheKernelsThatJudge) {
    for (const auto& [reference, name] :
         {std::pair{"reference", "reference kernels"}, std::pair{"plain", "plain kernels"}}) {
        const Outcome equal = run(m_model, {"--reference", reference});
        EXPECT_EQ(equal.exitCode, 0) << equal.err;
        const json result = equal.json();
        EXPECT_EQ(result.at("reference"), name);
        EXPECT_TRUE(result.at("culprit").is_null());
        for (const json& layer : result.at("layers"))
            EXPECT_EQ(layer.at("reference"), name);
        const Outcome differs =
            run(m_model, {"--reference", reference, "--inject", "op/2:output-zero-missing"});
        EXPECT_EQ(differs.exitCode, 1) << differs.err;
        EXPECT_EQ(differs.json().at("culprit"), 2);
        const Outcome text = plumb({"run", m_model, "--seed", "1", "--reference", reference});
        EXPECT_NE(text.out.find(std::string("Compared with ") + name), std::string::npos)
            << text.out;
    }
}

TEST_F(JudgedRun, APackageHasNoModelForKernels) {
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("p0")}).exitCode, 0);
    for (const char* reference : {"reference", "plain"}) {
        const Outcome refused = run(path("p0"), {"--reference", reference});
        EXPECT_EQ(refused.exitCode, 2) << refused.out;
        EXPECT_EQ(codesOf(refused.json()), std::vector<std::string>{"PL-U001"});
        EXPECT_NE(refused.err.find(std::string(reference) + " kernels"), std::string::npos)
            << refused.err;
    }
}

TEST_F(JudgedRun, AJobThatFaultsBeforeAnyLayerSaysWhatWasNotMade) {
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("a")}).exitCode, 0);
    ASSERT_EQ(
        plumb({"edit", path("a"), "--set", "record/0/word/0/OPCODE=31", "-o", path("b"), "--quiet"})
            .exitCode,
        1);
    const Outcome outcome = run(path("b"), {"--inject", "op/2:output-zero-missing"});
    EXPECT_EQ(outcome.exitCode, 1) << outcome.out << outcome.err;
    const json result = outcome.json();
    EXPECT_TRUE(result.contains("fault"));
    EXPECT_EQ(result.at("injected").at("operator"), 2);
    EXPECT_EQ(result.at("injected").at("changed_elements"), 0);
}

TEST_F(JudgedRun, AnEmptyReferenceIsWrongUsage) {
    EXPECT_EQ(run(m_model, {"--reference", ""}).exitCode, 2);
    EXPECT_EQ(run(m_model, {"--inject", "op/2:no-such-mistake"}).exitCode, 2);
}

} // namespace
} // namespace plumbline::test
