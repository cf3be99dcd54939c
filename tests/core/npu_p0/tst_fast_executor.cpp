// SPDX-License-Identifier: GPL-3.0-or-later
// The executor's fast path against its checked one, the graph engines and the golden data.
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/kernels/graph_runner.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/core/npu_p0/job_ways.h"
#include "tests/support/test_data.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

LoweringPtr lowered(Bytes file) { return *npuP0Target().lower(*importTflite(std::move(file))); }

std::vector<std::string> digestsOf(const Trace& trace) {
    std::vector<std::string> digests;
    for (const TraceLayer& layer : trace.layers)
        digests.push_back(layer.sha256);
    return digests;
}

/// Of every layer but RESHAPE, which has none of its own.
std::vector<std::string> digestsOf(const json& layers) {
    std::vector<std::string> digests;
    for (const json& layer : layers) {
        if (layer.value("op", layer.value("name", "")) != "RESHAPE")
            digests.push_back(layer.at("sha256"));
    }
    return digests;
}

/// Every engine in every way gives the layers of `golden`. Gives the output.
Bytes expectEverywhere(const Lowering& lowering, ByteView input, const json& golden) {
    const Execution checked = runEveryWay(jobOf(lowering), input);
    EXPECT_FALSE(checked.fault) << checked.fault->reason;
    EXPECT_EQ(digestsOf(checked.trace), digestsOf(golden));
    for (const KernelSet* set : {&plainKernels(), &fastKernels()}) {
        for (const unsigned threads : {1U, 2U, 3U, 5U}) {
            GraphRunOptions options;
            options.threads = threads;
            const auto run = runGraph(*lowering.model, input, *set, {}, options);
            EXPECT_TRUE(run);
            EXPECT_EQ(digestsOf(run->trace), digestsOf(golden)) << set->name << ' ' << threads;
            EXPECT_EQ(run->output, checked.output) << set->name << ' ' << threads;
        }
    }
    return checked.output;
}

TEST(FastExecutor, everyAcceptedCase) {
    int cases = 0;
    RecordWays all;
    for (const json& line : goldenLines("cases/index.jsonl")) {
        if (!line.at("lowers").get<bool>())
            continue;
        const std::string stem = "cases/" + line.at("case").get<std::string>();
        SCOPED_TRACE(stem);
        ++cases;
        const ByteView file = goldenFile(stem + ".tflite");
        const LoweringPtr lowering = lowered({file.begin(), file.end()});
        const json expected = goldenJson(stem + ".expected.json");
        const Bytes output =
            expectEverywhere(*lowering, goldenFile(stem + ".input.bin"), expected.at("layers"));
        EXPECT_EQ(sha256Hex(output), expected.at("output_sha256"));
        const RecordWays ways = waysOf(jobOf(*lowering));
        all.fast += ways.fast;
        all.checked += ways.checked;
    }
    EXPECT_EQ(cases, 277);
    EXPECT_EQ(all.fast + all.checked, 1126); // records of the accepted cases, golden/README.md
    EXPECT_GT(all.fast, 1000) << "what has a proof runs on vectors";
}

class FastModel : public testing::TestWithParam<const char*> {};

TEST_P(FastModel, hasTheGoldenLayers) {
    SKIP_WITHOUT_SHARED_DATA();
    const fs::path data = *sharedData();
    const std::string name = GetParam();
    const LoweringPtr lowering = lowered(readBytes(data / "models" / (name + ".tflite")));
    const RecordWays ways = waysOf(jobOf(*lowering));
    EXPECT_EQ(ways.fast, static_cast<std::int64_t>(lowering->records.size()));
    EXPECT_EQ(ways.checked, 0);
    int inputs = 0;
    for (const auto& entry : fs::directory_iterator(data / "golden" / "models" / name)) {
        if (!entry.is_directory())
            continue;
        SCOPED_TRACE(entry.path().filename().string());
        const json golden = readJson(entry.path() / "layers.json");
        const Bytes input =
            readBytes(data / "models" / golden.at("input").at("file").get<std::string>());
        const Bytes output = expectEverywhere(*lowering, input, golden.at("layers"));
        EXPECT_EQ(sha256Hex(output), golden.at("output_sha256"));
        ++inputs;
    }
    EXPECT_GT(inputs, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, FastModel, testing::Values("kws", "vww", "resnet8", "ad01"),
                         [](const auto& row) { return std::string(row.param); });

TEST(FastExecutor, outputsOfTheWholeCorpus) {
    SKIP_WITHOUT_SHARED_DATA();
    constexpr std::size_t kItem = 490;
    const fs::path data = *sharedData();
    const Bytes corpus = readBytes(data / "models/kws01.bin");
    ASSERT_EQ(corpus.size(), 1000 * kItem);
    const PreparedJobPtr prepared = npuP0Target().prepare(
        std::make_shared<const Job>(jobOf(*lowered(readBytes(data / "models/kws.tflite")))));
    ExecuteOptions options;
    options.captureLayers = false;
    options.digests = false;
    Bytes outputs;
    for (std::size_t at = 0; at < corpus.size(); at += kItem) {
        const Execution run = prepared->run(ByteView(corpus).subspan(at, kItem), options);
        EXPECT_TRUE(run.trace.layers.empty());
        EXPECT_EQ(run.trace.inputSha256.value_or(""), "");
        outputs.insert(outputs.end(), run.output.begin(), run.output.end());
    }
    EXPECT_EQ(outputs, readBytes(data / "golden/frameworks/kws/corpus_outputs_1000x12.bin"));
}

class FastSample : public testing::TestWithParam<const char*> {};

TEST_P(FastSample, runsOnVectorsAndAgreesWithThePlainLoops) {
    for (const std::uint64_t seed : {1U, 2U}) {
        const LoweringPtr lowering = lowered(*makeSample(GetParam(), seed));
        EXPECT_EQ(waysOf(jobOf(*lowering)).checked, 0);
        const Bytes input = seededBytes(seed, static_cast<std::size_t>(lowering->input.bytes));
        const auto plain = runGraph(*lowering->model, input, plainKernels());
        ASSERT_TRUE(plain);
        const Execution checked = runEveryWay(jobOf(*lowering), input);
        EXPECT_EQ(digestsOf(checked.trace), digestsOf(plain->trace));
        EXPECT_EQ(checked.output, plain->output);
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, FastSample,
                         testing::Values("ds-cnn", "mobilenet", "resnet8", "autoencoder",
                                         "every-operator", "branches-40"),
                         [](const auto& row) {
                             std::string name = row.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// One prepared job, many runs at a time.
TEST(FastExecutor, aPreparedJobMayRunFromSeveralThreads) {
    const Job job = sampleJob("every-operator");
    const PreparedJobPtr prepared = npuP0Target().prepare(std::make_shared<const Job>(job));
    constexpr std::size_t kThreads = 4, kRuns = 20;
    std::vector<Execution> made(kThreads * kRuns);
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < kThreads; ++t)
            threads.emplace_back([&, t] {
                for (std::size_t i = t; i < made.size(); i += kThreads)
                    made[i] = prepared->run(seededBytes(i, job.inputBytes));
            });
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        ExecuteOptions options;
        options.checked = true;
        EXPECT_EQ(differenceOf(made[i], prepared->run(seededBytes(i, job.inputBytes), options)), "")
            << i;
    }
}

} // namespace
} // namespace plumbline::test
