// SPDX-License-Identifier: GPL-3.0-or-later
// plumb explain: one element, as text and as JSON, with and without a reference.
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The every-operator sample as a model and as a package, and the trace of its run on seed 1.
class Explain : public testing::Test {
  protected:
    Explain()
        : m_model(sampleFile(m_directory.path(), "every-operator"))
        , m_trace((m_directory.path() / "trace").string())
        , m_package((m_directory.path() / "package").string()) {
        EXPECT_EQ(plumb({"run", m_model, "--seed", "1", "--trace", m_trace}).exitCode, 0);
        EXPECT_EQ(plumb({"compile", m_model, "-o", m_package}).exitCode, 0);
    }

    std::vector<json> layers() const {
        return readJson(fs::path(m_trace) / "trace.json").at("layers");
    }

    /// The bytes that the run gave operator `op`.
    Bytes layer(int op) const {
        for (const json& one : layers()) {
            if (one.at("operator") == op)
                return readBytes(fs::path(m_trace) / one.at("file").get<std::string>());
        }
        throw std::runtime_error("the trace lacks an operator");
    }

    static Outcome explain(const std::string& subject, const std::string& at,
                           const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments{"explain", subject, "--seed", "1", "--at", at};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return plumb(arguments);
    }

    TemporaryDirectory m_directory;
    std::string m_model;
    std::string m_trace;
    std::string m_package;
};

int signedAt(const Bytes& bytes, std::size_t index) {
    return static_cast<std::int8_t>(bytes.at(index));
}

TEST_F(Explain, TheValueIsTheRunsOfEveryLayerOfModelAndPackage) {
    for (const json& one : layers()) {
        const int op = one.at("operator");
        const std::vector<int> shape = one.at("shape");
        const int h = shape[0] / 2, w = shape[1] - 1, c = shape[2] / 3;
        const std::string at = "op/" + std::to_string(op) + "/element/" + std::to_string(h) + "," +
                               std::to_string(w) + "," + std::to_string(c);
        SCOPED_TRACE(at);
        const int expected =
            signedAt(layer(op), static_cast<std::size_t>((h * shape[1] + w) * shape[2] + c));
        for (const std::string& subject : {m_model, m_package}) {
            const Outcome outcome = explain(subject, at, {"--json"});
            ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
            const json made = outcome.json();
            EXPECT_EQ(made.at("operator"), op);
            EXPECT_EQ(made.at("name"), one.at("name"));
            EXPECT_EQ(made.at("element"), json({h, w, c}));
            EXPECT_EQ(made.at("value"), expected);
            EXPECT_EQ(made.at("reference"), nullptr);
            EXPECT_EQ(made.at("steps").back().at("result"), expected);
        }
    }
}

TEST_F(Explain, JsonHasEveryKeyAndNamesBytesThatAreThere) {
    const json made = explain(m_package, "op/0/element/0,0,9", {"--json"}).json();
    EXPECT_EQ(made.at("record"), 0);
    EXPECT_EQ(made.at("tile"), 0);
    EXPECT_EQ(made.at("position"), 0);
    EXPECT_EQ(made.at("group"), 1);
    EXPECT_EQ(made.at("lane"), 1);
    EXPECT_EQ(made.at("slices"), 1);
    const Bytes weights = readBytes(fs::path(m_package) / "weights.bin");
    std::size_t products = 0, padding = 0;
    for (const json& step : made.at("steps")) {
        for (const char* key : {"kind", "before", "result", "input", "weight", "parameter",
                                "parameter2", "slice", "k", "at", "padding", "input_from",
                                "weight_from", "parameter_from", "operand", "text"})
            EXPECT_TRUE(step.contains(key)) << key;
        if (step.at("kind") != "product")
            continue;
        const std::string from = step.at("weight_from");
        ASSERT_TRUE(from.starts_with("weights/0x")) << from;
        EXPECT_EQ(step.at("weight"), signedAt(weights, std::stoul(from.substr(10), nullptr, 16)));
        EXPECT_EQ(step.at("k"), products);
        EXPECT_EQ(step.at("padding").get<bool>(), step.at("input_from").is_null());
        padding += step.at("padding").get<bool>() ? 1 : 0;
        ++products;
    }
    EXPECT_EQ(products, 45U); // 3 x 3 x 5 channels
    EXPECT_EQ(padding, 25U);  // the corner's first row and column
}

TEST_F(Explain, AReferenceThatAgreesAndOneThatDoesNot) {
    const std::string at = "op/2/element/3,4,17";
    const std::size_t index = (3 * 12 + 4) * 20 + 17;
    const int value = signedAt(layer(2), index);
    for (const std::string& reference :
         {m_trace, m_model, std::string("reference"), std::string("plain")}) {
        const Outcome same = explain(m_model, at, {"--reference", reference, "--json"});
        EXPECT_EQ(same.exitCode, 0) << same.err;
        EXPECT_EQ(same.json().at("reference"), value);
    }
    const Outcome plain = explain(m_model, at, {"--reference", "plain", "--json"});
    EXPECT_EQ(plain.json().at("reference_name"), "plain kernels");
    const fs::path dumps = m_directory.path() / "dumps";
    fs::create_directory(dumps);
    Bytes changed = layer(2);
    changed[index] ^= 0x10;
    writeFile(dumps / "2.bin", changed);
    const Outcome other = explain(m_package, at, {"--reference", dumps.string(), "--json"});
    EXPECT_EQ(other.exitCode, 1) << other.err;
    EXPECT_EQ(other.json().at("value"), value);
    EXPECT_EQ(other.json().at("reference"), signedAt(changed, index));
    const Outcome text = explain(m_package, at, {"--reference", dumps.string()});
    EXPECT_NE(text.out.find(": differs"), std::string::npos) << text.out;
    const Outcome absent =
        explain(m_package, "op/3/element/0,0,0", {"--reference", dumps.string(), "--json"});
    EXPECT_EQ(absent.exitCode, 0) << absent.err;
    EXPECT_EQ(absent.json().at("reference"), nullptr);
}

TEST_F(Explain, BriefTextLeavesOutTheReductionOnly) {
    const std::string at = "op/1/element/5,5,3"; // K = 1350: two slices
    const Outcome all = explain(m_model, at);
    const Outcome brief = explain(m_model, at, {"--brief"});
    ASSERT_EQ(brief.exitCode, 0) << brief.err;
    const auto lines = [](const std::string& text, const std::string& part) {
        std::size_t count = 0;
        for (auto i = text.find(part); i != std::string::npos; i = text.find(part, i + 1))
            ++count;
        return count;
    };
    EXPECT_EQ(lines(all.out, ", product "), 1350U);
    EXPECT_EQ(lines(brief.out, ", product "), 0U);
    for (const std::string& text : {all.out, brief.out}) {
        EXPECT_EQ(lines(text, "end of slice: partial sum"), 2U) << text;
        EXPECT_EQ(lines(text, "high multiply: SRDHM("), 1U) << text;
        EXPECT_EQ(lines(text, "clamp: "), 1U) << text;
    }
}

TEST_F(Explain, PlacesThatCannotBeExplainedAreWrongUsage) {
    struct Row {
        const char* at;
        const char* code;
    };
    for (const Row& row :
         {Row{"op/1", "PL-U001"}, Row{"record/1", "PL-U001"}, Row{"op/11/element/0,0,0", "PL-U001"},
          Row{"nonsense", "PL-S001"}, Row{"op/1/element/12,0,0", "PL-S002"},
          Row{"op/14/element/0,0,0", "PL-S002"}}) {
        SCOPED_TRACE(row.at);
        const Outcome outcome = explain(m_model, row.at, {"--json"});
        EXPECT_EQ(outcome.exitCode, 2);
        EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{row.code});
    }
}

TEST_F(Explain, AnElementWhoseArithmeticFaultsIsExitOne) {
    Bytes params = readBytes(fs::path(m_package) / "params.bin");
    storeU32(params, 8, 30); // the shift of channel 0 of the first record
    rewritePackageFile(m_package, "params.bin", params);
    const Outcome outcome = explain(m_package, "op/0/element/0,0,0", {"--json"});
    EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
    EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-E001"});
    EXPECT_EQ(outcome.json().at("diagnostics").at(0).at("operator"), 0);
    EXPECT_EQ(explain(m_package, "op/0/element/0,0,1").exitCode, 0);
    const Outcome later = explain(m_package, "op/1/element/0,0,0", {"--json"});
    EXPECT_EQ(later.exitCode, 1) << later.err;
    EXPECT_EQ(later.json().at("diagnostics").at(0).at("record"), 0);
}

} // namespace
} // namespace plumbline::test
