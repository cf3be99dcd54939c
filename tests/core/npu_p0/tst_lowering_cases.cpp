// SPDX-License-Identifier: GPL-3.0-or-later
// The 454 synthetic golden models: what lowers must equal the expectation in every byte and report
// field, both engines must give its layers; what does not must be refused for the labelled reason.
#include <gtest/gtest.h>

#include "core/artifacts/package.h"
#include "core/base/sha256.h"
#include "core/kernels/graph_runner.h"
#include "core/lowering/target.h"
#include "core/report/p0_report.h"
#include "core/tflite/importer.h"
#include "tests/core/npu_p0/refusal_labels.h"
#include "tests/support/golden_compare.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

using nlohmann::json;

Bytes bytesOf(std::string_view name) {
    const ByteView view = test::goldenFile(name);
    return {view.begin(), view.end()};
}

class GoldenCase {
  public:
    explicit GoldenCase(const std::string& name)
        : m_name(name)
        , m_expected(test::goldenJson("cases/" + name + ".expected.json")) {}

    void checkAccepted() {
        const auto model = importTflite(bytesOf("cases/" + m_name + ".tflite"));
        ASSERT_TRUE(model) << test::allText(model.diagnostics());
        const LoweringPtr lowering = *npuP0Target().lower(*model);
        ASSERT_TRUE(lowering->complete) << test::allText(lowering->diagnostics);
        const Bytes input = bytesOf("cases/" + m_name + ".input.bin");
        const auto reference = runGraph(**model, input, plainKernels());
        ASSERT_TRUE(reference) << test::allText(reference.diagnostics());
        EXPECT_EQ(verifyArenaPlan(lowering->arena), "");
        checkArtifacts(*lowering);
        checkManifest(manifestJson(*lowering, m_name, &reference->trace));
        checkLayers(reference->trace, reference->output);
        const Job job = jobOf(*lowering);
        const Execution run = npuP0Target().execute(job, input, {true, true});
        ASSERT_FALSE(run.fault) << run.fault->reason;
        checkLayers(run.trace, run.output);
        EXPECT_EQ(test::allText(run.findings), "");
    }

    void checkRefused() {
        const auto model = importTflite(bytesOf("cases/" + m_name + ".tflite"));
        const std::string label = m_expected["reason"];
        if (label == "malformed") {
            EXPECT_FALSE(model);
            EXPECT_TRUE(hasErrors(model.diagnostics()));
            return;
        }
        ASSERT_TRUE(model) << test::allText(model.diagnostics());
        const LoweringPtr lowering = *npuP0Target().lower(*model);
        EXPECT_FALSE(lowering->complete);
        ASSERT_TRUE(test::codeOfLabel(label)) << label;
        std::optional<std::int64_t> op;
        if (!m_expected["operator"].is_null())
            op = m_expected["operator"].get<std::int64_t>();
        EXPECT_TRUE(test::reports(lowering->diagnostics, label, op))
            << label << "\n"
            << test::allText(lowering->diagnostics);
    }

  private:
    void checkArtifacts(const Lowering& lowering) {
        std::vector<std::string> records;
        for (const Record& record : lowering.records)
            records.push_back(toHex(record.bytes));
        EXPECT_EQ(records, m_expected["descriptors"].get<std::vector<std::string>>());
        EXPECT_EQ(sha256Hex(lowering.descriptorBytes()), m_expected["descriptors_sha256"]);
        EXPECT_EQ(sha256Hex(lowering.weights), m_expected["weights_sha256"]);
        EXPECT_EQ(sha256Hex(lowering.params), m_expected["params_sha256"]);
        EXPECT_EQ(lowering.weights.size(), m_expected["weights_bytes"]);
        EXPECT_EQ(lowering.params.size(), m_expected["params_bytes"]);
        if (m_expected.contains("params_hex")) {
            EXPECT_EQ(toHex(lowering.params), m_expected["params_hex"]);
        }
    }

    void checkManifest(const json& manifest) {
        for (const char* key : {"relocations", "steps", "arena_bytes", "input_offset",
                                "required_opcode_mask", "report"})
            EXPECT_EQ(test::firstDifference(manifest[key], m_expected[key]), "") << key;
        EXPECT_EQ(
            test::firstDifference(manifest["tensors"]["layers"], m_expected["tensors_layers"]), "");
        EXPECT_EQ(
            test::firstDifference(manifest["tensors"]["output"], m_expected["tensors_output"]), "");
    }

    void checkLayers(const Trace& trace, const Bytes& output) {
        const json& layers = m_expected["layers"];
        ASSERT_EQ(trace.layers.size(), layers.size()) << trace.producer;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const TraceLayer& ours = trace.layers[i];
            EXPECT_EQ(ours.operatorIndex, layers[i]["operator"]) << trace.producer;
            EXPECT_EQ(ours.name, layers[i]["op"]) << trace.producer;
            EXPECT_EQ(json(ours.shape), layers[i]["shape"]) << trace.producer;
            EXPECT_EQ(ours.sha256, layers[i]["sha256"]) << trace.producer << " layer " << i;
        }
        EXPECT_EQ(sha256Hex(output), m_expected["output_sha256"]) << trace.producer;
        if (m_expected.contains("output_hex")) {
            EXPECT_EQ(toHex(output), m_expected["output_hex"]) << trace.producer;
        }
    }

    std::string m_name;
    json m_expected;
};

std::vector<std::string> casesThatLower(bool lowers) {
    std::vector<std::string> names;
    for (const json& line : test::goldenLines("cases/index.jsonl")) {
        if (line["lowers"] == lowers)
            names.push_back(line["case"]);
    }
    return names;
}

TEST(LoweringCases, AcceptedModelsEqualTheGoldenData) {
    const auto names = casesThatLower(true);
    ASSERT_EQ(names.size(), 277U);
    for (const std::string& name : names) {
        SCOPED_TRACE(name);
        GoldenCase(name).checkAccepted();
    }
}

TEST(LoweringCases, RefusedModelsNameTheBrokenRule) {
    const auto names = casesThatLower(false);
    ASSERT_EQ(names.size(), 177U);
    for (const std::string& name : names) {
        SCOPED_TRACE(name);
        GoldenCase(name).checkRefused();
    }
}

} // namespace
} // namespace plumbline
