// SPDX-License-Identifier: GPL-3.0-or-later
// Distances and labels of ticks.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/chart/ticks.h"

using namespace plumbline;

TEST(Ticks, AddressesAreAtPowersOfTwo) {
    constexpr AddressBase kHex = AddressBase::Hexadecimal;
    EXPECT_EQ(addressTickStep(100000, 5, kHex), 32768); // 20,000 bytes per tick
    EXPECT_EQ(addressTickStep(4096, 4, kHex), 1024);
    EXPECT_EQ(addressTickStep(3, 5, kHex), 1);
}

TEST(Ticks, DecimalsAreRound) {
    constexpr AddressBase kDecimal = AddressBase::Decimal;
    EXPECT_EQ(addressTickStep(100000, 5, kDecimal), 20000);
    EXPECT_EQ(addressTickStep(40, 5, kDecimal), 10); // to the next decade
    EXPECT_EQ(roundTickStep(1001, 1), 2000);
    EXPECT_EQ(roundTickStep(1e12, 4), 5e11);
}

TEST(Ticks, NeverMoreThanAsked) {
    for (double span = 1; span < 1e9; span *= 1.7)
        for (const int count : {1, 3, 7}) {
            const double step = roundTickStep(span, count);
            EXPECT_LE(span / step, count * 1.0001 + (step == 1 ? span : 0));
            EXPECT_GE(span / step, step == 1 ? 0 : count / 2.6) << span;
        }
}

TEST(Ticks, SpansThatAreNone) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    for (const AddressBase base : {AddressBase::Hexadecimal, AddressBase::Decimal})
        for (const double span : {0.0, -5.0, kNan, kInfinite})
            EXPECT_EQ(addressTickStep(span, 5, base), 1);
    EXPECT_EQ(addressTickStep(1000, 0, AddressBase::Decimal), 1000); // at least one tick
}

TEST(Ticks, LabelsOfAddresses) {
    EXPECT_EQ(addressText(6144, AddressBase::Hexadecimal), "0x1800");
    EXPECT_EQ(addressText(6144, AddressBase::Decimal), "6,144");
    EXPECT_EQ(addressText(0, AddressBase::Hexadecimal), "0x0000");
    EXPECT_EQ(addressText(-1, AddressBase::Hexadecimal), "");
    EXPECT_EQ(addressText(1e16, AddressBase::Decimal), "");
    EXPECT_EQ(shortAddressText(98304), "96 KiB");
    EXPECT_EQ(shortAddressText(-1), "");
    EXPECT_EQ(shortAddressText(std::numeric_limits<double>::quiet_NaN()), "");
}

TEST(Ticks, StandAtMultiples) {
    EXPECT_EQ(ticksBetween(-1.5, 3.5, 1), (std::vector<double>{-1, 0, 1, 2, 3}));
    EXPECT_EQ(ticksBetween(0, 100, 32), (std::vector<double>{0, 32, 64, 96}));
    EXPECT_EQ(ticksBetween(10, 20, 10), (std::vector<double>{10, 20}));
    EXPECT_TRUE(ticksBetween(1, 9, 10).empty());
    EXPECT_FALSE(std::signbit(ticksBetween(-0.5, 0.5, 1).at(0)));
}

TEST(Ticks, ABrokenAxisHasNone) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(ticksBetween(0, 10, 0).empty());
    EXPECT_TRUE(ticksBetween(0, 10, -1).empty());
    EXPECT_TRUE(ticksBetween(kNan, 10, 1).empty());
    EXPECT_TRUE(ticksBetween(0, kNan, 1).empty());
    EXPECT_TRUE(ticksBetween(0, 1e300, 1).empty());
    EXPECT_TRUE(ticksBetween(10, 0, 1).empty());
}
