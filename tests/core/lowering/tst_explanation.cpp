// SPDX-License-Identifier: GPL-3.0-or-later
// The line that a step of a replay is told in.
#include <gtest/gtest.h>

#include <set>

#include "core/lowering/explanation.h"

namespace plumbline {
namespace {

ReplayStep step(ReplayKind kind, std::int64_t before, std::int64_t result) {
    ReplayStep made;
    made.kind = kind;
    made.before = before;
    made.result = result;
    return made;
}

TEST(ReplayText, AProductNamesItsBytes) {
    ReplayStep product = step(ReplayKind::Product, 1034, 1846);
    product.k = 37;
    product.slice = 0;
    product.at = {3, 4, 5};
    product.input = -12;
    product.parameter = -128;
    product.weight = 7;
    product.inputFrom = ReplaySource{"arena", 0x1a40};
    product.weightFrom = ReplaySource{"weights", 0x2e5};
    product.parameterFrom = ReplaySource{"descriptors", 76};
    EXPECT_EQ(replayText(product), "k 37, product of (3,4,5): (-12 - -128) x 7 = 812; "
                                   "1034 -> 1846; input arena 0x1a40, weight weights 0x2e5");
}

TEST(ReplayText, PaddingAddsNothing) {
    ReplayStep product = step(ReplayKind::Product, -6, -6);
    product.k = 0;
    product.at = {-1, 0, 2};
    product.isPadding = true;
    product.input = 4;
    product.parameter = 4;
    product.weight = -9;
    product.weightFrom = ReplaySource{"weights", 16};
    EXPECT_EQ(replayText(product), "k 0, product in the padding at (-1,0,2): (4 - 4) x -9 = 0; "
                                   "-6 -> -6; weight weights 0x10");
}

TEST(ReplayText, ARequantizationIsToldInTheContractsNames) {
    ReplayStep multiply = step(ReplayKind::HighMultiply, 1846, 1292);
    multiply.parameter = 1503238553;
    multiply.parameterFrom = ReplaySource{"params", 0x44};
    EXPECT_EQ(replayText(multiply),
              "high multiply: SRDHM(1846, 1503238553) = 1292; parameter params 0x44");
    ReplayStep shift = step(ReplayKind::RoundingShift, 1292, 40);
    shift.parameter = 5;
    EXPECT_EQ(replayText(shift), "rounding shift: RDBP(1292, 5) = 40");
    ReplayStep left = step(ReplayKind::LeftShift, 3, 48);
    left.parameter = 4;
    left.operand = "input 1";
    EXPECT_EQ(replayText(left), "left shift (input 1): 3 x 2^4 = 48");
    ReplayStep zero = step(ReplayKind::ZeroPoint, 40, -88);
    zero.parameter = -128;
    EXPECT_EQ(replayText(zero), "zero point: 40 + -128 = -88");
    ReplayStep clamp = step(ReplayKind::Clamp, 300, 127);
    clamp.parameter = -128;
    clamp.parameter2 = 127;
    EXPECT_EQ(replayText(clamp), "clamp: 300 within -128..127 = 127");
}

TEST(ReplayText, AnOperandIsNamedOnce) {
    ReplayStep sum = step(ReplayKind::Sum, 7414552, 5317400);
    sum.input = -2097152;
    sum.operand = "sum";
    EXPECT_EQ(replayText(sum), "sum: 7414552 + -2097152 = 5317400");
}

TEST(ReplayText, AValueLeftOutSaysWhy) {
    ReplayStep difference = step(ReplayKind::Difference, 0, -70);
    difference.k = 3;
    difference.at = {0, 0, 3};
    difference.inputFrom = ReplaySource{"arena", 3};
    difference.input = -30;
    difference.parameter = 40;
    difference.parameter2 = -64;
    difference.operand = "term";
    EXPECT_EQ(replayText(difference), "k 3, difference (term) of (0,0,3): -30 - 40 = -70, below "
                                      "-64 and so left out; input arena 0x3");
}

TEST(ReplayText, EveryKindHasANameAndALineOfItsOwn) {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(ReplayKind::Clamp); ++i) {
        const auto kind = static_cast<ReplayKind>(i);
        EXPECT_FALSE(replayKindName(kind).empty());
        EXPECT_TRUE(names.insert(replayKindName(kind)).second) << replayKindName(kind);
        const std::string line = replayText(step(kind, 12, 34));
        EXPECT_TRUE(line.starts_with(replayKindName(kind))) << line;
        EXPECT_NE(line.find("34"), std::string::npos) << line;
    }
}

} // namespace
} // namespace plumbline
