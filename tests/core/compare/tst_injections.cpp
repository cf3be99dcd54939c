// SPDX-License-Identifier: GPL-3.0-or-later
// Every mistake made at every layer of real models, where it changes a byte: ranking the bytes
// that it leaves names it. The counts by mistake go to the test's results, from where
// docs/hypotheses.md has them.
#include <gtest/gtest.h>

#include <set>

#include "core/compare/injection.h"
#include "core/samples/samples.h"
#include "tests/core/compare/mistake_sites.h"

namespace plumbline {
namespace {

std::size_t mistakeNamed(std::string_view name) {
    const auto all = npuP0Target().mistakes();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const MistakeInfo& mistake) { return mistake.name == name; });
    EXPECT_NE(found, all.end()) << name;
    return static_cast<std::size_t>(found - all.begin());
}

LayerRunnerPtr everyOperator() { return test::runnerOf(*makeSample("every-operator")); }

/// What became of the injections of one mistake.
struct Tally {
    int alone = 0;
    int withEquivalents = 0;
    int notFound = 0;
    std::map<std::string, int> lookAlikes;

    int all() const { return alone + withEquivalents + notFound; }
    std::string text() const {
        std::string out = std::to_string(all()) + " injected, " + std::to_string(alone) +
                          " alone, " + std::to_string(withEquivalents) + " with equivalents, " +
                          std::to_string(notFound) + " not found";
        for (const auto& [name, count] : lookAlikes)
            out += "; " + std::to_string(count) + " " + name;
        return out;
    }
};

/// All mistakes at one layer, each ranked against all.
class LayerTrial {
  public:
    /// What is observed comes from runs of the whole job with the mistake made in it.
    LayerTrial(const LayerSite& site, ByteView input)
        : m_site(site)
        , m_run(site) {
        const std::int64_t op = site.runner->steps()[site.step].operatorIndex;
        for (std::size_t i = 0; i < m_mistakes.size(); ++i) {
            if (const auto job = inject(site.runner, input, {op, i}, m_mistakes))
                m_names[runInjected(*job, input).trace.layerOf(op)->bytes].insert(
                    std::string(m_mistakes[i].name));
        }
        m_names.erase(site.healthy);
    }

    void count(std::map<std::string, Tally>& tallies) {
        for (const auto& [observed, names] : m_names) {
            const auto ranking = rankHypotheses(m_site, m_mistakes, observed, std::ref(m_run));
            ASSERT_TRUE(ranking);
            for (const std::string& name : names)
                count(tallies[name], *ranking, name, names);
        }
    }

  private:
    static void count(Tally& tally, const HypothesisRanking& ranking, const std::string& injected,
                      const std::set<std::string>& same) {
        std::set<std::string> exact;
        const Hypothesis* found = nullptr;
        for (const Hypothesis& one : ranking.hypotheses) {
            if (one.exact)
                exact.insert(one.name);
            if (one.name == injected)
                found = &one;
        }
        const bool isFirst =
            found && found->exact && exact == same && found->equivalent.size() + 1 == same.size();
        ++(!isFirst ? tally.notFound : same.size() == 1 ? tally.alone : tally.withEquivalents);
        for (const std::string& other : same)
            tally.lookAlikes[other] += other == injected ? 0 : 1;
        std::erase_if(tally.lookAlikes, [](const auto& one) { return one.second == 0; });
    }

    const LayerSite& m_site;
    std::span<const MistakeInfo> m_mistakes = npuP0Target().mistakes();
    test::RememberingRun m_run;
    std::map<Bytes, std::set<std::string>> m_names; ///< of the mistakes that leave these bytes
};

void tryEveryLayer(const LayerRunnerPtr& runner, const Bytes& input) {
    ASSERT_NE(runner, nullptr);
    std::map<std::string, Tally> tallies;
    for (const LayerStep& step : runner->steps()) {
        if (!step.record)
            continue;
        SCOPED_TRACE(step.operatorIndex);
        const auto site = siteOf(runner, input, nullptr, step.operatorIndex);
        ASSERT_TRUE(site);
        LayerTrial(*site, input).count(tallies);
    }
    int injected = 0, notFound = 0;
    for (const auto& [name, tally] : tallies) {
        testing::Test::RecordProperty(name, tally.text());
        injected += tally.all();
        notFound += tally.notFound;
    }
    EXPECT_GT(injected, 100);
    EXPECT_LE(notFound * 100, injected * 2) << notFound << " of " << injected;
}

Bytes sharedInput(const std::string& name) {
    return test::readBytes(*test::sharedData() / "models/inputs" / name);
}

TEST(Injections, AreFoundAtEveryLayerOfKws) {
    SKIP_WITHOUT_SHARED_DATA();
    tryEveryLayer(test::sharedRunner("kws"), sharedInput("kws/rand.bin"));
}

TEST(Injections, AreFoundAtEveryLayerOfVww) {
    SKIP_WITHOUT_SHARED_DATA();
    tryEveryLayer(test::sharedRunner("vww"), sharedInput("vww/rand.bin"));
}

TEST(Injections, AreFoundAtEveryLayerOfResnet8) {
    SKIP_WITHOUT_SHARED_DATA();
    tryEveryLayer(test::sharedRunner("resnet8"), sharedInput("resnet8/rand.bin"));
}

TEST(Injections, AreFoundAtEveryLayerOfEveryOperator) {
    const LayerRunnerPtr runner = everyOperator();
    tryEveryLayer(runner, seededBytes(1, runner->job().inputBytes));
}

TEST(Injections, RunLeavesTheWrongBytesAndComputesRightlyOnThem) {
    const LayerRunnerPtr runner = everyOperator();
    const Bytes input = seededBytes(1, runner->job().inputBytes);
    const Execution right = npuP0Target().execute(runner->job(), input);
    const std::size_t mistake = mistakeNamed("output-channel-first");
    const std::size_t step = 0;
    const std::int64_t wrongOperator = runner->steps()[step].operatorIndex;
    const auto job = inject(runner, input, {wrongOperator, mistake}, npuP0Target().mistakes());
    ASSERT_TRUE(job);
    const Execution run = runInjected(*job, input);
    EXPECT_NE(run.trace.producer.find("output-channel-first"), std::string::npos);
    ASSERT_EQ(run.trace.layers.size(), right.trace.layers.size());
    const auto& wrong = run.trace.layers[step];
    const auto& healthy = right.trace.layers[step];
    std::int64_t changed = 0;
    const auto channels = static_cast<std::size_t>(wrong.shape[2]);
    const std::size_t pixels = wrong.bytes.size() / channels;
    for (std::size_t i = 0; i < wrong.bytes.size(); ++i) {
        EXPECT_EQ(wrong.bytes[i % channels * pixels + i / channels], healthy.bytes[i]);
        changed += wrong.bytes[i] != healthy.bytes[i] ? 1 : 0;
    }
    EXPECT_EQ(job->changedElements, changed);
    EXPECT_NE(wrong.sha256, healthy.sha256);
    EXPECT_EQ(run.output, run.trace.layers.back().bytes);
    EXPECT_NE(run.output, right.output);
    EXPECT_EQ(run.trace.inputSha256, right.trace.inputSha256);
}

TEST(Injections, RunEqualsTheExecutorWhereNoByteChanges) {
    const LayerRunnerPtr runner = everyOperator();
    const Bytes input = seededBytes(1, runner->job().inputBytes);
    const Execution right = npuP0Target().execute(runner->job(), input);
    // One slice: the condition does not hold.
    const auto job =
        inject(runner, input, {runner->steps()[0].operatorIndex, mistakeNamed("bias-per-slice")},
               npuP0Target().mistakes());
    ASSERT_TRUE(job);
    EXPECT_EQ(job->changedElements, 0);
    const Execution run = runInjected(*job, input);
    EXPECT_EQ(run.output, right.output);
    ASSERT_EQ(run.trace.layers.size(), right.trace.layers.size());
    for (std::size_t i = 0; i < right.trace.layers.size(); ++i)
        EXPECT_EQ(run.trace.layers[i].sha256, right.trace.layers[i].sha256) << i;
}

TEST(Injections, WhatDoesNotApplyIsRefused) {
    const LayerRunnerPtr runner = everyOperator();
    const Bytes input = seededBytes(1, runner->job().inputBytes);
    const auto codeOf = [&](std::int64_t operatorIndex, std::string_view mistake) {
        const auto job =
            inject(runner, input, {operatorIndex, mistakeNamed(mistake)}, npuP0Target().mistakes());
        return job ? std::string() : std::string(codeInfo(job.diagnostics().front().code).name);
    };
    const std::int64_t first = runner->steps()[0].operatorIndex;
    EXPECT_EQ(codeOf(first, "max-from-zero"), "MistakeNotApplicable");
    EXPECT_EQ(codeOf(first, "stale-input"), "MistakeNotApplicable") << "it reads the graph input";
    EXPECT_EQ(codeOf(4000, "bounds-missing"), "MistakeNotApplicable");
}

TEST(Injections, AreStoppedByTheStopToken) {
    const LayerRunnerPtr runner = everyOperator();
    std::stop_source stop;
    stop.request_stop();
    JobContext context;
    context.stop = stop.get_token();
    const Injection injection{runner->steps()[0].operatorIndex, mistakeNamed("truncation")};
    const Bytes input = seededBytes(1, runner->job().inputBytes);
    const auto refused = inject(runner, input, injection, npuP0Target().mistakes(), context);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.diagnostics().front().code, Code::Cancelled);
    const auto job = inject(runner, input, injection, npuP0Target().mistakes());
    ASSERT_TRUE(job);
    EXPECT_TRUE(runInjected(*job, input, context).cancelled);
}

TEST(Injections, ParsesItsForm) {
    const auto mistakes = npuP0Target().mistakes();
    const auto parsed = parseInjection("op/7:single-rounding", mistakes);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->operatorIndex, 7);
    EXPECT_EQ(mistakes[parsed->mistake].name, "single-rounding");
    for (const char* text : {"", "op/7", "op/:truncation", "op/-1:truncation", "7:truncation",
                             "op/7x:truncation", "op/7 :truncation", "op/99999999999999999999:x"}) {
        const auto refused = parseInjection(text, mistakes);
        ASSERT_FALSE(refused) << text;
        EXPECT_EQ(refused.diagnostics().front().code, Code::BadInjection) << text;
    }
}

TEST(Injections, MisspeltNameGetsTheNearest) {
    const std::pair<const char*, const char*> rows[] = {
        {"single-roundin", "single-rounding"},
        {"acumulator-24-bit", "accumulator-24-bit"},
        {"weight-unsigned", "weights-unsigned"},
        {"shift-minus-on", "shift-minus-one"},
    };
    for (const auto& [given, nearest] : rows) {
        const auto refused = parseInjection(std::string("op/0:") + given, npuP0Target().mistakes());
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.diagnostics().front().code, Code::BadInjection);
        EXPECT_NE(refused.diagnostics().front().message.find(nearest), std::string::npos)
            << refused.diagnostics().front().message;
    }
}

} // namespace
} // namespace plumbline
