// SPDX-License-Identifier: GPL-3.0-or-later
// Every vector of numerics.jsonl, exactly; one test per function.
#include <bit>
#include <functional>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "core/numeric/quantize.h"
#include "core/numeric/softmax.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

using nlohmann::json;

double doubleOf(const json& bits) {
    return std::bit_cast<double>(std::uint64_t{std::stoull(bits.get<std::string>(), nullptr, 16)});
}

double floatOf(const json& bits) {
    const auto word = static_cast<std::uint32_t>(std::stoul(bits.get<std::string>(), nullptr, 16));
    return std::bit_cast<float>(word);
}

std::int32_t intOf(const json& line, const char* key) { return line.at(key).get<std::int32_t>(); }

std::vector<std::int8_t> int8Of(const json& line, const char* key) {
    const std::optional<Bytes> bytes = fromHex(line.at(key).get<std::string>());
    if (!bytes)
        throw std::runtime_error("not hexadecimal: " + line.dump());
    return {bytes->begin(), bytes->end()};
}

void expectMultiplier(const json& line, const Multiplier& m, const char* multiplier,
                      const char* shift) {
    EXPECT_EQ(m.multiplier, intOf(line, multiplier));
    EXPECT_EQ(m.shift, intOf(line, shift));
}

void checkQuantizeMultiplier(const json& line) {
    expectMultiplier(line, quantizeMultiplier(doubleOf(line.at("x"))), "multiplier", "shift");
}

void checkSrdhm(const json& line) {
    EXPECT_EQ(srdhm(intOf(line, "a"), intOf(line, "b")), intOf(line, "y"));
}

void checkRdbp(const json& line) {
    EXPECT_EQ(rdbp(intOf(line, "x"), intOf(line, "r")), intOf(line, "y"));
}

void checkRequantize(const json& line) {
    const auto y = requantize(intOf(line, "x"), {intOf(line, "m"), intOf(line, "s")});
    if (line.value("fault", false)) {
        EXPECT_FALSE(y.has_value());
    } else {
        EXPECT_EQ(y, intOf(line, "y"));
    }
}

void checkRequantScale(const json& line) {
    const Multiplier m = requantizationMultiplier(floatOf(line.at("s_in")), floatOf(line.at("s_w")),
                                                  floatOf(line.at("s_out")));
    expectMultiplier(line, m, "multiplier", "shift");
}

void checkAddParams(const json& line) {
    const AddMultipliers m =
        addMultipliers(floatOf(line.at("s0")), floatOf(line.at("s1")), floatOf(line.at("s_out")));
    expectMultiplier(line, m.input0, "m0", "shift0");
    expectMultiplier(line, m.input1, "m1", "shift1");
    expectMultiplier(line, m.output, "m_out", "shift_out");
}

void checkRelu6Max(const json& line) {
    const double scale = doubleOf(line.at("scale"));
    const std::int32_t zeroPoint = intOf(line, "zero_point");
    EXPECT_EQ(quantizeToInt8(6.0, scale, zeroPoint), intOf(line, "y"));
    EXPECT_EQ(relu6Bounds(scale, zeroPoint), (ActivationBounds{zeroPoint, intOf(line, "y")}));
}

void checkAverage(const json& line) {
    EXPECT_EQ(
        roundedAverage(line.at("total").get<std::int64_t>(), line.at("count").get<std::int64_t>()),
        intOf(line, "y"));
}

void checkSoftmaxParameters(const json& line) {
    const auto parameters =
        softmaxParameters(doubleOf(line.at("scale")), doubleOf(line.at("beta")));
    if (line.value("refused", false)) {
        EXPECT_FALSE(parameters.has_value());
        return;
    }
    ASSERT_TRUE(parameters.has_value());
    EXPECT_EQ(parameters->multiplier, intOf(line, "multiplier"));
    EXPECT_EQ(parameters->leftShift, intOf(line, "left_shift"));
    EXPECT_EQ(parameters->diffMin, intOf(line, "diff_min"));
    EXPECT_TRUE(softmaxParametersAreSafe(*parameters));
}

void checkExpNegative(const json& line) {
    EXPECT_EQ(expNegative(intOf(line, "a")), intOf(line, "y"));
}

void checkExpQuarter(const json& line) {
    EXPECT_EQ(expQuarter(intOf(line, "a")), intOf(line, "y"));
}

void checkReciprocal(const json& line) {
    EXPECT_EQ(reciprocalOnePlus(intOf(line, "a")), intOf(line, "y"));
}

void checkSoftmaxRow(const json& line) {
    const SoftmaxParameters parameters{intOf(line, "multiplier"), intOf(line, "left_shift"),
                                       intOf(line, "diff_min")};
    ASSERT_TRUE(softmaxParametersAreSafe(parameters));
    const std::vector<std::int8_t> x = int8Of(line, "x");
    std::vector<std::int8_t> y(x.size());
    ASSERT_TRUE(softmaxRow(x, y, parameters));
    EXPECT_EQ(y, int8Of(line, "y"));
}

struct Check {
    std::function<void(const json&)> run;
    std::size_t lines; ///< how many the data set has
};

const std::map<std::string, Check>& checks() {
    static const std::map<std::string, Check> table{
        {"quantize_multiplier", {checkQuantizeMultiplier, 480}},
        {"srdhm", {checkSrdhm, 297}},
        {"rdbp", {checkRdbp, 464}},
        {"qm", {checkRequantize, 497}},
        {"requant_scale", {checkRequantScale, 170}},
        {"add_params", {checkAddParams, 130}},
        {"relu6_max", {checkRelu6Max, 136}},
        {"average", {checkAverage, 198}},
        {"softmax_parameters", {checkSoftmaxParameters, 110}},
        {"exp_neg", {checkExpNegative, 223}},
        {"exp_quarter", {checkExpQuarter, 94}},
        {"recip", {checkReciprocal, 169}},
        {"softmax_row", {checkSoftmaxRow, 180}},
    };
    return table;
}

const std::vector<json>& vectors() {
    static const std::vector<json> lines = test::goldenLines("numerics.jsonl");
    return lines;
}

TEST(NumericVectors, everyFunctionHasACheck) {
    for (const json& line : vectors()) {
        const std::string fn = line.at("fn").get<std::string>();
        EXPECT_TRUE(checks().contains(fn)) << fn;
    }
}

class NumericVectors : public testing::TestWithParam<std::string> {};

TEST_P(NumericVectors, areExact) {
    const Check& check = checks().at(GetParam());
    std::size_t lines = 0;
    for (const json& line : vectors()) {
        if (line.at("fn") != GetParam())
            continue;
        SCOPED_TRACE(line.dump());
        check.run(line);
        ++lines;
    }
    EXPECT_EQ(lines, check.lines);
}

std::vector<std::string> functionNames() {
    std::vector<std::string> names;
    for (const auto& [name, check] : checks())
        names.push_back(name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Golden, NumericVectors, testing::ValuesIn(functionNames()),
                         [](const auto& row) { return row.param; });

} // namespace
} // namespace plumbline
