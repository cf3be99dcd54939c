// SPDX-License-Identifier: GPL-3.0-or-later
// plumb bench: what it prints, for every engine, and what it refuses. No test is about speed.
#include <algorithm>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

using nlohmann::json;

class Bench : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }
    static Outcome bench(const std::string& subject, const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"bench", subject, "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return plumb(arguments);
    }
    /// The sum over the model's records; golden reports hold what each of them has.
    std::uint64_t statedMacs() const {
        return plumb({"report", m_model, "--format", "json"}).json().at("totals").at("useful_macs");
    }

    TemporaryDirectory m_directory;
    std::string m_model = sampleFile(m_directory.path(), "ds-cnn");
};

unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

std::set<std::string> keysOf(const json& object) {
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.insert(key);
    return keys;
}

void expectMeasured(const json& result, std::size_t leastRuns) {
    EXPECT_EQ(keysOf(result),
              (std::set<std::string>{"engine", "isa", "ms", "macs", "macs_per_second", "runs",
                                     "threads", "digests"}));
    const json& ms = result.at("ms");
    EXPECT_EQ(keysOf(ms), (std::set<std::string>{"min", "median", "max"}));
    EXPECT_GT(ms.at("min"), 0);
    EXPECT_LE(ms.at("min"), ms.at("median"));
    EXPECT_LE(ms.at("median"), ms.at("max"));
    EXPECT_GE(result.at("runs"), leastRuns);
    EXPECT_DOUBLE_EQ(result.at("macs_per_second").get<double>(),
                     result.at("macs").get<double>() / ms.at("median").get<double>() * 1000);
}

class BenchEngines : public Bench, public testing::WithParamInterface<const char*> {};

TEST_P(BenchEngines, MeasureTheSameWork) {
    const std::string engine = GetParam();
    const Outcome outcome = bench(m_model, {"--engine", engine, "--runs", "7", "--seed", "3"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const json result = outcome.json();
    expectMeasured(result, 7);
    EXPECT_EQ(result.at("runs"), 7);
    EXPECT_EQ(result.at("engine"), engine);
    EXPECT_EQ(result.at("isa") == "C++", engine == "plain") << result.at("isa");
    EXPECT_EQ(result.at("macs"), statedMacs());
    EXPECT_EQ(result.at("threads"), 1);
    EXPECT_EQ(result.at("digests"), false);
}

TEST_P(BenchEngines, TakeThreadsAndDigests) {
    const Outcome outcome =
        bench(m_model, {"--engine", GetParam(), "--runs", "1", "--threads", "3", "--digests"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    expectMeasured(outcome.json(), 1);
    EXPECT_EQ(outcome.json().at("threads"), std::min(3U, processors()));
    EXPECT_EQ(outcome.json().at("digests"), true);
}

INSTANTIATE_TEST_SUITE_P(Engines, BenchEngines, testing::Values("executor", "reference", "plain"),
                         [](const auto& row) { return std::string(row.param); });

TEST_F(Bench, WithoutOptionsMeasuresTheExecutorAtLeastFiveTimes) {
    const Outcome outcome = plumb({"bench", m_model, "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    expectMeasured(outcome.json(), 5);
    EXPECT_EQ(outcome.json().at("engine"), "executor");
}

TEST_F(Bench, ThreadsOfZeroAreThoseOfTheMachine) {
    const Outcome outcome = bench(m_model, {"--runs", "1", "--threads", "0"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("threads"), processors());
}

TEST_F(Bench, TextNamesEngineTimeAndWork) {
    const Outcome text = plumb({"bench", m_model, "--runs", "5", "--digests"});
    EXPECT_EQ(text.exitCode, 0) << text.err;
    for (const char* part : {"Engine", "executor on ", "1 thread, with digests", "Time", " ms",
                             "5 runs", "Work", "multiply-accumulates"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
    EXPECT_EQ(text.err, "");
}

TEST_F(Bench, APackageRunsOnTheExecutorOnly) {
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("p0")}).exitCode, 0);
    const Outcome outcome = bench(path("p0"), {"--runs", "5"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    expectMeasured(outcome.json(), 5);
    EXPECT_EQ(outcome.json().at("macs"), statedMacs());
    for (const char* engine : {"reference", "plain"}) {
        const Outcome refused = bench(path("p0"), {"--engine", engine});
        EXPECT_EQ(refused.exitCode, 2);
        EXPECT_EQ(codesOf(refused.json()), std::vector<std::string>{"PL-U001"});
        EXPECT_NE(refused.err.find(engine), std::string::npos) << refused.err;
    }
}

TEST_F(Bench, AModelThatDoesNotLowerRunsOnItsGraphOnly) {
    const std::string model = goldenOnDisk(m_directory.path(), "cases/case_393.tflite");
    EXPECT_EQ(bench(model, {"--runs", "1"}).exitCode, 3);
    for (const char* engine : {"reference", "plain"}) {
        const Outcome outcome = bench(model, {"--runs", "1", "--engine", engine});
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
        expectMeasured(outcome.json(), 1);
        EXPECT_EQ(outcome.json().at("macs"), 8 * 8 * 4 * 4 + 8 * 8 * 4 * 25);
    }
}

TEST_F(Bench, AnInputFileHasTheModelsSize) {
    const std::string right = writeFile(path("right.bin"), splitMixBytes(1, 490));
    const std::string wrong = writeFile(path("wrong.bin"), splitMixBytes(1, 489));
    EXPECT_EQ(bench(m_model, {"--runs", "1", "--input", right}).exitCode, 0);
    const Outcome outcome = bench(m_model, {"--runs", "1", "--input", wrong});
    EXPECT_EQ(outcome.exitCode, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("489"), std::string::npos) << outcome.err;
}

TEST_F(Bench, WrongNumbersAreWrongUsage) {
    const std::vector<std::vector<std::string>> rows{{"--runs", "0"},
                                                     {"--runs", "1000001"},
                                                     {"--runs", "five"},
                                                     {"--threads", "two"},
                                                     {"--threads", "-1"},
                                                     {"--engine", "gpu"},
                                                     {"--seed", "1", "--input", "a.bin"}};
    for (const auto& row : rows) {
        const Outcome outcome = bench(m_model, row);
        EXPECT_EQ(outcome.exitCode, 2) << row[0] << ' ' << row[1];
        EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-U001"});
    }
}

TEST_F(Bench, ARunThatFaultsEndsWithTheFault) {
    const std::string model = goldenOnDisk(m_directory.path(), "faults/prefix/model.tflite");
    const std::string input = goldenOnDisk(m_directory.path(), "faults/prefix/input.bin");
    for (const char* engine : {"executor", "reference", "plain"}) {
        const std::vector<std::string> options{"--input", input, "--engine", engine};
        const Outcome outcome = bench(model, options);
        EXPECT_EQ(outcome.exitCode, 1) << outcome.out;
        EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"P0-X007"});
        std::vector<std::string> run{"run", model, "--json"};
        run.insert(run.end(), options.begin(), options.end());
        const std::string reason = plumb(run).json().at("fault").at("reason");
        EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
    }
}

} // namespace
} // namespace plumbline::test
